//! Revolution: a profile turned about y, as a mesh.
//!
//! It turns points (r, y) to (r sin φ, y, r cos φ). The quad between two points and two angles is split into two triangles, anticlockwise
//! seen from the right of the profile's direction. A closed profile is turned over if its volume is negative.

use std::f64::consts::TAU;
use std::path::Path;

use glam::DVec3;

use super::{SceneShape, Shape};
use crate::geometry::{MeshData, TriangleMesh};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View};

/// A recipe for a mesh.
pub(super) struct Revolution;

/// Segments around, where the scene does not say.
const SEGMENTS: u64 = 48;

impl SceneShape for Revolution {
    const TABLE: Variant = Variant {
        name: "revolution",
        doc: "A mesh: a profile turned about y. It is a solid if the profile ends where it begins or begins and ends on the axis; an open one faces to the right of its direction.",
        keys: &[
            Key::new(
                "profile",
                ValueKind::List(&ValueKind::Numbers(2, Range::Any), 2),
                "Points [r, y], r not negative.",
            )
            .unit("m")
            .required(),
            Key::new("segments", ValueKind::Whole(3, 512), "Segments around.").or("48"),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let profile = TurnedLine::read(view)?;
        let segments = view.whole("segments").unwrap_or(SEGMENTS) as usize;
        TriangleMesh::new(profile.turned(segments)).map(Shape::Mesh).map_err(|error| view.fault("profile", error))
    }
}

/// The line that is turned.
struct TurnedLine {
    /// [r, y], each once.
    rings: Vec<[f64; 2]>,
    /// Whether the last point is joined with the first.
    loops: bool,
    /// Whether the surface is closed.
    solid: bool,
}

impl TurnedLine {
    fn read(view: &View) -> Result<Self, Fault> {
        let mut rings: Vec<[f64; 2]> = view.list("profile").iter().filter_map(|node| node.numbers::<2>()).collect();
        if let Some(index) = rings.iter().position(|[r, _]| *r < 0.0) {
            let place = view.list("profile")[index].place.clone();
            let (path, radius) = (view.path_of("profile"), rings[index][0]);
            return Err(Fault { place, message: format!("{path}[{index}]: the radius {radius} is negative") });
        }
        let loops = rings.len() > 3 && rings.first() == rings.last();
        let on_axis = |point: Option<&[f64; 2]>| point.is_some_and(|p| p[0] == 0.0);
        let solid = loops || on_axis(rings.first()) && on_axis(rings.last());
        if loops {
            rings.pop();
        }
        Ok(Self { rings, loops, solid })
    }

    fn turned(&self, segments: usize) -> MeshData {
        let rings = &self.rings;
        // A ring on the axis is one point.
        let mut vertices = Vec::new();
        let mut first = Vec::new();
        for &[r, y] in rings {
            first.push(vertices.len());
            let count = if r == 0.0 { 1 } else { segments };
            for k in 0..count {
                let (sine, cosine) = (TAU * k as f64 / segments as f64).sin_cos();
                vertices.push(DVec3::new(r * sine, y, r * cosine));
            }
        }
        let vertex =
            |ring: usize, k: usize| (first[ring] + if rings[ring][0] == 0.0 { 0 } else { k % segments }) as u32;
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        let bands = if self.loops { rings.len() } else { rings.len().saturating_sub(1) };
        for i in 0..bands {
            let j = (i + 1) % rings.len();
            for k in 0..segments {
                let [a, b, c, d] = [vertex(i, k), vertex(i, k + 1), vertex(j, k + 1), vertex(j, k)];
                triangles.extend([[a, b, c]].iter().filter(|_| a != b));
                triangles.extend([[a, c, d]].iter().filter(|_| c != d));
            }
        }
        let corners = triangles.iter().map(|t| t.map(|i| vertices[i as usize]));
        let volume: f64 = corners.map(|[a, b, c]: [DVec3; 3]| a.dot(b.cross(c)) / 6.0).sum();
        if self.solid && volume < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        MeshData { vertices, triangles, ..MeshData::default() }
    }
}
