//! Friction laws as sets.
pub mod error;
pub mod set;
mod symmetric;
mod tangential;

pub use error::FrictionError;
pub use symmetric::Symmetric2;
pub use tangential::Tangential;
