//! True cylinders against polytopes and each other.
//!
//! A cylinder with centre c, axis u, half length h and radius r has min n·x = n·c − h |n·u| − r |n − (n·u) u|. The best normal n
//! of a pair is the axis (an end), a face of the other body, or lies in the circle across an edge of the other body or across the axis
//! (a side), where one angle is searched to rounding; two rims are left, where both angles are. Bodies that are apart are parted by their
//! closest points: the distance from a cylinder is convex along an edge, so that its minimum is bracketed.

use std::f64::consts::{FRAC_1_SQRT_2, PI, TAU};

use glam::{DMat3, DVec3};
use smallvec::SmallVec;

use super::core::{Core, EdgeView};
use super::feature;
use super::outline::{Corner, Disc, Outline};
use super::pair::Parting;
use crate::geometry::Pose;

/// Less tilt than this changes no gap by more than rounding, and its direction is noise.
const LEVEL: f64 = 1e-12;

/// Sine of the tilt from which an end does not count as lying flat.
const TILTED: f64 = 0.01;

/// A cylinder in the world.
pub(super) struct Cylinder {
    pub(super) centre: DVec3,
    axes: DMat3,
    half_length: f64,
    pub(super) radius: f64,
}

impl Cylinder {
    pub(super) fn new(half_length: f64, radius: f64, pose: &Pose) -> Self {
        Self { centre: pose.position, axes: DMat3::from_quat(pose.rotation), half_length, radius }
    }

    pub(super) fn size(&self) -> f64 {
        self.half_length.hypot(self.radius)
    }

    fn axis(&self) -> DVec3 {
        self.axes.y_axis
    }

    pub(super) fn axis_ends(&self) -> [DVec3; 2] {
        [self.end(0), self.end(1)]
    }

    /// Centre of an end.
    fn end(&self, i: usize) -> DVec3 {
        self.centre + self.axis() * if i == 0 { -self.half_length } else { self.half_length }
    }

    /// The part of `d` across the axis; not as a difference, which would leave a part along the axis if `d` is almost the axis.
    fn across(&self, d: DVec3) -> DVec3 {
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

    /// Four points of a rim that turn with the body.
    fn fixed(&self, end: usize) -> [(DVec3, u32); 4] {
        let (x, z) = (self.axes.x_axis * self.radius, self.axes.z_axis * self.radius);
        let centre = self.end(end);
        let name = |k: usize| feature::corner((4 * end + k) as u32);
        [(centre + x, name(0)), (centre + z, name(1)), (centre - x, name(2)), (centre - z, name(3))]
    }

    /// The point of a rim farthest along `d`, if there is one.
    fn farthest(&self, end: usize, d: DVec3) -> Option<(DVec3, u32)> {
        let across = self.across(d);
        let known = across.length() > LEVEL;
        known.then(|| (self.end(end) + across.normalize() * self.radius, feature::corner(8 + end as u32)))
    }

    /// Points of a rim that can touch something along `d`: the farthest, and others that keep a flat end from tipping. Those turn with the
    /// body if the end lies flat. If it is tilted they go with the farthest point: points that turn with a rolling disc would come down
    /// at a speed with which the disc itself does not.
    fn rim_points(&self, end: usize, d: DVec3) -> SmallVec<[(DVec3, u32); 5]> {
        let across = self.across(d);
        let (tilt, centre) = (across.length(), self.end(end));
        if tilt <= TILTED {
            let fixed = self.fixed(end);
            let farthest = fixed.iter().map(|(p, _)| p.dot(d)).fold(f64::NEG_INFINITY, f64::max);
            // The farthest point is one of the four if it is nowhere farther.
            let own = self.farthest(end, d).filter(|(p, _)| p.dot(d) > farthest + 1e-12 * self.radius);
            return own.into_iter().chain(fixed).collect();
        }
        let out = across * (self.radius / tilt);
        let side = self.axis().cross(out) * (0.75f64).sqrt();
        let name = |k: usize| feature::corner((8 + end + 2 * k) as u32);
        let third = |side: DVec3| centre - 0.5 * out + side;
        SmallVec::from_iter([(centre + out, name(0)), (third(side), name(1)), (third(-side), name(2))])
    }

    /// The points that can touch a plane with normal `n` below.
    pub(super) fn low_points(&self, n: DVec3, mut add: impl FnMut(DVec3, u32)) {
        let slope = self.axis().dot(n);
        let lower = usize::from(slope < 0.0);
        if slope.abs() < FRAC_1_SQRT_2 {
            self.farthest(lower, -n).into_iter().for_each(|(p, name)| add(p, name));
        } else {
            self.rim_points(lower, -n).into_iter().for_each(|(p, name)| add(p, name));
        }
        self.farthest(1 - lower, -n).into_iter().for_each(|(p, name)| add(p, name));
    }

    /// The end or the line of the side that faces along `d`.
    pub(super) fn outline(&self, d: DVec3) -> Outline {
        let slope = d.dot(self.axis());
        let corner = |(at, name): (DVec3, u32), edge: u32| Corner::new(at, name, edge);
        if slope.abs() < FRAC_1_SQRT_2 {
            let line = feature::edge(8, 9);
            let ends = [0, 1].into_iter().filter_map(|end| self.farthest(end, d));
            let corners: SmallVec<[Corner; 8]> = ends.map(|end| corner(end, line)).collect();
            return Outline::polygon(corners, d, feature::face(2), d);
        }
        let end = usize::from(slope > 0.0);
        let rim = feature::edge(10, 11 + end as u32);
        let axis = if end == 1 { self.axis() } else { -self.axis() };
        let points = self.rim_points(end, d).into_iter();
        let disc = Disc { centre: self.end(end), axis, radius: self.radius, name: rim };
        Outline::disc(disc, points.map(|p| corner(p, rim)).collect(), feature::face(end as u32))
    }
}

/// A normal and how far it parts the bodies.
type Best = (DVec3, f64);

fn improve(best: &mut Best, n: DVec3, s: f64) {
    if s > best.1 {
        *best = (n, s);
    }
}

/// The best normal from the polytope to the cylinder among those that need no closest points, and where a corner or an edge touches the
/// side; none if it parts them by more than `limit`.
pub(super) fn by_axes(cylinder: &Cylinder, core: &Core, limit: f64) -> Option<Parting> {
    let u = cylinder.axis();
    let s = |n: DVec3| cylinder.low(n) - core.reach(n);
    let mut best = (u, s(u));
    improve(&mut best, -u, s(-u));
    for i in 0..core.face_count() {
        let (normal, height) = core.face(i);
        improve(&mut best, normal, cylinder.low(normal) - height);
    }
    if best.1 > limit {
        return None;
    }
    // The point of the polytope on the side, and the normal it belongs to.
    let mut touch = (DVec3::ZERO, DVec3::ZERO);
    for i in 0..core.vertex_count() {
        let vertex = core.vertex(i);
        if let Some(n) = cylinder.across(cylinder.centre - vertex).try_normalize() {
            improve(&mut best, n, s(n));
            touch = if best.0 == n { (n, vertex) } else { touch };
        }
    }
    for i in 0..core.edge_count() {
        let edge = core.edge(i);
        let d = edge.to - edge.from;
        let side = u.cross(d);
        if side.length() > 1e-9 * d.length() {
            for n in [side.normalize(), -side.normalize()] {
                improve(&mut best, n, s(n));
                if best.0 == n {
                    // Where the edge passes the axis, seen along n.
                    let t = (cylinder.centre - edge.from).cross(u).dot(n) / d.cross(u).dot(n);
                    touch = (n, edge.from + d * t.clamp(0.0, 1.0));
                }
            }
        }
        if best.1 <= 0.0 {
            edge_circle(cylinder, &edge, &mut best);
        }
    }
    let (normal, distance) = best;
    let closest = (touch.0 == normal).then(|| [touch.1 + normal * distance, touch.1]);
    (distance <= limit).then_some(Parting { normal, distance, closest })
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
    let s = |phi: f64| {
        let n = at(phi);
        cylinder.low(n) - n.dot(edge.from).max(n.dot(edge.to))
    };
    let slope = |phi: f64| {
        let n = at(phi);
        let farthest = if n.dot(edge.from) > n.dot(edge.to) { edge.from } else { edge.to };
        (towards * phi.cos() - start * phi.sin()).dot(cylinder.support(-n) - farthest)
    };
    if let Some(phi) = search_angle(angle, if edge.sides == 0 { 32 } else { 8 }, best.1, s, slope) {
        // A side found again by the search is no better than the exact one.
        if s(phi) > best.1 + 1e-13 * cylinder.size() {
            *best = (at(phi), s(phi));
        }
    }
}

/// Most samples of a search.
const SAMPLES: usize = 48;

/// The maximum of a function on [0, angle], if it may exceed `least`: some samples, then beside each hump the place where the slope
/// changes its sign, by bisection.
fn search_angle(
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
        let (mut low, mut high) = (end(i - 1), end(i + 1));
        let phi = loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break middle;
            }
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        };
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
    let slope = |t: f64| (at(t) - cylinder.closest(at(t))).dot(d);
    let (mut low, mut high) = (0.0, 1.0);
    if slope(low) >= 0.0 {
        return from;
    }
    if slope(high) <= 0.0 {
        return to;
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return at(middle);
        }
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
}

/// min over A − max over B along n.
fn along(a: &Cylinder, b: &Cylinder, n: DVec3) -> f64 {
    a.low(n) + b.low(-n)
}

/// The best normal of two cylinders from B to A: ends, sides against anything, rims against rims.
pub(super) fn pair_by_axes(a: &Cylinder, b: &Cylinder, limit: f64) -> Option<Parting> {
    let mut best = (a.axis(), f64::NEG_INFINITY);
    for n in [a.axis(), -a.axis(), b.axis(), -b.axis()] {
        improve(&mut best, n, along(a, b, n));
    }
    if best.1 > limit {
        return None;
    }
    let mut sides = [a.axis(), b.axis()];
    for best_side in &mut sides {
        let axis = *best_side;
        let (x, z) = axis.any_orthonormal_pair();
        let at = |phi: f64| x * phi.cos() + z * phi.sin();
        let slope = |phi: f64| {
            let n = at(phi);
            (z * phi.cos() - x * phi.sin()).dot(a.support(-n) - b.support(n))
        };
        if let Some(phi) = search_angle(TAU, 32, f64::NEG_INFINITY, |phi| along(a, b, at(phi)), slope) {
            *best_side = at(phi);
            improve(&mut best, at(phi), along(a, b, at(phi)));
        }
    }
    if let Some(n) = a.axis().cross(b.axis()).try_normalize() {
        improve(&mut best, n, along(a, b, n));
        improve(&mut best, -n, along(a, b, -n));
    }
    if best.1 > limit {
        return None;
    }
    if best.1 > 0.0 {
        let [p, q] = pair_closest(a, b);
        if let Some(n) = (p - q).try_normalize() {
            let (n, s) = climb(a, b, (n, along(a, b, n)));
            improve(&mut best, n, s);
        }
    } else {
        rims(a, b, sides, &mut best);
    }
    (best.1 <= limit).then_some(Parting { normal: best.0, distance: best.1, closest: None })
}

/// Rim against rim: climbs from the best of some directions all around, and from beside the axes and the best normals of the sides.
fn rims(a: &Cylinder, b: &Cylinder, sides: [DVec3; 2], best: &mut Best) {
    const STARTS: usize = 128;
    const CLIMBS: usize = 6;
    let mut top: [Best; CLIMBS] = [(DVec3::ZERO, f64::NEG_INFINITY); CLIMBS];
    for i in 0..STARTS {
        // Points spread evenly over the sphere along a spiral, and their opposites: the same from both bodies.
        let y = 1.0 - (i / 2 * 4 + 1) as f64 / STARTS as f64;
        let angle = (i / 2) as f64 * PI * (3.0 - 5.0f64.sqrt());
        let out = (1.0 - y * y).sqrt();
        let n = DVec3::new(out * angle.cos(), y, out * angle.sin()) * if i & 1 == 0 { 1.0 } else { -1.0 };
        let s = along(a, b, n);
        if let Some(place) = top.iter().position(|t| s > t.1) {
            top[place..].rotate_right(1);
            top[place] = (n, s);
        }
    }
    for start in top.into_iter().chain([*best]) {
        let (n, s) = climb(a, b, start);
        improve(best, n, s);
    }
    // Beside a kink (an axis, or the circle across one) the top may be too narrow for any of these: leave the kink uphill.
    let ends = [a.axis(), -a.axis(), b.axis(), -b.axis()];
    let uphill = |n: DVec3| (a.support(-n) - b.support(n)).reject_from_normalized(n).normalize_or_zero();
    let from_ends = ends.map(|n| (n, uphill(n)));
    let from_sides = [(sides[0], a.axis()), (sides[0], -a.axis()), (sides[1], b.axis()), (sides[1], -b.axis())];
    for (kink, away) in from_ends.into_iter().chain(from_sides) {
        let beside = [0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5].map(|tilt| (kink + away * tilt).normalize_or(kink));
        let values = beside.into_iter().map(|n| (n, along(a, b, n)));
        let start = values.fold((kink, f64::NEG_INFINITY), |high, next| if next.1 > high.1 { next } else { high });
        let (n, s) = climb(a, b, start);
        improve(best, n, s);
    }
}

/// Newton's method for max s(n) on the sphere where both rims are the farthest parts. With m_i the unit direction of n across axis i,
/// p_i its length and w_i = u_i × m_i, the curvature of s is −Σ (r_i/p_i) w_i w_iᵀ − s 1 in the tangent plane.
fn climb(a: &Cylinder, b: &Cylinder, start: Best) -> Best {
    let (mut n, mut s) = start;
    if n == DVec3::ZERO {
        return start;
    }
    for _ in 0..40 {
        let gradient = a.support(-n) - b.support(n);
        let (t, v) = n.any_orthonormal_pair();
        let (mut h11, mut h12, mut h22) = (-s, 0.0, -s);
        for cylinder in [a, b] {
            let across = cylinder.across(n);
            let length = across.length().max(1e-9);
            let w = cylinder.axis().cross(across / length);
            let (x, y) = (w.dot(t), w.dot(v));
            let bend = cylinder.radius / length;
            h11 -= bend * x * x;
            h12 -= bend * x * y;
            h22 -= bend * y * y;
        }
        // Steps along the two principal directions, uphill in both also where s bends the wrong way.
        let size = a.size() + b.size();
        let (mean, half) = (0.5 * (h11 + h22), (0.25 * (h11 - h22) * (h11 - h22) + h12 * h12).sqrt());
        let angle = 0.5 * h12.atan2(0.5 * (h11 - h22));
        let newton = mean + half < 0.0;
        let mut step = DVec3::ZERO;
        for (direction, bend) in
            [(t * angle.cos() + v * angle.sin(), mean + half), (v * angle.cos() - t * angle.sin(), mean - half)]
        {
            step += direction * (direction.dot(gradient) / bend.abs().max(1e-6 * size));
        }
        let mut scale = if step.length() > 0.5 { 0.5 / step.length() } else { 1.0 };
        let mut moved = false;
        for _ in 0..12 {
            let next = (n + step * scale).normalize();
            let value = along(a, b, next);
            // Close to the top s is flat to rounding, but its slope is not: Newton's steps still make the normal better.
            let last = newton && step.length() < 1e-4 && value >= s - 1e-14 * size;
            if value > s || last {
                (n, s, moved) = (next, value, true);
                break;
            }
            scale *= 0.3;
        }
        if !moved || step.length() < 1e-15 {
            break;
        }
    }
    (n, s)
}

/// Closest points of two cylinders that are apart, if a rim of one of them is closest; the other cases are found by their normals.
fn pair_closest(a: &Cylinder, b: &Cylinder) -> [DVec3; 2] {
    let mut best = (f64::INFINITY, [a.centre, b.centre]);
    for (own, other, swapped) in [(a, b, false), (b, a, true)] {
        for end in 0..2 {
            let (x, z) = (own.axes.x_axis * own.radius, own.axes.z_axis * own.radius);
            let at = |phi: f64| own.end(end) + x * phi.cos() + z * phi.sin();
            let distance = |phi: f64| other.closest(at(phi)).distance(at(phi));
            let slope = |phi: f64| (other.closest(at(phi)) - at(phi)).dot(z * phi.cos() - x * phi.sin());
            if let Some(phi) = search_angle(TAU, 48, f64::NEG_INFINITY, |phi| -distance(phi), slope) {
                let (p, q) = (at(phi), other.closest(at(phi)));
                if distance(phi) < best.0 {
                    best = (distance(phi), if swapped { [q, p] } else { [p, q] });
                }
            }
        }
    }
    best.1
}
