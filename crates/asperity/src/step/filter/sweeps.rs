//! Repulsions and friction: sweeps over the contacts with inverse masses; or all contacts together with the elastic dynamics, where
//! solids are stiff (the module `stiff`).
//!
//! A visit solves one contact exactly, everything else held fixed, with the law at the load and slip that its
//! neighbours leave; sweeps go on until the residual is below the tolerance, or for [`SWEEPS`] of them. Friction must
//! brake: a contact at which the sweeps leave an impulse that drives, by as little as their error, gives up that
//! impulse.

use std::time::Instant;

use asperity_friction::ContactLaw;
use asperity_solve::problem::{ContactProblem, ProblemError};
use asperity_solve::solver::{ContactSolver as _, LawSource, ProxGaussSeidel, Solution, Status, Stop};
use glam::DVec3;

use super::contacts::FilterContact;
use super::momentum::{Torque, take_back};
use super::report::Acted;
use super::rows::Rows;
use super::{Filter, Trial};
use crate::contact::{
    Anchor, Contact, ContactImpulse, ContactRecord, KeyedLaws, LawSite, LawStore, LawView, MOST_ROWS, PlacedBody,
    recall, sample_patches,
};
use crate::patch::PatchStore;
use crate::step::StepError;
use crate::step::implicit::Span;
use crate::step::report::StepLog;

/// Most sweeps in a round. Heaps of cloth take thousands to the tolerance; what is left after these acts in the next step.
const SWEEPS: usize = 40;

/// Places along the way slid in a step at which coefficients that vary are read.
const SAMPLES: usize = 8;

/// How often contacts whose friction drives are looked for.
const BRAKINGS: usize = 8;

/// Slip that is none, as a fraction of what the friction impulse of a contact changes it by: the error that sweeps to
/// the tolerance leave.
const STILL: f64 = 1e-6;

impl Filter {
    /// Solves the contacts from the impulses that they have, and brings them and the velocities up to date.
    pub(super) fn sweep(
        &mut self,
        trial: &mut Trial,
        list: &mut [FilterContact],
        log: &mut StepLog,
    ) -> Result<Acted, StepError> {
        let Span { model, state, .. } = trial.span;
        if list.is_empty() {
            trial.v.copy_from_slice(&trial.free);
            return Ok(Acted { solved: true, ..Acted::default() });
        }
        let failed = |error: ProblemError| StepError::Problem { t: state.time, error: Box::new(error) };
        let mut contacts = std::mem::take(&mut self.bare);
        contacts.clear();
        contacts.extend(list.iter().map(|own| own.contact));
        let began = Instant::now();
        // Laws borrow the patches. After an error the cache is empty.
        let mut patches = std::mem::take(&mut self.patches);
        sample_patches(model, &self.contacts.placed, &contacts, &mut patches);
        let KeyedLaws { mut laws, keys } = self.contact_laws(trial.span, &contacts, &patches)?;
        log.effort.seconds.law += began.elapsed().as_secs_f64();
        let rows_of = |i: usize| laws.laws()[i].rows() + 1;
        let rows = Rows::new(&self.free, &trial.masses, &self.contacts.placed, list, rows_of).map_err(failed)?;
        let r = (0..list.len()).flat_map(|i| list[i].r[..rows_of(i)].to_vec()).collect();
        let start = Solution { r, u: Vec::new() };
        let mut linear = trial.linear.take();
        let Solved { problem, solution, residual, solved } = match &mut linear {
            None => self.over_masses(trial, rows, &mut laws, start, log)?,
            Some(linear) => self.over_elastic(trial, linear, &rows, &mut laws, start, log)?,
        };
        trial.linear = linear;
        for (i, own) in list.iter_mut().enumerate() {
            own.r = [0.0; MOST_ROWS];
            own.r[..problem.range(i).len()].copy_from_slice(&solution.r[problem.range(i)]);
        }
        let placed = &self.contacts.placed;
        let torques: Vec<Torque> = list.iter().filter_map(|own| torque(trial.span, placed, own)).collect();
        take_back(&self.free, trial.span, &torques, &mut trial.v);
        let mut acted = self.acted(trial.span, list, &problem, &solution, laws.laws());
        (acted.residual, acted.solved) = (residual, solved);
        self.laws = LawStore::after(laws, keys);
        (self.patches, self.bare) = (patches, contacts);
        Ok(acted)
    }

    /// Sweeps over the contacts, with impulses that act on masses; velocities after them.
    fn over_masses(
        &self,
        trial: &mut Trial,
        rows: Rows,
        laws: &mut dyn LawSource,
        mut solution: Solution,
        log: &mut StepLog,
    ) -> Result<Solved, StepError> {
        let (t, limit, began) = (trial.span.state.time, self.settings.time, Instant::now());
        let failed = |error: ProblemError| StepError::Problem { t, error: Box::new(error) };
        let problem = rows.over_masses(&trial.free).map_err(failed)?;
        let solver = ProxGaussSeidel { sweeps: SWEEPS, measure_every: 5, ..ProxGaussSeidel::default() };
        let stop = Stop { tolerance: self.settings.tolerance, time: limit, ..Stop::default() };
        let report = solver.solve(&problem, laws, stop, &mut solution).map_err(failed)?;
        if report.status == Status::Time {
            return Err(StepError::OutOfTime { t, limit: limit.as_secs_f64() });
        }
        brake(&problem, &mut solution);
        trial.v = problem.dynamics().velocities(&trial.free, &solution.r).map_err(failed)?;
        log.effort.seconds.solve += began.elapsed().as_secs_f64();
        log.effort.iterations += report.iterations;
        Ok(Solved { problem, solution, residual: report.residual.scaled, solved: report.status == Status::Solved })
    }

    /// The laws of the contacts, with coefficients averaged along the way of the step.
    fn contact_laws<'a>(
        &mut self,
        Span { model, state, h }: Span<'a>,
        contacts: &[Contact],
        patches: &'a PatchStore,
    ) -> Result<KeyedLaws<'a>, StepError> {
        let site = LawSite { model, placed: &self.contacts.placed, h, time: state.time, samples: SAMPLES };
        let remembered = recall(contacts, &state.contacts);
        site.laws(contacts, &remembered, patches, &[], std::mem::take(&mut self.laws))
            .map_err(|fault| StepError::of_law(fault, model, contacts, state.time))
    }

    /// What the contacts did.
    fn acted(
        &self,
        Span { model, .. }: Span,
        list: &[FilterContact],
        problem: &ContactProblem,
        solution: &Solution,
        laws: &[ContactLaw],
    ) -> Acted {
        let mut acted = Acted { contacts: list.len(), ..Acted::default() };
        let mut u = [0.0; MOST_ROWS];
        for (i, own) in list.iter().enumerate() {
            let r = &solution.r[problem.range(i)];
            let u = &mut u[..r.len()];
            u.copy_from_slice(&solution.u[problem.range(i)]);
            // The bound was taken off.
            u[0] += own.bound;
            if self.keep_contacts {
                let view = LawView { law: &laws[i], name: model.interaction(own.contact.pair).law.name() };
                acted.records.push(ContactRecord::new(&own.contact, view, r, u));
            }
            if r[0] > 0.0 {
                acted.impulses.push(ContactImpulse::new(&own.contact, r, u));
            }
        }
        acted.merge();
        acted
    }
}

/// A contact problem, and its solution.
pub(super) struct Solved {
    pub(super) problem: ContactProblem,
    pub(super) solution: Solution,
    pub(super) residual: f64,
    /// Whether the residual is below the tolerance.
    pub(super) solved: bool,
}

/// Takes back friction that drives: the impulse of such a contact is left out, until there is none. A slip that is as
/// small as the error of the sweeps is none: the contact sticks.
pub(super) fn brake(problem: &ContactProblem, solution: &mut Solution) {
    let mut drives = true;
    for round in 0..=BRAKINGS {
        solution.u.resize(problem.rows(), 0.0);
        problem.velocities(&solution.r, &mut solution.u);
        if !drives {
            break;
        }
        drives = false;
        for i in 0..problem.blocks() {
            let range = problem.range(i);
            let rows = range.start + 1..range.end;
            let (r, u) = (&mut solution.r[rows.clone()], &solution.u[rows]);
            let power: f64 = r.iter().zip(u).map(|(r, u)| r * u).sum();
            // After so many rounds what is left is without friction.
            if power > STILL * answer(problem, i, r) || round == BRAKINGS {
                drives |= r.iter().any(|r| *r != 0.0);
                r.fill(0.0);
            }
        }
    }
    for i in 0..problem.blocks() {
        let rows = problem.range(i).start + 1..problem.range(i).end;
        let (r, u) = (&solution.r[rows.clone()], &mut solution.u[rows]);
        if r.iter().zip(&*u).map(|(r, u)| r * u).sum::<f64>() > 0.0 {
            u.fill(0.0);
        }
    }
}

/// rᵀ W r of the friction rows of a contact: its impulse times the slip that this makes, J.
fn answer(problem: &ContactProblem, contact: usize, r: &[f64]) -> f64 {
    let (block, size) = (problem.diagonal(contact), r.len() + 1);
    r.iter().enumerate().map(|(k, r)| r * r * block[(k + 1) * size + k + 1]).sum()
}

/// The torque that the impulse at a contact of elastic surfaces makes out of nothing, since it acts at two points that
/// are apart.
fn torque(Span { model, .. }: Span, placed: &[PlacedBody], own: &FilterContact) -> Option<Torque> {
    let bodies = own.contact.pair.map(|i| i as usize);
    if bodies.iter().any(|body| model.bodies[*body].elastic().is_none()) {
        return None;
    }
    let impulse: DVec3 = (0..3).map(|k| own.contact.axis(k) * own.r[k]).sum();
    let [a, b] = [0, 1].map(|side| point(&own.contact.anchors[side], &placed[bodies[side]]));
    let torque = (a - b).cross(impulse);
    (torque != DVec3::ZERO).then_some(Torque { bodies, torque })
}

/// Where an anchor of an elastic body is.
fn point(anchor: &Anchor, body: &PlacedBody) -> DVec3 {
    let Some(mesh) = &body.mesh else { return body.centre };
    let at = |vertex: u32| mesh.positions()[vertex as usize];
    match anchor {
        Anchor::Rigid { arm } => body.centre + *arm,
        Anchor::Vertex { vertex } => at(*vertex),
        Anchor::Edge { vertices: [a, b], weights } => at(*a) * weights[0] + at(*b) * weights[1],
        Anchor::Triangle { triangle, weights } => {
            let [a, b, c] = mesh.corners(*triangle);
            a * weights[0] + b * weights[1] + c * weights[2]
        }
    }
}
