//! Vectors of a body at a moment: its place and its velocities. All differ only in the vector that is taken of the body's state.

use glam::DVec3;

use super::FrameMeasure;
use super::question::{ALONG, AT, BODY, Question, frame_at};
use crate::record::{Frame, FrameState};
use crate::table::{Fault, Key, Variant};
use crate::world::Model;

/// Which body, along which direction, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BodyMoment {
    /// Number of the body.
    pub(super) body: usize,
    /// Unit: the component along this; `None`: the length.
    pub(super) along: Option<DVec3>,
    /// When, s.
    pub(super) at: f64,
}

/// A body at the moment, and its centre of mass in its own coordinates.
pub(super) struct BodySeen {
    pub(super) now: FrameState,
    pub(super) centre: DVec3,
}

impl BodyMoment {
    pub(super) fn read(question: &Question) -> Result<Self, Fault> {
        let at = question.at()?;
        Ok(Self { body: question.body()?, along: question.along(), at })
    }

    pub(super) fn seen(&self, model: &Model, frames: &[Frame]) -> Option<BodySeen> {
        let now = *frame_at(frames, self.at)?.states.get(self.body)?;
        Some(BodySeen { now, centre: model.bodies.get(self.body)?.centre() })
    }
}

/// The component of a vector along a unit vector, or its length.
pub(super) fn component(vector: DVec3, along: Option<DVec3>) -> f64 {
    along.map_or_else(|| vector.length(), |axis| vector.dot(axis))
}

/// The velocity of the centre of mass.
fn velocity(seen: &BodySeen) -> DVec3 {
    let now = &seen.now;
    now.velocity + now.angular_velocity.cross(now.pose.rotation * seen.centre)
}

macro_rules! body_vectors {
    ($($(#[$about:meta])* $name:ident, $key:literal, $doc:literal, $keys:expr, $vector:expr;)+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name(BodyMoment);

        impl FrameMeasure for $name {
            const TABLE: Variant = Variant { name: $key, doc: $doc, keys: $keys };

            fn read(question: &Question) -> Result<Self, Fault> {
                BodyMoment::read(question).map(Self)
            }

            fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
                let vector: fn(&BodySeen) -> DVec3 = $vector;
                self.0.seen(model, frames).map(|seen| component(vector(&seen), self.0.along))
            }

            fn moment(&self) -> Option<f64> {
                Some(self.0.at)
            }
        }
    )+};
}

const KEYS: &[Key] = &[BODY, ALONG, AT];

body_vectors! {
    /// Place of the centre of mass, m.
    Position, "position", "Place of the centre of mass, in m.", KEYS, |seen| seen.now.pose.apply(seen.centre);
    /// Velocity of the centre of mass, m/s.
    Velocity, "velocity", "Velocity of the centre of mass, in m/s.", KEYS, velocity;
    /// Length of the velocity, m/s.
    Speed, "speed", "Length of the velocity, in m/s.", &[BODY, AT], velocity;
    /// Angular velocity, rad/s.
    AngularVelocity, "angular_velocity", "Angular velocity, in rad/s.", KEYS, |seen| seen.now.angular_velocity;
}
