//! The default: island by island, what is cheap first, what is sure last.
//!
//! Small islands whose impulses are known, those of the last time step, are as a rule two steps of Newton's method away; where that fails, and in larger ones, proximal
//! points start from there. Otherwise each island is swept while that reduces the residual quickly. Then a few alternating directions
//! are tried, which cost one factorisation. What is left goes to the proximal-point iteration, from where they got to. Where
//! that runs out of iterations, sweeping goes on. The residual that counts is that of the whole problem; islands are
//! solved a little more accurately.

use asperity_friction::ContactLaw;
use rayon::prelude::*;

use super::system::suits_bodies;
use super::{
    Admm, ContactSolver, LawSource, Newton, Progress, ProxGaussSeidel, Proximal, Solution, SolveReport, Status, Stop,
};
use crate::problem::{ContactProblem, ProblemError, RowKind};

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

/// Steps of Newton's method from impulses that are known: those of the last time step are as a rule two steps away.
const WARM_STEPS: usize = 10;

/// Most row blocks for that: in larger problems a step costs many sweeps, and more contacts change.
const SMALL: usize = 100;

/// Steps of the proximal-point iteration from there, where that fails or was not tried, and most row blocks for them.
const WARM_PROXIMAL_STEPS: usize = 1000;
const LARGE: usize = 3000;

/// Its first δ: larger than without known impulses. They are near in most contacts and far off in the few that have changed, which a small δ takes many steps to find.
const WARM_SHIFT: f64 = 1e-2;

/// Steps that a small problem has at least, where all else has failed.
const SMALL_STEPS: usize = 3000;

/// Most sweeps before anything else is tried.
const MOST_SWEEPS: usize = 1500;

/// Rounds of sweeps that may be left to go, as far as can be told.
const MOST_ROUNDS: f64 = 4.0;

/// Most alternating directions before Newton's method: together they cost about three of its steps.
const ALTERNATIONS: usize = 20;

/// The same where systems are solved over the bodies: there they cost less, and get further.
const BODY_ALTERNATIONS: usize = 60;
const BODY_PATIENCE: usize = 6;

/// Alternating directions that halve the residual at least this often are worth going on with.
const ALTERNATION_PATIENCE: usize = 4;

/// Row blocks from which islands are worth solving at the same time.
const MANY: usize = 128;

/// One island: its blocks in the whole problem, and what came out.
struct Island {
    blocks: Vec<usize>,
    r: Vec<f64>,
    status: Status,
    iterations: usize,
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
        let start = solution.clone();
        let (mut iterations, mut seconds) = (0, 0.0);
        let rest = |spent: f64| {
            let time = stop.time.saturating_sub(std::time::Duration::from_secs_f64(spent));
            Stop { time, start: None, ..stop }
        };
        let small = problem.blocks() <= SMALL;
        if problem.blocks() <= LARGE && solution.r.iter().any(|r| *r != 0.0) {
            let newton = Newton { iterations: WARM_STEPS, ..Newton::default() };
            let proximal = Proximal { iterations: WARM_PROXIMAL_STEPS, shift: WARM_SHIFT, ..Proximal::default() };
            let both = [&newton as &dyn ContactSolver, &proximal];
            for solver in if small { &both[..] } else { &both[1..] } {
                let mut near = start.clone();
                let report = solver.solve(problem, laws, rest(seconds), &mut near)?;
                iterations += report.iterations;
                seconds += report.seconds;
                if report.status == Status::Solved {
                    *solution = near;
                    return Ok(SolveReport { iterations, seconds, ..report });
                }
            }
        }
        let mut first = sweeps.solve(problem, laws, rest(seconds), solution)?;
        iterations += first.iterations;
        seconds += first.seconds;
        // Matrix-free sweeps cost little against anything that has to be factored: they go on while, at the rate of the last round,
        // they get there in a few more.
        let (mut before, mut swept) = (f64::INFINITY, first.iterations);
        while first.status == Status::Iterations && suits_bodies(problem) && swept < MOST_SWEEPS {
            let found = first.residual.worst();
            let (left, rate) = ((found / stop.tolerance).ln(), (before / found).ln());
            if rate.is_nan() || left > MOST_ROUNDS * rate {
                break;
            }
            before = found;
            first = sweeps.solve(problem, laws, rest(seconds), solution)?;
            swept += first.iterations;
            iterations += first.iterations;
            seconds += first.seconds;
        }
        if first.status != Status::Iterations {
            return Ok(SolveReport { iterations, seconds, ..first });
        }
        if laws.laws().iter().all(|law| matches!(law, ContactLaw::Set(_))) {
            let admm = if suits_bodies(problem) {
                Admm { iterations: BODY_ALTERNATIONS, patience: BODY_PATIENCE, raises: 0, ..Admm::default() }
            } else {
                let (iterations, patience) = (ALTERNATIONS, ALTERNATION_PATIENCE);
                Admm { iterations, patience, raises: 0, ..Admm::default() }
            };
            // From the start and not from where the sweeps got to: what they leave is small in the residual, and large in
            // the directions in which W is soft.
            let mut other = start;
            let quick = admm.solve(problem, laws, rest(seconds), &mut other)?;
            iterations += quick.iterations;
            seconds += quick.seconds;
            if quick.residual.worst() < first.residual.worst() {
                *solution = other;
            }
            if quick.status == Status::Solved {
                return Ok(SolveReport { iterations, seconds, ..quick });
            }
        }
        // Steps of small problems cost little.
        let newton_steps = if small { self.newton_steps.max(SMALL_STEPS) } else { self.newton_steps };
        let second = Proximal { iterations: newton_steps, ..Proximal::default() }.solve(
            problem,
            laws,
            rest(seconds),
            solution,
        )?;
        iterations += second.iterations;
        seconds += second.seconds;
        if second.status != Status::Iterations {
            return Ok(SolveReport { iterations, seconds, ..second });
        }
        let last = ProxGaussSeidel { sweeps: self.last_sweeps, measure_every: 50, ..ProxGaussSeidel::default() };
        let third = last.solve(problem, laws, rest(seconds), solution)?;
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
            // Islands are solved a little more accurately than the whole must be.
            let share = 0.3 * stop.tolerance;
            let one = |blocks: Vec<usize>| -> Result<Island, ProblemError> {
                let part = problem.part(&blocks);
                let contacts = blocks.iter().filter(|i| *problem.kind(**i) == RowKind::Contact);
                let numbers: Vec<usize> = contacts.map(|i| problem.law_of(*i)).collect();
                let mut own = laws.part(&numbers);
                let mut local = Solution::zero(&part);
                for (k, i) in blocks.iter().enumerate() {
                    local.r[part.range(k)].copy_from_slice(&progress.solution.r[problem.range(*i)]);
                }
                let time = stop.time.saturating_sub(progress.began.elapsed());
                let report =
                    self.solve_island(&part, &mut *own, Stop { tolerance: share, time, start: None }, &mut local)?;
                Ok(Island { blocks, r: local.r, status: report.status, iterations: report.iterations })
            };
            let solved: Vec<Result<Island, ProblemError>> = if problem.blocks() < MANY {
                islands.into_iter().map(one).collect()
            } else {
                // Each writes its own result: the order in which they finish makes no difference.
                islands.into_par_iter().map(one).collect()
            };
            let mut r = progress.solution.r.clone();
            for island in solved {
                let island = island?;
                let mut rows = island.r.iter();
                for row in island.blocks.iter().flat_map(|i| problem.range(*i)) {
                    r[row] = *rows.next().unwrap_or(&0.0);
                }
                iterations = iterations.max(island.iterations);
                if island.status != Status::Solved {
                    status = island.status;
                }
            }
            progress.offer(laws, &r);
        }
        Ok(progress.finish(status, iterations, solution))
    }
}
