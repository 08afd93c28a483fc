//! How far the surface Ψ = 0 is from the triangles that it stands for: their Hausdorff distance, relative to the longest
//! side of the box around them (h_err in the tables of Larionov et al. 2021).
//!
//! It is measured at points that lie evenly on the triangles: the distance from each to the surface, by Newton's method along
//! the gradient, and back from there to the nearest triangle. The larger of the largest of both is the answer.

use glam::DVec3;

use super::{LocalPotential, PotentialError};
use crate::geometry::{Aabb, TriangleMesh};

/// Points along each side of a triangle.
const ALONG: usize = 5;

impl LocalPotential {
    /// The Hausdorff distance between the surface and triangles, relative to the longest side of the box around them.
    pub fn deviation(&self, mesh: &TriangleMesh) -> Result<f64, PotentialError> {
        let data = mesh.data();
        let Aabb { min, max } = Aabb::of(data.vertices.iter().copied());
        let mut most = 0.0f64;
        for (triangle, corners) in data.triangles.iter().enumerate() {
            for from in evenly(corners.map(|i| data.vertices[i as usize])) {
                let radius = self.samples().radii.get(triangle).copied().unwrap_or(0.0);
                let on = self.project(from).ok_or(PotentialError::Hole { triangle, at: from, radius })?;
                let back = mesh.nearest(on).map_or(on, |near| {
                    let [a, b, c] = mesh.corners(near.triangle as usize);
                    a * near.weights[0] + b * near.weights[1] + c * near.weights[2]
                });
                most = most.max(from.distance(on)).max(back.distance(on));
            }
        }
        Ok(most / (max - min).max_element())
    }
}

/// Points of a triangle that lie evenly, its corners among them.
fn evenly([a, b, c]: [DVec3; 3]) -> impl Iterator<Item = DVec3> {
    let steps = ALONG - 1;
    (0..=steps).flat_map(move |i| {
        (0..=steps - i).map(move |j| {
            let [u, v] = [i, j].map(|k| k as f64 / steps as f64);
            a * (1.0 - u - v) + b * u + c * v
        })
    })
}
