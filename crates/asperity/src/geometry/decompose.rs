//! Solids of any form as a few convex parts, so that they can move.
//!
//! The approximate convex decomposition of Mamou and Ghorbel (VHACD): the solid is filled with voxels and cut by planes until the hulls of
//! the parts are close to them. The parts are hulls of the surface triangles inside each of them, so that flat faces stay where they are; of very
//! many points the outermost ones in many directions are taken. The method has no random choices: the same mesh gives the same parts.

use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::FillMode;
use rayon::prelude::*;

use super::error::ShapeError;
use super::icosahedron::IcosahedronPoints;
use super::{Hull, Part, Pose, Shape, TriangleMesh};

/// How fine a decomposition is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decomposition {
    /// Voxels along the longest side.
    pub resolution: u32,
    /// How much emptier than its hull a part may be, as a part of the whole volume.
    pub concavity: f64,
    /// Most parts.
    pub parts: u32,
}

impl Default for Decomposition {
    fn default() -> Self {
        Self { resolution: 64, concavity: 0.005, parts: 32 }
    }
}

/// From so many triangles on, the hull of a part is that of the outermost points.
const MANY: usize = 20_000;
/// Pieces that an edge of an icosahedron is cut into for the directions in which they are: 642, about 8° apart.
const PIECES: u32 = 8;

/// Of many points those that are outermost along one of 642 directions. A corner whose edges span more than 8° is among them;
/// the hull of round parts of radius r is at most 0.004 r inside of that of all points, a tenth of the usual voxel.
fn outermost(points: &[DVec3]) -> Vec<DVec3> {
    let (mut names, mut directions) = (IcosahedronPoints::default(), Vec::new());
    for face in IcosahedronPoints::faces() {
        for i in 0..=PIECES {
            for j in 0..=PIECES - i {
                names.vertex(face, [i, j, PIECES - i - j], |direction| directions.push(direction));
            }
        }
    }
    if points.is_empty() {
        return Vec::new();
    }
    let farthest = |direction: &DVec3| {
        (0..points.len())
            .fold(0, |best, i| if direction.dot(points[i]) > direction.dot(points[best]) { i } else { best })
    };
    let mut chosen: Vec<usize> = directions.par_iter().map(farthest).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|i| points[i]).collect()
}

impl Shape {
    /// A closed mesh as a compound of hulls. The mass of the compound differs from the mesh's by what the hulls add and share:
    /// take mass and inertia from the mesh.
    pub fn decompose(mesh: &TriangleMesh, settings: &Decomposition) -> Result<Self, ShapeError> {
        mesh.closed()?;
        if !(8..=512).contains(&settings.resolution) {
            let expected = "between 8 and 512 voxels".into();
            return Err(ShapeError::Count { name: "resolution", count: settings.resolution as usize, expected });
        }
        let data = mesh.data();
        let points: Vec<Vector> = data.vertices.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let parameters = VHACDParameters {
            resolution: settings.resolution,
            concavity: settings.concavity,
            max_convex_hulls: settings.parts.max(1),
            fill_mode: FillMode::FloodFill { detect_cavities: false },
            ..VHACDParameters::default()
        };
        let parts = VHACD::decompose(&parameters, &points, &data.triangles, true);
        let mut shapes = Vec::new();
        for part in parts.voxel_parts() {
            let vectors = |points: Vec<Vector>| points.iter().map(|p| DVec3::new(p.x, p.y, p.z)).collect::<Vec<_>>();
            let points = if data.triangles.len() > MANY {
                outermost(&vectors(part.compute_primitive_intersections(&points, &data.triangles)))
            } else {
                vectors(part.compute_exact_convex_hull(&points, &data.triangles).0)
            };
            // A part that caught a sliver of the surface only has no volume to stand for.
            if let Ok(hull) = Hull::new(&points) {
                shapes.push(Part { pose: Pose::IDENTITY, shape: Self::Hull(hull) });
            }
        }
        if shapes.is_empty() {
            return Err(ShapeError::Decomposition { reason: "no part has a volume".into() });
        }
        Self::compound(shapes)
    }
}
