//! Implicit time stepping of rigid and elastic bodies: Newton's method on dynamics and contacts together.
//!
//! A step asks for velocities v⁺ and impulses r with F(v⁺) = J(q⁺)ᵀ r ([`dynamics`], backward Euler) and, at every
//! contact, its friction law at the end of the step: gap no less than zero, r_n ≥ 0, one of them zero, and the law of
//! friction between r_T and the slip J_T(q⁺) v⁺.
//!
//! Each iteration linearises the dynamics and the gaps at a guess, sees frames, friction laws and structure there, and
//! hands ONE contact problem with the sparse matrix A = M + h D + h² K to the contact solver ([`rows`]); its solution
//! is the next guess. It ends when dynamics and contacts are both solved at the guess itself, to the tolerance. With
//! `iterations = 1` it is the semi-implicit method of cloth simulation: one problem a step, linearised at its start.
//!
//! The imbalance of the dynamics is measured in |F|_A = √(Σ F_j²/A_jj), relative to the size of its terms; that of the
//! contacts is the residual of the contact problem that is made at the guess. A step of the iteration that makes the
//! larger of the two grow is shortened ([`newton`]). A time step whose iteration does not converge, as where a cloth
//! buckles, is cut in halves.

mod answer;
mod answered;
mod chord;
mod constrained;
mod contacts;
mod definite;
mod dofs;
mod dynamics;
mod free;
mod guess;
mod iteration;
mod joints;
mod kept;
mod mean_motion;
mod newton;
mod pull;
mod rows;
mod secants;
mod solve;
mod spin;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::{ContactSolver, Status};

pub(super) use self::answer::{LinearStep, Unanswered};
pub(super) use self::constrained::{Accuracy, Begin, Constrained, Constraints};
pub(super) use self::free::{FreeStep, Freedom, Span};

use self::contacts::Finder;
use self::dynamics::Plan;
use self::kept::Kept;
use super::arrival::arrived;
use super::report::{SpanReport, StepLog};
use super::start::{crossing, touchable, without_bounces_and_springs};
use super::{Refusal, StepError, StepReport, Stepper, StepperEntry, StepperSettings};
use crate::body::{Elastic, ElasticKind};
use crate::contact::LawStore;
use crate::joint;
use crate::patch::PatchStore;
use crate::world::{Linearised, Model, State};

/// How often a step is cut in halves where the iteration does not get there.
const MOST_CUTS: usize = 5;

/// Error, relative to the tolerance, of a step that is cut.
const ROUGH: f64 = 1e3;

/// How scenes ask for it.
pub(super) const ENTRY: StepperEntry = StepperEntry {
    name: "implicit",
    summary: "backward Euler for rigid bodies, cloth and solids: Newton's method on dynamics and contacts together, any law and solver",
    make: |settings, solver| Box::new(Implicit::new(solver, settings)),
};

/// Newton's method on dynamics and contacts, with any contact solver.
pub struct Implicit {
    solver: Box<dyn ContactSolver>,
    settings: StepperSettings,
    finder: Finder,
    plan: Option<Plan>,
    kept: Kept,
    patches: PatchStore,
    laws: LawStore,
    /// Room for the Hessians of elements.
    hessians: Vec<f64>,
    keep_problem: bool,
    keep_contacts: bool,
    problem: Option<Snapshot>,
}

impl Implicit {
    /// With this solver.
    pub fn new(solver: Box<dyn ContactSolver>, settings: StepperSettings) -> Self {
        Self {
            solver,
            settings,
            finder: Finder::default(),
            plan: None,
            kept: Kept::default(),
            patches: PatchStore::default(),
            laws: LawStore::default(),
            hessians: Vec::new(),
            keep_problem: false,
            keep_contacts: false,
            problem: None,
        }
    }
}

/// A stretch of time that is moved over at once.
#[derive(Clone, Copy)]
struct Stretch<'a> {
    model: &'a Model,
    plan: &'a Plan,
    /// Its length.
    h: f64,
    /// How often the step was cut in halves to get it.
    cuts: usize,
}

/// Where a span leads to, and what each part of it did.
struct Advanced {
    state: State,
    reports: Vec<SpanReport>,
}

impl Implicit {
    /// Moves a state over a span; where the iteration does not get there, over its two halves, one after the other.
    fn advance(&mut self, span: Stretch, state: &State, log: &mut StepLog) -> Result<Advanced, StepError> {
        let Stretch { model, plan, h, cuts } = span;
        let moved = self.newton(model, state, plan, h, log);
        let linearised = self.kept.linearised();
        let whole = moved.and_then(|moved| arrive(model, state, h, moved, linearised));
        let rough = ROUGH * self.settings.tolerance;
        let stays = match &whole {
            Ok(own) => own.reports[0].residual <= rough || own.reports[0].status == Status::Approximated,
            Err(error) => !error.may_vanish(),
        };
        if stays || cuts == MOST_CUTS || self.settings.iterations == 1 {
            return whole;
        }
        let half = Stretch { h: 0.5 * h, cuts: cuts + 1, ..span };
        let halves = self.advance(half, state, log).and_then(|first| {
            let second = self.advance(half, &first.state, log)?;
            Ok(Advanced { state: second.state, reports: [first.reports, second.reports].concat() })
        });
        halves.or(whole)
    }
}

/// The state that a span leads to.
fn arrive(
    model: &Model,
    state: &State,
    h: f64,
    moved: newton::Moved,
    linearised: Option<Linearised>,
) -> Result<Advanced, StepError> {
    let newton::Moved { bodies, contacts, joints, report } = moved;
    let bodies = arrived(model, state.time, bodies)?;
    let (time, step) = (state.time + h, state.step);
    let state = State { time, step, bodies, contacts, joints, linearised, ..State::default() };
    Ok(Advanced { state, reports: vec![report] })
}

impl Stepper for Implicit {
    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        touchable(model)?;
        let thin = |own: &Elastic| own.kind() == ElasticKind::Cloth && own.offset() == 0.0;
        if let Some(sheet) = model.bodies.iter().find(|body| body.elastic().is_some_and(thin))
            && let Some(other) = model.bodies.iter().find(|body| body.elastic().is_some() && body.name != sheet.name)
        {
            return Err(Refusal::ElasticPair { a: sheet.name.clone(), b: other.name.clone() });
        }
        without_bounces_and_springs(model)?;
        // A cloth without a thickness does not touch itself, so that it may also start in itself.
        let alone = model.bodies.iter().all(|body| body.elastic().is_none_or(thin));
        if alone { Ok(()) } else { crossing(model).map_or(Ok(()), Err) }
    }

    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError> {
        let plan = self.plan.take().filter(|plan| plan.fits(model)).unwrap_or_else(|| Plan::new(model));
        let mut log = StepLog::default();
        let advanced = self.advance(Stretch { model, plan: &plan, h: dt, cuts: 0 }, state, &mut log);
        self.plan = Some(plan);
        let Advanced { state: next, reports } = advanced?;
        reports.into_iter().for_each(|report| log.accept(report));
        let drift = joint::drift(&model.joints, &next.bodies, next.time);
        *state = State { step: state.step + 1, ..next };
        Ok(log.finish(dt, drift))
    }

    fn keep_problems(&mut self, keep: bool) {
        self.keep_problem = keep;
    }

    fn keep_contacts(&mut self, keep: bool) {
        self.keep_contacts = keep;
    }

    fn problem(&self) -> Option<&Snapshot> {
        self.problem.as_ref()
    }
}
