//! The contact problem of a step, solved.
//!
//! In this order: nothing, if the impulses of the last step still hold; the laws of the slip that the step begins with, if they depend on it, so that of
//! stick and slip the step takes the one that goes on; the rows of joints by Newton's method ([`super::presolve`]); then the contact solver.

use std::time::Instant;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::problem::{ContactProblem, ProblemError, Residual, residual};
use asperity_solve::solver::{Frozen, LawSource, ModelLaws, Solution, SolveReport, Status, Stop, refresh};

use super::laws::SpanProblem;
use super::solved::Answer;
use super::{Impulse, presolve};
use crate::step::StepError;
use crate::step::report::Effort;

/// How much further than the tolerance a problem is solved, and how much further at rest.
const MARGIN: f64 = 0.3;
const REST_MARGIN: f64 = 0.01;
/// A start with a residual below this many tolerances is at rest: nothing has changed but what the last solve left.
const AT_REST: f64 = 100.0;

/// Brings velocities and laws up to date with the impulses: whether a law changed, and the residual.
fn look(problem: &ContactProblem, laws: &mut ModelLaws, solution: &mut Solution) -> (bool, Residual) {
    solution.u.resize(problem.rows(), 0.0);
    problem.velocities(&solution.r, &mut solution.u);
    let changed = refresh(problem, laws, &solution.r, &solution.u);
    (changed, residual(problem, laws.laws(), problem.scales(), &solution.r, &solution.u))
}

impl Impulse {
    /// Solves to the tolerance: nothing to do if the last impulses still hold. If not, further than the tolerance, so that what is left
    /// over does not grow above it for a while: at rest most steps then cost one look at the residual.
    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut ModelLaws,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        let began = Instant::now();
        let tolerance = self.settings.tolerance;
        let done = |residual: Residual, iterations: usize| {
            let seconds = began.elapsed().as_secs_f64();
            Ok(SolveReport { status: Status::Solved, residual, iterations, seconds })
        };
        let begun = laws.depends().then(|| Frozen(laws.laws().to_vec()));
        let (changed, found) = look(problem, laws, solution);
        if found.worst() <= tolerance {
            return done(found, 0);
        }
        let margin = if found.worst() <= AT_REST * tolerance { REST_MARGIN } else { MARGIN };
        let mut stop = Stop { tolerance: margin * tolerance, time: self.settings.time, start: Some(found) };
        let mut iterations = 0;
        if let (true, Some(mut begun)) = (changed, begun) {
            let mut near = solution.clone();
            let report = self.solver.solve(problem, &mut begun, Stop { start: None, ..stop }, &mut near)?;
            iterations = report.iterations;
            if matches!(report.status, Status::Solved | Status::Approximated) {
                *solution = near;
                stop.start = Some(look(problem, laws, solution).1);
            }
        }
        if problem.contacts() < problem.blocks() {
            // A solver that was asked for by name gets the contacts to itself.
            let contacts_too = self.solver.name() == "auto";
            iterations += presolve::joints(problem, laws, stop, contacts_too, solution)?;
            let (_, found) = look(problem, laws, solution);
            if found.worst() <= tolerance {
                return done(found, iterations);
            }
            stop.start = Some(found);
        }
        let mut report = self.solver.solve(problem, laws, stop, solution)?;
        report.iterations += iterations;
        if report.residual.worst() <= tolerance {
            report.status = Status::Solved;
        }
        Ok(report)
    }

    /// Solves the problem of a span; a residual above the limit is an error.
    pub(super) fn solve_rows(
        &mut self,
        span: &mut SpanProblem,
        t: f64,
        effort: &mut Effort,
    ) -> Result<Answer, StepError> {
        let mut solution = span.start.clone();
        if self.keep_problem {
            self.problem = Some(Snapshot::new(&span.problem, span.laws.laws(), &solution.r));
        }
        let solving = Instant::now();
        let solved = self
            .solve(&span.problem, &mut span.laws, &mut solution)
            .map_err(|error| StepError::Problem { t, error: Box::new(error) })?;
        effort.seconds.solve += solving.elapsed().as_secs_f64();
        effort.iterations += solved.iterations;
        let (residual, status, limit) = (solved.residual.scaled, solved.status, self.settings.limit);
        // A solver that replaces laws by simpler ones says so; its residual is the error of that choice.
        let beyond = residual.partial_cmp(&limit).is_none_or(|order| order.is_gt());
        if beyond && status != Status::Approximated {
            return Err(StepError::Unconverged { t, residual, status, limit });
        }
        Ok(Answer { solution, residual, status })
    }
}
