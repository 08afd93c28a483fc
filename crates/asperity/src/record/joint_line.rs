//! Joints in pictures: lines whose ends go with bodies.

use glam::DVec3;

use super::error::{RecordError, finite_all};
use crate::geometry::Pose;

/// What a line stands for: it decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Something that holds: a pin, a rail, a rod.
    Rigid,
    /// A spring.
    Spring,
}

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineEnd {
    /// Number of the body that it goes with; none for the world.
    pub body: Option<usize>,
    /// Where, in the body's coordinates.
    pub point: DVec3,
}

impl LineEnd {
    /// Where it is in the world, for bodies with these poses; `None` if there is no such body.
    pub fn place(&self, pose: impl Fn(usize) -> Option<Pose>) -> Option<DVec3> {
        match self.body {
            None => Some(self.point),
            Some(body) => pose(body).map(|pose| pose.apply(self.point)),
        }
    }
}

/// A line of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLine {
    /// Its ends.
    pub ends: [LineEnd; 2],
    /// What it stands for.
    pub kind: LineKind,
}

/// Refuses a line on a body that is not there, and numbers that are not finite.
pub(super) fn check(number: usize, line: &JointLine, bodies: usize) -> Result<(), RecordError> {
    for end in &line.ends {
        if let Some(body) = end.body.filter(|body| *body >= bodies) {
            return Err(RecordError::Setting {
                setting: "the body of a joint line",
                value: body as f64,
                reason: "there is no such body",
            });
        }
        finite_all(end.point.to_array(), "an end", || format!("joint line {number}"))?;
    }
    Ok(())
}
