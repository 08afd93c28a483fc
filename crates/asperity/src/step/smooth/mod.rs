//! Frictional contact on smooth surfaces (Larionov, Fan and Pai 2021): bodies are kept apart by potentials, gaps are linear in
//! a step, and friction corrects the velocities of an elastic step.
//!
//! A step of length h:
//!
//! 1. *Contacts* ([`contacts`]): vertices and corners near the exact potential of a shape, or the sampled one of a surface
//!    ([`fields`], [`crate::geometry::potential`]). Gap Ψ/|∇Ψ|, normal ∇Ψ/|∇Ψ|, rows that carry velocities of samples ([`rows`]).
//! 2. *Elastic step* ([`FreeStep::constrained`]): the velocities v* that minimise ½|v − v*|² over the masses plus the elastic
//!    energy at the end, under ∂φ/∂q v* + φ/h ≥ 0 at every contact, with the friction impulses r_T of the step BEFORE acting
//!    from outside (*friction forwarding*): so elastic forces feel friction within the step. It gives r_N*, too.
//! 3. *Friction* ([`friction`]): what is left of the law is corrected over the masses, v⁺ = v* + M⁻¹ Jᵀ (r⁺ − r*), by any contact
//!    solver and any law. The dynamics are then off by what the elastic forces would answer to the correction, since these
//!    are those of v*; in a steady state the correction is zero, and so is this. It is measured in every step: the `splitting` of
//!    the report, |F(v⁺) − Jᵀ r⁺| relative to the size of its terms.
//! 4. *Where the step ends*: contacts that are linear where a step begins let a body that slides over a curved surface run
//!    against it. A normal that is behind by h v/ρ, ρ the radius of curvature, acts like a coefficient that is larger by as much. So the step is
//!    solved again with the contacts as they are where it ended, which is what backward Euler asks for. The friction that
//!    acts from outside is then that of the first solve.

mod contacts;
mod fields;
mod friction;
mod predict;
mod probes;
mod rows;
mod rub;
mod start;
#[cfg(test)]
mod tests;

use std::time::Instant;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::ContactSolver;

use self::contacts::{Contacts, Floor, SmoothContact};
use self::fields::{Fields, Torn};
use self::predict::Solve;
use self::rows::RowSource;
use self::rub::Rubbed;
use super::arrival::arrived;
use super::implicit::{FreeStep, Span};
use super::report::{SpanReport, StepLog};
use super::{Refusal, StepError, StepReport, Stepper, StepperEntry, StepperSettings};
use crate::body::BodyState;
use crate::contact::{ElasticSurfaces, LawStore};
use crate::patch::PatchStore;
use crate::world::{ContactMemory, Model, State};

/// How scenes ask for it.
pub(super) const ENTRY: StepperEntry = StepperEntry {
    name: "smooth",
    summary: "smooth potentials around surfaces, constrained elasticity, friction forwarded from step to step, any law and solver",
    make: |settings, solver| Box::new(Smooth::new(solver, settings)),
};

/// Residual of a solve that is followed by another one with contacts that are linear where it ended. What is left of it moves
/// the places where they are linear, which counts to the second order, and the friction that is forwarded, which is corrected.
const ROUGH: f64 = 1e-4;

/// Constrained elasticity with smooth potentials, and friction over the masses.
pub struct Smooth {
    solver: Box<dyn ContactSolver>,
    settings: StepperSettings,
    free: FreeStep,
    contacts: Contacts,
    fields: Option<Fields>,
    /// Surfaces of cloth with a thickness, which must not touch itself.
    surfaces: Option<ElasticSurfaces>,
    patches: PatchStore,
    laws: LawStore,
    keep_problem: bool,
    keep_contacts: bool,
    problem: Option<Snapshot>,
}

/// Where a step leads to, and what the contacts did.
struct Moved {
    bodies: Vec<BodyState>,
    contacts: Vec<ContactMemory>,
    report: SpanReport,
}

impl Smooth {
    /// With this solver for friction.
    pub fn new(solver: Box<dyn ContactSolver>, settings: StepperSettings) -> Self {
        Self {
            solver,
            settings,
            free: FreeStep::default(),
            contacts: Contacts::default(),
            fields: None,
            surfaces: None,
            patches: PatchStore::default(),
            laws: LawStore::default(),
            keep_problem: false,
            keep_contacts: false,
            problem: None,
        }
    }

    fn advance(&mut self, span: Span, log: &mut StepLog) -> Result<Moved, StepError> {
        let Span { model, state, .. } = span;
        let began = Instant::now();
        self.free.prepare(model);
        self.contacts.place(span);
        let mut fields = match self.fields.take().filter(|fields| fields.fit(model)) {
            Some(mut fields) => {
                fields.update(model, &self.contacts.placed);
                fields
            }
            None => Fields::new(model, &self.contacts.placed),
        };
        if state.step == 0
            && let Some(refusal) = start::inside(model, &self.contacts, &fields)
        {
            return Err(StepError::Start { t: state.time, refusal: Box::new(refusal) });
        }
        if let Some(Torn { body, error }) = fields.torn(model, &self.contacts.placed) {
            return Err(StepError::Torn { t: state.time, body: body.name.clone(), error: Box::new(error) });
        }
        if let Some(body) = start::folded(model, &self.contacts.placed, &mut self.surfaces) {
            return Err(StepError::Folded { t: state.time, body: body.name.clone() });
        }
        let found = self.contacts.find(span, &fields, &state.contacts);
        log.penetration = found.iter().map(|own| -own.contact.gap).fold(0.0, f64::max);
        log.effort.seconds.detect += began.elapsed().as_secs_f64();
        let rubbed = self.solve(span, &mut fields, found, log)?;
        self.fields = Some(fields);
        let began = Instant::now();
        let contacts = rubbed.report.impulses.iter().map(|own| own.memory(span.h)).collect();
        let bodies = self.free.end_after(span, &rubbed.last, &rubbed.v);
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        Ok(Moved { bodies, contacts, report: rubbed.report })
    }

    /// Solves the step with contacts that are linear where it begins, and again with those that are linear where it ends.
    fn solve(
        &mut self,
        span: Span,
        fields: &mut Fields,
        found: Vec<SmoothContact>,
        log: &mut StepLog,
    ) -> Result<Rubbed, StepError> {
        let floors: Vec<Floor> = found.iter().filter(|own| own.floor < 0.0).map(Floor::of).collect();
        let StepperSettings { tolerance, smooth, .. } = self.settings;
        let again = if found.is_empty() { 0 } else { smooth.relinearise };
        // What is solved again may be rough.
        let residual = |left: usize| if left > 0 { tolerance.max(ROUGH) } else { tolerance };
        let predicted = self.predict(span, fields, Solve { found, before: None, tolerance: residual(again) }, log)?;
        let mut rubbed = self.rub(span, fields, predicted, residual(again), log)?;
        for left in (0..again).rev() {
            let began = Instant::now();
            self.contacts.placed = self.free.placed(span, &rubbed.last, rubbed.v.clone());
            fields.update(span.model, &self.contacts.placed);
            let memory: Vec<ContactMemory> = rubbed.report.impulses.iter().map(|own| own.memory(span.h)).collect();
            let mut found = self.contacts.find(span, fields, &memory);
            contacts::lower(&mut found, &floors, span.h);
            log.effort.seconds.detect += began.elapsed().as_secs_f64();
            let solve = Solve { found, before: Some(&rubbed.v), tolerance: residual(left) };
            let predicted = self.predict(span, fields, solve, log)?;
            rubbed = self.rub(span, fields, predicted, residual(left), log)?;
        }
        Ok(rubbed)
    }

    fn row_source<'a>(&'a self, fields: &'a Fields) -> RowSource<'a> {
        let transport = self.settings.smooth.transport;
        RowSource { free: &self.free, placed: &self.contacts.placed, fields, transport }
    }
}

impl Stepper for Smooth {
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
