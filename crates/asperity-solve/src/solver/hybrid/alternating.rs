//! First stage: alternating directions over the degrees of freedom. One factorisation serves many iterations, each of
//! which costs a solve and a projection.
//!
//! With R = ε U, y a copy of the shifted velocity that stays in the dual cones, and r the multiplier of u + s = y:
//!
//!   (A + Jᵀ (R + C)⁻¹ J) v = Jᵀ Λ₀,   Λ = (R + C)⁻¹ (R r + y − b − s − J v),   u = J v + b + C Λ,
//!   z = √R r − (α (u + s) + (1 − α) y)/√R,   r ← P(z)/√R,   y ← √R (P(z) − z),   s ← h(−u_T),
//!
//! Λ₀ being Λ at v = 0 and α the over-relaxation. ε balances the two residuals |u + s − y| and |y − y_before|/ε: where one
//! is many times the other, ε is changed, twice at most, for a new factorisation each.
//!
//! z and s/√R determine the next iteration: it is a fixed-point iteration for them, and Anderson's acceleration makes it
//! three to eight times faster ([`super::super::anderson`]).

use super::super::anderson::Anderson;
use super::super::system::BlockDiagonal;
use super::prepared::{Iterate, Prepared};

/// Over-relaxation: between 1.5 and 1.8 alternating directions are at their fastest (Eckstein and Bertsekas 1992).
const RELAXATION: f64 = 1.8;

/// Turns that Anderson's acceleration remembers.
const MEMORY: usize = 5;

/// Iterations between two looks at the residual.
const LOOK: usize = 10;

/// The balance of the two residuals beyond which ε is changed, how far at once, and how often.
const BALANCE: f64 = 5.0;
const MOST_IMBALANCE: f64 = 1e4;
const CHANGES: usize = 2;
/// Bounds of ε.
const LEAST: f64 = 1e-4;
const MOST: f64 = 1e4;

/// Looks over which the present rate is measured.
const RECENT: usize = 3;

/// Iterations that may be left to go at the present rate; where more are, the second stage takes over.
const PATIENCE: f64 = 250.0;

/// How the stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The check was passed.
    Solved,
    /// It would take too long.
    Slow,
    /// A system could not be factored.
    Singular,
    /// The check demanded that it stop.
    Stopped,
}

/// What the caller says of an iterate that looks converged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is a solution.
    Solved,
    /// It is not: be more demanding.
    Continue,
    /// The time is up.
    Stop,
}

/// The iteration.
pub(super) struct Alternating {
    /// ε.
    pub(super) epsilon: f64,
    weights: BlockDiagonal,
    scale: Vec<f64>,
    shift: Vec<f64>,
    /// Velocities J v + b + C Λ.
    pub(super) u: Vec<f64>,
    room: Vec<f64>,
    p: Vec<f64>,
    /// What the iteration maps to itself at a solution: z, and after it the shift of each block over √R.
    state: Vec<f64>,
    /// Where the iteration maps it to.
    next: Vec<f64>,
    anderson: Anderson,
}

impl Alternating {
    pub(super) fn new(prepared: &Prepared<'_>, epsilon: f64) -> Self {
        let (blocks, rows) = (prepared.problem.blocks(), prepared.problem.rows());
        Self {
            epsilon,
            weights: BlockDiagonal::zero(prepared.problem),
            scale: vec![0.0; blocks],
            shift: vec![0.0; blocks],
            u: vec![0.0; rows],
            room: vec![0.0; rows],
            p: vec![0.0; rows],
            state: vec![0.0; rows + blocks],
            next: vec![0.0; rows + blocks],
            anderson: Anderson::new(MEMORY),
        }
    }

    /// Begins at the admissible pair nearest to known impulses and velocities, in the units of ε.
    pub(super) fn warm(&mut self, prepared: &mut Prepared<'_>, u: &[f64], at: &mut Iterate) {
        self.set_scale(prepared);
        self.u.copy_from_slice(u);
        prepared.cones.shifts(u, &mut self.shift);
        let Self { scale, shift, next: z, p, .. } = self;
        for (i, (scale, shift)) in scale.iter().zip(shift.iter()).enumerate() {
            let range = prepared.problem.range(i);
            for k in range.clone() {
                z[k] = at.r[k] * scale - u[k] / scale;
            }
            z[range.start] -= shift / scale;
        }
        prepared.cones.project(scale, z, p);
        for (i, scale) in scale.iter().enumerate() {
            for k in prepared.problem.range(i) {
                at.r[k] = p[k] / scale;
                at.y[k] = (p[k] - z[k]) * scale;
            }
        }
    }

    fn set_scale(&mut self, prepared: &Prepared<'_>) {
        for (scale, unit) in self.scale.iter_mut().zip(&prepared.units) {
            *scale = (self.epsilon * unit).sqrt();
        }
    }

    /// Factors A + Jᵀ (R + C)⁻¹ J.
    fn factor(&mut self, prepared: &mut Prepared<'_>, at: &Iterate) -> bool {
        self.set_scale(prepared);
        self.set_state(prepared, at);
        self.anderson.restart();
        for i in 0..prepared.problem.blocks() {
            let range = prepared.problem.range(i);
            let n = range.len();
            let weight = self.scale[i] * self.scale[i];
            let block = self.weights.block_mut(i);
            for (k, c) in prepared.compliance[range].iter().enumerate() {
                block[k * (n + 1)] = 1.0 / (weight + c);
            }
        }
        prepared.factor(&self.weights)
    }

    /// The state of a pair of impulses and velocities and the present shift.
    fn set_state(&mut self, prepared: &Prepared<'_>, at: &Iterate) {
        let (z, shifts) = self.state.split_at_mut(at.r.len());
        for (i, scale) in self.scale.iter().enumerate() {
            prepared.problem.range(i).for_each(|k| z[k] = at.r[k] * scale - at.y[k] / scale);
            shifts[i] = self.shift[i] / scale;
        }
    }

    /// One iteration.
    fn iterate(&mut self, prepared: &mut Prepared<'_>, at: &mut Iterate) {
        self.solve(prepared, at);
        let Self { scale, shift, p, next, state, .. } = self;
        let rows = at.r.len();
        prepared.cones.shifts(&self.u, shift);
        next[rows..].iter_mut().zip(shift.iter().zip(scale.iter())).for_each(|(next, (s, scale))| *next = s / scale);
        self.anderson.advance(state, next);
        let (z, shifts) = state.split_at(rows);
        prepared.cones.project(scale, z, p);
        for (i, scale) in scale.iter().enumerate() {
            shift[i] = shifts[i].max(0.0) * scale;
            for k in prepared.problem.range(i) {
                (at.r[k], at.y[k]) = (p[k] / scale, (p[k] - z[k]) * scale);
            }
        }
    }

    /// The two residuals of the plain step from the pair and the shift: |u + s − y| and the change of y over ε. They
    /// are equal where ε is well chosen.
    fn imbalance(&mut self, prepared: &mut Prepared<'_>, at: &mut Iterate) -> f64 {
        let primal = self.solve(prepared, at);
        let Self { scale, p, next, .. } = self;
        let z = &next[..at.r.len()];
        prepared.cones.project(scale, z, p);
        let mut dual = 0.0;
        for (i, scale) in scale.iter().enumerate() {
            for k in prepared.problem.range(i) {
                let change = (p[k] - z[k]) * scale - at.y[k];
                dual += change * change / prepared.units[i];
            }
        }
        primal.sqrt() * self.epsilon / dual.sqrt().max(f64::MIN_POSITIVE)
    }

    /// v and u from r, y and s, and the next z; the square of the residual u + s − y.
    fn solve(&mut self, prepared: &mut Prepared<'_>, at: &mut Iterate) -> f64 {
        let Self { scale, shift, u, room, next: z, .. } = self;
        let Prepared { problem, system, bias, compliance, units, .. } = prepared;
        // R r + y − b − s, and with it Λ₀.
        for (i, (scale, shift)) in scale.iter().zip(shift.iter()).enumerate() {
            let (range, weight) = (problem.range(i), scale * scale);
            for k in range.clone() {
                z[k] = weight * at.r[k] + at.y[k] - bias[k];
            }
            z[range.start] -= shift;
            range.for_each(|k| room[k] = z[k] / (weight + compliance[k]));
        }
        at.v.fill(0.0);
        system.rows().add_response(room, &mut at.v);
        system.solve(&mut at.v);
        system.rows().velocities(&at.v, u);
        let mut squares = 0.0;
        for (i, (scale, shift)) in scale.iter().zip(shift.iter()).enumerate() {
            let (range, weight) = (problem.range(i), scale * scale);
            for k in range.clone() {
                let lambda = (z[k] - u[k]) / (weight + compliance[k]);
                u[k] += bias[k] + compliance[k] * lambda;
                let shifted = u[k] + if k == range.start { *shift } else { 0.0 };
                let error = shifted - at.y[k];
                squares += error * error / units[i];
                let relaxed = RELAXATION * shifted + (1.0 - RELAXATION) * at.y[k];
                z[k] = at.r[k] * scale - relaxed / scale;
            }
        }
        squares
    }

    /// Iterates until `check`, asked when the residual inside is below its tolerance, says that it is solved.
    /// `tolerance` is what is asked of the residual inside; it falls tenfold when the check does not agree.
    pub(super) fn run(
        &mut self,
        prepared: &mut Prepared<'_>,
        at: &mut Iterate,
        most: usize,
        tolerance: &mut f64,
        done: &mut usize,
        mut check: impl FnMut(&mut Prepared<'_>, &Iterate, &[f64]) -> Verdict,
    ) -> Ended {
        if !self.factor(prepared, at) {
            return Ended::Singular;
        }
        let mut changes = 0;
        let mut errors: Vec<f64> = Vec::new();
        while *done < most {
            for _ in 0..LOOK {
                self.iterate(prepared, at);
                *done += 1;
            }
            let found = prepared.natural(&self.u, &at.r);
            errors.push(found.error);
            let limit = *tolerance * found.size;
            if found.error <= limit && prepared.imbalance(&at.v, &at.r) <= limit {
                match check(prepared, at, &self.u) {
                    Verdict::Solved => return Ended::Solved,
                    Verdict::Stop => return Ended::Stopped,
                    Verdict::Continue => *tolerance = (0.1 * *tolerance).max(1e-15),
                }
            }
            let ratio = if changes < CHANGES && errors.len() >= 2 { self.imbalance(prepared, at) } else { 1.0 };
            if !(1.0 / BALANCE..=BALANCE).contains(&ratio) {
                changes += 1;
                let ratio = ratio.clamp(1.0 / MOST_IMBALANCE, MOST_IMBALANCE);
                self.epsilon = (self.epsilon / ratio.sqrt()).clamp(LEAST, MOST);
                errors.clear();
                if !self.factor(prepared, at) {
                    return Ended::Singular;
                }
            } else if is_slow(&errors, limit) {
                return Ended::Slow;
            }
        }
        Ended::Slow
    }
}

/// Whether the limit is too many iterations away, at the rate at which the least error of the last looks has fallen below
/// that of the looks before. Accelerated iterations have errors that rise now and then: single looks would mislead.
fn is_slow(errors: &[f64], limit: f64) -> bool {
    let Some(before) = errors.len().checked_sub(RECENT).filter(|before| *before >= 2) else { return false };
    let least = |errors: &[f64]| errors.iter().copied().fold(f64::INFINITY, f64::min).max(f64::MIN_POSITIVE);
    let (old, new) = (least(&errors[..before]), least(&errors[before..]));
    let rate = (old / new).ln() / (RECENT * LOOK) as f64;
    let left = (new / limit).max(1.0).ln();
    left > PATIENCE * rate || rate.is_nan()
}
