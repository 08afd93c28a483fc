//! Friction after the elastic step, and what the contacts did.

use std::time::Instant;

use asperity_friction::ContactLaw;
use asperity_solve::problem::files::Snapshot;
use asperity_solve::problem::{Dynamics, ProblemError};
use asperity_solve::solver::{LawSource as _, Solution, Status};

use super::Smooth;
use super::contacts::SmoothContact;
use super::fields::Fields;
use super::friction::{Friction, over_masses};
use super::predict::Predicted;
use super::rows::Rows;
use crate::body::BodyState;
use crate::contact::{
    Contact, ContactImpulse, ContactRecord, KeyedLaws, LawSite, LawStore, LawView, MOST_ROWS, recall, sample_patches,
};
use crate::patch::PatchStore;
use crate::step::filter::Masses;
use crate::step::implicit::Span;
use crate::step::report::{SpanReport, StepLog};
use crate::step::solving::Solving;
use crate::step::{Corrector, StepError, StepperSettings};

/// A step with friction.
pub(super) struct Rubbed {
    /// Velocities of the degrees of freedom.
    pub(super) v: Vec<f64>,
    /// The bodies whose inertias they were found with.
    pub(super) last: Vec<BodyState>,
    pub(super) report: SpanReport,
}

/// Velocities of the degrees of freedom, and the bodies whose inertias they were found with.
#[derive(Clone, Copy)]
struct Ended<'a> {
    v: &'a [f64],
    last: &'a [BodyState],
}

impl Smooth {
    /// Friction to this residual, and the velocities that it leads to.
    pub(super) fn rub(
        &mut self,
        span: Span,
        fields: &Fields,
        predicted: Predicted,
        tolerance: f64,
        log: &mut StepLog,
    ) -> Result<Rubbed, StepError> {
        let Span { model, state, .. } = span;
        let Predicted { mut contacts, count, mut v, bodies: last, error } = predicted;
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
            let began = Instant::now();
            let friction =
                self.friction(span, fields, &contacts, &rows, Ended { v: &v, last: &last }).map_err(failed)?;
            log.effort.seconds.integrate += began.elapsed().as_secs_f64();
            self.keep(&friction, laws.laws(), &list);
            let StepperSettings { limit, time, .. } = self.settings;
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
        let mut report = self.report(span, &contacts, &rows, Ended { v: &v, last: &last }, laws.laws());
        (report.contacts, report.residual, report.status) = (count, residual.max(error), status);
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        self.laws = LawStore::after(laws, keys);
        self.patches = patches;
        Ok(Rubbed { v, last, report })
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
        fields: &Fields,
        contacts: &[SmoothContact],
        rows: &Rows,
        predicted: Ended,
    ) -> Result<Friction, ProblemError> {
        let dynamics = self.dynamics(span, predicted.last, rows)?;
        // Laws may have fewer rows than in the step before, whose friction the elastic step felt: that is taken off.
        let lost: Vec<SmoothContact> =
            contacts.iter().enumerate().filter_map(|(i, own)| own.beyond(rows.range(i).len())).collect();
        if lost.is_empty() {
            return Friction::new(dynamics, contacts, rows, predicted.v);
        }
        let all = Rows::new(&self.row_source(fields), &lost, |_| MOST_ROWS);
        let back: Vec<f64> = lost.iter().flat_map(|own| own.r.map(|r| -r)).collect();
        let v = self.dynamics(span, predicted.last, &all)?.velocities(predicted.v, &back)?;
        Friction::new(dynamics, contacts, rows, &v)
    }

    /// What answers to impulses along these rows.
    fn dynamics(&mut self, span: Span, last: &[BodyState], rows: &Rows) -> Result<Dynamics, ProblemError> {
        Ok(match self.settings.smooth.corrector {
            Corrector::Masses => over_masses(&Masses::new(&self.free, span), rows)?.into(),
            Corrector::Elastic => {
                self.free.linear(span, last.to_vec(), &rows.jacobian, self.settings.tolerance)?.into()
            }
        })
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
        Ended { v, last }: Ended,
        laws: &[ContactLaw],
    ) -> SpanReport {
        let impulses: Vec<f64> =
            contacts.iter().enumerate().flat_map(|(i, own)| &own.r[..rows.range(i).len()]).copied().collect();
        let mut push = vec![0.0; v.len()];
        rows.jacobian.add_response(&impulses, &mut push);
        let splitting = self.free.imbalance_left(span, last, v, push);
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
