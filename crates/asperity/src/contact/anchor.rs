//! One side of a contact.
//!
//! A point p of a rigid body with centre c, velocity v and angular velocity ω moves with v + ω × (p − c). So along an axis d the row of the
//! contact's Jacobian is (d, (p − c) × d) for velocities of the point, and (0, d) for spin and rolling.

use glam::DVec3;

use super::PlacedBody;
use crate::body::surface::SurfaceSite;

/// One side of a contact: how its point moves with the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// A point of a rigid body.
    Rigid {
        /// From the centre of mass to the point, in world axes.
        arm: DVec3,
    },
    /// A point of a triangle of a mesh that deforms: a blend of its three vertices.
    Triangle {
        /// Number of the triangle.
        triangle: u32,
        /// Barycentric weights of its vertices.
        weights: [f64; 3],
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
    /// The point of a body near a point of the world.
    #[inline]
    pub(crate) fn at(body: &PlacedBody, point: DVec3) -> Self {
        let on_mesh = body.mesh.as_ref().and_then(|mesh| mesh.nearest(point));
        match on_mesh {
            Some(near) => Self::Triangle { triangle: near.triangle, weights: near.weights },
            None => Self::Rigid { arm: point - body.centre },
        }
    }

    /// The place of the body's surface there; the contact is at a point of the world with this outward normal.
    #[inline]
    pub(crate) fn site(&self, body: &PlacedBody, point: DVec3, outward: DVec3) -> SurfaceSite {
        match (self, &body.mesh) {
            (Self::Triangle { triangle, weights }, Some(mesh)) => mesh.site(*triangle, *weights, outward),
            _ => SurfaceSite::on_rigid(&body.pose, point, outward),
        }
    }

    /// Velocity of the point.
    #[inline]
    pub(crate) fn velocity(&self, body: &PlacedBody) -> DVec3 {
        match self {
            Self::Rigid { arm } => body.velocity + body.angular_velocity.cross(*arm),
            Self::Triangle { triangle, weights } => {
                body.mesh.as_ref().map_or(DVec3::ZERO, |mesh| mesh.velocity(*triangle, *weights))
            }
        }
    }

    /// Angular velocity of the surface at the point.
    #[inline]
    pub(crate) fn angular_velocity(&self, body: &PlacedBody) -> DVec3 {
        match self {
            Self::Rigid { .. } => body.angular_velocity,
            Self::Triangle { triangle, .. } => {
                body.mesh.as_ref().map_or(DVec3::ZERO, |mesh| mesh.angular_velocity(*triangle))
            }
        }
    }

    /// Row k of a contact along this axis; `None` if the body is not rigid.
    #[inline]
    pub fn rigid_row(&self, axis: DVec3, k: usize) -> Option<RigidRow> {
        match self {
            Self::Rigid { arm } if k < 3 => Some(RigidRow { linear: axis, angular: arm.cross(axis) }),
            Self::Rigid { .. } => Some(RigidRow { linear: DVec3::ZERO, angular: axis }),
            Self::Triangle { .. } => None,
        }
    }

    /// Halfway between two anchors of one rigid body; the first of two on a mesh, whose motion is given.
    pub(crate) fn mean(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Rigid { arm }, Self::Rigid { arm: other }) => Self::Rigid { arm: 0.5 * (*arm + *other) },
            _ => *self,
        }
    }
}
