//! Corotated linear elasticity: linear elasticity in the frame of the nearest rotation R, F = R S with S symmetric:
//!
//! ```text
//! ψ = μ |F − R|² + λ/2 (tr S − 3)²        P = 2μ (F − R) + λ (tr S − 3) R
//! ```
//!
//! In principal stretches ψ = μ Σ (σ − 1)² + λ/2 (Σ σ − 3)² (Müller and Gross 2004; Smith, de Goes and Kim 2019): ψ_ij
//! = 2μ δ_ij + λ, flips 2μ, twists 2μ + (2λ (tr S − 3) − 4μ)/(σ_i + σ_j). With the rotation of positive determinant an
//! inverted element is pushed back. Where two stretches cancel, σ_i + σ_j = 0, R is not unique and the twist is
//! infinite; it is limited there.

use glam::DMat3;

use super::SolidDensity;
use crate::elastic::continuum::{Columns, Density, Tangent};
use crate::elastic::lame::Lame;
use crate::elastic::principal::Principal;
use crate::elastic::svd::Svd;

/// Least σ_i + σ_j that a twist is divided by: a stretch of one in a million.
const LEAST_SUM: f64 = 1e-6;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corotated {
    lame: Lame,
}

impl SolidDensity for Corotated {
    const NAME: &'static str = "corotated";
    const SUMMARY: &'static str =
        "linear elasticity in the frame of the nearest rotation: small strains, large rotations";

    fn new(lame: Lame) -> Self {
        Self { lame }
    }
}

fn decompose(f: &Columns<3>) -> Svd {
    Svd::new(DMat3::from_cols(f[0], f[1], f[2]))
}

impl Corotated {
    fn principal(&self, s: [f64; 3]) -> Principal {
        let (mu, lambda) = (self.lame.mu(), self.lame.lambda());
        let excess = s[0] + s[1] + s[2] - 3.0;
        let twist = |k: usize| {
            let sum = (s[(k + 1) % 3] + s[(k + 2) % 3]).max(LEAST_SUM);
            2.0 * mu + (2.0 * lambda * excess - 4.0 * mu) / sum
        };
        Principal {
            second: std::array::from_fn(|i| std::array::from_fn(|j| lambda + if i == j { 2.0 * mu } else { 0.0 })),
            twist: std::array::from_fn(twist),
            flip: [2.0 * mu; 3],
        }
    }
}

impl Density<3> for Corotated {
    fn density(&self, f: &Columns<3>) -> f64 {
        let s = decompose(f).values;
        let squares: f64 = s.iter().map(|s| (s - 1.0).powi(2)).sum();
        self.lame.mu() * squares + 0.5 * self.lame.lambda() * (s[0] + s[1] + s[2] - 3.0).powi(2)
    }

    fn stress(&self, f: &Columns<3>) -> Columns<3> {
        let svd = decompose(f);
        let rotation = svd.rotation();
        let pressure = self.lame.lambda() * (svd.values.iter().sum::<f64>() - 3.0);
        let shear = 2.0 * self.lame.mu();
        std::array::from_fn(|j| shear * (f[j] - rotation.col(j)) + pressure * rotation.col(j))
    }

    fn tangent(&self, f: &Columns<3>) -> Tangent<3> {
        let svd = decompose(f);
        self.principal(svd.values).tangent(&svd)
    }

    fn projected_tangent(&self, f: &Columns<3>) -> Tangent<3> {
        let svd = decompose(f);
        self.principal(svd.values).projected().tangent(&svd)
    }
}
