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
    /// Outward unit normal at rest, in the body's frame.
    pub normal: DVec3,
    /// Outward unit normal in the world.
    pub outward: DVec3,
    /// How directions at rest are seen in the world.
    pub transport: Transport,
}

impl SurfaceSite {
    /// The place of a rigid body at a point of the world, with an outward normal there.
    #[inline]
    pub fn on_rigid(pose: &Pose, point: DVec3, outward: DVec3) -> Self {
        Self {
            position: pose.unapply(point),
            normal: pose.rotation.conjugate() * outward,
            outward,
            transport: Transport::Rotation(pose.rotation),
        }
    }
}
