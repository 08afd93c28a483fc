//! Dynamics through the Cholesky factors of a sparse mass (or iteration) matrix: v = v₀ + M⁻¹ H r, u = Hᵀ v + …,
//! W = Hᵀ M⁻¹ H. M is symmetric and positive definite.
//!
//! M⁻¹ is applied by the factors of M, or of an earlier one ([`super::inverse`]). W is formed only for solvers that read its
//! blocks. Its diagonal blocks come from the entries of M⁻¹ at the places where L has entries: M is factored in the pattern
//! of M + H Hᵀ, block by block, which has them all.

use std::sync::{Arc, Mutex};

use super::inverse::Inverse;
use super::{BlockMatrix, DofRows};
use crate::problem::ProblemError;
use crate::problem::sparse::{
    Cholesky, CholeskyError, Csc, MatrixEntry, Place, SelectedInverse, SolveRoom, Symbolic, SymmetricPattern,
};

/// Largest |M_ij − M_ji| of a symmetric matrix, relative to √(M_ii M_jj).
const SYMMETRY: f64 = 1e-9;

/// A mass matrix with its factors, and the directions of the rows.
#[derive(Clone, Debug)]
pub struct Factor {
    parts: Arc<Parts>,
}

#[derive(Debug)]
struct Parts {
    rows: DofRows,
    /// M in the slots of the pattern of M + H Hᵀ, and its factors.
    inverse: Inverse,
    /// The last M⁻¹ H r that was computed: a time stepper asks for that of the impulses that a solver has just measured.
    last: Mutex<Response>,
}

/// M⁻¹ H r, with its r.
#[derive(Debug, Default)]
struct Response {
    r: Vec<f64>,
    v: Vec<f64>,
}

impl Factor {
    /// From M, H (a column for each row of the problem) and the first row of each row block.
    pub fn new(mass: Csc, directions: Csc, starts: Vec<usize>) -> Result<Self, ProblemError> {
        Self::with_symbolic(mass, directions, starts, None)
    }

    /// The same with the symbolic factorisation of an earlier problem, [`Factor::symbolic`], which is used again if the
    /// pattern of M + H Hᵀ is still the same.
    pub fn with_symbolic(
        mass: Csc,
        directions: Csc,
        starts: Vec<usize>,
        known: Option<&Arc<Symbolic>>,
    ) -> Result<Self, ProblemError> {
        let rows = starts.last().copied().unwrap_or(0);
        if mass.rows != mass.cols || directions.rows != mass.rows || directions.cols != rows {
            return Err(ProblemError::Shapes {
                mass: (mass.rows, mass.cols),
                h: (directions.rows, directions.cols),
                rows,
            });
        }
        check_symmetric(&mass)?;
        let rows = DofRows::from_columns(&directions, &starts);
        let pattern = SymmetricPattern::new(mass.rows, mass.iter().map(|e| Place { row: e.row, column: e.column }));
        let mut values = vec![0.0; pattern.slots()];
        for MatrixEntry { row, column, value } in mass.iter().filter(|e| e.row >= e.column) {
            if let Some(slot) = pattern.slot(Place { row, column }) {
                values[slot] = value;
            }
        }
        Self::assembled(&pattern, &values, rows, known)?.checked()
    }

    /// From M in the slots of its own pattern, and J by row blocks: what a time stepper assembles. The symbolic factorisation
    /// of an earlier problem is used again if it still fits: it then costs no more than a look at the rows.
    pub fn assembled(
        pattern: &SymmetricPattern,
        mass: &[f64],
        rows: DofRows,
        known: Option<&Arc<Symbolic>>,
    ) -> Result<Self, ProblemError> {
        let fits = known.filter(|known| known.pattern() == pattern && rows.lie_in(pattern));
        let (symbolic, values) = match fits {
            Some(known) => (known.clone(), mass.to_vec()),
            None => {
                let all = rows.pattern(pattern.size(), pattern.places());
                let symbolic = match known.filter(|known| *known.pattern() == all) {
                    Some(known) => known.clone(),
                    None => Symbolic::new(all)?,
                };
                // It was made of the places of the mass, and has them all.
                let values = scattered(pattern, mass, symbolic.pattern()).unwrap_or_default();
                (symbolic, values)
            }
        };
        let mut cholesky = Cholesky::new(symbolic)?;
        cholesky.factor(&values)?;
        Ok(Self::of(rows, Inverse::new(values, cholesky)))
    }

    /// Another M in the slots of its pattern, and other rows, with the factors that are here; x becomes M⁻¹ x. Solves end at the
    /// residual `exact`, relative to the right-hand side. `None`, and x as it was, if the pattern does not hold both, or if
    /// these factors are not good enough for the other M.
    pub fn kept(
        &self,
        pattern: &SymmetricPattern,
        mass: &[f64],
        rows: &DofRows,
        exact: f64,
        x: &mut [f64],
    ) -> Option<Self> {
        let all = self.symbolic().pattern();
        if all.size() != pattern.size() || !rows.lie_in(all) {
            return None;
        }
        let values = if all == pattern { mass.to_vec() } else { scattered(pattern, mass, all)? };
        self.parts.inverse.kept(values, exact, x).map(|inverse| Self::of(rows.clone(), inverse))
    }

    fn of(rows: DofRows, inverse: Inverse) -> Self {
        Self { parts: Arc::new(Parts { rows, inverse, last: Mutex::default() }) }
    }

    /// First row of each row block, and the number of rows at the end.
    pub fn starts(&self) -> &[usize] {
        self.parts.rows.starts()
    }

    /// Degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.symbolic().pattern().size()
    }

    /// M, both triangles: made when it is asked for.
    pub fn mass(&self) -> Csc {
        let pattern = self.symbolic().pattern();
        let lower = pattern.places().zip(self.values());
        let both = lower.flat_map(|(Place { row, column }, value)| {
            let own = MatrixEntry { row, column, value: *value };
            let mirrored = MatrixEntry { row: column, column: row, value: *value };
            std::iter::once(own).chain((row != column).then_some(mirrored))
        });
        // All its places are inside.
        Csc::from_triplets(self.dofs(), self.dofs(), &both.collect::<Vec<_>>()).unwrap_or_default()
    }

    /// H: a column for each row of the problem, made when it is asked for.
    pub fn directions(&self) -> Csc {
        let entries: Vec<MatrixEntry> = self.parts.rows.entries().collect();
        Csc::from_triplets(self.dofs(), self.parts.rows.count(), &entries).unwrap_or_default()
    }

    /// J = Hᵀ by row blocks.
    pub fn rows(&self) -> &DofRows {
        &self.parts.rows
    }

    /// The pattern of M + H Hᵀ with its order of elimination: kept by the caller, it serves the next problem too.
    pub fn symbolic(&self) -> &Arc<Symbolic> {
        self.parts.inverse.symbolic()
    }

    /// M in the slots of that pattern.
    pub fn values(&self) -> &[f64] {
        self.parts.inverse.values()
    }

    /// Itself, if M is not singular to working precision: one solve with a full right-hand side shows it.
    pub fn checked(self) -> Result<Self, ProblemError> {
        self.solve_checked(&mut (0..self.dofs()).map(|i| 1.0 + 0.1 * (i % 7) as f64).collect::<Vec<_>>())?;
        Ok(self)
    }

    /// Puts M⁻¹ x into `x`, and checks it.
    pub fn solve_checked(&self, x: &mut [f64]) -> Result<(), ProblemError> {
        self.parts.inverse.apply_checked(x)
    }

    /// M⁻¹ H r.
    pub fn response(&self, r: &[f64]) -> Vec<f64> {
        let known = self.parts.last.lock().ok().filter(|last| last.r == r).map(|last| last.v.clone());
        known.unwrap_or_else(|| {
            let mut v = vec![0.0; self.dofs()];
            self.parts.rows.add_response(r, &mut v);
            self.parts.inverse.apply(&mut v);
            if let Ok(mut last) = self.parts.last.lock() {
                *last = Response { r: r.to_vec(), v: v.clone() };
            }
            v
        })
    }

    /// u += Hᵀ v.
    pub(crate) fn add_velocity(&self, v: &[f64], u: &mut [f64]) {
        let mut own = vec![0.0; u.len()];
        self.parts.rows.velocities(v, &mut own);
        u.iter_mut().zip(&own).for_each(|(u, own)| *u += own);
    }

    /// u += W r.
    pub(super) fn apply(&self, r: &[f64], u: &mut [f64]) {
        self.add_velocity(&self.response(r), u);
    }

    /// W, formed: a solve with M for every row.
    pub(super) fn form(&self) -> BlockMatrix {
        let directions = self.directions();
        let mut by_dof: Vec<Vec<MatrixEntry>> = vec![Vec::new(); self.dofs()];
        directions.iter().for_each(|entry| by_dof[entry.row].push(entry));
        let cholesky = self.parts.inverse.own();
        let mut room = SolveRoom::new(cholesky.symbolic());
        let (mut x, mut column) = (vec![0.0; self.dofs()], vec![0.0; directions.cols]);
        let mut entries = Vec::new();
        for j in 0..directions.cols {
            x.fill(0.0);
            directions.column(j).for_each(|e| x[e.row] = e.value);
            cholesky.solve(&mut x, &mut room);
            column.fill(0.0);
            for (weights, x) in by_dof.iter().zip(&x).filter(|(_, x)| **x != 0.0) {
                weights.iter().for_each(|weight| column[weight.column] += weight.value * x);
            }
            let found = column.iter().enumerate().filter(|(_, value)| **value != 0.0);
            entries.extend(found.map(|(row, value)| MatrixEntry { row, column: j, value: *value }));
        }
        BlockMatrix::from_entries(self.starts(), entries.iter().copied())
    }

    /// Adds the diagonal blocks of W, without a solve for each row.
    pub(super) fn add_diagonal(&self, offsets: &[usize], out: &mut [f64]) {
        let inverse = SelectedInverse::new(self.parts.inverse.own());
        let mut local = Vec::new();
        for i in 0..self.parts.rows.blocks() {
            let block = self.parts.rows.block(i);
            let width = block.dofs.len();
            local.clear();
            for row in block.dofs {
                let entry = |column: &usize| inverse.get(Place { row: *row, column: *column }).unwrap_or(0.0);
                local.extend(block.dofs.iter().map(entry));
            }
            add_form(width, block.values, &local, &mut out[offsets[i]..offsets[i + 1]]);
        }
    }

    /// The dynamics of some row blocks and of the degrees of freedom that they act on, directly or through M. `None` if the
    /// factors fail, which those of a part do not where those of the whole did not.
    pub(in crate::problem) fn part(&self, blocks: &[usize]) -> Option<Self> {
        let (mass, directions, starts, rows) = (self.mass(), self.directions(), self.starts(), self.rows());
        let mut number = vec![usize::MAX; self.dofs()];
        let mut dofs: Vec<usize> = blocks.iter().flat_map(|i| rows.block(*i).dofs.iter().copied()).collect();
        dofs.iter().for_each(|dof| number[*dof] = 0);
        let mut next = 0;
        dofs.sort_unstable();
        dofs.dedup();
        while let Some(dof) = dofs.get(next).copied() {
            next += 1;
            for entry in mass.column(dof) {
                if std::mem::replace(&mut number[entry.row], 0) == usize::MAX {
                    dofs.push(entry.row);
                }
            }
        }
        dofs.sort_unstable();
        dofs.iter().enumerate().for_each(|(k, dof)| number[*dof] = k);
        let own = dofs.iter().flat_map(|dof| mass.column(*dof).map(|e| (*dof, e)));
        let own: Vec<MatrixEntry> =
            own.map(|(dof, e)| MatrixEntry { row: number[e.row], column: number[dof], value: e.value }).collect();
        let (mut part_starts, mut entries) = (vec![0], Vec::new());
        for i in blocks {
            let first = part_starts[part_starts.len() - 1];
            for (k, row) in (starts[*i]..starts[*i + 1]).enumerate() {
                let column = first + k;
                entries.extend(directions.column(row).map(|e| MatrixEntry {
                    row: number[e.row],
                    column,
                    value: e.value,
                }));
            }
            part_starts.push(first + starts[*i + 1] - starts[*i]);
        }
        let count = part_starts[part_starts.len() - 1];
        let mass = Csc::from_triplets(dofs.len(), dofs.len(), &own)?;
        Self::new(mass, Csc::from_triplets(dofs.len(), count, &entries)?, part_starts).ok()
    }

    /// Row blocks are coupled through the degrees of freedom they act on, and those through M.
    pub(super) fn couplings(&self, mut join: impl FnMut(usize, usize)) {
        let blocks = self.parts.rows.blocks();
        for i in 0..blocks {
            self.parts.rows.block(i).dofs.iter().for_each(|dof| join(i, blocks + dof));
        }
        let pattern = self.symbolic().pattern();
        let coupled = pattern.places().zip(self.values()).filter(|(_, value)| **value != 0.0);
        coupled.for_each(|(place, _)| join(blocks + place.row, blocks + place.column));
    }
}

/// Values of one pattern in the slots of another; `None` if it lacks a place.
fn scattered(from: &SymmetricPattern, values: &[f64], to: &SymmetricPattern) -> Option<Vec<f64>> {
    let mut all = vec![0.0; to.slots()];
    for (place, value) in from.places().zip(values) {
        all[to.slot(place)?] = *value;
    }
    Some(all)
}

/// out += J Z Jᵀ, J with rows of `width` values, Z square.
fn add_form(width: usize, j: &[f64], z: &[f64], out: &mut [f64]) {
    if width == 0 {
        return;
    }
    let rows = j.len() / width;
    for (a, left) in j.chunks_exact(width).enumerate() {
        for (b, right) in j.chunks_exact(width).enumerate() {
            let product = |(l, z): (&f64, &[f64])| l * z.iter().zip(right).map(|(z, r)| z * r).sum::<f64>();
            out[a * rows + b] += left.iter().zip(z.chunks_exact(width)).map(product).sum::<f64>();
        }
    }
}

/// Refuses a matrix that is not symmetric up to round-off, with the entries that differ.
pub(in crate::problem) fn check_symmetric(mass: &Csc) -> Result<(), ProblemError> {
    for MatrixEntry { row, column, value } in mass.iter() {
        let other = mass.get(column, row);
        let scale = (mass.get(row, row) * mass.get(column, column)).abs().sqrt();
        if (value - other).abs() > SYMMETRY * scale.max(value.abs().max(other.abs())) {
            return Err(ProblemError::NotSymmetric { row, column, value, other });
        }
    }
    Ok(())
}

impl From<CholeskyError> for ProblemError {
    fn from(error: CholeskyError) -> Self {
        match error {
            CholeskyError::NotPositive { row } => Self::NotPositive { row },
            CholeskyError::Memory { rows } => Self::Memory { rows },
        }
    }
}
