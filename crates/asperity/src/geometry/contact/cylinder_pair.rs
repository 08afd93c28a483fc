//! Two cylinders.
//!
//! The best normal is the axis of one of them (an end), lies in the circle across an axis (a side), where one angle is searched to rounding, or
//! belongs to two rims, where both angles are.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use super::cylinder::{Cylinder, FacingPart, search_angle};
use super::parting::{Best, Parting, improve};

/// min over A − max over B along n.
fn along(a: &Cylinder, b: &Cylinder, n: DVec3) -> f64 {
    a.low(n) + b.low(-n)
}

/// The best normal of two cylinders from B to A: ends, sides against anything, rims against rims.
pub(super) fn by_axes(a: &Cylinder, b: &Cylinder, limit: f64) -> Option<Parting> {
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
        let [p, q] = closest(a, b);
        if let Some(n) = (p - q).try_normalize() {
            let (n, s) = climb(a, b, (n, along(a, b, n)));
            improve(&mut best, n, s);
        }
    } else if !is_deepest(a, b, &best) {
        rims(a, b, sides, &mut best);
    }
    (best.1 <= limit).then_some(Parting { normal: best.0, distance: best.1, closest: None })
}

/// Does a normal that parts overlapping cylinders by s = −d show by itself that no other parts them better?
///
/// It does if the difference D = {x − y} of the bodies holds the ball of radius d around the origin. The parts that face each other are points,
/// segments or discs across n, and their difference lies in the face of D at the height −d along n. If that holds a disc of radius ρ ≥ d around −d n, D reaches
/// at least d cos θ + ρ sin θ ≥ d in every direction up to a right angle from −n. At an angle α from n the disc reaches −d cos α + ρ sin α, which is
/// d or more if tan(α/2) ≥ d/ρ; closer to n the point of D farthest along it, at the height T and ℓ aside, reaches T cos α − ℓ sin α. With
/// ρ ≥ 4 d there is cos α ≥ 15/17 and sin α ≤ 2 d/ρ.
pub(super) fn is_deepest(a: &Cylinder, b: &Cylinder, &(n, s): &Best) -> bool {
    let FacingPart { ends: [p, p_end], disc: disc_a } = a.facing(-n);
    let FacingPart { ends: [q, q_end], disc: disc_b } = b.facing(n);
    let (t, v) = n.any_orthonormal_pair();
    let flat = |x: DVec3| DVec2::new(x.dot(t), x.dot(v));
    // The difference of the segments, {base + α e + β f}, and the radius of discs around.
    let (base, e, f) = (flat(p - q), flat(p_end - p), flat(q - q_end));
    let far = base + e + f;
    let borders = [(base, base + e), (base, base + f), (far, far - e), (far, far - f)];
    let distance = |(from, to): (DVec2, DVec2)| {
        let (along, square) = (to - from, (to - from).length_squared());
        let t = if square > 0.0 { (-from.dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
        (from + along * t).length()
    };
    let border = borders.into_iter().map(distance).fold(f64::INFINITY, f64::min);
    // −base = α e + β f.
    let determinant = e.perp_dot(f);
    let (alpha, beta) = (-base.perp_dot(f) / determinant, base.perp_dot(e) / determinant);
    let inside = (0.0..=1.0).contains(&alpha) && (0.0..=1.0).contains(&beta);
    let rho = disc_a + disc_b + if inside { border } else { -border };
    let d = -s;
    let top = a.support(n) - b.support(-n);
    let height = top.dot(n);
    rho > 0.0 && rho >= 4.0 * d && 15.0 / 17.0 * height - 2.0 * d / rho * (top - n * height).length() >= d
}

/// Rim against rim: climbs from the best of some directions all around, and from beside the axes and the best normals of the sides.
pub(super) fn rims(a: &Cylinder, b: &Cylinder, sides: [DVec3; 2], best: &mut Best) {
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
fn closest(a: &Cylinder, b: &Cylinder) -> [DVec3; 2] {
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
