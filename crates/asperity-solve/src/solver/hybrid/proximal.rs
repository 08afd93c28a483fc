//! Second stage: proximal Newton steps over the degrees of freedom.
//!
//! An outer step looks for the impulses r that solve the problem with the term ½ |r − r_c|²_R added about the last ones,
//! r_c. Compliance belongs to that term: with R + C = R̃, one number a block, w = b + C r_c and s the shift, held fixed,
//!
//!   φ(v) = ½ vᵀ A v + ½ |P(z)|²,   z = √R̃ r_c − (J v + w + s)/√R̃,   r = P(z)/√R̃,
//!
//! is convex and once differentiable: ∇φ = A v − Jᵀ r, and A + Jᵀ E J with E = P'(z)/R̃ is a generalised Hessian. (For sets
//! that are not cones ½|P(z)|² stands for z·P(z) − ½|P(z)|².) Its minimum is found by Newton's method with a line search
//! that costs projections only (*corrector*). Before, one unsymmetric Newton step moves v and the shift together
//! (*predictor*): the derivative of the shift is added to E, and the system is solved by GMRES with the factors of the
//! symmetric one. ε, the size of R, falls while outer steps are easy, and rises where one fails.

use super::super::system::BlockDiagonal;
use super::alternating::{Ended, Verdict};
use super::prepared::{Iterate, Prepared, dof_norm};
use super::search::step_length;
use crate::problem::{Gmres, dot};

/// Most outer steps, and most Newton steps of one of them.
const OUTER: usize = 100;
const NEWTON: usize = 15;
/// A corrector ends when its gradient is below this fraction of the last residual.
const GRADIENT: f64 = 0.5;
/// Steps of GMRES, and what it is asked for.
const GMRES_STEPS: usize = 30;
const GMRES_TOLERANCE: f64 = 1e-3;
/// Bounds of ε.
const LEAST: f64 = 1e-8;
const MOST: f64 = 1e3;
/// After a failure ε becomes this many times the last good one, ten times more for each failure that follows.
const RETREAT: f64 = 0.3;
const MOST_RETREAT: f64 = 1e4;

/// Velocities, and what belongs to them.
#[derive(Clone)]
struct Point {
    v: Vec<f64>,
    /// J v + w.
    u: Vec<f64>,
    /// A v.
    av: Vec<f64>,
}

impl Point {
    fn copy_from(&mut self, other: &Self) {
        self.v.copy_from_slice(&other.v);
        self.u.copy_from_slice(&other.u);
        self.av.copy_from_slice(&other.av);
    }

    /// J v + w and A v anew.
    fn update(&mut self, prepared: &Prepared<'_>, w: &[f64]) {
        prepared.system.rows().velocities(&self.v, &mut self.u);
        self.u.iter_mut().zip(w).for_each(|(u, w)| *u += w);
        prepared.system.mass_times(&self.v, &mut self.av);
    }
}

/// How a corrector ended.
struct Corrected {
    steps: usize,
    gradient: f64,
    reached: bool,
}

/// The iteration.
pub(super) struct Proximal {
    epsilon: f64,
    /// Newton steps so far.
    pub(super) steps: usize,
    e: BlockDiagonal,
    sticks: Vec<bool>,
    /// √R̃ of each block.
    scale: Vec<f64>,
    shift: Vec<f64>,
    /// r_c and w.
    center: Vec<f64>,
    w: Vec<f64>,
    at: Point,
    trial: Point,
    /// Room over the rows and over the degrees of freedom.
    z: Vec<f64>,
    p: Vec<f64>,
    rows: [Vec<f64>; 2],
    dofs: [Vec<f64>; 2],
    gmres: Gmres,
}

impl Proximal {
    pub(super) fn new(prepared: &Prepared<'_>, epsilon: f64) -> Self {
        let (blocks, rows, n) = (prepared.problem.blocks(), prepared.problem.rows(), prepared.system.dofs());
        let point = Point { v: vec![0.0; n], u: vec![0.0; rows], av: vec![0.0; n] };
        Self {
            epsilon,
            steps: 0,
            e: BlockDiagonal::zero(prepared.problem),
            sticks: vec![false; blocks],
            scale: vec![0.0; blocks],
            shift: vec![0.0; blocks],
            center: vec![0.0; rows],
            w: vec![0.0; rows],
            at: point.clone(),
            trial: point,
            z: vec![0.0; rows],
            p: vec![0.0; rows],
            rows: [vec![0.0; rows], vec![0.0; rows]],
            dofs: [vec![0.0; n], vec![0.0; n]],
            gmres: Gmres::new(n, GMRES_STEPS),
        }
    }

    /// Steps until `check`, asked when the residual inside is below its tolerance, says that it is solved.
    pub(super) fn run(
        &mut self,
        prepared: &mut Prepared<'_>,
        pair: &mut Iterate,
        factorisations: usize,
        tolerance: &mut f64,
        mut check: impl FnMut(&mut Prepared<'_>, &Iterate, &[f64]) -> Verdict,
    ) -> Ended {
        let first = prepared.factorisations;
        let mut good = self.epsilon;
        let mut retreat = RETREAT;
        self.center_at(prepared, pair);
        let mut last = prepared.natural(&self.at.u, &pair.r);
        for _ in 0..OUTER {
            if prepared.factorisations - first >= factorisations {
                break;
            }
            self.center_at(prepared, pair);
            if !self.predict(prepared, pair) {
                return Ended::Singular;
            }
            let target = GRADIENT * last.error;
            let Some(found) = self.correct(prepared, target) else { return Ended::Singular };
            if !found.reached && retreat < MOST_RETREAT {
                // ε was too small: back to the last pair with a larger one.
                self.epsilon = (good * retreat).min(MOST);
                retreat *= 10.0;
                continue;
            }
            (good, retreat) = (self.epsilon, RETREAT);
            self.take(prepared, pair);
            let measure = prepared.natural(&self.rows[0], &pair.r);
            let rate = measure.relative() / last.relative();
            last = measure;
            let limit = *tolerance * measure.size;
            if measure.error <= limit && found.gradient <= limit {
                match check(prepared, pair, &self.rows[0]) {
                    Verdict::Solved => return Ended::Solved,
                    Verdict::Stop => return Ended::Stopped,
                    Verdict::Continue => *tolerance = (0.1 * *tolerance).max(1e-15),
                }
            }
            self.epsilon = (self.epsilon * shrink(found.steps, rate)).max(LEAST);
        }
        Ended::Slow
    }

    /// Takes r as the centre: R̃, w and the point at v.
    fn center_at(&mut self, prepared: &Prepared<'_>, pair: &Iterate) {
        for (scale, (unit, soft)) in self.scale.iter_mut().zip(prepared.units.iter().zip(&prepared.softest)) {
            *scale = (self.epsilon * unit + soft).sqrt();
        }
        self.center.copy_from_slice(&pair.r);
        for (k, w) in self.w.iter_mut().enumerate() {
            *w = prepared.bias[k] + prepared.compliance[k] * pair.r[k];
        }
        self.at.v.copy_from_slice(&pair.v);
        self.at.update(prepared, &self.w);
    }

    /// z = √R̃ r_c − (u + s)/√R̃.
    fn set_z(&mut self, prepared: &Prepared<'_>, at_trial: bool) {
        let u = if at_trial { &self.trial.u } else { &self.at.u };
        for (i, scale) in self.scale.iter().enumerate() {
            let range = prepared.problem.range(i);
            for k in range.clone() {
                self.z[k] = scale * self.center[k] - u[k] / scale;
            }
            self.z[range.start] -= self.shift[i] / scale;
        }
    }

    /// φ at the point or at the trial.
    fn value(&mut self, prepared: &Prepared<'_>, at_trial: bool) -> f64 {
        self.set_z(prepared, at_trial);
        prepared.cones.project(&self.scale, &self.z, &mut self.p);
        let point = if at_trial { &self.trial } else { &self.at };
        let kinetic = dot(&point.v, &point.av);
        let potential: f64 = self.z.iter().zip(&self.p).map(|(z, p)| z * p - 0.5 * p * p).sum();
        0.5 * kinetic + potential
    }

    /// A v − Jᵀ (r − E (u − y + s)) of the trial into the first room over the degrees of freedom.
    fn linear_residual(&mut self, prepared: &Prepared<'_>, pair: &Iterate) {
        let [rest, image] = &mut self.rows;
        for (i, shift) in self.shift.iter().enumerate() {
            let range = prepared.problem.range(i);
            for k in range.clone() {
                rest[k] = self.trial.u[k] - pair.y[k];
            }
            rest[range.start] += shift;
        }
        self.e.multiply(prepared.problem, rest, image);
        image.iter_mut().zip(&pair.r).for_each(|(image, r)| *image -= r);
        let out = &mut self.dofs[0];
        out.copy_from_slice(&self.trial.av);
        prepared.system.rows().add_response(image, out);
    }

    /// The shift at the trial's velocities, zero where a block sticks.
    fn shift_at_trial(&mut self, prepared: &Prepared<'_>) {
        prepared.cones.shifts(&self.trial.u, &mut self.shift);
        self.shift.iter_mut().zip(&self.sticks).filter(|(_, sticks)| **sticks).for_each(|(shift, _)| *shift = 0.0);
    }

    /// An unsymmetric Newton step for v and the shift about the pair (r, y). The shift is then fixed; the step is taken if it
    /// does not increase φ. Whether the system could be factored.
    fn predict(&mut self, prepared: &mut Prepared<'_>, pair: &Iterate) -> bool {
        for (i, scale) in self.scale.iter().enumerate() {
            for k in prepared.problem.range(i) {
                self.z[k] = scale * pair.r[k] - pair.y[k] / scale;
            }
        }
        prepared.cones.differentiate(&self.scale, &self.z, &mut self.e, &mut self.sticks);
        self.steps += 1;
        if !prepared.factor(&self.e) {
            return false;
        }
        self.trial.copy_from(&self.at);
        self.shift_at_trial(prepared);
        self.linear_residual(prepared, pair);
        let [right, step] = &mut self.dofs;
        right.iter_mut().for_each(|f| *f = -*f);
        prepared.system.solve(right);
        step.fill(0.0);
        let (e, sticks, u) = (&self.e, &self.sticks, &self.at.u);
        let [change, image] = &mut self.rows;
        self.gmres.solve(right, GMRES_TOLERANCE, step, |x, out| {
            prepared.system.rows().velocities(x, change);
            for (i, _) in sticks.iter().enumerate().filter(|(_, sticks)| !**sticks) {
                let extra = prepared.cones.shift_change(i, u, change);
                change[prepared.problem.range(i).start] += extra;
            }
            e.multiply(prepared.problem, change, image);
            prepared.system.mass_times(x, out);
            prepared.system.rows().add_response(image, out);
            prepared.system.solve(out);
        });
        self.trial.v.iter_mut().zip(step.iter()).for_each(|(v, step)| *v += step);
        self.trial.update(prepared, &self.w);
        self.shift_at_trial(prepared);
        // With the same factors and the shift fixed: u_N + s back to where the linear model has it.
        self.linear_residual(prepared, pair);
        prepared.system.solve(&mut self.dofs[0]);
        self.trial.v.iter_mut().zip(&self.dofs[0]).for_each(|(v, step)| *v -= step);
        self.trial.update(prepared, &self.w);
        if self.value(prepared, true) <= self.value(prepared, false) {
            std::mem::swap(&mut self.at, &mut self.trial);
        }
        true
    }

    /// Newton's method on φ until its gradient is below the target; leaves z and P(z) of the point. `None` if a system cannot
    /// be factored.
    fn correct(&mut self, prepared: &mut Prepared<'_>, target: f64) -> Option<Corrected> {
        let mut steps = 0;
        loop {
            self.set_z(prepared, false);
            prepared.cones.project(&self.scale, &self.z, &mut self.p);
            let [gradient, step] = &mut self.dofs;
            let impulses = &mut self.rows[0];
            for (i, scale) in self.scale.iter().enumerate() {
                prepared.problem.range(i).for_each(|k| impulses[k] = -self.p[k] / scale);
            }
            gradient.copy_from_slice(&self.at.av);
            prepared.system.rows().add_response(impulses, gradient);
            let size = dof_norm(&prepared.system, gradient);
            if size <= target || steps >= NEWTON {
                return Some(Corrected { steps, gradient: size, reached: size <= target });
            }
            prepared.cones.differentiate(&self.scale, &self.z, &mut self.e, &mut self.sticks);
            steps += 1;
            self.steps += 1;
            if !prepared.factor(&self.e) {
                return None;
            }
            step.iter_mut().zip(gradient.iter()).for_each(|(step, g)| *step = -g);
            prepared.system.solve(step);
            let first = dot(step, gradient);
            if first.is_nan() || first >= 0.0 {
                // Round-off: there is nothing left to gain.
                return Some(Corrected { steps, gradient: size, reached: size <= target });
            }
            self.step_along(prepared, first);
        }
    }

    /// Moves the point along the step in the second room over the degrees of freedom, by the length that the line search finds.
    fn step_along(&mut self, prepared: &Prepared<'_>, first: f64) {
        let Self { at, trial, scale, z, p, rows, dofs, .. } = self;
        let step = &dofs[1];
        prepared.system.mass_times(step, &mut trial.av);
        prepared.system.rows().velocities(step, &mut trial.u);
        let [change, moved] = rows;
        for (i, scale) in scale.iter().enumerate() {
            prepared.problem.range(i).for_each(|k| change[k] = trial.u[k] / scale);
        }
        let (along, curvature) = (dot(&at.av, step), dot(step, &trial.av));
        let length = step_length(first, |t| {
            for (moved, (z, change)) in moved.iter_mut().zip(z.iter().zip(change.iter())) {
                *moved = z - t * change;
            }
            prepared.cones.project(scale, moved, p);
            along + t * curvature - dot(change, p)
        });
        let add = |a: &mut [f64], b: &[f64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += length * b);
        add(&mut at.v, step);
        add(&mut at.av, &trial.av);
        add(&mut at.u, &trial.u);
    }

    /// The pair of the corrected point, and its velocities J v + b + C r in the first room over the rows.
    fn take(&mut self, prepared: &Prepared<'_>, pair: &mut Iterate) {
        for (i, scale) in self.scale.iter().enumerate() {
            for k in prepared.problem.range(i) {
                pair.r[k] = self.p[k] / scale;
                pair.y[k] = (self.p[k] - self.z[k]) * scale;
                self.rows[0][k] = self.at.u[k] + prepared.compliance[k] * (pair.r[k] - self.center[k]);
            }
        }
        pair.v.copy_from_slice(&self.at.v);
    }
}

/// What ε is multiplied by after an outer step with so many Newton steps that reduced the residual at this rate: the easier
/// it was, the smaller ε may be; where the rate is good, it stays.
fn shrink(steps: usize, rate: f64) -> f64 {
    match steps {
        0 if rate > 0.1 => 0.01,
        0 if rate > 0.01 => 0.1,
        1..=2 if rate > 0.03 => 0.1,
        3..=6 if rate > 0.3 => 0.3,
        _ => 1.0,
    }
}
