//! Dynamics through the factors of a sparse mass (or iteration) matrix: v = v₀ + M⁻¹ H r, u = Hᵀ v + …, W = Hᵀ M⁻¹ H.
//!
//! W is applied by two sparse products and one solve, and formed only for solvers that read its blocks. M need not be
//! symmetric. A sparse LU does not tell whether M was singular, so every solve is checked.

use std::sync::Arc;

use faer::Mat;
use faer::prelude::Solve;
use faer::sparse::linalg::solvers::Lu;
use faer::sparse::{SparseColMat, Triplet};

use super::BlockMatrix;
use crate::problem::ProblemError;
use crate::problem::sparse::{Csc, MatrixEntry};

/// Columns of M⁻¹ H that are held at a time.
const CHUNK: usize = 48;

/// Largest |M x − h|, relative to |h|, of a solution; a matrix that is singular up to round-off is far above.
const ACCURACY: f64 = 1e-6;

/// A mass matrix with its factors, and the directions of the rows.
#[derive(Clone)]
pub struct Factor {
    mass: Arc<Csc>,
    lu: Arc<Lu<usize, f64>>,
    /// A row for each degree of freedom, a column for each row of the problem.
    directions: Arc<Csc>,
    starts: Arc<[usize]>,
}

impl std::fmt::Debug for Factor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Factor").field("dofs", &self.dofs()).field("rows", &self.directions.cols).finish()
    }
}

impl Factor {
    /// From M, H (a column for each row of the problem) and the first row of each row block.
    pub fn new(mass: Csc, directions: Csc, starts: Vec<usize>) -> Result<Self, ProblemError> {
        let rows = starts.last().copied().unwrap_or(0);
        if mass.rows != mass.cols || directions.rows != mass.rows || directions.cols != rows {
            return Err(ProblemError::Shapes {
                mass: (mass.rows, mass.cols),
                h: (directions.rows, directions.cols),
                rows,
            });
        }
        let entries: Vec<_> = mass.iter().map(|e| Triplet::new(e.row, e.column, e.value)).collect();
        let a = SparseColMat::<usize, f64>::try_new_from_triplets(mass.rows, mass.cols, &entries)
            .map_err(|_| ProblemError::SingularMass)?;
        let lu = a.sp_lu().map_err(|_| ProblemError::SingularMass)?;
        let factor =
            Self { mass: Arc::new(mass), lu: Arc::new(lu), directions: Arc::new(directions), starts: starts.into() };
        // One solve with a full right-hand side shows a zero pivot wherever it is.
        factor.solve_checked(&mut Mat::from_fn(factor.dofs(), 1, |i, _| 1.0 + 0.1 * (i % 7) as f64))?;
        Ok(factor)
    }

    /// First row of each row block, and the number of rows at the end.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.mass.rows
    }

    /// M.
    pub fn mass(&self) -> &Csc {
        &self.mass
    }

    /// H: a column for each row of the problem.
    pub fn directions(&self) -> &Csc {
        &self.directions
    }

    /// Puts M⁻¹ x into `x`, and checks it.
    pub(crate) fn solve_checked(&self, x: &mut Mat<f64>) -> Result<(), ProblemError> {
        let mut rest = x.clone();
        self.lu.solve_in_place(x.as_mut());
        for j in 0..x.ncols() {
            let (x, rest) = (x.col_as_slice(j), rest.col_as_slice_mut(j));
            let size = largest(rest);
            for MatrixEntry { row, column, value } in self.mass.iter() {
                rest[row] -= value * x[column];
            }
            if !x.iter().all(|x| x.is_finite()) || largest(rest) > ACCURACY * size {
                return Err(ProblemError::SingularMass);
            }
        }
        Ok(())
    }

    /// M⁻¹ H r.
    pub fn response(&self, r: &[f64]) -> Vec<f64> {
        let mut x = Mat::<f64>::zeros(self.dofs(), 1);
        let column = x.col_as_slice_mut(0);
        for (j, r) in r.iter().enumerate().filter(|(_, r)| **r != 0.0) {
            self.directions.column(j).for_each(|e| column[e.row] += e.value * r);
        }
        self.lu.solve_in_place(x.as_mut());
        x.col_as_slice(0).to_vec()
    }

    /// u += Hᵀ v.
    pub(crate) fn add_velocity(&self, v: &[f64], u: &mut [f64]) {
        for (j, u) in u.iter_mut().enumerate() {
            *u += self.directions.column(j).map(|e| e.value * v[e.row]).sum::<f64>();
        }
    }

    /// u += W r.
    pub(super) fn apply(&self, r: &[f64], u: &mut [f64]) {
        self.add_velocity(&self.response(r), u);
    }

    /// Calls `take(j, column)` with each column of W: a solve with M for every row.
    fn for_columns(&self, mut take: impl FnMut(usize, &[f64])) {
        let rows = self.directions.cols;
        let mut by_row: Vec<Vec<MatrixEntry>> = vec![Vec::new(); self.dofs()];
        self.directions.iter().for_each(|entry| by_row[entry.row].push(entry));
        let mut column = vec![0.0; rows];
        for first in (0..rows).step_by(CHUNK) {
            let width = CHUNK.min(rows - first);
            let mut x = Mat::<f64>::zeros(self.dofs(), width);
            for j in 0..width {
                self.directions.column(first + j).for_each(|e| x[(e.row, j)] = e.value);
            }
            self.lu.solve_in_place(x.as_mut());
            for j in 0..width {
                column.fill(0.0);
                // Most of x is zero.
                for (row, x) in by_row.iter().zip(x.col_as_slice(j)).filter(|(_, x)| **x != 0.0) {
                    row.iter().for_each(|e| column[e.column] += e.value * x);
                }
                take(first + j, &column);
            }
        }
    }

    /// W, formed.
    pub(super) fn form(&self) -> BlockMatrix {
        let mut entries = Vec::new();
        self.for_columns(|j, column| {
            let found = column.iter().enumerate().filter(|(_, value)| **value != 0.0);
            entries.extend(found.map(|(row, value)| MatrixEntry { row, column: j, value: *value }));
        });
        BlockMatrix::from_entries(&self.starts, entries.iter().copied())
    }

    /// Adds the diagonal blocks of W, without keeping the rest.
    pub(super) fn add_diagonal(&self, offsets: &[usize], out: &mut [f64]) {
        let block_of: Vec<usize> =
            self.starts.windows(2).enumerate().flat_map(|(i, s)| std::iter::repeat_n(i, s[1] - s[0])).collect();
        self.for_columns(|j, column| {
            let i = block_of[j];
            let (start, n) = (self.starts[i], self.starts[i + 1] - self.starts[i]);
            for k in 0..n {
                out[offsets[i] + k * n + (j - start)] += column[start + k];
            }
        });
    }

    /// Row blocks are coupled through the degrees of freedom they act on, and those through M.
    pub(super) fn couplings(&self, mut join: impl FnMut(usize, usize)) {
        let blocks = self.starts.len() - 1;
        for i in 0..blocks {
            for j in self.starts[i]..self.starts[i + 1] {
                self.directions.column(j).for_each(|e| join(i, blocks + e.row));
            }
        }
        self.mass.iter().for_each(|e| join(blocks + e.row, blocks + e.column));
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}
