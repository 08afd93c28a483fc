//! One attempt at a span: choose the contacts that can act, solve, move the bodies.

use std::time::Instant;

use asperity_solve::solver::LawSource as _;

use super::carriers::Carriers;
use super::finish::{Finished, finish};
use super::free::FreeBodies;
use super::setup::Setup;
use super::solved::Solved;
use super::trial::{Outcome, Trial};
use super::{Impulse, acting, loaded, recoil, spring};
use crate::body::Twist;
use crate::contact::{LawStore, sample_patches};
use crate::step::StepError;
use crate::step::report::{Effort, SpanReport};
use crate::step::solving::Answer;
use crate::world::{Model, State};

/// Contacts whose normal velocity in free motion exceeds β by less than NEAR |g| h (m/s) are in the first problem: few
/// for solvers that factor matrices; more for those that sweep, for which a second round costs more than contacts that
/// do not act.
const NEAR: f64 = 3.0;
const NEAR_FOR_SWEEPS: f64 = 20.0;
/// Most solves again for the forces of springs: Newton's method takes three or four.
const SPRING_SOLVES: usize = 10;

impl Impulse {
    /// The state after a span, with those contacts of a trial that act.
    pub(super) fn attempt(
        &mut self,
        model: &Model,
        state: &State,
        trial: &mut Trial,
        carriers: &Carriers,
        effort: &mut Effort,
    ) -> Result<Outcome, StepError> {
        let began = Instant::now();
        let (span, h) = (trial.span, trial.span.length());
        let free = FreeBodies::new(model, state, h, &trial.turned);
        effort.seconds.integrate += began.elapsed().as_secs_f64();
        let fall = span.gained(model.gravity.length());
        let near = if self.solver.sweeps() { NEAR_FOR_SWEEPS } else { NEAR };
        // Laws borrow the patches while `solve_rows` needs all of `self`, and the set-up borrows the trial while its contacts
        // change. After an error both are empty.
        let mut patches = std::mem::take(&mut self.patches);
        let mut contacts = std::mem::take(&mut trial.contacts);
        let mut spring_solves = 0;
        loop {
            let making = Instant::now();
            let setup = trial.setup(model, state, &free, self.settings.compliance);
            let chosen = acting::choose(&setup, &mut contacts, near * fall);
            let sampled = timed(|| sample_patches(model, &trial.placed, &chosen, &mut patches));
            let joints = setup.joint_rows(&trial.guess, &trial.joints_at_end)?;
            let mut problem = setup.problem(&chosen, &patches, std::mem::take(&mut self.laws), joints)?;
            let law = sampled + problem.law_seconds;
            effort.seconds.law += law;
            effort.seconds.solve += making.elapsed().as_secs_f64() - law;
            let answer = self.solve_rows(&mut problem, state.time, effort)?;
            if let Some(kept) = self.problem.as_mut().filter(|_| self.keep_problem) {
                kept.set_names(chosen.iter().map(|contact| contact.name().to_string()).collect());
            }
            let integrating = Instant::now();
            let solved = Solved {
                problem: &problem.problem,
                contacts: &chosen,
                bounds: &problem.bounds,
                joints: &problem.joints,
                joints_at_end: &trial.joints_at_end,
                ends: &trial.ends,
                answer: &answer,
            };
            let after = solved.velocities(&free).map_err(|error| setup.failed(error))?;
            let records = if self.keep_contacts { setup.records(&solved, problem.laws.laws()) } else { Vec::new() };
            self.laws = LawStore::after(problem.laws, problem.law_keys);
            let misfit = spring_solves < SPRING_SOLVES
                && (spring::note(&setup, &solved, &mut contacts) | recoil::note(&setup, &solved, &mut contacts));
            spring_solves += usize::from(misfit);
            let pressed_in = loaded::note(&setup, &solved, &mut contacts);
            let slack = self.settings.tolerance * fall;
            if acting::extend(&setup, &mut contacts, &after, slack) || pressed_in || misfit {
                if h > 0.0 {
                    trial.joint_forces = solved.joint_impulses().iter().map(|r| r / h).collect();
                    trial.contact_forces = solved.impulses().iter().map(|own| own.memory(h)).collect();
                }
                effort.seconds.integrate += integrating.elapsed().as_secs_f64();
                continue;
            }
            let mut outcome = conclude(&setup, &solved, &after, carriers, state);
            (outcome.report.records, outcome.report.contacts) = (records, contacts.len());
            effort.seconds.integrate += integrating.elapsed().as_secs_f64();
            (self.patches, trial.contacts) = (patches, contacts);
            return Ok(outcome);
        }
    }
}

/// Seconds that a task takes.
fn timed(task: impl FnOnce()) -> f64 {
    let began = Instant::now();
    task();
    began.elapsed().as_secs_f64()
}

/// Where the velocities at the end of a span lead to from `state`.
fn conclude(setup: &Setup, solved: &Solved, after: &[Twist], carriers: &Carriers, state: &State) -> Outcome {
    let mut next = state.clone();
    let impulses = solved.impulses();
    let Finished { joints_at_end, energy_error, splitting, again, gains, allowed, carried, ends } =
        finish(setup, solved, after, &impulses, carriers, &mut next);
    let gap = setup.joint_gap(solved.joints, solved.joint_impulses(), &next, solved.joints_at_end);
    let Answer { residual, status, .. } = *solved.answer;
    let report = SpanReport { residual, splitting, status, impulses, ..SpanReport::default() };
    let exchanges = if setup.span.is_impact() { solved.exchanges(setup) } else { Vec::new() };
    Outcome { next, report, joints_at_end, gap, energy_error, again, gains, allowed, carried, ends, exchanges }
}
