//! Disk of radius μ: isotropic Coulomb friction. Everything is in closed form.

use glam::{DMat2, DMat3, DVec2, DVec3};
use serde::{Deserialize, Serialize};

use super::derivative::ProjectionDerivative;
use super::polygon::PlanarSet;
use super::{Catalogued, ConePoint, ConvexSet, Implicit, ImplicitSet, TangentialDerivative};
use crate::error::{FrictionError, non_negative};
use crate::tangential::Tangential;

/// { f : |f| ≤ μ }.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "DiskData")]
pub struct Disk {
    pub(crate) mu: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiskData {
    mu: f64,
}

impl TryFrom<DiskData> for Disk {
    type Error = FrictionError;
    fn try_from(data: DiskData) -> Result<Self, FrictionError> {
        Self::new(data.mu)
    }
}

impl Disk {
    /// A disk of radius `mu`.
    pub fn new(mu: f64) -> Result<Self, FrictionError> {
        Ok(Self { mu: non_negative("mu", mu)? })
    }

    /// The coefficient of friction.
    pub fn mu(&self) -> f64 {
        self.mu
    }
}

/// `f`, shortened to `radius` if it is longer.
#[inline]
pub(super) fn clamp_length(f: DVec2, radius: f64) -> DVec2 {
    let squared = f.length_squared();
    if squared <= radius * radius { f } else { f * (radius / squared.sqrt()) }
}

impl ConvexSet for Disk {
    fn rows(&self) -> usize {
        2
    }

    #[inline]
    fn support_point(&self, d: Tangential) -> Tangential {
        Tangential::planar(d.plane.normalize_or_zero() * self.mu)
    }

    #[inline]
    fn support(&self, d: Tangential) -> f64 {
        self.mu * d.plane.length()
    }

    #[inline]
    fn project(&self, load: f64, f: Tangential) -> Tangential {
        Tangential::planar(clamp_length(f.plane, self.mu * load))
    }

    fn project_cone(&self, n: f64, f: Tangential) -> ConePoint {
        let length = f.plane.length();
        if n >= 0.0 && length <= self.mu * n {
            return ConePoint { load: n, force: Tangential::planar(f.plane) };
        }
        // On the ray (1, mu) of the half-plane through the axis and f.
        let s = (n + self.mu * length) / (1.0 + self.mu * self.mu);
        if s <= 0.0 {
            return ConePoint { load: 0.0, force: Tangential::ZERO };
        }
        ConePoint { load: s, force: Tangential::planar(f.plane * (self.mu * s / length)) }
    }

    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
        self.project_derivative(load, f.plane).into()
    }

    fn radius(&self) -> f64 {
        self.mu
    }

    fn scale(&mut self, k: f64) {
        self.mu *= k;
    }

    fn scale_moments(&mut self, _k: f64) {}

    fn implicit(&self) -> Option<&dyn ImplicitSet> {
        (self.mu > 0.0).then_some(self as &dyn ImplicitSet)
    }

    fn planar(&self) -> Option<&dyn PlanarSet> {
        Some(self)
    }
}

impl ImplicitSet for Disk {
    fn implicit_at(&self, load: f64, f: Tangential) -> Implicit {
        let c = 1.0 / (self.mu * self.mu);
        Implicit {
            value: c * f.plane.length_squared() - load * load,
            gradient: (f.plane * (2.0 * c)).extend(0.0),
            by_load: -2.0 * load,
            hessian: DMat3::from_diagonal(DVec3::new(2.0 * c, 2.0 * c, 0.0)),
            by_load_twice: -2.0,
        }
    }
}

impl PlanarSet for Disk {
    fn loaded_derivative(&self, load: f64, f: DVec2) -> ProjectionDerivative {
        let radius = self.mu * load;
        let length = f.length();
        if length <= radius && radius > 0.0 {
            return ProjectionDerivative::INSIDE;
        }
        if length == 0.0 {
            return ProjectionDerivative::unloaded(DVec2::ZERO);
        }
        let d = f / length;
        let tangent = d.perp();
        ProjectionDerivative {
            by_force: DMat2::from_cols(tangent * tangent.x, tangent * tangent.y) * (radius / length),
            by_load: d * self.mu,
        }
    }

    fn curvature_radius(&self, _d: DVec2) -> Option<f64> {
        Some(self.mu)
    }
}

impl Catalogued for Disk {
    const NAME: &'static str = "disk";
    const SUMMARY: &'static str = "disk of radius mu: isotropic Coulomb friction";

    fn examples() -> Vec<Self> {
        [0.0, 1e-6, 0.3, 1.0, 50.0].into_iter().map(|mu| Self { mu }).collect()
    }
}
