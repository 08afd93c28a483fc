//! Bodies that overlap at the start: a scene that would begin with an explosion.
//!
//! The depth of a contact is compared with the least width of the smaller body, along the axes of its own frame. Meshes are surfaces and
//! have no width; half-spaces have none either.
//!
//! Vertices of elastic bodies may start inside others: a step moves them out. Pinned ones cannot be moved, so that no step could be solved: they are refused.

use crate::body::{Body, BodyState};
use crate::geometry::{BroadPhase, ContactPoint, Pose, Proxy, Shape, contacts};

/// Part of the smaller body's least width that bodies may overlap by.
const ALLOWED: f64 = 0.01;

/// Depth of a pinned vertex that counts as rounding, m.
const PINNED: f64 = 1e-6;
/// Radius of the ball that stands for a vertex without a thickness, m; its depth is taken off again.
const PROBE: f64 = 1e-4;

/// A pinned vertex that starts inside another body.
pub(super) struct PinnedOverlap {
    /// The elastic body, and the other one.
    pub(super) bodies: [usize; 2],
    pub(super) vertex: usize,
    pub(super) depth: f64,
}

/// The first pinned vertex that starts inside another body.
pub(super) fn pinned(bodies: &[Body], states: &[BodyState]) -> Option<PinnedOverlap> {
    let mut points: Vec<ContactPoint> = Vec::new();
    for (i, body) in bodies.iter().enumerate() {
        let (Some(elastic), Some(mesh)) = (body.elastic(), states[i].mesh()) else { continue };
        let radius = elastic.offset().max(PROBE);
        let Ok(ball) = Shape::sphere(radius) else { continue };
        for (vertex, place) in mesh.positions.iter().enumerate().filter(|(vertex, _)| elastic.is_pinned(*vertex)) {
            let at = Pose { position: *place, ..Pose::IDENTITY };
            for (j, other) in bodies.iter().enumerate() {
                let Some(shape) = other.shape() else { continue };
                points.clear();
                contacts(&ball, &at, shape, &states[j].frame().pose(other), 0.0, &mut points);
                let deepest = points.iter().map(|point| -point.gap).fold(f64::NEG_INFINITY, f64::max);
                let depth = deepest - (radius - elastic.offset());
                if depth > PINNED {
                    return Some(PinnedOverlap { bodies: [i, j], vertex, depth });
                }
            }
        }
    }
    None
}

/// Two bodies that overlap.
pub(super) struct StartOverlap {
    pub(super) bodies: [usize; 2],
    pub(super) depth: f64,
    pub(super) allowed: f64,
}

/// How two bodies overlap, if they do by more than is allowed. Those in `apart` do not touch each other.
pub(super) fn between(
    bodies: &[Body],
    states: &[BodyState],
    apart: &[[u32; 2]],
    [i, j]: [usize; 2],
) -> Option<StartOverlap> {
    if apart.binary_search(&[i.min(j) as u32, i.max(j) as u32]).is_ok() {
        return None;
    }
    let mut points: Vec<ContactPoint> = Vec::new();
    let (a, b) = (&bodies[i], &bodies[j]);
    let (shape, other) = (a.shape()?, b.shape()?);
    let poses = [(a, i), (b, j)].map(|(body, k)| states[k].frame().pose(body));
    contacts(shape, &poses[0], other, &poses[1], 0.0, &mut points);
    let depth = points.iter().map(|point| -point.gap).fold(0.0, f64::max);
    let allowed = ALLOWED * shape.least_width().min(other.least_width());
    (depth > allowed).then_some(StartOverlap { bodies: [i, j], depth, allowed })
}

/// The first two bodies that overlap.
pub(super) fn first(bodies: &[Body], states: &[BodyState], apart: &[[u32; 2]]) -> Option<StartOverlap> {
    let proxy = |(body, state): (&Body, &BodyState)| Proxy { aabb: body.aabb(state), fixed: !body.is_dynamic() };
    let proxies: Vec<Proxy> = bodies.iter().zip(states).map(proxy).collect();
    let mut broad = BroadPhase::new();
    let pairs = broad.pairs(&proxies, 0.0);
    pairs.iter().find_map(|&(i, j)| between(bodies, states, apart, [i as usize, j as usize]))
}
