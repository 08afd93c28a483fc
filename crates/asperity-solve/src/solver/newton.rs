//! Nonsmooth Newton on the equations of Alart and Curnier, all contacts at once.
//!
//! For each contact F_N = r_N − (r_N − ρ_N u_N)⁺ and F_T = r_T − P(load, r_T − ρ_T u_T) with load = (r_N − ρ_N u_N)⁺ and P the
//! projection onto load·F; for a bilateral row F = ρ u, for a bounded one F = r − clamp(r − ρ u). With u = W r + b the Jacobian
//! is A + B W, A and B block diagonal, from the derivatives that the sets know. Steps are shortened until the norm of F,
//! each block in its own unit, falls.
//!
//! W must be such that the Jacobian is regular: redundant contacts make it singular. [`super::Proximal`] regularises.
//! Takes planar sets.

use asperity_friction::set::ConvexSet;
use asperity_friction::{ContactLaw, Tangential};
use faer::sparse::Triplet;
use glam::DVec2;

use super::{ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop, linear};
use crate::problem::{ContactProblem, ProblemError, RowKind, scales};

/// Newton's method with a line search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// Most iterations.
    pub iterations: usize,
}

impl Default for Newton {
    fn default() -> Self {
        Self { iterations: 100 }
    }
}

/// The equations of a problem.
pub(super) struct Equations<'a> {
    problem: &'a ContactProblem,
    scales: Vec<f64>,
    entries: Vec<Triplet<usize, usize, f64>>,
}

/// How an inner solve ended.
pub(super) struct Inner {
    pub(super) converged: bool,
    pub(super) iterations: usize,
}

impl<'a> Equations<'a> {
    pub(super) fn new(problem: &'a ContactProblem) -> Self {
        Self { problem, scales: scales(problem), entries: Vec::new() }
    }

    /// F in the blocks' units; with `jacobian`, the entries of A + B (W + δ D) too.
    fn evaluate(&mut self, laws: &[ContactLaw], r: &[f64], u: &[f64], f: &mut [f64], jacobian: bool) -> f64 {
        self.entries.clear();
        let mut sum = 0.0;
        for i in 0..self.problem.blocks() {
            let range = self.problem.range(i);
            let n = range.len();
            let rho = 1.0 / self.scales[i];
            let (mut a, mut b) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
            let (rb, ub) = (&r[range.clone()], &u[range.clone()]);
            let out = &mut f[range.clone()];
            match self.problem.kind(i) {
                RowKind::Contact if n == 3 => {
                    let ContactLaw::Set(set) = &laws[self.problem.law_of(i)] else { continue };
                    contact_rows(set, rho, rb, ub, out, &mut a, &mut b);
                }
                kind => {
                    for k in 0..n {
                        let (lower, upper) = match kind {
                            RowKind::Bilateral => (f64::NEG_INFINITY, f64::INFINITY),
                            RowKind::Bounded { lower, upper } => (lower[k], upper[k]),
                            RowKind::Contact => (0.0, f64::INFINITY),
                        };
                        let trial = rb[k] - rho * ub[k];
                        out[k] = rb[k] - trial.clamp(lower, upper);
                        let free = trial > lower && trial < upper;
                        if n <= 3 {
                            (a[k][k], b[k][k]) = if free { (0.0, rho) } else { (1.0, 0.0) };
                        } else if jacobian {
                            self.push_row(i, k, if free { (0.0, rho) } else { (1.0, 0.0) });
                        }
                    }
                }
            }
            sum += out.iter().map(|x| x * x).sum::<f64>() * self.scales[i];
            if jacobian && n <= 3 {
                self.push_block(i, &a, &b);
            }
        }
        sum.sqrt()
    }

    fn push_block(&mut self, i: usize, a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) {
        let w = self.problem.w();
        let range = w.range(i);
        let n = range.len();
        for block in w.row(i) {
            let width = block.values.len() / n;
            for (row, factors) in b.iter().enumerate().take(n) {
                if factors[..n].iter().all(|x| *x == 0.0) {
                    continue;
                }
                for column in 0..width {
                    let val: f64 = (0..n).map(|k| factors[k] * block.values[k * width + column]).sum();
                    self.entries.push(Triplet { row: range.start + row, col: block.start + column, val });
                }
            }
        }
        for row in 0..n {
            for column in 0..n {
                let val = a[row][column] + b[row][column] * self.problem.compliance()[range.start + column];
                self.entries.push(Triplet { row: range.start + row, col: range.start + column, val });
            }
        }
    }

    fn push_row(&mut self, i: usize, k: usize, (a, b): (f64, f64)) {
        let w = self.problem.w();
        let range = w.range(i);
        if b != 0.0 {
            for block in w.row(i) {
                let width = block.values.len() / range.len();
                for column in 0..width {
                    let val = b * block.values[k * width + column];
                    self.entries.push(Triplet { row: range.start + k, col: block.start + column, val });
                }
            }
        }
        let val = a + b * self.problem.compliance()[range.start + k];
        self.entries.push(Triplet { row: range.start + k, col: range.start + k, val });
    }

    /// Newton's method from `r`, until the norm of F is below `tolerance` times the size of the impulses.
    pub(super) fn solve(&mut self, laws: &[ContactLaw], r: &mut [f64], tolerance: f64, iterations: usize) -> Inner {
        let n = r.len();
        let (mut u, mut f, mut step) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let (mut trial, mut trial_f) = (vec![0.0; n], vec![0.0; n]);
        for iteration in 0..iterations {
            self.problem.velocities(r, &mut u);
            let error = self.evaluate(laws, r, &u, &mut f, true);
            if error <= tolerance * self.size(r, &u) {
                return Inner { converged: true, iterations: iteration };
            }
            step.copy_from_slice(&f);
            if linear::solve(n, &self.entries, &mut step).is_none() {
                return Inner { converged: false, iterations: iteration };
            }
            let mut length = 1.0;
            for _ in 0..8 {
                for k in 0..n {
                    trial[k] = r[k] - length * step[k];
                }
                self.problem.velocities(&trial, &mut u);
                let next = self.evaluate(laws, &trial, &u, &mut trial_f, false);
                if next <= (1.0 - 1e-4 * length) * error {
                    break;
                }
                length *= 0.5;
            }
            // Where nothing helps, a short step all the same: it changes the active set.
            r.copy_from_slice(&trial);
        }
        Inner { converged: false, iterations }
    }

    /// Size of impulses and velocities in the blocks' units.
    fn size(&self, r: &[f64], u: &[f64]) -> f64 {
        let (mut impulses, mut speeds) = (0.0, 0.0);
        for i in 0..self.problem.blocks() {
            for k in self.problem.range(i) {
                impulses += r[k] * r[k] * self.scales[i];
                let b = self.problem.bias()[k];
                speeds += (u[k] * u[k]).max(b * b) / self.scales[i];
            }
        }
        impulses.max(speeds).sqrt().max(f64::MIN_POSITIVE)
    }
}

/// F, and A and B of ∂F = A dr + B du, of one contact with three rows.
fn contact_rows(
    set: &asperity_friction::set::FrictionSet,
    rho: f64,
    r: &[f64],
    u: &[f64],
    f: &mut [f64],
    a: &mut [[f64; 3]; 3],
    b: &mut [[f64; 3]; 3],
) {
    let trial_n = r[0] - rho * u[0];
    let load = trial_n.max(0.0);
    let trial = DVec2::new(r[1] - rho * u[1], r[2] - rho * u[2]);
    let p = set.project(load, Tangential::planar(trial)).plane;
    f[0] = r[0] - load;
    f[1] = r[1] - p.x;
    f[2] = r[2] - p.y;
    if trial_n > 0.0 {
        b[0][0] = rho;
    } else {
        a[0][0] = 1.0;
    }
    if load == 0.0 {
        a[1][1] = 1.0;
        a[2][2] = 1.0;
        return;
    }
    let Some(planar) = set.planar() else { return };
    let d = planar.project_derivative(load, trial);
    let by_force = [[d.by_force.x_axis.x, d.by_force.y_axis.x], [d.by_force.x_axis.y, d.by_force.y_axis.y]];
    for row in 0..2 {
        for column in 0..2 {
            a[row + 1][column + 1] = f64::from(u8::from(row == column)) - by_force[row][column];
            b[row + 1][column + 1] = rho * by_force[row][column];
        }
        a[row + 1][0] = -d.by_load[row];
        b[row + 1][0] = rho * d.by_load[row];
    }
}

/// Refuses laws that are not planar sets.
pub(super) fn check_planar(
    solver: &'static str,
    problem: &ContactProblem,
    laws: &[ContactLaw],
) -> Result<(), ProblemError> {
    for (contact, law) in laws.iter().enumerate() {
        let reason = match law {
            ContactLaw::Set(set) if set.planar().is_some() => continue,
            ContactLaw::Set(_) => "a set with spin or rolling",
            ContactLaw::TwoSet(_) => "a two-set law",
            ContactLaw::Slip(_) => "a slip rule",
        };
        return Err(ProblemError::Refused { contact, solver, law: reason });
    }
    for i in 0..problem.blocks() {
        if *problem.kind(i) == RowKind::Contact && problem.range(i).len() > 3 {
            let contact = problem.law_of(i);
            return Err(ProblemError::Refused { contact, solver, law: "a contact with spin or rolling rows" });
        }
    }
    Ok(())
}

impl ContactSolver for Newton {
    fn name(&self) -> &'static str {
        "newton"
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
        let mut equations = Equations::new(problem);
        let mut r = progress.solution.r.clone();
        let mut done = 0;
        let mut status = Status::Iterations;
        while done < self.iterations && !progress.solved() {
            let inner = equations.solve(laws.laws(), &mut r, 0.1 * stop.tolerance, 10.min(self.iterations - done));
            done += inner.iterations.max(1);
            progress.offer(laws, &r);
            if progress.out_of_time() {
                status = Status::Time;
                break;
            }
            if inner.converged && !progress.solved() && inner.iterations == 0 {
                status = Status::Stalled;
                break;
            }
        }
        Ok(progress.finish(status, done, solution))
    }
}
