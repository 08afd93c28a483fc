//! Motions that are given: keyframes, or formulas of time.
//!
//! A time stepper asks for the pose at both ends of a step; the velocity during the step is their difference over its length, so
//! that what touches a scripted body is carried exactly as far as the body goes.

use glam::{DQuat, DVec3};

use super::Twist;
use crate::expression::Expression;
use crate::geometry::Pose;

/// A pose at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// Seconds.
    pub time: f64,
    /// The pose then.
    pub pose: Pose,
}

/// Where a body is at any time.
#[derive(Clone, Debug, PartialEq)]
pub enum Script {
    /// Straight and evenly from one to the next, turning the short way; at rest before the first and after the last.
    Keyframes(Vec<Keyframe>),
    /// Formulas of t, applied to the pose at the start of the run.
    Formulas {
        /// The pose that the formulas start from.
        start: Pose,
        /// Displacement along x, y, z.
        position: Option<Box<[Expression; 3]>>,
        /// Axis and angle (radians) of the turn about the body's origin.
        turn: Option<(DVec3, Box<Expression>)>,
    },
}

impl Script {
    /// The pose at time t. Formulas that have no value there keep the body where it starts.
    pub fn pose(&self, t: f64) -> Pose {
        match self {
            Self::Keyframes(frames) => between(frames, t),
            Self::Formulas { start, position, turn } => {
                let value = |formula: &Expression| Some(formula.value(&[t])).filter(|x| x.is_finite()).unwrap_or(0.0);
                let shift =
                    position.as_ref().map_or(DVec3::ZERO, |p| DVec3::from_array([0, 1, 2].map(|k| value(&p[k]))));
                let turned =
                    turn.as_ref().map_or(DQuat::IDENTITY, |(axis, angle)| DQuat::from_axis_angle(*axis, value(angle)));
                Pose { position: start.position + shift, rotation: (turned * start.rotation).normalize() }
            }
        }
    }

    /// Mean velocity of the origin and mean angular velocity from time t to t + dt.
    pub fn velocity(&self, t: f64, dt: f64) -> Twist {
        let (from, to) = (self.pose(t), self.pose(t + dt));
        let turned = to.rotation * from.rotation.conjugate();
        let turned = if turned.w < 0.0 { -turned } else { turned };
        Twist { velocity: (to.position - from.position) / dt, angular_velocity: turned.to_scaled_axis() / dt }
    }

    /// Velocity of the origin and angular velocity at the time t, seen from the side of t + window (which may be
    /// negative): a motion may have a kink at t. By one-sided differences of fourth order over a quarter of the window.
    pub fn rate(&self, t: f64, window: f64) -> Twist {
        let step = window / 16.0;
        let here = self.pose(t);
        let mut sum = Twist::default();
        for (k, weight) in RATE.into_iter().enumerate() {
            let there = self.pose(t + (k + 1) as f64 * step);
            let turned = there.rotation * here.rotation.conjugate();
            let turned = if turned.w < 0.0 { -turned } else { turned };
            sum.velocity += (there.position - here.position) * (weight / step);
            sum.angular_velocity += turned.to_scaled_axis() * (weight / step);
        }
        sum
    }
}

/// f'(0) = Σ RATE_k (f((k + 1) s) − f(0)) / s + O(s⁴).
const RATE: [f64; 4] = [4.0, -3.0, 4.0 / 3.0, -0.25];

/// Keyframes are sorted by time and there is at least one; an empty list is the identity.
fn between(frames: &[Keyframe], t: f64) -> Pose {
    let after = frames.partition_point(|frame| frame.time <= t);
    match (after.checked_sub(1).and_then(|i| frames.get(i)), frames.get(after)) {
        (Some(a), Some(b)) => {
            let s = (t - a.time) / (b.time - a.time);
            Pose {
                position: a.pose.position.lerp(b.pose.position, s),
                rotation: a.pose.rotation.slerp(b.pose.rotation, s).normalize(),
            }
        }
        (Some(only), None) | (None, Some(only)) => only.pose,
        (None, None) => Pose::IDENTITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyframes_move_evenly_and_rest_outside() {
        let pose = |x: f64, angle: f64| Pose { position: DVec3::X * x, rotation: DQuat::from_rotation_y(angle) };
        let script = Script::Keyframes(vec![
            Keyframe { time: 1.0, pose: pose(0.0, 0.0) },
            Keyframe { time: 3.0, pose: pose(4.0, 1.0) },
        ]);
        assert_eq!(script.pose(0.0), pose(0.0, 0.0));
        assert!((script.pose(2.0).position.x - 2.0).abs() < 1e-15);
        let Twist { velocity: v, angular_velocity: w } = script.velocity(1.5, 0.01);
        assert!((v - 2.0 * DVec3::X).length() < 1e-12 && (w - 0.5 * DVec3::Y).length() < 1e-12, "{v} {w}");
        assert_eq!(script.velocity(5.0, 0.01).velocity, DVec3::ZERO);
        // At a keyframe the velocity has two sides.
        assert!((script.rate(3.0, -0.01).velocity - 2.0 * DVec3::X).length() < 1e-11);
        assert_eq!(script.rate(3.0, 0.01), Twist::default());
    }

    #[test]
    fn formulas_carry_the_start_along() {
        let formula = |text| Expression::parse(text, &["t"]).unwrap();
        let start = Pose { position: DVec3::Y, rotation: DQuat::from_rotation_x(0.3) };
        let script = Script::Formulas {
            start,
            position: Some(Box::new([formula("sin(t)"), formula("0"), formula("t^2")])),
            turn: Some((DVec3::Z, Box::new(formula("2*t")))),
        };
        let pose = script.pose(0.5);
        assert!((pose.position - DVec3::new(0.5f64.sin(), 1.0, 0.25)).length() < 1e-15);
        let Twist { velocity: v, angular_velocity: w } = script.velocity(0.5, 1e-6);
        assert!((v - DVec3::new(0.5f64.cos(), 0.0, 1.0)).length() < 1e-5);
        assert!((w - 2.0 * DVec3::Z).length() < 1e-7, "{w}");
        for window in [0.01, -0.01] {
            let Twist { velocity: v, angular_velocity: w } = script.rate(0.5, window);
            assert!((v - DVec3::new(0.5f64.cos(), 0.0, 1.0)).length() < 1e-11, "{v}");
            assert!((w - 2.0 * DVec3::Z).length() < 1e-11, "{w}");
        }
    }
}
