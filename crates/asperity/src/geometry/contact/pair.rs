//! Contacts of two convex bodies.
//!
//! Bodies are cores with radii: A = K_A + r_A B, B = K_B + r_B B, B the unit ball. With s(n) = min_{K_A} n·x − max_{K_B} n·x the signed distance of
//! the bodies is max_n s(n) − r_A − r_B, and the n of the maximum is the normal of the contact, from B to A.
//!
//! 1. The best of finitely many normals ([`parting`]): faces, and crosses of edges, which hold the maximum if the cores overlap.
//! 2. If the cores are apart, the maximum is at the direction between their closest points ([`apart`]). Every normal is a lower bound of the
//!    distance, so the better of the two is kept.
//! 3. The parts of both surfaces that face each other along n are laid over each other ([`overlap`]): a contact at each corner of what they
//!    share, with its own gap (a − b)·n. If none of these has the least gap, the closest points are added ([`primary`]).
//!
//! Two capsules need no search ([`capsules`]): the closest points of two segments are known in closed form. Sides of capsules and cylinders that lie
//! along each other touch in a line, which has two ends ([`sides`]).

use glam::DVec3;

use super::core::{Core, FacePlane};
use super::cylinder::{self, Cylinder};
use super::outline::{FacingOutline, NormalView, Overlap, Points};
use super::parting::Parting;
use super::{ContactBody, ContactPoint, Element, Feature, cylinder_pair, reduce, segment, separation};
use crate::geometry::{EndPressure, Pose, Shape};

/// The least gap may be missed by this much (of the size) before the closest points are asked.
const EXACT: f64 = 1e-11;

/// A convex body in the world.
pub(super) enum Solid<'a> {
    Core(Core<'a>),
    Cylinder(Cylinder),
}

/// A straight side or axis, with the radius around it.
struct RoundSide {
    ends: [DVec3; 2],
    radius: f64,
}

impl<'a> Solid<'a> {
    /// The convex body of a shape at `pose`; `None` for half-spaces, surfaces and unions.
    pub(super) fn new(shape: &'a Shape, pose: &Pose) -> Option<Self> {
        match shape.contact_body() {
            ContactBody::Cylinder { half_length, radius, pressure } => {
                Some(Self::Cylinder(Cylinder::new(half_length, radius, pressure, pose)))
            }
            ContactBody::Rounded { core, radius } => Some(Self::Core(Core::new(core, radius, shape.reach(), pose))),
            ContactBody::HalfSpace { .. } | ContactBody::Surface(_) | ContactBody::Union(_) => None,
        }
    }

    /// Whether an end of it has points inside its rim, which must all stay.
    pub(super) fn presses_evenly(&self) -> bool {
        matches!(self, Self::Cylinder(cylinder) if cylinder.pressure == EndPressure::Even)
    }

    pub(super) fn radius(&self) -> f64 {
        match self {
            Self::Core(core) => core.radius,
            Self::Cylinder(_) => 0.0,
        }
    }

    pub(super) fn centre(&self) -> DVec3 {
        match self {
            Self::Core(core) => core.centre,
            Self::Cylinder(cylinder) => cylinder.centre,
        }
    }

    pub(super) fn size(&self) -> f64 {
        match self {
            Self::Core(core) => core.size,
            Self::Cylinder(cylinder) => cylinder.size(),
        }
    }

    /// min n·x over the body without its radius.
    pub(super) fn low(&self, n: DVec3) -> f64 {
        match self {
            Self::Core(core) => -core.reach(-n),
            Self::Cylinder(cylinder) => cylinder.low(n),
        }
    }

    /// max n·x over the body with its radius.
    pub(super) fn high(&self, n: DVec3) -> f64 {
        self.radius() - self.low(-n)
    }

    /// The point of the body closest to `p`.
    pub(super) fn closest(&self, p: DVec3) -> DVec3 {
        match self {
            Self::Core(core) => {
                let q = core.closest(p);
                q + (p - q).clamp_length_max(core.radius)
            }
            Self::Cylinder(cylinder) => cylinder.closest(p),
        }
    }

    /// The flat faces: outward normals, and how high the body reaches along them.
    pub(super) fn faces(&self) -> impl Iterator<Item = FacePlane> {
        let count = match self {
            Self::Core(core) => core.face_count(),
            Self::Cylinder(_) => 2,
        };
        (0..count).map(move |i| match self {
            Self::Core(core) => {
                let FacePlane { normal, height } = core.face(i);
                FacePlane { normal, height: height + core.radius }
            }
            Self::Cylinder(cylinder) => {
                let normal = cylinder.axis() * if i == 0 { -1.0 } else { 1.0 };
                FacePlane { normal, height: self.high(normal) }
            }
        })
    }

    /// The outward normals of the flat faces.
    pub(super) fn face_normals(&self) -> impl Iterator<Item = DVec3> {
        self.faces().map(|face| face.normal)
    }

    pub(super) fn outline(&self, d: DVec3) -> FacingOutline {
        match self {
            Self::Core(core) => core.outline(d),
            Self::Cylinder(cylinder) => cylinder.outline(d),
        }
    }

    /// A straight side or axis, with the radius around it: what a round side is made of.
    fn round(&self) -> Option<RoundSide> {
        match self {
            Self::Core(core) => core.as_segment().map(|ends| RoundSide { ends, radius: core.radius }),
            Self::Cylinder(cylinder) => Some(RoundSide { ends: cylinder.axis_ends(), radius: cylinder.radius }),
        }
    }
}

/// The best of the normals that need no search; none if the bodies are farther apart than `limit`.
pub(super) fn parting(a: &Solid, b: &Solid, limit: f64) -> Option<Parting> {
    match (a, b) {
        (Solid::Core(a), Solid::Core(b)) => separation::by_axes(a, b, limit),
        (Solid::Cylinder(a), Solid::Core(b)) => cylinder::by_axes(a, b, limit),
        (Solid::Core(a), Solid::Cylinder(b)) => cylinder::by_axes(b, a, limit).map(|parting| parting.swapped()),
        (Solid::Cylinder(a), Solid::Cylinder(b)) => cylinder_pair::by_axes(a, b, limit),
    }
}

/// The true normal of bodies that are apart (or have no volume), by their closest points.
fn apart(a: &Solid, b: &Solid, known: &Parting) -> Parting {
    let closest = match (a, b) {
        (Solid::Core(a), Solid::Core(b)) => separation::closest(a, b, known),
        (Solid::Cylinder(a), Solid::Core(b)) => cylinder::closest(a, b),
        (Solid::Core(a), Solid::Cylinder(b)) => {
            let [q, p] = cylinder::closest(b, a);
            [p, q]
        }
        // Two cylinders have their true normal from the start.
        (Solid::Cylinder(_), Solid::Cylinder(_)) => return *known,
    };
    let between = closest[0] - closest[1];
    let distance = between.length();
    let Some(normal) = between.try_normalize() else {
        return Parting { distance: known.distance.max(0.0), closest: Some(closest), ..*known };
    };
    // Every normal gives a lower bound, so that the better one is the true one. Rounding spoils the direction of a short
    // distance; then the known one is better.
    if a.low(normal) + b.low(-normal) > known.distance {
        return Parting { normal, distance, closest: Some(closest) };
    }
    let same = distance <= known.distance + 1e-9 * a.size().min(b.size());
    Parting { closest: if same { Some(closest) } else { known.closest }, ..*known }
}

/// Adds the contacts of two convex bodies.
pub(super) fn contacts(a: &Solid, b: &Solid, margin: f64, out: &mut Vec<ContactPoint>) {
    let mut points = Points::new();
    if let (Solid::Core(ca), Solid::Core(cb)) = (a, b)
        && let (Some(ea), Some(eb)) = (ca.as_segment(), cb.as_segment())
    {
        capsules(ea, eb, [ca.radius, cb.radius], margin, &mut points);
    } else {
        collect(a, b, margin, &mut points);
    }
    let first = out.len();
    out.extend_from_slice(&points);
    if !a.presses_evenly() && !b.presses_evenly() {
        reduce::reduce(out, first);
    }
}

fn collect(a: &Solid, b: &Solid, margin: f64, out: &mut Points) {
    let limit = margin + a.radius() + b.radius();
    let Some(first) = parting(a, b, limit) else { return };
    if first.distance.is_finite() && overlap(a, b, &first, margin, out) {
        return;
    }
    out.clear();
    let best = if needs_closest(&first) { apart(a, b, &first) } else { first };
    if best.distance <= limit {
        gather(a, b, &best, margin, out);
    }
}

/// Only bodies that are apart can have a better normal than the axes.
fn needs_closest(first: &Parting) -> bool {
    first.distance > 0.0 || first.distance == f64::NEG_INFINITY
}

/// The true normal; none if the bodies are farther apart than `limit`.
pub(super) fn nearest(a: &Solid, b: &Solid, limit: f64) -> Option<Parting> {
    let first = parting(a, b, limit)?;
    let best = if needs_closest(&first) { apart(a, b, &first) } else { first };
    (best.distance <= limit).then_some(best)
}

/// Adds the corners of the overlap along the true normal, and the closest point if it is not among them.
pub(super) fn gather(a: &Solid, b: &Solid, parting: &Parting, margin: f64, out: &mut Points) {
    if !overlap(a, b, parting, margin, out) {
        primary(a, b, parting, margin, out);
    }
}

/// Adds the corners of the overlap along a normal. True if the least gap is among them.
pub(super) fn overlap(a: &Solid, b: &Solid, parting: &Parting, margin: f64, out: &mut Points) -> bool {
    let n = parting.normal;
    let size = a.size().min(b.size());
    let radii = [a.radius(), b.radius()];
    let least = parting.distance - radii[0] - radii[1];
    if let (Some(side), Some(other)) = (a.round(), b.round())
        && sides_parallel(side.ends, other.ends, n)
    {
        sides(side.ends, other.ends, [side.radius, other.radius], n, margin, size, out);
    } else {
        let view = NormalView::new(b.centre(), n, size);
        Overlap::new(&view, a.outline(-n), b.outline(n), radii, margin).collect(out);
    }
    out.iter().any(|point| point.gap <= least + EXACT * size)
}

/// Adds the point of the least gap itself: the closest points, or where A reaches deepest.
fn primary(a: &Solid, b: &Solid, parting: &Parting, margin: f64, out: &mut Points) {
    let n = parting.normal;
    let [p, q] = parting.closest.unwrap_or_else(|| {
        let from_b = match (a, b) {
            (Solid::Cylinder(a), _) if a.is_rim(n) => None,
            (_, Solid::Cylinder(b)) if b.is_rim(n) => Some(b.support(n)),
            _ => None,
        };
        let p = match (from_b, a) {
            (Some(q), _) => q + n * parting.distance,
            (None, Solid::Cylinder(a)) => a.support(-n),
            (None, Solid::Core(a)) => a.support(-n).point,
        };
        [p, p - n * parting.distance]
    });
    let view = NormalView::new(b.centre(), n, a.size().min(b.size()));
    let overlap = Overlap::new(&view, a.outline(-n), b.outline(n), [a.radius(), b.radius()], margin);
    overlap.add(p, q, None, out);
}

/// Names of points along a segment: its ends and what lies between.
fn name(t: f64) -> Element {
    match t {
        _ if t < 1e-4 => Element::corner(0),
        _ if t > 1.0 - 1e-4 => Element::corner(1),
        _ => Element::edge(0, 1),
    }
}

/// Adds a point; of two with the same name the deeper one stays.
fn offer(point: ContactPoint, margin: f64, out: &mut Points) {
    match out.iter_mut().find(|known| known.feature == point.feature) {
        _ if point.gap > margin => (),
        Some(known) if point.gap < known.gap => *known = point,
        Some(_) => (),
        None => out.push(point),
    }
}

/// Are two segments farther apart than `room`, as the line between their middles shows?
fn far(a: [DVec3; 2], b: [DVec3; 2], room: f64) -> bool {
    let between = a[0] + a[1] - b[0] - b[1];
    let length = between.length();
    // Twice the distance along the line, times its length.
    length * length - ((a[1] - a[0]).dot(between).abs() + (b[1] - b[0]).dot(between).abs()) > 2.0 * room * length
}

/// Two capsules: where their axes are closest, and each end against the other capsule; parallel ones so have two points. Every point has
/// the normal between its own two points of the axes, so that every gap is exact.
fn capsules(a: [DVec3; 2], b: [DVec3; 2], radii: [f64; 2], margin: f64, out: &mut Points) {
    let room = (radii[0] + radii[1] + margin) * (1.0 + 1e-12);
    if far(a, b, room) {
        return;
    }
    let at = |ends: [DVec3; 2], t: f64| ends[0] + (ends[1] - ends[0]) * t;
    let tiny = 1e-14 * (a[1] - a[0]).length();
    // Axes that meet are parted across both.
    let across = || {
        let cross = (a[1] - a[0]).cross(b[1] - b[0]);
        let n = cross.try_normalize().unwrap_or_else(|| (a[1] - a[0]).normalize_or(DVec3::Y).any_orthonormal_vector());
        if (a[0] + a[1] - b[0] - b[1]).dot(n) < 0.0 { -n } else { n }
    };
    let mut add = |t: f64, u: f64| {
        let between = at(a, t) - at(b, u);
        let length = between.length();
        if length > room {
            return;
        }
        let n = if length > tiny { between * (1.0 / length) } else { across() };
        offer(
            ContactPoint::new(at(a, t) - n * radii[0], at(b, u) + n * radii[1], n, Feature { a: name(t), b: name(u) }),
            margin,
            out,
        );
    };
    if let Some((t, u)) = segment::crossing(a, b) {
        add(t, u);
    }
    for (t, end) in [(0.0, a[0]), (1.0, a[1])] {
        add(t, segment::parameter(b[0], b[1], end));
    }
    for (u, end) in [(0.0, b[0]), (1.0, b[1])] {
        add(segment::parameter(a[0], a[1], end), u);
    }
}

/// Do two round sides lie along each other, across the normal? Then they touch along a line, even if they are not quite parallel.
fn sides_parallel(a: [DVec3; 2], b: [DVec3; 2], n: DVec3) -> bool {
    let (d, e) = ((a[1] - a[0]).normalize_or_zero(), (b[1] - b[0]).normalize_or_zero());
    d.dot(n).abs() < 0.1 && e.dot(n).abs() < 0.1 && d.cross(e).length_squared() < 0.01
}

/// Two round sides along each other: every end that is beside the other side. The points lie on the line between the axes, where the
/// sides are closest; the gaps are measured along the common normal, so that none is less than the signed distance.
fn sides(a: [DVec3; 2], b: [DVec3; 2], radii: [f64; 2], n: DVec3, margin: f64, size: f64, out: &mut Points) {
    let at = |ends: [DVec3; 2], t: f64| ends[0] + (ends[1] - ends[0]) * t;
    let beside = |ends: [DVec3; 2], p: DVec3| {
        let along = ends[1] - ends[0];
        let t = (p - ends[0]).dot(along) / along.length_squared();
        let room = 1e-10 * size / along.length();
        (t >= -room && t <= 1.0 + room).then_some(t.clamp(0.0, 1.0))
    };
    // From an axis towards the other one, across itself.
    let outward = |ends: [DVec3; 2], p: DVec3, q: DVec3| {
        let between = if (p - q).dot(n) > 0.5 * (p - q).length() { p - q } else { n };
        between.reject_from(ends[1] - ends[0]).normalize_or(n)
    };
    let mut add = |t: f64, u: f64| {
        let (p, q) = (at(a, t), at(b, u));
        let (on_a, on_b) = (p - outward(a, p, q) * radii[0], q + outward(b, p, q) * radii[1]);
        offer(ContactPoint::new(on_a, on_b, n, Feature { a: name(t), b: name(u) }), margin, out);
    };
    if let Some((t, u)) = segment::crossing(a, b) {
        add(t, u);
    }
    // What lies beside the point of the rim, not beside the end of the axis.
    for (t, end) in [(0.0, a[0]), (1.0, a[1])] {
        let q = segment::closest_point(b[0], b[1], end);
        if let Some(u) = beside(b, end - outward(a, end, q) * radii[0]) {
            add(t, u);
        }
    }
    for (u, end) in [(0.0, b[0]), (1.0, b[1])] {
        let p = segment::closest_point(a[0], a[1], end);
        if let Some(t) = beside(a, end + outward(b, p, end) * radii[1]) {
            add(t, u);
        }
    }
}
