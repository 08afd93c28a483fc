//! Smooth potentials around surfaces: negative inside, zero on a smooth surface, positive outside (Larionov, Fan and Pai
//! 2021, section 4).
//!
//! A surface is given by samples: points s with outward normals n_s, at the centroids of its triangles, or the points of a
//! cloud. Each has the potential ψ_s(x) = n_s·(x − s) of its tangent plane. At x those of the samples within their radii
//! of influence R are blended (moving least squares):
//!
//!   Ψ(x) = Σ w_s(x) ψ_s(x),     w_s = w̃(|x − s|/R) / Σ w̃,     Σ w_s = 1,
//!
//! with a kernel w̃ that falls to zero at R ([`Kernel`]). Ψ is smooth, also where the triangles have edges; it depends on
//! few samples; and it can be differentiated by the query, the samples and their normals ([`LocalPotential`]), and so by the vertices
//! of the triangles ([`Samples`]). Where no sample counts it is not defined: nothing touches there.
//!
//! ```
//! use asperity::geometry::potential::{Kernel, LocalPotential, Radius, Samples};
//! use glam::DVec3;
//!
//! // Two triangles of a floor.
//! let corners = [DVec3::ZERO, DVec3::Z, DVec3::X, DVec3::new(1.0, 0.0, 1.0)];
//! let mut samples = Samples::of_triangles(&corners, &[[0, 1, 2], [1, 3, 2]]);
//! samples.spread(Radius::Given(2.0));
//! let floor = LocalPotential::new(Kernel::Cubic, samples);
//! let above = floor.at(DVec3::new(0.4, 0.1, 0.3)).expect("near");
//! assert!((above.value - 0.1).abs() < 1e-12 && (above.gradient - DVec3::Y).length() < 1e-12);
//! assert!(floor.at(DVec3::new(0.0, 9.0, 0.0)).is_none());
//! ```

mod cloud;
mod deviation;
mod exact;
mod grid;
mod holes;
mod kernel;
mod local;
mod radius;
mod samples;
#[cfg(test)]
mod tests;

use glam::DVec3;

use super::TriangleMesh;
pub use cloud::is_cloud;
pub(crate) use cloud::surfels;
pub use exact::exact;
pub use kernel::Kernel;
pub use local::LocalPotential;
pub use radius::Radius;
pub use samples::{Sample, Samples, by_corners};

/// A potential at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Potential {
    /// Its value, m.
    pub value: f64,
    /// Its gradient by the place: about of length one near the surface.
    pub gradient: DVec3,
}

/// What a sample does to the potential at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// Number of the sample.
    pub sample: u32,
    /// w_s; the weights of all samples that count add up to 1.
    pub weight: f64,
    /// ∂Ψ/∂s.
    pub by_point: DVec3,
    /// ∂Ψ/∂n_s.
    pub by_normal: DVec3,
}

/// How the potential of a surface is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PotentialSettings {
    /// How much a sample counts at a distance.
    pub kernel: Kernel,
    /// How far samples reach.
    pub radius: Radius,
    /// Whether a point cloud may end somewhere: then its holes cannot be told from its border.
    pub open: bool,
}

impl Default for PotentialSettings {
    fn default() -> Self {
        Self { kernel: Kernel::Cubic, radius: Radius::Adaptive, open: false }
    }
}

impl PotentialSettings {
    /// The potential of a surface whose vertices are at these places; refuses one with holes.
    pub fn of_surface(&self, mesh: &TriangleMesh, vertices: &[DVec3]) -> Result<LocalPotential, PotentialError> {
        let triangles = &mesh.data().triangles;
        let own = self.unchecked(vertices, triangles);
        match (is_cloud(mesh), self.open) {
            (true, true) => (),
            (true, false) => own.check_cloud()?,
            (false, _) => own.check_triangles(vertices, triangles)?,
        }
        Ok(own)
    }

    /// The potential of triangles that may have holes.
    pub fn unchecked(&self, vertices: &[DVec3], triangles: &[[u32; 3]]) -> LocalPotential {
        let mut samples = Samples::of_triangles(vertices, triangles);
        samples.spread(self.radius);
        LocalPotential::new(self.kernel, samples)
    }
}

/// Why a surface has no potential.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PotentialError {
    /// No sample reaches a place of the surface.
    #[error(
        "the surface of the potential has a hole at [{:.6}, {:.6}, {:.6}], in triangles[{triangle}]: no sample reaches it with the radius {radius:.6} m; make the radius larger, or the triangles smaller", at.x, at.y, at.z
    )]
    Hole {
        /// The triangle that the place is in.
        triangle: usize,
        /// The place.
        at: DVec3,
        /// Radius of influence of that triangle's sample, m.
        radius: f64,
    },
    /// A point of a cloud has no neighbours on one of its sides.
    #[error(
        "the point cloud has a hole or a border at point {sample}, [{:.6}, {:.6}, {:.6}]: its {neighbours} neighbours within the radius {radius:.6} m leave one of its sides open; make the radius larger, or say `open = true` if the cloud is meant to end there", at.x, at.y, at.z
    )]
    Border {
        /// The point.
        sample: usize,
        /// Where it is.
        at: DVec3,
        /// Its radius of influence, m.
        radius: f64,
        /// Its neighbours within that.
        neighbours: usize,
    },
}
