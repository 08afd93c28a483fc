//! Cholesky factors of a symmetric positive definite matrix: P A Pᵀ = L Lᵀ.
//!
//! The symbolic part ([`Symbolic`]: the order of elimination by approximate minimum degree, and the supernodes of L) depends
//! on the pattern alone. It is made once and shared; the numbers ([`Cholesky`]) are computed anew for each matrix, without
//! allocating. Supernodes are runs of columns with the same rows below them, stored as dense blocks; the three or six
//! degrees of freedom of a vertex or a body share their rows and end in the same supernode.
//!
//! faer makes the order, the supernodes and the factors. The solve with one right-hand side is written here: it is a
//! loop over dense columns, and its time is that of reading L twice.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Par, Side};

use super::dot::dot;
use super::symmetric::SymmetricPattern;

/// faer compares the work per entry of L with this; its own constant for "always", zero, does not do it for diagonal
/// matrices.
const ALWAYS_SUPERNODAL: SupernodalThreshold = SupernodalThreshold(-1.0);

/// What the pattern of a matrix says about its factors.
#[derive(Debug)]
pub struct Symbolic {
    pattern: SymmetricPattern,
    analysis: SymbolicCholesky<usize>,
    /// Most rows below a supernode.
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
        symbolic.tallest = (0..symbolic.supernodes()).map(|s| symbolic.supernode(s).below.len()).max().unwrap_or(0);
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

/// The factors of one matrix, and room for the next.
pub struct Cholesky {
    symbolic: Arc<Symbolic>,
    values: Vec<f64>,
    room: MemBuffer,
}

/// Room for solves with the factors of one pattern.
#[derive(Clone, Debug)]
pub struct SolveRoom {
    /// A right-hand side in the order of elimination.
    x: Vec<f64>,
    /// Values of the rows below a supernode.
    below: Vec<f64>,
}

impl SolveRoom {
    /// For factors with this symbolic part.
    pub fn new(symbolic: &Symbolic) -> Self {
        Self { x: vec![0.0; symbolic.pattern.size()], below: vec![0.0; symbolic.tallest] }
    }
}

impl std::fmt::Debug for Cholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cholesky").field("rows", &self.symbolic.pattern.size()).finish()
    }
}

fn numeric_room(symbolic: &Symbolic) -> faer::dyn_stack::StackReq {
    symbolic.analysis.factorize_numeric_llt_scratch::<f64>(Par::Seq, faer::Spec::default())
}

impl Cholesky {
    /// Room for the factors of matrices with this pattern; nothing can be solved before [`Cholesky::factor`].
    pub fn new(symbolic: Arc<Symbolic>) -> Result<Self, CholeskyError> {
        let rows = symbolic.pattern.size();
        let memory = CholeskyError::Memory { rows };
        let mut values = Vec::new();
        values.try_reserve_exact(symbolic.factor_values()).map_err(|_| memory)?;
        values.resize(symbolic.factor_values(), 0.0);
        let room = MemBuffer::try_new(numeric_room(&symbolic)).map_err(|_| memory)?;
        Ok(Self { symbolic, values, room })
    }

    /// The symbolic part.
    pub fn symbolic(&self) -> &Arc<Symbolic> {
        &self.symbolic
    }

    /// L, supernode by supernode.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Factors the matrix with these values in the slots of the pattern.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), CholeskyError> {
        let Self { symbolic, values: factor, room, .. } = self;
        let pattern = &symbolic.pattern;
        let rows = pattern.size();
        let shape = SymbolicSparseColMatRef::new_checked(rows, rows, pattern.col_ptr(), None, pattern.row_idx());
        let matrix = SparseColMatRef::new(shape, values);
        let result = symbolic.analysis.factorize_numeric_llt(
            factor,
            matrix,
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(room),
            faer::Spec::default(),
        );
        result.map(|_| ()).map_err(|error| {
            let faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot { index } = error;
            CholeskyError::NotPositive { row: symbolic.order().get(index).copied().unwrap_or(index) }
        })
    }

    /// b becomes A⁻¹ b.
    pub fn solve(&self, b: &mut [f64], room: &mut SolveRoom) {
        let Self { symbolic, values, .. } = self;
        let SolveRoom { x, below } = room;
        for (x, row) in x.iter_mut().zip(symbolic.order()) {
            *x = b[*row];
        }
        for s in 0..symbolic.supernodes() {
            forward(symbolic.supernode(s), values, x, below);
        }
        for s in (0..symbolic.supernodes()).rev() {
            backward(symbolic.supernode(s), values, x, below);
        }
        for (x, row) in x.iter().zip(symbolic.order()) {
            b[*row] = *x;
        }
    }
}

/// L x = b over the columns of a supernode, and what they take from the rows below.
fn forward(node: Supernode<'_>, values: &[f64], x: &mut [f64], below: &mut [f64]) {
    let (size, height) = (node.end - node.begin, node.height());
    let below = &mut below[..node.below.len()];
    below.fill(0.0);
    for k in 0..size {
        let column = &values[node.offset + k * height..][..height];
        let (own, rest) = x[node.begin + k..node.end].split_at_mut(1);
        own[0] /= column[k];
        let factor = own[0];
        rest.iter_mut().zip(&column[k + 1..size]).for_each(|(x, l)| *x -= factor * l);
        below.iter_mut().zip(&column[size..]).for_each(|(x, l)| *x += factor * l);
    }
    for (row, taken) in node.below.iter().zip(below) {
        x[*row] -= *taken;
    }
}

/// Lᵀ x = b over the columns of a supernode, with the rows below known.
fn backward(node: Supernode<'_>, values: &[f64], x: &mut [f64], below: &mut [f64]) {
    let (size, height) = (node.end - node.begin, node.height());
    let below = &mut below[..node.below.len()];
    for (value, row) in below.iter_mut().zip(node.below) {
        *value = x[*row];
    }
    for k in (0..size).rev() {
        let column = &values[node.offset + k * height..][..height];
        let (own, rest) = x[node.begin + k..node.end].split_at_mut(1);
        let taken = dot(rest, &column[k + 1..size]) + dot(below, &column[size..]);
        own[0] = (own[0] - taken) / column[k];
    }
}
