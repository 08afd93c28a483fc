//! How often a chain of bodies winds around a line.
//!
//! The line goes through o along the unit vector a. Seen along it, body i is in the direction d_i = x_i − o − ((x_i − o)·a) a, and the angle from a body to the next one is
//! atan2(a·(d_i × d_{i+1}), d_i·d_{i+1}), from −π to π. Their sum over the chain, in turns of 2π, counts how often the chain goes around the line: right as long as no two
//! neighbours are on opposite sides of it. A straight chain that passes the line makes up to half a turn, and one that is wound by θ with long straight ends up to θ/2π + 1/2.

use std::f64::consts::TAU;

use glam::DVec3;

use super::FrameMeasure;
use super::question::{AT, BODIES, Question, frame_at};
use crate::record::Frame;
use crate::table::{Fault, Key, Range, ValueKind, Variant};
use crate::world::Model;

const AXIS: Key = Key::new("along", ValueKind::Direction, "Direction of the line, made a unit vector.").required();
const THROUGH: Key =
    Key::new("through", ValueKind::Numbers(3, Range::Any), "A point of the line.").unit("m").or("the origin");

/// Turns of a chain of bodies around a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Winding {
    /// Numbers of the bodies, in the order of the chain.
    bodies: Vec<usize>,
    /// o, m.
    through: DVec3,
    /// a, unit.
    axis: DVec3,
    /// When, s.
    at: f64,
}

impl FrameMeasure for Winding {
    const TABLE: Variant = Variant {
        name: "winding",
        doc: "How often a chain of bodies goes around a line, in turns, right-handed about `along`: from each body to the next by less than half a turn.",
        keys: &[BODIES, AXIS, THROUGH, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        let bodies = question.bodies()?;
        if bodies.len() < 2 {
            return Err(question
                .view
                .fault(BODIES.name, "one body alone winds around nothing: at least two are needed"));
        }
        let axis = question.along().unwrap_or(DVec3::Y);
        let through = question.view.vector(THROUGH.name).unwrap_or(DVec3::ZERO);
        Ok(Self { bodies, through, axis, at: question.at()? })
    }

    fn value(&self, model: &Model, frames: &[Frame]) -> Option<f64> {
        let now = frame_at(frames, self.at)?;
        let (mut before, mut sum): (Option<DVec3>, f64) = (None, 0.0);
        for &body in &self.bodies {
            let place = now.states.get(body)?.pose.apply(model.bodies.get(body)?.centre());
            let own = (place - self.through).reject_from_normalized(self.axis);
            sum += before.map_or(0.0, |last| angle(self.axis, last, own));
            before = Some(own);
        }
        Some(sum / TAU)
    }

    fn moment(&self) -> Option<f64> {
        Some(self.at)
    }
}

/// The angle from one direction to another about an axis at right angles to both, −π … π.
fn angle(axis: DVec3, from: DVec3, to: DVec3) -> f64 {
    axis.dot(from.cross(to)).atan2(from.dot(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_right_handed() {
        let turned = |degrees: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            angle(DVec3::Y, DVec3::Z, 3.0 * DVec3::new(sin, 0.0, cos)).to_degrees()
        };
        for degrees in [-170.0, -20.0, 0.0, 45.0, 179.0] {
            assert!((turned(degrees) - degrees).abs() < 1e-12, "{degrees}");
        }
        assert_eq!(angle(DVec3::Y, DVec3::ZERO, DVec3::X), 0.0);
    }
}
