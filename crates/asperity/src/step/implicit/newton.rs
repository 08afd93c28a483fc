//! Newton's method on a step: look at the guess, and end there, go back half of the way, add contacts that were
//! missed, or solve and guess again.

use std::time::Instant;

use asperity_solve::problem::ProblemError;
use asperity_solve::solver::{LawSource as _, Status};

use super::dynamics::{Plan, Start};
use super::guess::Guess;
use super::iteration::{Iteration, Seen};
use super::rows::Rows;
use super::{Implicit, joints, mean_motion, spin};
use crate::body::BodyState;
use crate::contact::{ContactImpulse, ContactRecord, LawSite, LawStore, LawView, recall, sample_patches};
use crate::patch::PatchStore;
use crate::step::StepError;
use crate::step::report::{SpanReport, StepLog};
use crate::world::{ContactMemory, Model, State};

/// Residual that a contact problem is solved to, relative to the error of the guess that it is linear at.
const LOOSE: f64 = 1e-3;

/// Residual that a problem with joints is solved to at the end, relative to the tolerance: they have to close to less than
/// what their impulses are asked for.
const HELD: f64 = 1e-2;

/// How often contacts of elastic surfaces are added in a step, until it has to be shorter.
const SURFACE_PASSES: usize = 20;

/// Where a step leads to.
pub(super) struct Moved {
    pub(super) bodies: Vec<BodyState>,
    /// What is remembered of the contacts.
    pub(super) contacts: Vec<ContactMemory>,
    /// Mean forces of the rows of joints.
    pub(super) joints: Vec<f64>,
    pub(super) report: SpanReport,
}

/// How the iteration ended.
#[derive(Clone, Copy)]
struct Ended {
    error: f64,
    status: Status,
}

impl Implicit {
    /// Moves the world of `state` by a step of length h.
    pub(super) fn newton(
        &mut self,
        model: &Model,
        state: &State,
        plan: &Plan,
        h: f64,
        log: &mut StepLog,
    ) -> Result<Moved, StepError> {
        let failed = |error: ProblemError| StepError::Problem { t: state.time, error: Box::new(error) };
        self.kept.begin(model, state, plan, h).map_err(failed)?;
        let start = Start::new(model, state, plan, h);
        let guess = Guess::first(start.setting());
        let contacts = self.finder.first(model, &guess, h);
        log.penetration = contacts.iter().map(|own| -own.contact.gap).fold(log.penetration, f64::max);
        let mut iteration = Iteration::new(start, guess, contacts);
        // Laws borrow the patches. After an error the cache is empty.
        let mut patches = std::mem::take(&mut self.patches);
        let mut passes = 0;
        loop {
            self.follow(&mut iteration, &mut patches, log);
            let mut seen = self.look(&iteration, &patches, log)?;
            let error = iteration.error(&mut seen);
            let ended = self.ends(&iteration, error);
            if ended.is_none() && iteration.is_worse(error) {
                iteration.halve();
            } else if ended.is_some() && self.add_missed(&mut iteration, passes, log)? {
                passes += 1;
                iteration.restart();
            } else if let Some(ended) = ended {
                let moved = self.finish(iteration, seen, ended);
                self.patches = patches;
                return moved;
            } else {
                // Far from the end a problem need not be solved further than what its linearisation is worth.
                let loose = if self.settings.iterations == 1 { 0.0 } else { LOOSE * error.min(1.0) };
                let held = if model.joints.is_empty() { 1.0 } else { HELD };
                let tolerance = loose.max(held * self.settings.tolerance);
                let solved = self.solve_at(&iteration, &mut seen, tolerance, &mut log.effort)?;
                iteration.take(solved, &seen.rows, error);
            }
            self.laws = LawStore::after(seen.laws.laws, seen.laws.keys);
        }
    }

    /// Whether the iteration ends at a guess with this error.
    fn ends(&self, iteration: &Iteration, error: f64) -> Option<Ended> {
        let last = iteration.last.as_ref()?;
        if self.settings.iterations == 1 {
            return Some(Ended { error: last.residual, status: last.status });
        }
        let status = if error <= self.settings.tolerance { Status::Solved } else { Status::Iterations };
        let out = iteration.solves >= self.settings.iterations && !iteration.is_worse(error);
        (status == Status::Solved || out).then_some(Ended { error, status })
    }

    /// Brings the contacts, and the facets around them, up to date with the guess.
    fn follow(&mut self, iteration: &mut Iteration, patches: &mut PatchStore, log: &mut StepLog) {
        let Iteration { start, guess, contacts, placed, .. } = &mut *iteration;
        let began = Instant::now();
        if !guess.at_start {
            self.finder.update(start.model, placed, guess, start.h, contacts);
        }
        log.effort.seconds.detect += began.elapsed().as_secs_f64();
        let began = Instant::now();
        sample_patches(start.model, &iteration.guess.placed, &iteration.list(), patches);
        log.effort.seconds.law += began.elapsed().as_secs_f64();
    }

    /// Dynamics, laws and rows at the guess.
    fn look<'a>(
        &mut self,
        iteration: &Iteration<'a>,
        patches: &'a PatchStore,
        log: &mut StepLog,
    ) -> Result<Seen<'a>, StepError> {
        let Iteration { start, guess, contacts, .. } = iteration;
        let (model, state, list) = (start.model, start.state, iteration.list());
        let began = Instant::now();
        let site = LawSite { model, placed: &guess.placed, h: start.h, time: state.time, samples: 1 };
        let remembered = recall(&list, &state.contacts);
        let laws = site
            .laws(&list, &remembered, patches, &[], std::mem::take(&mut self.laws))
            .map_err(|fault| StepError::of_law(fault, model, &list, state.time))?;
        log.effort.seconds.law += began.elapsed().as_secs_f64();
        let began = Instant::now();
        let rows_of = |i: usize| laws.laws.laws()[i].rows() + 1;
        let mut rows = Rows::new(model, &start.plan.dofs, guess, contacts, rows_of, start.h);
        let joint_rows = joints::rows(start, &iteration.placed, guess)?;
        rows.add_joints(model, &start.plan.dofs, guess, &joint_rows);
        let pulls = joints::pulls(start, guess, &joint_rows, &iteration.joint_impulses);
        let seen = Seen { imbalance: start.imbalance(guess), rows, pulls, laws };
        log.effort.seconds.integrate += began.elapsed().as_secs_f64();
        Ok(seen)
    }

    /// Adds contacts that overlap at the guess and are not in the problem; whether it has to be solved again.
    fn add_missed(&mut self, iteration: &mut Iteration, passes: usize, log: &mut StepLog) -> Result<bool, StepError> {
        let began = Instant::now();
        let Iteration { start, guess, contacts, placed, .. } = iteration;
        let missed = self.finder.missed(start.model, placed, guess, start.h, contacts);
        log.effort.seconds.detect += began.elapsed().as_secs_f64();
        if let Some(first) = missed.contacts.last().filter(|_| missed.surfaces && passes == SURFACE_PASSES) {
            let [a, b] = first.contact.pair.map(|i| start.model.bodies[i as usize].name.clone());
            return Err(StepError::Crossing { t: start.state.time, a, b, passes });
        }
        if missed.contacts.is_empty() || (passes >= self.settings.passes && !missed.surfaces) {
            return Ok(false);
        }
        contacts.extend(missed.contacts);
        contacts.sort_by_key(|own| own.contact.name());
        Ok(true)
    }

    /// The end of a step, and what the contacts did.
    fn finish(&mut self, iteration: Iteration, seen: Seen, ended: Ended) -> Result<Moved, StepError> {
        let Iteration { start, mut guess, contacts, joint_impulses, last, .. } = iteration;
        let Ended { error, mut status } = ended;
        if last.is_some_and(|last| last.status == Status::Approximated) {
            status = Status::Approximated;
        }
        let limit = self.settings.limit;
        let beyond = error.partial_cmp(&limit).is_none_or(|order| order.is_gt());
        if beyond && status != Status::Approximated {
            return Err(StepError::Unconverged { t: start.state.time, residual: error, status, limit });
        }
        mean_motion::correct(start.model, start.state, &contacts, start.h, &mut guess);
        spin::restore(start.model, start.state, &contacts, start.h, &mut guess);
        let u = seen.rows.velocities(&guess.v);
        let (mut impulses, mut records) = (Vec::new(), Vec::new());
        for (i, own) in contacts.iter().enumerate() {
            let range = seen.rows.range(i);
            let (r, u) = (&own.r[..range.len()], &u[range]);
            if self.keep_contacts {
                let name = start.model.interaction(own.contact.pair).law.name();
                let law = LawView { law: &seen.laws.laws.laws()[i], name };
                records.push(ContactRecord::new(&own.contact, law, r, u));
            }
            if r[0] > 0.0 {
                impulses.push(ContactImpulse::new(&own.contact, r, u));
            }
        }
        let memory = impulses.iter().map(|own| own.memory(start.h)).collect();
        self.laws = LawStore::after(seen.laws.laws, seen.laws.keys);
        let report = SpanReport {
            contacts: contacts.len(),
            residual: error,
            status,
            impulses,
            records,
            ..SpanReport::default()
        };
        let joints = joint_impulses.iter().map(|r| r / start.h).collect();
        Ok(Moved { bodies: guess.bodies, contacts: memory, joints, report })
    }
}
