//! Entries of A⁻¹ at the places where L has entries, without a solve for each row (Takahashi, Fagan and Chen 1973).
//!
//! From A⁻¹ = L⁻ᵀ L⁻¹ follows, for a supernode with columns c and rows b below them, with Z = A⁻¹ and Y = L_bc L_cc⁻¹,
//!
//!   Z_bc = −Z_bb Y,   Z_cc = L_cc⁻ᵀ L_cc⁻¹ − Yᵀ Z_bc,
//!
//! and Z_bb is known when the supernodes are visited from the last to the first: the rows below a supernode are rows of
//! supernodes that are eliminated later. The work is about that of two factorisations.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{Accum, Mat, MatRef, Par};

use super::cholesky::{Cholesky, Supernode, Symbolic};
use super::symmetric::Place;

/// A⁻¹ at the places of the factor.
#[derive(Debug)]
pub struct SelectedInverse<'a> {
    symbolic: &'a Symbolic,
    /// Laid out as L: for each supernode Z_cc (both triangles) over Z_bc.
    values: Vec<f64>,
    /// The supernode of each column.
    node_of: Vec<usize>,
}

impl<'a> SelectedInverse<'a> {
    /// Of a factored matrix.
    pub fn new(factors: &'a Cholesky) -> Self {
        let symbolic: &Symbolic = factors.symbolic();
        let mut node_of = vec![0; symbolic.pattern().size()];
        for s in 0..symbolic.supernodes() {
            let node = symbolic.supernode(s);
            node_of[node.begin..node.end].fill(s);
        }
        let mut inverse = Self { symbolic, values: vec![0.0; factors.values().len()], node_of };
        for s in (0..symbolic.supernodes()).rev() {
            inverse.visit(symbolic.supernode(s), factors.values());
        }
        inverse
    }

    /// Z of one supernode; those of all later ones are known.
    fn visit(&mut self, node: Supernode<'_>, factor: &[f64]) {
        let (size, rows) = (node.end - node.begin, node.below.len());
        let block = MatRef::from_column_major_slice(&factor[node.offset..][..size * (size + rows)], size + rows, size);
        let (top, bottom) = block.split_at_row(size);
        // L_cc⁻¹, and L_cc⁻ᵀ L_cc⁻¹.
        let mut inverse = Mat::<f64>::zeros(size, size);
        invert_lower_triangular(inverse.as_mut(), top, Par::Seq);
        let mut own = Mat::<f64>::zeros(size, size);
        matmul(own.as_mut(), Accum::Replace, inverse.transpose(), inverse.as_ref(), 1.0, Par::Seq);
        let mut below = Mat::<f64>::zeros(rows, size);
        if rows > 0 {
            // Yᵀ = L_cc⁻ᵀ L_bcᵀ.
            let mut y = bottom.transpose().to_owned();
            solve_upper_triangular_in_place(top.transpose(), y.as_mut(), Par::Seq);
            let known = self.gather(node.below);
            matmul(below.as_mut(), Accum::Replace, known.as_ref(), y.transpose(), -1.0, Par::Seq);
            matmul(own.as_mut(), Accum::Add, y.as_ref(), below.as_ref(), -1.0, Par::Seq);
        }
        let height = size + rows;
        for k in 0..size {
            let out = &mut self.values[node.offset + k * height..][..height];
            out[..size].copy_from_slice(own.col_as_slice(k));
            out[size..].copy_from_slice(below.col_as_slice(k));
        }
    }

    /// Z at these rows and columns, which are increasing positions of rows below one supernode.
    fn gather(&self, rows: &[usize]) -> Mat<f64> {
        let mut out = Mat::<f64>::zeros(rows.len(), rows.len());
        let mut first = 0;
        while first < rows.len() {
            let node = self.symbolic.supernode(self.node_of[rows[first]]);
            let last = first + rows[first..].partition_point(|row| *row < node.end);
            let (size, height) = (node.end - node.begin, node.height());
            for column in first..last {
                let values = &self.values[node.offset + (rows[column] - node.begin) * height..][..height];
                for (k, row) in rows[first..last].iter().enumerate() {
                    out[(first + k, column)] = values[row - node.begin];
                }
                // The remaining rows are among those below the node; both lists increase.
                let mut place = 0;
                for (k, row) in rows.iter().enumerate().skip(last) {
                    while node.below[place] < *row {
                        place += 1;
                    }
                    let value = values[size + place];
                    out[(k, column)] = value;
                    out[(column, k)] = value;
                }
            }
            first = last;
        }
        out
    }

    /// The entry of A⁻¹ at a place of the pattern (or of the fill of L); `None` elsewhere.
    pub fn get(&self, place: Place) -> Option<f64> {
        let position = self.symbolic.position();
        let (i, j) = (position[place.row], position[place.column]);
        let (late, early) = (i.max(j), i.min(j));
        let node = self.symbolic.supernode(self.node_of[early]);
        let column = &self.values[node.offset + (early - node.begin) * node.height()..][..node.height()];
        if late < node.end {
            return Some(column[late - node.begin]);
        }
        let k = node.below.binary_search(&late).ok()?;
        Some(column[node.end - node.begin + k])
    }
}
