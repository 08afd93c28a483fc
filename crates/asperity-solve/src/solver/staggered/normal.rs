//! The contact problem of staggered projections: normal impulses and bounded rows, friction fixed.

use super::super::boxed::Boxed;
use super::super::reduced::{Reduced, SparseRows};
use crate::problem::{ContactProblem, RowKind};

/// The rows of the reduced problem that it is about, and their bounds.
pub(super) struct NormalRows {
    rows: Vec<usize>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// √W of the diagonal: an impulse times it is the root of an energy.
    unit: Vec<f64>,
}

impl NormalRows {
    pub(super) fn new(problem: &ContactProblem, reduced: &Reduced<'_>) -> Self {
        let (mut rows, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
        let mut add = |row: usize, low: f64, high: f64| {
            rows.push(row);
            lower.push(low);
            upper.push(high);
        };
        for i in 0..problem.blocks() {
            let first = reduced.starts[i];
            match problem.kind(i) {
                RowKind::Bilateral => {}
                RowKind::Contact => add(first, 0.0, f64::INFINITY),
                RowKind::Bounded { lower, upper } => {
                    let bounded = lower.iter().zip(upper).filter(|(l, u)| l.is_finite() || u.is_finite());
                    bounded.enumerate().for_each(|(k, (l, u))| add(first + k, *l, *u));
                }
            }
        }
        let unit = rows.iter().map(|row| reduced.w.get(*row, *row).max(0.0).sqrt()).collect();
        Self { rows, lower, upper, unit }
    }

    /// The entries of W in their rows and columns.
    pub(super) fn matrix(&self, reduced: &Reduced<'_>) -> SparseRows {
        reduced.w.part(&self.rows, |_, _| 1.0)
    }

    /// Solves for them, from what they are, with the other impulses fixed. `boxed` is that of [`Self::matrix`].
    pub(super) fn solve(
        &self,
        reduced: &Reduced<'_>,
        boxed: &mut Boxed<'_>,
        impulses: &mut [f64],
        accuracy: f64,
        time_is_up: &dyn Fn() -> bool,
    ) {
        let mut own: Vec<f64> = self.rows.iter().map(|row| impulses[*row]).collect();
        self.rows.iter().for_each(|row| impulses[*row] = 0.0);
        let q: Vec<f64> = self.rows.iter().map(|row| reduced.bias[*row] + reduced.w.dot(*row, impulses)).collect();
        // Where it has no solution the impulses stay as they are, and the residual tells.
        boxed.solve(&q, &self.lower, &self.upper, &mut own, accuracy, time_is_up);
        self.rows.iter().zip(&own).for_each(|(row, value)| impulses[*row] = *value);
    }

    /// These impulses in units of energy.
    pub(super) fn loads(&self, impulses: &[f64]) -> Vec<f64> {
        self.rows.iter().zip(&self.unit).map(|(row, unit)| impulses[*row] * unit).collect()
    }

    /// Sets them, within their bounds.
    pub(super) fn set_loads(&self, loads: &[f64], impulses: &mut [f64]) {
        for (k, row) in self.rows.iter().enumerate() {
            if self.unit[k] > 0.0 {
                impulses[*row] = (loads[k] / self.unit[k]).clamp(self.lower[k], self.upper[k]);
            }
        }
    }
}
