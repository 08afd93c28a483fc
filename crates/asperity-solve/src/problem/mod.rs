//! Contact problems: u = W r + b with a law for each contact; their residual; their stored forms.
//!
//! ```
//! use asperity_friction::set::Disk;
//! use asperity_solve::problem::{BlockMatrix, ContactProblem, RowKind, residual};
//!
//! // A unit mass that rests on the ground and would sink with 1 m/s without an impulse: u = r + b.
//! let w = BlockMatrix::from_entries(&[0, 3], (0..3).map(|i| (i, i, 1.0)));
//! let problem = ContactProblem::new(w, vec![-1.0, 0.0, 0.0], vec![RowKind::Contact])?;
//! let laws = [Disk::new(0.3)?.into()];
//!
//! // The normal impulse that holds it is the solution: its residual is zero.
//! let (r, mut u) = ([1.0, 0.0, 0.0], [0.0; 3]);
//! problem.velocities(&r, &mut u);
//! assert_eq!(u, [0.0; 3]);
//! assert_eq!(residual(&problem, &laws, problem.scales(), &r, &u).worst(), 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contact_problem;
mod dynamics;
mod error;
pub mod files;
mod groups;
mod posed;
pub(crate) mod residual;
mod scale;
mod sparse;
mod stored;

pub use contact_problem::{ContactProblem, RowKind};
pub use dynamics::{Block, BlockMatrix, Bodies, DofBlock, DofRows, Dynamics, Factor, InverseMass, Link};
pub use error::ProblemError;
pub use groups::Groups;
pub use posed::Posed;
pub use residual::{Residual, residual};
pub(crate) use scale::largest_eigenvalue;
pub(crate) use sparse::dot;
pub use sparse::{
    Accuracy, Cholesky, CholeskyError, ConjugateGradients, Csc, Gmres, MatrixEntry, Place, SelectedInverse, SolveRoom,
    Symbolic, SymmetricPattern,
};
pub use stored::{StoredError, to_contact_problem};
