//! Directions painted into an image (Erleben et al. 2020, section 5.1).
//!
//! A texel with red r and green g, both in 0 … 1, is the line d = (2r − 1, 2g − 1) in the skin's (tangent, bitangent):
//! the direction at a point of the surface is s = d_x t + d_y (n × t), with the normal n and tangent t of the skin
//! there. Only the angle of d counts.
//! - *Neutral* texels have no structure: both channels within 1/255 of the middle, |d_x|, |d_y| ≤ 1/255. In 8 bits these are the
//!   values 127 and 128; in 16 bits 32639 to 32896, so that an image turned from 8 into 16 bits means the same.
//! - *Alpha* α is how much of the texel there is: 0 is a hole whose colour does not matter.
//!
//! Between texels the lines are averaged bilinearly, each with its α, as lines ([`line`](super::line)): the paper
//! filters r and g, where opposite directions cancel and the colour of a hole bleeds into its surroundings. Let c be
//! the filtered share of structure (α where a texel is not neutral, 0 where it is): where c < ½ there is no structure,
//! so that a hole ends half way between texels.
//!
//! Texel (i, j) of width × height, j from the upper row, lies at u = (i + ½)/width, v = 1 − (j + ½)/height.

use std::sync::Arc;

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

use super::line::{doubled, halved};
use super::{StructureField, SurfacePoint};
use crate::error::FrictionError;

/// |2c − 1| of a channel that counts as the middle: one step of 8 bits, with room for rounding.
const NEUTRAL: f64 = (1.0 + 1e-9) / 255.0;
/// Share of structure from which on there is some.
const SHARE: f64 = 0.5;
/// A sum of doubled lines shorter than this fraction of the sum of their weights is round-off: the lines cancel.
const CANCELLED: f64 = 1e-6;

/// What lies outside of the image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrap {
    /// The image again.
    #[default]
    Repeat,
    /// The texels of its edge.
    Clamp,
}

/// One texel: α q of its line, and its share of structure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Texel {
    doubled: [f32; 2],
    share: f32,
}

impl Texel {
    /// From red, green and alpha in 0 … 1.
    pub fn new(red: f64, green: f64, alpha: f64) -> Self {
        let d = DVec2::new(2.0 * red - 1.0, 2.0 * green - 1.0);
        if d.abs().max_element() <= NEUTRAL || !d.is_finite() {
            return Self::default();
        }
        let q = doubled(d) * alpha;
        Self { doubled: [q.x as f32, q.y as f32], share: alpha as f32 }
    }
}

/// An image of directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    width: u32,
    height: u32,
    /// Rows from the top.
    texels: Arc<[Texel]>,
    /// Along u and v.
    pub wrap: [Wrap; 2],
    /// How many images there are along a unit of u and v.
    pub tiles: DVec2,
}

impl Texture {
    /// Takes width · height texels, rows from the top. It repeats, and covers the unit square.
    pub fn new(width: u32, height: u32, texels: Vec<Texel>) -> Result<Self, FrictionError> {
        let count = texels.len();
        if count == 0 || count as u64 != u64::from(width) * u64::from(height) {
            return Err(FrictionError::Count { name: "texels", count, expected: "width times height, and not none" });
        }
        Ok(Self { width, height, texels: texels.into(), wrap: [Wrap::Repeat; 2], tiles: DVec2::ONE })
    }

    /// Texels along u and v.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// The unit line at uv, in (tangent, bitangent); zero where there is no structure.
    #[inline]
    pub fn line(&self, uv: DVec2) -> DVec2 {
        let uv = uv * self.tiles;
        let Neighbours { texels: columns, fraction: s } = neighbours(uv.x, self.width, self.wrap[0]);
        // Rows go down, v up.
        let Neighbours { texels: rows, fraction: t } = neighbours(1.0 - uv.y, self.height, self.wrap[1]);
        let (mut q, mut share) = (DVec2::ZERO, 0.0);
        for (row, wy) in rows.into_iter().zip([1.0 - t, t]) {
            for (column, wx) in columns.into_iter().zip([1.0 - s, s]) {
                let texel = &self.texels[row * self.width as usize + column];
                q += DVec2::new(f64::from(texel.doubled[0]), f64::from(texel.doubled[1])) * (wx * wy);
                share += f64::from(texel.share) * (wx * wy);
            }
        }
        // Sums of weights that are one on paper may be a little less.
        if share < SHARE - 1e-9 || q.length() <= CANCELLED * share { DVec2::ZERO } else { halved(q) }
    }
}

/// The two texels around a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbours {
    /// Their numbers, the lower coordinate first.
    pub texels: [usize; 2],
    /// How far the coordinate is from the first (0) to the second (1).
    pub fraction: f64,
}

/// The two texels around a coordinate, of `count` in a row. The row covers the coordinates from 0 to 1.
#[inline]
pub fn neighbours(at: f64, count: u32, wrap: Wrap) -> Neighbours {
    let n = f64::from(count);
    let at = match wrap {
        Wrap::Repeat => at - at.floor(),
        Wrap::Clamp => at.clamp(0.0, 1.0),
    };
    let place = at * n - 0.5;
    let first = place.floor();
    let fit = |i: f64| match wrap {
        Wrap::Repeat => (i.rem_euclid(n) as usize).min(count as usize - 1),
        Wrap::Clamp => i.clamp(0.0, n - 1.0) as usize,
    };
    Neighbours { texels: [fit(first), fit(first + 1.0)], fraction: place - first }
}

impl StructureField for Texture {
    fn validate(&self) -> Result<(), FrictionError> {
        let ok = self.tiles.is_finite() && self.tiles != DVec2::ZERO;
        if ok { Ok(()) } else { Err(FrictionError::NotFinite { name: "tiles", value: self.tiles.extend(0.0) }) }
    }

    #[inline]
    fn direction(&self, at: &SurfacePoint) -> Result<DVec3, FrictionError> {
        if !at.uv.is_finite() {
            return Err(FrictionError::NotFinite { name: "uv", value: at.uv.extend(0.0) });
        }
        let d = self.line(at.uv);
        Ok(at.tangent * d.x + at.normal.cross(at.tangent) * d.y)
    }
}
