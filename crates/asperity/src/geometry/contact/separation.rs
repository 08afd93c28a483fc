//! The signed distance of two polytopes.
//!
//! If they overlap, the best normal is that of a face of A, of a face of B, or perpendicular to an edge of each: these are the faces of
//! the difference A − B. An edge pair makes a face only if both edges are the farthest of their bodies along the normal, which the faces
//! beside them tell: no walk over corners is needed. Most faces and edges are ruled out before that ([`super::witness`]). If the bodies are apart, the best of these normals is a lower bound, exact if the
//! parts they belong to face each other; the closest points say the rest.

use glam::{DMat3, DVec3};
use smallvec::SmallVec;

use super::core::{Core, EdgeView, FacePlane};
use super::parting::Parting;
use super::segment;
use super::witness::{Edges, Heights};

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
    let mut heights = Heights::new();
    let near = b.support(a.middle() - b.middle()).point;
    faces([a, b], near, -1.0, limit, &mut heights, &mut best);
    if best.distance <= limit {
        faces([b, a], a.support(-best.normal).point, 1.0, limit, &mut heights, &mut best);
    }
    if best.distance > limit {
        return None;
    }
    let bias = FACES_FIRST * a.size.min(b.size);
    if a.is_box() && b.is_box() {
        box_edges(a, b, &a.axes, &b.axes, bias, &mut best);
    } else {
        edge_pairs(a, b, bias, &mut heights, &mut best);
    }
    (best.distance <= limit).then_some(best)
}

/// Rounding of heights and distances.
fn rounding(a: &Core, b: &Core) -> f64 {
    1e-14 * (a.size + b.size + a.centre.length() + b.centre.length())
}

/// The best normal among the faces of one core, the first of several that are equally good. `near` is any point of the other core. Faces above
/// which a point of the other core lies too low are ruled out; the best one that is left says which point to ask next. Once a face parts
/// the cores by more than `limit` there may be better ones.
fn faces([own, other]: [&Core; 2], near: DVec3, sign: f64, limit: f64, heights: &mut Heights, best: &mut Parting) {
    const ROUNDS: usize = 6;
    let count = own.face_count();
    let offer = |i: usize, best: &mut Parting| {
        let FacePlane { normal, height } = own.face(i);
        let distance = -other.reach(-normal) - height;
        if distance > best.distance {
            *best = Parting { normal: normal * sign, distance, closest: None };
        }
    };
    if count > 8 {
        let room = rounding(own, other);
        let mut least = best.distance - room;
        own.heights(near, heights);
        let mut next = Heights::new();
        for _ in 0..ROUNDS {
            let top = (0..count).fold(0, |top, i| if heights[i] > heights[top] { i } else { top });
            if heights[top] < least {
                return;
            }
            let FacePlane { normal, height } = own.face(top);
            let farthest = other.support(-normal).point;
            let distance = farthest.dot(normal) - height;
            least = least.max(distance - room);
            if distance > limit {
                offer(top, best);
                return;
            }
            if distance + room >= heights[top] {
                break;
            }
            own.heights(farthest, &mut next);
            heights.iter_mut().zip(&next).for_each(|(own, new)| *own = own.min(*new));
        }
        (0..count).filter(|&i| heights[i] >= least).for_each(|i| offer(i, best));
    } else {
        (0..count).for_each(|i| offer(i, best));
    }
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

/// So many pairs of edges cost less than to rule some out.
const FEW: usize = 48;

/// The edges of both cores that are not ruled out by the corners that are farthest along the normal; if many are left, not by points that are
/// closer to the other core either.
fn near_edges(a: &Core, b: &Core, least: f64, heights: &mut Heights, normal: DVec3) -> [Edges; 2] {
    let [mut p, mut q] = [a.support(-normal).point, b.support(normal).point];
    a.heights(q, heights);
    let mut edges_a = a.edges_above(heights, least);
    b.heights(p, heights);
    let mut edges_b = b.edges_above(heights, least);
    for _ in 0..3 {
        if edges_a.len() * edges_b.len() <= FEW {
            break;
        }
        p = a.closest(q);
        b.heights(p, heights);
        b.retain_above(&mut edges_b, heights, least);
        q = b.closest(p);
        a.heights(q, heights);
        a.retain_above(&mut edges_a, heights, least);
    }
    [edges_a, edges_b]
}

/// Edge pairs that are the farthest parts of both bodies along the normal across them.
fn edge_pairs(a: &Core, b: &Core, bias: f64, heights: &mut Heights, best: &mut Parting) {
    if a.edge_count() == 0 || b.edge_count() == 0 {
        return;
    }
    let faces = best.distance;
    let all = |core: &Core| (0..core.edge_count() as u32).collect::<Edges>();
    let [edges_a, edges_b] = if a.edge_count() * b.edge_count() <= FEW {
        [all(a), all(b)]
    } else {
        near_edges(a, b, faces + bias - rounding(a, b), heights, best.normal)
    };
    let edges_b: SmallVec<[EdgeView; 32]> = edges_b.iter().map(|&j| b.edge(j as usize)).collect();
    for &i in &edges_a {
        let ea = a.edge(i as usize);
        for eb in &edges_b {
            edge_pair([a, b], [&ea, eb], faces + bias, best);
        }
    }
}

/// Takes the normal across two edges if it parts the bodies by more than any before, and more than `least`.
#[inline]
fn edge_pair([a, b]: [&Core; 2], [ea, eb]: [&EdgeView; 2], least: f64, best: &mut Parting) {
    let (da, db) = (ea.to - ea.from, eb.to - eb.from);
    let cross = da.cross(db);
    // At least that for a unit normal. Most pairs end here, so no root is taken before.
    let room = ROOM * cross.abs().element_sum();
    for across in [cross, -cross] {
        let supports = ea.inward[..ea.sides].iter().all(|t| t.dot(across) >= -room)
            && eb.inward[..eb.sides].iter().all(|t| t.dot(across) <= room);
        if !supports {
            continue;
        }
        let length = across.length();
        if length <= 1e-8 * da.length() * db.length() {
            continue;
        }
        let n = across / length;
        let s = n.dot(ea.from - eb.from);
        if s > best.distance && s > least {
            // The room above may let pass an edge that is not quite the farthest.
            let s = along(a, b, n);
            if s > best.distance && s > least {
                let crossing = segment::crossing([ea.from, ea.to], [eb.from, eb.to]);
                let points = |(t, u)| [ea.from + da * t, eb.from + db * u];
                *best = Parting { normal: n, distance: s, closest: crossing.map(points) };
            }
        }
    }
}

/// Closest points of two cores that are apart: each is at a corner of one of them, or on an edge of both. The known normal gives a lower bound for
/// the distance of each corner and edge from the other body; those for which it is above the distance of two known points are left out.
pub(super) fn closest(a: &Core, b: &Core, known: &Parting) -> [DVec3; 2] {
    let n = known.normal;
    // Heights along n above which a point of A, and below which one of B, is too far from the other body.
    let (mut high, mut low) = (f64::INFINITY, f64::NEG_INFINITY);
    if a.edge_count() * b.edge_count() > FEW {
        let q = b.closest(a.support(-n).point);
        let least = a.closest(q).distance(q) + rounding(a, b);
        (high, low) = (b.reach(n) + least, -a.reach(-n) - least);
    }
    let mut best = (f64::INFINITY, [a.centre, b.centre]);
    let mut offer = |p: DVec3, q: DVec3| {
        let distance = p.distance_squared(q);
        if distance < best.0 {
            best = (distance, [p, q]);
        }
    };
    for i in 0..a.vertex_count() {
        let p = a.vertex(i);
        if n.dot(p) <= high {
            offer(p, b.closest(p));
        }
    }
    for j in 0..b.vertex_count() {
        let q = b.vertex(j);
        if n.dot(q) >= low {
            offer(a.closest(q), q);
        }
    }
    let near = |edge: &EdgeView| n.dot(edge.from).max(n.dot(edge.to)) >= low;
    let edges_b: SmallVec<[EdgeView; 32]> = (0..b.edge_count()).map(|j| b.edge(j)).filter(near).collect();
    for i in 0..a.edge_count() {
        let ea = a.edge(i);
        if n.dot(ea.from).min(n.dot(ea.to)) > high {
            continue;
        }
        for eb in &edges_b {
            if let Some((t, u)) = segment::crossing([ea.from, ea.to], [eb.from, eb.to]) {
                offer(ea.from + (ea.to - ea.from) * t, eb.from + (eb.to - eb.from) * u);
            }
        }
    }
    best.1
}
