//! One linear step: the contact problem at a guess, and its solution.

use std::time::Instant;

use asperity_solve::problem::files::Snapshot;
use asperity_solve::problem::{ContactProblem, Factor, ProblemError};
use asperity_solve::solver::{LawSource, Solution, Status};

use super::Implicit;
use super::dynamics::{Imbalance, Start};
use super::guess::Guess;
use super::iteration::{Iteration, Seen, Solved};
use super::pull::Pull;
use super::rows::Rows;
use crate::step::StepError;
use crate::step::report::Effort;
use crate::step::solving::{Answer, Solving};

/// How far A is moved towards the one with projected Hessians, until it is positive definite.
pub(super) const PROJECTED: [f64; 5] = [0.0, 0.1, 0.25, 0.5, 1.0];

/// A and its factors.
struct Factored {
    factor: Factor,
    matrix: Vec<f64>,
}

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

    /// v = v_k − A⁻¹ F(v_k), by the factors of an earlier A of the step if they are good enough. Those of earlier steps are not
    /// kept: a run that is resumed does not have them, and has to come to the same bytes.
    fn free(
        &mut self,
        start: &Start,
        guess: &Guess,
        rows: &Rows,
        pulls: &[Pull],
        imbalance: &Imbalance,
    ) -> Result<Free, ProblemError> {
        let matrix = start.matrix(guess, pulls, false, &mut self.hessians);
        let mut v: Vec<f64> = imbalance.force.iter().map(|force| -force).collect();
        let last = self.factor.as_ref();
        let kept = last.and_then(|last| last.kept(start.plan.pattern(), &matrix, &rows.jacobian, &mut v));
        let (factor, matrix) = match kept {
            Some(factor) => (factor, matrix),
            None => {
                let Factored { factor, matrix } = self.factored(start, guess, rows, pulls, matrix)?;
                factor.solve_checked(&mut v)?;
                self.factor = Some(factor.clone());
                (factor, matrix)
            }
        };
        v.iter_mut().zip(&guess.v).for_each(|(v, guess)| *v += guess);
        Ok(Free { v, factor, matrix })
    }

    /// Factors of A at a guess. Where A is not positive definite, it is moved towards the one whose element Hessians are
    /// projected, as little as it takes: the farther it is moved, the slower the iteration converges.
    fn factored(
        &mut self,
        start: &Start,
        guess: &Guess,
        rows: &Rows,
        pulls: &[Pull],
        exact: Vec<f64>,
    ) -> Result<Factored, ProblemError> {
        let mut projected = Vec::new();
        let mut last = ProblemError::SingularMass;
        for share in PROJECTED {
            let mut matrix = exact.clone();
            if share > 0.0 {
                if projected.is_empty() {
                    projected = start.matrix(guess, pulls, true, &mut self.hessians);
                }
                matrix.iter_mut().zip(&projected).for_each(|(value, projected)| *value += share * (projected - *value));
            }
            let jacobian = rows.jacobian.clone();
            match Factor::assembled(start.plan.pattern(), &matrix, jacobian, self.symbolic.as_ref()) {
                Err(error @ (ProblemError::NotPositive { .. } | ProblemError::SingularMass)) => last = error,
                made => {
                    let factor = made?;
                    self.symbolic = Some(factor.symbolic().clone());
                    return Ok(Factored { factor, matrix });
                }
            }
        }
        Err(last)
    }
}
