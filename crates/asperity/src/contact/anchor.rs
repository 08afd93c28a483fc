//! One side of a contact.
//!
//! A point p of a rigid body with centre c, velocity v and angular velocity ω moves with v + ω × (p − c). So along an axis d the row of the
//! contact's Jacobian is (d, (p − c) × d) for velocities of the point, and (0, d) for spin and rolling.

use glam::DVec3;

use super::PlacedBody;

/// One side of a contact: how its point moves with the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// A point of a rigid body.
    Rigid {
        /// From the centre of mass to the point, in world axes.
        arm: DVec3,
    },
}

/// A row of the Jacobian for a rigid body: linear·v + angular·ω.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidRow {
    /// Factor of the velocity of the centre of mass.
    pub linear: DVec3,
    /// Factor of the angular velocity.
    pub angular: DVec3,
}

impl RigidRow {
    /// The rate along the row for these velocities.
    #[inline]
    pub fn rate(&self, velocity: DVec3, angular_velocity: DVec3) -> f64 {
        self.linear.dot(velocity) + self.angular.dot(angular_velocity)
    }
}

impl Anchor {
    /// A point of a rigid body.
    #[inline]
    pub(crate) fn rigid(body: &PlacedBody, point: DVec3) -> Self {
        Self::Rigid { arm: point - body.centre }
    }

    /// From the centre of mass to the point.
    #[inline]
    pub fn arm(&self) -> DVec3 {
        match self {
            Self::Rigid { arm } => *arm,
        }
    }

    /// Velocity of the point.
    #[inline]
    pub(crate) fn velocity(&self, body: &PlacedBody) -> DVec3 {
        match self {
            Self::Rigid { arm } => body.velocity + body.angular_velocity.cross(*arm),
        }
    }

    /// Row k of a contact along this axis.
    #[inline]
    pub fn rigid_row(&self, axis: DVec3, k: usize) -> RigidRow {
        if k < 3 {
            RigidRow { linear: axis, angular: self.arm().cross(axis) }
        } else {
            RigidRow { linear: DVec3::ZERO, angular: axis }
        }
    }

    /// Halfway between two anchors of one body.
    pub(crate) fn mean(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Rigid { arm }, Self::Rigid { arm: other }) => Self::Rigid { arm: 0.5 * (*arm + *other) },
        }
    }
}
