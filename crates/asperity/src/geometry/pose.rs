//! Place and orientation.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// x ↦ rotation x + position: from a body's own coordinates to the world's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Where the body's origin is.
    pub position: DVec3,
    /// How the body is turned: a unit quaternion.
    pub rotation: DQuat,
}

impl Pose {
    /// The world's own.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// The world point of a body point.
    #[inline]
    pub fn apply(&self, x: DVec3) -> DVec3 {
        self.rotation * x + self.position
    }

    /// The body point of a world point.
    #[inline]
    pub fn unapply(&self, x: DVec3) -> DVec3 {
        self.rotation.conjugate() * (x - self.position)
    }

    /// First `inner`, then this one.
    #[inline]
    pub fn then(&self, inner: &Self) -> Self {
        Self { position: self.apply(inner.position), rotation: (self.rotation * inner.rotation).normalize() }
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}
