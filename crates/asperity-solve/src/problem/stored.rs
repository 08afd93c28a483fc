//! From stored problems to problems that can be solved: three rows a contact, a disk for each.
//!
//! A global problem M v = H r + f, u = Hᵀ v + w has W = Hᵀ M⁻¹ H and b = Hᵀ M⁻¹ f + w. W is not formed here: M that
//! falls into small blocks becomes bodies, any other a sparse factor.

use asperity_friction::set::Disk;
use asperity_friction::{ContactLaw, FrictionError};
use faer::Mat;

use super::dynamics::{BlockMatrix, Bodies, Dynamics, Factor, InverseMass, Link};
use super::files::{GlobalProblem, StoredProblem};
use super::groups::Groups;
use super::posed::Posed;
use super::{ContactProblem, ProblemError, RowKind};

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
    let factor = Factor::new(m.clone(), h.clone(), starts(contacts))?;
    let mut x = Mat::from_fn(f.len(), 1, |i, _| f[i]);
    factor.solve_checked(&mut x)?;
    let mut bias = w.clone();
    factor.add_velocity(x.col_as_slice(0), &mut bias);
    let dynamics = match bodies_of(&factor)? {
        Some(bodies) => bodies.into(),
        None => factor.into(),
    };
    Ok(Reduction { dynamics, bias })
}

/// Largest body of a global problem; what is larger is kept whole.
const LARGEST_BODY: usize = 12;

/// The problem over the blocks that M falls into; `None` if one is large.
fn bodies_of(factor: &Factor) -> Result<Option<Bodies>, StoredError> {
    let (m, h) = (factor.mass(), factor.directions());
    let mut coupled = Groups::new(m.rows);
    m.iter().for_each(|e| coupled.join(e.row, e.column));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![(0, 0); m.rows];
    for dof in 0..m.rows {
        let r = coupled.of(dof);
        if r == dof {
            place[dof] = (groups.len(), 0);
            groups.push(vec![dof]);
        } else {
            let body = place[r].0;
            place[dof] = (body, groups[body].len());
            groups[body].push(dof);
        }
        if groups[place[dof].0].len() > LARGEST_BODY {
            return Ok(None);
        }
    }
    let mut masses = Vec::new();
    for group in &groups {
        let n = group.len();
        // All columns of the inverse of this block at once: the others are not touched.
        let mut x = Mat::<f64>::zeros(m.rows, n);
        (0..n).for_each(|k| x[(group[k], k)] = 1.0);
        factor.solve_checked(&mut x)?;
        masses.push(InverseMass::Dense(n, (0..n * n).map(|e| x[(group[e / n], e % n)]).collect()));
    }
    let mut bodies = Bodies::new(masses)?;
    for contact in 0..factor.starts().len() - 1 {
        let mut jacobians: Vec<(usize, Vec<f64>)> = Vec::new();
        for row in 0..ROWS {
            for entry in h.column(ROWS * contact + row) {
                let (body, at) = place[entry.row];
                let n = groups[body].len();
                let k = jacobians.iter().position(|j| j.0 == body).unwrap_or_else(|| {
                    jacobians.push((body, vec![0.0; ROWS * n]));
                    jacobians.len() - 1
                });
                jacobians[k].1[row * n + at] = entry.value;
            }
        }
        jacobians.sort_by_key(|j| j.0);
        let links: Vec<Link> = jacobians.iter().map(|(body, j)| Link { body: *body, jacobian: j }).collect();
        bodies.push(ROWS, &links)?;
    }
    Ok(Some(bodies))
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
        let thirds = [0.1, 0.3, 0.7];
        for m in [
            [&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 0.0]],
            [&[1.0, 1.0, 0.0], &[1.0, 1.0, 0.0], &[0.0, 0.0, 1.0]],
            [&thirds, &[0.2, 0.6, 1.4], &[1.0, 0.0, 0.0]],
        ] {
            let m: Vec<&[f64]> = m.iter().map(|row| &row[..]).collect();
            assert_eq!(to_contact_problem(&global(&m)).unwrap_err(), StoredError::Problem(ProblemError::SingularMass));
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
