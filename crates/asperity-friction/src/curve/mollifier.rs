//! The mollifier of incremental potential contact: Coulomb friction smoothed below the speed ε (Li et al. 2020).
//!
//! With x = y/ε, for x < 1 and x ≥ 1:
//!
//!   f0 = ε/3 + y²/ε − y³/(3ε²),  y          (potential)
//!   f1 = 2x − x²,                1          (force, f0')
//!   f2 = 2(1 − x)/ε,             0          (f1')

use super::Profile;
use crate::error::{FrictionError, positive};

/// f0, f1, f2 for one ε.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mollifier {
    eps: f64,
}

impl Mollifier {
    /// Friction is fully developed at slip speeds above `eps`.
    pub fn new(eps: f64) -> Result<Self, FrictionError> {
        Ok(Self { eps: positive("eps_v", eps)? })
    }

    /// The speed ε.
    pub fn eps(&self) -> f64 {
        self.eps
    }
}

impl Profile for Mollifier {
    #[inline]
    fn value(&self, y: f64) -> f64 {
        let x = y / self.eps;
        if x < 1.0 { self.eps * (1.0 / 3.0 + x * x * (1.0 - x / 3.0)) } else { y }
    }

    #[inline]
    fn slope(&self, y: f64) -> f64 {
        let x = y / self.eps;
        if x < 1.0 { x * (2.0 - x) } else { 1.0 }
    }

    #[inline]
    fn bend(&self, y: f64) -> f64 {
        let x = y / self.eps;
        if x < 1.0 { 2.0 * (1.0 - x) / self.eps } else { 0.0 }
    }

    #[inline]
    fn slope_over_speed(&self, y: f64) -> f64 {
        let x = y / self.eps;
        if x < 1.0 { (2.0 - x) / self.eps } else { 1.0 / y }
    }

    #[inline]
    fn bend_excess(&self, y: f64) -> f64 {
        if y < self.eps { -1.0 / (self.eps * self.eps * y) } else { -1.0 / (y * y * y) }
    }
}
