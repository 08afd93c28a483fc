//! The contact problem of a span, solved.

use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::LawSource;

use super::Impulse;
use super::laws::SpanProblem;
use crate::step::StepError;
use crate::step::report::Effort;
use crate::step::solving::{Answer, Solving};

impl Impulse {
    /// Solves the problem of a span; a residual above the limit, or a solver that runs out of time, is an error.
    pub(super) fn solve_rows(
        &mut self,
        span: &mut SpanProblem,
        t: f64,
        effort: &mut Effort,
    ) -> Result<Answer, StepError> {
        let start = span.start.clone();
        if self.keep_problem {
            self.problem = Some(Snapshot::new(&span.problem, span.laws.laws(), &start.r));
        }
        let settings = &self.settings;
        let solving = Solving {
            solver: &*self.solver,
            tolerance: settings.tolerance,
            limit: settings.limit,
            time: settings.time,
        };
        solving.solve(&span.problem, &mut span.laws, start, t, effort)
    }
}
