//! Static bodies that touch each other: a body that slides from one to the next meets the surface of their union.
//!
//! Two boxes side by side, flush in a plane, share a face that nothing can touch; yet a box that slides over them, sunk in by rounding, is beside
//! the edge between them, and would be stopped by it. Contacts with a convex static body that others touch are those of the union
//! (`geometry/contact/union.rs`), as for the parts of a compound.

use super::PlacedBody;
use crate::body::Body;
use crate::geometry::{Aabb, Part, Pose, is_convex};
use crate::world::Model;

/// Boxes around bodies that are no farther apart than this part of their size touch.
const NEAR: f64 = 1e-5;

/// A convex static body, and the box around it.
struct Bounded {
    part: Part,
    bounds: Aabb,
}

/// The static bodies that others touch.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// Where the static bodies are for which this was made.
    poses: Vec<Option<Pose>>,
    /// For each body of the model, itself and those that touch it, in the world; empty if there are none.
    parts: Vec<Vec<Part>>,
}

impl Beside {
    /// Brings it up to date: static bodies do not move, but another model may have others.
    pub(super) fn update(&mut self, model: &Model, placed: &[PlacedBody]) {
        let pose = |(body, at): (&Body, &PlacedBody)| body.is_static().then_some(at.pose);
        if self.poses.len() == model.bodies.len()
            && model.bodies.iter().zip(placed).map(pose).eq(self.poses.iter().copied())
        {
            return;
        }
        self.poses = model.bodies.iter().zip(placed).map(pose).collect();
        self.parts = vec![Vec::new(); model.bodies.len()];
        let parts: Vec<Option<Bounded>> = model.bodies.iter().zip(&self.poses).map(of_static).collect();
        for (i, own) in parts.iter().enumerate() {
            let Some(Bounded { part, bounds }) = own else { continue };
            let touches = |(j, other): (usize, &Option<Bounded>)| {
                let Bounded { part: other, bounds: theirs } = other.as_ref()?;
                let room = NEAR * (bounds.max - bounds.min).length().min((theirs.max - theirs.min).length());
                let near = bounds.enlarged(room);
                let meets = theirs.min.cmple(near.max).all() && theirs.max.cmpge(near.min).all();
                (i != j && meets).then(|| other.clone())
            };
            let others: Vec<Part> = parts.iter().enumerate().filter_map(touches).collect();
            if !others.is_empty() {
                self.parts[i].push(part.clone());
                self.parts[i].extend(others);
            }
        }
    }

    /// A body and those that touch it, itself first; empty if there are none.
    pub(super) fn of(&self, body: usize) -> &[Part] {
        self.parts.get(body).map_or(&[], Vec::as_slice)
    }
}

/// A convex static body as a part of a union, and the box around it.
fn of_static((body, pose): (&Body, &Option<Pose>)) -> Option<Bounded> {
    let (shape, pose) = (body.shape()?, (*pose)?);
    is_convex(shape).then(|| Bounded { part: Part { pose, shape: shape.clone() }, bounds: shape.aabb(&pose) })
}
