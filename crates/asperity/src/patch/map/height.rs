//! Height maps: heights become slopes by differences.
//!
//! Texel centres are 1/width of the image apart. (a, b) = −(∂h/∂u, ∂h/∂v) at a texel are central differences of its neighbours, so that
//! what alternates from texel to texel is not seen: a height map needs two texels for its smallest feature. The neighbours at the edge of an
//! image that repeats are those on its other side: the edges of one that does not tile become a ridge of one texel. An image that is
//! clamped has none there, and the difference is the one to the texel inside.

use asperity_friction::field::Wrap;
use glam::DVec2;

use super::{FacetMap, MapError, Relief};

impl FacetMap {
    /// From heights in metres, rows from the top, of an image that covers the unit square; `wrap` is what is beyond it along u and v.
    pub fn from_heights(width: u32, height: u32, heights: &[f64], wrap: [Wrap; 2]) -> Result<Self, MapError> {
        let count = heights.len();
        if count == 0 || count as u64 != u64::from(width) * u64::from(height) {
            return Err(MapError::Count { count, width, height });
        }
        if let Some(k) = heights.iter().position(|h| !h.is_finite()) {
            let (column, row) = (k as u32 % width, k as u32 / width);
            return Err(MapError::NotFinite { column, row });
        }
        let slopes: Vec<DVec2> = differences(width, height, heights, wrap);
        Ok(Self { wrap, ..Self::new(width, height, slopes.into_iter(), Relief::Heights)? })
    }
}

/// Texels before and after number i of n, and how many texels they are apart.
fn beside(i: usize, n: usize, wrap: Wrap) -> ([usize; 2], f64) {
    match wrap {
        Wrap::Repeat => ([(i + n - 1) % n, (i + 1) % n], 2.0),
        Wrap::Clamp => {
            let [before, after] = [i.saturating_sub(1), (i + 1).min(n - 1)];
            // A single texel has no slope.
            ([before, after], (after - before).max(1) as f64)
        }
    }
}

/// −(∂h/∂u, ∂h/∂v) by central differences, one-sided at the edges of an image that is clamped; rows from the top.
pub fn differences(width: u32, height: u32, heights: &[f64], wrap: [Wrap; 2]) -> Vec<DVec2> {
    let (w, h) = (width as usize, height as usize);
    let at = |column: usize, row: usize| heights[row * w + column];
    let slope = |k: usize| {
        let (i, j) = (k % w, k / w);
        let ([left, right], across) = beside(i, w, wrap[0]);
        // Rows go down, v up.
        let ([above, below], down) = beside(j, h, wrap[1]);
        let du = w as f64 / across * (at(right, j) - at(left, j));
        let dv = h as f64 / down * (at(i, above) - at(i, below));
        DVec2::new(-du, -dv)
    };
    (0..w * h).map(slope).collect()
}
