//! What a contact of one part means for the whole compound: the inside of the union is no surface.
//!
//! A point b of a convex part Q is on the surface of the union with the normal n if no other part goes on beyond it: the parts K that hold b
//! must have max_K n·x = n·b. That is the normal cone of the union at b, since a convex K with b has its whole cone on one side of a plane as
//! soon as K is. In a concave edge that cone is empty, yet both faces that meet there can be touched. So b is first moved a little over the surface
//! of Q towards the other body, as long as n remains its normal; there the surface is free: what remains is the limit of the cones around b.
//!
//! Parts that are flush in a plane share a face. A body that is above that plane, and over one of them, meets the others with the same
//! normal or not at all: their edges in the plane are no walls, though a body that has sunk in by rounding is beside them.
//!
//! A point in the middle of a straight piece of the contact adds nothing to the ends of the piece: seams leave no points.
//!
//! Lengths within [`WELD`] and sines within [`LEAN`] are nothing, as parts of the sizes.

use glam::DVec3;

use super::core::FacePlane;
use super::outline::Points;
use super::pair::{self, Solid};
use super::parting::Parting;
use super::{ContactBody, ContactPoint, segment};
use crate::geometry::{Part, Pose, Shape};

/// Gaps and steps between parts up to this part of their size are none: numbers in files have six digits or more.
const WELD: f64 = 1e-6;
/// Sine of the angle by which a normal may lean over its cone, as for meshes.
const LEAN: f64 = 1e-6;
/// How far points are moved over the surface, as a part of the size: far more than the weld, so that valleys steeper than
/// WELD/SHIFT are seen as such.
const SHIFT: f64 = 1e-3;

/// Sine of the angle to the normal by which the surface may fall where points are moved: beyond, the normal belongs to the edge or corner
/// alone, and faces that lie on each other lean by less.
const FACING: f64 = 1e-3;
/// Cosine above which two normals are the same but for rounding.
const SAME: f64 = 1.0 - 1e-14;

/// Cosine between faces that do not lie on each other.
const ASIDE: f64 = 0.99;

/// One of two bodies, and which of its parts is looked at.
pub(super) struct UnionSide<'a> {
    /// All parts; none if the body is no compound.
    pub(super) parts: &'a [Part],
    pub(super) own: usize,
    /// Of the whole body.
    pub(super) whole: &'a Pose,
    /// Of the part: its shape and its place in the world.
    pub(super) shape: &'a Shape,
    pub(super) pose: Pose,
}

impl<'a> UnionSide<'a> {
    pub(super) fn new(body: &'a Shape, whole: &'a Pose, own: usize) -> Self {
        let parts = if let ContactBody::Union(parts) = body.contact_body() { parts } else { &[] };
        let (shape, pose) = parts.get(own).map_or((body, *whole), |part| (&part.shape, whole.then(&part.pose)));
        Self { parts, own, whole, shape, pose }
    }

    /// The other parts.
    fn others(&self) -> impl Iterator<Item = &'a Part> {
        let own = self.own;
        self.parts.iter().enumerate().filter(move |(k, _)| *k != own).map(|(_, part)| part)
    }

    /// A point inside, if the shape is convex.
    fn middle(&self) -> Option<DVec3> {
        let bounds = self.shape.bounds();
        let body = self.shape.contact_body();
        let convex = matches!(body, ContactBody::Rounded { .. } | ContactBody::Cylinder { .. });
        convex.then(|| self.pose.apply(0.5 * (bounds.min + bounds.max)))
    }

    /// Is another part in the way of a normal `n` at the point `b` of this one? The other body reaches `depth` below b.
    fn is_covered(&self, b: DVec3, n: DVec3, depth: f64, other: &UnionSide) -> bool {
        let inverse = self.whole.rotation.conjugate();
        let (b, n) = (self.whole.unapply(b), inverse * n);
        let own_size = size(self.shape);
        let shift = SHIFT * own_size.min(size(other.shape)) + depth;
        let mut moved = None;
        self.others().any(|part| {
            let weld = WELD * own_size.min(size(&part.shape));
            let bounds = part.shape.bounds().enlarged(shift + weld);
            let local = part.pose.unapply(b);
            if local.cmplt(bounds.min).any() || local.cmpgt(bounds.max).any() {
                return false;
            }
            let Some(solid) = Solid::new(&part.shape, &part.pose) else { return false };
            if solid.high(n) <= n.dot(b) + LEAN * size(&part.shape) {
                return false;
            }
            let b = *moved.get_or_insert_with(|| {
                let towards = other.middle().map(|middle| (self.whole.unapply(middle) - b).reject_from_normalized(n));
                let step = towards.and_then(DVec3::try_normalize).unwrap_or(DVec3::ZERO) * shift;
                let own = self.parts.get(self.own).and_then(|part| Solid::new(&part.shape, &part.pose));
                let moved = own.map_or(b, |own| own.closest(b + step));
                if n.dot(moved - b) >= -FACING * shift { moved } else { b }
            });
            solid.closest(b).distance(b) <= weld
        })
    }

    /// Is a point near the box around another part?
    fn is_near(&self, p: DVec3, room: f64) -> bool {
        let p = self.whole.unapply(p);
        self.others().any(|part| {
            let (local, bounds) = (part.pose.unapply(p), part.shape.bounds().enlarged(room));
            local.cmpge(bounds.min).all() && local.cmple(bounds.max).all()
        })
    }

    /// Is a point in the union?
    fn holds(&self, p: DVec3) -> bool {
        let holds = |shape: &Shape, pose: &Pose| {
            Solid::new(shape, pose).is_some_and(|solid| solid.closest(p).distance(p) <= WELD * size(shape))
        };
        matches!(self.shape.contact_body(), ContactBody::HalfSpace { .. })
            || holds(self.shape, &self.pose)
            || self.others().any(|part| holds(&part.shape, &self.whole.then(&part.pose)))
    }

    /// A face of this part that the other body is above, and that goes on in another part, which the other body is over: its normal in the world, out
    /// of this part, if it is not the known one. `point` is a point of the other body: it rules out most faces.
    fn level(&self, own: &Solid, other: &Solid, point: DVec3, known: DVec3, margin: f64) -> Option<DVec3> {
        let size_own = size(self.shape);
        let weld = WELD * size_own;
        let room = |k: &Part| WELD * size_own.min(size(&k.shape));
        // Faces that lie on each other keep the normal they have, though another face is almost parallel.
        let is = |n: DVec3| n.dot(known) > SAME;
        let mut least = None;
        let least_of = || if own.face_normals().any(is) || other.face_normals().any(|n| is(-n)) { ASIDE } else { SAME };
        let above = |FacePlane { normal, height }: &FacePlane| {
            normal.dot(point) >= height - 2.0 * weld && normal.dot(known) < *least.get_or_insert_with(least_of)
        };
        own.faces().filter(above).map(|face| face.normal).find(|&n| {
            let (high, low) = (own.high(n), other.low(n) - other.radius());
            low >= high - weld
                && self.others().any(|k| {
                    let Some(flush) = Solid::new(&k.shape, &self.whole.then(&k.pose)) else { return false };
                    let near = (flush.high(n) - high).abs() <= room(k) && low >= high - room(k);
                    near && !along(other, &flush, n, margin).points.is_empty()
                })
        })
    }
}

/// Half of the diagonal of the box around a shape.
fn size(shape: &Shape) -> f64 {
    let bounds = shape.bounds();
    0.5 * (bounds.max - bounds.min).length()
}

/// Contacts of two convex bodies along a normal.
struct Facing {
    points: Points,
    /// Whether the least gap is among them.
    has_least: bool,
}

/// The contacts of two convex bodies along a normal from B to A, where they face each other.
fn along(a: &Solid, b: &Solid, n: DVec3, margin: f64) -> Facing {
    let mut points = Points::new();
    let parting = Parting { normal: n, distance: a.low(n) + b.low(-n), closest: None };
    let has_least = pair::overlap(a, b, &parting, margin, &mut points);
    Facing { points, has_least }
}

/// The contacts of parts, as they are for the unions: `points` has those of the parts alone.
pub(super) fn of_unions(sides: [&UnionSide; 2], margin: f64, points: &mut Points) {
    if points.is_empty() || sides.iter().all(|side| side.parts.len() < 2) {
        return;
    }
    let solids = sides.map(|side| Solid::new(side.shape, &side.pose));
    let covered_by = |point: &ContactPoint, k: usize| {
        let depth = (-point.gap).max(0.0);
        let (p, n) = if k == 0 { (point.a, -point.normal) } else { (point.b, point.normal) };
        sides[k].is_covered(p, n, depth, sides[1 - k])
    };
    let covered = |point: &ContactPoint| covered_by(point, 0) || covered_by(point, 1);
    let n = points[0].normal;
    let level = if let [Some(a), Some(b)] = &solids {
        let [on_a, on_b] = [points[0].a, points[0].b];
        let level = sides[1].level(b, a, on_a, n, margin);
        let level = level.or_else(|| sides[0].level(a, b, on_b, -n, margin).map(|n| -n));
        level.map(|n| along(a, b, n, margin).points)
    } else {
        None
    };
    if let Some(level) = level {
        *points = level;
        points.retain(|point| !covered(point));
    } else {
        let (apart, witness) = (points.iter().all(|point| point.gap > 0.0), [points[0].a, points[0].b]);
        let deepest = points.iter().fold(points[0], |best, point| if point.gap < best.gap { *point } else { best });
        for k in (0..2).filter(|&k| covered_by(&deepest, k)) {
            // A normal that is none of the union where the part reaches farthest is none of the points below either.
            // A half-space has but one normal.
            let (Some(solid), Some(_)) = (&solids[k], &solids[1 - k]) else { continue };
            let (side, room) = (if k == 0 { -1.0 } else { 1.0 }, LEAN * size(sides[k].shape));
            points.retain(|point| {
                let outward = point.normal * side;
                [point.a, point.b][k].dot(outward) >= solid.high(outward) - room
            });
        }
        points.retain(|point| !covered(point));
        if let [Some(a), Some(b)] = &solids
            && points.is_empty()
        {
            let least_size = size(sides[0].shape).min(size(sides[1].shape));
            *points = by_faces([a, b], witness, least_size, margin, apart, covered);
        }
    }
    points.retain(|point| !is_inner(sides, &solids, point));
}

/// Does a contact lie inside a straight piece of the contact of the unions? That is so if one of them has an edge there, of which both ends
/// go on, and the other is flat: the gap is then linear along the piece, and both the ends keep the middle.
fn is_inner(sides: [&UnionSide; 2], solids: &[Option<Solid>; 2], point: &ContactPoint) -> bool {
    let round = |side: &&UnionSide| !side.shape.contact_body().is_flat();
    let sizes = sides.map(|side| size(side.shape));
    let (step, ends) = (SHIFT * sizes[0].min(sizes[1]), [point.a, point.b]);
    let near = |k: usize| sides[k].is_near(ends[k], step);
    if sides.iter().any(round) || !(near(0) || near(1)) {
        return false;
    }
    (0..2).any(|k| {
        let Some(Solid::Core(core)) = &solids[k] else { return false };
        let (p, q) = (ends[k], ends[1 - k]);
        (0..core.edge_count()).map(|i| core.edge(i)).any(|edge| {
            let on_edge = segment::closest_point(edge.from, edge.to, p).distance(p) <= WELD * sizes[k];
            let along = (edge.to - edge.from).normalize_or_zero() * step;
            let beside = along.reject_from_normalized(point.normal);
            on_edge
                && [1.0, -1.0]
                    .into_iter()
                    .all(|sign| sides[k].holds(p + along * sign) && sides[1 - k].holds(q + beside * sign))
        })
    })
}

/// The contacts along the face that parts two bodies best, among those with points that are not covered. A body deeper than half of its
/// width below a face is on its way out on another side. `witness` is a point of each body: it bounds how far a face can part them.
fn by_faces(
    [a, b]: [&Solid; 2],
    witness: [DVec3; 2],
    least_size: f64,
    margin: f64,
    apart: bool,
    covered: impl Fn(&ContactPoint) -> bool,
) -> Points {
    // No body is wider than twice its size.
    let mut best = (2.0 * least_size * if apart { -WELD } else { -0.5 }, Points::new());
    let of_b = b.faces().map(|face| (face.normal, face.normal.dot(witness[0]) - face.height));
    let of_a = a.faces().map(|face| (-face.normal, face.normal.dot(witness[1]) - face.height));
    for (n, bound) in of_b.chain(of_a) {
        if bound <= best.0 {
            continue;
        }
        let gap = a.low(n) - a.radius() - b.high(n);
        if gap <= best.0 || gap > margin {
            continue;
        }
        let width = |solid: &Solid| solid.high(n) - solid.low(n) + solid.radius();
        // Of bodies that are apart none is below the other, but for a weld.
        let least = width(a).min(width(b)) * if apart { -WELD } else { -0.5 };
        if gap < least {
            continue;
        }
        let Facing { mut points, has_least } = along(a, b, n, margin);
        points.retain(|point| !(covered(point) || apart && point.gap < 0.0));
        if !points.is_empty() && (apart || has_least) {
            best = (gap, points);
        }
    }
    best.1
}
