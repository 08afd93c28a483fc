//! Edges and corners inside the flat faces of rigid bodies.
//!
//! A vertex above a flat face that is cut into triangles is near to several of them. The barrier of the triangle that it projects to is that
//! of the whole face; of the others it is near to an edge or a corner that lies inside the face, and these would count the face again. They
//! are left out wherever something of the same body is nearer. Exactly above such an edge, all triangles around it answer with the
//! edge: there it stands for the face, and counts once.

use std::collections::BTreeMap;

use glam::DVec3;

use super::surfaces::Surfaces;
use crate::barrier::{Collision, StencilKind};

/// Distances that differ by less than this fraction are equal but for rounding.
const EQUAL: f64 = 1e-9;

/// A vertex and the body that it is near to.
type Meeting = (u32, u32);

/// What a collision says of a meeting.
struct Seen {
    meeting: Meeting,
    distance: f64,
    /// Whether the vertex is nearest to an edge or a corner inside a flat face.
    inner: bool,
}

impl Surfaces {
    /// Leaves out what counts a flat face again.
    pub(super) fn without_inner(&self, found: &mut Vec<Collision>, positions: &[DVec3]) {
        if !found.iter().any(|own| self.meeting(own).is_some_and(|(_, inner)| inner)) {
            return;
        }
        let seen: Vec<Option<Seen>> = found.iter().map(|own| self.seen(own, positions)).collect();
        // The nearest collision of each meeting, those outside of faces before those inside.
        let mut nearest: BTreeMap<Meeting, usize> = BTreeMap::new();
        for (number, own) in seen.iter().enumerate().filter_map(|(number, own)| Some((number, own.as_ref()?))) {
            let best = nearest.entry(own.meeting).or_insert(number);
            if let Some(known) = &seen[*best] {
                let bound = if own.inner == known.inner {
                    known.distance
                } else if known.inner {
                    known.distance * (1.0 + EQUAL)
                } else {
                    known.distance * (1.0 - EQUAL)
                };
                if own.distance < bound {
                    *best = number;
                }
            }
        }
        let mut number = 0;
        found.retain_mut(|own| {
            let seen = &seen[number];
            let first = seen.as_ref().is_none_or(|seen| !seen.inner || nearest.get(&seen.meeting) == Some(&number));
            if first && seen.as_ref().is_some_and(|seen| seen.inner) {
                own.weight = 1.0;
            }
            number += 1;
            first
        });
    }

    fn seen(&self, own: &Collision, positions: &[DVec3]) -> Option<Seen> {
        let (meeting, inner) = self.meeting(own)?;
        let distance = own.nearest(&own.points(positions), &[]).distance;
        Some(Seen { meeting, distance, inner })
    }

    /// The vertex and the body that meet in a collision, and whether the vertex is nearest to what lies inside a flat face; `None` where edges
    /// or planes meet.
    fn meeting(&self, own: &Collision) -> Option<(Meeting, bool)> {
        let [a, b, c, _] = own.vertices;
        match own.kind {
            StencilKind::FaceVertex => Some(((a, self.body(b)), false)),
            StencilKind::EdgeVertex => Some(((a, self.body(b)), self.in_flat_face(b, c))),
            StencilKind::VertexVertex if self.is_flat_vertex(a) => Some(((b, self.body(a)), true)),
            StencilKind::VertexVertex => Some(((a, self.body(b)), self.is_flat_vertex(b))),
            _ => None,
        }
    }
}
