//! Moreau time stepping: impulses over a step, found for all contacts at once.
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
//! **Acting contacts.** Of the contacts that are found, the problem holds those that can act ([`acting`]): what comes out is the same as with all.
//!
//! **Missed contacts.** Contacts are linear in the step; a corner that swings round, or a body that passes an edge, can overlap at its end all
//! the same. Where it does by more than a little, a row is added that was linearised at that end, and the step is solved again
//! ([`missed`]). No overlap is ever pushed out by a velocity, so none adds energy.
//!
//! **Rotations.** Angular momentum is the variable: L⁺ = L + h τ + arms × impulses. The orientation moves as that of a free body
//! ([`rotation`]) with the mean momentum of the rule. During the solve the inertia is that of the orientation which the free body would
//! end with.
//!
//! The energy balance of both position rules is exact for velocities, and for bodies with the same inertia about every axis. Other bodies that
//! contacts turn exchange energy with the error of the rotation, of second order: a spinning top gains 1e-5 of its energy at 1 ms.
//!
//! **Bounces.** Contacts with restitution are events. A step is cut at the moment when such a contact closes; there an impact problem is
//! solved, u_n⁺ ≥ e |u_n|, without time passing; then the rest of the step goes on. Bounces slower than |g| dt are not resolved: they
//! count as contact.

mod acting;
mod advance;
mod detect;
mod missed;
mod patches;
mod rotation;
mod rows;

use std::time::{Duration, Instant};

use asperity_solve::problem::files::Snapshot;
use asperity_solve::problem::{ContactProblem, ProblemError, residual};
use asperity_solve::solver::{ContactSolver, LawSource, ModelLaws, Solution, SolveReport, Status, Stop, refresh};
use glam::DVec3;

use self::advance::Solved;
use self::detect::{Detector, Placed, Touch};
use self::rows::{Parts, Rows, Span};
use super::{StepError, StepReport, Stepper};
use crate::body::Motion;
use crate::patch::PatchStore;
use crate::world::{ContactMemory, Model, State};

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
}

impl Default for ImpulseSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, limit: 3e-2, time: Duration::from_secs(20), compliance: 1e-5, bounces: 16 }
    }
}

/// How often a step is solved again for contacts that were missed.
const PASSES: usize = 2;

/// Contacts that the free motion leaves open by at most so many |g| h are solved with from the start.
const NEAR: f64 = 3.0;

/// How much further than the tolerance a problem is solved, and how much further at rest.
const MARGIN: f64 = 0.3;
const REST_MARGIN: f64 = 0.01;
/// A start with a residual below this many tolerances is at rest: nothing has changed but what the last solve left.
const AT_REST: f64 = 100.0;

/// Gaps up to this count as closed when a bounce is looked for, m.
const CLOSED: f64 = 1e-9;

/// What a span is attempted with.
struct Attempt<'a> {
    placed: &'a [Placed],
    /// Forces that the solver starts from.
    start: &'a [ContactMemory],
    span: Span,
}

/// Moreau time stepping with any contact solver.
pub struct Impulse {
    solver: Box<dyn ContactSolver>,
    settings: ImpulseSettings,
    detector: Detector,
    touches: Vec<Touch>,
    placed: Vec<Placed>,
    patches: PatchStore,
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
            touches: Vec::new(),
            placed: Vec::new(),
            patches: PatchStore::default(),
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

    /// Solves to the tolerance: nothing to do if the last impulses still hold. If not, further than the tolerance, so that what is left
    /// over does not grow above it for a while: at rest most steps then cost one look at the residual.
    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut ModelLaws,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        let began = Instant::now();
        let mut u = vec![0.0; problem.rows()];
        problem.velocities(&solution.r, &mut u);
        refresh(problem, laws, &solution.r, &u);
        let found = residual(problem, laws.laws(), problem.scales(), &solution.r, &u);
        let tolerance = self.settings.tolerance;
        if found.worst() <= tolerance {
            solution.u = u;
            let seconds = began.elapsed().as_secs_f64();
            return Ok(SolveReport { status: Status::Solved, residual: found, iterations: 0, seconds });
        }
        let margin = if found.worst() <= AT_REST * tolerance { REST_MARGIN } else { MARGIN };
        let stop = Stop { tolerance: margin * tolerance, time: self.settings.time };
        let mut report = self.solver.solve(problem, laws, stop, solution)?;
        if report.residual.worst() <= tolerance {
            report.status = Status::Solved;
        }
        Ok(report)
    }

    /// Finds the contacts at the start of a span of length h.
    fn find(&mut self, model: &Model, state: &State, h: f64, report: &mut StepReport) {
        let began = Instant::now();
        place(model, state, h, &mut self.placed);
        self.touches.clear();
        self.touches.extend_from_slice(self.detector.find(model, &self.placed, h));
        report.seconds.detect += began.elapsed().as_secs_f64();
    }

    /// The moment, at most h away, at which the next bounce happens: none if there is none.
    fn next_bounce(&self, model: &Model, rest: f64, h: f64) -> Option<f64> {
        let acceleration = |body: u32| match model.bodies[body as usize].motion {
            Motion::Dynamic(_) => model.gravity,
            Motion::Static | Motion::Scripted(_) => DVec3::ZERO,
        };
        self.touches
            .iter()
            .filter(|touch| bounces(model, touch, rest))
            .filter_map(|touch| {
                let [a, b] = touch.pair.map(acceleration);
                closing(touch.gap, touch.before.x, (a - b).dot(touch.frame.normal()))
            })
            .filter(|moment| *moment <= h)
            .min_by(f64::total_cmp)
    }

    /// Moves over a span with the contacts that `keep` lets through. `left` is the time that will be stepped over next.
    fn advance(
        &mut self,
        model: &Model,
        state: &mut State,
        span: Span,
        left: f64,
        keep: impl Fn(&Touch) -> bool,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let placed = self.placed.clone();
        let mut touches: Vec<Touch> = self.touches.iter().copied().filter(keep).collect();
        let first = touches.clone();
        // Where the solver starts: the forces of the step before, then those of the pass before.
        let mut last = state.contacts.clone();
        for pass in 0.. {
            let attempt = Attempt { placed: &placed, start: &last, span };
            let next = self.attempt(model, state, &attempt, &mut touches, report)?;
            self.find(model, &next, left, report);
            let enough = pass == PASSES || matches!(span, Span::Impact { .. });
            if enough || !missed::add(model, &first, &self.touches, &placed, span, &mut touches) {
                *state = next;
                break;
            }
            last = next.contacts;
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
    ) -> Result<State, StepError> {
        let Attempt { placed, start, span } = *attempt;
        let began = Instant::now();
        let (h, slow) = match span {
            Span::Step(h) => (h, h * model.gravity.length()),
            Span::Impact { rest } => (0.0, rest),
        };
        let (free, number) = advance::free(model, state, h);
        report.seconds.integrate += began.elapsed().as_secs_f64();
        report.contacts = report.contacts.max(touches.len());
        let (memory, compliance, time) = (&state.contacts, self.settings.compliance, state.time);
        let mut last = start.to_vec();
        // Laws borrow the patches while the solver, which is ours, works.
        let mut patches = std::mem::take(&mut self.patches);
        loop {
            let making = Instant::now();
            let parts = Parts { model, placed, free: &free, number: &number, memory, start: &last, compliance, time };
            acting::choose(&parts, touches, span, NEAR * slow);
            let chosen: Vec<Touch> = touches.iter().filter(|touch| touch.acting).copied().collect();
            patches::sample(model, placed, &chosen, &mut patches);
            let mut rows = parts.rows(&chosen, &patches, span)?;
            report.seconds.law += making.elapsed().as_secs_f64();
            let solution = self.solve_rows(&mut rows, time, report)?;
            let integrating = Instant::now();
            let solved = Solved { problem: &rows.problem, touches: &chosen, bounds: &rows.bounds, solution: &solution };
            let ends = solved.ends(&free);
            let more = acting::extend(&parts, touches, span, &ends, self.settings.tolerance * slow);
            if more {
                if h > 0.0 {
                    advance::remember(&solved, h, &mut last);
                }
                report.seconds.integrate += integrating.elapsed().as_secs_f64();
                continue;
            }
            let mut next = state.clone();
            advance::finish(&parts, &solved, &ends, h, &mut next);
            if h > 0.0 {
                solved.report(h, report);
            }
            report.seconds.integrate += integrating.elapsed().as_secs_f64();
            drop(rows);
            self.patches = patches;
            return Ok(next);
        }
    }

    /// Solves the problem of some rows; a residual above the limit is an error.
    fn solve_rows(&mut self, rows: &mut Rows, t: f64, report: &mut StepReport) -> Result<Solution, StepError> {
        let mut solution = rows.start.clone();
        if self.keep_problem {
            self.problem = Some(Snapshot::new(&rows.problem, rows.laws.laws(), &solution.r));
        }
        let solving = Instant::now();
        let solved = self
            .solve(&rows.problem, &mut rows.laws, &mut solution)
            .map_err(|error| StepError::Problem { t, error: Box::new(error) })?;
        report.seconds.solve += solving.elapsed().as_secs_f64();
        report.iterations += solved.iterations;
        let residual = solved.residual.scaled;
        report.residual = report.residual.max(residual);
        if !matches!(solved.status, Status::Solved) {
            report.status = solved.status;
        }
        let limit = self.settings.limit;
        // A solver that replaces laws by simpler ones says so; its residual is the error of that choice.
        let beyond = residual.partial_cmp(&limit).is_none_or(|order| order.is_gt());
        if beyond && solved.status != Status::Approximated {
            return Err(StepError::Unconverged { t, residual, status: solved.status, limit });
        }
        Ok(solution)
    }
}

impl Stepper for Impulse {
    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        let mut next = state.clone();
        let rest = model.gravity.length() * dt;
        let mut left = dt;
        self.find(model, &next, left, &mut report);
        report.penetration = self.touches.iter().map(|touch| -touch.gap).fold(0.0, f64::max);
        while let Some(moment) = self.next_bounce(model, rest, left)
            && report.impacts < self.settings.bounces
        {
            report.impacts += 1;
            if moment > 0.0 {
                let calm = |touch: &Touch| !bounces(model, touch, rest);
                left -= moment;
                self.advance(model, &mut next, Span::Step(moment), left, calm, &mut report)?;
            }
            let closed = |touch: &Touch| touch.gap <= CLOSED;
            self.advance(model, &mut next, Span::Impact { rest }, left, closed, &mut report)?;
        }
        if left > 0.0 {
            self.advance(model, &mut next, Span::Step(left), dt, |_| true, &mut report)?;
        }
        next.time = state.time + dt;
        next.step = state.step + 1;
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
