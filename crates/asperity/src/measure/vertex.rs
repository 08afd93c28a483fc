//! Vectors of one vertex of a body that deforms, at a moment: its place, how far it is from where it started, its velocity.
//!
//! The vertex is chosen by its number, or as the one that is nearest to a place of the body at rest. Recorded velocities of vertices have seven digits.

use glam::DVec3;

use super::VertexMeasure;
use super::body::component;
use super::question::{ALONG, AT, BODY, Question, SINCE, VertexBody, vertices_at};
use crate::record::{MeshFrame, RecordError, Recording};
use crate::table::{Fault, Key, Range, ValueKind, Variant};
use crate::world::Model;

const VERTEX: Key = Key::new("vertex", ValueKind::Whole(0, u32::MAX as u64), "Number of the vertex, counted from 0.");
const NEAR: Key = Key::new(
    "near",
    ValueKind::Numbers(3, Range::Any),
    "Instead of its number: a place of the body at rest, in its frame; the nearest vertex is meant.",
)
.unit("m");
const KEYS: &[Key] = &[BODY, VERTEX, NEAR, ALONG, AT];
const KEYS_SINCE: &[Key] = &[BODY, VERTEX, NEAR, ALONG, SINCE, AT];

/// Which vertex of which body, along which direction, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
struct VertexMoment {
    /// Number of the body.
    body: usize,
    /// Number of the vertex.
    vertex: usize,
    /// Unit: the component along this; `None`: the length.
    along: Option<DVec3>,
    /// When, s.
    at: f64,
    /// From where it was at this time, s.
    since: f64,
}

impl VertexMoment {
    fn read(question: &Question) -> Result<Self, Fault> {
        let at = question.at()?;
        let owner = question.body_of_vertices()?;
        Ok(Self {
            body: owner.body,
            vertex: chosen(question, &owner)?,
            along: question.along(),
            at,
            since: question.since(at)?,
        })
    }

    /// A vector of the vertex, of the vertices then and now.
    fn value(&self, recording: &Recording, vector: VectorOf) -> Result<Option<f64>, RecordError> {
        let (Some(then), Some(now)) =
            (vertices_at(recording, self.body, self.since)?, vertices_at(recording, self.body, self.at)?)
        else {
            return Ok(None);
        };
        Ok(vector(&then, &now, self.vertex).map(|vector| component(vector, self.along)))
    }
}

/// The vertex that a table asks for.
fn chosen(question: &Question, owner: &VertexBody) -> Result<usize, Fault> {
    let view = question.view;
    view.at_most_one(&[VERTEX.name, NEAR.name])?;
    match (view.whole(VERTEX.name), view.vector(NEAR.name)) {
        (Some(number), _) => owner.numbered(number).map_err(|reason| view.fault(VERTEX.name, reason)),
        (None, Some(place)) => Ok(owner.nearest(place)),
        (None, None) => Err(view.own_fault("which vertex? Give `vertex`, its number, or `near`, a place at rest")),
    }
}

/// A vector of a vertex, from the vertices then and now.
type VectorOf = fn(&MeshFrame, &MeshFrame, usize) -> Option<DVec3>;

macro_rules! vertex_vectors {
    ($($(#[$about:meta])* $name:ident, $key:literal, $doc:literal, $keys:expr, $vector:expr;)+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name(VertexMoment);

        impl VertexMeasure for $name {
            const TABLE: Variant = Variant { name: $key, doc: $doc, keys: $keys };

            fn read(question: &Question) -> Result<Self, Fault> {
                VertexMoment::read(question).map(Self)
            }

            fn value(&self, _: &Model, recording: &Recording) -> Result<Option<f64>, RecordError> {
                self.0.value(recording, $vector)
            }

            fn moment(&self) -> f64 {
                self.0.at
            }
        }
    )+};
}

vertex_vectors! {
    /// Place of a vertex, m.
    VertexPosition, "vertex_position", "Place of a vertex of a cloth, a solid or an animated mesh, in m.", KEYS,
        |_, now, i| now.positions.get(i).copied();
    /// How far a vertex is from where it started, m.
    VertexDisplacement, "vertex_displacement", "How far a vertex is from where it started, in m.", KEYS_SINCE,
        |then, now, i| Some(*now.positions.get(i)? - *then.positions.get(i)?);
    /// Velocity of a vertex, m/s.
    VertexVelocity, "vertex_velocity", "Velocity of a vertex, in m/s.", KEYS, |_, now, i| now.velocities.get(i).copied();
}
