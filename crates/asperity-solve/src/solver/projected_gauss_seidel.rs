//! Projected Gauss-Seidel on boxes: row after row, each clamped to its bounds; those of friction follow the normal
//! impulse.
//!
//!   r_N ← (r_N − u_N/W_NN)⁺,   r_a ← clamp(r_a − u_a/W_aa, r_N l_a, r_N h_a)
//!
//! for each tangential direction a: the axis of the contact's set and the one across it, spin, rolling. l and h are the
//! bounds of the set along them ([`ConvexSet::bounds`]). It is what many engines do, made right for sets that are
//! turned and for asymmetric ones: the box is aligned with the set, not with the frame of the contact. Matrix-free
//! where the dynamics are; the cheapest sweep there is.
//!
//! A set that is not a box is replaced by the smallest box around it. The sweeps then converge to the solution of the
//! boxes; the residual is that of the laws themselves, and the status [`Status::Approximated`].
//!
//! Takes every set. Slip rules and two-set laws have no box and are refused.

use asperity_friction::ContactLaw;
use asperity_friction::set::{AxisBounds, ConvexSet};

use super::prox::{Interval, relaxed_row};
use super::{Capabilities, ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop, check_sets};
use crate::problem::{ContactProblem, ProblemError, RowKind};

/// Sweeps over rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProjectedGaussSeidel {
    /// Most sweeps.
    pub sweeps: usize,
    /// Sweeps between measurements of the residual.
    pub measure_every: usize,
}

impl Default for ProjectedGaussSeidel {
    fn default() -> Self {
        Self { sweeps: 50_000, measure_every: 20 }
    }
}

/// Sweeps over a problem.
struct BoxSweeper<'a> {
    problem: &'a ContactProblem,
    /// Boxes of the contacts, by their number.
    boxes: Vec<AxisBounds>,
    /// What the problem wants carried along.
    state: Vec<f64>,
    /// Room for velocities, changes of impulses, and a direction.
    velocity: Vec<f64>,
    change: Vec<f64>,
}

impl<'a> BoxSweeper<'a> {
    fn new(problem: &'a ContactProblem, r: &[f64]) -> Self {
        let largest = (0..problem.blocks()).map(|i| problem.range(i).len()).max().unwrap_or(0);
        Self {
            problem,
            boxes: Vec::with_capacity(problem.contacts()),
            state: problem.sweep_state(r),
            velocity: vec![0.0; largest],
            change: vec![0.0; largest],
        }
    }

    /// Takes the laws as they are now.
    fn read(&mut self, laws: &[ContactLaw]) {
        self.boxes.clear();
        self.boxes.extend(laws.iter().filter_map(|law| match law {
            ContactLaw::Set(set) => Some(set.bounds()),
            _ => None,
        }));
    }

    /// One sweep over all rows; the largest change of an impulse, squared and in units of energy.
    fn sweep(&mut self, r: &mut [f64]) -> f64 {
        let mut moved = 0.0f64;
        for i in 0..self.problem.blocks() {
            let range = self.problem.range(i);
            let n = range.len();
            let u = &mut self.velocity[..n];
            self.problem.block_velocity(i, r, &self.state, u);
            let (block, change) = (&mut r[range], &mut self.change[..n]);
            change.copy_from_slice(block);
            let w = self.problem.diagonal(i);
            let mut step = |k: usize, lower: f64, upper: f64, r: &mut [f64], u: &mut [f64]| {
                let own = w[k * n + k];
                let Some(new) = relaxed_row(r[k], u[k], own, Interval { lower, upper }) else {
                    // There is nothing to settle on.
                    moved = f64::INFINITY;
                    return;
                };
                let by = new - r[k];
                r[k] += by;
                (0..n).for_each(|j| u[j] += w[j * n + k] * by);
                moved = moved.max(by * by * own);
            };
            match self.problem.kind(i) {
                RowKind::Bilateral => (0..n).for_each(|k| step(k, f64::NEG_INFINITY, f64::INFINITY, block, u)),
                RowKind::Bounded { lower, upper } => (0..n).for_each(|k| step(k, lower[k], upper[k], block, u)),
                RowKind::Contact => {
                    step(0, 0.0, f64::INFINITY, block, u);
                    if n > 1 {
                        clamp_tangential(&self.boxes[self.problem.law_of(i)], w, block, u, &mut moved);
                    }
                }
            }
            change.iter_mut().zip(&*block).for_each(|(c, new)| *c = new - *c);
            self.problem.block_changed(i, change, &mut self.state);
        }
        moved
    }
}

/// The tangential rows of a contact, one direction after the other.
#[inline]
fn clamp_tangential(bounds: &AxisBounds, w: &[f64], r: &mut [f64], u: &mut [f64], moved: &mut f64) {
    let n = r.len();
    let load = r[0];
    let (lower, upper) = (bounds.lower.to_array(), bounds.upper.to_array());
    let across = bounds.axis.perp();
    for k in 1..n {
        // The direction: two rows for those of the plane and of rolling, one for spin.
        let (rows, direction) = match k {
            1 => ([1, 2], bounds.axis),
            2 => ([1, 2], across),
            3 => ([3, 3], glam::DVec2::X),
            4 => ([4, 5], bounds.axis),
            _ => ([4, 5], across),
        };
        let along = |x: &[f64]| x[rows[0]] * direction.x + x[rows[1]] * direction.y;
        let response = |j: usize| w[j * n + rows[0]] * direction.x + w[j * n + rows[1]] * direction.y;
        let own = response(rows[0]) * direction.x + response(rows[1]) * direction.y;
        let old = along(r);
        let bounds = Interval { lower: load * lower[k - 1], upper: load * upper[k - 1] };
        let by = relaxed_row(old, along(u), own, bounds).map_or(0.0, |new| new - old);
        r[rows[0]] += by * direction.x;
        if rows[1] != rows[0] {
            r[rows[1]] += by * direction.y;
        }
        (0..n).for_each(|j| u[j] += response(j) * by);
        *moved = moved.max(by * by * own);
    }
}

impl ContactSolver for ProjectedGaussSeidel {
    fn name(&self) -> &'static str {
        "projected_gauss_seidel"
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
        check_sets(self.name(), laws.laws(), |_| None)?;
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        let mut r = progress.solution.r.clone();
        let mut sweeper = BoxSweeper::new(problem, &r);
        let mut done = 0;
        let mut status = Status::Iterations;
        while done < self.sweeps && !progress.solved() {
            sweeper.read(laws.laws());
            let batch = self.measure_every.clamp(1, self.sweeps - done);
            let mut moved = 0.0;
            for _ in 0..batch {
                moved = sweeper.sweep(&mut r);
            }
            done += batch;
            progress.offer(laws, &r);
            let size: f64 = (0..problem.blocks())
                .map(|i| r[problem.range(i)].iter().map(|r| r * r).sum::<f64>() * progress.scales[i])
                .sum();
            // No impulse moves any more: this is the solution of the boxes, if not that of the laws.
            if moved <= (1e-3 * stop.tolerance).powi(2) * size {
                status = Status::Approximated;
                progress.forget();
                progress.offer(laws, &r);
                break;
            }
            if progress.out_of_time() {
                status = Status::Time;
                break;
            }
        }
        Ok(progress.finish(status, done, solution))
    }
}
