//! The friction problem by projections: every set, any rows.
//!
//! Proximal-point steps: x_{k+1} minimises the problem with a pull δ D (x − x_k) added, which is regular however
//! redundant the contacts are. Each is solved by Newton's method on its natural map, whose derivative needs that of the
//! projections. δ falls while that succeeds. Where it does not, accelerated projected gradient steps are taken, which
//! converge from anywhere (Nesterov's, restarted when they point uphill; Mazhar et al. 2015), and δ rises: they are
//! fast when it is large.

use asperity_friction::Tangential;
use asperity_friction::set::{ConvexSet, FrictionSet, PlanarSet};
use faer::sparse::Triplet;
use glam::DVec2;

use super::super::linear;
use super::friction::{FrictionProblem, Near, Patch};
use crate::problem::MatrixEntry;

/// Most proximal-point steps.
const STEPS: usize = 300;
/// Most Newton steps in one of them.
const NEWTON: usize = 20;
/// Gradient steps where Newton's method fails.
const BURST: usize = 30;
/// The first δ and the least.
const SHIFTS: [f64; 2] = [1e-6, 1e-11];

/// Work space.
pub(super) struct Projection {
    gradient: Vec<f64>,
    e: Vec<f64>,
    trial: Vec<f64>,
    trial_e: Vec<f64>,
    ahead: Vec<f64>,
    center: Vec<f64>,
    entries: Vec<Triplet<usize, usize, f64>>,
    /// Bound on the eigenvalues of D^-½ W D^-½, found on the way.
    lipschitz: f64,
    /// δ, and the least that has not failed lately.
    shift: f64,
    floor: f64,
}

impl Projection {
    pub(super) fn new(rows: usize) -> Self {
        let zeros = || vec![0.0; rows];
        Self {
            gradient: zeros(),
            e: zeros(),
            trial: zeros(),
            trial_e: zeros(),
            ahead: zeros(),
            center: zeros(),
            entries: Vec::new(),
            lipschitz: 1.0,
            shift: SHIFTS[0],
            floor: SHIFTS[1],
        }
    }

    /// Minimises from x, which is within the sets; whether the error is below `accuracy` times the size of the problem.
    pub(super) fn solve(
        &mut self,
        problem: &FrictionProblem,
        q: &[f64],
        x: &mut [f64],
        accuracy: f64,
        time_is_up: &dyn Fn() -> bool,
    ) -> bool {
        for _ in 0..STEPS {
            let error = problem.natural_map(q, x, Near::NOTHING, &mut self.gradient, &mut self.e);
            let enough = accuracy * problem.size(x);
            if error <= enough {
                return true;
            }
            if time_is_up() {
                return false;
            }
            let mut center = std::mem::take(&mut self.center);
            center.copy_from_slice(x);
            let near = Near { shift: self.shift, center: &center };
            if self.newton(problem, q, x, near, (0.01 * error).max(0.3 * enough)) {
                self.shift = (0.1 * self.shift).max(self.floor);
                // What failed is worth another try from nearer by.
                self.floor = (0.5 * self.floor).max(SHIFTS[1]);
            } else {
                x.copy_from_slice(&center);
                self.burst(problem, q, x, near);
                self.floor = 2.0 * self.shift;
                self.shift = (10.0 * self.shift).min(1.0);
            }
            self.center = center;
        }
        false
    }

    /// Newton's method until the natural map is below `enough`; whether it was reached.
    fn newton(&mut self, problem: &FrictionProblem, q: &[f64], x: &mut [f64], near: Near<'_>, enough: f64) -> bool {
        let mut error = problem.natural_map(q, x, near, &mut self.gradient, &mut self.e);
        for _ in 0..NEWTON {
            if error <= enough {
                return true;
            }
            match self.newton_step(problem, q, x, near, error) {
                Some(next) => error = next,
                None => return false,
            }
        }
        error <= enough
    }

    /// A Newton step, shortened until it reduces the natural map: its new size.
    fn newton_step(
        &mut self,
        problem: &FrictionProblem,
        q: &[f64],
        x: &mut [f64],
        near: Near<'_>,
        error: f64,
    ) -> Option<f64> {
        self.entries.clear();
        for patch in &problem.patches {
            let scale = patch.scale * (1.0 + near.shift);
            let derivative = derivative(patch, patch.of(x) - patch.of(&self.gradient) * (1.0 / scale));
            for (i, factors) in derivative.iter().enumerate().take(patch.rows) {
                let row = patch.start + i;
                for (k, factor) in factors.iter().enumerate().take(patch.rows) {
                    let own = patch.start + k;
                    let identity = f64::from(u8::from(i == k));
                    let pull = factor * near.shift / (1.0 + near.shift);
                    self.entries.push(Triplet { row, col: own, val: identity - factor + pull });
                    if *factor != 0.0 {
                        let entry = |e: MatrixEntry| Triplet { row, col: e.column, val: factor * e.value / scale };
                        self.entries.extend(problem.w.row(own).map(entry));
                    }
                }
            }
        }
        let mut step = self.e.clone();
        linear::solve(step.len(), &self.entries, &mut step)?;
        for length in [1.0, 0.5, 0.25, 0.1, 0.02] {
            for ((trial, x), step) in self.trial.iter_mut().zip(&*x).zip(&step) {
                *trial = x - length * step;
            }
            for patch in &problem.patches {
                patch.write(patch.set.project(patch.load, patch.of(&self.trial)), &mut self.trial);
            }
            let next = problem.natural_map(q, &self.trial, near, &mut self.ahead, &mut self.trial_e);
            let (mut slope, mut change) = (0.0, 0.0);
            for (k, trial) in self.trial.iter().enumerate() {
                let moved = trial - x[k];
                slope += moved * self.gradient[k];
                change += 0.5 * moved * (self.gradient[k] + self.ahead[k]);
            }
            if next < (1.0 - 0.3 * length) * error || change < 1e-2 * slope.min(0.0) {
                x.copy_from_slice(&self.trial);
                std::mem::swap(&mut self.gradient, &mut self.ahead);
                std::mem::swap(&mut self.e, &mut self.trial_e);
                return Some(next);
            }
        }
        None
    }

    /// Accelerated projected gradient steps.
    fn burst(&mut self, problem: &FrictionProblem, q: &[f64], x: &mut [f64], near: Near<'_>) {
        for patch in &problem.patches {
            patch.write(patch.set.project(patch.load, patch.of(x)), x);
        }
        self.ahead.copy_from_slice(x);
        let mut momentum = 1.0f64;
        for _ in 0..BURST {
            problem.gradient(q, &self.ahead, near, &mut self.gradient);
            self.gradient_step(problem, near.shift);
            // Momentum that points uphill is dropped.
            let uphill = (0..x.len()).map(|k| self.gradient[k] * (self.trial[k] - x[k])).sum::<f64>() > 0.0;
            let next = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
            let factor = if uphill { 0.0 } else { (momentum - 1.0) / next };
            momentum = if uphill { 1.0 } else { next };
            for (k, x) in x.iter_mut().enumerate() {
                self.ahead[k] = self.trial[k] + factor * (self.trial[k] - *x);
                *x = self.trial[k];
            }
        }
    }

    /// A projected gradient step from `ahead` to `trial`, of a length that the quadratic does not contradict.
    fn gradient_step(&mut self, problem: &FrictionProblem, shift: f64) {
        loop {
            for patch in &problem.patches {
                let step = patch.of(&self.gradient) * (1.0 / ((self.lipschitz + shift) * patch.scale));
                let next = patch.set.project(patch.load, patch.of(&self.ahead) - step);
                patch.write(next, &mut self.trial);
            }
            for (k, moved) in self.e.iter_mut().enumerate() {
                *moved = self.trial[k] - self.ahead[k];
            }
            let (mut bend, mut bound) = (0.0, 0.0);
            for patch in &problem.patches {
                for k in patch.start..patch.start + patch.rows {
                    bend += self.e[k] * problem.w.dot(k, &self.e);
                    bound += self.e[k] * self.e[k] * patch.scale;
                }
            }
            if bend <= self.lipschitz * bound * (1.0 + 1e-12) {
                return;
            }
            self.lipschitz = (bend / bound).max(1.1 * self.lipschitz);
        }
    }
}

/// ∂P/∂x of the projection onto load·F, row by row: as the set knows it, or by differences where it does not.
fn derivative(patch: &Patch, at: Tangential) -> [[f64; 5]; 5] {
    let mut d = [[0.0; 5]; 5];
    if patch.load == 0.0 {
        return d;
    }
    let mut planar = |set: &dyn PlanarSet, first: usize, at: DVec2| {
        let by_force = set.project_derivative(patch.load, at).by_force;
        for (k, column) in [by_force.x_axis, by_force.y_axis].into_iter().enumerate() {
            (d[first][first + k], d[first + 1][first + k]) = (column.x, column.y);
        }
    };
    if let Some(set) = patch.set.planar() {
        planar(set, 0, at.plane);
        return d;
    }
    if let FrictionSet::Rolling(rolling) = &patch.set
        && let Some(sliding) = rolling.sliding().planar()
    {
        planar(sliding, 0, at.plane);
        planar(rolling.rolling(), 3, at.roll);
        return d;
    }
    let h = 1e-6 * (patch.load * patch.set.radius()).max(at.length());
    for k in 0..patch.rows {
        let mut unit = [0.0; 5];
        unit[k] = h;
        let step = Tangential::from_array(unit);
        let apart = patch.set.project(patch.load, at + step) - patch.set.project(patch.load, at - step);
        for (row, value) in d.iter_mut().zip(apart.to_array()) {
            row[k] = value / (2.0 * h);
        }
    }
    d
}
