//! What the pattern of a symmetric matrix says about its Cholesky factors: the order of elimination by approximate minimum degree, and
//! the supernodes of L, runs of columns with the same rows below them, which are stored as dense blocks.

use std::sync::Arc;

use faer::Side;
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};

use super::symmetric::SymmetricPattern;

/// faer compares the work per entry of L with this; its own constant for "always", zero, does not do it for diagonal
/// matrices.
const ALWAYS_SUPERNODAL: SupernodalThreshold = SupernodalThreshold(-1.0);

/// What the pattern of a matrix says about its factors.
#[derive(Debug)]
pub struct Symbolic {
    pub(super) pattern: SymmetricPattern,
    pub(super) analysis: SymbolicCholesky<usize>,
    /// Most rows of a supernode.
    tallest: usize,
}

/// The columns of a supernode, and the rows of L below them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Supernode<'a> {
    /// First column.
    pub(super) begin: usize,
    /// Column after the last.
    pub(super) end: usize,
    /// Rows below the columns, increasing.
    pub(super) below: &'a [usize],
    /// First value of the dense block: columns of (end − begin + below) values.
    pub(super) offset: usize,
}

impl Supernode<'_> {
    /// Values of a column of its dense block.
    pub(super) fn height(&self) -> usize {
        self.end - self.begin + self.below.len()
    }
}

/// Why a matrix has no Cholesky factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CholeskyError {
    /// A pivot is not positive.
    #[error("the matrix is not positive definite: the pivot of row {row} is not positive")]
    NotPositive {
        /// The row, in the order of the matrix.
        row: usize,
    },
    /// The analysis or the factors do not fit into memory.
    #[error("the factors of a matrix with {rows} rows do not fit into memory")]
    Memory {
        /// Rows of the matrix.
        rows: usize,
    },
}

impl Symbolic {
    /// Orders the rows and finds the supernodes.
    pub fn new(pattern: SymmetricPattern) -> Result<Arc<Self>, CholeskyError> {
        let rows = pattern.size();
        let shape = SymbolicSparseColMatRef::new_checked(rows, rows, pattern.col_ptr(), None, pattern.row_idx());
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: ALWAYS_SUPERNODAL,
            ..CholeskySymbolicParams::default()
        };
        let analysis = factorize_symbolic_cholesky(shape, Side::Lower, SymmetricOrdering::Amd, params)
            .map_err(|_| CholeskyError::Memory { rows })?;
        let mut symbolic = Self { pattern, analysis, tallest: 0 };
        symbolic.tallest = (0..symbolic.supernodes()).map(|s| symbolic.supernode(s).height()).max().unwrap_or(0);
        Ok(Arc::new(symbolic))
    }

    /// The pattern it was made for.
    pub fn pattern(&self) -> &SymmetricPattern {
        &self.pattern
    }

    /// Values of the factor.
    pub fn factor_values(&self) -> usize {
        self.analysis.len_val()
    }

    /// Most rows of a supernode, its own and those below.
    pub(super) fn tallest(&self) -> usize {
        self.tallest
    }

    pub(super) fn supernodes(&self) -> usize {
        self.raw().map_or(0, SymbolicSupernodalCholesky::n_supernodes)
    }

    /// The supernodal analysis: it is always asked for.
    fn raw(&self) -> Option<&SymbolicSupernodalCholesky<usize>> {
        match self.analysis.raw() {
            SymbolicCholeskyRaw::Supernodal(raw) => Some(raw),
            SymbolicCholeskyRaw::Simplicial(_) => None,
        }
    }

    pub(super) fn supernode(&self, s: usize) -> Supernode<'_> {
        let Some(raw) = self.raw() else { return Supernode { begin: 0, end: 0, below: &[], offset: 0 } };
        let (begin, end) = (raw.supernode_begin()[s], raw.supernode_end()[s]);
        let rows = raw.col_ptr_for_row_idx()[s]..raw.col_ptr_for_row_idx()[s + 1];
        Supernode { begin, end, below: &raw.row_idx()[rows], offset: raw.col_ptr_for_val()[s] }
    }

    /// Row of the matrix that is eliminated k-th.
    pub(super) fn order(&self) -> &[usize] {
        self.analysis.perm().map_or(&[], |perm| perm.arrays().0)
    }

    /// When each row of the matrix is eliminated.
    pub(super) fn position(&self) -> &[usize] {
        self.analysis.perm().map_or(&[], |perm| perm.arrays().1)
    }
}
