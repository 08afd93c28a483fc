//! How far a body is turned from the start.
//!
//! The turn is R(t) R(0)ᵀ, the quaternion (w, u). Its angle is 2 atan2(|u|, |w|). The part about a unit axis a, the twist of the swing-twist
//! decomposition, is 2 atan2(u·a, w), brought to −π … π.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::FrameMeasure;
use super::body::BodyMoment;
use super::question::{ALONG, AT, BODY, Question};
use crate::record::Frame;
use crate::table::{Fault, Variant};
use crate::world::Model;

/// Angle of the turn from the start, rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle(BodyMoment);

impl FrameMeasure for Angle {
    const TABLE: Variant = Variant {
        name: "angle",
        doc: "How far it is turned from the start, in radians; about `along`, if given, from -π to π.",
        keys: &[BODY, ALONG, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        BodyMoment::read(question).map(Self)
    }

    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
        let seen = self.0.seen(model, frames)?;
        let turn = seen.now.pose.rotation * seen.start.pose.rotation.conjugate();
        let vector = DVec3::new(turn.x, turn.y, turn.z);
        let Some(axis) = self.0.along else { return Some(2.0 * vector.length().atan2(turn.w.abs())) };
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
        Some(self.0.at)
    }
}
