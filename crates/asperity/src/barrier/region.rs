//! Which parts of two elements are nearest: corners, edges or insides.
//!
//! Every region has its own formula of the squared distance; at the border of two regions both agree with their gradients, but not
//! with their Hessians. Borders are decided as in the IPC Toolkit, so that sets of collisions are the same.

use glam::DVec3;

use super::feet::Feet;
use super::nearest::{Nearest, line_line, point_line, point_plane, point_point};

/// Where on a triangle the point nearest to another is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaceRegion {
    /// A corner, by its number.
    Corner(usize),
    /// The edge from corner k to the next.
    Edge(usize),
    /// Inside.
    Inside,
}

/// Where on two edges their nearest points are: an end (0 or 1), or inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgesRegion {
    /// End of the first edge; `None` for its inside.
    pub a: Option<u8>,
    /// End of the second edge; `None` for its inside.
    pub b: Option<u8>,
}

/// sin² of the angle between edges below which they are parallel.
const PARALLEL: f64 = 2.5e-16;

/// The end of an edge nearest to a point; `None` for its inside.
#[inline]
pub fn edge_region(p: DVec3, [a, b]: [DVec3; 2]) -> Option<usize> {
    let edge = b - a;
    let square = edge.length_squared();
    let along = edge.dot(p - a);
    if square == 0.0 || along < 0.0 {
        Some(0)
    } else if along > square {
        Some(1)
    } else {
        None
    }
}

/// A side of a triangle, seen from a point.
struct Side {
    /// (p − from)·edge.
    along: f64,
    /// |edge|².
    whole: f64,
    /// Whether the point is beside the side, and not above the triangle.
    beside: bool,
}

impl Side {
    #[inline(always)]
    fn of(p: DVec3, from: DVec3, to: DVec3, normal: DVec3) -> Self {
        let (way, edge) = (p - from, to - from);
        let (along, whole) = (way.dot(edge), edge.length_squared());
        Self { along, whole, beside: along > 0.0 && along < whole && way.dot(edge.cross(normal)) >= 0.0 }
    }

    /// Whether the point is at the end of this side, and before the next.
    #[inline(always)]
    fn ends_before(&self, next: &Self) -> bool {
        next.along <= 0.0 && self.along >= self.whole
    }
}

/// The part of a triangle nearest to a point.
#[inline(always)]
pub fn face_region(p: DVec3, [a, b, c]: [DVec3; 3]) -> FaceRegion {
    let normal = (b - a).cross(c - a);
    // One after the other, without a list of them: this is asked for every pair of a vertex and a triangle that a
    // search finds.
    let first = Side::of(p, a, b, normal);
    if first.beside {
        return FaceRegion::Edge(0);
    }
    let second = Side::of(p, b, c, normal);
    if second.beside {
        return FaceRegion::Edge(1);
    }
    let third = Side::of(p, c, a, normal);
    if third.beside {
        FaceRegion::Edge(2)
    } else if third.ends_before(&first) {
        FaceRegion::Corner(0)
    } else if first.ends_before(&second) {
        FaceRegion::Corner(1)
    } else if second.ends_before(&third) {
        FaceRegion::Corner(2)
    } else {
        FaceRegion::Inside
    }
}

/// The parts of two edges that are nearest.
#[inline(always)]
pub fn edges_region(points: &[DVec3; 4]) -> EdgesRegion {
    let [a0, a1, b0, b1] = *points;
    let (u, v, w) = (a1 - a0, b1 - b0, a0 - b0);
    let (a, b, c) = (u.length_squared(), u.dot(v), v.length_squared());
    if a == 0.0 || c == 0.0 {
        return EdgesRegion { a: (a == 0.0).then_some(0), b: (c == 0.0).then_some(0) };
    }
    if u.cross(v).length_squared() < PARALLEL * a * c {
        return parallel_region(points);
    }
    let (d, e, determinant) = (u.dot(w), v.dot(w), a * c - b * b);
    let s = b * e - c * d;
    // The parameter of the second edge is t/scale.
    let (first, t, scale) = if s <= 0.0 {
        (Some(0), e, c)
    } else if s >= determinant {
        (Some(1), e + b, c)
    } else {
        (None, a * e - b * d, determinant)
    };
    // Beyond an end of the second edge that end is nearest, and decides about the first edge.
    let beside = |end: u8, along: f64| {
        let a_end = if along <= 0.0 {
            Some(0)
        } else if along >= a {
            Some(1)
        } else {
            None
        };
        EdgesRegion { a: a_end, b: Some(end) }
    };
    if t <= 0.0 {
        beside(0, -d)
    } else if t >= scale {
        beside(1, b - d)
    } else {
        EdgesRegion { a: first, b: None }
    }
}

/// The same for edges that are parallel: the ends of the second edge, seen along the first.
fn parallel_region([a0, a1, b0, b1]: &[DVec3; 4]) -> EdgesRegion {
    let edge = *a1 - *a0;
    let square = edge.length_squared();
    let (alpha, beta) = ((*b0 - *a0).dot(edge) / square, (*b1 - *a0).dot(edge) / square);
    let within = (0.0..=1.0).contains(&beta);
    if alpha < 0.0 {
        let b = if beta <= alpha {
            Some(0)
        } else if beta <= 1.0 {
            Some(1)
        } else {
            None
        };
        EdgesRegion { a: if within { None } else { Some(0) }, b }
    } else if alpha > 1.0 {
        let b = if beta >= alpha {
            Some(0)
        } else if beta >= 0.0 {
            Some(1)
        } else {
            None
        };
        EdgesRegion { a: if within { None } else { Some(1) }, b }
    } else {
        EdgesRegion { a: None, b: Some(0) }
    }
}

/// The nearest points of a point x_0 and a triangle x_1 x_2 x_3 in a region.
pub fn face_nearest(points: &[DVec3; 4], region: FaceRegion) -> Nearest {
    let [p, a, b, c] = *points;
    match region {
        FaceRegion::Corner(k) => point_point(p, points[k + 1]).placed(&[0, k + 1]),
        FaceRegion::Edge(k) => {
            let [from, to] = [k + 1, (k + 1) % 3 + 1];
            point_line(p, points[from], points[to]).placed(&[0, from, to])
        }
        FaceRegion::Inside => point_plane(p, [a, b, c]),
    }
}

/// The nearest points of the edges x_0 x_1 and x_2 x_3 in a region.
pub fn edges_nearest(points: &[DVec3; 4], region: EdgesRegion) -> Nearest {
    let [a0, a1, b0, b1] = *points;
    let EdgesRegion { a, b } = region;
    match [a, b].map(|end| end.map(usize::from)) {
        [None, None] => line_line([a0, a1], [b0, b1]),
        [Some(i), None] => point_line(points[i], b0, b1).placed(&[i, 2, 3]),
        [None, Some(j)] => point_line(points[2 + j], a0, a1).placed(&[2 + j, 0, 1]).reversed(),
        [Some(i), Some(j)] => point_point(points[i], points[2 + j]).placed(&[i, 2 + j]),
    }
}

/// The nearest points alone of the edges x_0 x_1 and x_2 x_3 in a region: cheaper than [`edges_nearest`].
pub fn edges_feet(points: &[DVec3; 4], region: EdgesRegion) -> Feet {
    let [a0, a1, b0, b1] = *points;
    let EdgesRegion { a, b } = region;
    match [a, b].map(|end| end.map(usize::from)) {
        [None, None] => Feet::line_line([a0, a1], [b0, b1]),
        [Some(i), None] => Feet::point_line(points[i], b0, b1).placed(&[i, 2, 3]),
        [None, Some(j)] => Feet::point_line(points[2 + j], a0, a1).placed(&[2 + j, 0, 1]).reversed(),
        [Some(i), Some(j)] => Feet::point_point(points[i], points[2 + j]).placed(&[i, 2 + j]),
    }
}

/// Squared distance of a point and a line.
#[inline]
fn line_square(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let (edge, from) = (b - a, p - a);
    edge.cross(from).length_squared() / edge.length_squared()
}

/// One of three points, by its number. (An index into an array would keep the array in memory, which is slower than the
/// formulas.)
#[inline(always)]
fn corner(k: usize, [a, b, c]: [DVec3; 3]) -> DVec3 {
    match k {
        0 => a,
        1 => b,
        _ => c,
    }
}

/// The squared distance alone of a point x_0 and a triangle x_1 x_2 x_3 in a region, m²: cheaper than [`face_nearest`].
#[inline(always)]
pub fn face_square(&[p, a, b, c]: &[DVec3; 4], region: FaceRegion) -> f64 {
    match region {
        FaceRegion::Corner(k) => p.distance_squared(corner(k, [a, b, c])),
        FaceRegion::Edge(k) => line_square(p, corner(k, [a, b, c]), corner(k, [b, c, a])),
        FaceRegion::Inside => {
            let normal = (b - a).cross(c - a);
            normal.dot(p - a).powi(2) / normal.length_squared()
        }
    }
}

/// The squared distance alone of the edges x_0 x_1 and x_2 x_3 in a region, m²: cheaper than [`edges_nearest`].
#[inline(always)]
pub fn edges_square(&[a0, a1, b0, b1]: &[DVec3; 4], region: EdgesRegion) -> f64 {
    let of_a = |end: u8| if end == 0 { a0 } else { a1 };
    let of_b = |end: u8| if end == 0 { b0 } else { b1 };
    match (region.a, region.b) {
        (None, None) => {
            let normal = (a1 - a0).cross(b1 - b0);
            normal.dot(b0 - a0).powi(2) / normal.length_squared()
        }
        (Some(i), None) => line_square(of_a(i), b0, b1),
        (None, Some(j)) => line_square(of_b(j), a0, a1),
        (Some(i), Some(j)) => of_a(i).distance_squared(of_b(j)),
    }
}
