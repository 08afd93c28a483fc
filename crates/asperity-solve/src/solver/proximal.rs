//! Proximal-point iteration around Newton's method, for problems whose W is singular or nearly so.
//!
//! r_{k+1} solves the problem with W + δ_k D and b − δ_k D r_k, D the blocks' scales: regular whatever W is, and with the
//! same fixed points as the problem. δ falls while the inner solves succeed, the faster the easier they are, and rises when
//! one fails. Inner solves are as accurate as the residual at hand makes worth while.
//! Takes planar sets.

use super::newton::{Equations, check_planar};
use super::{ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop};
use crate::problem::{ContactProblem, ProblemError};

/// Proximal-point iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximal {
    /// First δ, relative to the scale of each block.
    pub shift: f64,
    /// Most Newton iterations in all.
    pub iterations: usize,
    /// Most Newton iterations for one δ.
    pub inner: usize,
}

impl Default for Proximal {
    fn default() -> Self {
        Self { shift: 1e-3, iterations: 50_000, inner: 25 }
    }
}

impl ContactSolver for Proximal {
    fn name(&self) -> &'static str {
        "proximal"
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        check_planar(self.name(), problem, laws.laws())?;
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        let scales = progress.scales.clone();
        let mut shifted = problem.clone();
        let mut center = progress.solution.r.clone();
        let mut r = progress.solution.r.clone();
        let mut shift = self.shift;
        let mut done = 0;
        let mut last = progress.best.worst();
        // Accuracy of the inner solves, relative to the residual: more where that does not fall.
        let mut care = 0.1;
        let mut status = Status::Iterations;
        while done < self.iterations && !progress.solved() {
            center.copy_from_slice(&r);
            shifted.shift(problem, shift, &scales, &center);
            let accuracy = (care * last).max(0.01 * stop.tolerance);
            let inner = Equations::new(&shifted).solve(laws.laws(), &mut r, accuracy, self.inner);
            done += inner.iterations.max(1);
            if inner.converged {
                let easier = match inner.iterations {
                    0..=5 => 0.1,
                    6..=12 => 0.3,
                    _ => 0.7,
                };
                shift = (shift * easier).max(1e-11);
            } else {
                r.copy_from_slice(&center);
                shift = (shift * 3.0).min(1.0);
            }
            let found = progress.offer(laws, &r).worst();
            care = if found < 0.5 * last { 0.1 } else { (0.1 * care).max(1e-4) };
            last = found;
            if progress.out_of_time() {
                status = Status::Time;
                break;
            }
        }
        Ok(progress.finish(status, done, solution))
    }
}
