//! Ellipsoid over (t, b, spin): Matchstick with drilling torque.
//!
//! μ_spin is a torque per normal force, a length. Distances in this set mix forces and torques: bring the moments to
//! forces first ([`ConvexSet::scale_moments`]) where the unit of length must not matter.

use glam::{DMat3, DVec2, DVec3};
use serde::{Deserialize, Serialize};

use super::ellipse::{first_axis, implicit_quadric};
use super::rotation::{rotate, unrotate};
use super::{Catalogued, ConePoint, ConvexSet, Implicit, ImplicitSet, TangentialDerivative, quadric};
use crate::error::{FrictionError, non_negative, unit2};
use crate::tangential::Tangential;

/// { (f, τ) : (f_t/μ_t)² + (f_b/μ_b)² + (τ/μ_spin)² ≤ 1 }, with f_t along `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "EllipsoidData")]
pub struct Ellipsoid {
    pub(crate) mu: [f64; 3],
    pub(crate) axis: DVec2,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EllipsoidData {
    mu: [f64; 3],
    #[serde(default = "first_axis")]
    axis: DVec2,
}

impl TryFrom<EllipsoidData> for Ellipsoid {
    type Error = FrictionError;
    fn try_from(data: EllipsoidData) -> Result<Self, FrictionError> {
        Self::new(data.mu, data.axis)
    }
}

impl Ellipsoid {
    /// Semi-axes `mu` along the unit vector `axis`, across it, and about the normal (a length).
    pub fn new(mu: [f64; 3], axis: DVec2) -> Result<Self, FrictionError> {
        non_negative("mu_t", mu[0])?;
        non_negative("mu_b", mu[1])?;
        non_negative("mu_spin", mu[2])?;
        Ok(Self { mu, axis: unit2("axis", axis)? })
    }

    /// The semi-axes: along the axis, across it, about the normal.
    pub fn mu(&self) -> [f64; 3] {
        self.mu
    }

    #[inline]
    fn to_local(self, f: Tangential) -> [f64; 3] {
        let plane = unrotate(self.axis, f.plane);
        [plane.x, plane.y, f.spin]
    }

    #[inline]
    fn to_contact(self, [t, b, spin]: [f64; 3]) -> Tangential {
        Tangential { plane: rotate(self.axis, DVec2::new(t, b)), spin, roll: DVec2::ZERO }
    }
}

impl ConvexSet for Ellipsoid {
    fn rows(&self) -> usize {
        3
    }

    #[inline]
    fn support_point(&self, d: Tangential) -> Tangential {
        let local = self.to_local(d);
        let length = self.support(d);
        if length == 0.0 {
            return Tangential::ZERO;
        }
        self.to_contact([0, 1, 2].map(|i| self.mu[i] * (self.mu[i] * local[i] / length)))
    }

    #[inline]
    fn support(&self, d: Tangential) -> f64 {
        let local = self.to_local(d);
        let [t, b, s] = [0, 1, 2].map(|i| self.mu[i] * local[i]);
        (t * t + b * b + s * s).sqrt()
    }

    #[inline]
    fn project(&self, load: f64, f: Tangential) -> Tangential {
        let local = self.to_local(f);
        let p = quadric::project(self.mu, load, local);
        // A point inside stays what it is, to the last bit.
        if p == local { Tangential { roll: DVec2::ZERO, ..f } } else { self.to_contact(p) }
    }

    fn project_cone(&self, n: f64, f: Tangential) -> ConePoint {
        let nearest = quadric::project_cone(self.mu, n, self.to_local(f));
        ConePoint { load: nearest.load, force: self.to_contact(nearest.force) }
    }

    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
        let loaded = if load > 0.0 { quadric::derivative(self.mu, load, self.to_local(f)) } else { None };
        let Some(quadric::Derivatives { by_force, by_load }) = loaded else {
            return TangentialDerivative::unloaded(self.support_point(f));
        };
        let turn = DMat3::from_cols(self.axis.extend(0.0), self.axis.perp().extend(0.0), DVec3::Z);
        let turned = turn * DMat3::from_cols_array_2d(&by_force) * turn.transpose();
        let mut all =
            TangentialDerivative { by_load: self.to_contact(by_load).to_array(), ..TangentialDerivative::ZERO };
        for (i, row) in all.by_force.iter_mut().enumerate().take(3) {
            for (j, entry) in row.iter_mut().enumerate().take(3) {
                *entry = turned.col(j)[i];
            }
        }
        all
    }

    fn radius(&self) -> f64 {
        self.mu.iter().fold(0.0, |m, v| m.max(*v))
    }

    fn axis(&self) -> DVec2 {
        self.axis
    }

    fn scale(&mut self, k: f64) {
        self.mu = self.mu.map(|m| m * k);
    }

    fn scale_moments(&mut self, k: f64) {
        self.mu[2] *= k;
    }

    fn implicit(&self) -> Option<&dyn ImplicitSet> {
        self.mu.iter().all(|m| *m > 0.0).then_some(self as &dyn ImplicitSet)
    }
}

impl ImplicitSet for Ellipsoid {
    fn implicit_at(&self, load: f64, f: Tangential) -> Implicit {
        implicit_quadric(self.mu, self.axis, load, f.plane.extend(f.spin))
    }
}

impl Catalogued for Ellipsoid {
    const NAME: &'static str = "ellipsoid";
    const SUMMARY: &'static str = "ellipsoid over (t, b, spin): Matchstick with drilling torque";

    fn examples() -> Vec<Self> {
        let axis = DVec2::from_angle(-1.1);
        [
            [0.2, 3.0, 0.1],
            [0.5, 0.5, 0.5],
            [1.0, 1.0, 1e-4],
            [1e-3, 10.0, 0.02],
            [0.3, 0.0, 0.1],
            [0.0, 0.0, 0.2],
            [0.4, 0.2, 0.0],
            [0.0, 0.0, 0.0],
        ]
        .into_iter()
        .map(|mu| Self { mu, axis })
        .collect()
    }
}
