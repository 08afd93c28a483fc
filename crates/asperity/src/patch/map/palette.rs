//! Maps with few different texels: ridges, scales, one tilted facet. Of a patch of such a map it is enough to count them.

use std::sync::Arc;

use glam::DVec2;

use super::{FacetMap, Filter, ImageRow};

/// Most different texels.
pub(super) const COLORS: usize = 16;

/// The different texels of a map, and where they are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Palette {
    /// Both numbers and the weight.
    colors: Vec<([f32; 2], f32)>,
    /// Of each texel, rows from below.
    indices: Vec<u8>,
}

impl Palette {
    /// None if there are more than [`COLORS`]. `texel` answers for column and row, from below.
    pub(super) fn new(width: u32, height: u32, texel: impl Fn(usize, usize) -> ([f32; 2], f32)) -> Option<Arc<Self>> {
        let mut colors: Vec<([f32; 2], f32)> = Vec::new();
        let mut indices = Vec::new();
        for row in 0..height as usize {
            for column in 0..width as usize {
                let color = texel(column, row);
                let known = colors.iter().position(|other| *other == color);
                if known.is_none() && colors.len() == COLORS {
                    return None;
                }
                indices.push(known.unwrap_or(colors.len()) as u8);
                if known.is_none() {
                    colors.push(color);
                }
            }
        }
        Some(Arc::new(Self { colors, indices }))
    }
}

impl FacetMap {
    /// The different texels, if all that can be seen of the map is one of them and they are few.
    #[inline]
    pub(in crate::patch) fn colors(&self) -> Option<&[([f32; 2], f32)]> {
        let palette = self.palette.as_deref()?;
        let sharp = self.filter == Filter::Nearest && self.repeats();
        (sharp || palette.colors.len() == 1).then_some(&palette.colors)
    }

    /// Counts the colours along rows of points start + k step, in images, `total` of them. Only for maps that
    /// have [`Self::colors`].
    #[inline]
    pub(in crate::patch) fn count(
        &self,
        step: DVec2,
        rows: impl Iterator<Item = ImageRow>,
        total: u32,
    ) -> [u32; COLORS] {
        let mut counts = [[0; COLORS]; 2];
        let Some(Palette { colors, indices }) = self.palette.as_deref() else { return counts[0] };
        if colors.len() == 1 {
            counts[0][0] = total;
            return counts[0];
        }
        let [w, h] = [self.width, self.height].map(u64::from);
        // Fractions of the image with 64 bits, as in `places`: they wrap by themselves, and texel i begins at i/w.
        let fixed = |uv: DVec2| (uv - uv.floor()).to_array().map(|x| ((x * (1u64 << 53) as f64) as i64 as u64) << 11);
        let texel = |x: u64, count: u64| ((u128::from(x) * u128::from(count)) >> 64) as u64;
        let [dx, dy] = fixed(step);
        for ImageRow { start, count } in rows {
            let [mut x, mut y] = fixed(start);
            for k in 0..count {
                let index = indices[(texel(y, h) * w + texel(x, w)) as usize];
                // In two lists: one more of a colour would wait for the last one of it.
                counts[k % 2][usize::from(index) % COLORS] += 1;
                (x, y) = (x.wrapping_add(dx), y.wrapping_add(dy));
            }
        }
        let [mut all, others] = counts;
        all.iter_mut().zip(others).for_each(|(all, other)| *all += other);
        all
    }
}
