//! Spring and damper between two points.

use super::{Coordinate, Drive, Kind, SpringDamper};

/// Force −k (ℓ − ℓ₀) − c ℓ̇ along the line between two points, ℓ their distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring(Drive);

impl Spring {
    /// With this stiffness (N/m), damping (N s/m) and length at rest (m).
    pub fn new(spring: SpringDamper) -> Self {
        Self(Drive { spring: Some(spring), ..Drive::default() })
    }
}

impl Kind for Spring {
    const NAME: &'static str = "spring";

    fn held(&self) -> &'static [Coordinate] {
        &[]
    }

    fn driven(&self) -> Option<(Coordinate, &Drive)> {
        Some((Coordinate::Distance, &self.0))
    }
}
