//! Point clouds as surfaces: each point with its normal becomes a small triangle whose centroid is the point and whose normal
//! is its normal, so that the samples of these triangles are the points themselves.

use glam::DVec3;

use super::grid::PointGrid;
use crate::geometry::{Aabb, MeshData, TriangleMesh};

/// Distance of a triangle's corners from its point, relative to the distance of the nearest other point: large enough to be
/// seen in pictures, small enough to stay apart from the neighbours.
const SIZE: f64 = 0.45;

/// The triangles of points with normals of length one.
pub(crate) fn surfels(points: &[DVec3], normals: &[DVec3]) -> MeshData {
    let Aabb { min, max } = Aabb::of(points.iter().copied());
    let size = (max - min).length();
    let grid = PointGrid::new(points, size / (points.len().max(1) as f64).sqrt());
    let mut data = MeshData::default();
    for (i, (at, normal)) in points.iter().zip(normals).enumerate() {
        let apart = grid.distance_to(points, i, 1).filter(|distance| *distance > 0.0).unwrap_or(1e-3 * size.max(1e-3));
        let (t, b) = normal.any_orthonormal_pair();
        let first = data.vertices.len() as u32;
        for corner in 0..3 {
            let angle = f64::from(corner) * std::f64::consts::TAU / 3.0;
            data.vertices.push(*at + (t * angle.cos() + b * angle.sin()) * (SIZE * apart));
        }
        data.triangles.push([first, first + 1, first + 2]);
    }
    data
}

/// Whether no two triangles share an edge: a cloud of points.
pub fn is_cloud(mesh: &TriangleMesh) -> bool {
    (0..mesh.data().triangles.len()).all(|triangle| mesh.facet(triangle).apex.iter().all(Option::is_none))
}
