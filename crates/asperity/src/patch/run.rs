//! Runs of pixels that lie inside of all edges of a piece.
//!
//! An edge is a function c + x i + y j of the pixel (i, j) that is not negative inside. Of a row it leaves the pixels from, or up to,
//! i = −(c + y j)/x: one run for all edges together. Edges that have all pixels of the grid inside are left out from the start.

use super::grid::Linear;

/// How far outside of its edges a piece still covers, in pixels, so that rounding leaves no seam between neighbours.
const SEAM: f64 = 1e-9;

/// Pixels from … to − 1 of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) row: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Edges that cut through the grid: those of a piece and both ends of the volume.
pub(super) struct Cuts {
    list: [Cut; 6],
    count: usize,
    /// Pixels along a side.
    side: u32,
    /// Whether all pixels are outside of one of them.
    beyond: bool,
}

impl Cuts {
    /// None yet, for a grid with so many pixels along a side.
    pub(super) fn new(side: usize) -> Self {
        Self { list: [Cut::default(); 6], count: 0, side: side as u32, beyond: false }
    }

    /// Takes those up that do not have all pixels inside.
    pub(super) fn extend(&mut self, edges: &[Linear]) {
        let last = f64::from(self.side) - 1.0;
        for Linear { c, x, y } in edges {
            let c = c + SEAM * (x.abs() + y.abs());
            let least = c + (x.min(0.0) + y.min(0.0)) * last;
            self.beyond |= c + (x.max(0.0) + y.max(0.0)) * last < 0.0;
            if least < 0.0 {
                let inverse = if *x == 0.0 { 0.0 } else { -1.0 / x };
                self.list[self.count] = Cut { c, y: *y, inverse };
                self.count += 1;
            }
        }
    }

    /// Adds the runs that are left, one a row at most. Whether that is all of the grid.
    pub(super) fn runs(&self, out: &mut Vec<Run>) -> bool {
        if self.beyond {
            return false;
        }
        if self.count == 0 {
            out.extend((0..self.side).map(|row| Run { row, from: 0, to: self.side }));
            return true;
        }
        for row in 0..self.side {
            let (mut from, mut to) = (0.0, f64::from(self.side) - 1.0);
            for cut in &self.list[..self.count] {
                cut.apply(f64::from(row), &mut from, &mut to);
            }
            if from <= to {
                // Both are not negative: casts cut off what follows the point.
                let whole = from as u32;
                let first = whole + u32::from(f64::from(whole) < from);
                if first <= to as u32 {
                    out.push(Run { row, from: first, to: to as u32 + 1 });
                }
            }
        }
        false
    }
}

/// c + x i + y j ≥ 0, with −1/x: zero if x is zero.
#[derive(Clone, Copy, Default)]
struct Cut {
    c: f64,
    y: f64,
    inverse: f64,
}

impl Cut {
    /// Reduces [from, to] to the pixels of row j inside.
    #[inline]
    fn apply(&self, j: f64, from: &mut f64, to: &mut f64) {
        let c = self.c + self.y * j;
        let at = c * self.inverse;
        if self.inverse < 0.0 {
            *from = from.max(at);
        } else if self.inverse > 0.0 {
            *to = to.min(at);
        } else if c < 0.0 {
            *to = f64::NEG_INFINITY;
        }
    }
}
