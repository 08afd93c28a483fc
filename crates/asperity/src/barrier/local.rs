//! Small symmetric matrices over the coordinates of four points.

use glam::{DMat3, DVec3};

/// A symmetric 12 × 12 matrix, by 3 × 3 blocks: those on and below the diagonal, row by row of blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Local {
    blocks: [DMat3; 10],
}

/// Place of block (i, j), j ≤ i.
#[inline]
const fn place(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

impl Local {
    /// Zero.
    pub const ZERO: Self = Self { blocks: [DMat3::ZERO; 10] };

    /// From its blocks (i, j) with j ≤ i.
    #[inline]
    pub fn symmetric(mut block: impl FnMut(usize, usize) -> DMat3) -> Self {
        let mut own = Self::ZERO;
        for i in 0..4 {
            for j in 0..=i {
                own.blocks[place(i, j)] = block(i, j);
            }
        }
        own
    }

    /// Block (i, j) for j ≤ i.
    #[inline]
    pub fn block(&self, i: usize, j: usize) -> &DMat3 {
        &self.blocks[place(i, j)]
    }

    /// Adds c v vᵀ.
    #[inline]
    pub fn add_outer(&mut self, c: f64, v: &[DVec3; 4]) {
        for i in 0..4 {
            let left = v[i] * c;
            for (j, right) in v[..=i].iter().enumerate() {
                self.blocks[place(i, j)] += DMat3::from_cols(left * right.x, left * right.y, left * right.z);
            }
        }
    }

    /// Adds c (a bᵀ + b aᵀ).
    pub fn add_mixed(&mut self, c: f64, a: &[DVec3; 4], b: &[DVec3; 4]) {
        for i in 0..4 {
            for j in 0..=i {
                let (left, right) = (a[i] * c, b[i] * c);
                let one = DMat3::from_cols(left * b[j].x, left * b[j].y, left * b[j].z);
                let two = DMat3::from_cols(right * a[j].x, right * a[j].y, right * a[j].z);
                self.blocks[place(i, j)] += one + two;
            }
        }
    }

    /// This and c times another.
    #[inline]
    pub fn plus(&self, c: f64, other: &Self) -> Self {
        Self { blocks: std::array::from_fn(|k| self.blocks[k] + other.blocks[k] * c) }
    }

    /// Entry (row, column), by coordinates: coordinate k of point i is 3 i + k.
    #[inline]
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        let [row, column] = if row >= column { [row, column] } else { [column, row] };
        let (i, j) = (row / 3, column / 3);
        self.blocks[place(i, j)].col(column % 3)[row % 3]
    }

    /// All entries, by rows.
    pub fn dense(&self) -> [[f64; 12]; 12] {
        std::array::from_fn(|row| std::array::from_fn(|column| self.entry(row, column)))
    }

    /// From all entries of a symmetric matrix; those on and below the diagonal count.
    pub fn from_dense(a: &[[f64; 12]; 12]) -> Self {
        Self::symmetric(|i, j| {
            let column = |k: usize| DVec3::new(a[3 * i][3 * j + k], a[3 * i + 1][3 * j + k], a[3 * i + 2][3 * j + k]);
            DMat3::from_cols(column(0), column(1), column(2))
        })
    }
}
