//! Anderson's acceleration of a fixed-point iteration y ← G(y).
//!
//! With f = G(y) − y and the differences of the last turns, γ minimises |f − ΔF γ| and the next y is G(y) − ΔG γ: what
//! a secant method would take (Walker and Ni 2011). Where |f| grew instead, the memory is dropped and the plain step
//! taken. Where |f| has not fallen for long, it goes in circles: plain steps for a while lead out of them.

use faer::Mat;
use faer::linalg::solvers::SolveLstsq;

/// So many times the memory are turns without progress, or plain ones.
const PATIENCE: usize = 4;

/// The last turns.
pub(super) struct Anderson {
    memory: usize,
    /// G(y) and f of the last turn.
    last: Option<(Vec<f64>, Vec<f64>)>,
    /// Differences (ΔG, ΔF) of the turns before, oldest first.
    differences: Vec<(Vec<f64>, Vec<f64>)>,
    smallest: f64,
    /// Turns since |f| was smallest, and plain ones still to take.
    stale: usize,
    plain: usize,
}

impl Anderson {
    /// With this many differences; zero is the plain iteration.
    pub(super) fn new(memory: usize) -> Self {
        Self { memory, last: None, differences: Vec::new(), smallest: f64::INFINITY, stale: 0, plain: 0 }
    }

    /// The next y from y and G(y), both in units in which lengths mean something.
    pub(super) fn next(&mut self, y: &[f64], g: &[f64]) -> Vec<f64> {
        if self.memory == 0 {
            return g.to_vec();
        }
        let f: Vec<f64> = g.iter().zip(y).map(|(g, y)| g - y).collect();
        let size = f.iter().map(|f| f * f).sum::<f64>().sqrt();
        if let Some((last_g, last_f)) = self.last.take() {
            let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
            self.differences.push((apart(g, &last_g), apart(&f, &last_f)));
        }
        self.stale = if size < 0.9 * self.smallest { 0 } else { self.stale + 1 };
        if self.stale > PATIENCE * self.memory {
            (self.plain, self.stale, self.smallest) = (PATIENCE * self.memory, 0, size);
        }
        if self.plain > 0 || size > 10.0 * self.smallest {
            self.plain = self.plain.saturating_sub(1);
            self.differences.clear();
            self.smallest = size;
        }
        self.smallest = self.smallest.min(size);
        if self.differences.len() > self.memory {
            self.differences.remove(0);
        }
        let mut next = g.to_vec();
        if let Some(gamma) = self.weights(&f) {
            for ((dg, _), gamma) in self.differences.iter().zip(&gamma) {
                next.iter_mut().zip(dg).for_each(|(next, dg)| *next -= gamma * dg);
            }
        }
        self.last = Some((g.to_vec(), f));
        next
    }

    /// γ, in the sense of least squares.
    fn weights(&self, f: &[f64]) -> Option<Vec<f64>> {
        let count = self.differences.len();
        let differences = &self.differences;
        let sizes: Vec<f64> = differences.iter().map(|(_, df)| df.iter().map(|d| d * d).sum::<f64>().sqrt()).collect();
        if count == 0 || sizes.contains(&0.0) {
            return None;
        }
        // Columns of unit length, and a little of the identity below, which keeps directions that repeat from being
        // weighted against each other.
        let n = f.len();
        let matrix = Mat::from_fn(n + count, count, |i, j| match i.checked_sub(n) {
            None => differences[j].1[i] / sizes[j],
            Some(k) => f64::from(u8::from(k == j)) * 1e-6,
        });
        let right = Mat::from_fn(n + count, 1, |i, _| f.get(i).copied().unwrap_or(0.0));
        let found = matrix.qr().solve_lstsq(&right);
        let gamma: Vec<f64> = (0..count).map(|j| found[(j, 0)] / sizes[j]).collect();
        gamma.iter().all(|g| g.is_finite()).then_some(gamma)
    }
}
