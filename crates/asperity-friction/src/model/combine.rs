//! How the coefficients of two surfaces become one, when no table says so for the pair.

use serde::{Deserialize, Serialize};

/// A rule for two coefficients. All are symmetric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// (a + b)/2.
    #[default]
    Average,
    /// √(a b): zero if either coefficient is zero.
    GeometricMean,
    /// a b.
    Product,
    /// The smaller.
    Minimum,
    /// The larger.
    Maximum,
}

impl Combine {
    /// Every rule.
    pub const ALL: [Self; 5] = [Self::Average, Self::GeometricMean, Self::Product, Self::Minimum, Self::Maximum];

    /// The coefficient of the pair.
    #[inline]
    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Average => 0.5 * (a + b),
            // Root by root, so that neither product overflows.
            Self::GeometricMean => a.sqrt() * b.sqrt(),
            Self::Product => a * b,
            Self::Minimum => a.min(b),
            Self::Maximum => a.max(b),
        }
    }
}
