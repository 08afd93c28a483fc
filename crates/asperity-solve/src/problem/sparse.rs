//! Sparse matrices: by columns, as plain data; the patterns, factors and inverse entries of symmetric ones.

mod cholesky;
mod inverse;
mod symmetric;
#[cfg(test)]
mod tests;

pub use cholesky::{Cholesky, CholeskyError, SolveRoom, Symbolic};
pub use inverse::SelectedInverse;
pub use symmetric::{Place, SymmetricPattern};

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
    /// From (row, column, value) triplets in any order. Duplicates are summed in the order given, so the result depends
    /// on nothing else; what is zero then is left out. `None` if an index is out of range.
    pub fn from_triplets(rows: usize, cols: usize, triplets: &[(usize, usize, f64)]) -> Option<Self> {
        if triplets.iter().any(|&(i, j, _)| i >= rows || j >= cols) {
            return None;
        }
        // Two stable counting sorts, by row then by column, leave each column sorted by row.
        let by_row = counting_sort(rows, triplets, |t| t.0);
        let by_column = counting_sort(cols, &by_row, |t| t.1);

        let mut matrix = Self { rows, cols, col_ptr: Vec::with_capacity(cols + 1), ..Self::default() };
        matrix.col_ptr.push(0);
        let mut rest = by_column.as_slice();
        for j in 0..cols {
            while let Some(&(i, _, _)) = rest.first().filter(|t| t.1 == j) {
                let run = rest.iter().take_while(|t| t.1 == j && t.0 == i).count();
                let sum: f64 = rest[..run].iter().map(|t| t.2).sum();
                if sum != 0.0 {
                    matrix.row_idx.push(i);
                    matrix.values.push(sum);
                }
                rest = &rest[run..];
            }
            matrix.col_ptr.push(matrix.values.len());
        }
        Some(matrix)
    }

    /// The stored values as (row, column, value), column by column.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, f64)> + Clone + '_ {
        (0..self.cols).flat_map(move |j| self.column(j).map(move |(i, x)| (i, j, x)))
    }

    /// The stored values of column `j` as (row, value).
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let stored = self.col_ptr[j]..self.col_ptr[j + 1];
        self.row_idx[stored.clone()].iter().copied().zip(self.values[stored].iter().copied())
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

type Triplet = (usize, usize, f64);

/// Sorts by a key below `keys`, keeping the order of equal keys; linear time.
fn counting_sort(keys: usize, triplets: &[Triplet], key: impl Fn(&Triplet) -> usize) -> Vec<Triplet> {
    let mut next = vec![0; keys + 1];
    for t in triplets {
        next[key(t) + 1] += 1;
    }
    for k in 0..keys {
        next[k + 1] += next[k];
    }
    let mut sorted = vec![(0, 0, 0.0); triplets.len()];
    for t in triplets {
        sorted[next[key(t)]] = *t;
        next[key(t)] += 1;
    }
    sorted
}
