//! The friction problem of disks in polar coordinates (Larionov et al. 2021, eq. 28).
//!
//! x_i = α_i (cos θ_i, sin θ_i) with 0 ≤ α_i ≤ μ_i load_i: bounds on α alone instead of a quadratic constraint. Where
//! it is at the bound, a sliding contact only turns. With g = W x + q, e_r and e_θ the unit vectors along and across
//! x_i and the across part of a step measured as a length, ds = α dθ,
//!
//!   ∂f/∂α = g·e_r,   ∂f/∂s = g·e_θ,   ∂²f = EᵀW E + K,   K_ss = −g·e_r/α,   K_αs = g·e_θ/α,   E = (e_r, e_θ).
//!
//! Newton's method with K replaced by its positive part and steps that are shortened until f falls. At α = 0 the angle
//! means nothing and a poor one would hold the point there; it is set to that of −g. What is stationary then is a
//! minimum, since the problem is convex in x.

use asperity_friction::set::ConvexSet;
use faer::sparse::Triplet;
use glam::DVec2;

use super::super::linear;
use super::friction::{FrictionProblem, Near};

/// Most Newton steps.
const STEPS: usize = 300;
/// Added to W's diagonal relative to D.
const SHIFT: f64 = 1e-9;

/// Work space.
pub(super) struct Polar {
    angle: Vec<f64>,
    radius: Vec<f64>,
    gradient: Vec<f64>,
    e: Vec<f64>,
    trial: Vec<f64>,
    trial_gradient: Vec<f64>,
    entries: Vec<Triplet<usize, usize, f64>>,
}

impl Polar {
    pub(super) fn new(contacts: usize, rows: usize) -> Self {
        let zeros = || vec![0.0; rows];
        Self {
            angle: vec![0.0; contacts],
            radius: vec![0.0; contacts],
            gradient: zeros(),
            e: zeros(),
            trial: zeros(),
            trial_gradient: zeros(),
            entries: Vec::new(),
        }
    }

    /// Minimises from x; whether the error is below `accuracy` times the size of the problem.
    pub(super) fn solve(
        &mut self,
        problem: &FrictionProblem,
        q: &[f64],
        x: &mut [f64],
        accuracy: f64,
        time_is_up: &dyn Fn() -> bool,
    ) -> bool {
        let limits: Vec<f64> = problem.patches.iter().map(|p| p.load * p.set.radius()).collect();
        let limits = &limits[..];
        for (i, patch) in problem.patches.iter().enumerate() {
            let here = patch.of(x).plane;
            (self.angle[i], self.radius[i]) = (here.to_angle(), here.length().min(limits[i]));
        }
        self.cartesian(problem, 0.0, &[], limits, x);
        let mut best = f64::INFINITY;
        let mut stale = 0;
        for _ in 0..STEPS {
            let error = problem.natural_map(q, x, Near::NOTHING, &mut self.gradient, &mut self.e);
            if error <= accuracy * problem.size(x) {
                return true;
            }
            stale = if error < 0.9 * best { 0 } else { stale + 1 };
            best = best.min(error);
            if time_is_up() || stale > 40 {
                return false;
            }
            let Some(step) = self.step(problem, limits) else { return false };
            self.search(problem, limits, q, x, &step, error);
        }
        false
    }

    /// Takes the step, shortened until f falls: f(y) − f(x) = ½ (y − x)·(g(x) + g(y)), without cancellation. Near the
    /// minimum that is round-off of x times g, while the error still tells better from worse: it may fall instead.
    fn search(
        &mut self,
        problem: &FrictionProblem,
        limits: &[f64],
        q: &[f64],
        x: &mut [f64],
        step: &[f64],
        error: f64,
    ) {
        let (angle, radius) = (self.angle.clone(), self.radius.clone());
        let mut trial = std::mem::take(&mut self.trial);
        let mut length = 1.0;
        loop {
            self.cartesian(problem, length, step, limits, &mut trial);
            let next = problem.natural_map(q, &trial, Near::NOTHING, &mut self.trial_gradient, &mut self.e);
            let (mut slope, mut change) = (0.0, 0.0);
            for (k, trial) in trial.iter().enumerate() {
                let moved = trial - x[k];
                slope += moved * self.gradient[k];
                change += 0.5 * moved * (self.gradient[k] + self.trial_gradient[k]);
            }
            // Where nothing helps, a tiny step all the same: it changes what is at its bound.
            if change < 1e-4 * slope.min(0.0) || next < 0.5 * error || length < 1e-9 {
                break;
            }
            length *= 0.5;
            self.angle.copy_from_slice(&angle);
            self.radius.copy_from_slice(&radius);
        }
        x.copy_from_slice(&trial);
        self.trial = trial;
    }

    /// Moves (α, s) by `length` times the step, within the bounds, and writes x. Without a step, x as it is.
    fn cartesian(&mut self, problem: &FrictionProblem, length: f64, step: &[f64], limits: &[f64], x: &mut [f64]) {
        x.fill(0.0);
        for (i, patch) in problem.patches.iter().enumerate() {
            if let [along, across] = step.get(2 * i..2 * i + 2).unwrap_or_default()[..] {
                // A quadratic model does not reach further round a circle than a radian.
                let turn = if self.radius[i] > 0.0 { (across / self.radius[i]).clamp(-1.0, 1.0) } else { 0.0 };
                self.angle[i] += length * turn;
                self.radius[i] = (self.radius[i] + length * along).clamp(0.0, limits[i]);
            }
            let here = DVec2::from_angle(self.angle[i]) * self.radius[i];
            x[patch.start..patch.start + 2].copy_from_slice(&here.to_array());
        }
    }

    /// The Newton step in (α, s) of each contact.
    fn step(&mut self, problem: &FrictionProblem, limits: &[f64]) -> Option<Vec<f64>> {
        let count = problem.patches.len();
        let mut frames = Vec::with_capacity(count);
        let mut right = vec![0.0; 2 * count];
        let mut free = vec![[false; 2]; count];
        let mut patch_of = vec![(usize::MAX, 0); problem.w.rows()];
        self.entries.clear();
        for (i, patch) in problem.patches.iter().enumerate() {
            let g = patch.of(&self.gradient).plane;
            let tiny = self.radius[i] <= 1e-12 * limits[i];
            if tiny {
                (self.radius[i], self.angle[i]) = (0.0, (-g).to_angle());
            }
            let along = DVec2::from_angle(self.angle[i]);
            frames.push([along, along.perp()]);
            let slope = [g.dot(along), g.dot(along.perp())];
            // Pressed against the bound, or nowhere to go: only the angle moves, if there is one.
            free[i] = [limits[i] > 0.0 && !(self.radius[i] >= limits[i] && slope[0] <= 0.0), !tiny && limits[i] > 0.0];
            let bend = if tiny { [[0.0; 2]; 2] } else { curvature(slope, self.radius[i], free[i][0]) };
            for (a, bend) in bend.iter().enumerate() {
                let row = 2 * i + a;
                if !free[i][a] {
                    self.entries.push(Triplet { row, col: row, val: 1.0 });
                    continue;
                }
                right[row] = -slope[a];
                self.entries.push(Triplet { row, col: row, val: SHIFT * patch.scale });
                for (b, val) in bend.iter().enumerate().filter(|(b, _)| free[i][*b]) {
                    self.entries.push(Triplet { row, col: 2 * i + b, val: *val });
                }
            }
            patch_of[patch.start] = (i, 0);
            patch_of[patch.start + 1] = (i, 1);
        }
        for (i, patch) in problem.patches.iter().enumerate() {
            for k in 0..2 {
                for entry in problem.w.row(patch.start + k) {
                    let (j, l) = patch_of[entry.column];
                    if j == usize::MAX {
                        continue;
                    }
                    for a in (0..2).filter(|a| free[i][*a]) {
                        for b in (0..2).filter(|b| free[j][*b]) {
                            let val = frames[i][a][k] * entry.value * frames[j][b][l];
                            self.entries.push(Triplet { row: 2 * i + a, col: 2 * j + b, val });
                        }
                    }
                }
            }
        }
        linear::solve(2 * count, &self.entries, &mut right)?;
        Some(right)
    }
}

/// The positive part of K; of K_ss alone where α is held.
fn curvature(slope: [f64; 2], radius: f64, radius_moves: bool) -> [[f64; 2]; 2] {
    let (cross, across) = (slope[1] / radius, -slope[0] / radius);
    if !radius_moves {
        return [[0.0, 0.0], [0.0, across.max(0.0)]];
    }
    // Of [[0, c], [c, d]] one eigenvalue is positive, λ = d/2 + √(d²/4 + c²), with the vector (c, λ).
    let largest = 0.5 * across + (0.25 * across * across + cross * cross).sqrt();
    let squared = cross * cross + largest * largest;
    if largest <= 0.0 || squared == 0.0 {
        return [[0.0; 2]; 2];
    }
    let k = largest / squared;
    [[k * cross * cross, k * cross * largest], [k * cross * largest, k * largest * largest]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_derivatives_in_polar_coordinates() {
        let (w, q) = ([[2.0, 0.7], [0.7, 1.1]], [0.4, -0.9]);
        let gradient =
            |x: DVec2| DVec2::new(w[0][0] * x.x + w[0][1] * x.y + q[0], w[1][0] * x.x + w[1][1] * x.y + q[1]);
        let f = |radius: f64, angle: f64| {
            let x = DVec2::from_angle(angle) * radius;
            0.5 * x.dot(gradient(x) + DVec2::from_array(q))
        };
        for (radius, angle) in [(0.8, 0.3), (0.2, 2.0), (1.5, -1.2)] {
            let along = DVec2::from_angle(angle);
            let slope = [gradient(along * radius).dot(along), gradient(along * radius).dot(along.perp())];
            let h = 1e-4;
            let by_s = |n: f64| f(radius, angle + n * h / radius);
            let ss = (by_s(1.0) - 2.0 * by_s(0.0) + by_s(-1.0)) / (h * h);
            // With ds = α dθ at the α of the point.
            let both = |a: f64, b: f64| f(radius + a * h, angle + b * h / radius);
            let rs = (both(1.0, 1.0) - both(1.0, -1.0) - both(-1.0, 1.0) + both(-1.0, -1.0)) / (4.0 * h * h);
            let bend = |a: DVec2, b: DVec2| a.dot(gradient(b) - DVec2::from_array(q));
            let across = along.perp();
            assert!((ss - bend(across, across) + slope[0] / radius).abs() < 1e-6, "{ss}");
            assert!((rs - bend(along, across) - slope[1] / radius).abs() < 1e-6, "{rs}");
            // The positive part: K⁺ − K has eigenvalues that are not negative, and so has K⁺; one of each is zero.
            let k = [[0.0, slope[1] / radius], [slope[1] / radius, -slope[0] / radius]];
            let part = curvature(slope, radius, true);
            for rest in [0.0, 1.0] {
                let m = |i: usize, j: usize| part[i][j] - rest * k[i][j];
                assert!(m(0, 0) >= -1e-15 && m(1, 1) >= -1e-15, "{part:?}");
                assert!((m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)).abs() < 1e-12, "{part:?}");
            }
        }
    }
}
