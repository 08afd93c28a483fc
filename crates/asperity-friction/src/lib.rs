//! Friction laws as sets.
pub mod curve;
pub mod error;
mod law;
pub mod model;
pub mod set;
mod slip_rule;
mod state;
mod symmetric;
mod tangential;
pub mod tensor;
mod two_set;

pub use error::FrictionError;
pub use law::ContactLaw;
pub use slip_rule::{Composition, SlipRule};
pub use state::{ContactFrame, ContactState, FacetSlopes, Side, SurfaceSample};
pub use symmetric::Symmetric2;
pub use tangential::Tangential;
pub use two_set::{Star, TwoSet};
