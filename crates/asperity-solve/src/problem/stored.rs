//! From stored problems to problems that can be solved: three rows a contact, a disk for each.
//!
//! A global problem is reduced to its contacts: W = Hᵀ M⁻¹ H and b = Hᵀ M⁻¹ f + w, with a sparse LU of M. Forming W is for
//! now, until there are operators that apply it without: it costs a solve with M for every row of every contact.

use asperity_friction::set::Disk;
use asperity_friction::{ContactLaw, FrictionError};
use faer::Mat;
use faer::prelude::Solve;
use faer::sparse::{SparseColMat, Triplet};

use super::files::{Csc, GlobalProblem, StoredProblem};
use super::{BlockMatrix, ContactProblem, ProblemError, RowKind};

/// Rows a contact has.
const ROWS: usize = 3;

/// Columns of M⁻¹ H that are held at a time.
const CHUNK: usize = 48;

/// Largest |M x − h|, relative to |h|, of a solution; a matrix that is singular but for round-off is far above.
const ACCURACY: f64 = 1e-6;

/// Row, column, value.
type Entry = (usize, usize, f64);

/// Why a stored problem cannot be solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// Arrays that do not fit together; the readers refuse such files.
    #[error("{what} does not have the size that {contacts} contacts need")]
    Size {
        /// Which array.
        what: &'static str,
        /// Contacts there are.
        contacts: usize,
    },
    /// M has no inverse.
    #[error("M is singular to working precision")]
    SingularMass,
    /// A friction coefficient out of range.
    #[error("mu[{contact}]: {error}")]
    Friction {
        /// The contact.
        contact: usize,
        /// What is wrong with it.
        error: FrictionError,
    },
    /// Numbers that make no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// The problem of a file and the laws of its contacts, disks of radius μ.
pub fn to_contact_problem(stored: &StoredProblem) -> Result<(ContactProblem, Vec<ContactLaw>), StoredError> {
    match stored {
        StoredProblem::Local(local) => {
            let rows = ROWS * local.mu.len();
            let square = (local.w.rows, local.w.cols) == (rows, rows);
            check(square, "W", local.mu.len())?;
            assemble(local.w.iter(), local.q.clone(), &local.mu)
        }
        StoredProblem::Global(global) => {
            let (entries, bias) = reduce(global)?;
            assemble(entries.iter().copied(), bias, &global.mu)
        }
    }
}

fn check(fits: bool, what: &'static str, contacts: usize) -> Result<(), StoredError> {
    if fits { Ok(()) } else { Err(StoredError::Size { what, contacts }) }
}

fn assemble(
    entries: impl Iterator<Item = Entry> + Clone,
    bias: Vec<f64>,
    mu: &[f64],
) -> Result<(ContactProblem, Vec<ContactLaw>), StoredError> {
    let law = |(contact, mu): (usize, &f64)| {
        Disk::new(*mu).map(ContactLaw::from).map_err(|error| StoredError::Friction { contact, error })
    };
    let laws = mu.iter().enumerate().map(law).collect::<Result<Vec<_>, _>>()?;
    let starts: Vec<usize> = (0..=mu.len()).map(|k| ROWS * k).collect();
    let w = BlockMatrix::from_entries(&starts, entries);
    Ok((ContactProblem::new(w, bias, vec![RowKind::Contact; mu.len()])?, laws))
}

/// The entries of W = Hᵀ M⁻¹ H, and b = Hᵀ M⁻¹ f + w.
fn reduce(global: &GlobalProblem) -> Result<(Vec<Entry>, Vec<f64>), StoredError> {
    let (GlobalProblem { m, h, f, w, mu, .. }, contacts) = (global, global.mu.len());
    let rows = ROWS * mu.len();
    check(m.rows == m.cols, "M", contacts)?;
    check((h.rows, h.cols) == (m.rows, rows), "H", contacts)?;
    check(f.len() == m.rows, "f", contacts)?;
    check(w.len() == rows, "w", contacts)?;
    let mass = Mass::new(m)?;
    let by_row = rows_of(h);
    let mut entries = Vec::new();
    let mut column = vec![0.0; rows];
    for first in (0..rows).step_by(CHUNK) {
        let width = CHUNK.min(rows - first);
        let mut x = Mat::<f64>::zeros(h.rows, width);
        for j in 0..width {
            for (i, value) in h.column(first + j) {
                x[(i, j)] = value;
            }
        }
        mass.solve(&mut x)?;
        for j in 0..width {
            column.fill(0.0);
            times_rows(&by_row, x.col_as_slice(j), &mut column);
            let found = column.iter().enumerate().filter(|(_, value)| **value != 0.0);
            entries.extend(found.map(|(i, value)| (i, first + j, *value)));
        }
    }
    let mut x = Mat::from_fn(f.len(), 1, |i, _| f[i]);
    mass.solve(&mut x)?;
    let mut bias = w.clone();
    times_rows(&by_row, x.col_as_slice(0), &mut bias);
    Ok((entries, bias))
}

/// The entries (column, value) of each row.
fn rows_of(matrix: &Csc) -> Vec<Vec<(usize, f64)>> {
    let mut rows = vec![Vec::new(); matrix.rows];
    for (i, j, value) in matrix.iter() {
        rows[i].push((j, value));
    }
    rows
}

/// out += Hᵀ x. Most of x is zero.
fn times_rows(rows: &[Vec<(usize, f64)>], x: &[f64], out: &mut [f64]) {
    for (row, x) in rows.iter().zip(x).filter(|(_, x)| **x != 0.0) {
        for (j, value) in row {
            out[*j] += value * x;
        }
    }
}

/// The mass matrix and its factors.
struct Mass<'a> {
    matrix: &'a Csc,
    lu: faer::sparse::linalg::solvers::Lu<usize, f64>,
}

impl<'a> Mass<'a> {
    fn new(matrix: &'a Csc) -> Result<Self, StoredError> {
        let entries: Vec<_> = matrix.iter().map(|(i, j, value)| Triplet::new(i, j, value)).collect();
        let a = SparseColMat::<usize, f64>::try_new_from_triplets(matrix.rows, matrix.cols, &entries)
            .map_err(|_| StoredError::SingularMass)?;
        Ok(Self { matrix, lu: a.sp_lu().map_err(|_| StoredError::SingularMass)? })
    }

    /// Puts M⁻¹ x into `x`, and checks it: factors do not tell whether a matrix was singular.
    fn solve(&self, x: &mut Mat<f64>) -> Result<(), StoredError> {
        let mut rest = x.clone();
        self.lu.solve_in_place(x.as_mut());
        for j in 0..x.ncols() {
            let (x, rest) = (x.col_as_slice(j), rest.col_as_slice_mut(j));
            let size = largest(rest);
            for (i, k, value) in self.matrix.iter() {
                rest[i] -= value * x[k];
            }
            let accurate = x.iter().all(|x| x.is_finite()) && largest(rest) <= ACCURACY * size;
            if !accurate {
                return Err(StoredError::SingularMass);
            }
        }
        Ok(())
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::files::LocalProblem;

    fn matrix(rows: &[&[f64]]) -> Csc {
        let of_row = |(i, row): (usize, &&[f64])| row.iter().enumerate().map(|(j, v)| (i, j, *v)).collect::<Vec<_>>();
        let entries: Vec<_> = rows.iter().enumerate().flat_map(of_row).collect();
        Csc::from_triplets(rows.len(), rows[0].len(), &entries).unwrap()
    }

    fn global(m: &[&[f64]]) -> StoredProblem {
        let h = matrix(&[&[1.0, 0.0, 2.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]]);
        let (f, w) = (vec![2.0, 4.0, 6.0], vec![0.5, 0.0, 0.0]);
        StoredProblem::Global(GlobalProblem { m: matrix(m), h, f, w, mu: vec![0.3], guesses: Vec::new() })
    }

    #[test]
    fn a_global_problem_is_reduced_to_its_contacts() {
        let (problem, laws) =
            to_contact_problem(&global(&[&[2.0, 0.0, 0.0], &[0.0, 4.0, 0.0], &[0.0, 0.0, 1.0]])).unwrap();
        let expected = [0.5, 0.0, 1.0, 0.0, 0.25, 0.0, 1.0, 0.0, 3.0];
        assert!(problem.w().diagonal(0).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14));
        assert!(problem.bias().iter().zip([1.5, 1.0, 8.0]).all(|(a, b)| (a - b).abs() < 1e-14));
        assert_eq!(laws.len(), 1);
    }

    #[test]
    fn a_singular_mass_is_refused() {
        let thirds = [0.1, 0.3, 0.7];
        for m in [
            [&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 0.0]],
            [&[1.0, 1.0, 0.0], &[1.0, 1.0, 0.0], &[0.0, 0.0, 1.0]],
            [&thirds, &[0.2, 0.6, 1.4], &[1.0, 0.0, 0.0]],
        ] {
            let m: Vec<&[f64]> = m.iter().map(|row| &row[..]).collect();
            assert_eq!(to_contact_problem(&global(&m)).unwrap_err(), StoredError::SingularMass);
        }
    }

    #[test]
    fn sizes_and_coefficients_are_checked() {
        let identity = matrix(&[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]]);
        let local = |mu: Vec<f64>| {
            let q = vec![0.0; 3];
            StoredProblem::Local(LocalProblem { w: identity.clone(), q, mu, guesses: Vec::new() })
        };
        assert!(to_contact_problem(&local(vec![0.3])).is_ok());
        assert!(matches!(to_contact_problem(&local(vec![-1.0])), Err(StoredError::Friction { contact: 0, .. })));
        assert!(matches!(to_contact_problem(&local(vec![0.3; 2])), Err(StoredError::Size { what: "W", .. })));
    }
}
