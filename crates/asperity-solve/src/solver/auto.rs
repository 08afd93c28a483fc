//! The default: islands one by one, sweeps first, Newton's method where they are slow.
//!
//! Each island is swept while that reduces the residual quickly; most are solved so. The others go to the proximal-point
//! iteration, starting from where the sweeps got to. Where that stalls, or laws do not allow it, sweeping goes on. The
//! residual that counts is that of the whole problem; islands are solved a little more accurately.

use asperity_friction::{ContactLaw, Tangential};

use super::forms::Form;
use super::newton::check_form;
use super::{ContactSolver, LawSource, Progress, ProxGaussSeidel, Proximal, Solution, SolveReport, Status, Stop};
use crate::problem::{ContactProblem, ProblemError, RowKind};

/// Looks at the problem and chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auto {
    /// Sweeps before Newton's method is tried.
    pub sweeps: usize,
}

impl Default for Auto {
    fn default() -> Self {
        Self { sweeps: 30 }
    }
}

/// The laws of one island, asked of the laws of the whole problem.
struct IslandLaws<'a> {
    all: &'a mut dyn LawSource,
    /// Number in the whole problem of each contact of the island.
    numbers: Vec<usize>,
    laws: Vec<ContactLaw>,
}

impl LawSource for IslandLaws<'_> {
    fn laws(&self) -> &[ContactLaw] {
        &self.laws
    }

    fn refresh(&mut self, contact: usize, load: f64, impulse: Tangential, slip: Tangential) -> bool {
        let number = self.numbers[contact];
        let changed = self.all.refresh(number, load, impulse, slip);
        if changed {
            self.laws[contact].clone_from(&self.all.laws()[number]);
        }
        changed
    }
}

impl Auto {
    fn solve_island(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        let sweeps = ProxGaussSeidel { sweeps: self.sweeps, measure_every: 5, ..ProxGaussSeidel::default() };
        let first = sweeps.solve(problem, laws, stop, solution)?;
        if first.status != Status::Iterations {
            return Ok(first);
        }
        let rest =
            |spent: f64| Stop { time: stop.time.saturating_sub(std::time::Duration::from_secs_f64(spent)), ..stop };
        let mut iterations = first.iterations;
        let mut seconds = first.seconds;
        if check_form(self.name(), Form::AlartCurnier, laws.laws()).is_ok() {
            let second = Proximal::default().solve(problem, laws, rest(seconds), solution)?;
            iterations += second.iterations;
            seconds += second.seconds;
            if second.status != Status::Iterations {
                return Ok(SolveReport { iterations, seconds, ..second });
            }
        }
        let third = ProxGaussSeidel { sweeps: 2_000_000, measure_every: 50, ..ProxGaussSeidel::default() }.solve(
            problem,
            laws,
            rest(seconds),
            solution,
        )?;
        Ok(SolveReport { iterations: iterations + third.iterations, seconds: seconds + third.seconds, ..third })
    }
}

impl ContactSolver for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        let mut islands = problem.islands();
        // Small ones first: they cost little, and a large one that takes all the time must not leave them unsolved.
        islands.sort_by_key(Vec::len);
        let mut iterations = 0;
        let mut status = Status::Stalled;
        if !progress.solved() && islands.len() == 1 {
            let mut whole = progress.solution.clone();
            let report = self.solve_island(problem, laws, stop, &mut whole)?;
            iterations = report.iterations;
            status = report.status;
            progress.offer(laws, &whole.r);
        } else if !progress.solved() {
            let mut r = progress.solution.r.clone();
            let share = 0.3 * stop.tolerance;
            for island in islands {
                let part = problem.part(&island);
                let contacts = island.iter().filter(|i| *problem.kind(**i) == RowKind::Contact);
                let numbers: Vec<usize> = contacts.map(|i| problem.law_of(*i)).collect();
                let own = numbers.iter().map(|n| laws.laws()[*n].clone()).collect();
                let mut own = IslandLaws { all: &mut *laws, numbers, laws: own };
                let mut local = Solution::zero(&part);
                for (k, i) in island.iter().enumerate() {
                    local.r[part.range(k)].copy_from_slice(&r[problem.range(*i)]);
                }
                let left = stop.time.saturating_sub(progress.began.elapsed());
                let report = self.solve_island(&part, &mut own, Stop { tolerance: share, time: left }, &mut local)?;
                iterations = iterations.max(report.iterations);
                if report.status != Status::Solved {
                    status = report.status;
                }
                for (k, i) in island.iter().enumerate() {
                    r[problem.range(*i)].copy_from_slice(&local.r[part.range(k)]);
                }
            }
            progress.offer(laws, &r);
        }
        Ok(progress.finish(status, iterations, solution))
    }
}
