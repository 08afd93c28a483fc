//! Height maps: heights become slopes by differences.
//!
//! Texel centres are 1/width of the image apart. (a, b) = −(∂h/∂u, ∂h/∂v) at a texel are central differences of its neighbours, so that
//! what alternates from texel to texel is not seen: a height map needs two texels for its smallest feature. The image repeats
//! for its differences; the edges of one that does not tile become a ridge of one texel.

use glam::DVec2;

use super::{FacetMap, MapError, Relief};

impl FacetMap {
    /// From heights in metres, rows from the top, of an image that covers the unit square and repeats.
    pub fn from_heights(width: u32, height: u32, heights: &[f64]) -> Result<Self, MapError> {
        let count = heights.len();
        if count == 0 || count as u64 != u64::from(width) * u64::from(height) {
            return Err(MapError::Count { count, width, height });
        }
        if let Some(k) = heights.iter().position(|h| !h.is_finite()) {
            let (column, row) = (k as u32 % width, k as u32 / width);
            return Err(MapError::NotFinite { column, row });
        }
        let slopes: Vec<DVec2> = differences(width, height, heights);
        Self::new(width, height, slopes.into_iter(), Relief::Heights)
    }
}

/// −(∂h/∂u, ∂h/∂v) by central differences of an image that repeats; rows from the top.
pub fn differences(width: u32, height: u32, heights: &[f64]) -> Vec<DVec2> {
    let (w, h) = (width as usize, height as usize);
    let at = |column: usize, row: usize| heights[row * w + column];
    let slope = |k: usize| {
        let (i, j) = (k % w, k / w);
        let (left, right) = ((i + w - 1) % w, (i + 1) % w);
        // Rows go down, v up.
        let (below, above) = ((j + 1) % h, (j + h - 1) % h);
        let du = 0.5 * w as f64 * (at(right, j) - at(left, j));
        let dv = 0.5 * h as f64 * (at(i, above) - at(i, below));
        DVec2::new(-du, -dv)
    };
    (0..w * h).map(slope).collect()
}
