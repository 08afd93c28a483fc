//! The contact problem of a step, solved in stages ([`StepSolve`]), and what the step makes of the answer.

use std::time::Instant;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::{LawSource, Status, StepSolve};

use super::Impulse;
use super::laws::SpanProblem;
use super::solved::Answer;
use crate::step::StepError;
use crate::step::report::Effort;

impl Impulse {
    /// Solves the problem of a span; a residual above the limit, or a solver that runs out of time, is an error.
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
        let settings = &self.settings;
        let stages = StepSolve { solver: &*self.solver, tolerance: settings.tolerance, time: settings.time };
        let solved = stages
            .solve(&span.problem, &mut span.laws, &mut solution)
            .map_err(|error| StepError::Problem { t, error: Box::new(error) })?;
        effort.seconds.solve += solving.elapsed().as_secs_f64();
        effort.iterations += solved.iterations;
        if solved.status == Status::Time {
            return Err(StepError::OutOfTime { t, limit: settings.time.as_secs_f64() });
        }
        let (residual, status, limit) = (solved.residual.scaled, solved.status, settings.limit);
        // A solver that replaces laws by simpler ones says so; its residual is the error of that choice.
        let beyond = residual.partial_cmp(&limit).is_none_or(|order| order.is_gt());
        if beyond && status != Status::Approximated {
            return Err(StepError::Unconverged { t, residual, status, limit });
        }
        Ok(Answer { solution, residual, status })
    }
}
