//! The rows of joints in a span ([`crate::step::joint_rows`] has their mathematics), and the first guess of where it ends.

use super::setup::Setup;
use crate::body::{Body, BodyState, Matter, Motion, Rigid, RigidState, Twist};
use crate::step::StepError;
use crate::step::joint_rows::{JointRow, JointSite, Mobility, Speeds};
use crate::step::rotation::turned;
use crate::world::{Model, State};

/// Where the bodies would be after h if nothing but scripts acted: the first guess.
pub(super) fn guess(model: &Model, state: &State, h: f64) -> Vec<BodyState> {
    let moved = |(body, start): (&Body, &BodyState)| {
        let (Matter::Rigid(Rigid { motion, .. }), BodyState::Rigid(at)) = (&body.matter, start) else {
            return start.clone();
        };
        BodyState::Rigid(match motion {
            Motion::Scripted(script) if h > 0.0 => {
                let pose = script.pose(state.time + h);
                RigidState { centre: pose.position, rotation: pose.rotation, ..*at }
            }
            Motion::Static | Motion::Scripted(_) => *at,
            Motion::Dynamic(inertia) => {
                let momentum = inertia.momentum(at.rotation, at.angular_velocity);
                let rotation = turned(inertia, at.rotation, momentum, h);
                let angular_velocity = inertia.angular_velocity(rotation, momentum);
                RigidState { centre: at.centre + at.velocity * h, rotation, velocity: at.velocity, angular_velocity }
            }
        })
    };
    model.bodies.iter().zip(&state.bodies).map(moved).collect()
}

impl Setup<'_> {
    /// Velocities of a body of a joint; zero for the world.
    pub(super) fn speeds(&self, body: Option<u32>, guess: &[BodyState]) -> Speeds {
        let Some(body) = body else { return Speeds::default() };
        let start = self.start_twist(body);
        match (self.free.get(body), self.model.bodies[body as usize].inertia()) {
            (Some(own), Some(inertia)) => {
                let end = guess[body as usize].frame();
                let spin = own.inverse_inertia * inertia.momentum(end.rotation, end.angular_velocity);
                Speeds {
                    before: Twist { angular_velocity: own.turning, ..start },
                    guess: Twist { velocity: end.velocity, angular_velocity: spin },
                }
            }
            _ => Speeds { before: start, guess: start },
        }
    }

    /// The rows of all joints. `guess` is where the step ends; `ends` which joints move by the rule "end".
    pub(super) fn joint_rows(&self, guess: &[BodyState], ends: &[bool]) -> Result<Vec<JointRow>, StepError> {
        let mobility = |body: u32| {
            let own = self.free.get(body)?;
            Some(Mobility { inverse_mass: own.inverse_mass, inverse_inertia: own.inverse_inertia })
        };
        let site = JointSite {
            model: self.model,
            placed: self.placed,
            time: self.time,
            h: self.span.length(),
            speeds: &|body| self.speeds(body, guess),
            mobility: &mobility,
        };
        site.rows(guess, ends)
    }
}
