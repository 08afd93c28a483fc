//! What contacts see of a shape.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::Part;
use crate::geometry::TriangleMesh;
use crate::geometry::hull::Polyhedron;

/// Where an end of a cylinder presses that lies flat on something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndPressure {
    /// On its rim.
    #[default]
    Rim,
    /// Evenly, all over the disc.
    Even,
}

/// What contacts see of a shape: one of a few kinds of bodies, whatever the shape is called.
pub(in crate::geometry) enum ContactBody<'a> {
    /// A convex polytope around the origin, and all points within a radius of it.
    Rounded {
        /// The polytope.
        core: Polytope<'a>,
        /// The radius; 0 for sharp edges.
        radius: f64,
    },
    /// A true cylinder around the y axis.
    Cylinder {
        /// Half of its length.
        half_length: f64,
        /// Its radius.
        radius: f64,
        /// Where its ends press.
        pressure: EndPressure,
    },
    /// All below a plane through the origin.
    HalfSpace {
        /// Unit, out of the solid.
        normal: DVec3,
    },
    /// Triangles that stop convex bodies from outside.
    Surface(&'a TriangleMesh),
    /// The union of the parts of a compound.
    Union(&'a [Part]),
}

impl ContactBody<'_> {
    /// Whether it is convex with flat faces and sharp edges alone.
    pub(in crate::geometry) fn is_flat(&self) -> bool {
        match self {
            Self::Rounded { core, radius } => *radius == 0.0 && matches!(core, Polytope::Box(_) | Polytope::Hull(_)),
            Self::HalfSpace { .. } => true,
            Self::Cylinder { .. } | Self::Surface(_) | Self::Union(_) => false,
        }
    }
}

/// The convex polytopes that contacts know.
#[derive(Clone, Copy)]
pub(in crate::geometry) enum Polytope<'a> {
    /// The origin.
    Point,
    /// From −h to h along y.
    Segment(f64),
    /// By its half lengths.
    Box(DVec3),
    /// Any convex polyhedron.
    Hull(&'a Polyhedron),
    /// Corners in the world, unit normal, names of corners, edges and face. It has two faces, one each way.
    Triangle([DVec3; 3], DVec3, TriangleNames),
}

/// Numbers of a triangle of a mesh: what its corners, edges and face are called by.
#[derive(Clone, Copy)]
pub(in crate::geometry) struct TriangleNames {
    /// Of its corners; corners of several triangles in one place have one number.
    pub(in crate::geometry) corners: [u32; 3],
    /// Of the triangle itself.
    pub(in crate::geometry) face: u32,
}
