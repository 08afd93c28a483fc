//! The rows of joints in a step, and whether they have closed.
//!
//! **Held coordinates** q = q*(t). The row is the discrete gradient J̄ of the step ([`crate::joint::Coordinate`]):
//! Δq = h J̄ v̄ exactly, v̄ the velocity that moves the bodies: (v + v⁺)/2 for the trapezoid, v⁺ for the rule "end".
//! The demand is about the place where the step ends, q⁺ = q*(t + h), so that nothing drifts and nothing has to be
//! pushed back. J̄ depends on that place: from a guess with q_k and v_k the row demands
//!
//!   J̄_k (v⁺ − v_k) = −(q_k − q*)/(σ h),   σ = ½ for the trapezoid, 1 for "end",
//!
//! and where the solve leads to is the next guess. Each pass makes the error smaller by about the angle of a turn in
//! the step.
//!
//! **Energy.** Impulses J̄ᵀ r do the work r·J̄ v̄ h/h = r·Δq/h = 0 in the trapezoid: joints keep energy to the
//! tolerance of the solver, whatever the step (Gonzalez 1999; for bodies that are not round and tumble, to the error of
//! their rotation). With "end" the work r·J̄ v⁺ is zero too, and energy is lost with ½ Δv·MΔv, as by contacts.
//!
//! **Velocities.** Only the mean velocity obeys the joint exactly; v⁺ itself is off by a term of second order in h.
//! What is more than that, after a blow or because the start of the run does not fit, would alternate from step to step
//! for ever. So a step begins with an impact that stops what is more (`step/impulse/closure.rs`, `unfit`): it takes energy away,
//! and gives none.
//!
//! **Springs** with stiffness k, damping c: force −k (q̄ − q₀) − c q̇ with q̄ = q + σ h J̄ v̄, q̇ = J̄ v̄. With
//! J̄ v̄ = (1 − σ) J̄ v + σ J̄ v⁺ that is
//!
//!   J̄ v⁺ + C r = β,   C = 1/(σ h (σ k h + c)),   β = −(1 − σ)/σ J̄ v − k (q − q₀)/(σ (σ k h + c)):
//!
//! a bilateral row with compliance; stable whatever k, and without loss if c = 0, since (q̄ − q₀) Δq is the change of
//! ½ (q − q₀)².
//!
//! **Stops** demand J̄ v⁺ ≥ −gap/h, as contacts do, with r ≥ 0. **Motors** demand J̄ v⁺ = w(t + h) with |r| ≤ F h,
//! **brakes** J̄ v⁺ = 0 with |r| ≤ τ h.
//!
//! All rows have a compliance of ε times their diagonal of W besides: joints that say the same twice (two equal ones,
//! four hinges in a plane) then share the force evenly. It stretches a joint by ε h² times the acceleration that it has
//! to prevent: 10⁻¹¹ m for h = 0.01 s. Joints that contradict each other are stretched by what they contradict each
//! other by: no step may end with that (`Gap::is_open` there).

use std::ops::Range;

use glam::{DMat3, DVec3};

use crate::body::{BodyState, Twist};
use crate::contact::PlacedBody;
use crate::joint::{Coordinate, Drive, Driven, Joint, Move, Row, Spot};
use crate::step::StepError;
use crate::world::Model;

/// ε: compliance of all rows of joints, relative to their diagonal of W.
const TOUCH: f64 = 1e-8;
/// Error of a joint, as a fraction of the bodies' size, that needs no further pass.
pub(super) const CLOSE: f64 = 1e-9;

/// What a row is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// A held coordinate.
    Held(Coordinate),
    /// A stop: the smallest or the largest value. How far it is.
    Stop(f64),
    /// A motor.
    Motor,
    /// A brake.
    Brake,
    /// A spring of this coordinate.
    Spring(Coordinate),
}

/// A row of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointRow {
    /// Number of the joint.
    pub(super) joint: usize,
    pub(super) role: Role,
    pub(super) row: Row,
    /// u = J̄ v⁺ + c r − β.
    pub(super) beta: f64,
    pub(super) compliance: f64,
    /// Bounds of the impulse.
    pub(super) bounds: [f64; 2],
    /// J̄ v.
    pub(super) before: f64,
}

impl JointRow {
    /// Whether the impulse has no bounds.
    pub(super) fn is_free(&self) -> bool {
        self.bounds == [f64::NEG_INFINITY, f64::INFINITY]
    }
}

/// σ of a joint.
pub(super) fn sigma(end: bool) -> f64 {
    if end { 1.0 } else { 0.5 }
}

/// Velocities of a body of a joint: at the start, and in the guess. Angular ones are those of the momentum at the
/// inertia of the solve.
#[derive(Clone, Copy, Default)]
pub(super) struct Speeds {
    pub(super) before: Twist,
    pub(super) guess: Twist,
}

/// Velocities of the two bodies of a joint, as its rows take them.
pub(super) fn pairs(twists: [Twist; 2]) -> [(DVec3, DVec3); 2] {
    twists.map(|twist| (twist.velocity, twist.angular_velocity))
}

/// How easily a body is moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mobility {
    pub(super) inverse_mass: f64,
    pub(super) inverse_inertia: DMat3,
}

/// What the rows of joints are made from.
#[derive(Clone, Copy)]
pub(super) struct JointSite<'a> {
    pub(super) model: &'a Model,
    /// Where the bodies are at the start.
    pub(super) placed: &'a [PlacedBody],
    /// Time at the start, and length of the step.
    pub(super) time: f64,
    pub(super) h: f64,
    /// Velocities of a body of a joint; zero for the world.
    pub(super) speeds: &'a dyn Fn(Option<u32>) -> Speeds,
    /// `None` for a body that forces do not move.
    pub(super) mobility: &'a dyn Fn(u32) -> Option<Mobility>,
}

impl JointSite<'_> {
    /// The diagonal of W for a row.
    fn weight(&self, joint: &Joint, row: &Row) -> f64 {
        let of = |(body, turn): (Option<u32>, DVec3)| {
            let own = body.and_then(|body| (self.mobility)(body))?;
            Some(own.inverse_mass * row.linear.length_squared() + turn.dot(own.inverse_inertia * turn))
        };
        joint.bodies().into_iter().zip(row.angular).filter_map(of).sum()
    }

    /// The rows of all joints. `guess` is where the step ends; `ends` which joints move by the rule "end".
    pub(super) fn rows(&self, guess: &[BodyState], ends: &[bool]) -> Result<Vec<JointRow>, StepError> {
        let mut all = Vec::new();
        for (i, joint) in self.model.joints.iter().enumerate() {
            let first = all.len();
            self.add_rows(i, joint, guess, ends[i], &mut all);
            let sound = |row: &JointRow| row.beta.is_finite() && !row.bounds[0].is_nan() && !row.bounds[1].is_nan();
            let t = self.time + self.h;
            let target = joint.kind.target(t);
            let no_length = joint.kind.held() == [Coordinate::Distance] && (target.is_nan() || target <= 0.0);
            let reason = if no_length {
                format!("its length is {target} m: it must be above zero")
            } else if !all[first..].iter().all(sound) {
                "a formula of its motor or brake has no value here".to_owned()
            } else {
                continue;
            };
            return Err(StepError::Joint { t, joint: joint.name.clone(), reason });
        }
        Ok(all)
    }

    fn add_rows(&self, i: usize, joint: &Joint, guess: &[BodyState], end: bool, out: &mut Vec<JointRow>) {
        let from = spots(joint, self.placed);
        let to = joint.spots(guess);
        let moves = [0, 1].map(|k| Move { from: from[k], to: to[k] });
        let speeds = joint.bodies().map(|body| (self.speeds)(body));
        let (before, after) = (pairs(speeds.map(|own| own.before)), pairs(speeds.map(|own| own.guess)));
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        let mut push = |role: Role, row: Row, beta: f64, compliance: f64, bounds: [f64; 2]| {
            let compliance = compliance + TOUCH * self.weight(joint, &row);
            out.push(JointRow { joint: i, role, row, beta, compliance, bounds, before: row.rate(before) });
        };
        let (h, sigma) = (self.h, sigma(end));
        let time = self.time + h;
        for coordinate in joint.kind.held() {
            let row = coordinate.row(&joint.frames, &moves);
            let beta = if h > 0.0 {
                let error = coordinate.value(&joint.frames, to) - joint.kind.target(time);
                row.rate(after) - error / (sigma * h)
            } else {
                joint.target_rate(time)
            };
            push(Role::Held(*coordinate), row, beta, 0.0, free);
        }
        let Some(Driven { coordinate, drive }) = joint.kind.driven() else { return };
        let Drive { limits, motor, brake, spring } = drive;
        let row = coordinate.row(&joint.frames, &moves);
        let value = coordinate.value(&joint.frames, from);
        if let Some([lower, upper]) = limits {
            for (row, gap) in [(row, value - lower), (row.reversed(), upper - value)] {
                // An instant knows the stops that are reached.
                let (beta, reached) = if h > 0.0 { (-gap.max(0.0) / h, true) } else { (0.0, gap <= CLOSE) };
                push(Role::Stop(gap), row, beta, 0.0, [0.0, if reached { f64::INFINITY } else { 0.0 }]);
            }
        }
        if let Some(motor) = motor {
            let most = motor.strongest * h;
            push(Role::Motor, row, motor.speed.value(&[time]), 0.0, [-most, most]);
        }
        if let Some(brake) = brake {
            let strongest = brake.value(&[time]);
            let most = if strongest.is_nan() { strongest } else { strongest.max(0.0) * h };
            push(Role::Brake, row, 0.0, 0.0, [-most, most]);
        }
        if let Some(spring) = spring {
            let stiff = sigma * spring.stiffness * h + spring.damping;
            if h > 0.0 && stiff > 0.0 {
                let stretch = coordinate.difference(value, spring.rest);
                let beta = -(1.0 - sigma) / sigma * row.rate(before) - spring.stiffness * stretch / (sigma * stiff);
                push(Role::Spring(coordinate), row, beta, 1.0 / (sigma * h * stiff), free);
            } else {
                push(Role::Spring(coordinate), row, 0.0, 0.0, [0.0; 2]);
            }
        }
    }
}

/// Where the bodies of a joint are.
pub(super) fn spots(joint: &Joint, placed: &[PlacedBody]) -> [Spot; 2] {
    let spot = |at: &PlacedBody| Spot { centre: at.centre, rotation: at.pose.rotation };
    joint.bodies().map(|body| body.map_or(Spot::WORLD, |i| spot(&placed[i as usize])))
}

/// Which rows are one block: all that a joint holds, and each other row by itself.
pub(super) fn blocks(rows: &[JointRow]) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        match blocks.last_mut() {
            Some(last)
                if matches!(row.role, Role::Held(_))
                    && matches!(rows[last.start].role, Role::Held(_))
                    && rows[last.start].joint == row.joint =>
            {
                last.end = i + 1;
            }
            _ => blocks.push(i..i + 1),
        }
    }
    blocks
}
