//! Distance joint: two points keep a distance, constant or a formula of t. A rod without mass.

use super::{Coordinate, Kind};
use crate::expression::Expression;

/// |p_A − p_B| = ℓ(t).
#[derive(Clone, Debug, PartialEq)]
pub struct Distance {
    /// ℓ, a formula of t. Above zero.
    pub length: Expression,
}

impl Kind for Distance {
    const NAME: &'static str = "distance";

    fn held(&self) -> &'static [Coordinate] {
        &[Coordinate::Distance]
    }

    fn target(&self, t: f64) -> f64 {
        self.length.value(&[t])
    }
}
