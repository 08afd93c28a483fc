//! Frictional contact problems and their solvers.
//!
//! A [`problem::ContactProblem`] is u = W r + b with a law for each contact ([`asperity_friction::ContactLaw`]); a
//! [`solver::ContactSolver`] finds impulses r. [`solver::Auto`] is the one to start with.
//!
//! ```
//! use asperity_friction::set::Disk;
//! use asperity_solve::problem::{BlockMatrix, ContactProblem, RowKind};
//! use asperity_solve::solver::{Auto, ContactSolver, Frozen, Solution, Status, Stop};
//!
//! // A unit mass that falls with 1 m/s and slides with 2 m/s onto the ground: mu 0.3 takes 0.3 m/s away.
//! let w = BlockMatrix::from_entries(&[0, 3], (0..3).map(|i| (i, i, 1.0)));
//! let problem = ContactProblem::new(w, vec![-1.0, 2.0, 0.0], vec![RowKind::Contact]).unwrap();
//! let mut laws = Frozen(vec![Disk::new(0.3).unwrap().into()]);
//! let mut solution = Solution::zero(&problem);
//! let report = Auto::default().solve(&problem, &mut laws, Stop::default(), &mut solution).unwrap();
//! assert_eq!(report.status, Status::Solved);
//! assert!((solution.u[1] - 1.7).abs() < 1e-8);
//! ```

pub mod problem;
pub mod solver;
