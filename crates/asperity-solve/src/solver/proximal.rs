//! Proximal-point iteration around Newton's method, for problems whose W is singular or nearly so.
//!
//! r_{k+1} solves the problem with compliance C + δ S and bias b − δ S r_k, S the blocks' scales: regular whatever W
//! is, and with the same fixed points as the problem. δ falls while the inner solves succeed, the faster the easier
//! they are, and rises when one fails. Inner solves are as accurate as the residual at hand makes worth while.
//!
//! Two observations on piles of stones with contacts that all but coincide, where most methods end at 1e-6:
//!
//! * the inner equations are best weighed between the two units that are there, 1/S and 1/(δ S): velocities with √(1/δ)/S. With
//!   1/S Newton's method needs three times as many steps and often fails;
//! * the way to a solution is not monotone. Friction makes the problem nonconvex, and the iteration can stay near a point
//!   that solves all but a few contacts. Then a large δ lets it drift away, and it falls from there to another. So where
//!   the best residual has not fallen for a while, δ starts again.
//!
//! Takes every law.

use super::catalogue::{SolverEntry, with};
use super::forms::Form;
use super::newton::Equations;
use super::{ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop};
use crate::problem::{ContactProblem, ProblemError};

/// How it is made by name.
pub(super) const ENTRY: SolverEntry = SolverEntry {
    name: "proximal",
    summary: "proximal points around Newton",
    make: |o| with(Proximal::default(), o.iterations, |s, n| s.iterations = n),
};

/// Proximal-point iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximal {
    /// First δ, relative to the scale of each block.
    pub shift: f64,
    /// δ from which it starts again when nothing gets better.
    pub restart: f64,
    /// Steps without halving the best residual before it does.
    pub patience: usize,
    /// Most Newton iterations in all.
    pub iterations: usize,
    /// Most Newton iterations for one δ.
    pub inner: usize,
    /// After an inner solve has failed, the next δ keep above the one that it was raised to; that bound falls by this factor with
    /// each inner solve that succeeds. Zero forgets it at once.
    pub caution: f64,
}

impl Default for Proximal {
    fn default() -> Self {
        Self { shift: 1e-3, restart: 0.03, patience: 10, iterations: 200_000, inner: 25, caution: 0.0 }
    }
}

impl Proximal {
    /// For large piles, where an inner solve that fails costs as much as several that succeed: fewer steps for one δ, and more
    /// caution after a failure.
    pub fn of_piles() -> Self {
        Self { inner: 12, caution: 0.5, ..Self::default() }
    }
}

/// Velocities in the inner equations are weighted with this/√δ times one over the block's diagonal block of W.
const STIFFNESS: f64 = 2.0;

/// δ below which it makes no difference to round-off.
const SMALLEST_SHIFT: f64 = 1e-11;

/// δ, and what is known of it.
struct Shift {
    /// δ.
    value: f64,
    /// What it was raised to by the last inner solve that failed, and how fast that is forgotten ([`Proximal::caution`]).
    floor: f64,
    caution: f64,
}

impl Shift {
    fn new(value: f64, caution: f64) -> Self {
        Self { value, floor: 0.0, caution }
    }

    /// The next δ after an inner solve: the easier that was, the smaller.
    fn advance(&mut self, converged: bool, iterations: usize) {
        let factor = match (converged, iterations) {
            (false, _) => 3.0,
            (true, 0..=5) => 0.1,
            (true, 6..=12) => 0.3,
            (true, _) => 0.7,
        };
        let next = (self.value * factor).clamp(SMALLEST_SHIFT, 1.0);
        if converged {
            self.floor *= self.caution;
            self.value = next.max(self.floor.min(self.value));
        } else {
            (self.value, self.floor) = (next, next);
        }
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
        for (name, value) in [("shift", self.shift), ("restart", self.restart)] {
            if !(value > 0.0 && value <= 1.0) {
                return Err(ProblemError::Setting { name, value, expected: "positive and at most 1" });
            }
        }
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        let scales = progress.scales.clone();
        let mut shifted = problem.clone();
        let mut r = progress.solution.r.clone();
        let mut center = r.clone();
        let mut shift = Shift::new(self.shift, self.caution);
        let mut done = 0;
        let mut last = progress.best.worst();
        // Accuracy of the inner solves, relative to the residual: more where that does not fall.
        let mut care = 0.1;
        let (mut mark, mut since) = (last, 0);
        let mut status = Status::Iterations;
        let mut equations = if progress.solved() { None } else { Equations::new(problem, Form::AlartCurnier, true) };
        while let Some(equations) = &mut equations
            && done < self.iterations
            && !progress.solved()
        {
            center.copy_from_slice(&r);
            shifted.shift(problem, shift.value, &scales, &center);
            equations.stiffness = STIFFNESS / shift.value.sqrt();
            let accuracy = (care * last).max(0.01 * stop.tolerance);
            let inner = equations.solve(&shifted, laws.laws(), &mut r, accuracy, self.inner);
            done += inner.iterations.max(1);
            if !inner.converged {
                r.copy_from_slice(&center);
            }
            shift.advance(inner.converged, inner.iterations);
            let found = progress.offer(laws, &r).worst();
            care = if found < 0.5 * last { 0.1 } else { (0.1 * care).max(1e-2) };
            last = found;
            since += 1;
            if progress.best.worst() < 0.5 * mark {
                (mark, since) = (progress.best.worst(), 0);
            } else if since > self.patience {
                (shift.value, since) = (self.restart, 0);
            }
            if progress.out_of_time() {
                status = Status::Time;
                break;
            }
        }
        Ok(progress.finish(status, done, solution))
    }
}
