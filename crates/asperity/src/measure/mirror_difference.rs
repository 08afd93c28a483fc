//! How far two bodies that deform are from being mirror images of each other.
//!
//! The mirror is the plane square to a direction a through the middle m of the places where the two bodies begin. With x_i the
//! vertices of one and y_i those of the other, the measure is the mean of |x_i − y_i + 2 a (a·(y_i − m))| over i.

use glam::DVec3;

use super::VertexMeasure;
use super::question::{AT, BODY, Question, vertices_at};
use crate::nearest::did_you_mean;
use crate::record::{RecordError, Recording};
use crate::table::{Fault, Key, ValueKind, Variant};
use crate::world::Model;

const OTHER: Key = Key::new("other", ValueKind::Text, "The other body, with as many vertices.").required();
const ALONG: Key =
    Key::new("along", ValueKind::Direction, "The direction that the mirror is square to, made a unit vector.")
        .required();

/// Mean distance of the vertices of a body from the mirrored ones of another, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorDifference {
    /// Numbers of the bodies.
    bodies: [usize; 2],
    /// a, unit.
    along: DVec3,
    /// When, s.
    at: f64,
}

impl VertexMeasure for MirrorDifference {
    const TABLE: Variant = Variant {
        name: "mirror_difference",
        doc: "Mean distance of its vertices from those of another body, mirrored half way between where the two begin, in m.",
        keys: &[BODY, OTHER, ALONG, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        let own = question.body_of_vertices()?;
        let name = question.view.text(OTHER.name).unwrap_or_default();
        let names = || question.bodies.iter().map(|body| body.name.as_str());
        let fault = |reason: String| question.view.fault(OTHER.name, reason);
        let other = names()
            .position(|known| known == name)
            .ok_or_else(|| fault(format!("no body has the name `{name}`{}", did_you_mean(name, names()))))?;
        let vertices = question.bodies[other].mesh().map_or(0, |mesh| mesh.data().vertices.len());
        if vertices != own.rest.len() {
            return Err(fault(format!("`{name}` has {vertices} vertices, `{}` has {}", own.name, own.rest.len())));
        }
        let along = question.along().unwrap_or(DVec3::X);
        Ok(Self { bodies: [own.body, other], along, at: question.at()? })
    }

    fn value(&self, _: &Model, recording: &Recording) -> Result<Option<f64>, RecordError> {
        let [from, to] = [0.0, self.at].map(|t| self.bodies.map(|body| vertices_at(recording, body, t)));
        let ([Some(a), Some(b)], [Some(x), Some(y)]) = (both(from)?, both(to)?) else { return Ok(None) };
        let mean = |points: &[DVec3]| points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        let middle = 0.5 * (mean(&a.positions) + mean(&b.positions));
        let mirrored = |y: &DVec3| *y - self.along * (2.0 * self.along.dot(*y - middle));
        let pairs = x.positions.iter().zip(&y.positions);
        let sum: f64 = pairs.map(|(x, y)| x.distance(mirrored(y))).sum();
        Ok(Some(sum / x.positions.len().max(1) as f64))
    }

    fn moment(&self) -> f64 {
        self.at
    }
}

fn both<T>([a, b]: [Result<T, RecordError>; 2]) -> Result<[T; 2], RecordError> {
    Ok([a?, b?])
}
