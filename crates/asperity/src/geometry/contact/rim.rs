//! Rims: where the border of a disc crosses an edge or another rim, seen along the normal.

use std::f64::consts::TAU;

use glam::DVec3;

use super::feature::Element;
use super::root::falling;

/// A flat end of a cylinder.
#[derive(Clone, Copy)]
pub(super) struct Disc {
    pub(super) centre: DVec3,
    pub(super) axis: DVec3,
    pub(super) radius: f64,
    pub(super) name: Element,
}

/// Steps around a rim in the search for crossings; turns between them are looked into.
const STEPS: usize = 48;

/// The point of the disc's plane on the line through `p` along `n`.
fn lift(disc: &Disc, n: DVec3, p: DVec3) -> DVec3 {
    p + n * ((disc.centre - p).dot(disc.axis) / n.dot(disc.axis))
}

/// Calls `found` with the points on the rim and on the edge, and whether it is the second of two.
pub(super) fn edge_crossings(disc: &Disc, from: DVec3, to: DVec3, n: DVec3, mut found: impl FnMut(DVec3, DVec3, bool)) {
    let (p, q) = (lift(disc, n, from), lift(disc, n, to));
    let (w, d) = (p - disc.centre, q - p);
    // |w + t d|² = r².
    let (a, b, c) = (d.length_squared(), w.dot(d), w.length_squared() - disc.radius * disc.radius);
    let discriminant = b * b - a * c;
    if discriminant <= 0.0 || a <= 0.0 {
        return;
    }
    let root = -b - discriminant.sqrt().copysign(b);
    // Without cancellation: one root from the sum, the other from the product.
    let (mut first, mut second) = (root / a, if root != 0.0 { c / root } else { root / a });
    if first > second {
        (first, second) = (second, first);
    }
    for (t, is_second) in [(first, false), (second, true)] {
        if (0.0..=1.0).contains(&t) {
            found(p + d * t, from + (to - from) * t, is_second);
        }
    }
}

/// Calls `found` with the points on both rims where they cross, seen along `n`.
pub(super) fn rim_crossings(a: &Disc, b: &Disc, n: DVec3, mut found: impl FnMut(DVec3, DVec3, bool)) {
    let (x, z) = a.axis.any_orthonormal_pair();
    let on_a = |angle: f64| a.centre + (x * angle.cos() + z * angle.sin()) * a.radius;
    // How far outside B's rim A's rim is, and how that grows along it.
    let outside = |angle: f64| lift(b, n, on_a(angle)).distance_squared(b.centre) - b.radius * b.radius;
    let growth = |angle: f64| {
        let along = z * angle.cos() - x * angle.sin();
        let lifted = along - n * (along.dot(b.axis) / n.dot(b.axis));
        (lift(b, n, on_a(angle)) - b.centre).dot(lifted)
    };
    let mut crossing = |low: f64, high: f64| {
        let sign = if outside(low) > 0.0 { 1.0 } else { -1.0 };
        let angle = falling(low, high, |angle| sign * outside(angle));
        let p = on_a(angle);
        // Which of two: the side of the line between the centres. It is the same side if a, b and n are exchanged.
        let side = (b.centre - a.centre).cross(p - a.centre).dot(n);
        found(p, lift(b, n, p), side > 0.0);
    };
    let step = TAU / STEPS as f64;
    for i in 0..STEPS {
        let (low, high) = (step * i as f64, step * (i + 1) as f64);
        if (outside(low) > 0.0) != (outside(high) > 0.0) {
            crossing(low, high);
        } else if (growth(low) > 0.0) != (growth(high) > 0.0) {
            // A turn between two samples may reach over the other rim and back.
            let sign = if growth(low) > 0.0 { 1.0 } else { -1.0 };
            let turn = falling(low, high, |angle| sign * growth(angle));
            if (outside(turn) > 0.0) != (outside(low) > 0.0) {
                crossing(low, turn);
                crossing(turn, high);
            }
        }
    }
}
