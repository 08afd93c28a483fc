//! One side of a contact.
//!
//! A point p of a rigid body with centre c, velocity v and angular velocity ω moves with v + ω × (p − c). So along an axis d the row of the
//! contact's Jacobian is (d, (p − c) × d) for velocities of the point, and (0, d) for spin and rolling.

use glam::DVec3;

use super::placed::{PlacedBody, PlacedMesh, turning};
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
    /// A vertex of a cloth or a solid.
    Vertex {
        /// Its number.
        vertex: u32,
    },
    /// A point of an edge of a cloth or a solid: a blend of its two ends.
    Edge {
        /// The vertices at its ends.
        vertices: [u32; 2],
        /// Their weights.
        weights: [f64; 2],
    },
}

/// What a row of the Jacobian takes of the velocity of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexRow {
    /// The vertex.
    pub vertex: u32,
    /// Factor of its velocity.
    pub factor: DVec3,
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
            (Self::Vertex { vertex }, Some(mesh)) => mesh.vertex_site(*vertex, outward),
            (Self::Edge { vertices, weights }, Some(mesh)) => mesh.edge_site(*vertices, *weights, outward),
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
            Self::Vertex { vertex } => body.mesh.as_ref().map_or(DVec3::ZERO, |mesh| mesh.vertex_velocity(*vertex)),
            Self::Edge { vertices, weights } => body.mesh.as_ref().map_or(DVec3::ZERO, |mesh| {
                vertices.iter().zip(weights).map(|(vertex, w)| mesh.vertex_velocity(*vertex) * *w).sum()
            }),
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
            Self::Vertex { .. } | Self::Edge { .. } => body.mesh.as_ref().map_or(DVec3::ZERO, |mesh| {
                let spins = self.triangles(mesh).map(|triangle| mesh.angular_velocity(triangle));
                spins.sum::<DVec3>() / self.triangles(mesh).count().max(1) as f64
            }),
        }
    }

    /// Row k of a contact along this axis; `None` if the body is not rigid.
    #[inline]
    pub fn rigid_row(&self, axis: DVec3, k: usize) -> Option<RigidRow> {
        match self {
            Self::Rigid { arm } if k < 3 => Some(RigidRow { linear: axis, angular: arm.cross(axis) }),
            Self::Rigid { .. } => Some(RigidRow { linear: DVec3::ZERO, angular: axis }),
            Self::Triangle { .. } | Self::Vertex { .. } | Self::Edge { .. } => None,
        }
    }

    /// Row k of a contact along this axis on a body that deforms, vertex by vertex, added to `out`; nothing for a rigid body.
    pub(crate) fn vertex_rows(&self, axis: DVec3, k: usize, body: &PlacedBody, out: &mut Vec<VertexRow>) {
        let Some(mesh) = &body.mesh else { return };
        match self {
            Self::Rigid { .. } => (),
            Self::Vertex { vertex } if k < 3 => out.push(VertexRow { vertex: *vertex, factor: axis }),
            Self::Triangle { triangle, weights } if k < 3 => {
                let corners = mesh.triangles()[*triangle as usize];
                out.extend(
                    corners.iter().zip(weights).map(|(vertex, w)| VertexRow { vertex: *vertex, factor: axis * *w }),
                );
            }
            Self::Edge { vertices, weights } if k < 3 => {
                let own = |(vertex, w): (&u32, &f64)| VertexRow { vertex: *vertex, factor: axis * *w };
                out.extend(vertices.iter().zip(weights).map(own));
            }
            Self::Triangle { triangle, .. } => turning_rows(mesh, *triangle, axis, out),
            Self::Vertex { .. } | Self::Edge { .. } => {
                let mean = axis / self.triangles(mesh).count().max(1) as f64;
                self.triangles(mesh).for_each(|triangle| turning_rows(mesh, triangle, mean, out));
            }
        }
    }

    /// The triangles at a vertex or an edge of a cloth or a solid.
    fn triangles<'a>(&self, mesh: &'a PlacedMesh) -> impl Iterator<Item = u32> + use<'a> {
        let ends = match self {
            Self::Vertex { vertex } => Some([*vertex; 2]),
            Self::Edge { vertices, .. } => Some(*vertices),
            Self::Rigid { .. } | Self::Triangle { .. } => None,
        };
        ends.into_iter().flat_map(|ends| mesh.triangles_between(ends))
    }

    /// Halfway between two anchors of one rigid body; the first of two on a mesh, whose motion is given.
    pub(crate) fn mean(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Rigid { arm }, Self::Rigid { arm: other }) => Self::Rigid { arm: 0.5 * (*arm + *other) },
            _ => *self,
        }
    }
}

/// The angular velocity of a triangle along an axis is linear in the velocities of its corners: their factors.
fn turning_rows(mesh: &PlacedMesh, triangle: u32, axis: DVec3, out: &mut Vec<VertexRow>) {
    let corners = mesh.corners(triangle);
    for (i, vertex) in mesh.triangles()[triangle as usize].into_iter().enumerate() {
        let rate = |direction: DVec3| {
            let mut velocities = [DVec3::ZERO; 3];
            velocities[i] = direction;
            axis.dot(turning(corners, velocities))
        };
        out.push(VertexRow { vertex, factor: DVec3::new(rate(DVec3::X), rate(DVec3::Y), rate(DVec3::Z)) });
    }
}
