//! The stages that an island is solved in, cheap ones first. Each has a budget of iterations, a place to start from and
//! a rule for what becomes of its result; the first that solves the island ends the list.

use asperity_friction::ContactLaw;

use super::super::{
    Admm, ContactSolver, Hybrid, LawSource, Local, Newton, ProxGaussSeidel, Proximal, Solution, SolveReport, Status,
    Stop,
};
use super::{Auto, Ended};
use crate::problem::{ContactProblem, ProblemError};

/// Row blocks up to which a few steps of Newton's method cost less than anything else after sweeps, and how many steps.
const SMALLEST: usize = 32;
const SWEPT_STEPS: usize = 6;
/// Row blocks up to which an island is small: a step of Newton's method costs little there.
const SMALL: usize = 100;
/// Row blocks up to which Newton's method and proximal points are tried from known impulses.
const LARGE: usize = 3000;

/// Steps of Newton's method from known impulses: those of the last time step are as a rule two steps away. In larger islands a
/// step costs many sweeps, and more contacts change between time steps.
const WARM_STEPS: usize = 10;
const LARGE_WARM_STEPS: usize = 4;

/// Steps of the proximal-point iteration from known impulses.
const WARM_PROXIMAL_STEPS: usize = 1000;
/// Its first δ: larger than without known impulses. They are near in most contacts and far off in the few that have
/// changed, which a small δ takes many steps to find.
const WARM_SHIFT: f64 = 1e-2;

/// Most sweeps before anything else is tried.
const MOST_SWEEPS: usize = 1500;
/// Rounds of sweeps that may be left to go, at the rate of the last round.
const MOST_ROUNDS: f64 = 4.0;
/// Sweeps that may be left to go where W is formed and the island not among the smallest, at the rate of the last five.
const HORIZON: usize = 120;

/// Most alternating directions, and in how many of them the residual must halve. Together they cost about three steps
/// of Newton's method. Where systems are solved over the bodies they cost less, and get further.
const ALTERNATIONS: Alternations = Alternations { most: 20, patience: 4 };
const BODY_ALTERNATIONS: Alternations = Alternations { most: 60, patience: 6 };

/// Least budget of the proximal-point iteration for small islands, where a step costs little.
const SMALL_STEPS: usize = 3000;

/// Row blocks from which the hybrid takes the place of alternating directions, where no impulses are known or nothing was tried
/// from them. Packed walls with friction 3 across the grain take a half to a fifth of the time, and a pile of 463 stones a
/// third of it.
const LEAST_HYBRID: usize = 200;

/// A budget of alternating directions.
struct Alternations {
    most: usize,
    patience: usize,
}

/// Tolerances from which sweeps come first in larger islands: accelerated, they get there before anything that has to be
/// factored. In falling piles of 300 balls they take up to 2400 sweeps to 1e-4; what comes after them takes longer.
const ROUGH: f64 = 3e-6;
const ROUGH_SWEEPS: ProxGaussSeidel =
    ProxGaussSeidel { sweeps: 6000, measure_every: 5, memory: 10, local: Local::Exact, horizon: None };

/// Rows up to which W may be formed for elastic bodies, whose W is dense: 18 MB.
const FORMED: usize = 1500;
/// Degrees of freedom for each row from which a dense W costs less to factor than the sparse matrix over degrees of freedom: a ball that
/// touches at a few of its vertices, not a cloth that lies on something. Small islands may always have it.
const FREEDOMS_A_ROW: usize = 4;
const FEW_ROWS: usize = 96;

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The hybrid over degrees of freedom, for sets on elastic bodies: W is not formed.
    Hybrid,
    /// Newton's method from known impulses, in small islands.
    WarmNewton,
    /// Proximal points from known impulses.
    WarmProximal,
    /// Sweeps, while they reduce the residual quickly.
    Sweeps,
    /// Newton's method from where the sweeps got to, in the smallest islands.
    SweptNewton,
    /// A few alternating directions, for sets. From the start and not from where the sweeps got to: what they leave is
    /// small in the residual, and large in the directions in which W is soft.
    Alternations,
    /// The hybrid in large islands of rigid bodies: its alternating directions, and Newton steps after them that are cheaper
    /// than those of proximal points.
    LargeHybrid,
    /// Proximal points from the best so far.
    Proximal,
    /// Sweeps from there, where all else has run out of iterations.
    LastSweeps,
}

const STAGES: [Stage; 9] = [
    Stage::Hybrid,
    Stage::WarmNewton,
    Stage::WarmProximal,
    Stage::Sweeps,
    Stage::SweptNewton,
    Stage::Alternations,
    Stage::LargeHybrid,
    Stage::Proximal,
    Stage::LastSweeps,
];

/// An island to be solved.
struct Island<'a> {
    problem: &'a ContactProblem,
    laws: &'a mut dyn LawSource,
    stop: Stop,
    /// Whether impulses are known.
    warm: bool,
}

/// Whether an island is large and its tolerance wide.
fn is_rough(problem: &ContactProblem, stop: &Stop) -> bool {
    problem.blocks() > SMALL && stop.tolerance >= ROUGH
}

/// Whether W is at hand, or cheaper than systems over degrees of freedom. Once it is formed, all later stages use it.
fn is_worth_forming(problem: &ContactProblem) -> bool {
    let Some(factor) = problem.sparse_dynamics() else { return true };
    let rows = problem.rows();
    rows <= FEW_ROWS || (rows <= FORMED && FREEDOMS_A_ROW * rows <= factor.dofs())
}

/// Whether an island of rigid bodies is solved by the hybrid instead of a few alternating directions.
fn takes_large_hybrid(island: &Island<'_>) -> bool {
    let blocks = island.problem.blocks();
    let unknown = blocks > LEAST_HYBRID && (!island.warm || blocks > LARGE);
    unknown && island.problem.sparse_dynamics().is_none()
}

/// Proximal points for an island of this size.
fn proximal_points(problem: &ContactProblem) -> Proximal {
    if problem.blocks() <= SMALL { Proximal::default() } else { Proximal::of_piles() }
}

impl Stage {
    fn applies(self, island: &Island<'_>) -> bool {
        let blocks = island.problem.blocks();
        let sets = || island.laws.laws().iter().all(|law| matches!(law, ContactLaw::Set(_)));
        let elastic = island.problem.sparse_dynamics().is_some();
        let rough = is_rough(island.problem, &island.stop);
        let formed = !elastic || island.problem.rows() <= FORMED;
        match self {
            Self::Hybrid => elastic && sets(),
            Self::LargeHybrid => sets() && takes_large_hybrid(island),
            Self::SweptNewton => !island.warm && blocks <= SMALLEST && formed,
            Self::Sweeps => is_worth_forming(island.problem),
            Self::WarmNewton | Self::WarmProximal => island.warm && blocks <= LARGE && !elastic && !rough,
            Self::Alternations => sets() && !elastic && !takes_large_hybrid(island),
            Self::Proximal => true,
            Self::LastSweeps => formed,
        }
    }

    /// Whether it starts from the start of the island, and not from the best so far.
    fn starts_anew(self) -> bool {
        match self {
            Self::Hybrid | Self::WarmNewton | Self::WarmProximal | Self::Alternations | Self::LargeHybrid => true,
            Self::Sweeps | Self::SweptNewton | Self::Proximal | Self::LastSweeps => false,
        }
    }

    /// Whether its result is the best so far; `found` is the residual of the one before.
    fn keeps(self, report: &SolveReport, found: f64) -> bool {
        match (self, report.status) {
            // What is left over from a warm stage that fails is as a rule a worse start than the impulses it had. After
            // one that runs out of time nothing starts.
            (Self::WarmNewton | Self::WarmProximal, status) => {
                matches!(status, Status::Solved | Status::Time)
            }
            (Self::Hybrid | Self::LargeHybrid | Self::Alternations, _) => report.residual.worst() < found,
            (Self::Sweeps | Self::SweptNewton | Self::Proximal | Self::LastSweeps, _) => true,
        }
    }

    fn run(self, auto: &Auto, island: &mut Island<'_>, trial: &mut Solution) -> Result<SolveReport, ProblemError> {
        let Island { problem, laws, stop, .. } = island;
        match self {
            Self::Hybrid | Self::LargeHybrid => Hybrid::default().solve(problem, *laws, *stop, trial),
            Self::SweptNewton => {
                Newton { iterations: SWEPT_STEPS, ..Newton::default() }.solve(problem, *laws, *stop, trial)
            }
            Self::WarmNewton => {
                let iterations = if problem.blocks() <= SMALL { WARM_STEPS } else { LARGE_WARM_STEPS };
                Newton { iterations, ..Newton::default() }.solve(problem, *laws, *stop, trial)
            }
            Self::WarmProximal => {
                let proximal =
                    Proximal { iterations: WARM_PROXIMAL_STEPS, shift: WARM_SHIFT, ..proximal_points(problem) };
                proximal.solve(problem, *laws, *stop, trial)
            }
            Self::Sweeps if is_rough(problem, stop) => ROUGH_SWEEPS.solve(problem, *laws, *stop, trial),
            Self::Sweeps => auto.sweep(island, trial),
            Self::Alternations => {
                let bodies = problem.dynamics().few_bodies().is_some();
                let budget = if bodies { BODY_ALTERNATIONS } else { ALTERNATIONS };
                let admm = Admm { iterations: budget.most, patience: budget.patience, raises: 0, ..Admm::default() };
                admm.solve(problem, *laws, *stop, trial)
            }
            Self::Proximal => {
                let small = problem.blocks() <= SMALL;
                let iterations = if small { auto.newton_steps.max(SMALL_STEPS) } else { auto.newton_steps };
                Proximal { iterations, ..proximal_points(problem) }.solve(problem, *laws, *stop, trial)
            }
            Self::LastSweeps => {
                let sweeps = auto.last_sweeps;
                let last = ProxGaussSeidel { sweeps, measure_every: 50, ..ProxGaussSeidel::default() };
                last.solve(problem, *laws, *stop, trial)
            }
        }
    }
}

impl Auto {
    /// Solves an island from `solution`, stage by stage. One that runs out of time ends the list: what comes after it
    /// would depend on the clock.
    pub(super) fn solve_island(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<Ended, ProblemError> {
        let start = solution.clone();
        let warm = start.r.iter().any(|r| *r != 0.0);
        let mut island = Island { problem, laws, stop, warm };
        let mut ended = Ended { status: Status::Stalled, iterations: 0 };
        let mut found = f64::INFINITY;
        for stage in STAGES {
            if !stage.applies(&island) {
                continue;
            }
            let mut trial = if stage.starts_anew() { start.clone() } else { std::mem::take(solution) };
            let report = stage.run(self, &mut island, &mut trial)?;
            ended.iterations += report.iterations;
            ended.status = report.status;
            if stage.keeps(&report, found) {
                *solution = trial;
                found = report.residual.worst();
            }
            if matches!(report.status, Status::Solved | Status::Time) {
                break;
            }
        }
        Ok(ended)
    }

    /// A round of sweeps; more of them over bodies, where they cost little against anything that has to be factored:
    /// they go on while, at the rate of the last round, they get there in a few more.
    fn sweep(&self, island: &mut Island<'_>, solution: &mut Solution) -> Result<SolveReport, ProblemError> {
        let Island { problem, laws, stop, .. } = island;
        let cheap = problem.dynamics().few_bodies().is_some();
        let horizon = if cheap || problem.blocks() <= SMALLEST { None } else { Some(HORIZON) };
        let round = ProxGaussSeidel { sweeps: self.sweeps, measure_every: 5, horizon, ..ProxGaussSeidel::default() };
        let mut report = round.solve(problem, *laws, *stop, solution)?;
        let (mut before, mut swept) = (f64::INFINITY, report.iterations);
        while report.status == Status::Iterations && cheap && swept < MOST_SWEEPS {
            let found = report.residual.worst();
            let (left, rate) = ((found / stop.tolerance).ln(), (before / found).ln());
            if rate.is_nan() || left > MOST_ROUNDS * rate {
                break;
            }
            before = found;
            report = round.solve(problem, *laws, *stop, solution)?;
            swept += report.iterations;
        }
        Ok(SolveReport { iterations: swept, ..report })
    }
}
