//! The rows of joints at a guess: those of the impulse stepper ([`crate::step::joint_rows`]) with the rule "end",
//! x⁺ = x + h v⁺. And the stiffness that their forces give to the rotations of the bodies.
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

use super::dynamics::Start;
use super::guess::Guess;
use crate::body::Twist;
use crate::contact::PlacedBody;
use crate::joint::Coordinate;
use crate::step::StepError;
use crate::step::joint_rows::{JointRow, JointSite, Mobility, Role, Speeds};

/// The rows of all joints; `placed` are the bodies at the start of the step.
pub(super) fn rows(start: &Start, placed: &[PlacedBody], guess: &Guess) -> Result<Vec<JointRow>, StepError> {
    let model = start.model;
    if model.joints.is_empty() {
        return Ok(Vec::new());
    }
    let speeds = |body: Option<u32>| {
        let Some(body) = body.map(|body| body as usize) else { return Speeds::default() };
        let at = &placed[body];
        let before = Twist { velocity: at.velocity, angular_velocity: at.angular_velocity };
        // Before the first solve nothing has moved but what is given.
        let now = match (model.bodies[body].inertia(), guess.at_start) {
            (None, _) => before,
            (Some(_), true) => Twist::default(),
            (Some(_), false) => {
                let end = guess.bodies[body].frame();
                Twist { velocity: end.velocity, angular_velocity: end.angular_velocity }
            }
        };
        Speeds { before, guess: now }
    };
    let mobility = |body: u32| {
        let inertia = model.bodies[body as usize].inertia()?;
        let inverse_inertia = inertia.inverse_in_world(guess.bodies[body as usize].frame().rotation);
        Some(Mobility { inverse_mass: 1.0 / inertia.mass(), inverse_inertia })
    };
    let site = JointSite { model, placed, time: start.state.time, h: start.h, speeds: &speeds, mobility: &mobility };
    // Where the bodies are at the guess: at the first one where they start, but for what is given.
    let bodies = guess.joint_bodies(start.setting());
    site.rows(&bodies, &vec![true; model.joints.len()])
}

/// The impulse of a joint at one of its bodies.
pub(super) struct Pull {
    pub(super) body: usize,
    arm: DVec3,
    impulse: DVec3,
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

/// What joints give to the rigid bodies at their points, with these impulses of the rows; none if they are not known.
pub(super) fn pulls(start: &Start, guess: &Guess, rows: &[JointRow], impulses: &[f64]) -> Vec<Pull> {
    let mut all: Vec<Pull> = Vec::new();
    if rows.len() != impulses.len() {
        return all;
    }
    for (i, joint) in start.model.joints.iter().enumerate() {
        let of_points = |own: &&(&JointRow, &f64)| {
            let length = |coordinate: Coordinate| coordinate.is_length();
            own.0.joint == i && matches!(own.0.role, Role::Held(own) | Role::Spring(own) if length(own))
        };
        let pairs: Vec<(&JointRow, &f64)> = rows.iter().zip(impulses).collect();
        let impulse: DVec3 = pairs.iter().filter(of_points).map(|(row, r)| row.row.linear * **r).sum();
        let spots = joint.spots(&guess.bodies);
        let points = joint.points(spots);
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let Some(body) = joint.bodies()[side].map(|body| body as usize) else { continue };
            if start.model.bodies[body].inertia().is_some() {
                all.push(Pull { body, arm: points[side] - spots[side].centre, impulse: impulse * sign });
            }
        }
    }
    all
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
