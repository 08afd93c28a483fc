//! The nearest points of two elements alone: all that a value or a gradient needs. [`super::Nearest`] adds how they move.

use glam::DVec3;

/// Where two elements are nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feet {
    /// Signed weights of the points: those of A add up to 1, those of B to −1; zero for points that do not matter.
    pub weights: [f64; 4],
    /// From B to A, m.
    pub way: DVec3,
    /// Squared distance, m².
    pub square: f64,
}

impl Feet {
    /// The first of two points is A.
    #[inline(always)]
    pub fn point_point(a: DVec3, b: DVec3) -> Self {
        let way = a - b;
        Self { weights: [1.0, -1.0, 0.0, 0.0], way, square: way.length_squared() }
    }

    /// A point, and the line through two others.
    #[inline(always)]
    pub fn point_line(p: DVec3, a: DVec3, b: DVec3) -> Self {
        let (edge, from_a) = (b - a, p - a);
        let inverse = 1.0 / edge.length_squared();
        let t = from_a.dot(edge) * inverse;
        let foot = from_a - edge * t;
        // Once more: what is left of the component along the line after rounding.
        let way = foot - edge * (foot.dot(edge) * inverse);
        Self { weights: [1.0, t - 1.0, -t, 0.0], way, square: way.length_squared() }
    }

    /// A point, and the plane through three others.
    #[inline(always)]
    pub fn point_plane(p: DVec3, [a, b, c]: [DVec3; 3]) -> Self {
        let (e1, e2, r) = (b - a, c - a, p - a);
        let normal = e1.cross(e2);
        let inverse = 1.0 / normal.length_squared();
        let [wb, wc] = [normal.dot(r.cross(e2)) * inverse, normal.dot(e1.cross(r)) * inverse];
        Self::across([1.0, wb + wc - 1.0, -wb, -wc], normal, r, inverse)
    }

    /// The lines through two pairs of points, which are not parallel.
    #[inline(always)]
    pub fn line_line([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Self {
        let (d1, d2, r) = (b - a, d - c, a - c);
        let normal = d1.cross(d2);
        let inverse = 1.0 / normal.length_squared();
        // r + s d1 − t d2 is along the cross product.
        let [s, t] = [normal.dot(d2.cross(r)) * inverse, normal.dot(d1.cross(r)) * inverse];
        Self::across([1.0 - s, s, t - 1.0, -t], normal, r, inverse)
    }

    /// A point above the plane n·x = offset.
    #[inline(always)]
    pub fn above(p: DVec3, normal: DVec3, offset: f64) -> Self {
        let height = normal.dot(p) - offset;
        Self { weights: [1.0, 0.0, 0.0, 0.0], way: normal * height, square: height * height }
    }

    /// The way is along a normal, and any vector from B to A tells how far.
    #[inline(always)]
    fn across(weights: [f64; 4], normal: DVec3, offset: DVec3, inverse: f64) -> Self {
        let height = normal.dot(offset);
        Self { weights, way: normal * (height * inverse), square: height * height * inverse }
    }

    /// The same with its points at other places of a list of four: point k of this is point `at[k]` of that.
    #[inline]
    pub(super) fn placed(&self, at: &[usize]) -> Self {
        Self { weights: placed(&self.weights, at), ..*self }
    }

    /// The same with A and B exchanged.
    #[inline]
    pub(super) fn reversed(&self) -> Self {
        Self { weights: self.weights.map(|w| -w), way: -self.way, ..*self }
    }

    /// ∂D/∂x_i = 2 w_i r, m.
    #[inline(always)]
    pub fn gradient(&self) -> [DVec3; 4] {
        let twice = self.way * 2.0;
        self.weights.map(|w| twice * w)
    }
}

/// Numbers of points at other places of a list of four.
#[inline]
pub(super) fn placed(own: &[f64; 4], at: &[usize]) -> [f64; 4] {
    let mut out = [0.0; 4];
    at.iter().zip(own).for_each(|(to, from)| out[*to] = *from);
    out
}
