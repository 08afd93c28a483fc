//! Derivatives of the projection p(λ, f) onto λF, in the contact plane and over all rows: what a Newton method asks of
//! a set.
//!
//! ∂p/∂f is symmetric with eigenvalues in [0, 1] (p is the gradient of a convex function and does not expand), and p is
//! homogeneous of degree one in (λ, f), so p = (∂p/∂f) f + λ ∂p/∂λ.

use glam::{DMat2, DVec2};

use crate::tangential::Tangential;

/// Derivatives of the projection p(λ, x) onto λF: an element of the generalised Jacobian where it has a kink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProjectionDerivative {
    /// ∂p/∂x.
    pub by_force: DMat2,
    /// ∂p/∂λ.
    pub by_load: DVec2,
}

impl ProjectionDerivative {
    /// Inside, the projection is the identity.
    pub const INSIDE: Self = Self { by_force: DMat2::IDENTITY, by_load: DVec2::ZERO };

    /// Without load the set is a point, which grows towards the support point of x.
    pub(super) fn unloaded(support_point: DVec2) -> Self {
        Self { by_force: DMat2::ZERO, by_load: support_point }
    }

    /// From ∂p/∂x alone: p(λ, x) is homogeneous of degree one, so λ ∂p/∂λ = p − (∂p/∂x) x.
    pub(super) fn homogeneous(load: f64, x: DVec2, p: DVec2, by_force: DMat2) -> Self {
        Self { by_force, by_load: (p - by_force * x) / load }
    }
}

/// ∂p/∂f and ∂p/∂λ over (t, b, spin, roll_t, roll_b): an element of the generalised Jacobian where p has a kink. Rows
/// that the set does not have are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentialDerivative {
    /// ∂p_i/∂f_j, row by row.
    pub by_force: [[f64; 5]; 5],
    /// ∂p/∂λ.
    pub by_load: [f64; 5],
}

impl TangentialDerivative {
    /// Nothing moves.
    pub const ZERO: Self = Self { by_force: [[0.0; 5]; 5], by_load: [0.0; 5] };

    /// Without load the set is a point, which grows towards the support point of `f`.
    pub(super) fn unloaded(support_point: Tangential) -> Self {
        Self { by_load: support_point.to_array(), ..Self::ZERO }
    }
}

impl From<ProjectionDerivative> for TangentialDerivative {
    #[inline]
    fn from(planar: ProjectionDerivative) -> Self {
        let mut all = Self::ZERO;
        for i in 0..2 {
            all.by_force[i][0] = planar.by_force.x_axis[i];
            all.by_force[i][1] = planar.by_force.y_axis[i];
            all.by_load[i] = planar.by_load[i];
        }
        all
    }
}
