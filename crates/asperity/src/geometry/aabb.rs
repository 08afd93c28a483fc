//! Boxes along the world's axes, for the broad phase.

use glam::{DMat3, DVec3};

use super::Pose;

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

    /// The box of points; empty if there are none.
    pub fn of(points: impl Iterator<Item = DVec3>) -> Self {
        points.fold(Self::EMPTY, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// The box of both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// A box around this one, placed by a pose. An empty box stays empty; one without an end has none.
    pub fn turned(&self, pose: &Pose) -> Self {
        if !(self.min.is_finite() && self.max.is_finite()) {
            return if self.min.cmple(self.max).all() { Self::ALL } else { Self::EMPTY };
        }
        let axes = DMat3::from_quat(pose.rotation);
        let half = 0.5 * (self.max - self.min);
        let extent = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
        Self::around(pose.apply(0.5 * (self.min + self.max)), extent)
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
