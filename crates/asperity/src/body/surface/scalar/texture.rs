//! Numbers painted into an image.
//!
//! A channel c of a texel, from 0 (black) to 1 (white), is the number black + (white − black) c. Between texels it is interpolated bilinearly. Texel
//! (i, j) of width × height, j from the upper row, lies at u = (i + ½)/width, v = 1 − (j + ½)/height, as in all textures.

use std::sync::Arc;

use asperity_friction::field::{Neighbours, Wrap, neighbours};
use glam::DVec2;

use crate::body::surface::{Channel, Pixels};

/// An image of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarTexture {
    width: u32,
    height: u32,
    /// Rows from the top.
    texels: Arc<[f32]>,
    /// Along u and v.
    pub wrap: [Wrap; 2],
    /// How many images there are along a unit of u and v.
    pub tiles: DVec2,
}

impl ScalarTexture {
    /// A channel of an image, where black and white are these numbers. It repeats, and covers the unit square. `None` if the image does not have
    /// the channel.
    pub fn new(pixels: &Pixels, channel: Channel, [black, white]: [f64; 2]) -> Option<Self> {
        let number = |c: f64| (black + (white - black) * c) as f32;
        let texels = pixels.channel(channel)?.into_iter().map(number).collect();
        let (width, height) = (pixels.width, pixels.height);
        Some(Self { width, height, texels, wrap: [Wrap::Repeat; 2], tiles: DVec2::ONE })
    }

    /// The least and the largest number of its texels, and so of what is between them.
    pub fn range(&self) -> [f64; 2] {
        let all = self.texels.iter().copied().map(f64::from);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    }

    /// The number at uv; NaN if that is not finite.
    #[inline]
    pub fn value(&self, uv: DVec2) -> f64 {
        let uv = uv * self.tiles;
        if !uv.is_finite() {
            return f64::NAN;
        }
        let Neighbours { texels: columns, fraction: s } = neighbours(uv.x, self.width, self.wrap[0]);
        // Rows go down, v up.
        let Neighbours { texels: rows, fraction: t } = neighbours(1.0 - uv.y, self.height, self.wrap[1]);
        let texel = |row: usize, column: usize| f64::from(self.texels[row * self.width as usize + column]);
        let [upper, lower] = rows.map(|row| texel(row, columns[0]) * (1.0 - s) + texel(row, columns[1]) * s);
        upper * (1.0 - t) + lower * t
    }
}
