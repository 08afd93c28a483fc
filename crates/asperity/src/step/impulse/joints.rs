//! The rows of joints in a step, and whether they have closed.
//!
//! **Held coordinates** q = q*(t). The row is the discrete gradient J̄ of the step ([`crate::joint::Coordinate`]): Δq = h J̄ v̄ exactly, v̄ the velocity that
//! moves the bodies: (v + v⁺)/2 for the trapezoid, v⁺ for the rule "end". The demand is about the place where the step ends, q⁺ = q*(t + h), so that
//! nothing drifts and nothing has to be pushed back. J̄ depends on that place: from a guess with q_k and v_k the row demands
//!
//!   J̄_k (v⁺ − v_k) = −(q_k − q*)/(σ h),   σ = ½ for the trapezoid, 1 for "end",
//!
//! and where the solve leads to is the next guess. Each pass makes the error smaller by about the angle of a turn in the step.
//!
//! **Energy.** Impulses J̄ᵀ r do the work r·J̄ v̄ h/h = r·Δq/h = 0 in the trapezoid: joints keep energy to the tolerance of the solver, whatever the
//! step (Gonzalez 1999; for bodies that are not round and tumble, to the error of their rotation). With "end" the work r·J̄ v⁺ is zero too, and energy is
//! lost with ½ Δv·MΔv, as by contacts.
//!
//! **Velocities.** Only the mean velocity obeys the joint exactly; v⁺ itself is off by a part of second order in h. What is more than that, after a
//! blow or because the start of the run does not fit, would alternate from step to step for ever. So a step begins with an impact that stops
//! what is more ([`unfit`]): it takes energy away, and gives none.
//!
//! **Springs** with stiffness k, damping c: force −k (q̄ − q₀) − c q̇ with q̄ = q + σ h J̄ v̄, q̇ = J̄ v̄. With J̄ v̄ = (1 − σ) J̄ v + σ J̄ v⁺ that is
//!
//!   J̄ v⁺ + C r = β,   C = 1/(σ h (σ k h + c)),   β = −(1 − σ)/σ J̄ v − k (q − q₀)/(σ (σ k h + c)):
//!
//! a bilateral row with compliance; stable whatever k, and without loss if c = 0, since (q̄ − q₀) Δq is the change of ½ (q − q₀)².
//!
//! **Stops** demand J̄ v⁺ ≥ −gap/h, as contacts do, with r ≥ 0. **Motors** demand J̄ v⁺ = w(t + h) with |r| ≤ F h, **brakes** J̄ v⁺ = 0 with |r| ≤ τ h.
//!
//! All rows have a compliance of ε times their part of W besides: joints that say the same twice (two equal ones, four hinges in a plane) then share
//! the force evenly. It stretches a joint by ε h² times the acceleration that it has to prevent: 10⁻¹¹ m for h = 0.01 s. Joints that contradict each
//! other are stretched by what they contradict each other by: no step may end with that ([`Gap::is_open`]).

use std::ops::Range;

use glam::DVec3;

use super::detect::Placed;
use super::rotation::turned;
use super::rows::{Free, Parts, Span};
use crate::body::Motion;
use crate::joint::{Coordinate, Drive, Joint, Move, Row, Spot};
use crate::step::StepError;
use crate::world::{BodyState, Model, State};

/// ε: compliance of all rows of joints, relative to their part of W.
const TOUCH: f64 = 1e-8;
/// Errors of a joint, as a part of the bodies' size, that need no further pass; and that no step may end with.
const CLOSE: f64 = 1e-9;
const OPEN: f64 = 1e-6;
/// The same for what the compliance of the rows lets through: joints that contradict each other are closed in no other way.
const TORN: f64 = 1e-5;
/// Part of v θ, θ the turn in a step, that the velocity of a joint may be off by before a step begins with an impact. A smooth step leaves
/// ½ θ h |a|, a step with the rule "end" ½ θ v: a blow is told from smooth motion as long as h |a| is less than v/5.
const UNFIT: f64 = 0.1;
/// The same, as a part of |g| h, and in m/s: alternating forces of this part of a weight do not matter.
const UNFIT_FALL: f64 = 1e-5;
const UNFIT_SPEED: f64 = 1e-9;

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
fn sigma(end: bool) -> f64 {
    if end { 1.0 } else { 0.5 }
}

/// Where the bodies would be after h if nothing but scripts acted: the first guess.
pub(super) fn guess(model: &Model, state: &State, h: f64) -> Vec<BodyState> {
    let moved = |(body, at): (&crate::body::Body, &BodyState)| match &body.motion {
        Motion::Static => *at,
        Motion::Scripted(script) if h > 0.0 => {
            let pose = script.pose(state.time + h);
            BodyState { centre: pose.position, rotation: pose.rotation, ..*at }
        }
        Motion::Scripted(_) => *at,
        Motion::Dynamic(inertia) => {
            let momentum = inertia.momentum(at.rotation, at.angular_velocity);
            let rotation = turned(inertia, at.rotation, momentum, h);
            let angular_velocity = inertia.angular_velocity(rotation, momentum);
            BodyState { centre: at.centre + at.velocity * h, rotation, velocity: at.velocity, angular_velocity }
        }
    };
    model.bodies.iter().zip(&state.bodies).map(moved).collect()
}

/// Velocities of a body of a joint: at the start, and in the guess. Angular ones are those of the momentum at the inertia of the solve.
struct Speeds {
    before: (DVec3, DVec3),
    guess: (DVec3, DVec3),
}

impl Parts<'_> {
    fn own(&self, body: u32) -> Option<&Free> {
        self.free.get(self.number[body as usize] as usize)
    }

    fn speeds(&self, body: Option<u32>, guess: &[BodyState]) -> Speeds {
        let Some(body) = body else { return Speeds { before: Default::default(), guess: Default::default() } };
        let at = &self.placed[body as usize];
        match (self.own(body), &self.model.bodies[body as usize].motion) {
            (Some(own), Motion::Dynamic(inertia)) => {
                let end = &guess[body as usize];
                let spin = own.inverse_inertia * inertia.momentum(end.rotation, end.angular_velocity);
                Speeds { before: (at.velocity, own.turning), guess: (end.velocity, spin) }
            }
            _ => {
                let own = (at.velocity, at.angular_velocity);
                Speeds { before: own, guess: own }
            }
        }
    }

    /// The part of W of a row.
    fn weight(&self, joint: &Joint, row: &Row) -> f64 {
        let of = |(body, turn): (Option<u32>, DVec3)| {
            let own = body.and_then(|body| self.own(body))?;
            Some(own.inverse_mass * row.linear.length_squared() + turn.dot(own.inverse_inertia * turn))
        };
        joint.bodies().into_iter().zip(row.angular).filter_map(of).sum()
    }

    /// The rows of all joints. `guess` is where the step ends; `ends` which joints move by the rule "end".
    pub(super) fn joint_rows(
        &self,
        span: Span,
        guess: &[BodyState],
        ends: &[bool],
    ) -> Result<Vec<JointRow>, StepError> {
        let mut all = Vec::new();
        for (i, joint) in self.model.joints.iter().enumerate() {
            let first = all.len();
            self.add_rows(i, joint, span, guess, ends[i], &mut all);
            let sound = |row: &JointRow| row.beta.is_finite() && !row.bounds[0].is_nan() && !row.bounds[1].is_nan();
            let t = self.time + span.length();
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

    fn add_rows(&self, i: usize, joint: &Joint, span: Span, guess: &[BodyState], end: bool, out: &mut Vec<JointRow>) {
        let from = spots(joint, self.placed);
        let to = joint.spots(guess);
        let moves = [0, 1].map(|k| Move { from: from[k], to: to[k] });
        let speeds = joint.bodies().map(|body| self.speeds(body, guess));
        let (before, after) = ([speeds[0].before, speeds[1].before], [speeds[0].guess, speeds[1].guess]);
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        let mut push = |role: Role, row: Row, beta: f64, compliance: f64, bounds: [f64; 2]| {
            let compliance = compliance + TOUCH * self.weight(joint, &row);
            out.push(JointRow { joint: i, role, row, beta, compliance, bounds, before: row.rate(before) });
        };
        let (h, sigma) = (span.length(), sigma(end));
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
        let Some((coordinate, drive)) = joint.kind.driven() else { return };
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

    /// The largest error of the joints at the end of a step. `r` are the impulses of the rows.
    pub(super) fn error(&self, rows: &[JointRow], r: &[f64], next: &State, h: f64, ends: &[bool]) -> Gap {
        let mut worst = Gap::default();
        for (row, r) in rows.iter().zip(r) {
            let joint = &self.model.joints[row.joint];
            let sigma = sigma(ends[row.joint]);
            // What is left to the passes, and the part that the compliance of the row lets through.
            let (coordinate, error, stretch) = match row.role {
                Role::Held(coordinate) => {
                    let error =
                        coordinate.value(&joint.frames, joint.spots(&next.bodies)) - joint.kind.target(self.time + h);
                    let stretch = -sigma * h * row.compliance * r;
                    (coordinate, error - stretch, stretch)
                }
                Role::Spring(coordinate) => {
                    let from = spots(joint, self.placed);
                    let to = joint.spots(&next.bodies);
                    let [q, end] = [from, to].map(|spots| coordinate.value(&joint.frames, spots));
                    let after = joint.bodies().map(|body| self.speeds(body, &next.bodies).guess);
                    let mean = (1.0 - sigma) * row.before + sigma * row.row.rate(after);
                    (coordinate, coordinate.difference(end, q) - h * mean, 0.0)
                }
                _ => continue,
            };
            let size = if coordinate.is_length() { reach(self.model, joint) } else { 1.0 };
            worst.parts = larger(worst.parts, error.abs() / (CLOSE * size));
            let open = larger(error.abs() / (OPEN * size), stretch.abs() / (TORN * size));
            if !worst.open.is_nan() && (open.is_nan() || open > worst.open) {
                worst = Gap { open, size: (error + stretch).abs(), joint: row.joint, ..worst };
            }
        }
        worst
    }
}

/// The largest error of the joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Gap {
    /// What passes can mend, in units of what needs no further one.
    pub(super) parts: f64,
    /// In units of what no step may end with.
    open: f64,
    /// Of the joint that is furthest open: its error in m or rad.
    pub(super) size: f64,
    /// Which joint that is.
    pub(super) joint: usize,
}

impl Gap {
    /// Whether it is too large for a step to end with.
    pub(super) fn is_open(&self) -> bool {
        self.open.partial_cmp(&1.0).is_none_or(|order| order.is_gt())
    }
}

/// The larger of two, where no number is the largest.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a >= b { a } else { b }
}

/// The size of the bodies of a joint: the largest of those that forces move. Others, such as the ground, may have no end.
fn reach(model: &Model, joint: &Joint) -> f64 {
    let bodies = joint.bodies().into_iter().flatten().map(|i| &model.bodies[i as usize]);
    bodies.filter(|body| body.is_dynamic()).map(|body| body.shape.reach()).fold(0.0, f64::max)
}

/// Where the bodies of a joint are.
fn spots(joint: &Joint, placed: &[Placed]) -> [Spot; 2] {
    let spot = |at: &Placed| Spot { centre: at.centre, rotation: at.pose.rotation };
    joint.bodies().map(|body| body.map_or(Spot::WORLD, |i| spot(&placed[i as usize])))
}

/// Whether the velocity of a joint is off by more than a smooth step leaves, for steps of length h.
pub(super) fn unfit(model: &Model, placed: &[Placed], t: f64, h: f64) -> bool {
    let floor = UNFIT_SPEED + UNFIT_FALL * model.gravity.length() * h;
    model.joints.iter().any(|joint| {
        let spots = spots(joint, placed);
        let moves = spots.map(|spot| Move { from: spot, to: spot });
        let at = |body: Option<u32>| body.map(|i| &placed[i as usize]);
        let speeds = joint.bodies().map(|b| at(b).map_or_else(Default::default, |p| (p.velocity, p.angular_velocity)));
        let arms = [0, 1].map(|k| joint.frames[k].point.length());
        let turn: f64 = h * speeds.iter().map(|(_, w)| w.length()).sum::<f64>();
        let speed: f64 = speeds.iter().zip(arms).map(|((v, w), arm)| v.length() + w.length() * arm).sum();
        let reach = reach(model, joint);
        joint.kind.held().iter().any(|coordinate| {
            let off = (coordinate.row(&joint.frames, &moves).rate(speeds) - joint.target_rate(t)).abs();
            let off = if coordinate.is_length() { off } else { off * reach };
            // The line of a distance turns by itself.
            let line = match coordinate {
                Coordinate::Distance => h * speed / coordinate.value(&joint.frames, spots).max(f64::MIN_POSITIVE),
                _ => 0.0,
            };
            off > UNFIT * speed * (turn + line) + floor
        })
    })
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
