//! One linear step: the contact problem at a guess, and its solution.

use std::time::Instant;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::problem::{ContactProblem, Factor, ProblemError};
use asperity_solve::solver::{LawSource, Solution, Status};

use super::Implicit;
use super::definite::{Factored, factored};
use super::dynamics::{Imbalance, Start};
use super::guess::Guess;
use super::iteration::{Iteration, Seen, Solved};
use super::pull::Pull;
use super::rows::Rows;
use crate::step::StepError;
use crate::step::report::Effort;
use crate::step::solving::{Answer, Solving};

/// A step as if no row acted, and what it was found with.
struct Free {
    /// Velocities of the degrees of freedom.
    v: Vec<f64>,
    factor: Factor,
    /// A, in the slots of its pattern.
    matrix: Vec<f64>,
}

impl Implicit {
    /// Solves the problem that is linear at the guess, to this tolerance.
    pub(super) fn solve_at(
        &mut self,
        iteration: &Iteration,
        seen: &mut Seen,
        tolerance: f64,
        effort: &mut Effort,
    ) -> Result<Solved, StepError> {
        let Iteration { start, guess, contacts, .. } = iteration;
        let Seen { imbalance, rows, pulls, laws } = seen;
        let t = start.state.time;
        let failed = |error: ProblemError| StepError::Problem { t, error: Box::new(error) };
        let began = Instant::now();
        let Free { v: free, factor, matrix } = self.free(start, guess, rows, pulls, imbalance).map_err(failed)?;
        effort.seconds.integrate += began.elapsed().as_secs_f64();
        if rows.kinds.is_empty() {
            let (residual, status) = (0.0, Status::Solved);
            return Ok(Solved { v: free, r: Vec::new(), residual, status, problem: None, matrix });
        }
        let bias = rows.velocities(&free);
        let problem = ContactProblem::new(factor, bias, rows.kinds.clone())
            .and_then(|problem| problem.with_compliance(rows.compliance.clone()))
            .map_err(failed)?
            .with_local_scales();
        let r = iteration.impulses(rows);
        if self.keep_problem {
            let mut kept = Snapshot::new(&problem, laws.laws.laws(), &r);
            kept.set_names(contacts.iter().map(|own| own.contact.name().to_string()).collect());
            self.problem = Some(kept);
        }
        let settings = &self.settings;
        let solving = Solving { solver: &*self.solver, tolerance, limit: settings.limit, time: settings.time };
        let Answer { solution, residual, status } =
            solving.solve(&problem, &mut laws.laws, Solution { r, u: Vec::new() }, t, effort)?;
        let v = problem.dynamics().velocities(&free, &solution.r).map_err(failed)?;
        Ok(Solved { v, r: solution.r, residual, status, problem: Some(problem), matrix })
    }

    /// v = v_k − A⁻¹ F(v_k), by the last factors if they are good enough for this A.
    fn free(
        &mut self,
        start: &Start,
        guess: &Guess,
        rows: &Rows,
        pulls: &[Pull],
        imbalance: &Imbalance,
    ) -> Result<Free, ProblemError> {
        let Self { hessians, kept, settings, .. } = self;
        let matrix = start.matrix(guess, pulls, false, hessians);
        let mut v: Vec<f64> = imbalance.force.iter().map(|force| -force).collect();
        let plan = start.plan;
        let Factored { factor, matrix } = match kept.serve(plan, &matrix, &rows.jacobian, settings.tolerance, &mut v) {
            Some(factor) => Factored { factor, matrix },
            None => {
                let projected = || start.matrix(guess, pulls, true, hessians);
                let right = v.clone();
                let made = factored(matrix, projected, |matrix| {
                    let factor = kept.factor(plan, matrix, &rows.jacobian)?;
                    v.copy_from_slice(&right);
                    factor.solve_checked(&mut v).map(|()| factor)
                })?;
                kept.keep(start, guess, pulls, &made.factor);
                made
            }
        };
        v.iter_mut().zip(&guess.v).for_each(|(v, guess)| *v += guess);
        Ok(Free { v, factor, matrix })
    }
}
