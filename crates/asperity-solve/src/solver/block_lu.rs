//! LU factors of a sparse matrix of small blocks whose pattern is symmetric: the linear systems of Newton's method.
//!
//! J = A + B W with block-diagonal A and B has the block pattern of W, which does not change from one step to the next. The
//! order of elimination (approximate minimum degree) and the pattern of the factors are found once; then a factorisation is
//! arithmetic alone, and allocates nothing. Pivots are whole diagonal blocks, with row exchanges inside a block only: with a
//! positive compliance the blocks that remain are regular. Where one is not, it is made so by a small number on its
//! diagonal, and the step is inaccurate rather than absent.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use crate::problem::{Block, BlockMatrix};

/// A pivot smaller than this, relative to the largest entry of its row of the unfactored block, is replaced.
const SMALL_PIVOT: f64 = 1e-14;

/// Pattern, order and values of the factors.
pub(super) struct BlockLu {
    /// Block at each position of the order of elimination.
    order: Vec<usize>,
    /// First row of each block, and the number of rows at the end.
    starts: Vec<usize>,
    /// First entry of column k of L, by position, and the number of entries at the end.
    pointers: Vec<usize>,
    /// Position of each entry's row: L has a block (row, k) and U a block (k, row).
    rows: Vec<u32>,
    /// First value of each entry, in `lower` (row by row) and in `upper` (row by row) alike.
    offsets: Vec<usize>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// First value of the diagonal block at each position.
    diagonal_offsets: Vec<usize>,
    /// Diagonal blocks, replaced by their inverses.
    diagonal: Vec<f64>,
    /// Where each stored block of the matrix goes, in the order in which it stores them.
    targets: Vec<Target>,
    scratch: Vec<f64>,
}

/// Place of a block of the matrix in the factors: first value.
#[derive(Clone, Copy, Debug)]
enum Target {
    Diagonal(usize),
    Lower(usize),
    Upper(usize),
}

impl BlockLu {
    /// The pattern of the factors of a matrix with the blocks of `w`; `None` if it has too many for the indices.
    pub(super) fn new(w: &BlockMatrix) -> Option<Self> {
        let n = w.blocks();
        let order = elimination_order(w)?;
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(k, i)| place[*i] = k);
        let columns = fill(w, &order, &place);
        let starts = w.starts().to_vec();
        let size = |k: usize| starts[order[k] + 1] - starts[order[k]];
        let (mut pointers, mut rows, mut offsets) = (vec![0], Vec::new(), Vec::new());
        let (mut at, mut diagonal_at, mut largest) = (0, 0, 0);
        let mut diagonal_offsets = Vec::with_capacity(n);
        for (k, column) in columns.iter().enumerate() {
            for i in column {
                rows.push(*i);
                offsets.push(at);
                at += size(k) * size(*i as usize);
            }
            pointers.push(rows.len());
            diagonal_offsets.push(diagonal_at);
            diagonal_at += size(k) * size(k);
            largest = largest.max(size(k));
        }
        let target = |i: usize, j: usize| {
            let (a, b) = (place[i], place[j]);
            if a == b {
                return Some(Target::Diagonal(diagonal_offsets[a]));
            }
            let (column, row) = (a.min(b), a.max(b) as u32);
            let range = pointers[column]..pointers[column + 1];
            let at = offsets[range.start + rows[range].binary_search(&row).ok()?];
            Some(if a > b { Target::Lower(at) } else { Target::Upper(at) })
        };
        let targets = (0..n).flat_map(|i| w.row(i).map(move |b| (i, b.column)));
        let targets = targets.map(|(i, j)| target(i, j)).collect::<Option<Vec<_>>>()?;
        Some(Self {
            order,
            targets,
            pointers,
            rows,
            offsets,
            lower: vec![0.0; at],
            upper: vec![0.0; at],
            diagonal_offsets,
            diagonal: vec![0.0; diagonal_at],
            scratch: vec![0.0; 2 * largest * largest + largest],
            starts,
        })
    }

    /// Sets the values: `write(i, block, out)` gets each stored block of `w`, the matrix of the pattern, and writes the block
    /// that takes its place, row by row; what it does not write is zero.
    pub(super) fn set(&mut self, w: &BlockMatrix, mut write: impl FnMut(usize, &Block, &mut [f64])) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
        self.diagonal.fill(0.0);
        let mut targets = self.targets.iter();
        for i in 0..w.blocks() {
            for (block, target) in w.row(i).zip(targets.by_ref()) {
                let length = block.values.len();
                let out = match *target {
                    Target::Diagonal(at) => &mut self.diagonal[at..at + length],
                    Target::Lower(at) => &mut self.lower[at..at + length],
                    Target::Upper(at) => &mut self.upper[at..at + length],
                };
                write(i, &block, out);
            }
        }
    }

    fn size(&self, k: usize) -> usize {
        let i = self.order[k];
        self.starts[i + 1] - self.starts[i]
    }

    /// Factors in place; whether all numbers are finite.
    pub(super) fn factor(&mut self) -> bool {
        let n = self.order.len();
        for k in 0..n {
            let nk = self.size(k);
            let at = self.diagonal_offsets[k];
            let pivot = &mut self.diagonal[at..at + nk * nk];
            if !invert(nk, pivot, &mut self.scratch) {
                return false;
            }
            // L_ik = A_ik D⁻¹.
            let entries = self.pointers[k]..self.pointers[k + 1];
            for e in entries.clone() {
                let ni = self.size(self.rows[e] as usize);
                let block = &mut self.lower[self.offsets[e]..self.offsets[e] + ni * nk];
                multiply_right(ni, nk, block, &self.diagonal[at..at + nk * nk], &mut self.scratch);
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
        let lower_j_zero = self.lower[at_j..at_j + nj * nk].iter().all(|x| *x == 0.0);
        {
            let d = self.diagonal_offsets[j];
            if !lower_j_zero {
                let (l, u) = (&self.lower[at_j..at_j + nj * nk], &self.upper[at_j..at_j + nk * nj]);
                subtract_product(nj, nk, nj, &mut self.diagonal[d..d + nj * nj], l, u);
            }
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
                let l = &source[at_i..at_i + ni * nk];
                let u = &self.upper[at_j..at_j + nk * nj];
                subtract_product(ni, nk, nj, &mut rest[..ni * nj], l, u);
            }
            if !lower_j_zero {
                // (j, i), above the diagonal: L_jk U_ki.
                let (source, rest) = self.upper.split_at_mut(at_t);
                let u = &source[at_i..at_i + nk * ni];
                let l = &self.lower[at_j..at_j + nj * nk];
                subtract_product(nj, nk, ni, &mut rest[..nj * ni], l, u);
            }
        }
    }

    /// Solves with the factors, in place.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let n = self.order.len();
        for k in 0..n {
            let (sk, nk) = (self.starts[self.order[k]], self.size(k));
            for e in self.pointers[k]..self.pointers[k + 1] {
                let i = self.rows[e] as usize;
                let (si, ni) = (self.starts[self.order[i]], self.size(i));
                let block = &self.lower[self.offsets[e]..self.offsets[e] + ni * nk];
                for (a, row) in block.chunks_exact(nk).enumerate() {
                    let sum: f64 = row.iter().zip(&x[sk..sk + nk]).map(|(l, x)| l * x).sum();
                    x[si + a] -= sum;
                }
            }
        }
        for k in (0..n).rev() {
            let (sk, nk) = (self.starts[self.order[k]], self.size(k));
            let at = self.diagonal_offsets[k];
            for e in self.pointers[k]..self.pointers[k + 1] {
                let i = self.rows[e] as usize;
                let (si, ni) = (self.starts[self.order[i]], self.size(i));
                let block = &self.upper[self.offsets[e]..self.offsets[e] + nk * ni];
                for (a, row) in block.chunks_exact(ni).enumerate() {
                    let sum: f64 = row.iter().zip(&x[si..si + ni]).map(|(u, x)| u * x).sum();
                    x[sk + a] -= sum;
                }
            }
            let rest = &mut self.scratch[..nk];
            rest.copy_from_slice(&x[sk..sk + nk]);
            for (a, row) in self.diagonal[at..at + nk * nk].chunks_exact(nk).enumerate() {
                x[sk + a] = row.iter().zip(&*rest).map(|(d, x)| d * x).sum();
            }
        }
    }
}

/// The order of elimination that keeps factors small.
fn elimination_order(w: &BlockMatrix) -> Option<Vec<usize>> {
    let n = w.blocks();
    let (mut pointers, mut indices) = (vec![0], Vec::with_capacity(w.stored()));
    for i in 0..n {
        indices.extend(w.row(i).map(|b| b.column));
        pointers.push(indices.len());
    }
    let pattern = SymbolicSparseColMatRef::<usize>::new_checked(n, n, &pointers, None, &indices);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(n, indices.len())).ok()?;
    let (mut order, mut inverse) = (vec![0; n], vec![0; n]);
    amd::order(&mut order, &mut inverse, pattern, amd::Control::default(), MemStack::new(&mut memory)).ok()?;
    Some(order)
}

/// The rows below the diagonal of each column of L, by position, sorted.
fn fill(w: &BlockMatrix, order: &[usize], place: &[usize]) -> Vec<Vec<u32>> {
    let n = order.len();
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
    // The pattern of W + Wᵀ below the diagonal.
    for i in 0..n {
        for block in w.row(i).filter(|b| b.column != i) {
            let (a, b) = (place[i], place[block.column]);
            columns[a.min(b)].push(a.max(b) as u32);
        }
    }
    for k in 0..n {
        columns[k].sort_unstable();
        columns[k].dedup();
        // What is eliminated with k is handed to the first row below it.
        if let Some((parent, rest)) = columns[k].split_first() {
            let (parent, rest) = (*parent as usize, rest.to_vec());
            columns[parent].extend(rest);
        }
    }
    columns
}

/// c −= a b: a is rows × inner, b is inner × columns, all row by row.
#[inline]
fn subtract_product(rows: usize, inner: usize, columns: usize, c: &mut [f64], a: &[f64], b: &[f64]) {
    if (rows, inner, columns) == (3, 3, 3)
        && let (Some(c), Some(a), Some(b)) = (c.first_chunk_mut::<9>(), a.first_chunk::<9>(), b.first_chunk::<9>())
    {
        for i in 0..3 {
            for j in 0..3 {
                c[3 * i + j] -= a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
            }
        }
        return;
    }
    for (c, a) in c.chunks_exact_mut(columns).zip(a.chunks_exact(inner)) {
        for (a, b) in a.iter().zip(b.chunks_exact(columns)) {
            c.iter_mut().zip(b).for_each(|(c, b)| *c -= a * b);
        }
    }
}

/// block ← block · d, block rows × n, d n × n.
#[inline]
fn multiply_right(rows: usize, n: usize, block: &mut [f64], d: &[f64], scratch: &mut [f64]) {
    for row in block.chunks_exact_mut(n).take(rows) {
        let old = &mut scratch[..n];
        old.copy_from_slice(row);
        for (j, out) in row.iter_mut().enumerate() {
            *out = old.iter().enumerate().map(|(k, x)| x * d[k * n + j]).sum();
        }
    }
}

/// Inverts a small matrix in place, by Gauss and Jordan with row exchanges; whether it is finite. Pivots that vanish are
/// replaced by small ones.
fn invert(n: usize, a: &mut [f64], scratch: &mut [f64]) -> bool {
    let (inverse, rest) = scratch.split_at_mut(n * n);
    let sizes = &mut rest[..n];
    inverse.fill(0.0);
    for i in 0..n {
        inverse[i * n + i] = 1.0;
        sizes[i] = a[i * n..(i + 1) * n].iter().fold(0.0f64, |m, x| m.max(x.abs()));
    }
    let largest = sizes.iter().fold(0.0f64, |m, x| m.max(*x));
    if !largest.is_finite() {
        return false;
    }
    for k in 0..n {
        let best = (k..n).max_by(|i, j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
        if best != k {
            for j in 0..n {
                a.swap(k * n + j, best * n + j);
                inverse.swap(k * n + j, best * n + j);
            }
        }
        let smallest = (SMALL_PIVOT * largest).max(f64::MIN_POSITIVE);
        if a[k * n + k].abs() < smallest {
            a[k * n + k] = smallest.copysign(a[k * n + k]);
        }
        let factor = 1.0 / a[k * n + k];
        for j in 0..n {
            a[k * n + j] *= factor;
            inverse[k * n + j] *= factor;
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[i * n + k];
            if factor != 0.0 {
                for j in 0..n {
                    a[i * n + j] -= factor * a[k * n + j];
                    inverse[i * n + j] -= factor * inverse[k * n + j];
                }
            }
        }
    }
    a.copy_from_slice(inverse);
    true
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
