//! The contact problem of a step, solved in stages ([`StepSolve`]), and what a stepper makes of the answer.

use std::time::{Duration, Instant};

use asperity_solve::problem::ContactProblem;
use asperity_solve::solver::{ContactSolver, LawSource, Solution, Status, StepSolve};

use super::StepError;
use super::report::Effort;

/// How contact problems are solved.
#[derive(Clone, Copy)]
pub(super) struct Solving<'a> {
    pub(super) solver: &'a dyn ContactSolver,
    /// Residual to solve to, and the largest that is allowed.
    pub(super) tolerance: f64,
    pub(super) limit: f64,
    /// Longest time for a problem.
    pub(super) time: Duration,
}

/// What a solver answers with.
pub(super) struct Answer {
    pub(super) solution: Solution,
    pub(super) residual: f64,
    pub(super) status: Status,
}

impl Solving<'_> {
    /// Solves a problem of time t from the impulses of `start`; a residual above the limit, or a solver that runs out of time, is an error.
    pub(super) fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        start: Solution,
        t: f64,
        effort: &mut Effort,
    ) -> Result<Answer, StepError> {
        let mut solution = start;
        let began = Instant::now();
        let stages = StepSolve { solver: self.solver, tolerance: self.tolerance, time: self.time };
        let solved = stages
            .solve(problem, laws, &mut solution)
            .map_err(|error| StepError::Problem { t, error: Box::new(error) })?;
        effort.seconds.solve += began.elapsed().as_secs_f64();
        effort.iterations += solved.iterations;
        if solved.status == Status::Time {
            return Err(StepError::OutOfTime { t, limit: self.time.as_secs_f64() });
        }
        let (residual, status, limit) = (solved.residual.scaled, solved.status, self.limit);
        // A solver that replaces laws by simpler ones says so; its residual is the error of that choice.
        let beyond = residual.partial_cmp(&limit).is_none_or(|order| order.is_gt());
        if beyond && status != Status::Approximated {
            return Err(StepError::Unconverged { t, residual, status, limit });
        }
        Ok(Answer { solution, residual, status })
    }
}
