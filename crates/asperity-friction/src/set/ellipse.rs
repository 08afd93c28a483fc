//! Ellipse with semi-axes μ_t along an axis and μ_b across it: anisotropic Coulomb friction and Matchstick.
//!
//! h(d) = √((μ_t d_t)² + (μ_b d_b)²); projections by [`super::quadric`].

use glam::{DMat2, DMat3, DVec2, DVec3};
use serde::{Deserialize, Serialize};

use super::derivative::ProjectionDerivative;
use super::polygon::PlanarSet;
use super::rotation::{rotate, unrotate};
use super::{Catalogued, ConePoint, ConvexSet, Implicit, ImplicitSet, PlanarProjection, TangentialDerivative, quadric};
use crate::error::{FrictionError, non_negative, unit2};
use crate::tangential::Tangential;

/// { f : (f_t/μ_t)² + (f_b/μ_b)² ≤ 1 }, with f_t along `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "EllipseData")]
pub struct Ellipse {
    pub(crate) mu: [f64; 2],
    pub(crate) axis: DVec2,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EllipseData {
    mu: [f64; 2],
    #[serde(default = "first_axis")]
    axis: DVec2,
}

/// The axis that files may leave out.
pub(super) fn first_axis() -> DVec2 {
    DVec2::X
}

impl TryFrom<EllipseData> for Ellipse {
    type Error = FrictionError;
    fn try_from(data: EllipseData) -> Result<Self, FrictionError> {
        Self::new(data.mu, data.axis)
    }
}

impl Ellipse {
    /// Semi-axes `mu` along the unit vector `axis` and across it.
    pub fn new(mu: [f64; 2], axis: DVec2) -> Result<Self, FrictionError> {
        Ok(Self { mu: [non_negative("mu_t", mu[0])?, non_negative("mu_b", mu[1])?], axis: unit2("axis", axis)? })
    }

    /// Derivatives of the projection of `f` from those along the axes of the ellipse; `None` if that is a point.
    #[inline]
    fn turned(&self, f: DVec2, derivatives: Option<quadric::Derivatives<2>>) -> ProjectionDerivative {
        let Some(quadric::Derivatives { by_force, by_load }) = derivatives else {
            return ProjectionDerivative::unloaded(self.support_point(Tangential::planar(f)).plane);
        };
        let turn = DMat2::from_cols(self.axis, self.axis.perp());
        ProjectionDerivative {
            by_force: turn * DMat2::from_cols_array_2d(&by_force) * turn.transpose(),
            by_load: rotate(self.axis, DVec2::from_array(by_load)),
        }
    }

    /// The semi-axes: along the axis and across it.
    pub fn mu(&self) -> [f64; 2] {
        self.mu
    }
}

impl ConvexSet for Ellipse {
    fn rows(&self) -> usize {
        2
    }

    #[inline]
    fn support_point(&self, d: Tangential) -> Tangential {
        let a = DVec2::from_array(self.mu);
        let scaled = unrotate(self.axis, d.plane) * a;
        // A segment across d: every point of it is as far, and round-off must not choose an end.
        let blur = 4.0 * f64::EPSILON * self.radius() * d.plane.abs().max_element();
        if scaled.abs().max_element() <= blur {
            return Tangential::ZERO;
        }
        Tangential::planar(rotate(self.axis, scaled.normalize() * a))
    }

    #[inline]
    fn support(&self, d: Tangential) -> f64 {
        (unrotate(self.axis, d.plane) * DVec2::from_array(self.mu)).length()
    }

    #[inline]
    fn project(&self, load: f64, f: Tangential) -> Tangential {
        let local = unrotate(self.axis, f.plane);
        let p = DVec2::from_array(quadric::project(self.mu, load, local.to_array()));
        // A point inside stays what it is, to the last bit.
        Tangential::planar(if p == local { f.plane } else { rotate(self.axis, p) })
    }

    #[inline]
    fn planar_projection(&self, load: f64, f: DVec2) -> PlanarProjection {
        if load <= 0.0 {
            return PlanarProjection { point: DVec2::ZERO, derivative: self.project_derivative(load, f) };
        }
        let local = unrotate(self.axis, f);
        let quadric::Projection { point, derivatives } = quadric::projection(self.mu, load, local.to_array());
        let p = DVec2::from_array(point);
        let point = if p == local { f } else { rotate(self.axis, p) };
        PlanarProjection { point, derivative: self.turned(f, derivatives) }
    }

    #[inline]
    fn contains(&self, load: f64, f: Tangential, tolerance: f64) -> bool {
        let inside = f == Tangential::planar(f.plane)
            && quadric::contains(self.mu, load, unrotate(self.axis, f.plane).to_array());
        inside || (tolerance > 0.0 && (f - self.project(load, f)).length() <= tolerance)
    }

    fn project_cone(&self, n: f64, f: Tangential) -> ConePoint {
        let local = unrotate(self.axis, f.plane);
        let nearest = quadric::project_cone(self.mu, n, local.to_array());
        let force = Tangential::planar(rotate(self.axis, DVec2::from_array(nearest.force)));
        ConePoint { load: nearest.load, force }
    }

    fn derivative(&self, load: f64, f: Tangential) -> TangentialDerivative {
        self.project_derivative(load, f.plane).into()
    }

    fn radius(&self) -> f64 {
        self.mu[0].max(self.mu[1])
    }

    fn axis(&self) -> DVec2 {
        self.axis
    }

    fn scale(&mut self, k: f64) {
        self.mu = self.mu.map(|m| m * k);
    }

    fn scale_moments(&mut self, _k: f64) {}

    fn implicit(&self) -> Option<&dyn ImplicitSet> {
        (self.mu[0] > 0.0 && self.mu[1] > 0.0).then_some(self as &dyn ImplicitSet)
    }

    fn planar(&self) -> Option<&dyn PlanarSet> {
        Some(self)
    }
}

/// φ and derivatives of Σ (f_i/μ_i)² − λn², with (t, b) turned by `axis`.
pub(super) fn implicit_quadric(mu: [f64; 3], axis: DVec2, load: f64, f: DVec3) -> Implicit {
    let inverse_square = |m: f64| if m.is_finite() { 1.0 / (m * m) } else { 0.0 };
    let c = DVec3::new(inverse_square(mu[0]), inverse_square(mu[1]), inverse_square(mu[2]));
    let turn = DMat3::from_cols(axis.extend(0.0), axis.perp().extend(0.0), DVec3::Z);
    let local = turn.transpose() * f;
    Implicit {
        value: (c * local).dot(local) - load * load,
        gradient: turn * (c * local) * 2.0,
        by_load: -2.0 * load,
        hessian: turn * DMat3::from_diagonal(c * 2.0) * turn.transpose(),
        by_load_twice: -2.0,
    }
}

impl ImplicitSet for Ellipse {
    fn implicit_at(&self, load: f64, f: Tangential) -> Implicit {
        implicit_quadric([self.mu[0], self.mu[1], f64::INFINITY], self.axis, load, f.plane.extend(0.0))
    }
}

impl PlanarSet for Ellipse {
    fn loaded_derivative(&self, load: f64, f: DVec2) -> ProjectionDerivative {
        self.turned(f, quadric::derivative(self.mu, load, unrotate(self.axis, f).to_array()))
    }

    /// Normals of an affinely regular polygon: directions d ∝ (cos φ/μ_t, sin φ/μ_b) touch at even angles φ.
    fn facet_normal(&self, angle: f64) -> DVec2 {
        let (sin, cos) = angle.sin_cos();
        if self.mu[0] == 0.0 || self.mu[1] == 0.0 {
            return rotate(self.axis, DVec2::new(cos, sin));
        }
        rotate(self.axis, DVec2::new(cos * self.mu[1], sin * self.mu[0]).normalize())
    }

    fn curvature_radius(&self, d: DVec2) -> Option<f64> {
        let h = self.support(Tangential::planar(d));
        let area = self.mu[0] * self.mu[1];
        (area > 0.0).then(|| (area / h) * (area / h) / h)
    }
}

impl Catalogued for Ellipse {
    const NAME: &'static str = "ellipse";
    const SUMMARY: &'static str =
        "ellipse with semi-axes mu along an axis and across it: anisotropic Coulomb, Matchstick";

    fn examples() -> Vec<Self> {
        let axis = DVec2::from_angle(0.7);
        [[0.2, 3.0], [0.5, 0.5], [1.0, 1e-4], [1e-3, 10.0], [0.0, 0.4], [0.6, 0.0], [0.0, 0.0]]
            .into_iter()
            .map(|mu| Self { mu, axis })
            .collect()
    }
}
