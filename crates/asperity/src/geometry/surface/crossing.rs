//! Do surfaces pass through each other? Exact predicates, and a search that shares nothing with the detection of contacts.
//!
//! An edge p q and a triangle a b c have a point in common if p and q are not on the same side of the plane a b c, and the line p q
//! passes the three sides of the triangle on the same hand: five signs of 3 × 3 determinants, which `robust` (Shewchuk 1997) answers without
//! error. If p and q are in the plane of the triangle the question is one of the plane, and orientations of projections along an axis in which
//! the triangle has an area answer it. Touching counts: surfaces that touch in a point have no distance.
//!
//! An edge that shares a vertex with a triangle is not asked about: two triangles with a common vertex that pass through each other have
//! another edge in which that is seen. A triangle without an area is in its edges.

use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D, orient2d, orient3d};

use super::grid::Grid;
use crate::geometry::Aabb;

/// The edges and triangles of surfaces, to be asked whether they cross.
#[derive(Clone, Debug)]
pub struct Crossings {
    triangles: Vec<[u32; 3]>,
    /// Each edge once, the smaller end first, sorted.
    edges: Vec<[u32; 2]>,
}

/// An edge and a triangle with a point in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// The ends of the edge.
    pub edge: [u32; 2],
    /// Number of the triangle.
    pub triangle: u32,
}

impl Crossings {
    /// Of these triangles.
    pub fn new(triangles: &[[u32; 3]]) -> Self {
        let ends = |[a, b, c]: &[u32; 3]| [[*a, *b], [*b, *c], [*c, *a]].map(|[a, b]| [a.min(b), a.max(b)]);
        let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(ends).collect();
        edges.sort_unstable();
        edges.dedup();
        Self { triangles: triangles.to_vec(), edges }
    }

    /// All crossings with the vertices at these places, sorted; no more than `most`.
    pub fn find(&self, positions: &[DVec3], most: usize) -> Vec<Crossing> {
        let at = |vertex: &u32| positions[*vertex as usize];
        let boxes: Vec<Aabb> = self.triangles.iter().map(|corners| Aabb::of(corners.iter().map(at))).collect();
        let grid = Grid::new(&boxes);
        let (mut near, mut found) = (Vec::new(), Vec::new());
        for edge in &self.edges {
            let around = Aabb::of(edge.iter().map(at));
            grid.near(&around, &mut near);
            for triangle in &near {
                let corners = self.triangles[*triangle as usize];
                let apart = !corners.iter().any(|vertex| edge.contains(vertex));
                let close = apart && boxes[*triangle as usize].meets(&around);
                if close && crosses([at(&edge[0]), at(&edge[1])], corners.map(|vertex| at(&vertex))) {
                    found.push(Crossing { edge: *edge, triangle: *triangle });
                    if found.len() >= most {
                        return found;
                    }
                }
            }
        }
        found
    }
}

/// Whether an edge and a triangle have a point in common.
fn crosses([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let [side_p, side_q] = [side(a, b, c, p), side(a, b, c, q)];
    if side_p == 0.0 && side_q == 0.0 {
        return crosses_in_plane([p, q], [a, b, c]);
    }
    if side_p * side_q > 0.0 {
        return false;
    }
    let hands = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    hands.iter().all(|hand| *hand >= 0.0) || hands.iter().all(|hand| *hand <= 0.0)
}

/// The same where all five points are in one plane.
fn crosses_in_plane(edge: [DVec3; 2], triangle: [DVec3; 3]) -> bool {
    let without = |axis: usize, x: DVec3| match axis {
        0 => DVec2::new(x.y, x.z),
        1 => DVec2::new(x.z, x.x),
        _ => DVec2::new(x.x, x.y),
    };
    let has_area = |axis: &usize| {
        let [a, b, c] = triangle.map(|x| without(*axis, x));
        turn(a, b, c) != 0.0
    };
    let Some(axis) = (0..3).find(has_area) else { return false };
    let [p, q] = edge.map(|x| without(axis, x));
    let [a, b, c] = triangle.map(|x| without(axis, x));
    let inside = |x: DVec2| {
        let turns = [turn(a, b, x), turn(b, c, x), turn(c, a, x)];
        turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0)
    };
    inside(p) || inside(q) || [[a, b], [b, c], [c, a]].into_iter().any(|side| segments_meet([p, q], side))
}

/// Whether two segments of a plane have a point in common.
fn segments_meet([p, q]: [DVec2; 2], [a, b]: [DVec2; 2]) -> bool {
    let turns = [turn(p, q, a), turn(p, q, b), turn(a, b, p), turn(a, b, q)];
    if turns.iter().all(|turn| *turn == 0.0) {
        // On one line: they meet if their boxes do.
        let overlap = |k: usize| p[k].min(q[k]) <= a[k].max(b[k]) && a[k].min(b[k]) <= p[k].max(q[k]);
        return overlap(0) && overlap(1);
    }
    turns[0] * turns[1] <= 0.0 && turns[2] * turns[3] <= 0.0
}

/// The sign of (a − d)·((b − d) × (c − d)), as that of a number in [−1, 1]: products of two of them do not vanish by underflow.
fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|x| Coord3D { x: x.x, y: x.y, z: x.z });
    sign(orient3d(a, b, c, d))
}

/// The sign of the turn from a to b to c.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let [a, b, c] = [a, b, c].map(|x| Coord { x: x.x, y: x.y });
    sign(orient2d(a, b, c))
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    #[test]
    fn an_edge_crosses_touches_or_passes_a_triangle() {
        let cases = [
            ([0.2, 0.2, -1.0], [0.2, 0.2, 1.0], true),
            ([0.8, 0.8, -1.0], [0.8, 0.8, 1.0], false),
            // It ends on the face, on a side, in a corner, and just before each.
            ([0.2, 0.2, 0.0], [0.2, 0.2, 1.0], true),
            ([0.5, 0.0, 0.0], [0.5, 0.0, 1.0], true),
            ([1.0, 0.0, 0.0], [1.0, 0.0, 1.0], true),
            ([0.2, 0.2, f64::MIN_POSITIVE], [0.2, 0.2, 1.0], false),
            ([0.5, -f64::EPSILON, 0.0], [0.5, -f64::EPSILON, 1.0], false),
            // In the plane: through it, inside of it, along a side, beside it, on a line with a side.
            ([-1.0, 0.2, 0.0], [1.0, 0.2, 0.0], true),
            ([0.1, 0.2, 0.0], [0.2, 0.2, 0.0], true),
            ([0.5, 0.0, 0.0], [2.0, 0.0, 0.0], true),
            ([0.6, 0.6, 0.0], [2.0, 0.0, 0.0], false),
            ([1.5, 0.0, 0.0], [2.0, 0.0, 0.0], false),
        ];
        for (p, q, expected) in cases {
            let edge = [DVec3::from(p), DVec3::from(q)];
            let turned = |x: DVec3| DVec3::new(x.y, x.z, x.x);
            assert_eq!(crosses(edge, TRIANGLE), expected, "{p:?} {q:?}");
            assert_eq!(crosses(edge.map(turned), TRIANGLE.map(turned)), expected, "{p:?} {q:?} turned");
        }
    }

    #[test]
    fn a_search_names_edges_and_triangles() {
        // Two triangles that share a side, and one through the second of them.
        let positions = [
            DVec3::ZERO,
            DVec3::X,
            DVec3::Y,
            DVec3::new(1.0, 1.0, 0.0),
            DVec3::new(0.9, 0.9, -1.0),
            DVec3::new(0.9, 0.9, 1.0),
            DVec3::new(3.0, 3.0, 0.5),
        ];
        let crossings = Crossings::new(&[[0, 1, 2], [1, 3, 2], [4, 5, 6]]);
        let found = crossings.find(&positions, 10);
        // Vertex 3 is in the plane of the last triangle: the two edges that end there touch it.
        let expected = [([1, 3], 2), ([2, 3], 2), ([4, 5], 1)].map(|(edge, triangle)| Crossing { edge, triangle });
        assert_eq!(found, expected);
        assert_eq!(crossings.find(&positions, 1).len(), 1);
        let lifted: Vec<DVec3> =
            positions.iter().enumerate().map(|(i, x)| if i > 3 { *x + 2.0 * DVec3::Z } else { *x }).collect();
        assert_eq!(crossings.find(&lifted, 10), []);
    }
}
