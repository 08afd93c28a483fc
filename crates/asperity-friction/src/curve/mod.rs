//! Curves of one variable: how friction rises from rest, and how the coefficient depends on the slip speed.
//!
//! ```
//! use asperity_friction::curve::{Mollifier, Profile};
//! # fn main() -> Result<(), asperity_friction::FrictionError> {
//! // Friction at full strength from 1 mm/s on, and zero at rest.
//! let profile = Mollifier::new(1e-3)?;
//! assert_eq!(profile.slope(0.0), 0.0);
//! assert!((profile.slope(2e-3) - 1.0).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```

mod mollifier;
mod static_kinetic;

pub use mollifier::Mollifier;
pub use static_kinetic::{StaticKineticCurve, Transition};

/// A dissipation potential of the slip speed y ≥ 0 per unit load, and its derivatives.
///
/// The quotients are what gradients and Hessians in the plane need; they are given separately because they stay
/// finite, or diverge in a known way, where dividing would not be safe.
pub trait Profile {
    /// The potential φ(y).
    fn value(&self, y: f64) -> f64;
    /// The force φ'(y).
    fn slope(&self, y: f64) -> f64;
    /// φ''(y).
    fn bend(&self, y: f64) -> f64;
    /// φ'(y)/y, with its limit at 0.
    fn slope_over_speed(&self, y: f64) -> f64;
    /// (φ''(y) y − φ'(y))/y³; minus infinity at 0 where it diverges.
    fn bend_excess(&self, y: f64) -> f64;
}
