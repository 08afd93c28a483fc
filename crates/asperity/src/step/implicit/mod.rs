//! Implicit time stepping of rigid and elastic bodies: Newton's method on dynamics and contacts together.
//!
//! A step asks for velocities v⁺ and impulses r with F(v⁺) = J(q⁺)ᵀ r ([`dynamics`], backward Euler) and, at every
//! contact, its friction law at the end of
//! the step: gap no less than zero, r_n ≥ 0, one of them zero, and the law of friction between r_T and the slip
//! J_T(q⁺) v⁺.
//!
//! Each iteration linearises the dynamics and the gaps at a guess, sees frames, friction laws and structure there,
//! and hands ONE contact problem with the
//! sparse matrix A = M + h D + h² K to the contact solver ([`rows`]); its solution is the next guess. It ends when
//! dynamics and contacts are both solved at
//! the guess itself, to the tolerance. With `iterations = 1` it is the semi-implicit method of cloth simulation: one
//! problem a step, linearised at its start.
//!
//! The imbalance of the dynamics is measured in |F|_A = √(Σ F_j²/A_jj), relative to the size of its terms; that of
//! the contacts is the residual of the contact
//! problem that is made at the guess. A step of the iteration that makes the larger of the two grow is shortened
//! ([`newton`]).

mod contacts;
mod dofs;
mod dynamics;
mod free;
mod guess;
mod iteration;
mod joints;
mod mean_motion;
mod newton;
mod rows;
mod solve;
mod spin;

use std::sync::Arc;

use asperity_solve::problem::Symbolic;
use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::ContactSolver;

pub(super) use self::free::{FreeStep, Freedom, Span};

use self::contacts::Finder;
use self::dynamics::Plan;
use super::report::StepLog;
use super::{Refusal, StepError, StepReport, Stepper, StepperEntry, StepperSettings};
use crate::body::{Body, BodyState};
use crate::contact::{LawStore, unsampled, unstoppable};
use crate::joint;
use crate::patch::PatchStore;
use crate::world::{Model, State};

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
    /// The order of elimination of the last problem: the next one has it too, while the same vertices touch.
    symbolic: Option<Arc<Symbolic>>,
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
            symbolic: None,
            patches: PatchStore::default(),
            laws: LawStore::default(),
            hessians: Vec::new(),
            keep_problem: false,
            keep_contacts: false,
            problem: None,
        }
    }
}

impl Stepper for Implicit {
    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        let names = |[a, b]: [&Body; 2]| (a.name.clone(), b.name.clone());
        if let Some((a, b)) = unstoppable(model).map(names) {
            return Err(Refusal::Meshes { a, b });
        }
        if let Some((a, b)) = unsampled(model).map(names) {
            return Err(Refusal::Facets { a, b });
        }
        let mut elastic = model.bodies.iter().filter(|body| body.elastic().is_some());
        if let (Some(a), Some(b)) = (elastic.next(), elastic.next()) {
            return Err(Refusal::ElasticPair { a: a.name.clone(), b: b.name.clone() });
        }
        model.bouncing().map(names).map_or(Ok(()), |(a, b)| Err(Refusal::Bounce { a, b }))
    }

    fn step(&mut self, model: &Model, state: &mut State, dt: f64) -> Result<StepReport, StepError> {
        let plan = self.plan.take().filter(|plan| plan.fits(model)).unwrap_or_else(|| Plan::new(model));
        let mut log = StepLog::default();
        let moved = self.newton(model, state, &plan, dt, &mut log);
        self.plan = Some(plan);
        let newton::Moved { bodies, contacts, joints, report } = moved?;
        let time = state.time + dt;
        for (body, at) in model.bodies.iter().zip(&bodies) {
            if !at.is_finite() {
                return Err(StepError::NotFinite { t: state.time, body: body.name.clone() });
            }
        }
        let mut next = State { time, step: state.step + 1, bodies, contacts, joints };
        for (body, at) in model.bodies.iter().zip(&mut next.bodies) {
            // The rigid motion nearest to an elastic body's is found once a step.
            if let (Some(elastic), BodyState::Mesh(at)) = (body.elastic(), at) {
                *at = Arc::new(elastic.state_of(at.positions.clone(), at.velocities.clone()));
            }
        }
        log.accept(report);
        let drift = joint::drift(&model.joints, &next.bodies, next.time);
        *state = next;
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
