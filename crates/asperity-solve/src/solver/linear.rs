//! Linear systems of any size: dense factors for small ones, sparse factors for large.

use faer::linalg::solvers::PartialPivLu;
use faer::prelude::Solve;
use faer::sparse::linalg::solvers::Lu;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, MatMut};

/// Rows up to which a dense factorisation is faster than a sparse one.
const DENSE: usize = 240;

/// Rows whose own scale is below this fraction of the largest are measured like rows of that scale: what nothing moves
/// would otherwise have an infinite unit.
const LEAST_SCALE: f64 = 1e-12;

/// The least scale of a row, where `top` is the largest and `weight` relates the row to it; 1 if all scales are zero.
pub(super) fn least_scale(top: f64, weight: f64) -> f64 {
    if top > 0.0 { LEAST_SCALE * top * weight } else { 1.0 }
}

/// The factors of a square matrix.
pub(super) enum Factors {
    Dense(PartialPivLu<f64>),
    Sparse(Box<Lu<usize, f64>>),
}

impl Factors {
    /// Of the n × n matrix of these entries (duplicates add up); `None` if a sparse one is structurally singular.
    pub(super) fn new(n: usize, entries: impl Iterator<Item = Triplet<usize, usize, f64>>) -> Option<Self> {
        if n <= DENSE {
            let mut a = Mat::<f64>::zeros(n, n);
            entries.for_each(|e| a[(e.row, e.col)] += e.val);
            return Some(Self::Dense(a.partial_piv_lu()));
        }
        let entries: Vec<_> = entries.collect();
        let a = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, &entries).ok()?;
        Some(Self::Sparse(Box::new(a.sp_lu().ok()?)))
    }

    /// b becomes A⁻¹ b; `None` if that is not finite, because A is singular or b is not finite.
    pub(super) fn solve(&self, b: &mut [f64]) -> Option<()> {
        let count = b.len();
        let right = MatMut::from_column_major_slice_mut(b, count, 1);
        match self {
            Self::Dense(lu) => lu.solve_in_place(right),
            Self::Sparse(lu) => lu.solve_in_place(right),
        }
        b.iter().all(|x| x.is_finite()).then_some(())
    }
}

/// Solves A x = b for A given by entries; `None` if it is singular or not finite.
pub(super) fn solve(n: usize, entries: &[Triplet<usize, usize, f64>], b: &mut [f64]) -> Option<()> {
    Factors::new(n, entries.iter().copied())?.solve(b)
}
