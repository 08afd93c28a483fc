//! True cylinders, and cylinders against polytopes.
//!
//! A cylinder with centre c, axis u, half length h and radius r has min n·x = n·c − h |n·u| − r |n − (n·u) u|. The best normal n
//! of a pair is the axis (an end), a face of the other body, or lies in the circle across an edge of the other body or across the axis
//! (a side), where one angle is searched to rounding, unless a bound shows that the circle has nothing better. Bodies that are apart are parted by
//! their closest points: the distance from a cylinder is convex along an edge, so that its minimum is bracketed.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI, TAU};

use glam::{DMat3, DVec3};
use smallvec::SmallVec;

use super::core::{Core, EdgeView, FacePlane};
use super::feature::Element;
use super::outline::{Corner, FacingOutline};
use super::parting::{Best, Parting, improve};
use super::rim::Disc;
use super::root::falling;
use super::witness::Heights;
use crate::geometry::{EndPressure, Pose};

/// Less tilt than this changes no gap by more than rounding, and its direction is noise.
const LEVEL: f64 = 1e-12;

/// Sine of the tilt from which an end does not count as lying flat.
const TILTED: f64 = 0.01;

/// Points of a rim on which an end stands. Friction that brakes a slide and a spin at once is then within 0.1 % of that of a
/// rim of even pressure; with four points it is off by several per cent, depending on how they lie.
const AROUND: usize = 8;

/// Points of an end inside its rim, if the end presses evenly, on the circle of half its radius. All its points are equal springs of one foundation (`contact/share.rs`): the
/// load is the same at each, or linear in the place if it acts beside the middle. Twice as many points as on the rim then bear 2/3 of it. With ρ the distance
/// from the axis in radii this is the rule of Gauss and Radau, ∫ f(ρ) 2ρ dρ = 2/3 f(1/2) + 1/3 f(1), exact for 1, ρ and ρ²: a pure slide, a pure spin,
/// and moments that tip it. Where it slides and spins at once the power of friction is within 1.4 %.
const INSIDE: usize = 2 * AROUND;
/// Cosine and sine of π/16 and of 3π/16, where the first points inside lie: none of them on the radius of a point of the rim.
const FIRST: [f64; 2] = [0.980_785_280_403_230_4, 0.195_090_322_016_128_27];
const SECOND: [f64; 2] = [0.831_469_612_302_545_2, 0.555_570_233_019_602_2];
/// Number of the first point inside, after all those of rims.
const INSIDE_NAMES: usize = 4 * AROUND;

/// A cylinder in the world.
pub(super) struct Cylinder {
    pub(super) centre: DVec3,
    pub(super) axes: DMat3,
    half_length: f64,
    pub(super) radius: f64,
    pub(super) pressure: EndPressure,
}

/// A point of a rim, or inside it, and what it is called.
#[derive(Clone, Copy)]
pub(super) struct RimPoint {
    pub(super) at: DVec3,
    pub(super) name: Element,
}

/// What of a cylinder is farthest along a direction.
pub(super) struct FacingPart {
    /// The ends of a segment, or twice a point.
    pub(super) ends: [DVec3; 2],
    /// Radius of the disc around the point, if it is an end of the cylinder; else 0.
    pub(super) disc: f64,
}

impl Cylinder {
    pub(super) fn new(half_length: f64, radius: f64, pressure: EndPressure, pose: &Pose) -> Self {
        Self { centre: pose.position, axes: DMat3::from_quat(pose.rotation), half_length, radius, pressure }
    }

    pub(super) fn size(&self) -> f64 {
        self.half_length.hypot(self.radius)
    }

    pub(super) fn axis(&self) -> DVec3 {
        self.axes.y_axis
    }

    pub(super) fn axis_ends(&self) -> [DVec3; 2] {
        [self.end(0), self.end(1)]
    }

    /// Centre of an end.
    pub(super) fn end(&self, i: usize) -> DVec3 {
        self.centre + self.axis() * if i == 0 { -self.half_length } else { self.half_length }
    }

    /// The part of `d` across the axis; not as a difference, which would leave a part along the axis if `d` is almost the axis.
    pub(super) fn across(&self, d: DVec3) -> DVec3 {
        self.axes.x_axis * d.dot(self.axes.x_axis) + self.axes.z_axis * d.dot(self.axes.z_axis)
    }

    /// min n·x.
    pub(super) fn low(&self, n: DVec3) -> f64 {
        n.dot(self.centre) - self.half_length * n.dot(self.axis()).abs() - self.radius * self.across(n).length()
    }

    /// The farthest point along `d`; the middle of the end if it is all of it.
    pub(super) fn support(&self, d: DVec3) -> DVec3 {
        let across = self.across(d);
        let rim = if across.length() > LEVEL { across.normalize() * self.radius } else { DVec3::ZERO };
        self.end(usize::from(d.dot(self.axis()) > 0.0)) + rim
    }

    /// What is farthest along `d`: the ends of a segment or twice a point, and the radius of the disc around it if it is an end.
    pub(super) fn facing(&self, d: DVec3) -> FacingPart {
        let side = d.dot(self.axis()).abs() <= LEVEL;
        match self.across(d).length() {
            across if across <= LEVEL => FacingPart { ends: [self.support(d); 2], disc: self.radius },
            across if side => {
                let out = self.across(d) * (self.radius / across);
                FacingPart { ends: self.axis_ends().map(|end| end + out), disc: 0.0 }
            }
            _ => FacingPart { ends: [self.support(d); 2], disc: 0.0 },
        }
    }

    /// Is a single point of a rim the farthest along `d`?
    pub(super) fn is_rim(&self, d: DVec3) -> bool {
        d.dot(self.axis()).abs() > 1e-6 && self.across(d).length() > 1e-6
    }

    /// The closest point.
    pub(super) fn closest(&self, p: DVec3) -> DVec3 {
        let d = p - self.centre;
        let along = d.dot(self.axis());
        let across = d - self.axis() * along;
        let out = across.length();
        let across = if out > self.radius { across * (self.radius / out) } else { across };
        self.centre + self.axis() * along.clamp(-self.half_length, self.half_length) + across
    }

    /// Points of a rim, evenly spaced, that turn with the body.
    fn fixed(&self, end: usize) -> [RimPoint; AROUND] {
        let (x, z) = (self.axes.x_axis * self.radius, self.axes.z_axis * self.radius);
        let centre = self.end(end);
        // Written so that opposite points are opposite to the last bit.
        let (d, e) = ((x + z) * FRAC_1_SQRT_2, (z - x) * FRAC_1_SQRT_2);
        let mut k = 0;
        [x, d, z, e, -x, -d, -z, -e].map(|out| {
            k += 1;
            RimPoint { at: centre + out, name: Element::corner((AROUND * end + k - 1) as u32) }
        })
    }

    /// Points inside a rim, evenly spaced, that turn with the body; none if the end presses on its rim.
    fn inside(&self, end: usize) -> SmallVec<[RimPoint; INSIDE]> {
        if self.pressure == EndPressure::Rim {
            return SmallVec::new();
        }
        let (x, z, centre) =
            (self.axes.x_axis * (0.5 * self.radius), self.axes.z_axis * (0.5 * self.radius), self.end(end));
        let quarter = [FIRST, SECOND].into_iter().flat_map(|[cos, sin]| [[cos, sin], [sin, cos]]);
        // Written so that opposite points are opposite to the last bit.
        let half = quarter.flat_map(|[p, q]| [z * q + x * p, z * q - x * p]);
        let all = half.flat_map(|out| [out, -out]);
        let name = |k: usize| Element::corner((INSIDE_NAMES + INSIDE * end + k) as u32);
        all.enumerate().map(|(k, out)| RimPoint { at: centre + out, name: name(k) }).collect()
    }

    /// The point of a rim farthest along `d`, if there is one.
    fn farthest(&self, end: usize, d: DVec3) -> Option<RimPoint> {
        let across = self.across(d);
        let known = across.length() > LEVEL;
        known.then(|| RimPoint {
            at: self.end(end) + across.normalize() * self.radius,
            name: Element::corner((2 * AROUND + end) as u32),
        })
    }

    /// Points of a rim that can touch something along `d`: the farthest, and others that keep a flat end from tipping. Those turn with the
    /// body if the end lies flat. If it is tilted they go with the farthest point: points that turn with a rolling disc would come down
    /// at a speed with which the disc itself does not. An end that presses evenly has points inside its rim besides, while it lies flat.
    fn rim_points(&self, end: usize, d: DVec3) -> SmallVec<[RimPoint; AROUND + 1]> {
        let across = self.across(d);
        let (tilt, centre) = (across.length(), self.end(end));
        if tilt <= TILTED {
            let fixed = self.fixed(end);
            let farthest = fixed.iter().map(|point| point.at.dot(d)).fold(f64::NEG_INFINITY, f64::max);
            // The farthest point is one of these if it is nowhere farther.
            let own = self.farthest(end, d).filter(|point| point.at.dot(d) > farthest + 1e-12 * self.radius);
            return own.into_iter().chain(fixed).chain(self.inside(end)).collect();
        }
        let out = across * (self.radius / tilt);
        let side = self.axis().cross(out) * (0.75f64).sqrt();
        let point = |at: DVec3, k: usize| RimPoint { at, name: Element::corner((2 * AROUND + end + 2 * k) as u32) };
        let third = |side: DVec3| centre - 0.5 * out + side;
        SmallVec::from_iter([point(centre + out, 0), point(third(side), 1), point(third(-side), 2)])
    }

    /// The points that can touch a plane with normal `n` below.
    pub(super) fn low_points(&self, n: DVec3, mut add: impl FnMut(RimPoint)) {
        let slope = self.axis().dot(n);
        let lower = usize::from(slope < 0.0);
        if slope.abs() < FRAC_1_SQRT_2 {
            self.farthest(lower, -n).into_iter().for_each(&mut add);
        } else {
            self.rim_points(lower, -n).into_iter().for_each(&mut add);
        }
        self.farthest(1 - lower, -n).into_iter().for_each(&mut add);
    }

    /// The end or the line of the side that faces along `d`.
    pub(super) fn outline(&self, d: DVec3) -> FacingOutline {
        let slope = d.dot(self.axis());
        let corner = |point: RimPoint, edge: Element| Corner::new(point.at, point.name, edge);
        if slope.abs() < FRAC_1_SQRT_2 {
            let line = Element::edge(8, 9);
            let ends = [0, 1].into_iter().filter_map(|end| self.farthest(end, d));
            let corners: SmallVec<[Corner; 8]> = ends.map(|end| corner(end, line)).collect();
            return FacingOutline::polygon(corners, d, Element::face(2), d);
        }
        let end = usize::from(slope > 0.0);
        let rim = Element::edge(10, 11 + end as u32);
        let axis = if end == 1 { self.axis() } else { -self.axis() };
        let points = self.rim_points(end, d).into_iter();
        let disc = Disc { centre: self.end(end), axis, radius: self.radius, name: rim };
        FacingOutline::disc(disc, points.map(|p| corner(p, rim)).collect(), Element::face(end as u32))
    }
}

/// The best normal from the polytope to the cylinder among those that need no closest points, and where a corner or an edge touches the
/// side; none if it parts them by more than `limit`.
pub(super) fn by_axes(cylinder: &Cylinder, core: &Core, limit: f64) -> Option<Parting> {
    let u = cylinder.axis();
    let s = |n: DVec3| cylinder.low(n) - core.reach(n);
    let mut best = (u, s(u));
    improve(&mut best, -u, s(-u));
    let room = 1e-13 * (cylinder.size() + core.size + cylinder.centre.length() + core.centre.length());
    let mut heights = Heights::new();
    faces(cylinder, core, room, &mut heights, &mut best);
    if best.1 > limit {
        return None;
    }
    // A normal parts the bodies no farther than it parts the cylinder from one point of the polytope: most need no look at the others.
    let hopeless = |best: &Best, n: DVec3, p: DVec3| cylinder.low(n) - n.dot(p) < best.1 - room;
    // The point of the polytope on the side, and the normal it belongs to.
    let mut touch = (DVec3::ZERO, DVec3::ZERO);
    core.heights(cylinder.support(-best.0), &mut heights);
    let least = best.1 - room;
    for i in (0..core.vertex_count()).filter(|&i| least > 0.0 || core.is_corner_above(i, &heights, least)) {
        let vertex = core.vertex(i);
        if let Some(n) = cylinder.across(cylinder.centre - vertex).try_normalize()
            && !hopeless(&best, n, vertex)
        {
            improve(&mut best, n, s(n));
            touch = if best.0 == n { (n, vertex) } else { touch };
        }
    }
    let edges = core.edges_above(&heights, least);
    for edge in edges.iter().map(|&i| core.edge(i as usize)) {
        let d = edge.to - edge.from;
        let side = u.cross(d);
        if side.length() > 1e-9 * d.length() {
            for n in [side.normalize(), -side.normalize()] {
                if hopeless(&best, n, edge.from) {
                    continue;
                }
                improve(&mut best, n, s(n));
                if best.0 == n {
                    // Where the edge passes the axis, seen along n.
                    let t = (cylinder.centre - edge.from).cross(u).dot(n) / d.cross(u).dot(n);
                    touch = (n, edge.from + d * t.clamp(0.0, 1.0));
                }
            }
        }
    }
    if best.1 <= 0.0 {
        edges.iter().for_each(|&i| edge_circle(cylinder, &core.edge(i as usize), &mut best));
    }
    let (normal, distance) = best;
    let closest = (touch.0 == normal).then(|| [touch.1 + normal * distance, touch.1]);
    (distance <= limit).then_some(Parting { normal, distance, closest })
}

/// The best normal among the faces of the polytope, the first of several that are equally good. A point of the cylinder rules out most of them.
fn faces(cylinder: &Cylinder, core: &Core, room: f64, heights: &mut Heights, best: &mut Best) {
    core.heights(cylinder.closest(core.middle()), heights);
    let top = (0..heights.len()).fold(0, |top, i| if heights[i] > heights[top] { i } else { top });
    let mut least = best.1;
    if core.face_count() > 8 {
        let FacePlane { normal, height } = core.face(top);
        least = least.max(cylinder.low(normal) - height);
        let mut next = Heights::new();
        core.heights(cylinder.support(-normal), &mut next);
        heights.iter_mut().zip(&next).for_each(|(own, new)| *own = own.min(*new));
    }
    for i in (0..core.face_count()).filter(|&i| heights[i] >= least - room) {
        let FacePlane { normal, height } = core.face(i);
        improve(best, normal, cylinder.low(normal) - height);
    }
}

/// Searches the normals across an edge, between those of the faces beside it. There the edge is the farthest part of its body.
fn edge_circle(cylinder: &Cylinder, edge: &EdgeView, best: &mut Best) {
    let along = (edge.to - edge.from).normalize_or_zero();
    let (start, towards, angle) = match edge.sides {
        0 => {
            let (x, z) = along.any_orthonormal_pair();
            (x, z, TAU)
        }
        1 => (along.cross(edge.inward[0]), -edge.inward[0], PI),
        _ => {
            let outward = |own: DVec3, other: DVec3| {
                let n = along.cross(own).normalize_or_zero();
                if n.dot(other) > 0.0 { -n } else { n }
            };
            let first = outward(edge.inward[0], edge.inward[1]);
            let second = outward(edge.inward[1], edge.inward[0]);
            let towards = (second - first * first.dot(second)).normalize_or_zero();
            (first, towards, first.dot(second).clamp(-1.0, 1.0).acos())
        }
    };
    let at = |phi: f64| start * phi.cos() + towards * phi.sin();
    // A side found again by the search is no better than the exact one.
    let least = best.1 + 1e-13 * cylinder.size();
    let pieces = (angle / FRAC_PI_2 - 1e-9).ceil().max(1.0);
    let mut ends = (0..pieces as usize).map(|k| [k, k + 1].map(|k| at(angle * k as f64 / pieces)));
    if best.1 <= 0.0 && ends.all(|ends| chord_bound(cylinder, edge.from, ends) <= least) {
        return;
    }
    let s = |phi: f64| {
        let n = at(phi);
        cylinder.low(n) - n.dot(edge.from).max(n.dot(edge.to))
    };
    let slope = |phi: f64| {
        let n = at(phi);
        let farthest = if n.dot(edge.from) > n.dot(edge.to) { edge.from } else { edge.to };
        (towards * phi.cos() - start * phi.sin()).dot(cylinder.support(-n) - farthest)
    };
    let found = search_angle(angle, if edge.sides == 0 { 32 } else { 8 }, best.1, s, slope);
    if let Some(phi) = found.filter(|phi| s(*phi) > least) {
        *best = (at(phi), s(phi));
    }
}

/// No normal between two unit vectors, not more than a right angle apart, parts a cylinder and an edge at `p` by more than this if it is
/// negative (and by more than √2 times this if not).
///
/// f(n) = min n·x − n·p over the cylinder is at most n·(x − p) for every x of it, and s(n) = f(n)/|n|. On the chord between the vectors
/// 1/√2 ≤ |n| ≤ 1, and n·(x − p) is linear: the bound is the highest point below the lines of four x, the lowest points of both ends for both
/// vectors.
fn chord_bound(cylinder: &Cylinder, p: DVec3, normals: [DVec3; 2]) -> f64 {
    let mut bound = f64::INFINITY;
    let mut lines = [[0.0; 2]; 4];
    for (k, line) in lines.iter_mut().enumerate() {
        let end = cylinder.end(k & 1);
        let x = cylinder.farthest(k & 1, -normals[k >> 1]).map_or(end, |point| point.at);
        *line = normals.map(|n| n.dot(x - p));
        bound = line[0].max(line[1]).min(bound);
    }
    for (i, [a, b]) in lines.into_iter().enumerate() {
        for [c, d] in lines[..i].iter().copied() {
            // Lines a + (b − a) t and c + (d − c) t that cross between the ends: highest there, or at the higher end of the lower one.
            let (fall, rise) = (a - c, d - b);
            if fall * rise > 0.0 {
                bound = bound.min(a.min(c).max(b.min(d)).max(a + (b - a) * fall / (fall + rise)));
            }
        }
    }
    bound
}

/// Most samples of a search.
const SAMPLES: usize = 48;

/// The maximum of a function on [0, angle], if it may exceed `least`: some samples, then beside each hump the place where the slope
/// changes its sign.
pub(super) fn search_angle(
    angle: f64,
    samples: usize,
    least: f64,
    value: impl Fn(f64) -> f64,
    slope: impl Fn(f64) -> f64,
) -> Option<f64> {
    let step = angle / samples as f64;
    let mut values = [f64::NEG_INFINITY; SAMPLES + 1];
    let values = &mut values[..=samples.min(SAMPLES)];
    values.iter_mut().enumerate().for_each(|(i, v)| *v = value(step * i as f64));
    // Between samples it cannot rise by more than it changes from one to the next, twice over for its bend.
    let swing = 2.0 * values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    let count = values.len();
    let circle = angle >= TAU;
    // A full circle has no ends; its last sample is its first.
    let at = |i: isize| match usize::try_from(i) {
        Ok(i) if i < count => values[i],
        Ok(_) if circle => values[1],
        Err(_) if circle => values[count - 2],
        _ => f64::NEG_INFINITY,
    };
    let mut best: Option<(f64, f64)> = None;
    for i in 0..count as isize - isize::from(circle) {
        let least = best.map_or(least, |(_, high)| high);
        if at(i) < at(i - 1) || at(i) < at(i + 1) || at(i) + swing <= least {
            continue;
        }
        let end = |i: isize| step * if circle { i as f64 } else { (i as f64).clamp(0.0, samples as f64) };
        let phi = falling(end(i - 1), end(i + 1), &slope);
        let top = value(phi);
        if best.is_none_or(|(_, high)| top > high) {
            best = Some((phi, top));
        }
    }
    best.map(|(phi, _)| phi)
}

/// Closest points of a cylinder and a polytope that are apart, unless a face of the polytope is closest.
pub(super) fn closest(cylinder: &Cylinder, core: &Core) -> [DVec3; 2] {
    let mut best = (f64::INFINITY, [cylinder.centre, core.centre]);
    let mut offer = |q: DVec3| {
        let p = cylinder.closest(q);
        let distance = p.distance_squared(q);
        if distance < best.0 {
            best = (distance, [p, q]);
        }
    };
    if core.is_point() {
        offer(core.centre);
    }
    for i in 0..core.edge_count() {
        let edge = core.edge(i);
        offer(closest_on_edge(cylinder, edge.from, edge.to));
    }
    best.1
}

/// The point of an edge closest to a cylinder: where (x − closest(x))·d, which grows along d, changes its sign.
fn closest_on_edge(cylinder: &Cylinder, from: DVec3, to: DVec3) -> DVec3 {
    let d = to - from;
    let at = |t: f64| from + d * t;
    at(falling(0.0, 1.0, |t| (cylinder.closest(at(t)) - at(t)).dot(d)))
}
