//! The point of a triangle that is nearest to a vertex.
//!
//! With e₁ = b − a, e₂ = c − a, r = p − a and N = e₁ × e₂, the foot of p on the plane has the barycentric weights
//! w_b = N·(r × e₂)/|N|², w_c = N·(e₁ × r)/|N|², w_a = 1 − w_b − w_c. If all are positive it is the nearest point. Otherwise that is
//! on an edge which p sees, one whose opposite weight is not positive.

use glam::DVec3;

use super::{Closest, along_segment};

/// sin² of an angle below which two sides of a triangle are parallel: weights would be noise, and the edges are as near.
const SLIVER: f64 = 1e-22;

/// The nearest points of the vertex x_0 and the triangle x_1 x_2 x_3.
pub fn vertex_triangle(&[p, a, b, c]: &[DVec3; 4]) -> Closest {
    let (e1, e2, r) = (b - a, c - a, p - a);
    let normal = e1.cross(e2);
    let square = normal.length_squared();
    let flat = square <= SLIVER * e1.length_squared() * e2.length_squared();
    let [wb, wc] = [normal.dot(r.cross(e2)), normal.dot(e1.cross(r))];
    let wa = square - wb - wc;
    if !flat && wa > 0.0 && wb > 0.0 && wc > 0.0 {
        let [wa, wb, wc] = [wa / square, wb / square, wc / square];
        return Closest { weights: [1.0, -wa, -wb, -wc], way: p - (a * wa + b * wb + c * wc) };
    }
    let corners = [a, b, c];
    let mut best: Option<(f64, Closest)> = None;
    for (k, weight) in [wa, wb, wc].into_iter().enumerate() {
        if weight > 0.0 && !flat {
            continue;
        }
        let [from, to] = [(k + 1) % 3, (k + 2) % 3];
        let t = along_segment(p, corners[from], corners[to]);
        let way = p - (corners[from] * (1.0 - t) + corners[to] * t);
        let mut weights = [1.0, 0.0, 0.0, 0.0];
        (weights[from + 1], weights[to + 1]) = (t - 1.0, -t);
        let found = way.length_squared();
        if best.as_ref().is_none_or(|(least, _)| found < *least) {
            best = Some((found, Closest { weights, way }));
        }
    }
    // Points that are not finite have no nearest one; the first corner stands for it.
    best.map_or(Closest { weights: [1.0, -1.0, 0.0, 0.0], way: r }, |(_, closest)| closest)
}
