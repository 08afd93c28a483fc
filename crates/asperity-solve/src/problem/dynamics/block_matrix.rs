//! A sparse matrix of small dense blocks: the Delassus operator W of a contact problem, formed explicitly.
//!
//! Block (i, j) couples row block i to row block j and has as many rows and columns as they have. Blocks of a block row
//! lie together, row by row, by increasing column: a Gauss-Seidel sweep reads memory from front to back.

use crate::problem::sparse::MatrixEntry;

/// Blocks by rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockMatrix {
    /// First row of each block, and the number of rows at the end.
    starts: Vec<usize>,
    /// First stored block of each block row, and the number of blocks at the end.
    pointers: Vec<usize>,
    /// Block column of each stored block.
    columns: Vec<u32>,
    /// First value of each stored block.
    offsets: Vec<usize>,
    values: Vec<f64>,
}

/// One stored block.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Its block column.
    pub column: usize,
    /// First row of that block column.
    pub start: usize,
    /// Its values, row by row.
    pub values: &'a [f64],
}

impl BlockMatrix {
    /// From entries and the first row of each block; entries of the same place are added. Every diagonal block is
    /// stored, even if it is zero.
    pub fn from_entries(starts: &[usize], entries: impl Iterator<Item: Into<MatrixEntry>> + Clone) -> Self {
        let blocks = starts.len() - 1;
        let rows = starts[blocks];
        let mut block_of = vec![0u32; rows];
        for i in 0..blocks {
            block_of[starts[i]..starts[i + 1]].fill(i as u32);
        }
        let entries = entries.map(Into::<MatrixEntry>::into);
        let pairs = entries.clone().map(|e| (block_of[e.row], block_of[e.column])).collect();
        let mut matrix = Self::with_pattern(starts, pairs);
        for MatrixEntry { row, column, value } in entries {
            let (i, j) = (block_of[row] as usize, block_of[column] as usize);
            let width = starts[j + 1] - starts[j];
            let block = matrix.block_mut(i, j);
            block[(row - starts[i]) * width + (column - starts[j])] += value;
        }
        matrix
    }

    /// Zeros at these blocks (row, column), given in any order and any number of times, and on the diagonal.
    pub(crate) fn with_pattern(starts: &[usize], mut pairs: Vec<(u32, u32)>) -> Self {
        let blocks = starts.len() - 1;
        pairs.extend((0..blocks as u32).map(|i| (i, i)));
        pairs.sort_unstable();
        pairs.dedup();
        let size = |i: u32| starts[i as usize + 1] - starts[i as usize];
        let mut matrix = Self { starts: starts.to_vec(), pointers: vec![0; blocks + 1], ..Self::default() };
        let mut at = 0;
        for (i, j) in &pairs {
            matrix.pointers[*i as usize + 1] += 1;
            matrix.columns.push(*j);
            matrix.offsets.push(at);
            at += size(*i) * size(*j);
        }
        for i in 0..blocks {
            matrix.pointers[i + 1] += matrix.pointers[i];
        }
        matrix.values = vec![0.0; at];
        matrix
    }

    /// The values of a stored block, row by row; empty if the block is not stored.
    pub(crate) fn block_mut(&mut self, i: usize, j: usize) -> &mut [f64] {
        let row = self.pointers[i]..self.pointers[i + 1];
        let Ok(k) = self.columns[row.clone()].binary_search(&(j as u32)) else { return &mut [] };
        let offset = self.offsets[row.start + k];
        let size = (self.starts[i + 1] - self.starts[i]) * (self.starts[j + 1] - self.starts[j]);
        &mut self.values[offset..offset + size]
    }

    /// Sets all values to zero.
    pub(crate) fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// First row of each block, and the number of rows at the end.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// How many rows (and columns) the matrix has.
    pub fn rows(&self) -> usize {
        *self.starts.last().unwrap_or(&0)
    }

    /// How many row blocks.
    pub fn blocks(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// How many blocks are stored.
    pub fn stored(&self) -> usize {
        self.columns.len()
    }

    /// First row of block i.
    #[inline]
    pub fn start(&self, i: usize) -> usize {
        self.starts[i]
    }

    /// The rows of block i.
    #[inline]
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }

    /// The stored blocks of block row i.
    #[inline]
    pub fn row(&self, i: usize) -> impl Iterator<Item = Block<'_>> + Clone {
        let height = self.starts[i + 1] - self.starts[i];
        (self.pointers[i]..self.pointers[i + 1]).map(move |k| {
            let column = self.columns[k] as usize;
            let width = self.starts[column + 1] - self.starts[column];
            let values = &self.values[self.offsets[k]..self.offsets[k] + height * width];
            Block { column, start: self.starts[column], values }
        })
    }

    /// The diagonal block i, row by row.
    pub fn diagonal(&self, i: usize) -> &[f64] {
        self.row(i).find(|b| b.column == i).map_or(&[], |b| b.values)
    }

    /// u_i = Σ_j W_ij r_j + u_i, for one block row; `u` has the block's rows only.
    #[inline]
    pub fn add_row(&self, i: usize, r: &[f64], u: &mut [f64]) {
        let height = u.len();
        for block in self.row(i) {
            let width = block.values.len() / height;
            let part = &r[block.start..block.start + width];
            for (out, row) in u.iter_mut().zip(block.values.chunks_exact(width)) {
                *out += row.iter().zip(part).map(|(a, b)| a * b).sum::<f64>();
            }
        }
    }

    /// Some blocks alone. `blocks` increase.
    pub(crate) fn part(&self, blocks: &[usize]) -> Self {
        let mut starts = vec![0];
        let mut place = vec![u32::MAX; self.blocks()];
        for (k, &i) in blocks.iter().enumerate() {
            place[i] = k as u32;
            starts.push(starts[k] + self.range(i).len());
        }
        let kept = |i: usize| self.row(i).filter(|b| place[b.column] != u32::MAX);
        let pairs = blocks.iter().enumerate().flat_map(|(k, &i)| kept(i).map(move |b| (k as u32, b.column)));
        let mut part = Self::with_pattern(&starts, pairs.map(|(k, j)| (k, place[j])).collect());
        for (k, &i) in blocks.iter().enumerate() {
            for block in kept(i) {
                part.block_mut(k, place[block.column] as usize).copy_from_slice(block.values);
            }
        }
        part
    }
}
