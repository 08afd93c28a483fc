//! Incremental potential contact (Li et al. 2020, 2021; Ferguson et al. 2021): bodies are kept apart by a barrier of their distances.
//!
//! A step of length h is the least of one potential ([`energy`]): inertia, elasticity, damping, barrier and lagged friction, found by projected
//! Newton's method with steps that continuous detection bounds ([`newton`]). So no state on the way, and none at the end, has surfaces that
//! cross, whatever happens. Friction is the smoothed dissipation of any set, with normal forces, contact planes and laws held fixed
//! ([`friction`]); they are brought up to date and the step is solved again until the loads no longer change, or `lags` times. What is left is stated:
//! the `splitting` of the report is the change of the loads that a further lag would make, the `residual` the natural map of the exact
//! law at forces and slips that came out.
//!
//! Cloth, solids, rigid bodies, scripted and animated obstacles all take part ([`surfaces`]). Rigid bodies have six degrees of freedom and stay
//! rigid: an affine body would have to be made rigid again at the end of a step, which can make it touch.

mod damping;
mod energy;
mod friction;
mod inner;
mod iterate;
mod matrix;
mod newton;
mod place;
mod report;
mod start;
mod surfaces;
mod turning;

use std::time::Instant;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::{ContactSolver, LawSource as _, Status};
use glam::DVec3;

use self::damping::Damping;
use self::energy::Energy;
use self::friction::{Ends, Rubbing, lag};
use self::iterate::Iterate;
use self::matrix::Matrix;
use self::newton::{Minimum, Newton, NewtonError, Wanted};
use self::place::Here;
use self::report::Made;
use self::surfaces::Surfaces;
use super::arrival::arrived;
use super::implicit::{FreeStep, Span};
use super::report::{SpanReport, StepLog};
use super::{Refusal, StepError, StepReport, Stepper, StepperEntry, StepperSettings};
use crate::body::BodyState;
use crate::contact::{Contact, LawSite, LawStore, place, sample_patches};
use crate::patch::PatchStore;
use crate::world::{ContactMemory, Model, State};

/// How scenes ask for it.
pub(super) const ENTRY: StepperEntry = StepperEntry {
    name: "barrier",
    summary: "incremental potential contact for rigid bodies, cloth and solids: a barrier keeps surfaces apart in every step, friction of any set, lagged",
    make: |settings, solver| Box::new(BarrierStepper::new(solver, settings)),
};

/// Most Newton iterations with one lag of friction.
const ITERATIONS: usize = 400;

/// Change of the loads, relative to their sum, below which friction is not lagged again.
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

/// Where friction is lagged.
#[derive(Clone, Copy)]
struct Lagging<'a> {
    /// Where collisions and loads are looked at.
    at: &'a Here,
    /// Where the step is thought to end.
    end: &'a Here,
    /// The goal of the step, if the slip is that of a step that ends here; `None` for that of the start.
    goal: Option<&'a Iterate>,
    /// Whether all of the step is between its start and that end.
    whole: bool,
}

/// Where a step leads to, and what the contacts did.
struct Moved {
    bodies: Vec<BodyState>,
    contacts: Vec<ContactMemory>,
    report: SpanReport,
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
        let (from, goal) = (Iterate::start(span), Iterate::predicted(span));
        let mut here = Here::new(from.clone(), surfaces);
        if state.step == 0 {
            let refusal = start::thick(span.model, surfaces).or_else(|| start::apart(span, surfaces, &here));
            if let Some(refusal) = refusal {
                return Err(StepError::Start { t: state.time, refusal: Box::new(refusal) });
            }
        }
        let positions = here.positions.clone();
        let planes = here.planes.clone();
        let ends = Ends {
            start: &from,
            from: &positions,
            planes: &planes,
            goal: &goal,
            h,
            eps_v: self.settings.barrier.eps_v,
        };
        let damping = Damping::new(span, &self.free, matrix);
        let mut energy = Energy { span, free: &self.free, ends, damping, rubbing: Vec::new() };
        let began = Instant::now();
        let wanted = Wanted { speed: self.settings.tolerance, iterations: ITERATIONS };
        let mut first = from.way_to(&goal, &self.free);
        self.without_gravity(span, &mut first);
        let fraction =
            Newton { energy: &energy, surfaces: &mut *surfaces, matrix: &mut *matrix }.bounded(&from, &first, 1.0);
        let next = Here::new(from.moved(&self.free, &first, &goal, fraction), surfaces);
        energy.rubbing =
            self.lag(span, surfaces, Lagging { at: &here, end: &next, goal: None, whole: fraction == 1.0 }, ends, log)?;
        here = next;
        let mut reached = fraction == 1.0;
        let (mut splitting, mut speed) = (0.0, 0.0);
        for round in 0..self.settings.barrier.lags.max(1) {
            let mut newton = Newton { energy: &energy, surfaces: &mut *surfaces, matrix: &mut *matrix };
            let failed = |error| failed(error, span, &energy.rubbing);
            let Minimum { here: end, iterations, speed: last, arrived } =
                newton.minimise(here, wanted, reached).map_err(failed)?;
            log.effort.iterations += iterations;
            (reached, speed) = (arrived, last);
            here = end;
            let lagging = Lagging { at: &here, end: &here, goal: Some(&goal), whole: reached };
            let later = self.lag(span, surfaces, lagging, ends, log)?;
            splitting = change(&energy.rubbing, &later);
            if splitting <= LAGGED || round + 1 == self.settings.barrier.lags.max(1) {
                break;
            }
            energy.rubbing = later;
        }
        log.effort.seconds.solve += began.elapsed().as_secs_f64();
        let made = self.made(state.time, reached.then_some(speed), splitting)?;
        let report = report::report(&energy, &here, self.keep_contacts, made)
            .map_err(|error| failed(NewtonError::Law(error), span, &energy.rubbing))?;
        let contacts = report.impulses.iter().map(|own| own.memory(h)).collect();
        Ok(Moved { bodies: here.at.arrive(span, &goal), contacts, report })
    }

    /// How a step ended: `speed` is that of the last Newton step, `None` if bodies whose motion is given did not arrive.
    fn made(&self, t: f64, speed: Option<f64>, splitting: f64) -> Result<Made, StepError> {
        let (residual, limit) = (speed.unwrap_or(f64::INFINITY), self.settings.limit);
        if residual.partial_cmp(&limit).is_none_or(|order| order.is_gt()) {
            return Err(StepError::Unconverged { t, residual, status: Status::Iterations, limit });
        }
        let solved = residual <= self.settings.tolerance && splitting <= LAGGED;
        Ok(Made { status: if solved { Status::Solved } else { Status::Iterations }, splitting })
    }

    /// Takes off what gravity adds: bodies that rest stay where they are at first.
    fn without_gravity(&self, Span { model, h, .. }: Span, p: &mut [f64]) {
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

    /// The contacts at a place with their laws; the slip is that of the start, or of a step that ends here.
    fn lag(
        &self,
        span: Span,
        surfaces: &Surfaces,
        lagging: Lagging,
        ends: Ends,
        log: &mut StepLog,
    ) -> Result<Vec<Rubbing>, StepError> {
        let began = Instant::now();
        let Span { model, state, h } = span;
        let Lagging { at: here, end, goal, .. } = lagging;
        let mut placed = Vec::new();
        match goal {
            None => place(model, state, h, &mut placed),
            Some(goal) => {
                let bodies = here.at.arrive(span, goal);
                place(model, &State { time: state.time, bodies, ..State::default() }, h, &mut placed);
            }
        }
        let mut list = lag(surfaces, here, end, &placed, ends);
        // Slip without the turn of both surfaces; of the start, if bodies can go on as they move.
        if lagging.whole {
            for own in &mut list {
                let slip = own.slip(&end.positions, ends);
                own.contact.before = DVec3::new(own.contact.before.x, slip.x, slip.y);
            }
        }
        let contacts: Vec<Contact> = list.iter().map(|own| own.contact).collect();
        let loads: Vec<ContactMemory> = list.iter().map(Rubbing::memory).collect();
        let mut patches = PatchStore::default();
        sample_patches(model, &placed, &contacts, &mut patches);
        let site = LawSite { model, placed: &placed, h, time: state.time, samples: 1 };
        let remembered: Vec<Option<&ContactMemory>> = loads.iter().map(Some).collect();
        let laws = site
            .laws(&contacts, &remembered, &patches, &[], LawStore::default())
            .map_err(|fault| StepError::of_law(fault, model, &contacts, state.time))?;
        for (own, law) in list.iter_mut().zip(laws.laws.laws()) {
            own.law = law.clone();
        }
        log.effort.seconds.law += began.elapsed().as_secs_f64();
        Ok(list)
    }
}

/// How much loads have changed, relative to their sum. Both lists are sorted by name.
fn change(before: &[Rubbing], after: &[Rubbing]) -> f64 {
    let find = |name| before.binary_search_by_key(&name, |own| own.contact.name()).ok();
    let total: f64 = after.iter().map(|own| own.lagged.load()).sum();
    let (mut known, mut off) = (0.0, 0.0);
    for own in after {
        let old = find(own.contact.name()).map_or(0.0, |i| before[i].lagged.load());
        known += old;
        off += (own.lagged.load() - old).abs();
    }
    let gone = before.iter().map(|own| own.lagged.load()).sum::<f64>() - known;
    if total + known > 0.0 { (off + gone.max(0.0)) / (total + known) } else { 0.0 }
}

fn failed(error: NewtonError, Span { model, state, .. }: Span, rubbing: &[Rubbing]) -> StepError {
    match error {
        NewtonError::Matrix(error) => StepError::Problem { t: state.time, error: Box::new(error.into()) },
        NewtonError::Law(error) => {
            let pair = rubbing.first().map_or([0, 0], |own| own.contact.pair);
            let [a, b] = pair.map(|i| model.bodies[i as usize].name.clone());
            StepError::Law { t: state.time, a, b, error: Box::new(error) }
        }
    }
}

impl Stepper for BarrierStepper {
    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        start::accepts(model)
    }

    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError> {
        let mut log = StepLog::default();
        let Moved { bodies, contacts, report } = self.advance(Span { model, state, h: dt }, &mut log)?;
        let bodies = arrived(model, state.time, bodies)?;
        log.accept(report);
        let (time, step) = (state.time + dt, state.step + 1);
        *state = State { time, step, bodies, contacts, ..State::default() };
        Ok(log.finish(dt, 0.0))
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
