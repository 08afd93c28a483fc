//! Incremental potential contact (Li et al. 2020, 2021; Ferguson et al. 2021): bodies are kept apart by a barrier of their distances.
//!
//! A step of length h is the least of one potential ([`energy`]): inertia, elasticity, damping, barrier and lagged friction, found by projected
//! Newton's method with steps that continuous detection bounds ([`newton`]). So no state on the way, and none at the end, has surfaces that
//! cross, whatever happens. Friction is the smoothed dissipation of any set, with normal forces, contact planes and laws held fixed
//! ([`friction`]); they are brought up to date and the step is solved again until that changes no force, or `lags` times. What is left is stated:
//! the `splitting` of the report is what lagged friction left in the dynamics ([`lagging`]), the `residual` the natural map of the exact
//! law, up to date at the end of the step, at the slips that came out. Steps are those of backward Euler or of BDF2 ([`rule`]).
//!
//! Cloth, solids, rigid bodies, scripted and animated obstacles all take part ([`surfaces`]). Rigid bodies have six degrees of freedom and stay
//! rigid: an affine body would have to be made rigid again at the end of a step, which can make it touch.

mod adaptive;
mod coupled;
mod coupling;
mod damping;
mod derivatives;
mod energy;
mod flat;
mod friction;
mod iterate;
mod lagging;
mod matrix;
mod newton;
mod outline;
mod place;
mod relaxation;
mod report;
mod rule;
mod search;
mod slip;
mod start;
mod surfaces;
mod turning;

use std::time::Instant;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::{ContactSolver, Status};

use self::coupled::{Coupled, Solved};
pub use self::coupling::Loads;
use self::damping::Damping;
use self::energy::Energy;
use self::friction::{Ends, Rubbing};
use self::iterate::Iterate;
use self::lagging::Lagging;
use self::matrix::Matrix;
use self::newton::{Minimum, Newton, NewtonError, Wanted};
use self::place::Here;
use self::relaxation::Relaxation;
use self::report::Made;
use self::rule::Base;
pub use self::rule::TimeRule;
pub use self::slip::SlipPotential;
use self::surfaces::Surfaces;
use super::arrival::arrived;
use super::implicit::{FreeStep, Span};
use super::report::{SpanReport, StepLog};
use super::{Refusal, StepError, StepReport, Stepper, StepperEntry, StepperSettings};
use crate::body::BodyState;
use crate::world::{BarrierMemory, ContactMemory, Model, State, Stiffness};

/// How scenes ask for it.
pub(super) const ENTRY: StepperEntry = StepperEntry {
    name: "barrier",
    summary: "incremental potential contact for rigid bodies, cloth and solids: a barrier keeps surfaces apart in every step, friction of any set, lagged",
    make: |settings, solver| Box::new(BarrierStepper::new(solver, settings)),
};

/// Most Newton iterations with one lag of friction.
const ITERATIONS: usize = 400;

/// What lagged friction may leave in the dynamics, relative to the sum of the loads ([`lagging`]).
const LAGGED: f64 = 1e-6;

/// Minimises an incremental potential.
pub struct BarrierStepper {
    settings: StepperSettings,
    free: FreeStep,
    parts: Option<Parts>,
    keep_contacts: bool,
}

/// What is the same in all steps of a model.
struct Parts {
    surfaces: Surfaces,
    matrix: Matrix,
    /// What it was made for: degrees of freedom, bodies, vertices, length of the step.
    made_for: (usize, usize, f64),
}

/// Where the rounds of a step ended.
struct Ended {
    here: Here,
    /// Friction that is up to date there.
    fresh: Vec<Rubbing>,
    /// Speed of the last Newton step, m/s; infinite if bodies whose motion is given did not arrive.
    speed: f64,
    /// What lagged friction left in the dynamics.
    splitting: f64,
}

/// Where a step leads to, and what the contacts did.
struct Moved {
    bodies: Vec<BodyState>,
    contacts: Vec<ContactMemory>,
    report: SpanReport,
    stiffness: Option<Stiffness>,
}

impl BarrierStepper {
    /// Contacts are part of the potential, and not solved by a solver: it is not used.
    pub fn new(_solver: Box<dyn ContactSolver>, settings: StepperSettings) -> Self {
        Self { settings, free: FreeStep::default(), parts: None, keep_contacts: false }
    }

    fn parts(&mut self, model: &Model, h: f64) -> Parts {
        let made_for = (self.free.dofs(), model.bodies.len(), h);
        match self.parts.take().filter(|own| own.made_for == made_for) {
            Some(own) => own,
            None => {
                let dhat = start::range(model, &self.settings.barrier);
                let stiffness = start::stiffness(model, &self.settings.barrier, dhat, h);
                let surfaces = Surfaces::new(model, &self.free, dhat, stiffness);
                Parts { surfaces, matrix: Matrix::new(model, &self.free), made_for }
            }
        }
    }

    fn advance(&mut self, span: Span, log: &mut StepLog) -> Result<Moved, StepError> {
        self.free.prepare(span.model);
        let mut parts = self.parts(span.model, span.h);
        parts.matrix.begin();
        let moved = self.minimise(span, &mut parts, log);
        self.parts = Some(parts);
        moved
    }

    fn minimise(&self, span: Span, parts: &mut Parts, log: &mut StepLog) -> Result<Moved, StepError> {
        let Parts { surfaces, matrix, .. } = parts;
        let Span { state, h, .. } = span;
        let base = Base::new(span, self.settings.barrier.rule);
        let (from, goal) = (Iterate::of(&base.bodies), Iterate::predicted(span, &base));
        let start = Here::new(Iterate::of(&state.bodies), surfaces);
        if state.step == 0 {
            let refusal = start::thick(span.model, surfaces).or_else(|| start::apart(span, surfaces, &start));
            if let Some(refusal) = refusal {
                return Err(StepError::Start { t: state.time, refusal: Box::new(refusal) });
            }
        }
        let vertices = surfaces.positions(&from);
        let ends = Ends {
            start: &start,
            base: &from,
            from: &vertices,
            goal: &goal,
            h: base.h,
            share: base.h / h,
            eps_v: self.settings.barrier.eps_v,
            friction: self.settings.barrier.friction,
        };
        let damping = Damping::new(span, &self.free, matrix);
        let mut energy = Energy { span, free: &self.free, base: &base, ends, damping, rubbing: Vec::new() };
        let known = state.barrier.as_ref().and_then(|own| own.stiffness);
        let added = self.stiffen(&energy, surfaces, matrix, known)?;
        let began = Instant::now();
        let ended = self.lagged(&mut energy, surfaces, matrix, log)?;
        log.effort.seconds.solve += began.elapsed().as_secs_f64();
        let made = self.made(state.time, &ended)?;
        let Ended { here, fresh, .. } = ended;
        energy.rubbing = fresh;
        let mut report = report::report(&energy, surfaces, &here, self.keep_contacts, made)
            .map_err(|fault| NewtonError::Law(fault).of_step(span, &energy.rubbing))?;
        let contacts = report.impulses.iter().map(|own| own.memory(h)).collect();
        let stiffness = self.settings.barrier.adaptive.then(|| adaptive::next(span.model, surfaces, &here, known));
        // What the next step begins with is what is stored: the difference comes from outside.
        let ratio = stiffness.map_or(1.0, |next| next.factor / surfaces.potential.stiffness);
        report.added = added + (ratio - 1.0) * report.stored;
        report.stored *= ratio;
        Ok(Moved { bodies: here.at.arrive(span, &goal, &base), contacts, report, stiffness })
    }

    /// Gives the barrier the stiffness that is remembered, or that a run begins with; what that adds to the energy it stores, J.
    fn stiffen(
        &self,
        energy: &Energy,
        surfaces: &mut Surfaces,
        matrix: &Matrix,
        known: Option<Stiffness>,
    ) -> Result<f64, StepError> {
        if !self.settings.barrier.adaptive {
            return Ok(0.0);
        }
        if let Some(own) = known {
            surfaces.potential.stiffness = own.factor;
            return Ok(0.0);
        }
        let (start, before) = (energy.ends.start, surfaces.potential.stiffness);
        let stored: f64 = start.barriers(surfaces).sum();
        let first = energy.first_stiffness(start, surfaces, matrix);
        let first = first.map_err(|fault| NewtonError::Law(fault).of_step(energy.span, &[]))?;
        surfaces.potential.stiffness = first;
        Ok((first / before - 1.0) * stored)
    }

    /// Minimises the potential, and again with friction that is up to date, until that changes no more.
    fn lagged(
        &self,
        energy: &mut Energy,
        surfaces: &mut Surfaces,
        matrix: &mut Matrix,
        log: &mut StepLog,
    ) -> Result<Ended, StepError> {
        let (span, ends) = (energy.span, energy.ends);
        let from = &ends.start.at;
        let mut first = from.way_to(ends.goal, &self.free);
        self.without_gravity(span.model, ends.h, &mut first);
        let fraction = Newton { energy, surfaces: &mut *surfaces, matrix: &mut *matrix }.bounded(from, &first, 1.0);
        let mut here = Here::new(from.moved(&self.free, &first, ends.goal, fraction), surfaces);
        let mut reached = fraction == 1.0;
        let lagging = Lagging { at: ends.start, end: &here, goal: None, whole: reached };
        energy.rubbing = energy.lag(surfaces, lagging, log)?;
        let wanted = Wanted { speed: self.settings.tolerance, iterations: ITERATIONS };
        let most = self.settings.barrier.lags.max(1);
        let mut relaxation = Relaxation::default();
        for round in 1.. {
            let failed = |error: NewtonError| error.of_step(span, &energy.rubbing);
            let mut newton = Newton { energy, surfaces: &mut *surfaces, matrix: &mut *matrix };
            let Minimum { here: end, iterations, speed, arrived } =
                newton.minimise(here, wanted, reached).map_err(failed)?;
            log.effort.iterations += iterations;
            (reached, here) = (arrived, end);
            let lagging = Lagging { at: &here, end: &here, goal: Some(ends.goal), whole: reached };
            let fresh = energy.lag(surfaces, lagging, log)?;
            let splitting = energy.unlagged(&fresh, &here, surfaces).map_err(|fault| failed(fault.into()))?;
            if splitting > LAGGED && reached && self.settings.barrier.loads.coupled_after(round, most) {
                let used = energy.rubbing.clone();
                let mut coupled = Coupled { energy, surfaces: &mut *surfaces, matrix: &mut *matrix, log };
                if let Some(Solved { here, fresh, speed }) = coupled.solve(&here, wanted)? {
                    return Ok(Ended { here, fresh, speed, splitting: 0.0 });
                }
                energy.rubbing = used;
            }
            if splitting <= LAGGED || round == most {
                let speed = if reached { speed } else { f64::INFINITY };
                return Ok(Ended { here, fresh, speed, splitting });
            }
            energy.rubbing = relaxation.next(&energy.rubbing, fresh);
        }
        unreachable!("the rounds end")
    }

    fn made(&self, t: f64, ended: &Ended) -> Result<Made, StepError> {
        let (&Ended { speed: residual, splitting, .. }, limit) = (ended, self.settings.limit);
        if residual.partial_cmp(&limit).is_none_or(|order| order.is_gt()) {
            return Err(StepError::Unconverged { t, residual, status: Status::Iterations, limit });
        }
        let solved = residual <= self.settings.tolerance && splitting <= LAGGED;
        Ok(Made { status: if solved { Status::Solved } else { Status::Iterations }, splitting })
    }

    /// Takes off what gravity adds: bodies that rest stay where they are at first.
    fn without_gravity(&self, model: &Model, h: f64, p: &mut [f64]) {
        let fall = model.gravity * (h * h);
        let mut take = |dof: usize| (0..3).for_each(|k| p[dof + k] -= fall[k]);
        for number in 0..model.bodies.len() {
            match self.free.freedom(number) {
                super::implicit::Freedom::Given => (),
                super::implicit::Freedom::Rigid(dof) => take(dof),
                super::implicit::Freedom::Vertices(dofs) => dofs.iter().flatten().for_each(|dof| take(*dof as usize)),
            }
        }
    }
}

impl Stepper for BarrierStepper {
    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        start::accepts(model, self.settings.barrier.friction)
    }

    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError> {
        let mut log = StepLog::default();
        let Moved { bodies, contacts, report, stiffness } = self.advance(Span { model, state, h: dt }, &mut log)?;
        let bodies = arrived(model, state.time, bodies)?;
        log.accept(report);
        let (time, step) = (state.time + dt, state.step + 1);
        let bodies_before = match self.settings.barrier.rule {
            TimeRule::Euler => Vec::new(),
            TimeRule::Bdf2 => std::mem::take(&mut state.bodies),
        };
        let remembered = stiffness.is_some() || !bodies_before.is_empty();
        let barrier = remembered.then_some(BarrierMemory { h: dt, bodies: bodies_before, stiffness });
        *state = State { time, step, bodies, contacts, barrier, ..State::default() };
        Ok(log.finish(dt, 0.0))
    }

    fn stored_energy(&mut self, model: &Model, state: &State, dt: f64) -> f64 {
        self.free.prepare(model);
        let mut parts = self.parts(model, dt);
        let here = Here::new(Iterate::of(&state.bodies), &mut parts.surfaces);
        let sum: f64 = here.barriers(&parts.surfaces).sum();
        self.parts = Some(parts);
        // Surfaces that touch or cross where a run begins are refused by its first step.
        if sum.is_finite() { sum } else { 0.0 }
    }

    /// There is no problem that a solver could be given: contacts are part of the potential.
    fn keep_problems(&mut self, _keep: bool) {}

    fn keep_contacts(&mut self, keep: bool) {
        self.keep_contacts = keep;
    }

    fn problem(&self) -> Option<&Snapshot> {
        None
    }
}
