//! Neo-Hookean: ψ = μ/2 (I − 3) − μ ln J + λ/2 (ln J)², I = F:F, J = det F (Bonet and Wood 2008, section 6.4.3).
//!
//! The energy of an element that is flat or inverted, J ≤ 0, is infinite: a line search that asks for less energy keeps
//! elements from inverting. Stress and tangent do not exist there and are NaN.

use glam::DMat3;

use super::SolidDensity;
use super::invariants::{ByInvariants, determinant, squares};
use crate::elastic::continuum::{Columns, Density, Tangent};
use crate::elastic::lame::Lame;
use crate::elastic::svd::Svd;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct NeoHookean {
    lame: Lame,
}

impl SolidDensity for NeoHookean {
    const NAME: &'static str = "neo_hookean";
    const SUMMARY: &'static str = "rubber: large strains; infinite energy of flat and inverted elements";

    fn new(lame: Lame) -> Self {
        Self { lame }
    }
}

impl NeoHookean {
    fn derivatives(&self, f: &Columns<3>) -> ByInvariants {
        let (mu, lambda) = (self.lame.mu(), self.lame.lambda());
        let volume = determinant(f);
        // NaN below zero.
        let log = if volume > 0.0 { volume.ln() } else { f64::NAN };
        ByInvariants {
            by_i: 0.5 * mu,
            by_i_twice: 0.0,
            by_j: (lambda * log - mu) / volume,
            by_j_twice: (lambda * (1.0 - log) + mu) / (volume * volume),
        }
    }
}

impl Density<3> for NeoHookean {
    fn density(&self, f: &Columns<3>) -> f64 {
        let volume = determinant(f);
        if volume <= 0.0 {
            return f64::INFINITY;
        }
        let log = volume.ln();
        0.5 * self.lame.mu() * (squares(f) - 3.0) - self.lame.mu() * log + 0.5 * self.lame.lambda() * log * log
    }

    fn stress(&self, f: &Columns<3>) -> Columns<3> {
        self.derivatives(f).stress(f)
    }

    fn tangent(&self, f: &Columns<3>) -> Tangent<3> {
        self.derivatives(f).tangent(f)
    }

    fn projected_tangent(&self, f: &Columns<3>) -> Tangent<3> {
        let svd = Svd::new(DMat3::from_cols(f[0], f[1], f[2]));
        let principal = self.derivatives(f).principal(svd.values);
        // A cut-off at zero would hide NaN.
        if principal.twist[0].is_nan() { principal } else { principal.projected() }.tangent(&svd)
    }
}
