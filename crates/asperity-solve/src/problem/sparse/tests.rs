//! Factors, solves and entries of the inverse against a dense inverse, on random sparse matrices.

use faer::Mat;
use faer::prelude::Solve;

use super::cholesky::{Cholesky, CholeskyError, SolveRoom, Symbolic};
use super::inverse::SelectedInverse;
use super::symmetric::{Place, SymmetricPattern};

/// A reproducible sequence of numbers between 0 and 1 (a linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n - 1)
    }
}

/// A random pattern with about three entries a row, and a diagonally dominant matrix in it, some entries zero.
fn random(n: usize, seed: u64) -> (SymmetricPattern, Vec<f64>) {
    let mut numbers = Numbers(seed);
    let places: Vec<Place> = (0..3 * n).map(|_| Place { row: numbers.below(n), column: numbers.below(n) }).collect();
    let pattern = SymmetricPattern::new(n, places.iter().copied());
    let mut values = vec![0.0; pattern.slots()];
    for j in 0..n {
        let column = pattern.col_ptr()[j]..pattern.col_ptr()[j + 1];
        for slot in column.start + 1..column.end {
            let value = if numbers.below(4) == 0 { 0.0 } else { numbers.next() - 0.5 };
            values[slot] = value;
            values[pattern.col_ptr()[j]] += value.abs();
            values[pattern.col_ptr()[pattern.row_idx()[slot]]] += value.abs();
        }
        values[column.start] += 0.1;
    }
    (pattern, values)
}

fn dense(pattern: &SymmetricPattern, values: &[f64]) -> Mat<f64> {
    let n = pattern.size();
    Mat::from_fn(n, n, |row, column| pattern.slot(Place { row, column }).map_or(0.0, |slot| values[slot]))
}

#[test]
fn solutions_and_selected_entries_are_those_of_the_dense_inverse() {
    for (n, seed) in [(1, 1), (2, 2), (7, 3), (40, 4), (150, 5)] {
        let (pattern, values) = random(n, seed);
        let inverse = dense(&pattern, &values).partial_piv_lu().solve(Mat::<f64>::identity(n, n));
        let mut factors = Cholesky::new(Symbolic::new(pattern.clone()).unwrap()).unwrap();
        factors.factor(&values).unwrap();
        let mut numbers = Numbers(seed + 100);
        let b: Vec<f64> = (0..n).map(|_| numbers.next() - 0.5).collect();
        let mut x = b.clone();
        factors.solve(&mut x, &mut SolveRoom::new(factors.symbolic()));
        for i in 0..n {
            let expected: f64 = (0..n).map(|j| inverse[(i, j)] * b[j]).sum();
            assert!((x[i] - expected).abs() < 1e-11, "{n} rows: {} and {expected}", x[i]);
        }
        let selected = SelectedInverse::new(&factors);
        for j in 0..n {
            for slot in pattern.col_ptr()[j]..pattern.col_ptr()[j + 1] {
                let place = Place { row: pattern.row_idx()[slot], column: j };
                let found = selected.get(place).expect("an entry of the pattern");
                let expected = inverse[(place.row, place.column)];
                assert!((found - expected).abs() < 1e-11, "{n} rows, {place:?}: {found} and {expected}");
            }
        }
    }
}

#[test]
fn another_matrix_of_the_same_pattern_needs_no_new_analysis() {
    let (pattern, values) = random(60, 9);
    let mut factors = Cholesky::new(Symbolic::new(pattern.clone()).unwrap()).unwrap();
    factors.factor(&values).unwrap();
    let double: Vec<f64> = values.iter().map(|v| 2.0 * v).collect();
    let mut x = vec![1.0; 60];
    factors.solve(&mut x, &mut SolveRoom::new(factors.symbolic()));
    factors.factor(&double).unwrap();
    let mut half = vec![1.0; 60];
    factors.solve(&mut half, &mut SolveRoom::new(factors.symbolic()));
    x.iter().zip(&half).for_each(|(x, half)| assert!((x - 2.0 * half).abs() < 1e-12));
}

#[test]
fn the_row_of_a_pivot_that_is_not_positive_is_named() {
    let pattern = SymmetricPattern::new(5, std::iter::empty());
    let mut factors = Cholesky::new(Symbolic::new(pattern).unwrap()).unwrap();
    let error = factors.factor(&[1.0, 1.0, 1.0, -1.0, 1.0]).unwrap_err();
    assert_eq!(error, CholeskyError::NotPositive { row: 3 });
}
