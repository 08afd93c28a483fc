//! Anderson's acceleration of a fixed-point iteration y ← G(y).
//!
//! With f = G(y) − y and the differences of the last turns, γ minimises |f − ΔF γ| and the next y is G(y) − ΔG γ: what
//! a secant method would take (Walker and Ni 2011). Where |f| grew instead, the memory is dropped and the plain step
//! taken. Where |f| has not fallen for long, it goes in circles: plain steps for a while lead out of them.
//!
//! The least-squares problem has a few unknowns only; its normal equations, over columns of unit length and with a little
//! of the identity added, are as accurate as a step that is checked afterwards needs.

use super::gauss;
use crate::problem::dot;

/// So many times the memory are turns without progress, or plain ones.
const PATIENCE: usize = 4;

/// |f| may grow by this factor over its smallest value; beyond, the memory is dropped.
const GROWTH: f64 = 10.0;

/// What is added to the diagonal of the normal equations, whose entries are one: it keeps directions that repeat from being
/// weighted against each other.
const DAMPING: f64 = 1e-12;

/// Most differences that can be kept.
const MOST: usize = 16;

/// The last turns.
pub(super) struct Anderson {
    memory: usize,
    /// G(y) and f of the last turn; empty before the first.
    last: Turn,
    /// Differences (ΔG, ΔF) of the turns before; the oldest is overwritten first.
    differences: Vec<Turn>,
    /// Inner products of the ΔF.
    products: [[f64; MOST]; MOST],
    /// Where the next difference goes, once the memory is full.
    oldest: usize,
    smallest: f64,
    /// Turns since |f| was smallest, and plain ones still to take.
    stale: usize,
    plain: usize,
}

/// G(y) and f = G(y) − y, or the differences of two.
#[derive(Clone, Default)]
struct Turn {
    g: Vec<f64>,
    f: Vec<f64>,
}

impl Anderson {
    /// With this many differences, sixteen at most; zero is the plain iteration.
    pub(super) fn new(memory: usize) -> Self {
        Self {
            memory: memory.min(MOST),
            last: Turn::default(),
            differences: Vec::new(),
            products: [[0.0; MOST]; MOST],
            oldest: 0,
            smallest: f64::INFINITY,
            stale: 0,
            plain: 0,
        }
    }

    /// Forgets all turns: the iteration has changed.
    pub(super) fn restart(&mut self) {
        self.last = Turn::default();
        self.forget_differences();
        (self.smallest, self.stale, self.plain) = (f64::INFINITY, 0, 0);
    }

    fn forget_differences(&mut self) {
        self.differences.clear();
        self.oldest = 0;
    }

    /// y becomes the next y, from y and G(y), both in units in which lengths mean something.
    pub(super) fn advance(&mut self, y: &mut [f64], g: &[f64]) {
        if self.memory == 0 {
            y.copy_from_slice(g);
            return;
        }
        // y is overwritten by f, which takes its place until the end.
        y.iter_mut().zip(g).for_each(|(y, g)| *y = g - *y);
        let size = dot(y, y).sqrt();
        self.remember(y, g);
        self.stale = if size < 0.9 * self.smallest { 0 } else { self.stale + 1 };
        if self.stale > PATIENCE * self.memory {
            (self.plain, self.stale, self.smallest) = (PATIENCE * self.memory, 0, size);
        }
        if self.plain > 0 || size > GROWTH * self.smallest {
            self.plain = self.plain.saturating_sub(1);
            self.forget_differences();
            self.smallest = size;
        }
        self.smallest = self.smallest.min(size);
        let weights = self.weights(y);
        y.copy_from_slice(g);
        for (turn, weight) in self.differences.iter().zip(weights) {
            y.iter_mut().zip(&turn.g).for_each(|(y, dg)| *y -= weight * dg);
        }
    }

    /// Keeps the difference to the last turn, and this turn for the next.
    fn remember(&mut self, f: &[f64], g: &[f64]) {
        if !self.last.f.is_empty() {
            let newest = if self.differences.len() < self.memory {
                self.differences.push(self.last.clone());
                self.differences.len() - 1
            } else {
                let newest = self.oldest;
                self.oldest = (newest + 1) % self.memory;
                std::mem::swap(&mut self.differences[newest], &mut self.last);
                newest
            };
            let turn = &mut self.differences[newest];
            turn.g.iter_mut().zip(g).for_each(|(last, g)| *last = g - *last);
            turn.f.iter_mut().zip(f).for_each(|(last, f)| *last = f - *last);
            for k in 0..self.differences.len() {
                let product = dot(&self.differences[newest].f, &self.differences[k].f);
                (self.products[newest][k], self.products[k][newest]) = (product, product);
            }
        }
        self.last.g.clear();
        self.last.g.extend_from_slice(g);
        self.last.f.clear();
        self.last.f.extend_from_slice(f);
    }

    /// γ, in the sense of least squares; zero where the differences say nothing.
    fn weights(&self, f: &[f64]) -> [f64; MOST] {
        let none = [0.0; MOST];
        let count = self.differences.len();
        let mut sizes = none;
        (0..count).for_each(|k| sizes[k] = self.products[k][k].sqrt());
        if sizes[..count].contains(&0.0) {
            return none;
        }
        let (mut matrix, mut weights) = ([none; MOST], none);
        for (i, turn) in self.differences.iter().enumerate() {
            (0..count).for_each(|j| matrix[i][j] = self.products[i][j] / (sizes[i] * sizes[j]));
            matrix[i][i] = 1.0 + DAMPING;
            weights[i] = dot(&turn.f, f) / sizes[i];
        }
        if !gauss::solve(count, &mut matrix, &mut weights) {
            return none;
        }
        weights.iter_mut().zip(sizes).take(count).for_each(|(weight, size)| *weight /= size);
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::Anderson;

    /// y ← B y + c with eigenvalues of B up to 0.99: the plain iteration needs some 1800 turns for eight digits.
    #[test]
    fn a_slow_linear_iteration_ends_after_few_turns() {
        let rates = [0.99, 0.9, 0.5, -0.8, 0.3];
        let turns = |memory: usize| {
            let (mut anderson, mut y) = (Anderson::new(memory), vec![0.0f64; 5]);
            for turn in 0..5000 {
                if y.iter().all(|y| (y - 1.0).abs() < 1e-8) {
                    return turn;
                }
                let g: Vec<f64> = y.iter().zip(rates).map(|(y, rate)| rate * y + (1.0 - rate)).collect();
                anderson.advance(&mut y, &g);
            }
            5000
        };
        assert!(turns(0) > 1000);
        assert!(turns(5) < 15, "{}", turns(5));
    }
}
