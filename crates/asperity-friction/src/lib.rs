//! Friction laws as sets.
//!
//! At a contact with normal impulse λn, the tangential impulse lies in λn·F, where F is a small convex set in the
//! contact plane (plus spin and rolling, when they matter). Its support function is the dissipation, its projection
//! drives proximal solvers, its facets an LCP, its implicit function a Newton solver, its smoothed support a barrier
//! method.
//!
//! * [`set`]: the sets, and what can be asked of them;
//! * [`model`]: friction models, from the state of a contact ([`ContactState`]) to its law ([`ContactLaw`]);
//! * [`field`]: structure directions of a body as a function of the place;
//! * [`curve`] and [`dissipation`]: smoothed friction for barrier methods;
//! * [`tensor`]: friction tensors, and the check that they brake;
//! * [`number`]: numbers as people read them, for messages and tables.
//!
//! Conventions: the contact normal points from B to A; impulses act on A; the slip is v_A − v_B; sliding along d is
//! resisted with h_F(−d). SI units; angles in radians.
//!
//! ```
//! use asperity_friction::model::{FrictionModel, Matchstick};
//! use asperity_friction::set::ConvexSet;
//! use asperity_friction::{ContactFrame, ContactState, SurfaceSample, Tangential};
//! use glam::{DVec2, DVec3};
//!
//! # fn main() -> Result<(), asperity_friction::FrictionError> {
//! // A box on a plank, the grain (structure) of both along x: easy along, hard across.
//! let wood = SurfaceSample { structure: DVec3::X, ..SurfaceSample::default() };
//! let frame = ContactFrame::new(DVec3::Y, DVec3::X)?;
//! let contact = ContactState::new(frame, wood, wood);
//! let law = FrictionModel::from(Matchstick::new(0.2, 0.2, 3.0)?).law(&contact)?;
//!
//! assert_eq!(law.coefficient(DVec2::X), 0.2);
//! assert_eq!(law.coefficient(DVec2::Y), 3.0);
//!
//! // The nearest admissible impulse at load 10: what a proximal solver asks for.
//! let set = law.set().expect("Matchstick is a set");
//! let f = set.project(10.0, Tangential::planar(DVec2::new(5.0, 0.0)));
//! assert!((f.plane - DVec2::new(2.0, 0.0)).length() < 1e-12);
//! # Ok(())
//! # }
//! ```

pub mod curve;
pub mod dissipation;
pub mod error;
pub mod field;
mod law;
pub mod model;
pub mod number;
mod root;
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
pub use state::{ContactFrame, ContactState, CountedSlope, FacetSlopes, Side, SurfaceSample};
pub use symmetric::{Eigen2, Symmetric2};
pub use tangential::Tangential;
pub use two_set::{Star, TwoSet};

/// The example of the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
