//! Element Hessians gathered into a sparse symmetric matrix.
//!
//! The three degrees of freedom of a vertex are consecutive rows, so the matrix is made of 3 × 3 blocks, one for each
//! pair of vertices that share an element. Where each block lies in the slots of the pattern, and which blocks of
//! element Hessians are added to it, is found once. Blocks are filled independently of each other, each in the order of
//! the elements: the number of threads changes no byte.

use asperity_solve::problem::{Place, SymmetricPattern};

use super::elasticity::Elasticity;
use super::error::ElasticError;

/// The entries of the matrix that an energy writes to, in either triangle and repeated: what [`SymmetricPattern::new`]
/// takes. `dofs[v]` is the first of the three degrees of freedom of vertex v; `None` leaves a vertex out (it is
/// pinned). Entries that are zero for now are among them.
pub fn places<'a>(elasticity: &'a Elasticity, dofs: &'a [Option<u32>]) -> impl Iterator<Item = Place> + Clone + 'a {
    let vertex = move |v: &u32| dofs[*v as usize];
    elasticity.stencils().flat_map(move |stencil| {
        stencil.iter().filter_map(vertex).flat_map(move |row| {
            let columns = stencil.iter().filter_map(vertex).filter(move |column| *column <= row);
            columns.flat_map(move |column| {
                (0..9).map(move |k| Place { row: (row + k % 3) as usize, column: (column + k / 3) as usize })
            })
        })
    })
}

/// Where the Hessians of the elements of one body go.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// Sorted by their slots.
    blocks: Vec<Block>,
    /// Source of each contribution, block by block.
    sources: Vec<Source>,
}

/// A 3 × 3 block of the matrix, or the lower triangle of one on the diagonal.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Slot of the first stored row in each of the three columns.
    columns: [usize; 3],
    /// Whether it lies on the diagonal: column k then begins with row k.
    diagonal: bool,
    /// Its contributions end here in the list of sources.
    end: usize,
}

/// A 3 × 3 block of an element Hessian.
#[derive(Clone, Copy, Debug)]
struct Source {
    /// Index of its first value.
    first: usize,
    /// Rows of the element Hessian: distance of its columns.
    height: usize,
}

/// Blocks below which threads are not worth waking.
const MANY: usize = 4096;

impl Assembly {
    /// For Hessians in the order of the stencils of `elasticity`; `dofs` as for [`places`], of which every entry must
    /// be in the pattern.
    pub fn new(
        pattern: &SymmetricPattern,
        elasticity: &Elasticity,
        dofs: &[Option<u32>],
    ) -> Result<Self, ElasticError> {
        let mut contributions = contributions(elasticity, dofs);
        // By block, then in the order of the elements.
        contributions.sort_by_key(|c| (c.column, c.row));
        let mut assembly = Self { blocks: Vec::new(), sources: contributions.iter().map(|c| c.source).collect() };
        for (k, c) in contributions.iter().enumerate() {
            let last = contributions.get(k + 1).is_none_or(|next| (next.column, next.row) != (c.column, c.row));
            if last {
                assembly.blocks.push(block(pattern, c, k + 1)?);
            }
        }
        Ok(assembly)
    }

    /// Adds factor · H to the values in the slots of the pattern, for the Hessians H of all elements.
    pub fn add(&self, hessians: &[f64], factor: f64, values: &mut [f64]) {
        self.add_blocks(0, self.blocks.len(), hessians, factor, Slots { offset: 0, values });
    }

    /// Fills the blocks `begin..end`, whose slots all lie in `slots`.
    fn add_blocks(&self, begin: usize, end: usize, hessians: &[f64], factor: f64, slots: Slots<'_>) {
        if end - begin > MANY {
            // Between two block columns: those of one share their slots.
            let column = |k: usize| self.blocks[k].columns[0];
            let middle = (begin + (end - begin) / 2..end).find(|&k| self.begins_column(k)).filter(|&k| k > begin);
            if let Some(middle) = middle {
                let (left, right) = slots.split(column(middle));
                rayon::join(
                    || self.add_blocks(begin, middle, hessians, factor, left),
                    || self.add_blocks(middle, end, hessians, factor, right),
                );
                return;
            }
        }
        for k in begin..end {
            let from = if k == 0 { 0 } else { self.blocks[k - 1].end };
            self.blocks[k].add(&self.sources[from..self.blocks[k].end], hessians, factor, slots.offset, slots.values);
        }
    }

    /// Whether block `k` lies on the diagonal: it is the first of its block column.
    fn begins_column(&self, k: usize) -> bool {
        self.blocks[k].diagonal
    }
}

/// Slots of the matrix from `offset` on.
struct Slots<'a> {
    offset: usize,
    values: &'a mut [f64],
}

impl<'a> Slots<'a> {
    fn split(self, at: usize) -> (Self, Self) {
        let (left, right) = self.values.split_at_mut(at - self.offset);
        (Self { offset: self.offset, values: left }, Self { offset: at, values: right })
    }
}

impl Block {
    fn add(&self, sources: &[Source], hessians: &[f64], factor: f64, offset: usize, values: &mut [f64]) {
        let mut sum = [[0.0; 3]; 3];
        for source in sources {
            for (k, column) in sum.iter_mut().enumerate() {
                let from = &hessians[source.first + k * source.height..][..3];
                column.iter_mut().zip(from).for_each(|(sum, value)| *sum += value);
            }
        }
        for (k, column) in sum.iter().enumerate() {
            let rows = if self.diagonal { &column[k..] } else { &column[..] };
            let slots = &mut values[self.columns[k] - offset..][..rows.len()];
            slots.iter_mut().zip(rows).for_each(|(slot, value)| *slot += factor * value);
        }
    }
}

/// A block of an element Hessian and the block of the matrix that it belongs to, by their first row and column.
struct Contribution {
    row: u32,
    column: u32,
    source: Source,
}

fn contributions(elasticity: &Elasticity, dofs: &[Option<u32>]) -> Vec<Contribution> {
    let mut list = Vec::new();
    let mut first = 0;
    for stencil in elasticity.stencils() {
        let height = 3 * stencil.len();
        for (b, column) in stencil.iter().enumerate() {
            for (a, row) in stencil.iter().enumerate() {
                let (Some(row), Some(column)) = (dofs[*row as usize], dofs[*column as usize]) else { continue };
                if row >= column {
                    list.push(Contribution {
                        row,
                        column,
                        source: Source { first: first + 3 * b * height + 3 * a, height },
                    });
                }
            }
        }
        first += height * height;
    }
    list
}

/// Finds the slots of a block.
fn block(pattern: &SymmetricPattern, c: &Contribution, end: usize) -> Result<Block, ElasticError> {
    let diagonal = c.row == c.column;
    let (row, column) = (c.row as usize, c.column as usize);
    let mut columns = [0; 3];
    for (k, slot) in columns.iter_mut().enumerate() {
        // Rows of a column are sorted, so that those of a block follow each other: the last is checked too.
        let begin = Place { row: row + if diagonal { k } else { 0 }, column: column + k };
        let last = Place { row: row + 2, ..begin };
        *slot = pattern.slot(begin).ok_or(ElasticError::NotInPattern { row: begin.row, column: begin.column })?;
        if pattern.slot(last) != Some(*slot + last.row - begin.row) {
            return Err(ElasticError::NotInPattern { row: last.row, column: last.column });
        }
    }
    Ok(Block { columns, diagonal, end })
}
