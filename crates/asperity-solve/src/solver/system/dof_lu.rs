//! Newton's systems over the degrees of freedom of elastic bodies, for equations that are not symmetric: with C positive,
//! K = (A + B C)⁻¹ and y = M⁻¹ Jᵀ x, the system (A + B (W + C)) x = f becomes (M + Jᵀ K B J) y = Jᵀ K f, x = K (f − B J y).
//!
//! M + Jᵀ K B J has the pattern of M + Jᵀ J; its order of elimination is found once, and the sparse LU factors are computed
//! anew for each A and B. W is not formed.

use faer::prelude::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

use super::{Small, Terms, inverse, product, times};
use crate::problem::{ContactProblem, Dynamics, Factor, Place, SymmetricPattern};

/// Both triangles of a symmetric pattern.
struct FullPattern {
    col_ptr: Vec<usize>,
    row_idx: Vec<usize>,
}

impl FullPattern {
    fn new(lower: &SymmetricPattern) -> Self {
        let n = lower.size();
        let entries = (0..n).flat_map(|j| {
            lower.row_idx()[lower.col_ptr()[j]..lower.col_ptr()[j + 1]]
                .iter()
                .map(move |i| Place { row: *i, column: j })
        });
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); n];
        for Place { row, column } in entries {
            columns[column].push(row);
            if row != column {
                columns[row].push(column);
            }
        }
        let mut pattern = Self { col_ptr: vec![0], row_idx: Vec::new() };
        for mut column in columns {
            column.sort_unstable();
            pattern.row_idx.extend(column);
            pattern.col_ptr.push(pattern.row_idx.len());
        }
        pattern
    }

    /// The slot of an entry; zero if it is not stored, which does not occur.
    fn slot(&self, row: usize, column: usize) -> usize {
        let first = self.col_ptr[column];
        self.row_idx[first..self.col_ptr[column + 1]].binary_search(&row).map_or(0, |k| first + k)
    }

    fn shape(&self) -> SymbolicSparseColMatRef<'_, usize> {
        let n = self.col_ptr.len() - 1;
        SymbolicSparseColMatRef::new_checked(n, n, &self.col_ptr, None, &self.row_idx)
    }
}

/// The system.
pub(in crate::solver) struct DofLu {
    pattern: FullPattern,
    symbolic: SymbolicLu<usize>,
    lu: Option<Lu<usize, f64>>,
    mass: Vec<f64>,
    values: Vec<f64>,
    /// Slots of each block's degrees of freedom, row by row, block after block.
    slots: Vec<usize>,
    /// K and K B of each block.
    k: Vec<Small>,
    kb: Vec<Small>,
    y: Vec<f64>,
    u: Vec<f64>,
}

impl DofLu {
    /// `None` if the pattern cannot be analysed.
    pub(super) fn new(factor: &Factor) -> Option<Self> {
        let lower = factor.symbolic().pattern();
        let pattern = FullPattern::new(lower);
        let symbolic = SymbolicLu::try_new(pattern.shape()).ok()?;
        let mut mass = vec![0.0; pattern.row_idx.len()];
        for j in 0..lower.size() {
            for slot in lower.col_ptr()[j]..lower.col_ptr()[j + 1] {
                let (i, value) = (lower.row_idx()[slot], factor.values()[slot]);
                mass[pattern.slot(i, j)] = value;
                mass[pattern.slot(j, i)] = value;
            }
        }
        let rows = factor.rows();
        let mut slots = Vec::new();
        for i in 0..rows.blocks() {
            let dofs = rows.block(i).dofs;
            slots.extend(dofs.iter().flat_map(|row| dofs.iter().map(|column| pattern.slot(*row, *column))));
        }
        let none = vec![[[0.0; 6]; 6]; rows.blocks()];
        let (y, u) = (vec![0.0; factor.dofs()], vec![0.0; factor.rows().count()]);
        Some(Self { pattern, symbolic, lu: None, values: mass.clone(), mass, slots, k: none.clone(), kb: none, y, u })
    }

    /// Factors the system with these A and B; whether it could.
    pub(super) fn factor(&mut self, problem: &ContactProblem, terms: &Terms) -> bool {
        let Dynamics::Factor(factor) = problem.dynamics() else { return false };
        self.values.copy_from_slice(&self.mass);
        let mut first = 0;
        for i in 0..problem.blocks() {
            let range = problem.range(i);
            let n = range.len();
            let (mut inner, b) = terms.of::<6>(problem, i);
            for (inner, b) in inner.iter_mut().zip(&b).take(n) {
                for (k, c) in problem.compliance()[range.clone()].iter().enumerate() {
                    inner[k] += b[k] * c;
                }
            }
            let Some(k) = inverse(&inner, n) else { return false };
            let kb = product(&k, &b);
            let block = factor.rows().block(i);
            let width = block.dofs.len();
            let slots = &self.slots[first..first + width * width];
            first += width * width;
            for (row, kb) in block.rows().zip(&kb) {
                for (other, weight) in block.rows().zip(kb).filter(|(_, weight)| **weight != 0.0) {
                    for (slots, j) in slots.chunks_exact(width).zip(row) {
                        slots.iter().zip(other).for_each(|(slot, other)| self.values[*slot] += j * weight * other);
                    }
                }
            }
            (self.k[i], self.kb[i]) = (k, kb);
        }
        let matrix = SparseColMatRef::new(self.pattern.shape(), &self.values);
        self.lu = Lu::try_new_with_symbolic(self.symbolic.clone(), matrix).ok();
        self.lu.is_some()
    }

    /// f becomes x.
    pub(super) fn solve(&mut self, problem: &ContactProblem, f: &mut [f64]) {
        let (Dynamics::Factor(factor), Some(lu)) = (problem.dynamics(), &self.lu) else { return };
        for i in 0..problem.blocks() {
            let own = &mut f[problem.range(i)];
            let z = times(&self.k[i], own);
            let n = own.len();
            own.copy_from_slice(&z[..n]);
        }
        self.y.fill(0.0);
        factor.rows().add_response(f, &mut self.y);
        let n = self.y.len();
        lu.solve_in_place(faer::MatMut::from_column_major_slice_mut(&mut self.y, n, 1));
        factor.rows().velocities(&self.y, &mut self.u);
        for i in 0..problem.blocks() {
            let range = problem.range(i);
            let back = times(&self.kb[i], &self.u[range.clone()]);
            f[range].iter_mut().zip(back).for_each(|(x, back)| *x -= back);
        }
    }
}
