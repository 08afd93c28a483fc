//! The tangential components of a contact's impulse or slip: those that friction acts on.
//!
//! One type serves impulses (f) and relative velocities (slip), which are dual: `f.dot(slip)` is a power.
//!
//! | component | of an impulse | of a slip |
//! | --- | --- | --- |
//! | `plane` | force along (t, b) | sliding velocity |
//! | `spin` | drilling torque about n | relative angular velocity about n |
//! | `roll` | rolling torque along (t, b) | relative angular velocity along (t, b) |
//!
//! A contact with fewer rows simply has zeros in the others: a planar set in this space is F × {0} × {0}.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Tangential impulse or slip of a contact: in the plane, about the normal, and rolling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tangential {
    /// Components along t and b.
    pub plane: DVec2,
    /// Component about the normal (drilling).
    pub spin: f64,
    /// Angular components along t and b (rolling).
    pub roll: DVec2,
}

impl Tangential {
    /// No force, no slip.
    pub const ZERO: Self = Self { plane: DVec2::ZERO, spin: 0.0, roll: DVec2::ZERO };

    /// A vector in the contact plane.
    #[inline]
    pub const fn planar(plane: DVec2) -> Self {
        Self { plane, spin: 0.0, roll: DVec2::ZERO }
    }

    /// From the components t, b, spin, roll_t, roll_b.
    #[inline]
    pub const fn from_array(c: [f64; 5]) -> Self {
        Self { plane: DVec2::new(c[0], c[1]), spin: c[2], roll: DVec2::new(c[3], c[4]) }
    }

    /// The components t, b, spin, roll_t, roll_b.
    #[inline]
    pub const fn to_array(self) -> [f64; 5] {
        [self.plane.x, self.plane.y, self.spin, self.roll.x, self.roll.y]
    }

    /// Inner product; of an impulse and a slip it is the work done.
    #[inline]
    pub fn dot(self, other: Self) -> f64 {
        self.plane.dot(other.plane) + self.spin * other.spin + self.roll.dot(other.roll)
    }

    /// Euclidean length.
    #[inline]
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Whether every component is finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.to_array().iter().all(|c| c.is_finite())
    }
}

impl From<DVec2> for Tangential {
    #[inline]
    fn from(plane: DVec2) -> Self {
        Self::planar(plane)
    }
}

impl Add for Tangential {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self { plane: self.plane + o.plane, spin: self.spin + o.spin, roll: self.roll + o.roll }
    }
}

impl AddAssign for Tangential {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl Sub for Tangential {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Self { plane: self.plane - o.plane, spin: self.spin - o.spin, roll: self.roll - o.roll }
    }
}

impl Neg for Tangential {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { plane: -self.plane, spin: -self.spin, roll: -self.roll }
    }
}

impl Mul<f64> for Tangential {
    type Output = Self;
    #[inline]
    fn mul(self, k: f64) -> Self {
        Self { plane: self.plane * k, spin: self.spin * k, roll: self.roll * k }
    }
}
