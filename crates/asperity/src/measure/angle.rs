//! How far a body is turned from the start, or from another time s.
//!
//! The turn is R(t) R(s)ᵀ, the quaternion (w, u). Its angle is 2 atan2(|u|, |w|). The part about a unit axis a, the twist of the swing-twist
//! decomposition, is 2 atan2(u·a, w), brought to −π … π.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::FrameMeasure;
use super::body::BodyMoment;
use super::question::{ALONG, AT, BODY, Question, SINCE, frame_at};
use crate::record::Frame;
use crate::table::{Fault, Variant};
use crate::world::Model;

/// Angle of the turn, rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle {
    moment: BodyMoment,
    /// From how it was turned at this time, s.
    since: f64,
}

impl FrameMeasure for Angle {
    const TABLE: Variant = Variant {
        name: "angle",
        doc: "How far it is turned from the start, in radians; about `along`, if given, from -π to π.",
        keys: &[BODY, ALONG, SINCE, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        let moment = BodyMoment::read(question)?;
        Ok(Self { moment, since: question.since(moment.at)? })
    }

    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
        let then = frame_at(frames, self.since)?.states.get(self.moment.body)?.pose.rotation;
        let turn = self.moment.seen(model, frames)?.now.pose.rotation * then.conjugate();
        let vector = DVec3::new(turn.x, turn.y, turn.z);
        let Some(axis) = self.moment.along else { return Some(2.0 * vector.length().atan2(turn.w.abs())) };
        let angle = 2.0 * vector.dot(axis).atan2(turn.w);
        Some(if angle > PI {
            angle - TAU
        } else if angle < -PI {
            angle + TAU
        } else {
            angle
        })
    }

    fn moment(&self) -> Option<f64> {
        Some(self.moment.at)
    }
}
