//! Bodies that overlap at the start: a scene that would begin with an explosion.
//!
//! The depth of a contact is compared with the least width of the smaller body, along the axes of its own frame. Meshes are surfaces and
//! have no width; half-spaces have none either.

use crate::body::{Body, BodyState};
use crate::geometry::{Aabb, BroadPhase, ContactPoint, Pose, Proxy, Shape, contacts};

/// Part of the smaller body's least width that bodies may overlap by.
const ALLOWED: f64 = 0.01;

/// Two bodies that overlap.
pub(super) struct Overlap {
    pub(super) bodies: [usize; 2],
    pub(super) depth: f64,
    pub(super) allowed: f64,
}

/// Least width of a body; infinite for surfaces and half-spaces.
fn width(shape: &Shape) -> f64 {
    match shape {
        Shape::Mesh(_) | Shape::HalfSpace { .. } => f64::INFINITY,
        _ => {
            let Aabb { min, max } = shape.aabb(&Pose::IDENTITY);
            (max - min).min_element()
        }
    }
}

/// How two bodies overlap, if they do by more than is allowed. Those in `apart` do not touch each other.
pub(super) fn between(
    bodies: &[Body],
    states: &[BodyState],
    apart: &[[u32; 2]],
    [i, j]: [usize; 2],
) -> Option<Overlap> {
    if apart.binary_search(&[i.min(j) as u32, i.max(j) as u32]).is_ok() {
        return None;
    }
    let mut points: Vec<ContactPoint> = Vec::new();
    let (a, b) = (&bodies[i], &bodies[j]);
    let (shape, other) = (a.shape()?, b.shape()?);
    let poses = [(a, i), (b, j)].map(|(body, k)| states[k].frame().pose(body));
    contacts(shape, &poses[0], other, &poses[1], 0.0, &mut points);
    let depth = points.iter().map(|point| -point.gap).fold(0.0, f64::max);
    let allowed = ALLOWED * width(shape).min(width(other));
    (depth > allowed).then_some(Overlap { bodies: [i, j], depth, allowed })
}

/// The first two bodies that overlap.
pub(super) fn first(bodies: &[Body], states: &[BodyState], apart: &[[u32; 2]]) -> Option<Overlap> {
    let proxy = |(body, state): (&Body, &BodyState)| Proxy { aabb: body.aabb(state), fixed: !body.is_dynamic() };
    let proxies: Vec<Proxy> = bodies.iter().zip(states).map(proxy).collect();
    let mut broad = BroadPhase::new();
    let pairs = broad.pairs(&proxies, 0.0);
    pairs.iter().find_map(|&(i, j)| between(bodies, states, apart, [i as usize, j as usize]))
}
