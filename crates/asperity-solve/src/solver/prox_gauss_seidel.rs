//! Blocked Gauss-Seidel: sweeps over the contacts ([`super::sweeper`]), large problems in parts on threads
//! ([`super::parts`]), accelerated where asked. Takes every law.

use asperity_friction::ContactLaw;

use super::anderson::Anderson;
use super::catalogue::{SolverEntry, with};
use super::parts::{PartSweeper, parts};
use super::sweeper::{Local, Sweeper};
use super::{Capabilities, ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop};
use crate::problem::{ContactProblem, ProblemError};

/// How it is made by name.
pub(super) const ENTRY: SolverEntry = SolverEntry {
    name: "prox_gauss_seidel",
    summary: "sweeps, contact by contact",
    make: |o| with(ProxGaussSeidel::default(), o.sweeps(), |s, n| s.sweeps = n),
};

/// How it is made by name.
pub(super) const STEPS_ENTRY: SolverEntry = SolverEntry {
    name: "prox_gauss_seidel_steps",
    summary: "the same with one PROX step a contact: the cheapest sweep, for piles and little time",
    make: |o| with(ProxGaussSeidel::steps(), o.sweeps(), |s, n| s.sweeps = n),
};

/// Sweeps over the row blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProxGaussSeidel {
    /// Most sweeps.
    pub sweeps: usize,
    /// Sweeps between measurements of the residual.
    pub measure_every: usize,
    /// How contacts are relaxed.
    pub local: Local,
    /// Measurements that Anderson's acceleration remembers; zero for plain sweeps. The impulses are then accelerated at every
    /// measurement.
    pub memory: usize,
    /// It gives up, with the status `Stalled`, where more sweeps than this are left at the rate of the last measurement; `None` for never.
    pub horizon: Option<usize>,
}

impl Default for ProxGaussSeidel {
    fn default() -> Self {
        Self { sweeps: 20_000, measure_every: 10, local: Local::Exact, memory: 0, horizon: None }
    }
}

impl ProxGaussSeidel {
    /// With one PROX step a contact: sweeps that cost little.
    pub fn steps() -> Self {
        Self { local: Local::Prox { steps: 1 }, ..Self::default() }
    }
}

/// Sweeps over all of a problem, or over the parts of a large one.
enum Sweeping<'a> {
    Whole(Sweeper<'a>),
    Parts(PartSweeper<'a>),
}

impl Sweeping<'_> {
    /// So many sweeps.
    fn sweep(&mut self, laws: &[ContactLaw], sweeps: usize, r: &mut [f64]) {
        match self {
            Self::Whole(sweeper) => (0..sweeps).for_each(|_| sweeper.sweep(laws, r)),
            Self::Parts(sweeper) => sweeper.sweep(laws, sweeps, r),
        }
    }

    /// Goes on from other impulses.
    fn restart(&mut self, r: &[f64]) {
        match self {
            Self::Whole(sweeper) => sweeper.restart(r),
            Self::Parts(sweeper) => sweeper.restart(r),
        }
    }
}

/// How many sweeps are left to `tolerance` if each batch reduces the residual by the same factor as the last one did.
fn sweeps_left(before: f64, found: f64, tolerance: f64, batch: usize) -> f64 {
    let rate = (before / found).ln();
    if rate > 0.0 { batch as f64 * (found / tolerance).ln() / rate } else { f64::INFINITY }
}

/// Anderson's acceleration of batches of sweeps, with the impulses of each block in its own unit √λ, λ the block's scale.
struct Acceleration {
    anderson: Anderson,
    units: Vec<f64>,
    /// Where the last batch began, and where it ended; both in units.
    state: Vec<f64>,
    swept: Vec<f64>,
}

impl Acceleration {
    fn new(problem: &ContactProblem, memory: usize, r: &[f64]) -> Self {
        let scales = problem.scales();
        let of_block = |i: usize| problem.range(i).map(move |_| scales[i].sqrt());
        let units: Vec<f64> = (0..problem.blocks()).flat_map(of_block).collect();
        let state = r.iter().zip(&units).map(|(r, unit)| r * unit).collect();
        Self { anderson: Anderson::new(memory), swept: vec![0.0; units.len()], units, state }
    }

    /// r, where a batch of sweeps got to, becomes where the next begins.
    fn apply(&mut self, r: &mut [f64]) {
        for (swept, (r, unit)) in self.swept.iter_mut().zip(r.iter().zip(&self.units)) {
            *swept = r * unit;
        }
        self.anderson.advance(&mut self.state, &self.swept);
        for (r, (state, unit)) in r.iter_mut().zip(self.state.iter().zip(&self.units)) {
            *r = state / unit;
        }
    }
}

impl ContactSolver for ProxGaussSeidel {
    fn name(&self) -> &'static str {
        match self.local {
            Local::Prox { .. } => "prox_gauss_seidel_steps",
            Local::Exact | Local::AdaptiveProx(_) => "prox_gauss_seidel",
        }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { sweeps: true, ..Capabilities::default() }
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        self.local.validate()?;
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        let mut r = progress.solution.r.clone();
        let parts = parts(problem);
        let mut sweeper = match &parts {
            Some(parts) => Sweeping::Parts(PartSweeper::new(problem, parts, self.local, &r)),
            None => Sweeping::Whole(Sweeper::new(problem, self.local, &r)),
        };
        let mut acceleration = (self.memory > 0).then(|| Acceleration::new(problem, self.memory, &r));
        let (mut done, mut last) = (0, progress.best.worst());
        while done < self.sweeps && !progress.solved() {
            let batch = self.measure_every.clamp(1, self.sweeps - done);
            sweeper.sweep(laws.laws(), batch, &mut r);
            done += batch;
            let found = progress.offer(laws, &r).worst();
            if progress.out_of_time() {
                return Ok(progress.finish(Status::Time, done, solution));
            }
            if self.horizon.is_some_and(|most| sweeps_left(last, found, stop.tolerance, batch) > most as f64) {
                return Ok(progress.finish(Status::Stalled, done, solution));
            }
            last = found;
            if let Some(acceleration) = &mut acceleration {
                acceleration.apply(&mut r);
                sweeper.restart(&r);
            }
        }
        Ok(progress.finish(Status::Iterations, done, solution))
    }
}
