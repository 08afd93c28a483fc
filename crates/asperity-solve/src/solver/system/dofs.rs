//! Systems over the degrees of freedom: (A + Jᵀ E J) x = f with A the mass (or iteration) matrix, symmetric and positive
//! definite, and E block diagonal, symmetric and positive semidefinite. W is never formed, and the pattern, that of
//! A + Jᵀ J, does not depend on E: it is analysed once.

use std::sync::Arc;

use super::super::gauss;
use crate::problem::{
    Bodies, Cholesky, ContactProblem, DofRows, Dynamics, InverseMass, Place, ProblemError, SolveRoom, Symbolic,
};

/// A square matrix for each row block, row by row.
#[derive(Clone, Debug)]
pub(in crate::solver) struct BlockDiagonal {
    offsets: Vec<usize>,
    values: Vec<f64>,
}

impl BlockDiagonal {
    /// Zero, for the row blocks of a problem.
    pub(in crate::solver) fn zero(problem: &ContactProblem) -> Self {
        let mut offsets = vec![0];
        for i in 0..problem.blocks() {
            let n = problem.range(i).len();
            offsets.push(offsets[i] + n * n);
        }
        let values = vec![0.0; offsets[problem.blocks()]];
        Self { offsets, values }
    }

    /// The matrix of block i.
    pub(in crate::solver) fn block(&self, i: usize) -> &[f64] {
        &self.values[self.offsets[i]..self.offsets[i + 1]]
    }

    /// The matrix of block i.
    pub(in crate::solver) fn block_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.values[self.offsets[i]..self.offsets[i + 1]]
    }

    /// out = E x.
    pub(in crate::solver) fn multiply(&self, problem: &ContactProblem, x: &[f64], out: &mut [f64]) {
        for i in 0..problem.blocks() {
            let range = problem.range(i);
            let (n, x) = (range.len(), &x[range.clone()]);
            for (out, row) in out[range].iter_mut().zip(self.block(i).chunks_exact(n)) {
                *out = row.iter().zip(x).map(|(e, x)| e * x).sum();
            }
        }
    }
}

/// A and J of a problem, and the factors of A + Jᵀ E J.
pub(in crate::solver) struct DofSystem {
    rows: DofRows,
    /// A in the slots of the pattern.
    mass: Vec<f64>,
    /// Slots of the lower triangle of each block's degrees of freedom, block after block.
    slots: Vec<usize>,
    /// A + Jᵀ E J.
    values: Vec<f64>,
    cholesky: Cholesky,
    room: SolveRoom,
    /// E J of one block.
    product: Vec<f64>,
}

impl DofSystem {
    /// Of a problem whose rows are multiplied by `factors`. Refused where only W is known, or where the mass of a body is
    /// not finite.
    pub(in crate::solver) fn new(problem: &ContactProblem, factors: &[f64]) -> Result<Self, ProblemError> {
        match problem.dynamics() {
            Dynamics::Delassus(_) => Err(ProblemError::NoFreedoms),
            Dynamics::Factor(factor) => {
                Self::build(factor.rows().clone(), factor.symbolic().clone(), factor.values().to_vec(), factors)
            }
            Dynamics::Bodies(bodies) => {
                let rows = DofRows::from_bodies(bodies);
                let places = (0..bodies.bodies()).flat_map(|body| {
                    let dofs = bodies.dofs(body);
                    dofs.clone().flat_map(move |row| dofs.clone().map(move |column| Place { row, column }))
                });
                let symbolic = Symbolic::new(rows.pattern(bodies.dofs_in_all(), places))?;
                let mass = body_masses(bodies, &symbolic)?;
                Self::build(rows, symbolic, mass, factors)
            }
        }
    }

    fn build(
        mut rows: DofRows,
        symbolic: Arc<Symbolic>,
        mass: Vec<f64>,
        factors: &[f64],
    ) -> Result<Self, ProblemError> {
        rows.scale_rows(|row| factors[row]);
        let mut slots = Vec::new();
        let mut widest = 0;
        for i in 0..rows.blocks() {
            let block = rows.block(i);
            widest = widest.max(block.values.len());
            for (k, row) in block.dofs.iter().enumerate() {
                let slot = |column: &usize| symbolic.pattern().slot(Place { row: *row, column: *column }).unwrap_or(0);
                slots.extend(block.dofs[..=k].iter().map(slot));
            }
        }
        let values = mass.clone();
        let room = SolveRoom::new(&symbolic);
        let cholesky = Cholesky::new(symbolic)?;
        Ok(Self { rows, mass, slots, values, cholesky, room, product: vec![0.0; widest] })
    }

    /// Degrees of freedom.
    pub(in crate::solver) fn dofs(&self) -> usize {
        self.cholesky.symbolic().pattern().size()
    }

    /// J.
    pub(in crate::solver) fn rows(&self) -> &DofRows {
        &self.rows
    }

    /// A on the diagonal.
    pub(in crate::solver) fn mass_diagonal(&self, dof: usize) -> f64 {
        self.cholesky.symbolic().pattern().diagonal(&self.mass, dof)
    }

    /// out = A v.
    pub(in crate::solver) fn mass_times(&self, v: &[f64], out: &mut [f64]) {
        self.cholesky.symbolic().pattern().multiply(&self.mass, v, out);
    }

    /// Factors A + Jᵀ E J; whether it could.
    pub(in crate::solver) fn factor(&mut self, e: &BlockDiagonal) -> bool {
        self.values.copy_from_slice(&self.mass);
        let mut first = 0;
        for i in 0..self.rows.blocks() {
            let block = self.rows.block(i);
            let width = block.dofs.len();
            let count = width * (width + 1) / 2;
            let slots = &self.slots[first..first + count];
            first += count;
            let weights = e.block(i);
            if weights.iter().all(|w| *w == 0.0) {
                continue;
            }
            let height = block.values.len() / width.max(1);
            let product = &mut self.product[..block.values.len()];
            product.fill(0.0);
            for (out, weights) in product.chunks_exact_mut(width.max(1)).zip(weights.chunks_exact(height.max(1))) {
                for (row, weight) in block.rows().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                    out.iter_mut().zip(row).for_each(|(out, j)| *out += weight * j);
                }
            }
            for (row, product) in block.rows().zip(product.chunks_exact(width.max(1))) {
                let mut k = 0;
                for (a, j) in row.iter().enumerate() {
                    for (slot, product) in slots[k..=k + a].iter().zip(product) {
                        self.values[*slot] += j * product;
                    }
                    k += a + 1;
                }
            }
        }
        self.cholesky.factor(&self.values).is_ok()
    }

    /// f becomes (A + Jᵀ E J)⁻¹ f.
    pub(in crate::solver) fn solve(&mut self, f: &mut [f64]) {
        self.cholesky.solve(f, &mut self.room);
    }

    /// The compliance that a row block feels with all degrees of freedom held but its own ([`DofRows::local_compliance`]).
    pub(in crate::solver) fn local_compliance(&self, i: usize) -> Option<Vec<f64>> {
        let pattern = self.cholesky.symbolic().pattern();
        self.rows.local_compliance(i, |place| pattern.slot(place).map_or(0.0, |slot| self.mass[slot]))
    }
}

/// The masses of bodies in the slots of a pattern.
fn body_masses(bodies: &Bodies, symbolic: &Symbolic) -> Result<Vec<f64>, ProblemError> {
    let mut values = vec![0.0; symbolic.pattern().slots()];
    for (body, inverse) in bodies.masses().iter().enumerate() {
        let dofs = bodies.dofs(body);
        let n = dofs.len();
        let mass = mass_of(inverse).ok_or(ProblemError::InverseMass { body })?;
        for (i, row) in dofs.clone().enumerate() {
            for (j, column) in dofs.clone().enumerate().take(i + 1) {
                if let Some(slot) = symbolic.pattern().slot(Place { row, column }) {
                    values[slot] = 0.5 * (mass[i * n + j] + mass[j * n + i]);
                }
            }
        }
    }
    Ok(values)
}

/// M from M⁻¹, row by row; `None` if it is singular.
fn mass_of(inverse: &InverseMass) -> Option<Vec<f64>> {
    let n = inverse.dofs();
    let mut values = vec![0.0; n * n];
    match inverse {
        InverseMass::Point(m) => (0..3).for_each(|k| values[4 * k] = *m),
        InverseMass::Rigid(m, inertia) => {
            for k in 0..3 {
                values[7 * k] = *m;
                (0..3).for_each(|j| values[(3 + k) * 6 + 3 + j] = inertia.col(j)[k]);
            }
        }
        InverseMass::Dense(_, given) => values.copy_from_slice(given),
    }
    let mut mass = vec![0.0; n * n];
    gauss::invert(n, n, &gauss::Regular, &mut values, &mut mass).then_some(mass)
}
