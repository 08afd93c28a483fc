//! How long a body that deforms is beside its width, seen along a direction a.
//!
//! The vertices are projected onto the plane square to a. Their covariance there has two eigenvalues, the squares of the
//! standard deviations along its principal axes, λ = m ± √(d² + c²) with m half of its trace, d half of the difference of its
//! diagonal and c its other entry. The measure is √(λ₊/λ₋): 1 for a round outline, 2 for one that is twice as long as wide.

use glam::{DVec2, DVec3};

use super::VertexMeasure;
use super::question::{AT, BODY, Question, vertices_at};
use crate::record::{RecordError, Recording};
use crate::table::{Fault, Key, ValueKind, Variant};
use crate::world::Model;

const ALONG: Key =
    Key::new("along", ValueKind::Direction, "The direction that it is seen along, made a unit vector.").required();

/// Length over width of a body, seen along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elongation {
    /// Number of the body.
    body: usize,
    /// a, unit.
    along: DVec3,
    /// When, s.
    at: f64,
}

impl VertexMeasure for Elongation {
    const TABLE: Variant = Variant {
        name: "elongation",
        doc: "How long it is beside its width, seen along a direction: the ratio of the standard deviations of its vertices along the principal axes of its outline; 1 if it is round.",
        keys: &[BODY, ALONG, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        let along = question.along().unwrap_or(DVec3::Y);
        Ok(Self { body: question.body_of_vertices()?.body, along, at: question.at()? })
    }

    fn value(&self, _: &Model, recording: &Recording) -> Result<Option<f64>, RecordError> {
        let Some(now) = vertices_at(recording, self.body, self.at)? else { return Ok(None) };
        let (t, b) = self.along.any_orthonormal_pair();
        let flat = |x: &DVec3| DVec2::new(x.dot(t), x.dot(b));
        let mean = now.positions.iter().map(flat).sum::<DVec2>() / now.positions.len() as f64;
        let (mut squares, mut mixed) = (DVec2::ZERO, 0.0);
        for x in now.positions.iter().map(|x| flat(x) - mean) {
            squares += x * x;
            mixed += x.x * x.y;
        }
        let (middle, half) = (0.5 * (squares.x + squares.y), 0.5 * (squares.x - squares.y));
        let spread = half.hypot(mixed);
        // A flat outline has no width.
        let width = middle - spread;
        Ok((width > f64::EPSILON * middle).then(|| ((middle + spread) / width).sqrt()))
    }

    fn moment(&self) -> f64 {
        self.at
    }
}
