//! Boxes along the world's axes, for the broad phase.

use glam::DVec3;

/// All points between two corners; infinite for half-spaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least coordinates.
    pub min: DVec3,
    /// Greatest coordinates.
    pub max: DVec3,
}

impl Aabb {
    /// Holds nothing.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
    /// Holds everything.
    pub const ALL: Self = Self { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

    /// The box around a centre.
    pub fn around(centre: DVec3, half: DVec3) -> Self {
        Self { min: centre - half, max: centre + half }
    }

    /// The box of both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// With room on all sides.
    pub fn enlarged(&self, margin: f64) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// Do they share a point?
    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}
