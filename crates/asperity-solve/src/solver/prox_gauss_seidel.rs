//! Blocked Gauss-Seidel: contact after contact, each solved for the others' current impulses.
//!
//! Contacts with three rows and a planar set are solved exactly ([`super::local`]); other laws, spin and rolling take PROX steps
//! with r-factors of their own block until they have settled. Bilateral blocks are solved, bounded rows clamped.
//! Takes every law.

use asperity_friction::set::ConvexSet;
use asperity_friction::{ContactLaw, Tangential};
use glam::DVec3;

use super::local::{Contact3, respond};
use super::{ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop};
use crate::problem::residual::tangential;
use crate::problem::{ContactProblem, ProblemError, RowKind};

/// Sweeps over the row blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProxGaussSeidel {
    /// Most sweeps.
    pub sweeps: usize,
    /// Sweeps between measurements of the residual.
    pub measure_every: usize,
}

impl Default for ProxGaussSeidel {
    fn default() -> Self {
        Self { sweeps: 20_000, measure_every: 10 }
    }
}

/// What a sweep needs of each block, made once.
pub(super) struct Sweeper<'a> {
    problem: &'a ContactProblem,
    contacts: Vec<Option<Contact3>>,
    /// What the problem wants carried along.
    state: Vec<f64>,
}

impl<'a> Sweeper<'a> {
    /// Ready to sweep from the impulses `r`; they must not change but by sweeps.
    pub(super) fn new(problem: &'a ContactProblem, r: &[f64]) -> Self {
        let contact = |i: usize| {
            let three = *problem.kind(i) == RowKind::Contact && problem.range(i).len() == 3;
            three.then(|| Contact3::new(problem.diagonal(i)))
        };
        Self { problem, contacts: (0..problem.blocks()).map(contact).collect(), state: problem.sweep_state(r) }
    }

    /// One sweep over all blocks, in order.
    pub(super) fn sweep(&mut self, laws: &[ContactLaw], r: &mut [f64]) {
        for i in 0..self.problem.blocks() {
            self.relax(i, laws, r);
        }
    }

    fn relax(&mut self, i: usize, laws: &[ContactLaw], r: &mut [f64]) {
        let range = self.problem.range(i);
        let n = range.len();
        let (mut velocity, mut change) = ([0.0; 6], [0.0; 6]);
        let u = &mut velocity[..n];
        self.problem.block_velocity(i, r, &self.state, u);
        let diagonal = self.problem.diagonal(i);
        let block = &mut r[range];
        let change = &mut change[..n];
        change.copy_from_slice(block);
        match self.problem.kind(i) {
            RowKind::Bilateral => clamp_rows(diagonal, u, block, |_| (f64::NEG_INFINITY, f64::INFINITY)),
            RowKind::Bounded { lower, upper } => clamp_rows(diagonal, u, block, |k| (lower[k], upper[k])),
            RowKind::Contact if n == 1 => clamp_rows(diagonal, u, block, |_| (0.0, f64::INFINITY)),
            RowKind::Contact => {
                let law = &laws[self.problem.law_of(i)];
                if let (Some(contact), ContactLaw::Set(set)) = (&self.contacts[i], law) {
                    let old = DVec3::from_slice(block);
                    let q = DVec3::from_slice(u) - glam::DMat3::from_cols_slice(diagonal).transpose() * old;
                    contact.solve(q, set, old).write_to_slice(block);
                } else {
                    prox_steps(diagonal, u, block, law);
                }
            }
        }
        change.iter_mut().zip(&*block).for_each(|(c, new)| *c = new - *c);
        self.problem.block_changed(i, change, &mut self.state);
    }
}

/// Row by row: r ← clamp(r − u/w), with u kept up to date.
fn clamp_rows(diagonal: &[f64], u: &mut [f64], r: &mut [f64], bounds: impl Fn(usize) -> (f64, f64)) {
    let n = r.len();
    for k in 0..n {
        let w = diagonal[k * n + k];
        if w <= 0.0 {
            continue;
        }
        let (lower, upper) = bounds(k);
        let change = (r[k] - u[k] / w).clamp(lower, upper) - r[k];
        r[k] += change;
        for j in 0..n {
            u[j] += diagonal[j * n + k] * change;
        }
    }
}

/// Most local PROX steps a visit; few are needed once the neighbours have settled.
const LOCAL_STEPS: usize = 30;

/// PROX steps of one contact until it has settled for its neighbours' impulses: the normal first, then the tangential rows
/// at the new load. Moments are measured as forces at the arm at which the block resists both alike, so that the steps do
/// not depend on the unit of length.
fn prox_steps(diagonal: &[f64], u: &mut [f64], r: &mut [f64], law: &ContactLaw) {
    let n = r.len();
    let mean = |rows: std::ops::Range<usize>| {
        let count = rows.len().max(1) as f64;
        rows.map(|k| diagonal[k * n + k]).sum::<f64>() / count
    };
    // One over that arm: a moment times it is a force.
    let inverse_arm = if n > 3 { (mean(3..n) / mean(1..3)).sqrt() } else { 1.0 };
    let units: [f64; 5] = [1.0, 1.0, inverse_arm, inverse_arm, inverse_arm];
    // Largest row sum of the tangential block in those units bounds its eigenvalues.
    let bound = (1..n)
        .map(|j| (1..n).map(|k| (diagonal[j * n + k] / (units[j - 1] * units[k - 1])).abs()).sum::<f64>())
        .fold(0.0, f64::max);
    let rho = 1.0 / bound;
    let scaled = match law {
        ContactLaw::Set(set) if n > 3 => {
            let mut set = set.clone();
            set.scale_moments(inverse_arm);
            Some(set)
        }
        _ => None,
    };
    let change_row = |k: usize, change: f64, u: &mut [f64]| {
        for j in 0..n {
            u[j] += diagonal[j * n + k] * change;
        }
    };
    for _ in 0..LOCAL_STEPS {
        let load = (r[0] - u[0] / diagonal[0]).max(0.0);
        let mut moved = (load - r[0]).abs();
        change_row(0, load - r[0], u);
        r[0] = load;
        let (mut trial, slip) = (tangential(r).to_array(), tangential(u));
        let speeds = slip.to_array();
        for k in 0..n - 1 {
            trial[k] = trial[k] * units[k] - rho * speeds[k] / units[k];
        }
        let trial = Tangential::from_array(trial);
        let answer = match &scaled {
            Some(set) => set.project(load, trial),
            None => respond(law, load, trial, slip),
        };
        for (k, value) in answer.to_array().into_iter().take(n - 1).enumerate() {
            let change = value / units[k] - r[k + 1];
            moved = moved.max((change * units[k]).abs());
            change_row(k + 1, change, u);
            r[k + 1] += change;
        }
        if moved <= 1e-13 * load {
            break;
        }
    }
}

impl ContactSolver for ProxGaussSeidel {
    fn name(&self) -> &'static str {
        "prox_gauss_seidel"
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        let mut r = progress.solution.r.clone();
        let mut sweeper = Sweeper::new(problem, &r);
        let mut done = 0;
        while done < self.sweeps && !progress.solved() {
            let batch = self.measure_every.clamp(1, self.sweeps - done);
            for _ in 0..batch {
                sweeper.sweep(laws.laws(), &mut r);
            }
            done += batch;
            progress.offer(laws, &r);
            if progress.out_of_time() {
                return Ok(progress.finish(Status::Time, done, solution));
            }
        }
        Ok(progress.finish(Status::Iterations, done, solution))
    }
}
