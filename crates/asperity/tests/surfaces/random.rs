//! Numbers and pairs of elements, the same in every run.

use asperity::geometry::ccd::Motion;
use glam::DVec3;

/// SplitMix64 (Steele et al. 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [−1, 1).
    pub(crate) fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number()) * size
    }

    /// A whole number below n.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// A point with coordinates −1, 0 or 1: four of them are often on a line, in a plane or the same.
    pub(crate) fn lattice(&mut self) -> DVec3 {
        DVec3::new(self.below(3) as f64 - 1.0, self.below(3) as f64 - 1.0, self.below(3) as f64 - 1.0)
    }

    /// Four points: general ones, and degenerate ones of many kinds.
    pub(crate) fn points(&mut self) -> [DVec3; 4] {
        match self.below(5) {
            0 | 1 => std::array::from_fn(|_| self.vector(1.0)),
            2 => std::array::from_fn(|_| self.lattice()),
            3 => {
                // Nearly parallel edges, or a needle with a vertex beside it.
                let (along, bend) = (self.vector(1.0), 10f64.powi(-(self.below(10) as i32)));
                let start = self.vector(1.0);
                let end = start + along + self.vector(bend);
                let [first, second] = [self.vector(1.0), self.vector(bend)];
                [first, first + along, start, end + second]
            }
            _ => {
                // A vertex just above a triangle, or an edge just above another.
                let [a, b, c] = [self.vector(1.0), self.vector(1.0), self.vector(1.0)];
                let height = 10f64.powi(-(self.below(6) as i32));
                [(a + b + c) / 3.0 + self.vector(height), a, b, c]
            }
        }
    }

    /// Motions of four points: slow and fast, alone and together, near the origin and far from it.
    pub(crate) fn motion(&mut self) -> Motion {
        let from = self.points();
        let together = [0.0, 3.0][self.below(2) as usize];
        let common = self.vector(together);
        let size = [1e-3, 0.1, 1.0, 4.0][self.below(4) as usize];
        let to = match self.below(4) {
            0 => std::array::from_fn(|_| self.lattice()),
            // One side at rest, the other in one piece.
            1 => {
                let way = self.vector(size);
                [from[0] + way, from[1] + if self.below(2) == 0 { way } else { DVec3::ZERO }, from[2], from[3]]
            }
            _ => from.map(|x| x + common + self.vector(size)),
        };
        let far = if self.below(4) == 0 { self.vector(1000.0) } else { DVec3::ZERO };
        Motion { from: from.map(|x| x + far), to: to.map(|x| x + far) }
    }
}
