//! The contact problem of a time step, solved in stages from the impulses of the step before.
//!
//! 1. *Known*: nothing is done if these impulses still solve the problem. If not, it is solved further than the tolerance, so
//!    that what is left over does not grow above it for a while: at rest most steps then cost one look at the residual.
//! 2. *Laws of the start*: where laws depend on slip or load, the solver is first asked with those of the slip that the step
//!    begins with. If both sticking and sliding solve the step, it keeps the one that it began with.
//! 3. *Joints*: islands with joints, by Newton's method ([`joints`]).
//! 4. *Solver*: the solver that was chosen, with laws that follow the solution.
//!
//! Budgets are the solvers' iterations. A stage that runs out of time ends the solve, with the status `Time`.

mod joints;

use std::time::{Duration, Instant};

use super::{ContactSolver, Frozen, LawSource, Solution, SolveReport, Status, Stop, refresh};
use crate::problem::{ContactProblem, ProblemError, Residual, residual};

/// How much further than the tolerance a problem is solved, and how much further at rest.
const MARGIN: f64 = 0.3;
const REST_MARGIN: f64 = 0.01;
/// Whoever asks for no more than this asks for speed: such problems are solved just to the tolerance. In moving piles the margin
/// would triple the cost.
const ROUGH: f64 = 1e-5;
/// A start with a residual below this many tolerances is at rest: nothing has changed but what the last solve left.
const AT_REST: f64 = 100.0;
/// Above this residual nothing is at rest, however wide the tolerance: it is motion that the tolerance does not resolve.
const NOT_AT_REST: f64 = 1e-6;

/// How the problems of time steps are solved.
#[derive(Clone, Copy)]
pub struct StepSolve<'a> {
    /// The solver.
    pub solver: &'a dyn ContactSolver,
    /// Largest residual of a solution.
    pub tolerance: f64,
    /// Longest time for all stages together. It can only fail a solve.
    pub time: Duration,
}

/// What a look at the impulses shows.
struct Look {
    /// Whether a law changed.
    changed: bool,
    residual: Residual,
}

/// Brings velocities and laws up to date with the impulses.
fn look(problem: &ContactProblem, laws: &mut dyn LawSource, solution: &mut Solution) -> Look {
    solution.u.resize(problem.rows(), 0.0);
    problem.velocities(&solution.r, &mut solution.u);
    let changed = refresh(problem, laws, &solution.r, &solution.u);
    let residual = residual(problem, laws.laws(), problem.scales(), &solution.r, &solution.u);
    Look { changed, residual }
}

impl StepSolve<'_> {
    /// The fraction of the tolerance that a problem whose start has this residual is solved to.
    fn margin(&self, start: &Residual) -> f64 {
        if start.worst() <= (AT_REST * self.tolerance).min(NOT_AT_REST) {
            REST_MARGIN
        } else if self.tolerance >= ROUGH {
            1.0
        } else {
            MARGIN
        }
    }

    /// Solves from the impulses in `solution`. Not converging is a status; an error is for input that makes no sense.
    pub fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        let began = Instant::now();
        let at_start = laws.depends().then(|| Frozen(laws.laws().to_vec()));
        let known = look(problem, laws, solution);
        let ended = |status, residual, iterations| {
            Ok(SolveReport { status, residual, iterations, seconds: began.elapsed().as_secs_f64() })
        };
        let mut found = known.residual;
        if found.worst() <= self.tolerance {
            return ended(Status::Solved, found, 0);
        }
        let margin = self.margin(&found);
        let stop = Stop { tolerance: margin * self.tolerance, time: self.time, began: Some(began), start: None };
        let mut iterations = 0;
        if let (true, Some(mut at_start)) = (known.changed, at_start) {
            let mut near = solution.clone();
            let report = self.solver.solve(problem, &mut at_start, stop, &mut near)?;
            iterations = report.iterations;
            if report.status == Status::Time {
                return ended(Status::Time, found, iterations);
            }
            if matches!(report.status, Status::Solved | Status::Approximated) {
                *solution = near;
                found = look(problem, laws, solution).residual;
            }
        }
        if problem.contacts() < problem.blocks() {
            let contacts_too = self.solver.capabilities().shares_contacts;
            let joints = joints::solve(problem, laws, stop, contacts_too, solution)?;
            iterations += joints.iterations;
            found = look(problem, laws, solution).residual;
            if joints.out_of_time {
                return ended(Status::Time, found, iterations);
            }
            if found.worst() <= self.tolerance {
                return ended(Status::Solved, found, iterations);
            }
        }
        let report = self.solver.solve(problem, laws, Stop { start: Some(found), ..stop }, solution)?;
        let enough = report.residual.worst() <= self.tolerance && report.status != Status::Time;
        let status = if enough { Status::Solved } else { report.status };
        ended(status, report.residual, iterations + report.iterations)
    }
}

#[cfg(test)]
mod tests {
    use super::{MARGIN, REST_MARGIN, StepSolve};
    use crate::problem::Residual;
    use crate::solver::Auto;
    use std::time::Duration;

    /// A wide tolerance is not taken for rest: a problem was solved a hundred times further than it was asked to be.
    #[test]
    fn only_small_residuals_are_rest() {
        let margin = |tolerance, start| {
            let solve = StepSolve { solver: &Auto::default(), tolerance, time: Duration::MAX };
            solve.margin(&Residual { raw: start, scaled: start })
        };
        assert_eq!(margin(1e-8, 5e-7), REST_MARGIN);
        assert_eq!(margin(1e-8, 2e-6), MARGIN);
        assert_eq!(margin(1e-6, 5e-6), MARGIN);
        assert_eq!(margin(1e-4, 5e-3), 1.0);
        assert_eq!(margin(1e-2, 0.5), 1.0);
    }
}
