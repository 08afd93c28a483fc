//! Two elements of surfaces that are near, or come near.

use glam::DVec3;

use crate::geometry::proximity::PairKind;

/// Two elements that are near to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// A vertex and a triangle, or two edges.
    pub kind: PairKind,
    /// The vertices, in the numbers of the set: those of A, then those of B.
    pub vertices: [u32; 4],
    /// Signed weights: way = Σ w_i x_i goes from B to A. Those of A add up to 1, those of B to −1.
    pub weights: [f64; 4],
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// Distance of the elements, m.
    pub distance: f64,
    /// Distance of the surfaces, m: less than that of the elements by the offsets of both.
    pub gap: f64,
    /// Number of the triangle in the set, for a vertex and a triangle.
    pub triangle: Option<u32>,
}

/// Two elements that come too near to each other on their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptPair {
    /// When, as a fraction of the way.
    pub time: f64,
    /// The pair at that time.
    pub pair: Pair,
}

/// What two elements touch with: the vertices whose weight is not zero, A's and B's, the side with the least vertices first. A vertex above an edge of
/// several triangles is one place, and so is the end of an edge on another edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Touching {
    counts: [u8; 2],
    vertices: [u32; 4],
}

impl Pair {
    /// Σ w_i y_i n: with velocities for y, the speed at which the elements part.
    #[inline]
    pub fn rate(&self, velocity: impl Fn(u32) -> DVec3) -> f64 {
        self.normal.dot(self.blend(velocity))
    }

    /// Σ w_i y_i: with velocities for y, the velocity of A's point relative to B's.
    #[inline]
    pub fn blend(&self, of: impl Fn(u32) -> DVec3) -> DVec3 {
        self.vertices.iter().zip(self.weights).map(|(vertex, weight)| of(*vertex) * weight).sum()
    }

    /// What it touches with.
    pub(super) fn touching(&self) -> Touching {
        let split = self.kind.first_of_b();
        let (mut sides, mut counts) = ([[u32::MAX; 3]; 2], [0; 2]);
        for (k, (vertex, weight)) in self.vertices.iter().zip(self.weights).enumerate() {
            let side = usize::from(k >= split);
            if weight != 0.0 {
                sides[side][counts[side]] = *vertex;
                counts[side] += 1;
            }
        }
        sides.iter_mut().for_each(|side| side.sort_unstable());
        let swap = (counts[1], sides[1]) < (counts[0], sides[0]);
        let [first, second] = if swap { [1, 0] } else { [0, 1] };
        let mut vertices = [u32::MAX; 4];
        let all = sides[first][..counts[first]].iter().chain(&sides[second][..counts[second]]);
        all.zip(&mut vertices).for_each(|(from, to)| *to = *from);
        Touching { counts: [counts[first] as u8, counts[second] as u8], vertices }
    }

    /// Whether its vertices and its kind come before those of another.
    pub(super) fn name(&self) -> (PairKind, [u32; 4]) {
        (self.kind, self.vertices)
    }
}
