//! Islands with joints, by Newton's method from the impulses of the step before.
//!
//! Joints alone, without stops and motors, are one linear system; sweeps would take as many rounds as a chain has
//! links, squared. With contacts, those that acted in the step before are taken to act, and the others to be open; the
//! ones that would then close are added, and it is solved again. In most steps nothing changes and that is all.
//! Contacts that stick and say the same twice, such as the two ends of a wheel's width, make the system singular, and
//! Newton's method slow: after a few steps the proximal-point iteration goes on. An island that is not solved here
//! keeps the impulses it had.

use super::super::{ContactSolver, LawSource, Newton, Proximal, Solution, SolveReport, Status, Stop};
use crate::problem::{ContactProblem, ProblemError, RowKind};

/// Joints are solved to this fraction of the tolerance: it costs nothing, and what is left over opens them.
const MARGIN: f64 = 1e-2;
/// Residuals that are not worth going below: rounding is near.
const LEAST: f64 = 1e-11;
/// Most steps of Newton's method at a time, without contacts and with them; of the proximal-point iteration after it;
/// and how often contacts are added.
const STEPS: usize = 30;
const CONTACT_STEPS: usize = 5;
const PROXIMAL_STEPS: usize = 30;
const ROUNDS: usize = 8;

/// What the stage came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JointsReport {
    /// Steps of Newton's method.
    pub(super) iterations: usize,
    /// Whether the time was up in one of its solves, which ended it.
    pub(super) out_of_time: bool,
}

/// The stage.
struct JointStage<'a> {
    problem: &'a ContactProblem,
    laws: &'a dyn LawSource,
    stop: Stop,
    /// The tolerance of the caller. Less than that is more than can be asked of every problem.
    accepted: f64,
    report: JointsReport,
}

/// Solves the islands with joints; those that have contacts too only if `contacts_too`.
pub(super) fn solve(
    problem: &ContactProblem,
    laws: &dyn LawSource,
    stop: Stop,
    contacts_too: bool,
    solution: &mut Solution,
) -> Result<JointsReport, ProblemError> {
    let accepted = stop.tolerance;
    let stop = Stop { tolerance: (MARGIN * accepted).max(LEAST), start: None, ..stop };
    let mut stage = JointStage { problem, laws, stop, accepted, report: JointsReport::default() };
    let mut u = vec![0.0; problem.rows()];
    for blocks in problem.islands() {
        let contacts = blocks.iter().filter(|i| stage.is_contact(**i)).count();
        if contacts == blocks.len() || contacts > 0 && !contacts_too {
            continue;
        }
        stage.solve_island(&blocks, contacts > 0, &mut u, solution)?;
        if stage.report.out_of_time {
            break;
        }
    }
    Ok(stage.report)
}

impl JointStage<'_> {
    fn is_contact(&self, i: usize) -> bool {
        *self.problem.kind(i) == RowKind::Contact
    }

    /// Solves an island with the contacts that act, and again with those that close added, until no further contact
    /// closes. `u` is room for velocities.
    fn solve_island(
        &mut self,
        blocks: &[usize],
        has_contacts: bool,
        u: &mut [f64],
        solution: &mut Solution,
    ) -> Result<(), ProblemError> {
        let problem = self.problem;
        let normal = |i: usize| problem.range(i).start;
        let mut r = solution.r.clone();
        let mut acts: Vec<bool> = blocks.iter().map(|i| !self.is_contact(*i) || r[normal(*i)] > 0.0).collect();
        for _ in 0..ROUNDS {
            let chosen: Vec<usize> = blocks.iter().zip(&acts).filter(|(_, acts)| **acts).map(|(i, _)| *i).collect();
            if !self.solve_chosen(blocks, &chosen, has_contacts, &mut r)? {
                return Ok(());
            }
            problem.velocities(&r, u);
            let mut closed = false;
            for (i, acts) in blocks.iter().zip(&mut acts).filter(|(_, acts)| !**acts) {
                *acts = u[normal(*i)] < 0.0;
                closed |= *acts;
            }
            if !closed {
                solution.r.copy_from_slice(&r);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Solves the chosen blocks of an island by themselves, and puts their impulses into `r`, with zero for its other
    /// blocks; whether they were solved.
    fn solve_chosen(
        &mut self,
        blocks: &[usize],
        chosen: &[usize],
        has_contacts: bool,
        r: &mut [f64],
    ) -> Result<bool, ProblemError> {
        let problem = self.problem;
        let contacts = chosen.iter().filter(|i| self.is_contact(**i));
        let numbers: Vec<usize> = contacts.map(|i| problem.law_of(*i)).collect();
        let part = problem.part(chosen);
        let mut own = Solution::zero(&part);
        for (k, i) in chosen.iter().enumerate() {
            own.r[part.range(k)].copy_from_slice(&r[problem.range(*i)]);
        }
        let steps = if has_contacts { CONTACT_STEPS } else { STEPS };
        let newton = Newton { iterations: steps, ..Newton::default() };
        let mut report = self.ask(&newton, &part, &numbers, &mut own)?;
        if has_contacts && !matches!(report.status, Status::Solved | Status::Time) {
            let proximal = Proximal { iterations: PROXIMAL_STEPS, ..Proximal::default() };
            report = self.ask(&proximal, &part, &numbers, &mut own)?;
        }
        let solved = report.status == Status::Solved || report.residual.worst() <= self.accepted;
        if !solved || self.report.out_of_time {
            return Ok(false);
        }
        blocks.iter().for_each(|i| r[problem.range(*i)].fill(0.0));
        for (k, i) in chosen.iter().enumerate() {
            r[problem.range(*i)].copy_from_slice(&own.r[part.range(k)]);
        }
        Ok(true)
    }

    fn ask(
        &mut self,
        solver: &dyn ContactSolver,
        part: &ContactProblem,
        contacts: &[usize],
        own: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        let report = solver.solve(part, &mut *self.laws.part(contacts), self.stop, own)?;
        self.report.iterations += report.iterations;
        self.report.out_of_time |= report.status == Status::Time;
        Ok(report)
    }
}
