//! A sparse matrix of small dense blocks: the Delassus operator W of a contact problem, formed explicitly.
//!
//! Block (i, j) couples row block i to row block j and has as many rows and columns as they have. Blocks of a block row
//! lie together, row by row, by increasing column: a Gauss-Seidel sweep reads memory from front to back.

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
    /// From entries (row, column, value) and the first row of each block; entries of the same place are added. Every
    /// diagonal block is stored, even if it is zero.
    pub fn from_entries(starts: &[usize], entries: impl Iterator<Item = (usize, usize, f64)> + Clone) -> Self {
        let blocks = starts.len() - 1;
        let rows = starts[blocks];
        let mut block_of = vec![0u32; rows];
        for i in 0..blocks {
            block_of[starts[i]..starts[i + 1]].fill(i as u32);
        }
        let mut pairs: Vec<(u32, u32)> = (0..blocks as u32).map(|i| (i, i)).collect();
        pairs.extend(entries.clone().map(|(r, c, _)| (block_of[r], block_of[c])));
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
        for (r, c, value) in entries {
            let (i, j) = (block_of[r], block_of[c]);
            let row = matrix.pointers[i as usize]..matrix.pointers[i as usize + 1];
            let Ok(k) = matrix.columns[row.clone()].binary_search(&j) else { continue };
            let offset = matrix.offsets[row.start + k];
            let width = size(j);
            matrix.values[offset + (r - starts[i as usize]) * width + (c - starts[j as usize])] += value;
        }
        matrix
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
}
