//! The distance of two vertices of a body that deforms, or the component of the way from the first to the second.

use glam::DVec3;

use super::VertexMeasure;
use super::body::component;
use super::question::{ALONG, AT, BODY, Question, vertices_at};
use crate::record::{RecordError, Recording};
use crate::table::{Fault, Key, Range, ValueKind, Variant, whole};
use crate::world::Model;

const VERTICES: Key = Key::new(
    "vertices",
    ValueKind::Several(&ValueKind::Whole(0, u32::MAX as u64), 2),
    "Numbers of the two vertices, counted from 0.",
);
const NEAR: Key = Key::new(
    "near",
    ValueKind::Several(&ValueKind::Numbers(3, Range::Any), 2),
    "Instead of their numbers: two places of the body at rest, in its frame; the nearest vertices are meant.",
)
.unit("m");

/// Distance of two vertices of a body, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexDistance {
    /// Number of the body.
    body: usize,
    /// Numbers of the vertices.
    vertices: [usize; 2],
    /// Unit: the component along this of the way from the first to the second; `None`: the distance.
    along: Option<DVec3>,
    /// When, s.
    at: f64,
}

impl VertexMeasure for VertexDistance {
    const TABLE: Variant = Variant {
        name: "vertex_distance",
        doc: "Distance of two vertices of a body, in m; with `along`, how far the second is beyond the first in that direction.",
        keys: &[BODY, VERTICES, NEAR, ALONG, AT],
    };

    fn read(question: &Question) -> Result<Self, Fault> {
        let (view, at, owner) = (question.view, question.at()?, question.body_of_vertices()?);
        view.at_most_one(&[VERTICES.name, NEAR.name])?;
        let vertices = match (view.list(VERTICES.name), view.list(NEAR.name)) {
            ([a, b], _) => {
                let numbered = |node| {
                    let found = owner.numbered(whole(node).unwrap_or(u64::MAX));
                    found.map_err(|reason| view.fault(VERTICES.name, reason))
                };
                [numbered(a)?, numbered(b)?]
            }
            (_, [a, b]) => [a, b].map(|node| owner.nearest(node.numbers::<3>().map_or(DVec3::ZERO, DVec3::from_array))),
            _ => {
                return Err(
                    view.own_fault("which vertices? Give `vertices`, two numbers, or `near`, two places at rest")
                );
            }
        };
        if vertices[0] == vertices[1] {
            return Err(view.own_fault(format!("both are vertex {} of `{}`", vertices[0], owner.name)));
        }
        Ok(Self { body: owner.body, vertices, along: question.along(), at })
    }

    fn value(&self, _: &Model, recording: &Recording) -> Result<Option<f64>, RecordError> {
        let Some(now) = vertices_at(recording, self.body, self.at)? else { return Ok(None) };
        let [a, b] = self.vertices.map(|vertex| now.positions.get(vertex).copied());
        Ok(a.zip(b).map(|(a, b)| component(b - a, self.along)))
    }

    fn moment(&self) -> f64 {
        self.at
    }
}
