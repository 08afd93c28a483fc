//! How far the vertices of a body that deforms reach along a direction: max x·a, min x·a, and their difference.

use glam::DVec3;

use super::VertexMeasure;
use super::question::{AT, BODY, Question, vertices_at};
use crate::record::{RecordError, Recording};
use crate::table::{Fault, Key, ValueKind, Variant};
use crate::world::Model;

const KEYS: &[Key] =
    &[BODY, Key::new("along", ValueKind::Direction, "The direction a, made a unit vector.").required(), AT];

/// Which body, along which direction, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reach {
    /// Number of the body.
    body: usize,
    /// a, unit.
    along: DVec3,
    /// When, s.
    at: f64,
}

/// The vertices that reach least and farthest along a direction, m.
struct Ends {
    lowest: f64,
    highest: f64,
}

impl Reach {
    fn read(question: &Question) -> Result<Self, Fault> {
        let at = question.at()?;
        Ok(Self { body: question.body_of_vertices()?.body, along: question.along().unwrap_or(DVec3::Y), at })
    }

    fn ends(&self, recording: &Recording) -> Result<Option<Ends>, RecordError> {
        let Some(now) = vertices_at(recording, self.body, self.at)? else { return Ok(None) };
        let none = Ends { lowest: f64::INFINITY, highest: f64::NEG_INFINITY };
        let wider = |ends: Ends, x: f64| Ends { lowest: ends.lowest.min(x), highest: ends.highest.max(x) };
        Ok(Some(now.positions.iter().map(|x| x.dot(self.along)).fold(none, wider)))
    }
}

macro_rules! reaches {
    ($($(#[$about:meta])* $name:ident, $key:literal, $doc:literal, $of:expr;)+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name(Reach);

        impl VertexMeasure for $name {
            const TABLE: Variant = Variant { name: $key, doc: $doc, keys: KEYS };

            fn read(question: &Question) -> Result<Self, Fault> {
                Reach::read(question).map(Self)
            }

            fn value(&self, _: &Model, recording: &Recording) -> Result<Option<f64>, RecordError> {
                let of: fn(Ends) -> f64 = $of;
                Ok(self.0.ends(recording)?.map(of))
            }

            fn moment(&self) -> f64 {
                self.0.at
            }
        }
    )+};
}

reaches! {
    /// Largest coordinate of the vertices along a direction, m.
    Highest, "highest", "Largest coordinate of its vertices along a direction, in m.", |ends| ends.highest;
    /// Smallest coordinate of the vertices along a direction, m.
    Lowest, "lowest", "Smallest coordinate of its vertices along a direction, in m.", |ends| ends.lowest;
    /// Size of a body along a direction, m.
    Extent, "extent", "Size along a direction, from its lowest to its highest vertex, in m.",
        |ends| ends.highest - ends.lowest;
}
