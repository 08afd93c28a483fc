//! How stiff a barrier is: κ.
//!
//! κ does not change what the barrier allows, only how near surfaces come under a load, and how well Newton's method converges. Li et
//! al. (2020, supplement) choose it so that barrier and other forces balance where a step begins, not below κ_min and not above 100 κ_min,
//!
//! κ_min = s m̄ / (4 d₀² b''(d₀²)),   d₀ = 10⁻⁸ × (size of the world),
//!
//! and double it where surfaces come nearer than 10⁻⁹ times the size of the world in two steps in a row.

use super::function::Barrier;

/// What the first stiffness depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StiffnessSetting {
    /// Diagonal of a box around all bodies, m.
    pub size: f64,
    /// Which barrier.
    pub barrier: Barrier,
    /// Where it begins above the least distance, m.
    pub dhat: f64,
    /// Least distance, m.
    pub dmin: f64,
    /// Mean mass of a vertex, kg.
    pub mass: f64,
    /// Factor s of the least stiffness.
    pub scale: f64,
}

/// Bounds of the stiffness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StiffnessRange {
    /// The least one.
    pub least: f64,
    /// The largest one: 100 times the least.
    pub largest: f64,
}

/// Factor s of the least stiffness that Li et al. use.
pub const SCALE: f64 = 1e11;

impl StiffnessSetting {
    /// Bounds of the stiffness.
    pub fn range(&self) -> StiffnessRange {
        let Self { size, barrier, dhat, dmin, mass, scale } = *self;
        let end = (2.0 * dmin + dhat) * dhat;
        let near = 1e-8 * size + dmin;
        let square = if near * near - dmin * dmin >= end { dmin * dhat + 0.5 * dhat * dhat } else { near * near };
        let least = scale * mass / (4.0 * square * barrier.at(square - dmin * dmin, end).bend);
        StiffnessRange { least, largest: 100.0 * least }
    }

    /// The stiffness that balances the gradients of the barrier (with κ = 1) and of all other energies best, within the bounds.
    pub fn first(&self, of_energy: &[f64], of_barrier: &[f64]) -> f64 {
        let StiffnessRange { least, largest } = self.range();
        let square: f64 = of_barrier.iter().map(|g| g * g).sum();
        let product: f64 = of_barrier.iter().zip(of_energy).map(|(b, e)| b * e).sum();
        let balanced = if square > 0.0 { -product / square } else { 1.0 };
        balanced.clamp(least, largest)
    }
}

/// The least squared distances of two iterates, m².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastSquares {
    /// Of the one before.
    pub before: f64,
    /// Of this one.
    pub now: f64,
}

/// The next stiffness: twice as large if surfaces are very near and come nearer. `near` is the distance that counts as very near, m: 10⁻⁹
/// times the size of the world.
pub fn updated(stiffness: f64, range: StiffnessRange, squares: LeastSquares, near: f64) -> f64 {
    let LeastSquares { before, now } = squares;
    let close = near * near;
    if before < close && now < close && now < before { range.largest.min(2.0 * stiffness) } else { stiffness }
}
