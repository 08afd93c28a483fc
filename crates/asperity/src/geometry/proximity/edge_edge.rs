//! The nearest points of two edges.
//!
//! With d₁ = b − a, d₂ = d − c, r = a − c, the lines are nearest at s = (d₁·d₂ d₂·r − d₁·r |d₂|²)/D, D = |d₁ × d₂|²,
//! and at the point of the second that is nearest to that of the first, t = (d₂·r + s d₁·d₂)/|d₂|². If both are inside
//! of their edges these are the nearest points. Otherwise, and where the edges are so parallel that s is noise, an end
//! of one edge and a point of the other are as near.
//!
//! An error of s moves both points along the edges by the same way, so that the way between them stays across both
//! edges to rounding, however parallel they are. (With t from its own quotient by D it would not: the way would lean
//! towards the edges, and prove no distance.)

use glam::DVec3;

use super::{Closest, along_segment};

/// sin² of the angle between edges below which the ends are looked at too: above it s and t have ten digits.
const PARALLEL: f64 = 1e-6;

/// sin² of the angle below which the edges are parallel: there the ends are as near as any other points.
const SAME: f64 = 1e-22;

/// The nearest points of the edges x_0 x_1 and x_2 x_3.
pub fn edge_edge(points: &[DVec3; 4]) -> Closest {
    let [a, b, c, d] = *points;
    let (d1, d2, r) = (b - a, d - c, a - c);
    let [one, two] = [d1.length_squared(), d2.length_squared()];
    let cross = d1.cross(d2).length_squared();
    let mut best = None;
    if cross > SAME * one * two {
        let (mixed, on_1, on_2) = (d1.dot(d2), d1.dot(r), d2.dot(r));
        let s = (mixed * on_2 - on_1 * two) / cross;
        let t = (on_2 + s * mixed) / two;
        if 0.0 < s && s < 1.0 && 0.0 < t && t < 1.0 {
            let inside = at(points, s, t);
            if cross > PARALLEL * one * two {
                return inside;
            }
            best = Some(inside);
        }
    }
    let ends = [
        at(points, 0.0, along_segment(a, c, d)),
        at(points, 1.0, along_segment(b, c, d)),
        at(points, along_segment(c, a, b), 0.0),
        at(points, along_segment(d, a, b), 1.0),
    ];
    let nearer = |best: Closest, own: Closest| {
        if own.way.length_squared() < best.way.length_squared() { own } else { best }
    };
    let rest = ends[1..].iter().copied().fold(ends[0], nearer);
    best.map_or(rest, |inside| nearer(rest, inside))
}

#[inline]
fn at([a, b, c, d]: &[DVec3; 4], s: f64, t: f64) -> Closest {
    let way = *a * (1.0 - s) + *b * s - (*c * (1.0 - t) + *d * t);
    Closest { weights: [1.0 - s, s, t - 1.0, -t], way }
}
