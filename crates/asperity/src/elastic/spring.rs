//! Springs between two vertices: E = ½ k (l − l₀)².
//!
//! With the unit vector d along the spring, the gradient at its second end is k (l − l₀) d and the Hessian of the two
//! ends is ±K, K = k d dᵀ + k (1 − l₀/l)(1 − d dᵀ). The second term is negative where the spring is compressed; the
//! projection leaves it out there. A spring of length zero has no direction: it pulls nowhere, and its Hessian is k d
//! dᵀ with d = 0, or k 1 if its length at rest is zero.

use glam::{DMat3, DVec3};

use super::elements::{Elements, set_block, stencil_range};
use super::error::{ElasticError, positive};
use super::matrix::outer;
use super::rest;

/// How stiff springs are, and how long without load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Springs {
    /// k in N/m.
    pub stiffness: f64,
    /// l₀ in m; `None`: the length of each spring at rest.
    pub length: Option<f64>,
}

/// Springs of one stiffness.
#[derive(Clone, Debug)]
pub(super) struct SpringElements {
    stencils: Vec<u32>,
    stiffness: f64,
    lengths: Vec<f64>,
}

pub(super) fn elements(rest: &[DVec3], ends: &[[u32; 2]], springs: Springs) -> Result<SpringElements, ElasticError> {
    rest::check(rest, "springs", ends)?;
    let stiffness = positive("stiffness", springs.stiffness)?;
    if let Some(value) = springs.length.filter(|length| !(length.is_finite() && *length >= 0.0)) {
        return Err(ElasticError::NotPositive { name: "length", value });
    }
    let length = |[a, b]: &[u32; 2]| springs.length.unwrap_or(rest[*a as usize].distance(rest[*b as usize]));
    Ok(SpringElements { stencils: ends.as_flattened().to_vec(), stiffness, lengths: ends.iter().map(length).collect() })
}

impl SpringElements {
    /// From the first end to the second.
    fn span(&self, e: usize, x: &[DVec3]) -> DVec3 {
        let stencil = &self.stencils[stencil_range(2, e)];
        x[stencil[1] as usize] - x[stencil[0] as usize]
    }
}

impl Elements for SpringElements {
    fn nodes(&self) -> usize {
        2
    }

    fn stencils(&self) -> &[u32] {
        &self.stencils
    }

    fn energy(&self, e: usize, x: &[DVec3]) -> f64 {
        0.5 * self.stiffness * (self.span(e, x).length() - self.lengths[e]).powi(2)
    }

    fn gradient(&self, e: usize, x: &[DVec3], out: &mut [DVec3]) {
        let span = self.span(e, x);
        let force = self.stiffness * (span.length() - self.lengths[e]) * span.normalize_or_zero();
        out[0] = -force;
        out[1] = force;
    }

    fn hessian(&self, e: usize, x: &[DVec3], project: bool, out: &mut [f64]) {
        let span = self.span(e, x);
        let direction = span.normalize_or_zero();
        let rest = self.lengths[e];
        let ratio = match (rest == 0.0, direction == DVec3::ZERO) {
            (true, _) => 1.0,
            (false, true) => 0.0,
            (false, false) => 1.0 - rest / span.length(),
        };
        let across = self.stiffness * if project { ratio.max(0.0) } else { ratio };
        let block =
            DMat3::from_diagonal(DVec3::splat(across)) + outer((self.stiffness - across) * direction, direction);
        set_block(out, 2, 0, 0, &block);
        set_block(out, 2, 0, 1, &-block);
        set_block(out, 2, 1, 1, &block);
    }
}
