//! Sparse matrices: by columns, as plain data; the patterns, factors and inverse entries of symmetric ones.

mod cholesky;
mod conjugate;
mod dot;
mod gmres;
mod inverse;
mod symmetric;
#[cfg(test)]
mod tests;

pub use cholesky::{Cholesky, CholeskyError, SolveRoom, Symbolic};
pub use conjugate::{Accuracy, ConjugateGradients};
pub(crate) use dot::dot;
pub use gmres::Gmres;
pub use inverse::SelectedInverse;
pub use symmetric::{Place, SymmetricPattern};

use serde::{Deserialize, Serialize};

/// One value of a sparse matrix. Files hold it as `[row, column, value]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "(usize, usize, f64)", into = "(usize, usize, f64)")]
pub struct MatrixEntry {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// The value there.
    pub value: f64,
}

impl From<(usize, usize, f64)> for MatrixEntry {
    fn from((row, column, value): (usize, usize, f64)) -> Self {
        Self { row, column, value }
    }
}

impl From<MatrixEntry> for (usize, usize, f64) {
    fn from(entry: MatrixEntry) -> Self {
        (entry.row, entry.column, entry.value)
    }
}

/// A sparse matrix in compressed columns.
///
/// Canonical: in each column the rows increase strictly, and no stored value is zero. So two equal matrices are equal
/// as data, whatever the file they came from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Csc {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Column j is stored at `col_ptr[j]..col_ptr[j + 1]`; length `cols + 1`.
    pub col_ptr: Vec<usize>,
    /// Row of each stored value.
    pub row_idx: Vec<usize>,
    /// The stored values.
    pub values: Vec<f64>,
}

impl Csc {
    /// From entries in any order. Duplicates are summed in the order given, so the result depends on nothing else; what
    /// is zero then is left out. `None` if an index is out of range.
    pub fn from_triplets(rows: usize, cols: usize, triplets: &[impl Copy + Into<MatrixEntry>]) -> Option<Self> {
        let entries: Vec<MatrixEntry> = triplets.iter().map(|triplet| (*triplet).into()).collect();
        if entries.iter().any(|e| e.row >= rows || e.column >= cols) {
            return None;
        }
        // Two stable counting sorts, by row then by column, leave each column sorted by row.
        let by_row = counting_sort(rows, &entries, |e| e.row);
        let by_column = counting_sort(cols, &by_row, |e| e.column);

        let mut matrix = Self { rows, cols, col_ptr: Vec::with_capacity(cols + 1), ..Self::default() };
        matrix.col_ptr.push(0);
        let mut rest = by_column.as_slice();
        for j in 0..cols {
            while let Some(&MatrixEntry { row, .. }) = rest.first().filter(|e| e.column == j) {
                let run = rest.iter().take_while(|e| e.column == j && e.row == row).count();
                let sum: f64 = rest[..run].iter().map(|e| e.value).sum();
                if sum != 0.0 {
                    matrix.row_idx.push(row);
                    matrix.values.push(sum);
                }
                rest = &rest[run..];
            }
            matrix.col_ptr.push(matrix.values.len());
        }
        Some(matrix)
    }

    /// The stored entries, column by column.
    pub fn iter(&self) -> impl Iterator<Item = MatrixEntry> + Clone + '_ {
        (0..self.cols).flat_map(|j| self.column(j))
    }

    /// The stored entries of column `j`, by increasing row.
    #[inline]
    pub fn column(&self, j: usize) -> impl Iterator<Item = MatrixEntry> + Clone + '_ {
        let stored = self.col_ptr[j]..self.col_ptr[j + 1];
        let (rows, values) = (&self.row_idx[stored.clone()], &self.values[stored]);
        rows.iter().zip(values).map(move |(row, value)| MatrixEntry { row: *row, column: j, value: *value })
    }

    /// One value; zero where no value is stored.
    pub fn get(&self, row: usize, col: usize) -> f64 {
        let stored = self.col_ptr[col]..self.col_ptr[col + 1];
        match self.row_idx[stored.clone()].binary_search(&row) {
            Ok(k) => self.values[stored][k],
            Err(_) => 0.0,
        }
    }

    /// The first stored value that is not finite: a sum of duplicates can overflow.
    pub(crate) fn overflow(&self) -> Option<f64> {
        self.values.iter().copied().find(|value| !value.is_finite())
    }

    /// Number of stored values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether all values are zero.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// Sorts by a key below `keys`, keeping the order of equal keys; linear time.
fn counting_sort(keys: usize, entries: &[MatrixEntry], key: impl Fn(&MatrixEntry) -> usize) -> Vec<MatrixEntry> {
    let mut next = vec![0; keys + 1];
    for entry in entries {
        next[key(entry) + 1] += 1;
    }
    for k in 0..keys {
        next[k + 1] += next[k];
    }
    let mut sorted = vec![MatrixEntry::default(); entries.len()];
    for entry in entries {
        sorted[next[key(entry)]] = *entry;
        next[key(entry)] += 1;
    }
    sorted
}
