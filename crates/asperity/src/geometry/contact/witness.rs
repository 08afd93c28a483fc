//! What a point of one body says about the faces and edges of another.
//!
//! Let y be a point of B, and m the outward normal of a face of A at the height h. The normal −m parts the bodies by
//! s = min_{x∈B} m·x − h ≤ v, v = m·y − h: how far y lies above the face. Where two faces m₁, m₂ meet in an edge, the normals in which
//! the edge is the farthest part of A lie on the arc between m₁ and m₂, and s ≤ v₁ cos θ + k sin θ at the angle θ from m₁, with
//! c = m₁·m₂ and k = (v₂ − c v₁)/√(1 − c²). That is largest at an end, unless v₂ > c v₁ and v₁ > c v₂: then y is beside the edge and nearer to
//! it than to both faces, and the largest is its distance √(v₁² + k²). So one point rules out most faces and edges, at the cost of a
//! product for each.

use glam::DVec3;
use smallvec::SmallVec;

use super::core::Core;
use crate::geometry::shape::Polytope;

/// How far a point lies above each face.
pub(super) type Heights = SmallVec<[f64; 512]>;

/// Numbers of edges.
pub(super) type Edges = SmallVec<[u32; 128]>;

impl Core<'_> {
    /// How far a point lies above each face, in the order of the faces.
    pub(super) fn heights(&self, p: DVec3, out: &mut Heights) {
        out.clear();
        match &self.polytope {
            Polytope::Point | Polytope::Segment(_) => (),
            Polytope::Box(half) => {
                let local = self.axes.transpose() * (p - self.centre);
                out.extend((0..6).map(|i| if i & 1 == 0 { local[i / 2] } else { -local[i / 2] } - half[i / 2]));
            }
            Polytope::Hull(hull) => {
                let local = self.axes.transpose() * (p - self.centre);
                out.extend(hull.faces.iter().zip(&hull.heights).map(|(face, height)| face.normal.dot(local) - height));
            }
            Polytope::Triangle(corners, normal, _) => {
                let above = normal.dot(p - corners[0]);
                out.extend([above, -above]);
            }
        }
    }

    /// The most that a normal across an edge can part the body from another one with a point that lies so far above the faces.
    #[inline]
    fn edge_height(&self, i: usize, heights: &[f64]) -> f64 {
        match &self.polytope {
            // Edges with less than two faces: nothing is known.
            Polytope::Point | Polytope::Segment(_) | Polytope::Triangle(..) => f64::INFINITY,
            Polytope::Box(_) => {
                let (next, last) = ((i / 4 + 1) % 3, (i / 4 + 2) % 3);
                arc(
                    [heights[2 * next + usize::from(i & 1 == 0)], heights[2 * last + usize::from(i & 2 == 0)]],
                    [0.0, 1.0],
                )
            }
            Polytope::Hull(hull) => {
                let edge = &hull.edges[i];
                arc(edge.faces.map(|face| heights[face as usize]), edge.turn)
            }
        }
    }

    /// The edges with normals that can part the body from another one by more than `least`, in ascending order, as far as the heights of
    /// a point of that body tell.
    pub(super) fn edges_above(&self, heights: &[f64], least: f64) -> Edges {
        (0..self.edge_count()).filter(|&i| self.edge_height(i, heights) > least).map(|i| i as u32).collect()
    }

    /// Can a normal in which this corner is the farthest part the body from another one by more than `least`, which is not positive, as far as the
    /// heights of a point of that body tell? Such a normal is a sum of those of the faces around, and if all of these are too low, it is too.
    pub(super) fn is_corner_above(&self, i: usize, heights: &[f64], least: f64) -> bool {
        match &self.polytope {
            Polytope::Hull(hull) => hull.point_faces[i].iter().any(|&face| heights[face as usize] > least),
            Polytope::Box(_) => (0..3).any(|k| heights[2 * k + usize::from(i >> k & 1 == 0)] > least),
            Polytope::Point | Polytope::Segment(_) | Polytope::Triangle(..) => true,
        }
    }

    /// Leaves out those of the edges that another point rules out.
    pub(super) fn retain_above(&self, edges: &mut Edges, heights: &[f64], least: f64) {
        edges.retain(|i| self.edge_height(*i as usize, heights) > least);
    }
}

/// max over θ of v₁ cos θ + k sin θ, from 0 to the angle with this cosine and sine.
#[inline]
fn arc([v, w]: [f64; 2], [cosine, sine]: [f64; 2]) -> f64 {
    if w > cosine * v && v > cosine * w {
        let k = (w - cosine * v) / sine;
        (v * v + k * k).sqrt()
    } else {
        v.max(w)
    }
}
