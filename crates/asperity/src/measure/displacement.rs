//! How far a body is from where it started, d(t) = x(t) − x(0), or from where it was at another time: at a moment, when it first reaches a length, and at most.

use glam::DVec3;

use super::FrameMeasure;
use super::body::{BodyMoment, component};
use super::question::{ALONG, AT, BODIES, BODY, Question, SINCE, frame_at};
use crate::record::{Frame, FrameState};
use crate::table::{Fault, Key, Range, ValueKind, Variant};
use crate::world::Model;

const REACH: Key = Key::new("reach", ValueKind::Number(Range::Positive), "The length.").unit("m").required();

/// d, for the centre of mass at `centre` in the body's coordinates.
fn displacement(centre: DVec3, start: &FrameState, now: &FrameState) -> DVec3 {
    now.pose.apply(centre) - start.pose.apply(centre)
}

/// How far a body is from where it started, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Displacement {
    moment: BodyMoment,
    /// From where it was at this time, s.
    since: f64,
}

impl FrameMeasure for Displacement {
    const TABLE: Variant = Variant {
        name: "displacement",
        doc: "How far it is from where it started, in m.",
        keys: &[BODY, ALONG, SINCE, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        let moment = BodyMoment::read(question)?;
        Ok(Self { moment, since: question.since(moment.at)? })
    }

    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
        let then = *frame_at(frames, self.since)?.states.get(self.moment.body)?;
        let seen = self.moment.seen(model, frames)?;
        Some(component(displacement(seen.centre, &then, &seen.now), self.moment.along))
    }

    fn moment(&self) -> Option<f64> {
        Some(self.moment.at)
    }
}

/// When the displacement of a body first reaches a length, s; on the straight line between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeWhen {
    /// Number of the body.
    body: usize,
    /// Unit: the component along this; `None`: the length.
    along: Option<DVec3>,
    /// The length, m.
    reach: f64,
}

impl FrameMeasure for TimeWhen {
    const TABLE: Variant = Variant {
        name: "time_when",
        doc: "When its displacement first reaches a length, in s.",
        keys: &[BODY, ALONG, REACH],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        Ok(Self { body: question.body()?, along: question.along(), reach: question.view.number_of(&REACH) })
    }

    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
        let centre = model.bodies.get(self.body)?.centre();
        let start = frames.first()?.states.get(self.body)?;
        let mut before: Option<(f64, f64)> = None;
        for frame in frames {
            let now = component(displacement(centre, start, frame.states.get(self.body)?), self.along);
            if now >= self.reach {
                return Some(match before {
                    Some((t, then)) if now > then => t + (frame.t - t) * (self.reach - then) / (now - then),
                    _ => frame.t,
                });
            }
            before = Some((frame.t, now));
        }
        None
    }
}

/// Largest displacement of several bodies in the whole run, m.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// Numbers of the bodies.
    bodies: Vec<usize>,
}

impl FrameMeasure for Rest {
    const TABLE: Variant =
        Variant { name: "rest", doc: "Largest displacement in the whole run, in m.", keys: &[BODIES] };

    fn read(question: &Question) -> Result<Self, Fault> {
        Ok(Self { bodies: question.bodies()? })
    }

    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
        let first = frames.first()?;
        let mut largest: f64 = 0.0;
        for frame in frames {
            for &body in &self.bodies {
                let (start, now) = (first.states.get(body)?, frame.states.get(body)?);
                largest = largest.max(displacement(model.bodies.get(body)?.centre(), start, now).length());
            }
        }
        Some(largest)
    }
}
