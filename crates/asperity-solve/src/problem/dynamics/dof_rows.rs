//! The Jacobian J over the degrees of freedom, row block by row block: the degrees of freedom that a block touches, and
//! a small dense matrix over them. u_i = J_i v costs as many products as the block has entries, and Jᵀ E J, E block
//! diagonal, is a sum of small dense products.

use super::Bodies;
use crate::problem::sparse::{Csc, MatrixEntry, Place, SymmetricPattern};

/// J by row blocks.
#[derive(Clone, Debug, Default)]
pub struct DofRows {
    /// First row of each block, and the number of rows at the end.
    starts: Vec<usize>,
    /// First entry in `dofs` of each block, and their number at the end.
    pointers: Vec<usize>,
    /// Degrees of freedom of each block, increasing.
    dofs: Vec<usize>,
    /// First value of each block, and their number at the end.
    offsets: Vec<usize>,
    /// Rows × degrees of freedom of each block, row by row.
    values: Vec<f64>,
}

/// One block of J.
#[derive(Clone, Copy, Debug)]
pub struct DofBlock<'a> {
    /// The degrees of freedom it touches, increasing.
    pub dofs: &'a [usize],
    /// A value for each row and degree of freedom, row by row.
    pub values: &'a [f64],
}

impl<'a> DofBlock<'a> {
    /// The rows of the block.
    pub fn rows(self) -> impl Iterator<Item = &'a [f64]> {
        // A block may touch nothing, and then has no values.
        self.values.chunks_exact(self.dofs.len().max(1))
    }
}

impl DofRows {
    /// Without rows.
    pub fn empty() -> Self {
        Self { starts: vec![0], pointers: vec![0], offsets: vec![0], ..Self::default() }
    }

    /// First row of each block, and the number of rows at the end.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.starts[self.blocks()]
    }

    /// Entries of H = Jᵀ that are not zero, column by column.
    pub fn entries(&self) -> impl Iterator<Item = MatrixEntry> + '_ {
        (0..self.blocks()).flat_map(move |i| {
            let block = self.block(i);
            block.rows().enumerate().flat_map(move |(k, row)| {
                let column = self.starts[i] + k;
                let entry = move |(dof, value): (&usize, &f64)| MatrixEntry { row: *dof, column, value: *value };
                block.dofs.iter().zip(row).map(entry).filter(|entry| entry.value != 0.0)
            })
        })
    }

    /// Whether the pattern of A has all entries of Jᵀ E J, E block diagonal.
    pub fn lie_in(&self, pattern: &SymmetricPattern) -> bool {
        (0..self.blocks()).all(|i| {
            let dofs = self.block(i).dofs;
            let stored = |row: usize, column: usize| pattern.slot(Place { row, column }).is_some();
            dofs.iter().enumerate().all(|(k, row)| dofs[..=k].iter().all(|column| stored(*row, *column)))
        })
    }

    /// Adds a block of `rows` rows over these degrees of freedom, which increase.
    pub fn push(&mut self, rows: usize, dofs: &[usize], value: impl Fn(usize, usize) -> f64) {
        self.dofs.extend_from_slice(dofs);
        self.values.extend((0..rows).flat_map(|row| (0..dofs.len()).map(move |k| (row, k))).map(|(i, k)| value(i, k)));
        self.starts.push(self.starts[self.starts.len() - 1] + rows);
        self.pointers.push(self.dofs.len());
        self.offsets.push(self.values.len());
    }

    /// From H = Jᵀ, a column for each row.
    pub fn from_columns(h: &Csc, starts: &[usize]) -> Self {
        let mut all = Self::empty();
        let mut dofs = Vec::new();
        for block in starts.windows(2) {
            let rows = block[0]..block[1];
            dofs.clear();
            dofs.extend_from_slice(&h.row_idx[h.col_ptr[rows.start]..h.col_ptr[rows.end]]);
            dofs.sort_unstable();
            dofs.dedup();
            all.push(rows.len(), &dofs, |row, k| h.get(dofs[k], rows.start + row));
        }
        all
    }

    /// From bodies and the rows that act on them.
    pub fn from_bodies(bodies: &Bodies) -> Self {
        let mut all = Self::empty();
        let mut dofs = Vec::new();
        for i in 0..bodies.blocks() {
            dofs.clear();
            dofs.extend(bodies.links(i).flat_map(|link| bodies.dofs(link.body)));
            dofs.sort_unstable();
            dofs.dedup();
            let rows = bodies.range(i).len();
            let mut values = vec![0.0; rows * dofs.len()];
            for link in bodies.links(i) {
                let own = bodies.dofs(link.body);
                let first = dofs.partition_point(|dof| *dof < own.start);
                for (row, jacobian) in link.jacobian.chunks_exact(own.len()).enumerate() {
                    let out = &mut values[row * dofs.len() + first..][..own.len()];
                    out.iter_mut().zip(jacobian).for_each(|(out, j)| *out += j);
                }
            }
            all.push(rows, &dofs, |row, k| values[row * dofs.len() + k]);
        }
        all
    }

    /// The compliance that a row block feels with all degrees of freedom held but its own: J_i A_cc⁻¹ J_iᵀ, c the degrees of
    /// freedom that it touches; row by row. `mass` has the entries of A. `None` if it touches nothing, or if A_cc is not
    /// positive definite.
    pub fn local_compliance(&self, i: usize, mass: impl Fn(Place) -> f64) -> Option<Vec<f64>> {
        let block = self.block(i);
        let n = block.dofs.len();
        if n == 0 {
            return None;
        }
        // A_cc = L Lᵀ, row by row.
        let mut l = vec![0.0; n * n];
        for row in 0..n {
            for column in 0..=row {
                let inner: f64 = (0..column).map(|k| l[row * n + k] * l[column * n + k]).sum();
                let rest = mass(Place { row: block.dofs[row], column: block.dofs[column] }) - inner;
                l[row * n + column] = if row == column { rest.sqrt() } else { rest / l[column * n + column] };
            }
            if l[row * n + row].is_nan() || l[row * n + row] <= 0.0 {
                return None;
            }
        }
        // Y = J_i L⁻ᵀ: then J_i A_cc⁻¹ J_iᵀ = Y Yᵀ.
        let mut y = block.values.to_vec();
        for row in y.chunks_exact_mut(n) {
            for k in 0..n {
                let inner: f64 = (0..k).map(|j| l[k * n + j] * row[j]).sum();
                row[k] = (row[k] - inner) / l[k * n + k];
            }
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        Some(y.chunks_exact(n).flat_map(|a| y.chunks_exact(n).map(move |b| dot(a, b))).collect())
    }

    /// Multiplies each row by a factor.
    pub fn scale_rows(&mut self, factor: impl Fn(usize) -> f64) {
        for i in 0..self.blocks() {
            let width = self.pointers[i + 1] - self.pointers[i];
            let values = &mut self.values[self.offsets[i]..self.offsets[i + 1]];
            for (row, values) in values.chunks_exact_mut(width.max(1)).enumerate() {
                let factor = factor(self.starts[i] + row);
                values.iter_mut().for_each(|value| *value *= factor);
            }
        }
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.starts.len() - 1
    }

    /// Block i.
    #[inline]
    pub fn block(&self, i: usize) -> DofBlock<'_> {
        let dofs = &self.dofs[self.pointers[i]..self.pointers[i + 1]];
        DofBlock { dofs, values: &self.values[self.offsets[i]..self.offsets[i + 1]] }
    }

    /// out = J v.
    pub fn velocities(&self, v: &[f64], out: &mut [f64]) {
        for i in 0..self.blocks() {
            let block = self.block(i);
            let out = &mut out[self.starts[i]..self.starts[i + 1]];
            out.fill(0.0);
            for (out, row) in out.iter_mut().zip(block.rows()) {
                *out = row.iter().zip(block.dofs).map(|(j, dof)| j * v[*dof]).sum();
            }
        }
    }

    /// out += Jᵀ x.
    pub fn add_response(&self, x: &[f64], out: &mut [f64]) {
        for i in 0..self.blocks() {
            let block = self.block(i);
            for (x, row) in x[self.starts[i]..self.starts[i + 1]].iter().zip(block.rows()) {
                row.iter().zip(block.dofs).for_each(|(j, dof)| out[*dof] += j * x);
            }
        }
    }

    /// The pattern of A + Jᵀ E J, E block diagonal, where `places` are those of A.
    pub fn pattern(&self, dofs: usize, places: impl Iterator<Item = Place> + Clone) -> SymmetricPattern {
        let of_block = |i: usize| {
            let dofs = self.block(i).dofs;
            dofs.iter()
                .enumerate()
                .flat_map(move |(k, row)| dofs[..k].iter().map(move |column| Place { row: *row, column: *column }))
        };
        SymmetricPattern::new(dofs, places.chain((0..self.blocks()).flat_map(of_block)))
    }
}
