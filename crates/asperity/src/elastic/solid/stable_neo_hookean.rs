//! Stable neo-Hookean (Smith, de Goes and Kim 2018, eq. 14): finite and restoring for flat and inverted elements,
//!
//! ```text
//! ψ = m/2 (I − 3) + l/2 (J − α)² − m/2 ln(I + 1) + const,   α = 1 + m/l − m/(4l),   I = F:F,   J = det F
//! ```
//!
//! With m = 4/3 μ and l = λ + 5/6 μ (their eq. 16) small strains have the Lamé constants λ, μ. Here the square is
//! multiplied out so that the energy at rest is zero and no α is needed when l is small: l/2 (J − α)² = l/2 (J − 1)² −
//! 3/4 m (J − 1) + const. The eigensystem of its Hessian is in [`super::invariants`].

use glam::DMat3;

use super::SolidDensity;
use super::invariants::{ByInvariants, determinant, squares};
use crate::elastic::continuum::{Columns, Density, Tangent};
use crate::elastic::lame::Lame;
use crate::elastic::svd::Svd;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct StableNeoHookean {
    /// 4/3 μ.
    m: f64,
    /// λ + 5/6 μ.
    l: f64,
}

impl SolidDensity for StableNeoHookean {
    const NAME: &'static str = "stable_neo_hookean";
    const SUMMARY: &'static str = "rubber: large strains, keeps its volume; flat and inverted elements are pushed back";

    fn new(lame: Lame) -> Self {
        Self { m: 4.0 / 3.0 * lame.mu(), l: lame.lambda() + 5.0 / 6.0 * lame.mu() }
    }
}

impl StableNeoHookean {
    fn derivatives(&self, f: &Columns<3>) -> ByInvariants {
        let inverse = 1.0 / (squares(f) + 1.0);
        ByInvariants {
            by_i: 0.5 * self.m * (1.0 - inverse),
            by_i_twice: 0.5 * self.m * inverse * inverse,
            by_j: self.l * (determinant(f) - 1.0) - 0.75 * self.m,
            by_j_twice: self.l,
        }
    }
}

impl Density<3> for StableNeoHookean {
    fn density(&self, f: &Columns<3>) -> f64 {
        let stretch = squares(f) - 3.0;
        let growth = determinant(f) - 1.0;
        0.5 * self.m * (stretch - (0.25 * stretch).ln_1p()) + growth * (0.5 * self.l * growth - 0.75 * self.m)
    }

    fn stress(&self, f: &Columns<3>) -> Columns<3> {
        self.derivatives(f).stress(f)
    }

    fn tangent(&self, f: &Columns<3>) -> Tangent<3> {
        self.derivatives(f).tangent(f)
    }

    fn projected_tangent(&self, f: &Columns<3>) -> Tangent<3> {
        let svd = Svd::new(DMat3::from_cols(f[0], f[1], f[2]));
        self.derivatives(f).principal(svd.values).projected().tangent(&svd)
    }
}
