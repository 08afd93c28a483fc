//! Linear systems of Newton's method: dense for small ones, sparse for large.

use faer::prelude::Solve;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, MatMut};

/// Rows up to which a dense factorisation is faster than a sparse one.
const DENSE: usize = 240;

/// Solves A x = b for A given by entries (duplicates add up); `None` if it is singular or not finite.
pub(super) fn solve(n: usize, entries: &[Triplet<usize, usize, f64>], b: &mut [f64]) -> Option<()> {
    if n <= DENSE {
        let mut a = Mat::<f64>::zeros(n, n);
        for e in entries {
            a[(e.row, e.col)] += e.val;
        }
        let lu = a.partial_piv_lu();
        lu.solve_in_place(MatMut::from_column_major_slice_mut(b, n, 1));
    } else {
        let a = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, entries).ok()?;
        let lu = a.sp_lu().ok()?;
        lu.solve_in_place(MatMut::from_column_major_slice_mut(b, n, 1));
    }
    b.iter().all(|x| x.is_finite()).then_some(())
}
