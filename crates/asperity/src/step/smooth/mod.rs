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
//!    solved again with the contacts as they are where it ended, which is what backward Euler asks for.

mod contacts;
mod fields;
mod friction;
mod rows;
mod start;
#[cfg(test)]
mod tests;

use std::time::Instant;

use asperity_friction::ContactLaw;
use asperity_solve::problem::ProblemError;
use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::{ContactSolver, LawSource as _, Solution, Status};

use self::contacts::{Contacts, Floor, SmoothContact};
use self::fields::Fields;
use self::friction::{Friction, over_masses, takes_part};
use self::rows::{RowSource, Rows};
use super::arrival::arrived;
use super::filter::Masses;
use super::implicit::{Accuracy, Constrained, Constraints, FreeStep, Span};
use super::report::{SpanReport, StepLog};
use super::solving::Solving;
use super::{Corrector, Refusal, StepError, StepReport, Stepper, StepperEntry, StepperSettings};
use crate::body::BodyState;
use crate::contact::{
    Contact, ContactImpulse, ContactRecord, ElasticSurfaces, KeyedLaws, LawSite, LawStore, LawView, MOST_ROWS, recall,
    sample_patches,
};
use crate::patch::PatchStore;
use crate::world::{ContactMemory, Model, State};

/// How scenes ask for it.
pub(super) const ENTRY: StepperEntry = StepperEntry {
    name: "smooth",
    summary: "smooth potentials around surfaces, constrained elasticity, friction forwarded from step to step, any law and solver",
    make: |settings, solver| Box::new(Smooth::new(solver, settings)),
};

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

/// A step with friction.
struct Rubbed {
    /// Velocities of the degrees of freedom.
    v: Vec<f64>,
    report: SpanReport,
}

/// The elastic step of a step.
struct Predicted {
    /// The contacts that take part in friction, with the impulses that the velocities are made with.
    contacts: Vec<SmoothContact>,
    /// How many there were.
    count: usize,
    v: Vec<f64>,
    /// What is left of the dynamics.
    error: f64,
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
        if let Some(body) = start::folded(model, &self.contacts.placed, &mut self.surfaces) {
            return Err(StepError::Folded { t: state.time, body: body.name.clone() });
        }
        let found = self.contacts.find(span, &fields);
        log.penetration = found.iter().map(|own| -own.contact.gap).fold(0.0, f64::max);
        log.effort.seconds.detect += began.elapsed().as_secs_f64();
        let rubbed = self.solve(span, &mut fields, found, log)?;
        self.fields = Some(fields);
        let began = Instant::now();
        let contacts = rubbed.report.impulses.iter().map(|own| own.memory(span.h)).collect();
        let bodies = self.free.end(span, &rubbed.v);
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
        let predicted = self.predict(span, fields, found, None, log)?;
        let mut rubbed = self.rub(span, fields, predicted, log)?;
        for _ in 0..self.settings.smooth.relinearise {
            if rubbed.report.contacts == 0 {
                break;
            }
            let began = Instant::now();
            self.contacts.placed = self.free.placed(span, rubbed.v.clone());
            fields.update(span.model, &self.contacts.placed);
            let mut found = self.contacts.find(span, fields);
            contacts::lower(&mut found, &floors, span.h);
            log.effort.seconds.detect += began.elapsed().as_secs_f64();
            let predicted = self.predict(span, fields, found, Some(&rubbed.v), log)?;
            rubbed = self.rub(span, fields, predicted, log)?;
        }
        Ok(rubbed)
    }

    fn row_source<'a>(&'a self, fields: &'a Fields) -> RowSource<'a> {
        let transport = self.settings.smooth.transport;
        RowSource { free: &self.free, placed: &self.contacts.placed, fields, transport }
    }

    /// The elastic step with gaps that stay open, under the friction of the step before. Contacts are linear where the step
    /// begins, or where these velocities lead.
    fn predict(
        &mut self,
        span: Span,
        fields: &Fields,
        mut contacts: Vec<SmoothContact>,
        seen_at: Option<&[f64]>,
        log: &mut StepLog,
    ) -> Result<Predicted, StepError> {
        let Span { model, h, .. } = span;
        if !self.settings.smooth.forwarding {
            contacts.iter_mut().for_each(|own| own.r[1..].fill(0.0));
        }
        // Spin and rolling impulses of the step before, where there were any.
        let width = |own: &SmoothContact| if own.r[3..].iter().any(|r| *r != 0.0) { MOST_ROWS } else { 3 };
        let mut rows = Rows::new(&self.row_source(fields), &contacts, |i| width(&contacts[i]));
        // Nothing moves a contact of vertices that are all pinned.
        let count = contacts.len();
        let mut moves = (0..count).map(|i| !rows.jacobian.block(i).dofs.is_empty());
        contacts.retain(|_| moves.next().unwrap_or(true));
        if contacts.len() < count {
            rows = Rows::new(&self.row_source(fields), &contacts, |i| width(&contacts[i]));
        }
        if let Some(v) = seen_at {
            let rates = rows.velocities(v);
            contacts.iter_mut().enumerate().for_each(|(i, own)| own.bound += rates[rows.range(i).start]);
        }
        let constraints = self.constraints(&contacts, &rows);
        let start = contacts.iter().map(|own| own.r[0]).collect();
        let StepperSettings { tolerance, iterations, time, limit, .. } = self.settings;
        let wanted = Accuracy { tolerance, iterations, time };
        let Constrained { v, r, error } = self.free.constrained(span, &constraints, start, wanted, &mut log.effort)?;
        if error.is_nan() || error > limit {
            let status = Status::Iterations;
            return Err(StepError::Unconverged { t: span.state.time, residual: error, status, limit });
        }
        contacts.iter_mut().zip(&r).for_each(|(own, r)| own.r[0] = *r);
        let u = rows.velocities(&v);
        let size = model.bodies.iter().filter(|body| body.is_dynamic()).map(|body| body.reach()).fold(0.0, f64::max);
        let nearest = 2.0 * size * self.settings.smooth.prune;
        let mut rates = (0..contacts.len()).map(|i| u[rows.range(i).start]).collect::<Vec<_>>().into_iter();
        let count = contacts.len();
        contacts.retain(|own| takes_part(own, rates.next().unwrap_or(0.0), h, nearest));
        Ok(Predicted { contacts, count, v, error })
    }

    /// What the elastic step must obey: gaps that stay open, under the friction of the step before.
    fn constraints(&self, contacts: &[SmoothContact], rows: &Rows) -> Constraints {
        let mut friction: Vec<f64> = Vec::with_capacity(rows.given.len());
        for (i, own) in contacts.iter().enumerate() {
            friction.extend_from_slice(&own.r[..rows.range(i).len()]);
            friction[rows.range(i).start] = 0.0;
        }
        let mut push = vec![0.0; self.free.dofs()];
        rows.jacobian.add_response(&friction, &mut push);
        let bound = |(i, own): (usize, &SmoothContact)| own.bound - rows.given[rows.range(i).start];
        Constraints { rows: rows.normals(), bounds: contacts.iter().enumerate().map(bound).collect(), push }
    }

    /// Friction, and the velocities that it leads to.
    fn rub(
        &mut self,
        span: Span,
        fields: &Fields,
        predicted: Predicted,
        log: &mut StepLog,
    ) -> Result<Rubbed, StepError> {
        let Span { model, state, .. } = span;
        let Predicted { mut contacts, count, mut v, error } = predicted;
        let list: Vec<Contact> = contacts.iter().map(|own| own.contact).collect();
        let began = Instant::now();
        // Laws borrow the patches. After an error the cache is empty.
        let mut patches = std::mem::take(&mut self.patches);
        sample_patches(model, &self.contacts.placed, &list, &mut patches);
        let KeyedLaws { mut laws, keys } = self.contact_laws(span, &list, &patches)?;
        log.effort.seconds.law += began.elapsed().as_secs_f64();
        let rows = Rows::new(&self.row_source(fields), &contacts, |i| laws.laws()[i].rows() + 1);
        let (mut residual, mut status) = (0.0, Status::Solved);
        if !contacts.is_empty() {
            let failed = |error: ProblemError| StepError::Problem { t: state.time, error: Box::new(error) };
            let friction = self.friction(span, &contacts, &rows, &v, log).map_err(failed)?;
            self.keep(&friction, laws.laws(), &list);
            let StepperSettings { tolerance, limit, time, .. } = self.settings;
            let solving = Solving { solver: &*self.solver, tolerance, limit, time };
            let start = Solution { r: friction.impulses, u: Vec::new() };
            let answer = solving.solve(&friction.problem, &mut laws, start, state.time, &mut log.effort)?;
            (residual, status) = (answer.residual, answer.status);
            v = friction.problem.dynamics().velocities(&friction.free, &answer.solution.r).map_err(failed)?;
            for (i, own) in contacts.iter_mut().enumerate() {
                own.r = [0.0; MOST_ROWS];
                own.r[..rows.range(i).len()].copy_from_slice(&answer.solution.r[rows.range(i)]);
            }
        }
        let began = Instant::now();
        let mut report = self.report(span, &contacts, &rows, &v, laws.laws());
        (report.contacts, report.residual, report.status) = (count, residual.max(error), status);
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        self.laws = LawStore::after(laws, keys);
        self.patches = patches;
        Ok(Rubbed { v, report })
    }

    /// The laws of the contacts.
    fn contact_laws<'a>(
        &mut self,
        Span { model, state, h }: Span<'a>,
        list: &[Contact],
        patches: &'a PatchStore,
    ) -> Result<KeyedLaws<'a>, StepError> {
        let site = LawSite { model, placed: &self.contacts.placed, h, time: state.time, samples: 1 };
        let remembered = recall(list, &state.contacts);
        site.laws(list, &remembered, patches, &[], std::mem::take(&mut self.laws))
            .map_err(|fault| StepError::of_law(fault, model, list, state.time))
    }

    /// The contact problem of friction.
    fn friction(
        &mut self,
        span: Span,
        contacts: &[SmoothContact],
        rows: &Rows,
        predicted: &[f64],
        log: &mut StepLog,
    ) -> Result<Friction, ProblemError> {
        let began = Instant::now();
        let dynamics = match self.settings.smooth.corrector {
            Corrector::Masses => over_masses(&Masses::new(&self.free, span), rows)?.into(),
            Corrector::Elastic => self.free.linear(span, predicted, rows.jacobian.clone())?.into(),
        };
        let friction = Friction::new(dynamics, contacts, rows, predicted);
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        friction
    }

    /// Keeps a copy of the contact problem, if that is wanted.
    fn keep(&mut self, friction: &Friction, laws: &[ContactLaw], list: &[Contact]) {
        if self.keep_problem {
            let mut kept = Snapshot::new(&friction.problem, laws, &friction.impulses);
            kept.set_names(list.iter().map(|contact| contact.name().to_string()).collect());
            self.problem = Some(kept);
        }
    }

    /// What the contacts did, and what is left of the dynamics.
    fn report(
        &mut self,
        span: Span,
        contacts: &[SmoothContact],
        rows: &Rows,
        v: &[f64],
        laws: &[ContactLaw],
    ) -> SpanReport {
        let impulses: Vec<f64> =
            contacts.iter().enumerate().flat_map(|(i, own)| &own.r[..rows.range(i).len()]).copied().collect();
        let mut push = vec![0.0; v.len()];
        rows.jacobian.add_response(&impulses, &mut push);
        let splitting = self.free.imbalance_left(span, v, push);
        let mut report = SpanReport { splitting, ..SpanReport::default() };
        let u = rows.velocities(v);
        for (i, own) in contacts.iter().enumerate() {
            let (r, u) = (&own.r[..rows.range(i).len()], &u[rows.range(i)]);
            if self.keep_contacts {
                let view = LawView { law: &laws[i], name: span.model.interaction(own.contact.pair).law.name() };
                report.records.push(ContactRecord::new(&own.contact, view, r, u));
            }
            if r[0] > 0.0 {
                report.impulses.push(ContactImpulse::new(&own.contact, r, u));
            }
        }
        report
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
        *state = State { time, step, bodies, contacts, joints: Vec::new(), linearised: None, barrier: None };
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
