//! The signed distance of two polytopes.
//!
//! If they overlap, the best normal is that of a face of A, of a face of B, or perpendicular to an edge of each: these are the faces of
//! the difference A − B. An edge pair makes a face only if both edges are the farthest of their bodies along the normal, which the faces
//! beside them tell: no walk over corners is needed. If the bodies are apart, the best of these normals is a lower bound, exact if the
//! parts they belong to face each other; the closest points say the rest.

use glam::{DMat3, DVec3};

use super::core::Core;
use super::pair::Parting;
use super::segment;

/// An edge pair must part the bodies by this much more (of the size) than a face: flat contacts then keep the face's normal.
const FACES_FIRST: f64 = 1e-11;
/// Room for rounding in the question whether an edge is the farthest part.
const ROOM: f64 = 1e-9;

/// min_A n·x − max_B n·x.
pub(super) fn along(a: &Core, b: &Core, n: DVec3) -> f64 {
    -a.reach(-n) - b.reach(n)
}

/// The best normal among faces and edge pairs, from B to A, and how far it parts the cores; for edge pairs also where they cross.
/// None if that is more than `limit`. The distance is −∞ if there are no faces and no edge pairs.
pub(super) fn by_axes(a: &Core, b: &Core, limit: f64) -> Option<Parting> {
    let mut best = Parting { normal: DVec3::Y, distance: f64::NEG_INFINITY, closest: None };
    let mut face = |normal: DVec3, distance: f64| {
        if distance > best.distance {
            best = Parting { normal, distance, closest: None };
        }
    };
    for i in 0..a.face_count() {
        let (normal, height) = a.face(i);
        face(-normal, -b.reach(-normal) - height);
    }
    for i in 0..b.face_count() {
        let (normal, height) = b.face(i);
        face(normal, -a.reach(-normal) - height);
    }
    if best.distance > limit {
        return None;
    }
    let bias = FACES_FIRST * a.size.min(b.size);
    match (a.is_box(), b.is_box()) {
        (Some((axes_a, _)), Some((axes_b, _))) => box_edges(a, b, &axes_a, &axes_b, bias, &mut best),
        _ => edge_pairs(a, b, bias, &mut best),
    }
    (best.distance <= limit).then_some(best)
}

/// Boxes have three directions of edges, and look the same from both ends of each normal.
fn box_edges(a: &Core, b: &Core, axes_a: &DMat3, axes_b: &DMat3, bias: f64, best: &mut Parting) {
    let faces = best.distance;
    let between = a.centre - b.centre;
    for i in 0..3 {
        for j in 0..3 {
            let cross = axes_a.col(i).cross(axes_b.col(j));
            // Edges closer to parallel than this add nothing to the faces beside them.
            if cross.length_squared() < 1e-16 {
                continue;
            }
            let n = cross.normalize() * if cross.dot(between) < 0.0 { -1.0 } else { 1.0 };
            let s = along(a, b, n);
            if s > best.distance && s > faces + bias {
                *best = Parting { normal: n, distance: s, closest: None };
            }
        }
    }
}

fn edge_pairs(a: &Core, b: &Core, bias: f64, best: &mut Parting) {
    let faces = best.distance;
    for i in 0..a.edge_count() {
        let ea = a.edge(i);
        let da = ea.to - ea.from;
        for j in 0..b.edge_count() {
            let eb = b.edge(j);
            let cross = da.cross(eb.to - eb.from);
            // At least that for a unit normal. Most pairs end here, so no root is taken before.
            let room = ROOM * cross.abs().element_sum();
            for across in [cross, -cross] {
                let supports = ea.inward[..ea.sides].iter().all(|t| t.dot(across) >= -room)
                    && eb.inward[..eb.sides].iter().all(|t| t.dot(across) <= room);
                let length = across.length();
                if !supports || length <= 1e-8 * da.length() * (eb.to - eb.from).length() {
                    continue;
                }
                let n = across / length;
                let s = n.dot(ea.from - eb.from);
                if s > best.distance && s > faces + bias {
                    // The room above may let pass an edge that is not quite the farthest.
                    let s = along(a, b, n);
                    if s > best.distance && s > faces + bias {
                        let crossing = segment::crossing([ea.from, ea.to], [eb.from, eb.to]);
                        let points = |(t, u)| [ea.from + da * t, eb.from + (eb.to - eb.from) * u];
                        *best = Parting { normal: n, distance: s, closest: crossing.map(points) };
                    }
                }
            }
        }
    }
}

/// Closest points of two cores that are apart: each is at a corner of one of them, or on an edge of both.
pub(super) fn closest(a: &Core, b: &Core) -> [DVec3; 2] {
    let mut best = (f64::INFINITY, [a.centre, b.centre]);
    let mut offer = |p: DVec3, q: DVec3| {
        let distance = p.distance_squared(q);
        if distance < best.0 {
            best = (distance, [p, q]);
        }
    };
    for i in 0..a.vertex_count() {
        let p = a.vertex(i);
        offer(p, b.closest(p));
    }
    for j in 0..b.vertex_count() {
        let q = b.vertex(j);
        offer(a.closest(q), q);
    }
    for i in 0..a.edge_count() {
        let ea = a.edge(i);
        for j in 0..b.edge_count() {
            let eb = b.edge(j);
            if let Some((t, u)) = segment::crossing([ea.from, ea.to], [eb.from, eb.to]) {
                offer(ea.from + (ea.to - ea.from) * t, eb.from + (eb.to - eb.from) * u);
            }
        }
    }
    best.1
}
