//! The clock of a solve. Time never shapes a result: it can only fail one.
//!
//! Budgets are iterations. A solver asks the clock between iterations; once the time is up, that is remembered, the
//! solver ends with the status `Time` and its best iterate, and whatever was computed since is never called a solution.
//! So a result with any other status has the bits of one without a limit of time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Stop;

/// When the time began to run, and how much there is.
#[derive(Debug)]
pub(super) struct Clock {
    pub(super) began: Instant,
    limit: Duration,
    struck: AtomicBool,
}

impl Clock {
    pub(super) fn new(stop: &Stop) -> Self {
        let began = stop.began.unwrap_or_else(Instant::now);
        Self { began, limit: stop.time, struck: AtomicBool::new(false) }
    }

    /// Whether the time is up; if it ever was, it stays so.
    pub(super) fn is_up(&self) -> bool {
        if self.has_struck() {
            return true;
        }
        let up = self.began.elapsed() >= self.limit;
        #[cfg(test)]
        let up = up || strikes_now();
        if up {
            self.struck.store(true, Ordering::Relaxed);
        }
        up
    }

    /// Whether the time was up when the clock was last looked at.
    pub(super) fn has_struck(&self) -> bool {
        self.struck.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
thread_local! {
    /// Looks at the clocks of this thread until they all strike; `None` if they are not to.
    pub(super) static LOOKS: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}

/// Counts a look.
#[cfg(test)]
fn strikes_now() -> bool {
    let left = LOOKS.get();
    LOOKS.set(left.map(|looks| looks.saturating_sub(1)));
    left == Some(0)
}

#[cfg(test)]
mod tests {
    use super::LOOKS;
    use crate::problem::{BlockMatrix, ContactProblem, RowKind};
    use crate::solver::{Frozen, SOLVERS, Solution, SolveReport, SolverOptions, Status, Stop};
    use asperity_friction::ContactLaw;
    use asperity_friction::set::Disk;

    /// Two islands, each of two contacts that act on each other and slide.
    fn problem() -> ContactProblem {
        let pairs = (0..4).flat_map(|k| (0..3).map(move |row| (3 * k + row, 3 * k + row, 2.0 + (row + k) as f64)));
        let couplings = [(0, 3, 1.0), (3, 0, 1.0), (6, 9, 0.7), (9, 6, 0.7), (0, 4, 0.5), (4, 0, 0.5)];
        let entries: Vec<_> = pairs.chain(couplings).collect();
        let w = BlockMatrix::from_entries(&[0, 3, 6, 9, 12], entries.iter().copied());
        let bias = vec![-1.0, 0.9, 0.2, -2.0, 0.1, -0.8, -1.0, 3.0, 0.4, -0.5, 0.0, 0.3];
        ContactProblem::new(w, bias, vec![RowKind::Contact; 4]).unwrap()
    }

    /// Solves with a clock that strikes after so many looks at it; answers with the number of looks, too.
    fn solve(solver: &str, warm: bool, looks: usize) -> (SolveReport, Solution, usize) {
        let entry = SOLVERS.iter().find(|entry| entry.name == solver).unwrap();
        let law = |mu| ContactLaw::from(Disk::new(mu).unwrap());
        let problem = problem();
        let mut solution = Solution::zero(&problem);
        if warm {
            solution.r.iter_mut().step_by(3).for_each(|r| *r = 0.1);
        }
        LOOKS.set(Some(looks));
        let mut laws = Frozen([0.3, 0.5, 0.8, 0.2].map(law).to_vec());
        let stop = Stop { tolerance: 1e-10, ..Stop::default() };
        let report = (entry.make)(&SolverOptions::default()).solve(&problem, &mut laws, stop, &mut solution).unwrap();
        let left = LOOKS.replace(None).unwrap_or_default();
        (report, solution, looks - left)
    }

    #[test]
    fn a_clock_that_strikes_fails_a_solve_and_changes_no_other() {
        let mut looked = 0;
        for entry in SOLVERS {
            for warm in [false, true] {
                let (free, expected, most) = solve(entry.name, warm, usize::MAX);
                for looks in 0..most {
                    assert_eq!(solve(entry.name, warm, looks).0.status, Status::Time, "{} at look {looks}", entry.name);
                }
                for looks in [most, most + 1] {
                    let (report, found, _) = solve(entry.name, warm, looks);
                    assert_eq!((report.status, found), (free.status, expected.clone()), "{}", entry.name);
                }
                looked += most;
            }
        }
        assert!(looked > 100, "{looked} looks");
    }
}
