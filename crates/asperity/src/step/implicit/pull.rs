//! The stiffness that the forces of joints give to the rotations of the bodies.
//!
//! An impulse L that a joint gives to a body at the arm a turns with the arm: to the second order of a rotation θ its
//! potential is −L·(θ × a) − ½ L·(θ × (θ × a)), so that it adds h G to the block of A of the angular velocity, with
//!
//!   G = (L·a) 1 − ½ (L aᵀ + a Lᵀ).
//!
//! Without it the iteration converges slowly, or not at all, for light links under load: a link of mass m and length ℓ
//! under the tension T needs h² T/ℓ to be small beside m. A pull along the arm makes G positive; where the body is
//! pushed instead, G is negative, and its positive part is zero.

use glam::{DMat3, DVec3};

/// The impulse of a joint at one of its bodies.
pub(super) struct Pull {
    pub(super) body: usize,
    pub(super) arm: DVec3,
    pub(super) impulse: DVec3,
}

impl Pull {
    /// G, or a positive semidefinite matrix near it.
    pub(super) fn stiffness(&self, project: bool) -> DMat3 {
        let Self { arm, impulse, .. } = *self;
        let along = impulse.dot(arm);
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        if project {
            let unit = arm.normalize_or_zero();
            return (DMat3::IDENTITY - outer(unit, unit)) * along.max(0.0);
        }
        DMat3::IDENTITY * along - (outer(impulse, arm) + outer(arm, impulse)) * 0.5
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    /// The torque of a force that is constant in the world, (exp(θ) a) × L, has the derivative −G by θ, but for its
    /// skew part, which is that of the axes that θ is measured in.
    #[test]
    fn stiffness_is_the_derivative_of_the_torque() {
        let (arm, impulse) = (DVec3::new(0.3, -0.2, 0.5), DVec3::new(1.5, 0.7, -0.4));
        let torque = |turn: DVec3| (DQuat::from_scaled_axis(turn) * arm).cross(impulse);
        let step = 1e-6;
        let column = |axis: DVec3| (torque(axis * step) - torque(axis * -step)) / (2.0 * step);
        let slope = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
        let symmetric = (slope + slope.transpose()) * 0.5;
        let pull = Pull { body: 0, arm, impulse };
        assert!(
            (symmetric + pull.stiffness(false)).abs_diff_eq(DMat3::ZERO, 1e-9),
            "{symmetric} {}",
            pull.stiffness(false)
        );
        // A pull along the arm is positive as it is.
        let along = Pull { body: 0, arm, impulse: arm * 4.0 };
        assert!(along.stiffness(true).abs_diff_eq(along.stiffness(false), 1e-14));
        assert_eq!(Pull { body: 0, arm, impulse: -arm }.stiffness(true), DMat3::ZERO);
    }
}
