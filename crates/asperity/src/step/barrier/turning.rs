//! The rotation of a rigid body: its inertia as a potential, and how rotation vectors change.
//!
//! With S = R J R̃ᵀ the energy ½ tr((R − R̃) J (R − R̃)ᵀ) has the derivative −(S₂₃ − S₃₂, S₃₁ − S₁₃, S₁₂ − S₂₁) by a further turn θ, and the
//! second derivative tr(S) 1 − (S + Sᵀ)/2.

use glam::{DMat3, DQuat, DVec3};

use super::iterate::{BodyAt, Iterate};
use super::matrix::cross_matrix;
use crate::elastic::eigen::clamp;
use crate::step::rotation::turn;

/// J = ∫ r rᵀ dm from the inertia.
pub(super) fn second_moment(inertia: DMat3) -> DMat3 {
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(0.5 * trace)) - inertia
}

fn trace(m: &DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

/// The positive semidefinite part of a symmetric matrix.
pub(super) fn positive(m: DMat3) -> DMat3 {
    let rows = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (m.col(j)[i] + m.col(i)[j])));
    let own = clamp::<3>(rows);
    DMat3::from_cols_array_2d(&own)
}

/// Orientation and prediction of a rigid body.
pub(super) struct Turning {
    pub(super) rotation: DQuat,
    /// Where it would be without forces.
    pub(super) free: DQuat,
    /// J.
    pub(super) moment: DMat3,
}

impl Turning {
    pub(super) fn energy(&self) -> f64 {
        let off = DMat3::from_quat(self.rotation) - DMat3::from_quat(self.free);
        0.5 * trace(&(off * self.moment * off.transpose()))
    }

    fn product(&self) -> DMat3 {
        DMat3::from_quat(self.rotation) * self.moment * DMat3::from_quat(self.free).transpose()
    }

    pub(super) fn gradient(&self) -> DVec3 {
        let s = self.product();
        let entry = |i: usize, j: usize| s.col(j)[i];
        -DVec3::new(entry(1, 2) - entry(2, 1), entry(2, 0) - entry(0, 2), entry(0, 1) - entry(1, 0))
    }

    pub(super) fn hessian(&self) -> DMat3 {
        let s = self.product();
        DMat3::from_diagonal(DVec3::splat(trace(&s))) - (s + s.transpose()) * 0.5
    }
}

/// Change of the rotation vector θ of a body's turn since the start with a further turn: the inverse of the left Jacobian,
/// 1 − ½ [θ] + (1/θ² − (1 + cos θ)/(2 θ sin θ)) [θ]².
pub(super) fn turn_lever(start: &Iterate, at: &Iterate, body: u32) -> DMat3 {
    let (BodyAt::Rigid { rotation: from, .. }, BodyAt::Rigid { rotation: to, .. }) =
        (&start.bodies[body as usize], &at.bodies[body as usize])
    else {
        return DMat3::ZERO;
    };
    let theta = turn(*from, *to);
    let (angle, cross) = (theta.length(), cross_matrix(theta));
    let factor = if angle < 1e-4 {
        1.0 / 12.0
    } else {
        1.0 / (angle * angle) - (1.0 + angle.cos()) / (2.0 * angle * angle.sin())
    };
    DMat3::IDENTITY - cross * 0.5 + cross * cross * factor
}
