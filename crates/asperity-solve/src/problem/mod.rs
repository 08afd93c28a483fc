//! Contact problems: u = W r + b with a law for each contact; their residual; their stored forms.

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
pub use dynamics::{Block, BlockMatrix, Bodies, Dynamics, Factor, InverseMass, Link};
pub use error::ProblemError;
pub use groups::Groups;
pub use posed::Posed;
pub use residual::{Residual, residual};
pub use sparse::Csc;
pub use stored::{StoredError, to_contact_problem};
