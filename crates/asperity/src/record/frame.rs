//! What recordings are made of: bodies as they are shown, and moments.

use std::sync::Arc;

use glam::DVec3;

use super::image::Image;
use super::vertex_log::MeshFrame;
use crate::body::Surface;
use crate::contact::ContactForce;
use crate::geometry::{Pose, SkinMesh};

/// What a surface looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Paint {
    /// One sRGB colour.
    Color([u8; 3]),
    /// An image laid on by the texture coordinates of the skin.
    Texture(Arc<Image>),
    /// Squares in two shades of an sRGB colour, so that motion over large surfaces can be judged.
    Checker {
        /// The lighter shade.
        color: [u8; 3],
        /// Side of a square in metres.
        cell: f64,
    },
}

/// A body as it is shown. Bodies that look the same can share a skin; exports then store it once.
#[derive(Clone, Debug)]
pub struct RecordedBody {
    /// Unlike that of any other body.
    pub name: String,
    /// Its surface, in body coordinates.
    pub skin: Arc<SkinMesh>,
    /// What it looks like.
    pub paint: Paint,
    /// What friction sees of it: pictures and exports show its structure and its facets.
    pub surface: Arc<Surface>,
    /// Structure directions as line segments, in body coordinates; drawn on request.
    pub structure: Vec<[DVec3; 2]>,
    /// Whether it can move at all; a static body keeps its first pose.
    pub moving: bool,
    /// How its mesh deforms; `None` if it keeps its form.
    pub deforming: Option<Deforming>,
}

/// What frames hold of a body that deforms, and how what is drawn on it follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deforming {
    /// Vertices of its mesh. `vertex_of` of the skin says which of them each corner is at.
    pub vertices: usize,
    /// For each structure line the triangle of the skin that carries it.
    pub line_triangles: Vec<u32>,
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameState {
    /// Place and orientation.
    pub pose: Pose,
    /// Velocity of the body's origin, m/s.
    pub velocity: DVec3,
    /// Angular velocity in world coordinates, rad/s.
    pub angular_velocity: DVec3,
}

impl FrameState {
    /// At rest.
    pub fn resting(pose: Pose) -> Self {
        Self { pose, ..Self::default() }
    }
}

/// One moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Time in seconds.
    pub t: f64,
    /// One state a body, in the order of the bodies.
    pub states: Vec<FrameState>,
    /// The contacts, as many as there are.
    pub forces: Vec<ContactForce>,
    /// Force (N) and torque (N m) that each joint transmits; none in recordings that know of no joints.
    pub joints: Vec<[f64; 2]>,
    /// The vertices of the bodies that deform, in the order of the bodies. Empty in [`super::Recording::frames`]: they are on disk, and
    /// [`super::Recording::frame`] and [`super::Recording::at`] read them.
    pub meshes: Vec<MeshFrame>,
}
