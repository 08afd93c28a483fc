//! Moreau time stepping: impulses over a step, found for all contacts and joints at once.
//!
//! **Velocities.** v⁺ = v + h M⁻¹ f + M⁻¹ Jᵀ r, J at the start of the step, r by a contact solver. Each contact demands, at the end of the
//! step, u_n⁺ ≥ −g/h (with the exceptions of [`rows`]), and its friction law at the slip u_T⁺.
//!
//! **Positions.** There are two rules, and for both the demand above keeps the gap g⁺ from getting negative, to first order in h:
//! - *trapezoid*, x⁺ = x + h (v + v⁺)/2: exact under constant acceleration. If u_n ≥ −g/h at the start too, then
//!   g⁺ = g + h (u_n + u_n⁺)/2 ≥ 0. The energy changes by the work of contacts Σ r·(u + u⁺)/2, exactly;
//! - *end*, x⁺ = x + h v⁺: g⁺ = g + h u_n⁺ ≥ 0. Kinetic plus potential energy never grows, whatever the contacts do, since r·u⁺ ≤ 0
//!   and ΔT = v⁺·MΔv − ½ Δv·MΔv.
//!
//! A group of bodies in contact takes the first rule if it can be seen to be safe: no contact that acts began the step too fast
//! (an impact), and the work of its contacts is not positive. Otherwise the second. A group that touches nothing fixed takes the second as well,
//! with gravity exact (x⁺ = x + h v⁺ − h² g/2; relative motion does not see gravity): then contact impulses act at points that both
//! bodies share, and angular momentum is kept to rounding.
//!
//! **Acting contacts.** Of the contacts that are found, the problem holds those that can act ([`acting`]): what comes out solves that of all.
//!
//! **Missed contacts.** Contacts are linear in the step; a corner that swings round, or a body that passes an edge, can overlap at its end all
//! the same. Where it does by more than a little, a row is added that was linearised at that end, and the step is solved again
//! ([`missed`]). No overlap is ever pushed out by a velocity, so none adds energy.
//!
//! **Joints** are rows of the same problem ([`joints`]): they demand to be closed where the step ends, and are linearised so that they do no work, whichever
//! rule a group takes. The group of a body is all that contacts and joints tie it to. Since the rows depend on the end of the step and on the rule, a step
//! with joints is solved a few times; where they close slowly it is cut in two.
//!
//! **Rotations.** Angular momentum is the variable: L⁺ = L + h τ + arms × impulses. The orientation moves as that of a free body
//! ([`rotation`]) with the mean momentum of the rule. During the solve the inertia is that of the orientation which the free body would
//! end with.
//!
//! The energy balance of both position rules is exact for velocities, and for bodies with the same inertia about every axis. Where it is not for others, because a body
//! turns under its contacts, the step is solved again ([`midway`]): the energy of a spinning top then changes by 2e-10 at 1 ms, and that of a coin that rolls and wobbles does not grow.
//!
//! **Laws that weaken with the slip** (static and kinetic) may have two solutions in a step: one that sticks and one that slides. The motion goes on as it
//! was: the step is solved first with the laws of the slip that it begins with, and the solver starts from that.
//!
//! **Bounces.** Contacts with restitution are events. A step is cut at the moment when such a contact closes; there an impact problem is
//! solved, u_n⁺ ≥ e |u_n|, without time passing; then the rest of the step goes on. Bounces slower than |g| dt are not resolved: they
//! count as contact.

mod acting;
mod advance;
mod detect;
mod frictionless;
mod joints;
mod law_store;
mod midway;
mod missed;
mod patches;
mod presolve;
mod rotation;
mod rows;
mod solve;

use std::time::{Duration, Instant};

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::ContactSolver;
use glam::{DQuat, DVec3};

use self::advance::{Finished, Solved};
use self::detect::{Detector, Placed, Touch};
use self::joints::Gap;
use self::law_store::LawStore;
use self::midway::Again;
use self::rows::{Parts, Span};
use super::{StepError, StepReport, Stepper};
use crate::body::Motion;
use crate::joint;
use crate::patch::PatchStore;
use crate::world::{BodyState, ContactMemory, Model, State};

/// Settings of the stepper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseSettings {
    /// Residual to solve contact problems to.
    pub tolerance: f64,
    /// Largest residual that a step may have; above it the step fails.
    pub limit: f64,
    /// Longest time for one contact problem. A run that needs it is not the same on another machine.
    pub time: Duration,
    /// ε: compliance of the normal rows relative to their part of W.
    pub compliance: f64,
    /// Most bounces that a step is cut for.
    pub bounces: usize,
    /// How often a step is solved again for contacts that were missed. With 0 it is not solved again for rows that turn, either.
    pub passes: usize,
}

impl Default for ImpulseSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, limit: 3e-2, time: Duration::from_secs(20), compliance: 1e-5, bounces: 16, passes: 2 }
    }
}

/// Contacts that the free motion leaves open by at most so many |g| h are solved with from the start: few for solvers that factor matrices; more for
/// those that sweep, for which a second round costs more than contacts that do not act.
const NEAR: f64 = 3.0;
const NEAR_FOR_SWEEPS: f64 = 20.0;

/// Gaps up to this count as closed when a bounce is looked for, m.
const CLOSED: f64 = 1e-9;

/// Most passes for joints to close, and how often a step in which they do not is cut in two.
const JOINT_PASSES: usize = 12;
const CUTS: usize = 5;

/// What a span is attempted with.
struct Attempt<'a> {
    placed: &'a [Placed],
    /// Forces that the solver starts from.
    start: &'a [ContactMemory],
    start_joints: &'a [f64],
    span: Span,
    /// Where bodies are at the end, as far as is known; and which joints move by the rule "end".
    guess: &'a [BodyState],
    ends: &'a [bool],
    /// Orientations at the end that are known from a pass before, of some bodies.
    turned: &'a [Option<DQuat>],
}

/// Where an attempt leads to.
struct Outcome {
    next: State,
    /// Which joints moved by the rule "end".
    ends: Vec<bool>,
    /// Largest error of a joint.
    gap: Gap,
    /// Energy that was gained or lost besides the work of contacts, J, and how to solve again for the bodies concerned.
    error: f64,
    again: Vec<Option<Again>>,
}

/// How a span went.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Advanced {
    /// The state is the one at its end.
    Done,
    /// Joints do not close: by so much; the state is as it was.
    Open(Gap),
}

/// Moreau time stepping with any contact solver.
pub struct Impulse {
    solver: Box<dyn ContactSolver>,
    settings: ImpulseSettings,
    detector: Detector,
    placed: Vec<Placed>,
    patches: PatchStore,
    /// Laws of the last problem.
    laws: LawStore,
    keep_problem: bool,
    problem: Option<Snapshot>,
}

impl Impulse {
    /// With this solver.
    pub fn new(solver: Box<dyn ContactSolver>, settings: ImpulseSettings) -> Self {
        Self {
            solver,
            settings,
            detector: Detector::default(),
            placed: Vec::new(),
            patches: PatchStore::default(),
            laws: LawStore::default(),
            keep_problem: false,
            problem: None,
        }
    }

    /// Whether to keep a copy of each step's last contact problem.
    pub fn keep_problems(&mut self, keep: bool) {
        self.keep_problem = keep;
    }

    /// The last contact problem, as it was before it was solved, if they are kept.
    pub fn problem(&self) -> Option<&Snapshot> {
        self.problem.as_ref()
    }

    /// Finds the contacts at the start of a span of length h.
    fn find(&mut self, model: &Model, state: &State, h: f64, report: &mut StepReport) {
        let began = Instant::now();
        place(model, state, h, &mut self.placed);
        self.detector.find(model, &self.placed, h);
        report.seconds.detect += began.elapsed().as_secs_f64();
    }

    /// The moment, at most h away, at which the next bounce happens: none if there is none.
    fn next_bounce(&self, model: &Model, rest: f64, h: f64) -> Option<f64> {
        let acceleration = |body: u32| match model.bodies[body as usize].motion {
            Motion::Dynamic(_) => model.gravity,
            Motion::Static | Motion::Scripted(_) => DVec3::ZERO,
        };
        self.detector
            .touches()
            .iter()
            .filter(|touch| bounces(model, touch, rest))
            .filter_map(|touch| {
                let [a, b] = touch.pair.map(acceleration);
                closing(touch.gap, touch.before.x, (a - b).dot(touch.frame.normal()))
            })
            .filter(|moment| *moment <= h)
            .min_by(f64::total_cmp)
    }

    /// Moves over a span with the contacts that `keep` lets through. `left` is the time that will be stepped over next;
    /// `may_cut` gives up early on joints that close slowly.
    fn advance(
        &mut self,
        model: &Model,
        state: &mut State,
        span: Span,
        (left, may_cut): (f64, bool),
        keep: impl Fn(&Touch) -> bool,
        report: &mut StepReport,
    ) -> Result<Advanced, StepError> {
        let placed = self.placed.clone();
        let mut touches: Vec<Touch> = self.detector.touches().iter().copied().filter(keep).collect();
        let starts = touches.clone();
        let (friction_power, h) = (report.friction_power, span.length());
        let mut turned: Vec<Option<DQuat>> = Vec::new();
        // The best pass with rows that turn, and its error.
        let mut best: Option<(f64, State)> = None;
        let mut guess = if model.joints.is_empty() { Vec::new() } else { joints::guess(model, state, h) };
        let mut ends = vec![false; model.joints.len()];
        // Where the solver starts: the forces of the step before, then those of the pass before.
        let (mut last, mut last_joints) = (state.contacts.clone(), state.joints.clone());
        let (mut pass, mut joint_pass, mut turn_pass, mut before) = (0, 0, 0, f64::INFINITY);
        loop {
            report.friction_power = friction_power;
            let (start, start_joints) = (&last[..], &last_joints[..]);
            let (known, moved) = (&guess[..], &ends[..]);
            let attempt =
                Attempt { placed: &placed, start, start_joints, span, guess: known, ends: moved, turned: &turned };
            let outcome = self.attempt(model, state, &attempt, &mut touches, report)?;
            let Outcome { mut next, ends: moved, gap, error, again } = outcome;
            if h > 0.0 && !model.joints.is_empty() {
                let error = gap.parts;
                let changed = ends.iter().zip(&moved).any(|(solved, moved)| solved != moved);
                // Rounding and the solver's tolerance end the progress of the passes.
                let stuck = !gap.is_open() && error > 0.9 * before;
                // At this rate it would take too many: shorter steps converge faster.
                let slow = joint_pass > 1 && error > (before / error).powi((JOINT_PASSES - joint_pass) as i32);
                if slow && !changed && may_cut && error > 1.0 {
                    return Ok(Advanced::Open(gap));
                }
                if joint_pass < JOINT_PASSES && (changed || error > 1.0 && !stuck) {
                    joint_pass += 1;
                    before = if changed { f64::INFINITY } else { error };
                    ends.iter_mut().zip(moved).for_each(|(solved, moved)| *solved |= moved);
                    (last, last_joints, guess) = (next.contacts, next.joints, next.bodies);
                    continue;
                }
                if gap.is_open() {
                    return Ok(Advanced::Open(gap));
                }
            }
            self.find(model, &next, left, report);
            // Of passes with rows that turn, each must be better than the one before.
            let better = best.as_ref().is_none_or(|(least, _)| error < *least);
            let more = error > 0.0 && turn_pass < midway::PASSES && better && self.settings.passes > 0;
            if more && midway::turn(&mut touches, &starts, self.detector.touches(), &self.placed, &again) {
                let known = |(i, again): (usize, &Option<Again>)| {
                    again.map(|again| if again == Again::Start { &*state } else { &next }.bodies[i].rotation)
                };
                turned = again.iter().enumerate().map(known).collect();
                (last, last_joints) = (next.contacts.clone(), next.joints.clone());
                (turn_pass, best) = (turn_pass + 1, Some((error, next)));
                continue;
            }
            if let Some((_, better)) = best.take().filter(|(least, _)| error >= *least) {
                (turn_pass, next) = (midway::PASSES, better);
                self.find(model, &next, left, report);
            }
            let enough = pass == self.settings.passes || matches!(span, Span::Impact { .. });
            if enough || !missed::add(model, self.detector.touches(), &placed, span, &mut touches) {
                *state = next;
                return Ok(Advanced::Done);
            }
            (pass, joint_pass, before) = (pass + 1, 0, f64::INFINITY);
            (last, last_joints, guess) = (next.contacts, next.joints, next.bodies);
        }
    }

    /// Moves over a time h, after which `left` comes; cut in two, and again, where joints do not close.
    fn walk(
        &mut self,
        model: &Model,
        state: &mut State,
        (h, left): (f64, f64),
        cuts: usize,
        keep: &dyn Fn(&Touch) -> bool,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let advanced = self.advance(model, state, Span::Step(h), (left, cuts > 0), keep, report)?;
        let Advanced::Open(gap) = advanced else { return Ok(()) };
        if cuts == 0 {
            let joint = model.joints.get(gap.joint).map_or_else(String::new, |joint| joint.name.clone());
            return Err(StepError::Open { t: state.time, joint, drift: gap.size, residual: report.residual });
        }
        for rest in [0.5 * h, left] {
            self.find(model, state, 0.5 * h, report);
            self.walk(model, state, (0.5 * h, rest), cuts - 1, keep, report)?;
        }
        Ok(())
    }

    /// The state after a span, with those of these contacts that act.
    fn attempt(
        &mut self,
        model: &Model,
        state: &State,
        attempt: &Attempt,
        touches: &mut [Touch],
        report: &mut StepReport,
    ) -> Result<Outcome, StepError> {
        let Attempt { placed, start, start_joints, span, guess, ends, turned } = *attempt;
        let began = Instant::now();
        let (h, slow) = (span.length(), span.gained(model.gravity.length()));
        let (free, number) = advance::free(model, state, h, turned);
        report.seconds.integrate += began.elapsed().as_secs_f64();
        report.contacts = report.contacts.max(touches.len());
        let (memory, compliance, time) = (&state.contacts, self.settings.compliance, state.time);
        let (free, number) = (&free[..], &number[..]);
        let (mut last, mut last_joints) = (start.to_vec(), start_joints.to_vec());
        let near = if self.solver.sweeps() { NEAR_FOR_SWEEPS } else { NEAR };
        // Laws borrow the patches while the solver, which is ours, works.
        let mut patches = std::mem::take(&mut self.patches);
        loop {
            let making = Instant::now();
            let (start, start_joints) = (&last[..], &last_joints[..]);
            let parts = Parts { model, placed, free, number, memory, start, start_joints, compliance, time };
            acting::choose(&parts, touches, span, near * slow);
            let chosen: Vec<Touch> = touches.iter().filter(|touch| touch.acting).copied().collect();
            let sampling = Instant::now();
            patches::sample(model, placed, &chosen, &mut patches);
            let sampled = sampling.elapsed().as_secs_f64();
            let joints = parts.joint_rows(span, guess, ends)?;
            let mut rows = parts.rows(&chosen, (&patches, std::mem::take(&mut self.laws)), joints, span)?;
            let law = sampled + rows.law_seconds;
            report.seconds.law += law;
            report.seconds.solve += making.elapsed().as_secs_f64() - law;
            let solution = self.solve_rows(&mut rows, time, report)?;
            let integrating = Instant::now();
            let (problem, bounds, joints) = (&rows.problem, &rows.bounds[..], &rows.joints[..]);
            let solved = Solved { problem, touches: &chosen, bounds, joints, ends, solution: &solution };
            let after = solved.velocities(free);
            self.laws = LawStore::after(rows.laws, rows.law_keys);
            if acting::extend(&parts, touches, span, &after, self.settings.tolerance * slow) {
                if h > 0.0 {
                    last_joints = solved.joint_impulses().iter().map(|r| r / h).collect();
                    advance::remember(&solved, h, &mut last);
                }
                report.seconds.integrate += integrating.elapsed().as_secs_f64();
                continue;
            }
            let mut next = state.clone();
            let Finished { ends: moved, error, again } = advance::finish(&parts, &solved, &after, h, &mut next);
            let gap = parts.error(joints, solved.joint_impulses(), &next, h, ends);
            if h > 0.0 {
                solved.report(&model.bodies, h, report);
            }
            report.seconds.integrate += integrating.elapsed().as_secs_f64();
            self.patches = patches;
            return Ok(Outcome { next, ends: moved, gap, error, again });
        }
    }
}

impl Stepper for Impulse {
    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError> {
        if let Some([a, b]) = detect::blind(model) {
            return Err(StepError::Meshes { t: state.time, a: a.name.clone(), b: b.name.clone() });
        }
        let mut report = StepReport::default();
        let mut next = state.clone();
        let rest = model.gravity.length() * dt;
        let mut left = dt;
        self.find(model, &next, left, &mut report);
        report.penetration = self.detector.touches().iter().map(|touch| -touch.gap).fold(0.0, f64::max);
        let closed = |touch: &Touch| touch.gap <= CLOSED;
        if joints::unfit(model, &self.placed, next.time, dt) {
            self.advance(model, &mut next, Span::Impact { rest }, (left, false), closed, &mut report)?;
        }
        while let Some(moment) = self.next_bounce(model, rest, left)
            && report.impacts < self.settings.bounces
        {
            report.impacts += 1;
            if moment > 0.0 {
                let calm = |touch: &Touch| !bounces(model, touch, rest);
                left -= moment;
                self.walk(model, &mut next, (moment, left), CUTS, &calm, &mut report)?;
            }
            self.advance(model, &mut next, Span::Impact { rest }, (left, false), closed, &mut report)?;
        }
        if left > 0.0 {
            self.walk(model, &mut next, (left, dt), CUTS, &|_| true, &mut report)?;
        }
        next.time = state.time + dt;
        next.step = state.step + 1;
        report.joint_drift = joint::drift(&model.joints, &next);
        for (body, at) in model.bodies.iter().zip(&next.bodies) {
            if !(at.centre.is_finite() && at.velocity.is_finite() && at.angular_velocity.is_finite()) {
                return Err(StepError::NotFinite { t: state.time, body: body.name.clone() });
            }
        }
        *state = next;
        Ok(report)
    }
}

/// Whether a contact will bounce when it closes.
fn bounces(model: &Model, touch: &Touch, rest: f64) -> bool {
    touch.before.x < -rest && model.interaction(touch.pair).restitution > 0.0
}

/// When g + u t + ½ a t² gets to zero, for u < 0; at once if it is below.
fn closing(gap: f64, u: f64, a: f64) -> Option<f64> {
    if gap <= CLOSED {
        return Some(0.0);
    }
    // The smaller root, written so that nothing cancels: u < 0.
    let discriminant = u * u - 2.0 * a * gap;
    (discriminant >= 0.0).then(|| 2.0 * gap / (-u + discriminant.sqrt()))
}

/// Where all bodies are at the start of a step of length h, and how fast.
fn place(model: &Model, state: &State, h: f64, placed: &mut Vec<Placed>) {
    placed.clear();
    placed.extend(model.bodies.iter().zip(&state.bodies).map(|(body, at)| {
        let (velocity, angular_velocity) = match &body.motion {
            Motion::Static => (DVec3::ZERO, DVec3::ZERO),
            Motion::Dynamic(_) => (at.velocity, at.angular_velocity),
            Motion::Scripted(script) if h > 0.0 => script.velocity(state.time, h),
            Motion::Scripted(_) => (at.velocity, at.angular_velocity),
        };
        Placed { pose: at.pose(body), centre: at.centre, velocity, angular_velocity }
    }));
}
