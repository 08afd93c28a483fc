//! When two moving elements touch, by subdivision: slow, certain, and without anything of the detection that it judges.
//!
//! The difference D(t, u, v) of a point of A and a point of B is linear in each of the time t and the two parameters u, v, so that over a box
//! of them it stays in the convex hull of its values at the eight corners. If those are all farther from 0 than the separation along one
//! direction (the axes, and that of the value in the middle, are tried), the box is left out; the others are halved, the earlier half first, until one is so small that all of its differences are within the resolution of being too near.

use asperity::geometry::ccd::Motion;
use asperity::geometry::proximity::PairKind;
use glam::DVec3;

/// What is known of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The elements are farther apart than the separation all the time.
    Clear,
    /// They are within separation and resolution at this time.
    Touch(f64),
    /// Too many boxes.
    Unknown,
}

/// What a motion is judged by.
pub(crate) struct Oracle {
    pub(crate) kind: PairKind,
    pub(crate) motion: Motion,
    pub(crate) separation: f64,
    pub(crate) resolution: f64,
}

/// Ranges of t, u and v.
type Cell = [[f64; 2]; 3];

impl Oracle {
    fn difference(&self, [t, u, v]: [f64; 3]) -> DVec3 {
        let [a, b, c, d] = std::array::from_fn(|i| self.motion.from[i] * (1.0 - t) + self.motion.to[i] * t);
        match self.kind {
            PairKind::VertexTriangle => a - (b * (1.0 - u - v) + c * u + d * v),
            PairKind::EdgeEdge => a * (1.0 - u) + b * u - c * (1.0 - v) - d * v,
        }
    }

    /// The box around the differences over a cell.
    fn range(&self, cell: &Cell) -> [DVec3; 2] {
        let corner = |i: usize| self.difference(std::array::from_fn(|k| cell[k][i >> k & 1]));
        let [low, high] = [DVec3::min, DVec3::max].map(|of| (0..8).map(corner).reduce(of).unwrap());
        [low - self.rounding(), high + self.rounding()]
    }

    /// Whether all differences over a cell are farther from 0 than the separation along the direction of the one in the middle.
    fn is_far(&self, cell: &Cell) -> bool {
        let corner = |i: usize| self.difference(std::array::from_fn(|k| cell[k][i >> k & 1]));
        let along = self.difference(cell.map(|[low, high]| 0.5 * (low + high))).normalize_or_zero();
        (0..8).all(|i| corner(i).dot(along) > self.separation + 4.0 * self.rounding())
    }

    fn rounding(&self) -> f64 {
        let all = self.motion.from.iter().chain(&self.motion.to);
        1e-15 * all.fold(0.0f64, |most, x| most.max(x.abs().max_element()))
    }

    pub(crate) fn judge(&self) -> Verdict {
        let mut cells: Vec<Cell> = vec![[[0.0, 1.0]; 3]];
        for _ in 0..8_000 {
            let Some(cell) = cells.pop() else { return Verdict::Clear };
            if self.kind == PairKind::VertexTriangle && cell[1][0] + cell[2][0] > 1.0 {
                continue;
            }
            let [low, high] = self.range(&cell);
            if DVec3::ZERO.clamp(low, high).length() > self.separation || self.is_far(&cell) {
                continue;
            }
            if (high - low).max_element() <= self.resolution {
                return Verdict::Touch(cell[0][0]);
            }
            let axis = self.widest(&cell);
            let middle = 0.5 * (cell[axis][0] + cell[axis][1]);
            let [mut before, mut after] = [cell, cell];
            (before[axis][1], after[axis][0]) = (middle, middle);
            cells.extend([after, before]);
        }
        Verdict::Unknown
    }

    /// The axis along which the differences vary most.
    fn widest(&self, cell: &Cell) -> usize {
        let extent = |axis: usize| {
            let most = (0..8usize).filter(|i| i >> axis & 1 == 0).map(|i| {
                let at = |i: usize| self.difference(std::array::from_fn(|k| cell[k][i >> k & 1]));
                (at(i | 1 << axis) - at(i)).abs().max_element()
            });
            most.fold(0.0, f64::max)
        };
        (0..3).fold(0, |best, axis| if extent(axis) > extent(best) { axis } else { best })
    }
}
