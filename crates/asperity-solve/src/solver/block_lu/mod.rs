//! LU factors of a sparse matrix of small blocks whose pattern is symmetric: the linear systems of Newton's method.
//!
//! J = A + B W with block-diagonal A and B has the block pattern of W, which does not change from one step to the next.
//! The order of elimination (approximate minimum degree) and the pattern of the factors are found once; then a
//! factorisation is arithmetic alone, and allocates nothing. Pivots are whole diagonal blocks, with row exchanges
//! inside a block only: with a positive compliance the blocks that remain are regular. Blocks with the same neighbours,
//! the contacts of two bodies, are one pivot: products are then large enough to be fast. Where one is not, it is made
//! so by a small number on its diagonal, and the step is inaccurate rather than absent.

mod dense;
mod pattern;

use self::dense::{invert, multiply_right, subtract_product, subtract_times};
use self::pattern::{Pattern, Target, Triangle};
use crate::problem::{Block, BlockMatrix};

/// Pattern, order and values of the factors.
pub(super) struct BlockLu {
    /// First row of each pivot in the order of elimination, and the number of rows at the end.
    starts: Vec<usize>,
    /// Row of the matrix at each row of the factors.
    rows_of: Vec<u32>,
    /// First entry of column k of L, and the number of entries at the end.
    pointers: Vec<usize>,
    /// Row of each entry, by position: L has a block (row, k) and U a block (k, row).
    rows: Vec<u32>,
    /// First value of each entry, in `lower` (row by row) and in `upper` (row by row) alike.
    offsets: Vec<usize>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// First value of the pivot at each position.
    pivot_offsets: Vec<usize>,
    /// Pivots, replaced by their inverses.
    pivots: Vec<f64>,
    /// Where each stored block of the matrix goes, in the order in which it stores them.
    targets: Vec<Target>,
    scratch: Vec<f64>,
    x: Vec<f64>,
}

impl BlockLu {
    /// The pattern of the factors of a matrix with the blocks of `w`; `None` if it has too many for the indices.
    pub(super) fn new(w: &BlockMatrix) -> Option<Self> {
        let pattern = Pattern::new(w)?;
        let Pattern { starts, rows_of, pointers, rows, offsets, pivot_offsets, targets, .. } = pattern;
        let largest = pattern.largest_pivot;
        Some(Self {
            targets,
            pointers,
            rows,
            offsets,
            lower: vec![0.0; pattern.values],
            upper: vec![0.0; pattern.values],
            pivot_offsets,
            pivots: vec![0.0; pattern.pivot_values],
            scratch: vec![0.0; largest * largest + 2 * largest],
            x: vec![0.0; rows_of.len()],
            starts,
            rows_of,
        })
    }

    /// Sets the values: `write(i, block, out)` gets each stored block of `w`, the matrix of the pattern, and adds the
    /// block that takes its place to `out`, which is zero, row by row.
    pub(super) fn set(&mut self, w: &BlockMatrix, mut write: impl FnMut(usize, &Block, &mut [f64])) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
        self.pivots.fill(0.0);
        let mut small = [0.0; 64];
        let mut large = Vec::new();
        let mut targets = self.targets.iter();
        for i in 0..w.blocks() {
            let height = w.range(i).len();
            for (block, target) in w.row(i).zip(targets.by_ref()) {
                let length = block.values.len();
                if length > small.len() {
                    large.resize(length, 0.0);
                }
                let out = if length > small.len() { &mut large[..length] } else { &mut small[..length] };
                out.fill(0.0);
                write(i, &block, out);
                let values = match target.triangle {
                    Triangle::Pivot => &mut self.pivots,
                    Triangle::Lower => &mut self.lower,
                    Triangle::Upper => &mut self.upper,
                };
                let width = length / height;
                for (k, row) in out.chunks_exact(width).enumerate() {
                    let at = target.at + k * target.stride;
                    values[at..at + width].copy_from_slice(row);
                }
            }
        }
    }

    fn size(&self, k: usize) -> usize {
        self.starts[k + 1] - self.starts[k]
    }

    /// Factors in place; whether all numbers are finite.
    pub(super) fn factor(&mut self) -> bool {
        for k in 0..self.pivot_offsets.len() {
            let nk = self.size(k);
            let at = self.pivot_offsets[k];
            if !invert(nk, &mut self.pivots[at..at + nk * nk], &mut self.scratch) {
                return false;
            }
            // L_ik = A_ik D⁻¹.
            let entries = self.pointers[k]..self.pointers[k + 1];
            for e in entries.clone() {
                let ni = self.size(self.rows[e] as usize);
                let block = &mut self.lower[self.offsets[e]..self.offsets[e] + ni * nk];
                multiply_right(nk, block, &self.pivots[at..at + nk * nk], &mut self.scratch);
            }
            // What is left: A_ij −= L_ik U_kj for all i, j of the column.
            for ej in entries.clone() {
                self.eliminate(nk, ej, entries.end);
            }
        }
        true
    }

    /// Subtracts the products of entry `ej` of a column with itself and with those up to `end`.
    #[inline]
    fn eliminate(&mut self, nk: usize, ej: usize, end: usize) {
        let j = self.rows[ej] as usize;
        let nj = self.size(j);
        let at_j = self.offsets[ej];
        // Open contacts have rows of zeros, which stay so: nothing to do for them.
        let idle = self.lower[at_j..at_j + nj * nk].iter().all(|x| *x == 0.0);
        if !idle {
            let d = self.pivot_offsets[j];
            let (l, u) = (&self.lower[at_j..at_j + nj * nk], &self.upper[at_j..at_j + nk * nj]);
            subtract_product(nk, nj, &mut self.pivots[d..d + nj * nj], l, u);
        }
        // The rows of this column below j are among those of column j: walk both.
        let mut target = self.pointers[j];
        for ei in ej + 1..end {
            let row = self.rows[ei];
            while self.rows[target] != row {
                target += 1;
            }
            let ni = self.size(row as usize);
            let (at_i, at_t) = (self.offsets[ei], self.offsets[target]);
            {
                // (i, j), below the diagonal: L_ik U_kj.
                let (source, rest) = self.lower.split_at_mut(at_t);
                let u = &self.upper[at_j..at_j + nk * nj];
                subtract_product(nk, nj, &mut rest[..ni * nj], &source[at_i..at_i + ni * nk], u);
            }
            if !idle {
                // (j, i), above the diagonal: L_jk U_ki.
                let (source, rest) = self.upper.split_at_mut(at_t);
                let l = &self.lower[at_j..at_j + nj * nk];
                subtract_product(nk, ni, &mut rest[..nj * ni], l, &source[at_i..at_i + nk * ni]);
            }
        }
    }

    /// Solves with the factors, in place.
    pub(super) fn solve(&mut self, solution: &mut [f64]) {
        let n = self.pivot_offsets.len();
        let mut x = std::mem::take(&mut self.x);
        x.iter_mut().zip(&self.rows_of).for_each(|(x, row)| *x = solution[*row as usize]);
        for k in 0..n {
            let (done, below) = x.split_at_mut(self.starts[k + 1]);
            let own = &done[self.starts[k]..];
            for e in self.pointers[k]..self.pointers[k + 1] {
                let i = self.rows[e] as usize;
                let first = self.starts[i] - self.starts[k + 1];
                subtract_times(&self.lower[self.offsets[e]..], own, &mut below[first..first + self.size(i)]);
            }
        }
        for k in (0..n).rev() {
            let nk = self.size(k);
            let (above, below) = x.split_at_mut(self.starts[k + 1]);
            let own = &mut above[self.starts[k]..];
            for e in self.pointers[k]..self.pointers[k + 1] {
                let i = self.rows[e] as usize;
                let first = self.starts[i] - self.starts[k + 1];
                subtract_times(&self.upper[self.offsets[e]..], &below[first..first + self.size(i)], own);
            }
            let rest = &mut self.scratch[..nk];
            rest.iter_mut().zip(&*own).for_each(|(r, x)| *r = -x);
            own.fill(0.0);
            let at = self.pivot_offsets[k];
            subtract_times(&self.pivots[at..at + nk * nk], rest, own);
        }
        x.iter().zip(&self.rows_of).for_each(|(x, row)| solution[*row as usize] = *x);
        self.x = x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pseudo-random block matrix with blocks of one to six rows, its pattern symmetric, and dominant enough to be
    /// regular without exchanges of blocks.
    fn matrix(blocks: usize, reach: usize) -> (BlockMatrix, Vec<Vec<f64>>) {
        let mut starts = vec![0];
        (0..blocks).for_each(|i| starts.push(starts[i] + [3, 1, 3, 6, 4, 2][i % 6]));
        let n = starts[blocks];
        let mut dense = vec![vec![0.0; n]; n];
        let mut entries = Vec::new();
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        };
        for i in 0..blocks {
            for j in (0..blocks).filter(|j| i.abs_diff(*j) <= 1 || (i * j) % 7 == 3 && i.abs_diff(*j) < reach) {
                for (a, row) in dense.iter_mut().enumerate().take(starts[i + 1]).skip(starts[i]) {
                    for (b, value) in row.iter_mut().enumerate().take(starts[j + 1]).skip(starts[j]) {
                        *value = random() + if a == b { 8.0 } else { 0.0 };
                        entries.push((a, b, *value));
                    }
                }
            }
        }
        (BlockMatrix::from_entries(&starts, entries.into_iter()), dense)
    }

    #[test]
    fn solves_what_it_factors() {
        for (blocks, reach) in [(1, 1), (2, 5), (13, 6), (40, 30)] {
            let (w, dense) = matrix(blocks, reach);
            let mut lu = BlockLu::new(&w).unwrap();
            for _ in 0..2 {
                lu.set(&w, |_, block, out| out.copy_from_slice(block.values));
                assert!(lu.factor());
                let expected: Vec<f64> = (0..w.rows()).map(|i| (i as f64).cos()).collect();
                let product = |row: &Vec<f64>| row.iter().zip(&expected).map(|(a, x)| a * x).sum::<f64>();
                let mut x: Vec<f64> = dense.iter().map(product).collect();
                lu.solve(&mut x);
                assert!(x.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{blocks} blocks");
            }
        }
    }

    #[test]
    fn a_pivot_that_needs_an_exchange_inside_its_block() {
        let w = BlockMatrix::from_entries(&[0, 2], [(0, 1, 2.0), (1, 0, 4.0)].into_iter());
        let mut lu = BlockLu::new(&w).unwrap();
        lu.set(&w, |_, block, out| out.copy_from_slice(block.values));
        assert!(lu.factor());
        let mut x = [2.0, 4.0];
        lu.solve(&mut x);
        assert_eq!(x, [1.0, 1.0]);
    }
}
