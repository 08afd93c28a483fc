//! A limit of the stretch of a sheet, as an energy: zero up to the limit, then growing with the cube of the excess.
//!
//! With the principal stretches σ of a triangle (singular values of its F, 3 × 2) and the limit s,
//!
//! ```text
//! ψ = k/3 Σ max(σ − s, 0)³,   tension k (σ − s)²   in N/m
//! ```
//!
//! A cube has continuous second derivatives where it begins; as a symmetric function of the stretches that is smooth
//! wherever it is not zero (σ > s ≥ 1), ψ has them as a function of F too. The second derivatives are those of
//! [`crate::elastic::principal`], with a third column of F that is zero: out of the plane, u₂ v_iᵀ, the eigenvalue is
//! tension over stretch.

use glam::{DMat3, DVec3};

use crate::elastic::continuum::{Columns, Continuum, Density, Tangent};
use crate::elastic::error::{ElasticError, positive};
use crate::elastic::principal::Principal;
use crate::elastic::rest;
use crate::elastic::svd::Svd;

/// The largest stretch without resistance, and the resistance beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainLimit {
    stretch: f64,
    stiffness: f64,
}

impl StrainLimit {
    /// `stretch`: largest ratio of a length to that at rest, at least 1. `stiffness` in N/m: the tension is this times
    /// the square of the excess.
    pub fn new(stretch: f64, stiffness: f64) -> Result<Self, ElasticError> {
        if !(stretch.is_finite() && stretch >= 1.0) {
            return Err(ElasticError::Stretch { value: stretch });
        }
        Ok(Self { stretch, stiffness: positive("stiffness", stiffness)? })
    }

    fn excess(&self, stretch: f64) -> f64 {
        (stretch - self.stretch).max(0.0)
    }

    fn tension(&self, stretch: f64) -> f64 {
        self.stiffness * self.excess(stretch).powi(2)
    }

    fn principal(&self, s: [f64; 3]) -> Principal {
        let tension = s.map(|s| self.tension(s));
        let curvature = s.map(|s| 2.0 * self.stiffness * self.excess(s));
        let sum = |i: usize, j: usize| {
            let total = tension[i] + tension[j];
            // The sum of stretches is not zero where there is tension.
            if total > 0.0 { total / (s[i] + s[j]) } else { 0.0 }
        };
        // (T_i − T_j)/(σ_i − σ_j) without the quotient where both are beyond the limit.
        let difference = |i: usize, j: usize| {
            let (a, b) = (self.excess(s[i]), self.excess(s[j]));
            if a > 0.0 && b > 0.0 {
                self.stiffness * (a + b)
            } else if a > 0.0 || b > 0.0 {
                (tension[i] - tension[j]) / (s[i] - s[j])
            } else {
                0.0
            }
        };
        Principal {
            second: std::array::from_fn(|i| std::array::from_fn(|j| if i == j { curvature[i] } else { 0.0 })),
            twist: std::array::from_fn(|k| sum((k + 1) % 3, (k + 2) % 3)),
            flip: std::array::from_fn(|k| difference((k + 1) % 3, (k + 2) % 3)),
        }
    }
}

/// The triangles of a sheet with this limit.
pub(in crate::elastic) fn elements(
    rest: &[DVec3],
    triangles: &[[u32; 3]],
    limit: StrainLimit,
) -> Result<Continuum<3, 2, 1, StrainLimit>, ElasticError> {
    let shapes = rest::triangles(rest, triangles)?;
    let points = shapes.iter().map(|shape| [shape.point(shape.first_edge())]).collect();
    Ok(Continuum::new(triangles, points, limit))
}

fn decompose(f: &Columns<2>) -> Svd {
    Svd::new(DMat3::from_cols(f[0], f[1], DVec3::ZERO))
}

impl Density<2> for StrainLimit {
    fn density(&self, f: &Columns<2>) -> f64 {
        decompose(f).values.iter().map(|&s| self.stiffness / 3.0 * self.excess(s).powi(3)).sum()
    }

    fn stress(&self, f: &Columns<2>) -> Columns<2> {
        let Svd { u, values, v } = decompose(f);
        let stress = u * DMat3::from_diagonal(DVec3::from_array(values.map(|s| self.tension(s)))) * v.transpose();
        [stress.x_axis, stress.y_axis]
    }

    fn tangent(&self, f: &Columns<2>) -> Tangent<2> {
        let svd = decompose(f);
        let tangent = self.principal(svd.values).tangent(&svd);
        std::array::from_fn(|j| std::array::from_fn(|l| tangent[j][l]))
    }

    /// The energy is convex: its tangent is positive semidefinite as it is.
    fn projected_tangent(&self, f: &Columns<2>) -> Tangent<2> {
        self.tangent(f)
    }
}
