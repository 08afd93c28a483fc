//! Contact problems: u = W r + b with a law for each contact; their residual; their stored forms.

mod block_matrix;
mod contact_problem;
mod error;
pub mod files;
pub(crate) mod residual;
mod stored;

pub use block_matrix::{Block, BlockMatrix};
pub use contact_problem::{ContactProblem, RowKind};
pub use error::ProblemError;
pub use residual::{Residual, residual, scales};
pub use stored::{StoredError, to_contact_problem};
