//! The contact problem of a step, solved in stages ([`StepSolve`]), and what the step makes of the answer.

use std::time::Instant;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::{LawSource, Solution, Status, StepSolve};

use super::Impulse;
use super::rows::Rows;
use crate::step::{StepError, StepReport};

impl Impulse {
    /// Solves the problem of some rows; a residual above the limit is an error.
    pub(super) fn solve_rows(
        &mut self,
        rows: &mut Rows,
        t: f64,
        report: &mut StepReport,
    ) -> Result<Solution, StepError> {
        let mut solution = rows.start.clone();
        if self.keep_problem {
            self.problem = Some(Snapshot::new(&rows.problem, rows.laws.laws(), &solution.r));
        }
        let solving = Instant::now();
        let settings = &self.settings;
        let stages = StepSolve { solver: &*self.solver, tolerance: settings.tolerance, time: settings.time };
        let solved = stages
            .solve(&rows.problem, &mut rows.laws, &mut solution)
            .map_err(|error| StepError::Problem { t, error: Box::new(error) })?;
        if solved.status == Status::Time {
            return Err(StepError::OutOfTime { t, limit: settings.time.as_secs_f64() });
        }
        report.seconds.solve += solving.elapsed().as_secs_f64();
        report.iterations += solved.iterations;
        let residual = solved.residual.scaled;
        report.residual = report.residual.max(residual);
        if !matches!(solved.status, Status::Solved) {
            report.status = solved.status;
        }
        let limit = settings.limit;
        // A solver that replaces laws by simpler ones says so; its residual is the error of that choice.
        let beyond = residual.partial_cmp(&limit).is_none_or(|order| order.is_gt());
        if beyond && solved.status != Status::Approximated {
            return Err(StepError::Unconverged { t, residual, status: solved.status, limit });
        }
        Ok(solution)
    }
}
