//! From stored problems to problems that can be solved: three rows a contact, a disk for each.
//!
//! A global problem M v = H r + f, u = Hᵀ v + w has W = Hᵀ M⁻¹ H and b = Hᵀ M⁻¹ f + w. W is not formed here: M that
//! falls into small blocks becomes bodies, any other a sparse factor.

use std::collections::BTreeMap;

use asperity_friction::set::Disk;
use asperity_friction::{ContactLaw, FrictionError};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::prelude::Solve;
use faer::{Mat, Side};

use super::dynamics::{BlockMatrix, Bodies, Dynamics, Factor, InverseMass, Link, check_symmetric};
use super::files::{GlobalProblem, StoredProblem};
use super::groups::Groups;
use super::posed::Posed;
use super::{ContactProblem, Csc, ProblemError, RowKind};

/// Rows a contact has.
const ROWS: usize = 3;

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

/// The problem of a file, the laws of its contacts and where to start: those of a snapshot, else disks of radius μ and
/// no impulses (guesses stored beside a problem are often the zeros or the solution of another one).
pub fn to_contact_problem(stored: &StoredProblem) -> Result<Posed, StoredError> {
    match stored {
        StoredProblem::Local(local) => {
            let rows = ROWS * local.mu.len();
            let square = (local.w.rows, local.w.cols) == (rows, rows);
            check(square, "W", local.mu.len())?;
            assemble(BlockMatrix::from_entries(&starts(local.mu.len()), local.w.iter()), local.q.clone(), &local.mu)
        }
        StoredProblem::Global(global) => {
            let reduction = reduce(global)?;
            assemble(reduction.dynamics, reduction.bias, &global.mu)
        }
        StoredProblem::Snapshot(snapshot) => Ok(snapshot.as_ref().clone().into_problem()?),
    }
}

fn check(fits: bool, what: &'static str, contacts: usize) -> Result<(), StoredError> {
    if fits { Ok(()) } else { Err(StoredError::Size { what, contacts }) }
}

fn assemble(dynamics: impl Into<Dynamics>, bias: Vec<f64>, mu: &[f64]) -> Result<Posed, StoredError> {
    let law = |(contact, mu): (usize, &f64)| {
        Disk::new(*mu).map(ContactLaw::from).map_err(|error| StoredError::Friction { contact, error })
    };
    let laws = mu.iter().enumerate().map(law).collect::<Result<Vec<_>, _>>()?;
    let start = vec![0.0; bias.len()];
    let problem = ContactProblem::new(dynamics, bias, vec![RowKind::Contact; mu.len()])?;
    Ok(Posed { problem, laws, start })
}

/// A global problem reduced to its contacts.
struct Reduction {
    dynamics: Dynamics,
    /// b = Hᵀ M⁻¹ f + w.
    bias: Vec<f64>,
}

/// The dynamics of a global problem, and b. Where M falls into small blocks, as that of rigid bodies does,
/// each is a body.
fn reduce(global: &GlobalProblem) -> Result<Reduction, StoredError> {
    let (GlobalProblem { m, h, f, w, mu, .. }, contacts) = (global, global.mu.len());
    let rows = ROWS * mu.len();
    check(m.rows == m.cols, "M", contacts)?;
    check((h.rows, h.cols) == (m.rows, rows), "H", contacts)?;
    check(f.len() == m.rows, "f", contacts)?;
    check(w.len() == rows, "w", contacts)?;
    check_symmetric(m)?;
    let mut bias = w.clone();
    let dynamics = match MassBlocks::of(m) {
        Some(blocks) => {
            let bodies = blocks.bodies(m, h, contacts)?;
            let free = bodies.free_velocities(&blocks.ordered(f));
            (0..contacts).for_each(|i| bodies.add_velocity(i, &free, &mut bias[bodies.range(i)]));
            bodies.into()
        }
        None => {
            let factor = Factor::new(m.clone(), h.clone(), starts(contacts))?;
            let mut free = f.clone();
            factor.solve_checked(&mut free)?;
            factor.add_velocity(&free, &mut bias);
            factor.into()
        }
    };
    Ok(Reduction { dynamics, bias })
}

/// Largest body of a global problem; what is larger is kept whole.
const LARGEST_BODY: usize = 12;

/// Least pivot of a mass, relative to its diagonal: below, it is singular to working precision.
const LEAST_PIVOT: f64 = 1e-14;

/// The small blocks that a mass matrix falls into, as that of rigid bodies does.
struct MassBlocks {
    /// Degrees of freedom of each block.
    groups: Vec<Vec<usize>>,
    /// Where each degree of freedom is.
    places: Vec<BlockPlace>,
}

#[derive(Clone, Copy, Default)]
struct BlockPlace {
    block: usize,
    at: usize,
}

impl MassBlocks {
    /// `None` if one is large.
    fn of(m: &Csc) -> Option<Self> {
        let mut coupled = Groups::new(m.rows);
        m.iter().for_each(|e| coupled.join(e.row, e.column));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut places = vec![BlockPlace::default(); m.rows];
        for dof in 0..m.rows {
            let first = coupled.of(dof);
            let block = if first == dof { groups.len() } else { places[first].block };
            if first == dof {
                groups.push(Vec::new());
            }
            places[dof] = BlockPlace { block, at: groups[block].len() };
            groups[block].push(dof);
            if groups[block].len() > LARGEST_BODY {
                return None;
            }
        }
        Some(Self { groups, places })
    }

    /// Values of the degrees of freedom, block by block.
    fn ordered(&self, values: &[f64]) -> Vec<f64> {
        self.groups.iter().flatten().map(|dof| values[*dof]).collect()
    }

    /// A body for each block, and the rows that act on it.
    fn bodies(&self, m: &Csc, h: &Csc, contacts: usize) -> Result<Bodies, StoredError> {
        let masses = self.groups.iter().map(|group| inverse_mass(m, group)).collect::<Result<Vec<_>, _>>()?;
        let mut bodies = Bodies::new(masses)?;
        for contact in 0..contacts {
            let mut jacobians: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
            for row in 0..ROWS {
                for entry in h.column(ROWS * contact + row) {
                    let BlockPlace { block, at } = self.places[entry.row];
                    let n = self.groups[block].len();
                    jacobians.entry(block).or_insert_with(|| vec![0.0; ROWS * n])[row * n + at] = entry.value;
                }
            }
            let links: Vec<Link> = jacobians.iter().map(|(body, j)| Link { body: *body, jacobian: j }).collect();
            bodies.push(ROWS, &links)?;
        }
        Ok(bodies)
    }
}

/// The inverse of the block of M over these degrees of freedom.
fn inverse_mass(m: &Csc, group: &[usize]) -> Result<InverseMass, ProblemError> {
    let n = group.len();
    let block = Mat::from_fn(n, n, |i, j| m.get(group[i], group[j]));
    let not_positive = |error: LltError| {
        let LltError::NonPositivePivot { index } = error;
        ProblemError::NotPositive { row: group[index.min(n - 1)] }
    };
    let factors = block.llt(Side::Lower).map_err(not_positive)?;
    let pivots = factors.L();
    if (0..n).any(|k| pivots[(k, k)] * pivots[(k, k)] <= LEAST_PIVOT * block[(k, k)]) {
        return Err(ProblemError::SingularMass);
    }
    let inverse = factors.solve(Mat::<f64>::identity(n, n));
    Ok(InverseMass::Dense(n, (0..n * n).map(|e| 0.5 * (inverse[(e / n, e % n)] + inverse[(e % n, e / n)])).collect()))
}

fn starts(contacts: usize) -> Vec<usize> {
    (0..=contacts).map(|k| ROWS * k).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Csc;
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
        let Posed { problem, laws, start } =
            to_contact_problem(&global(&[&[2.0, 0.0, 0.0], &[0.0, 4.0, 0.0], &[0.0, 0.0, 1.0]])).unwrap();
        let expected = [0.5, 0.0, 1.0, 0.0, 0.25, 0.0, 1.0, 0.0, 3.0];
        assert!(problem.diagonal(0).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14));
        assert!(problem.bias().iter().zip([1.5, 1.0, 8.0]).all(|(a, b)| (a - b).abs() < 1e-14));
        assert_eq!((laws.len(), start), (1, vec![0.0; 3]));
    }

    #[test]
    fn a_singular_mass_is_refused() {
        for m in [
            [&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 0.0]],
            [&[1.0, 1.0, 0.0], &[1.0, 1.0, 0.0], &[0.0, 0.0, 1.0]],
        ] {
            let m: Vec<&[f64]> = m.iter().map(|row| &row[..]).collect();
            let error = to_contact_problem(&global(&m)).unwrap_err();
            assert!(matches!(error, StoredError::Problem(ProblemError::NotPositive { row: 1 | 2 })), "{error}");
        }
        let uneven: [&[f64]; 3] = [&[1.0, 0.5, 0.0], &[0.25, 1.0, 0.0], &[0.0, 0.0, 1.0]];
        let expected = ProblemError::NotSymmetric { row: 1, column: 0, value: 0.25, other: 0.5 };
        assert_eq!(to_contact_problem(&global(&uneven)).unwrap_err(), StoredError::Problem(expected));
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
