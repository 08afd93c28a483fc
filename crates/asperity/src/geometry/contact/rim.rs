//! Rims: where the border of a disc crosses an edge or another rim, seen along the normal.

use std::f64::consts::TAU;

use glam::DVec3;

use super::outline::Disc;

/// Steps around a rim in the search for crossings: two crossings closer than a step are one touch, and do not matter.
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
    let outside = |angle: f64| lift(b, n, on_a(angle)).distance_squared(b.centre) - b.radius * b.radius;
    let step = TAU / STEPS as f64;
    let mut last = outside(0.0);
    for i in 0..STEPS {
        let next = outside(step * (i + 1) as f64);
        if (last > 0.0) != (next > 0.0) {
            let (mut low, mut high) = (step * i as f64, step * (i + 1) as f64);
            while high - low > 1e-15 * TAU {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    break;
                }
                if (outside(middle) > 0.0) == (last > 0.0) { low = middle } else { high = middle }
            }
            let p = on_a(low);
            // Which of two: the side of the line between the centres. It is the same side if a, b and n are exchanged.
            let side = (b.centre - a.centre).cross(p - a.centre).dot(n);
            found(p, lift(b, n, p), side > 0.0);
        }
        last = next;
    }
}
