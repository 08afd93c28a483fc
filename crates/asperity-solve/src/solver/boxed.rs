//! Linear complementarity with bounds on both sides, by block principal pivoting.
//!
//! Wanted is x with u = A x + q and, row by row, lower ≤ x ≤ upper; u ≥ 0 at the lower bound, u ≤ 0 at the upper one, u
//! = 0 between. For a symmetric positive semidefinite A this is the minimum of ½ xᵀA x + qᵀx over the box.
//!
//! Each row is at a bound or free. The free ones are solved for; rows that then break their condition change their
//! state, all at once while that makes them fewer, otherwise only the last of them (Murty), which cannot cycle where
//! the principal minors of A are positive (Júdice and Pires 1994). To make them so for every semidefinite A the
//! pivoting acts on A + δD, D the diagonal, and q − δD x₀, repeated with x for x₀: δD(x − x₀) is then exactly the error
//! of u, and the stated accuracy a bound on it.

use faer::sparse::Triplet;

use super::linear::{Factors, least_scale};
use super::reduced::SparseRows;
use crate::problem::MatrixEntry;

/// Where a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowState {
    Lower,
    Free,
    Upper,
}

/// The first δ and the least: small enough for few repetitions, large enough for a factorisation without loss. It grows
/// where pivoting fails (what is nearly singular pivots on round-off), and falls from there, or where repetitions are
/// many.
const SHIFTS: [f64; 2] = [1e-8, 1e-9];
/// Most repetitions with a new x₀. Without a solution x grows by 1/δ each time.
const REPETITIONS: usize = 60;
/// Block exchanges that need not reduce the number of broken rows before Murty's rule takes over.
const PATIENCE: usize = 8;

/// The problem with any q and bounds; what is known of the last solution makes the next one cheap.
pub(super) struct Boxed<'a> {
    a: &'a SparseRows,
    /// Units: 1/√A_ii, so that the diagonal is one.
    unit: Vec<f64>,
    states: Vec<RowState>,
    free: Vec<usize>,
    /// Of the free part of A + δD.
    factors: Option<Factors>,
    /// δ.
    shift: f64,
    /// Factorisations so far.
    pub(super) pivots: usize,
}

impl<'a> Boxed<'a> {
    pub(super) fn new(a: &'a SparseRows) -> Self {
        let n = a.rows();
        let diagonal: Vec<f64> = (0..n).map(|i| a.get(i, i)).collect();
        let top = diagonal.iter().fold(0.0f64, |m, v| m.max(*v));
        let floor = least_scale(top, 1.0);
        let unit = diagonal.into_iter().map(|v| 1.0 / v.max(floor).sqrt()).collect();
        Self { a, unit, states: vec![RowState::Lower; n], free: Vec::new(), factors: None, shift: SHIFTS[0], pivots: 0 }
    }

    /// Solves from `x`; whether u is within `accuracy` times the size of q (in units of the diagonal) of a solution's,
    /// or within the round-off of A x. Otherwise `x` is left as it was, within the bounds.
    pub(super) fn solve(
        &mut self,
        q: &[f64],
        lower: &[f64],
        upper: &[f64],
        x: &mut [f64],
        accuracy: f64,
        mut time_is_up: impl FnMut() -> bool,
    ) -> bool {
        let n = x.len();
        for i in 0..n {
            x[i] = x[i].clamp(lower[i], upper[i]);
        }
        let start = x.to_vec();
        let size = q.iter().zip(&self.unit).fold(0.0f64, |m, (q, d)| m.max((q * d).abs()));
        let mut center = x.to_vec();
        let mut u = vec![0.0; n];
        for repetition in 0..REPETITIONS {
            center.copy_from_slice(x);
            self.take_states(lower, upper, x);
            if self.pivot(q, lower, upper, &center, x, &mut u, 1e-13 * size, &mut time_is_up) {
                let error = (0..n).fold(0.0f64, |m, i| m.max(self.shift * (x[i] - center[i]).abs() / self.unit[i]));
                let impulses = x.iter().zip(&self.unit).fold(0.0f64, |m, (x, d)| m.max((x / d).abs()));
                if error <= (accuracy * size).max(1e-15 * impulses) {
                    return true;
                }
                let floor = if repetition < 4 { SHIFTS[0] } else { SHIFTS[1] };
                self.change_shift((0.1 * self.shift).max(floor));
            } else if time_is_up() || self.shift >= 1.0 {
                break;
            } else {
                x.copy_from_slice(&center);
                self.change_shift(30.0 * self.shift);
            }
        }
        x.copy_from_slice(&start);
        false
    }

    fn change_shift(&mut self, shift: f64) {
        if shift != self.shift {
            (self.shift, self.factors) = (shift, None);
        }
    }

    fn take_states(&mut self, lower: &[f64], upper: &[f64], x: &[f64]) {
        for (i, side) in self.states.iter_mut().enumerate() {
            *side = if x[i] <= lower[i] {
                RowState::Lower
            } else if x[i] >= upper[i] {
                RowState::Upper
            } else {
                RowState::Free
            };
        }
    }

    /// Pivots until every row keeps its condition for A + δD; whether that was reached. u is that of A + δD.
    #[allow(clippy::too_many_arguments)]
    fn pivot(
        &mut self,
        q: &[f64],
        lower: &[f64],
        upper: &[f64],
        center: &[f64],
        x: &mut [f64],
        u: &mut [f64],
        blur: f64,
        time_is_up: &mut impl FnMut() -> bool,
    ) -> bool {
        let n = x.len();
        let mut fewest = n + 1;
        let mut patience = PATIENCE;
        // Murty's rule may take many steps. With a small δ it is given few: where it takes more it usually turns in
        // circles of round-off, and a larger δ is the better way.
        for _ in 0..if self.shift < 1e-4 { 60 } else { n + 100 } {
            if time_is_up() || !self.solve_free(q, lower, upper, center, x, u) {
                return false;
            }
            let shifted = |i: usize| u[i] + self.shift * (x[i] - center[i]) / (self.unit[i] * self.unit[i]);
            let size = x.iter().zip(&self.unit).fold(0.0f64, |m, (x, d)| m.max((x / d).abs()));
            let next = |i: usize| {
                let (speed, slack) = (shifted(i) * self.unit[i], 1e-14 * size * self.unit[i]);
                // Round-off of A x.
                let blur = blur + 1e-15 * size;
                match self.states[i] {
                    _ if lower[i] == upper[i] => None,
                    RowState::Free if x[i] < lower[i] - slack => Some(RowState::Lower),
                    RowState::Free if x[i] > upper[i] + slack => Some(RowState::Upper),
                    RowState::Lower if speed < -blur => Some(RowState::Free),
                    RowState::Upper if speed > blur => Some(RowState::Free),
                    _ => None,
                }
            };
            let broken: Vec<(usize, RowState)> = (0..n).filter_map(|i| next(i).map(|side| (i, side))).collect();
            if broken.is_empty() {
                for i in 0..n {
                    x[i] = x[i].clamp(lower[i], upper[i]);
                }
                return true;
            }
            let block = if broken.len() < fewest {
                (fewest, patience) = (broken.len(), PATIENCE);
                true
            } else {
                patience = patience.saturating_sub(1);
                patience > 0
            };
            for (i, side) in if block { &broken[..] } else { &broken[broken.len() - 1..] } {
                self.states[*i] = *side;
            }
        }
        false
    }

    /// x of the free rows with the others at their bounds, and u = A x + q.
    fn solve_free(
        &mut self,
        q: &[f64],
        lower: &[f64],
        upper: &[f64],
        center: &[f64],
        x: &mut [f64],
        u: &mut [f64],
    ) -> bool {
        for (i, side) in self.states.iter().enumerate() {
            match side {
                RowState::Lower => x[i] = lower[i],
                RowState::Upper => x[i] = upper[i],
                // Solved for as a change from the center: what is small is computed as such.
                RowState::Free => x[i] = center[i],
            }
        }
        let free: Vec<usize> = (0..x.len()).filter(|i| self.states[*i] == RowState::Free).collect();
        if free != self.free || self.factors.is_none() {
            self.free = free;
            self.factors = self.factorise();
            self.pivots += 1;
        }
        if !self.free.is_empty() {
            let Some(factors) = &self.factors else { return false };
            let mut change: Vec<f64> = self.free.iter().map(|i| -(self.a.dot(*i, x) + q[*i]) * self.unit[*i]).collect();
            if factors.solve(&mut change).is_none() {
                return false;
            }
            self.free.iter().zip(&change).for_each(|(i, c)| x[*i] += c * self.unit[*i]);
        }
        self.a.times_add(x, q, u);
        true
    }

    fn factorise(&self) -> Option<Factors> {
        let mut place = vec![usize::MAX; self.a.rows()];
        self.free.iter().enumerate().for_each(|(k, i)| place[*i] = k);
        let entries = self.free.iter().enumerate().flat_map(|(row, &i)| {
            let place = &place;
            let coupled = self.a.row(i).filter(move |e| place[e.column] != usize::MAX);
            let entry = move |e: MatrixEntry| {
                let val = e.value * self.unit[i] * self.unit[e.column];
                Triplet { row, col: place[e.column], val }
            };
            coupled.map(entry).chain([Triplet { row, col: row, val: self.shift }])
        });
        Factors::new(self.free.len(), entries)
    }
}

#[cfg(test)]
mod tests {
    use faer::Mat;
    use faer::prelude::Solve;

    use super::*;

    /// Numbers in [-1, 1) from a counter.
    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// u of a solution by trying all states of all rows; `None` without one. For a semidefinite A all solutions have
    /// the same u. Singular free parts are skipped: where there is a solution, there is one with a regular part.
    fn by_trying(a: &[Vec<f64>], q: &[f64], lower: &[f64], upper: &[f64]) -> Option<Vec<f64>> {
        let n = q.len();
        for code in 0..3usize.pow(n as u32) {
            let side = |i: usize| code / 3usize.pow(i as u32) % 3;
            let mut x: Vec<f64> = (0..n).map(|i| [lower[i], 0.0, upper[i]][side(i)]).collect();
            if x.iter().any(|x| x.is_infinite()) {
                continue;
            }
            let free: Vec<usize> = (0..n).filter(|i| side(*i) == 1).collect();
            let speed = |x: &[f64], i: usize| q[i] + (0..n).map(|j| a[i][j] * x[j]).sum::<f64>();
            let part = Mat::from_fn(free.len(), free.len(), |i, j| a[free[i]][free[j]]);
            if part.determinant().abs() < 1e-6 {
                continue;
            }
            let right = Mat::from_fn(free.len(), 1, |i, _| -speed(&x, free[i]));
            let found = part.partial_piv_lu().solve(&right);
            free.iter().enumerate().for_each(|(k, i)| x[*i] = found[(k, 0)]);
            let fine = |i: usize| match side(i) {
                0 => speed(&x, i) >= -1e-10,
                1 => x[i] >= lower[i] - 1e-10 && x[i] <= upper[i] + 1e-10,
                _ => speed(&x, i) <= 1e-10,
            };
            if (0..n).all(fine) {
                return Some((0..n).map(|i| speed(&x, i)).collect());
            }
        }
        None
    }

    #[test]
    fn every_small_problem_is_solved_as_by_trying() {
        let (mut seed, mut solvable, mut not) = (7, 0, 0);
        for case in 0..500 {
            let n = 1 + case % 5;
            let rank = 1 + case % 4;
            let g: Vec<Vec<f64>> = (0..rank).map(|_| (0..n).map(|_| random(&mut seed)).collect()).collect();
            let a: Vec<Vec<f64>> =
                (0..n).map(|i| (0..n).map(|j| g.iter().map(|row| row[i] * row[j]).sum()).collect()).collect();
            let q: Vec<f64> = (0..n).map(|_| random(&mut seed)).collect();
            let lower: Vec<f64> = (0..n).map(|_| random(&mut seed).min(0.0)).collect();
            let upper: Vec<f64> =
                (0..n).map(|i| if i % 2 == 0 { f64::INFINITY } else { lower[i] + random(&mut seed).abs() }).collect();
            let entries =
                (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| (i, j, a[i][j]).into()).collect();
            let matrix = SparseRows::new(n, entries);
            let mut x = vec![0.0; n];
            let solved = Boxed::new(&matrix).solve(&q, &lower, &upper, &mut x, 1e-11, || false);
            let expected = by_trying(&a, &q, &lower, &upper);
            assert_eq!(solved, expected.is_some(), "{case}: {a:?} {q:?} {lower:?} {upper:?} {x:?}");
            let Some(expected) = expected else {
                not += 1;
                continue;
            };
            solvable += 1;
            let mut u = vec![0.0; n];
            matrix.times_add(&x, &q, &mut u);
            let apart = u.iter().zip(&expected).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(apart < 1e-8, "{case}: {u:?} {expected:?}");
            assert!((0..n).all(|i| x[i] >= lower[i] && x[i] <= upper[i]), "{case}");
        }
        assert!(solvable > 200 && not > 20, "{solvable} {not}");
    }
}
