//! A place on a surface: where it is at rest, and how directions that are given there are seen in the world.

use glam::{DMat3, DQuat, DVec3};

use crate::geometry::Pose;

/// How a direction that is given on the surface at rest is seen in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transport {
    /// Turned with a rigid body.
    Rotation(DQuat),
    /// Carried by the deformation gradient F of a surface: a line of the material along s lies along F s.
    Gradient(DMat3),
}

impl Transport {
    /// A small way in the world, on the surface at rest.
    #[inline]
    pub fn rest(&self, way: DVec3) -> DVec3 {
        match self {
            Self::Rotation(rotation) => rotation.conjugate() * way,
            Self::Gradient(gradient) => gradient.inverse() * way,
        }
    }

    /// The direction in the world of one at rest.
    #[inline]
    pub fn direction(&self, rest: DVec3) -> DVec3 {
        match self {
            Self::Rotation(rotation) => *rotation * rest,
            Self::Gradient(gradient) => *gradient * rest,
        }
    }
}

/// A place on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSite {
    /// The place at rest, in the body's frame.
    pub position: DVec3,
    /// The same half way through the step, where the contact moves over the surface. Coefficients that vary are those of this place: a step
    /// that took those of its start would be behind by half of its way.
    pub midway: DVec3,
    /// Outward unit normal at rest, in the body's frame.
    pub normal: DVec3,
    /// Outward unit normal in the world.
    pub outward: DVec3,
    /// How directions at rest are seen in the world.
    pub transport: Transport,
}

impl SurfaceSite {
    /// The same place, where the contact moves over the surface by `way` (in the world) until the middle of the step.
    #[inline]
    pub fn moving(self, way: DVec3) -> Self {
        Self { midway: self.position + self.transport.rest(way), ..self }
    }

    /// The place of a rigid body at a point of the world, with an outward normal there.
    #[inline]
    pub fn on_rigid(pose: &Pose, point: DVec3, outward: DVec3) -> Self {
        let position = pose.unapply(point);
        Self {
            position,
            midway: position,
            normal: pose.rotation.conjugate() * outward,
            outward,
            transport: Transport::Rotation(pose.rotation),
        }
    }
}
