//! The default: island by island, what is cheap first, what is sure last.
//!
//! The stages of an island are in [`stages`]: from known impulses, those of the last time step, Newton's method (small
//! islands) and proximal points; then sweeps while they reduce the residual quickly; a few alternating directions,
//! which cost one factorisation; the proximal-point iteration from where they got to; and, where that runs out of
//! iterations, sweeps again. The residual that counts is that of the whole problem; islands are solved a little more
//! accurately.

mod stages;

use super::catalogue::{Budget, SolverEntry, with};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

use super::{
    Capabilities, ContactSolver, LawSource, Local, Progress, ProxGaussSeidel, Solution, SolveReport, Status, Stop,
};
use crate::problem::{ContactProblem, ProblemError, RowKind};

/// How it is made by name.
pub(super) const ENTRY: SolverEntry = SolverEntry {
    name: "auto",
    summary: "Newton, sweeps, alternating directions, proximal points, island by island: the default",
    make: |o| with(of_budget(o.budget), o.iterations, |s, n| s.last_sweeps = n),
};

/// With the iterations of a budget.
fn of_budget(budget: Budget) -> Auto {
    match budget {
        Budget::Problem => Auto::default(),
        Budget::Step => Auto::of_steps(),
    }
}

/// Looks at the problem and chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auto {
    /// Sweeps of a round.
    pub sweeps: usize,
    /// Most steps of the proximal-point iteration; small islands have more.
    pub newton_steps: usize,
    /// Most sweeps after it, where it did not get through.
    pub last_sweeps: usize,
}

impl Default for Auto {
    fn default() -> Self {
        Self { sweeps: 30, newton_steps: 200_000, last_sweeps: 2_000_000 }
    }
}

impl Auto {
    /// For problems of time steps: where so many have failed, more seldom help, and a run has many steps.
    pub fn of_steps() -> Self {
        Self { newton_steps: 300, last_sweeps: 2000, ..Self::default() }
    }
}

/// Row blocks from which islands are worth solving at the same time.
const MANY: usize = 128;

/// Row blocks up to which a problem without known impulses is swept as a whole first: finding its islands would cost more.
const TINY: usize = 3;
const TINY_SWEEPS: ProxGaussSeidel =
    ProxGaussSeidel { sweeps: 6, measure_every: 2, memory: 0, local: Local::Exact, horizon: None };

/// Islands are solved to this fraction of the tolerance of the whole. Squares of errors add up, and so do those of sizes, of
/// which the residual takes the largest of three: with 1/√3 the whole is solved wherever all of its islands are.
const SHARE: f64 = 0.57;

/// How the solve of an island, or of all, ended.
#[derive(Clone, Copy, Debug)]
struct Ended {
    status: Status,
    iterations: usize,
}

impl Ended {
    /// Of both islands: solved at the same time, so the more iterations count; the status is that of an island that was
    /// not solved, and `Time` before any other.
    fn and(self, other: Self) -> Self {
        let status = match (self.status, other.status) {
            (Status::Time, _) => Status::Time,
            (kept, Status::Solved) => kept,
            (_, other) => other,
        };
        Self { status, iterations: self.iterations.max(other.iterations) }
    }
}

/// One island: its blocks in the whole problem, and what came out.
struct SolvedIsland {
    blocks: Vec<usize>,
    r: Vec<f64>,
    ended: Ended,
}

/// Solves islands one after the other, or on threads if `many`. Each has its own result: the order in which they finish makes no difference.
fn solve_each<R: Send>(islands: Vec<Vec<usize>>, many: bool, one: impl Fn(Vec<usize>) -> R + Send + Sync) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if many {
        return islands.into_par_iter().map(one).collect();
    }
    // Without threads, many are solved like few.
    let _ = many;
    islands.into_iter().map(one).collect()
}

impl Auto {
    /// Solves the islands each by itself, on threads where there are many blocks. `r` are the impulses of the whole
    /// problem: the start, and then what was found.
    fn solve_apart(
        &self,
        problem: &ContactProblem,
        laws: &dyn LawSource,
        stop: Stop,
        islands: Vec<Vec<usize>>,
        r: &mut [f64],
    ) -> Result<Ended, ProblemError> {
        let start = &*r;
        let one = |blocks: Vec<usize>| -> Result<SolvedIsland, ProblemError> {
            let part = problem.part(&blocks);
            let contacts = blocks.iter().filter(|i| *problem.kind(**i) == RowKind::Contact);
            let numbers: Vec<usize> = contacts.map(|i| problem.law_of(*i)).collect();
            let mut own = laws.part(&numbers);
            let mut local = Solution::zero(&part);
            for (k, i) in blocks.iter().enumerate() {
                local.r[part.range(k)].copy_from_slice(&start[problem.range(*i)]);
            }
            let ended = self.solve_island(&part, &mut *own, stop, &mut local)?;
            Ok(SolvedIsland { blocks, r: local.r, ended })
        };
        let solved = solve_each(islands, problem.blocks() >= MANY, one);
        let mut whole = Ended { status: Status::Stalled, iterations: 0 };
        for island in solved {
            let island = island?;
            let mut rows = island.r.iter();
            for row in island.blocks.iter().flat_map(|i| problem.range(*i)) {
                r[row] = *rows.next().unwrap_or(&0.0);
            }
            whole = whole.and(island.ended);
        }
        Ok(whole)
    }
}

impl ContactSolver for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { shares_contacts: true, ..Capabilities::default() }
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        if progress.solved() {
            return Ok(progress.finish(Status::Solved, 0, solution));
        }
        if problem.blocks() <= TINY && solution.r.iter().all(|r| *r == 0.0) {
            let stop = Stop { start: Some(progress.best), ..progress.inner_stop(stop.tolerance) };
            let mut found = progress.solution.clone();
            let report = TINY_SWEEPS.solve(problem, laws, stop, &mut found)?;
            if matches!(report.status, Status::Solved | Status::Time) {
                *solution = found;
                return Ok(report);
            }
        }
        let mut islands = problem.islands();
        // Small ones first: they cost little, and a large one that takes all the time must not leave them unsolved.
        islands.sort_by_key(Vec::len);
        let stop = progress.inner_stop(stop.tolerance);
        let mut found = progress.solution.clone();
        let ended = if islands.len() == 1 {
            self.solve_island(problem, laws, stop, &mut found)?
        } else {
            let stop = Stop { tolerance: SHARE * stop.tolerance, ..stop };
            self.solve_apart(problem, laws, stop, islands, &mut found.r)?
        };
        progress.offer(laws, &found.r);
        Ok(progress.finish(ended.status, ended.iterations, solution))
    }
}
