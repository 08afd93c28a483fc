//! Conjugate gradients for A x = b with A symmetric and positive definite (Hestenes and Stiefel 1952; Saad 2003,
//! algorithm 9.1).
//!
//! The preconditioner has the inverses of the 3 × 3 blocks on the diagonal: those of vertices, and of the linear and
//! the angular motion of rigid bodies. The number of iterations grows with the square root of the condition of A. A
//! step of a cloth has about 1 + 8 h² k/m (k its stretching stiffness, m the mass of a vertex, h the step): a few tens
//! of iterations where that is some hundreds, each of which reads A once, whereas factors of a large cloth have several
//! times as many values as A.

use glam::{DMat3, DVec3};

use super::dot::dot;
use super::symmetric::{Place, SymmetricPattern};

/// The preconditioner of one matrix, and room for solves.
#[derive(Clone, Debug)]
pub struct ConjugateGradients {
    /// Slots of the lower triangle of each block, column by column; `None` where nothing is stored.
    slots: Vec<[Option<usize>; 6]>,
    inverses: Vec<DMat3>,
    x: Vec<f64>,
    residual: Vec<f64>,
    preconditioned: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
}

/// When a solve ends.
#[derive(Clone, Copy, Debug)]
pub struct Accuracy {
    /// √(rᵀ P r) relative to its value for x = 0, r the residual and P the preconditioner.
    pub tolerance: f64,
    /// Most iterations.
    pub iterations: usize,
}

impl ConjugateGradients {
    /// For matrices with this pattern; `None` if its rows do not come in threes.
    pub fn new(pattern: &SymmetricPattern) -> Option<Self> {
        let rows = pattern.size();
        if !rows.is_multiple_of(3) {
            return None;
        }
        let block = |first: usize| {
            [(0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2)]
                .map(|(row, column)| pattern.slot(Place { row: first + row, column: first + column }))
        };
        let zero = || vec![0.0; rows];
        Some(Self {
            slots: (0..rows).step_by(3).map(block).collect(),
            inverses: vec![DMat3::ZERO; rows / 3],
            x: zero(),
            residual: zero(),
            preconditioned: zero(),
            direction: zero(),
            product: zero(),
        })
    }

    /// Makes the preconditioner of the matrix with these values; whether all blocks have an inverse.
    pub fn prepare(&mut self, values: &[f64]) -> bool {
        for (slots, inverse) in self.slots.iter().zip(&mut self.inverses) {
            let [xx, yx, zx, yy, zy, zz] = slots.map(|slot| slot.map_or(0.0, |slot| values[slot]));
            let block = DMat3::from_cols(DVec3::new(xx, yx, zx), DVec3::new(yx, yy, zy), DVec3::new(zx, zy, zz));
            let determinant = block.determinant();
            if determinant <= 0.0 || determinant.is_nan() {
                return false;
            }
            *inverse = block.inverse();
        }
        true
    }

    /// b becomes A⁻¹ b, A the matrix with these values, which the preconditioner was made for. `None`, and b is as it
    /// was, where it takes more iterations; else how many.
    pub fn solve(
        &mut self,
        pattern: &SymmetricPattern,
        values: &[f64],
        accuracy: Accuracy,
        b: &mut [f64],
    ) -> Option<usize> {
        self.x.fill(0.0);
        self.residual.copy_from_slice(b);
        let mut size = self.precondition();
        self.direction.copy_from_slice(&self.preconditioned);
        let wanted = accuracy.tolerance * accuracy.tolerance * size;
        let mut iterations = 0;
        while size > wanted {
            if iterations == accuracy.iterations {
                return None;
            }
            iterations += 1;
            pattern.multiply(values, &self.direction, &mut self.product);
            let curvature = dot(&self.direction, &self.product);
            // The matrix is not positive definite, or not a number.
            if curvature <= 0.0 || curvature.is_nan() {
                return None;
            }
            let length = size / curvature;
            for i in 0..b.len() {
                self.x[i] += length * self.direction[i];
                self.residual[i] -= length * self.product[i];
            }
            let last = std::mem::replace(&mut size, 0.0);
            size = self.precondition();
            let turn = size / last;
            for (direction, preconditioned) in self.direction.iter_mut().zip(&self.preconditioned) {
                *direction = preconditioned + turn * *direction;
            }
        }
        b.copy_from_slice(&self.x);
        Some(iterations)
    }

    /// P r, and rᵀ P r.
    fn precondition(&mut self) -> f64 {
        let mut size = 0.0;
        let of_blocks = self.residual.chunks_exact(3).zip(self.preconditioned.chunks_exact_mut(3));
        for (inverse, (r, out)) in self.inverses.iter().zip(of_blocks) {
            let r = DVec3::from_slice(r);
            let z = *inverse * r;
            size += r.dot(z);
            z.write_to_slice(out);
        }
        size
    }
}

#[cfg(test)]
mod tests {
    use super::{Accuracy, ConjugateGradients};
    use crate::problem::sparse::symmetric::{Place, SymmetricPattern};

    const ROWS: usize = 12;

    /// A chain of four points in space with springs of unequal stiffness along it and across it.
    fn chain() -> (SymmetricPattern, Vec<f64>) {
        let near = (0..ROWS).flat_map(|row| (row.saturating_sub(5)..=row).map(move |column| Place { row, column }));
        let pattern = SymmetricPattern::new(ROWS, near);
        let value = |Place { row, column }: Place| match row - column {
            0 => 3.0 + row as f64,
            apart => ((row * 5 + column * 3) % 7) as f64 / 7.0 - 0.4 / apart as f64,
        };
        let values = pattern.places().map(value).collect();
        (pattern, values)
    }

    /// As many iterations as rows are enough but for rounding; the solution is checked by the product with the matrix.
    #[test]
    fn the_solution_solves_the_system() {
        let (pattern, values) = chain();
        let mut solver = ConjugateGradients::new(&pattern).expect("rows come in threes");
        assert!(solver.prepare(&values));
        let b: Vec<f64> = (0..ROWS).map(|i| (i as f64 * 1.7).sin()).collect();
        let (mut x, mut back) = (b.clone(), vec![0.0; ROWS]);
        let accuracy = Accuracy { tolerance: 1e-12, iterations: 2 * ROWS };
        assert!(solver.solve(&pattern, &values, accuracy, &mut x).is_some_and(|iterations| iterations > 3));
        pattern.multiply(&values, &x, &mut back);
        assert!(back.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-11), "{back:?} {b:?}");
    }

    /// A matrix of blocks alone is its own preconditioner: one iteration.
    #[test]
    fn blocks_on_the_diagonal_take_one_iteration() {
        let places = (0..ROWS).flat_map(|row| (row / 3 * 3..=row).map(move |column| Place { row, column }));
        let pattern = SymmetricPattern::new(ROWS, places);
        let values: Vec<f64> = pattern.places().map(|at| if at.row == at.column { 2.0 } else { 0.5 }).collect();
        let mut solver = ConjugateGradients::new(&pattern).expect("rows come in threes");
        assert!(solver.prepare(&values));
        let mut x = vec![1.0; ROWS];
        let accuracy = Accuracy { tolerance: 1e-10, iterations: 5 };
        assert_eq!(solver.solve(&pattern, &values, accuracy, &mut x), Some(1));
        // (2 + 0.5 + 0.5) x = 1.
        assert!(x.iter().all(|x| (x - 1.0 / 3.0).abs() < 1e-15), "{x:?}");
    }

    #[test]
    fn what_takes_too_long_or_is_not_positive_definite_is_left_as_it_was() {
        let (pattern, mut values) = chain();
        let mut solver = ConjugateGradients::new(&pattern).expect("rows come in threes");
        assert!(solver.prepare(&values));
        let mut x = vec![1.0; ROWS];
        let accuracy = Accuracy { tolerance: 1e-12, iterations: 2 };
        assert_eq!(solver.solve(&pattern, &values, accuracy, &mut x), None);
        assert_eq!(x, [1.0; ROWS]);
        values.iter_mut().for_each(|value| *value = -*value);
        assert!(!solver.prepare(&values));
        assert!(ConjugateGradients::new(&SymmetricPattern::new(4, [].into_iter())).is_none());
    }
}
