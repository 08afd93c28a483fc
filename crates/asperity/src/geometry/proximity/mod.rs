//! Distances of the elements of triangle meshes: a vertex and a triangle, two edges.
//!
//! Both questions are about four points x_0 … x_3 of which the first one or two make side A and the others side B: a vertex and
//! the corners of a triangle, or the ends of two edges. The answer ([`Closest`]) has signed weights with
//!
//! way = Σ w_i x_i = (point of A) − (point of B), |way| = distance,
//!
//! the weights of A adding up to 1 and those of B to −1. Near a pair whose way is not zero the distance d is a function of the
//! points with ∂d/∂x_i = w_i n, n = way/d: the weights change with the points, but by the choice of the nearest points that
//! changes d in second order only.
//!
//! Triangles without an area and edges without a length are answered as what they are: segments and points.

mod edge_edge;
mod vertex_triangle;

use glam::DVec3;

pub use edge_edge::edge_edge;
pub use vertex_triangle::vertex_triangle;

/// The two kinds of pairs that triangle meshes touch with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PairKind {
    /// A vertex, and the three corners of a triangle.
    VertexTriangle,
    /// The two ends of an edge, and the two of another.
    EdgeEdge,
}

/// The nearest points of two elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Signed weights of the four points: those of A add up to 1, those of B to −1.
    pub weights: [f64; 4],
    /// From the point of B to the point of A, m.
    pub way: DVec3,
}

impl PairKind {
    /// How many of the four points are those of A.
    #[inline]
    pub fn first_of_b(self) -> usize {
        match self {
            Self::VertexTriangle => 1,
            Self::EdgeEdge => 2,
        }
    }

    /// The nearest points of a pair of this kind.
    #[inline]
    pub fn closest(self, points: &[DVec3; 4]) -> Closest {
        match self {
            Self::VertexTriangle => vertex_triangle(points),
            Self::EdgeEdge => edge_edge(points),
        }
    }

    /// A direction across both elements, for pairs that touch and have no way from one to the other: the normal of the
    /// triangle, or the common perpendicular of the edges. Zero if the elements have none.
    pub fn across(self, [a, b, c, d]: &[DVec3; 4]) -> DVec3 {
        match self {
            Self::VertexTriangle => (*c - *b).cross(*d - *b).normalize_or_zero(),
            Self::EdgeEdge => (*b - *a).cross(*d - *c).normalize_or_zero(),
        }
    }
}

impl Closest {
    /// Distance of the two elements, m.
    #[inline]
    pub fn distance(&self) -> f64 {
        self.way.length()
    }

    /// Σ w_i y_i: with velocities of the points for y, the velocity of A's point relative to B's.
    #[inline]
    pub fn blend(&self, [a, b, c, d]: &[DVec3; 4]) -> DVec3 {
        let [wa, wb, wc, wd] = self.weights;
        *a * wa + *b * wb + *c * wc + *d * wd
    }
}

/// The number in [0, 1] whose point a + t (b − a) of a segment is nearest to p; 0 for a segment without a length.
#[inline]
fn along_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let way = b - a;
    let square = way.length_squared();
    if square > 0.0 { ((p - a).dot(way) / square).clamp(0.0, 1.0) } else { 0.0 }
}
