//! Shapes that can be filled: closed surfaces, and bars with round ends.

use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};

use crate::geometry::aabb::Aabb;
use crate::geometry::mesh::TriangleMesh;
use crate::geometry::volume::error::{VolumeError, positive};
use crate::geometry::volume::mesh::TetMesh;

/// All points within a radius of a line: a capsule, or a ball if both ends are the same. Several of them make fingers
/// and hands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundBar {
    /// Ends of the line.
    pub ends: [DVec3; 2],
    /// The radius in m.
    pub radius: f64,
}

impl RoundBar {
    /// Distance to the surface, positive inside.
    pub(super) fn depth(&self, p: DVec3) -> f64 {
        let [a, b] = self.ends;
        let (line, from) = (b - a, p - a);
        let along = (from.dot(line) / line.length_squared()).clamp(0.0, 1.0);
        // Both ends in one place: 0/0.
        let along = if along.is_nan() { 0.0 } else { along };
        self.radius - from.distance(along * line)
    }
}

impl TetMesh {
    /// Fills a closed surface; `cell` is the edge of the lattice's cubes. The depth of a point is its distance to the
    /// surface, and its side follows from the angle-weighted normal there (Bærentzen and Aanæs 2005).
    pub fn fill_surface(surface: &TriangleMesh, cell: f64) -> Result<Self, VolumeError> {
        let fail = |reason: String| VolumeError::Surface { reason };
        surface.closed().map_err(|error| fail(error.to_string()))?;
        let data = surface.data();
        let vertices: Vec<Vector> = data.vertices.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let flags = TriMeshFlags::ORIENTED | TriMeshFlags::MERGE_DUPLICATE_VERTICES;
        let oriented =
            TriMesh::with_flags(vertices, data.triangles.clone(), flags).map_err(|error| fail(error.to_string()))?;
        let bounds = Aabb::of(data.vertices.iter().copied());
        let depth = |p: DVec3| {
            let nearest = oriented.project_local_point(Vector::new(p.x, p.y, p.z), false);
            let distance = p.distance(DVec3::new(nearest.point.x, nearest.point.y, nearest.point.z));
            if nearest.is_inside { distance } else { -distance }
        };
        Self::fill(&bounds, cell, &depth)
    }

    /// Fills the union of round bars.
    pub fn fill_bars(bars: &[RoundBar], cell: f64) -> Result<Self, VolumeError> {
        for bar in bars {
            positive("radius", bar.radius)?;
        }
        let ends = |bar: &RoundBar| bar.ends.map(|end| Aabb::around(end, DVec3::splat(bar.radius)));
        let bounds = bars.iter().flat_map(ends).fold(Aabb::EMPTY, |all, one| all.union(&one));
        let depth = |p: DVec3| bars.iter().map(|bar| bar.depth(p)).fold(f64::NEG_INFINITY, f64::max);
        Self::fill(&bounds, cell, &depth)
    }
}
