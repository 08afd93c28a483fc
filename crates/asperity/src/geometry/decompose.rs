//! Solids of any form as a few convex parts, so that they can move.
//!
//! The approximate convex decomposition of Mamou and Ghorbel (VHACD): the solid is filled with voxels and cut by planes until the hulls of
//! the parts are close to them. The parts are hulls of the surface triangles inside each of them, so that flat faces stay where they are. The
//! method has no random choices: the same mesh gives the same parts.

use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::FillMode;

use super::error::ShapeError;
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
        for (points, _) in parts.compute_exact_convex_hulls(&points, &data.triangles) {
            let points: Vec<DVec3> = points.iter().map(|p| DVec3::new(p.x, p.y, p.z)).collect();
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
