//! The bodies that forces move, with the velocities that they would have at the end of a span without contacts and
//! joints.

use glam::{DMat3, DQuat, DVec3};

use crate::body::{BodyState, Twist};
use crate::step::rotation::turned;
use crate::world::{Model, State};

/// A dynamic body within a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeBody {
    /// Number of the body in the model.
    pub(super) body: u32,
    /// Orientation at the end of the span without contacts.
    pub(super) end: DQuat,
    pub(super) inverse_mass: f64,
    pub(super) inverse_inertia: DMat3,
    /// Angular velocity that the momentum at the start has at the end.
    pub(super) turning: DVec3,
    /// Velocities at the end of the span without contacts.
    pub(super) twist: Twist,
}

/// The dynamic bodies of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeBodies {
    list: Vec<FreeBody>,
    /// Number of each body of the model in the list, `u32::MAX` for those that are not in it.
    number: Vec<u32>,
}

impl FreeBodies {
    /// Those of a model after a time h. `ends` are orientations at the end that are known better, of some bodies.
    pub(super) fn new(model: &Model, state: &State, h: f64, ends: &[Option<DQuat>]) -> Self {
        let mut free = Self { list: Vec::new(), number: vec![u32::MAX; model.bodies.len()] };
        for (i, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
            let (Some(inertia), BodyState::Rigid(at)) = (body.inertia(), at) else { continue };
            free.number[i] = free.list.len() as u32;
            let inverse_mass = 1.0 / inertia.mass();
            let momentum = inertia.momentum(at.rotation, at.angular_velocity);
            let known = ends.get(i).copied().flatten();
            let end = known.unwrap_or_else(|| turned(inertia, at.rotation, momentum, h));
            let inverse_inertia = inertia.inverse_in_world(end);
            // Damping is implicit, so that it never reverses a motion: the torque −c ω as a fraction of L.
            let spin = at.angular_velocity.dot(momentum);
            let slowing =
                if spin > 0.0 { model.angular_damping * at.angular_velocity.length_squared() / spin } else { 0.0 };
            let twist = Twist {
                velocity: (at.velocity + model.gravity * h) / (1.0 + h * model.damping * inverse_mass),
                angular_velocity: inverse_inertia * (momentum / (1.0 + h * slowing)),
            };
            let turning = inverse_inertia * momentum;
            free.list.push(FreeBody { body: i as u32, end, inverse_mass, inverse_inertia, turning, twist });
        }
        free
    }

    /// All of them.
    #[inline]
    pub(super) fn list(&self) -> &[FreeBody] {
        &self.list
    }

    /// The place of a body of the model in the list; `None` if forces do not move it.
    #[inline]
    pub(super) fn number(&self, body: u32) -> Option<usize> {
        Some(self.number[body as usize] as usize).filter(|number| *number < self.list.len())
    }

    /// A body of the model, if forces move it.
    #[inline]
    pub(super) fn get(&self, body: u32) -> Option<&FreeBody> {
        self.list.get(self.number[body as usize] as usize)
    }
}
