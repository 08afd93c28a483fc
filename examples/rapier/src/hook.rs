//! A friction law of asperity-friction as a hook of Rapier.
//!
//! Rapier's friction is a disk: at a contact with normal impulse N, an impulse of at most μN against the slip v - w, where w is the *desired* tangential velocity of the contact (meant for conveyor belts). A hook may
//! set μ for a manifold and w for each of its points. So a law whose force for the slip v is f N is put in as μ = |f| and w = v + (|v|/|f|) f: then v - w lies against f, and Rapier's disk answers with f N as long as the
//! contact slides. That is exact for the direction and the size of sliding friction, with the slip that the step begins with.
//!
//! What the hooks cannot do:
//! - Sticking. A resting contact has no slip to turn, and a hook does not know the load: its limit is a disk, while the law's is an ellipse. Here it is treated as one that gravity alone loads: it sticks or begins to slide as the
//!   law says then. A box that rests under others, or is pushed aslant, need not.
//! - One coefficient for a manifold, not for each of its points: friction that varies under a body is that of the middle of its contact.
//! - No drilling torque and no rolling resistance: there are no rows for them.
//! - The law is asked once a step, with the slip of its start. Laws that depend on the solution (static and kinetic friction, load) lag behind by a step; Asperity's solvers ask again inside the step.

use asperity_friction::model::FrictionModel;
use asperity_friction::set::ConvexSet;
use asperity_friction::{ContactFrame, ContactState, FrictionError, SurfaceSample, Tangential};
use glam::{DQuat, DVec2, DVec3};
use rapier3d_f64::prelude::{ContactModificationContext, PhysicsHooks, RigidBodyHandle, RigidBodySet, Vector};

/// Below this slip a contact counts as resting, m/s.
const RESTING: f64 = 1e-3;

/// Faster than anything becomes in a step from rest, m/s.
const BEGINS: f64 = 0.1;
/// A force that differs from gravity's pull by less than this fraction of the load holds.
const HOLDS: f64 = 1e-9;

/// Gives contacts the friction of a law. Every body has the same grain, in its own frame.
pub struct LawHook {
    /// The law of all contacts.
    pub law: FrictionModel,
    /// Grain of the bodies in their own frames.
    pub grain: DVec3,
    /// Gravity, for contacts at rest.
    pub gravity: DVec3,
}

/// What Rapier is told for a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiskFriction {
    /// Radius of the disk.
    pub coefficient: f64,
    /// Desired tangential velocity of the first body's point relative to the second's.
    pub wanted: DVec3,
}

/// What a law and a resting contact must know of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeMotion {
    /// Velocity of the first body's point relative to the second's.
    pub slip: DVec3,
    /// Acceleration of the first body relative to the second by gravity alone: none between two bodies that both fall.
    pub pull: DVec3,
    /// Grains of both in the world.
    pub grains: [DVec3; 2],
}

impl LawHook {
    /// The disk that acts like the law at a contact with this normal (from the second body to the first).
    pub fn disk(&self, normal: DVec3, contact: &RelativeMotion) -> Result<DiskFriction, FrictionError> {
        let RelativeMotion { slip, pull, grains } = *contact;
        let frame = ContactFrame::new(normal, normal.any_orthonormal_vector())?;
        let sample = |structure: DVec3| SurfaceSample { structure, ..SurfaceSample::default() };
        let state = ContactState::new(frame, sample(grains[0]), sample(grains[1]));
        let law = self.law.law(&state)?;
        let plane = |x: DVec3| DVec2::new(x.dot(frame.t()), x.dot(frame.b()));
        let v = plane(slip);
        let (load, pull) = (self.gravity.dot(normal).abs(), plane(pull));
        let (speed, f) = match law.set() {
            Some(set) if v.length() < RESTING && load > 0.0 => {
                // Of all forces of the law, the one that holds best against gravity (maximum dissipation).
                let f = set.project(load, Tangential::planar(-pull)).plane;
                if (f + pull).length() <= HOLDS * load {
                    return Ok(DiskFriction { coefficient: law.coefficient(pull), wanted: DVec3::ZERO });
                }
                // What begins to slide is to slide: the disk must not hold it.
                (BEGINS, f / load)
            }
            _ => (v.length(), law.force(1.0, Tangential::planar(v)).plane),
        };
        let coefficient = f.length();
        let w = if coefficient > 0.0 { v + speed / coefficient * f } else { v };
        Ok(DiskFriction { coefficient, wanted: w.x * frame.t() + w.y * frame.b() })
    }
}

impl PhysicsHooks for LawHook {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let (bodies, handles) = (context.bodies, [context.rigid_body1, context.rigid_body2]);
        let grains = handles.map(|handle| rotation(bodies, handle) * self.grain);
        let Some(manifold) = context.rigid_mut() else { return };
        let count = manifold.solver_contacts.len();
        if count == 0 {
            return;
        }
        let middle = manifold.solver_contacts.iter().map(|contact| contact.anchor1).sum::<Vector>() / count as f64;
        let velocity = |handle: Option<RigidBodyHandle>| {
            handle
                .and_then(|handle| bodies.get(handle))
                .map_or(DVec3::ZERO, |body| ours(body.velocity_at_point(middle)))
        };
        // Rapier's normal points from the first body to the second.
        let slip = velocity(handles[0]) - velocity(handles[1]);
        let falls = |handle: Option<RigidBodyHandle>| {
            f64::from(handle.and_then(|handle| bodies.get(handle)).is_some_and(|body| body.is_dynamic()))
        };
        let pull = (falls(handles[0]) - falls(handles[1])) * self.gravity;
        // A law that refuses a contact leaves Rapier's own friction in place.
        let motion = RelativeMotion { slip, pull, grains };
        let Ok(disk) = self.disk(-ours(*manifold.normal), &motion) else { return };
        *manifold.friction = disk.coefficient;
        // Rapier's is that of the second body's point relative to the first's.
        let wanted = -Vector::from_array(disk.wanted.to_array());
        manifold.solver_contacts.iter_mut().for_each(|contact| contact.tangent_velocity = wanted);
    }
}

fn rotation(bodies: &RigidBodySet, handle: Option<RigidBodyHandle>) -> DQuat {
    let body = handle.and_then(|handle| bodies.get(handle));
    body.map_or(DQuat::IDENTITY, |body| DQuat::from_array(body.rotation().to_array()))
}

fn ours(v: Vector) -> DVec3 {
    DVec3::from_array(v.to_array())
}
