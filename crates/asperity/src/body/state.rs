//! Where a body is and how it moves.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::Body;
use crate::geometry::Pose;

/// Where a rigid body is and how it moves. Positions and velocities are those of the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RigidState {
    /// Centre of mass, in the world.
    pub centre: DVec3,
    /// Orientation.
    pub rotation: DQuat,
    /// Velocity of the centre of mass.
    pub velocity: DVec3,
    /// Angular velocity, in world axes.
    pub angular_velocity: DVec3,
}

impl RigidState {
    /// From the pose of the body's origin, the velocity of its centre of mass and its angular velocity.
    pub fn new(body: &Body, pose: Pose, velocity: DVec3, angular_velocity: DVec3) -> Self {
        Self { centre: pose.apply(body.centre()), rotation: pose.rotation, velocity, angular_velocity }
    }

    /// Half way between two states.
    pub(crate) fn halfway(&self, other: &Self) -> Self {
        Self {
            centre: self.centre.midpoint(other.centre),
            rotation: self.rotation.slerp(other.rotation, 0.5),
            velocity: self.velocity.midpoint(other.velocity),
            angular_velocity: self.angular_velocity.midpoint(other.angular_velocity),
        }
    }

    /// Pose of the body's origin.
    #[inline]
    pub fn pose(&self, body: &Body) -> Pose {
        Pose { position: self.centre - self.rotation * body.centre(), rotation: self.rotation }
    }

    /// Velocity of a point of the body.
    #[inline]
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(point - self.centre)
    }

    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.centre.is_finite() && self.velocity.is_finite() && self.angular_velocity.is_finite()
    }
}

/// Velocity of a point of a rigid body, mostly its centre of mass, and angular velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of the point, m/s.
    pub velocity: DVec3,
    /// Angular velocity, in world axes, rad/s.
    pub angular_velocity: DVec3,
}

/// Where the vertices of a mesh are and how they move, in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshState {
    /// The rigid motion that is nearest to theirs.
    pub frame: RigidState,
    /// Positions.
    pub positions: Vec<DVec3>,
    /// Velocities.
    pub velocities: Vec<DVec3>,
}

/// Where a body is and how it moves: one variant for each kind of [`super::Matter`] that has a state of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyState {
    /// A rigid body.
    Rigid(RigidState),
    /// A mesh that deforms. Shared, since steppers copy states. Text would be slow and large: a checkpoint holds its vertices in binary.
    #[serde(skip)]
    Mesh(Arc<MeshState>),
}

impl BodyState {
    /// A rigid body, from the pose of its origin, the velocity of its centre of mass and its angular velocity.
    pub fn rigid(body: &Body, pose: Pose, velocity: DVec3, angular_velocity: DVec3) -> Self {
        Self::Rigid(RigidState::new(body, pose, velocity, angular_velocity))
    }

    /// The rigid motion that describes the body best: of a rigid body its state itself, of a mesh the nearest one.
    #[inline]
    pub fn frame(&self) -> &RigidState {
        match self {
            Self::Rigid(state) => state,
            Self::Mesh(mesh) => &mesh.frame,
        }
    }

    /// The vertices of a body that deforms.
    #[inline]
    pub fn mesh(&self) -> Option<&Arc<MeshState>> {
        match self {
            Self::Rigid(_) => None,
            Self::Mesh(mesh) => Some(mesh),
        }
    }

    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        let finite = |list: &[DVec3]| list.iter().all(|x| x.is_finite());
        self.frame().is_finite() && self.mesh().is_none_or(|mesh| finite(&mesh.positions) && finite(&mesh.velocities))
    }

    /// The same, to be changed.
    #[inline]
    pub fn frame_mut(&mut self) -> &mut RigidState {
        match self {
            Self::Rigid(state) => state,
            Self::Mesh(mesh) => &mut Arc::make_mut(mesh).frame,
        }
    }
}
