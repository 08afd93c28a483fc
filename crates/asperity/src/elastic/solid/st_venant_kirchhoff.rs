//! St. Venant-Kirchhoff: ψ = μ E:E + λ/2 (tr E)² over the Green strain E = (FᵀF − 1)/2.
//!
//! ```text
//! P = F S,   S = 2μ E + λ tr E 1,   T_jl = S_jl 1 + μ F_l F_jᵀ + λ F_j F_lᵀ + μ δ_jl F Fᵀ
//! ```
//!
//! In principal stretches, with E_i = (σ_i² − 1)/2: ψ_i = σ_i (2μ E_i + λ tr E), twists μ (σ_i² − σ_iσ_j + σ_j² − 1) +
//! λ tr E, flips μ (σ_i² + σ_iσ_j + σ_j² − 1) + λ tr E. Large rotations and moderate strains; it softens under strong
//! compression, and an element pressed flat (σ = 0) is in an unstable equilibrium instead of being pushed back.

use glam::{DMat3, DVec3};

use super::SolidDensity;
use super::invariants::squares;
use crate::elastic::continuum::{Columns, Density, Tangent};
use crate::elastic::lame::Lame;
use crate::elastic::matrix::outer;
use crate::elastic::principal::Principal;
use crate::elastic::svd::Svd;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct StVenantKirchhoff {
    lame: Lame,
}

impl SolidDensity for StVenantKirchhoff {
    const NAME: &'static str = "st_venant_kirchhoff";
    const SUMMARY: &'static str =
        "linear in the Green strain: large rotations, moderate strains; weak under strong compression";

    fn new(lame: Lame) -> Self {
        Self { lame }
    }
}

impl StVenantKirchhoff {
    /// tr E.
    fn trace(f: &Columns<3>) -> f64 {
        0.5 * (squares(f) - 3.0)
    }

    /// Entry jl of S = 2μ E + λ tr E 1.
    fn second_stress(&self, f: &Columns<3>, trace: f64, j: usize, l: usize) -> f64 {
        let same = if j == l { self.lame.lambda() * trace - self.lame.mu() } else { 0.0 };
        self.lame.mu() * f[j].dot(f[l]) + same
    }

    fn principal(&self, s: [f64; 3]) -> Principal {
        let (mu, lambda) = (self.lame.mu(), self.lame.lambda());
        let pressure = 0.5 * lambda * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0);
        let second = |i: usize, j: usize| {
            let same = if i == j { mu * (3.0 * s[i] * s[i] - 1.0) + pressure } else { 0.0 };
            lambda * s[i] * s[j] + same
        };
        let pair = |k: usize, sign: f64| {
            let (a, b) = (s[(k + 1) % 3], s[(k + 2) % 3]);
            mu * (a * a + sign * a * b + b * b - 1.0) + pressure
        };
        Principal {
            second: std::array::from_fn(|i| std::array::from_fn(|j| second(i, j))),
            twist: std::array::from_fn(|k| pair(k, -1.0)),
            flip: std::array::from_fn(|k| pair(k, 1.0)),
        }
    }
}

impl Density<3> for StVenantKirchhoff {
    fn density(&self, f: &Columns<3>) -> f64 {
        let trace = Self::trace(f);
        let mut squares = 0.0;
        for j in 0..3 {
            for l in 0..3 {
                let strain = 0.5 * (f[j].dot(f[l]) - if j == l { 1.0 } else { 0.0 });
                squares += strain * strain;
            }
        }
        self.lame.mu() * squares + 0.5 * self.lame.lambda() * trace * trace
    }

    fn stress(&self, f: &Columns<3>) -> Columns<3> {
        let trace = Self::trace(f);
        std::array::from_fn(|j| (0..3).map(|l| self.second_stress(f, trace, j, l) * f[l]).sum())
    }

    fn tangent(&self, f: &Columns<3>) -> Tangent<3> {
        let (mu, lambda) = (self.lame.mu(), self.lame.lambda());
        let trace = Self::trace(f);
        let left = outer(f[0], f[0]) + outer(f[1], f[1]) + outer(f[2], f[2]);
        std::array::from_fn(|j| {
            std::array::from_fn(|l| {
                let same = if j == l { mu * left } else { DMat3::ZERO };
                DMat3::from_diagonal(DVec3::splat(self.second_stress(f, trace, j, l)))
                    + outer(mu * f[l], f[j])
                    + outer(lambda * f[j], f[l])
                    + same
            })
        })
    }

    fn projected_tangent(&self, f: &Columns<3>) -> Tangent<3> {
        let svd = Svd::new(DMat3::from_cols(f[0], f[1], f[2]));
        self.principal(svd.values).projected().tangent(&svd)
    }
}
