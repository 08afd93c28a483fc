//! Cholesky factors of a symmetric positive definite matrix: P A Pᵀ = L Lᵀ.
//!
//! The symbolic part ([`Symbolic`]: the order of elimination by approximate minimum degree, and the supernodes of L) depends
//! on the pattern alone. It is made once and shared; the numbers ([`Cholesky`]) are computed anew for each matrix, without
//! allocating. Supernodes are runs of columns with the same rows below them, stored as dense blocks; the three or six
//! degrees of freedom of a vertex or a body share their rows and end in the same supernode.
//!
//! faer makes the order, the supernodes and the factors. The solve with one right-hand side is our own ([`triangular`]).

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Par, Side};

use super::symbolic::{CholeskyError, Symbolic};
use super::triangular::{self, SolveRoom};

/// The factors of one matrix, and room for the next.
pub struct Cholesky {
    symbolic: Arc<Symbolic>,
    values: Vec<f64>,
    room: MemBuffer,
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
        triangular::solve(&self.symbolic, &self.values, b, room, |b| b, |x| x);
    }
}

/// Factors that are rounded to single precision, for methods that correct what a solve leaves: it takes less than half of the
/// time. Its relative error is about 10⁻⁷ times the condition of the matrix.
#[derive(Debug)]
pub struct RoundedCholesky {
    symbolic: Arc<Symbolic>,
    values: Vec<f32>,
    room: SolveRoom<f32>,
}

impl RoundedCholesky {
    /// Room for factors with this symbolic part; nothing can be solved before [`RoundedCholesky::round`].
    pub fn new(symbolic: Arc<Symbolic>) -> Self {
        Self { values: vec![0.0; symbolic.factor_values()], room: SolveRoom::of(&symbolic), symbolic }
    }

    /// Takes the values of factors with the same symbolic part.
    pub fn round(&mut self, factors: &Cholesky) {
        self.values.iter_mut().zip(&factors.values).for_each(|(rounded, value)| *rounded = *value as f32);
    }

    /// b becomes A⁻¹ b, nearly. It is scaled by its largest number, so that its size makes no difference.
    pub fn solve(&mut self, b: &mut [f64]) {
        let size = b.iter().fold(0.0, |size: f64, b| size.max(b.abs()));
        if size > 0.0 {
            let (to, from) = (|b: f64| (b / size) as f32, |x: f32| f64::from(x) * size);
            triangular::solve(&self.symbolic, &self.values, b, &mut self.room, to, from);
        }
    }
}
