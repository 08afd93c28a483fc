//! Bodies beyond a plane, x·n > d: how many, and which fraction of them.

use glam::DVec3;

use super::FrameMeasure;
use super::question::{AT, BODIES, Question, frame_at};
use crate::record::Frame;
use crate::table::{Fault, Key, Range, ValueKind, Variant};
use crate::world::Model;

const DISTANCE: Key =
    Key::new("beyond", ValueKind::Number(Range::Any), "How far the plane is from the origin.").unit("m").required();
const KEYS: &[Key] = &[
    BODIES,
    Key::new("along", ValueKind::Direction, "Normal of a plane, made a unit vector.").required(),
    DISTANCE,
    AT,
];

/// Bodies and a plane.
#[derive(Clone, Debug, PartialEq)]
struct Beyond {
    /// Numbers of the bodies.
    bodies: Vec<usize>,
    /// n, unit.
    normal: DVec3,
    /// d, m.
    distance: f64,
    /// When, s.
    at: f64,
}

impl Beyond {
    fn read(question: &Question) -> Result<Self, Fault> {
        let at = question.at()?;
        let normal = question.along().unwrap_or(DVec3::Y);
        Ok(Self { bodies: question.bodies()?, normal, distance: question.view.number_of(&DISTANCE), at })
    }

    fn count(&self, model: &Model, frames: &[Frame]) -> Option<usize> {
        let now = frame_at(frames, self.at)?;
        let mut count = 0;
        for &body in &self.bodies {
            let place = now.states.get(body)?.pose.apply(model.bodies.get(body)?.centre());
            count += usize::from(place.dot(self.normal) > self.distance);
        }
        Some(count)
    }
}

/// How many bodies are beyond a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Count(Beyond);

impl FrameMeasure for Count {
    const TABLE: Variant = Variant { name: "count", doc: "How many bodies are beyond a plane.", keys: KEYS };

    fn read(question: &Question) -> Result<Self, Fault> {
        Beyond::read(question).map(Self)
    }

    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
        self.0.count(model, frames).map(|count| count as f64)
    }

    fn moment(&self) -> Option<f64> {
        Some(self.0.at)
    }
}

/// Which fraction of the bodies is beyond a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Fraction(Beyond);

impl FrameMeasure for Fraction {
    const TABLE: Variant =
        Variant { name: "fraction", doc: "Which fraction of the bodies is beyond a plane.", keys: KEYS };

    fn read(question: &Question) -> Result<Self, Fault> {
        Beyond::read(question).map(Self)
    }

    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
        self.0.count(model, frames).map(|count| count as f64 / self.0.bodies.len() as f64)
    }

    fn moment(&self) -> Option<f64> {
        Some(self.0.at)
    }
}
