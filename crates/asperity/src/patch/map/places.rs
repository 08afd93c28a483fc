//! Where the pixels of a row lie among the texels of a map that repeats, several at a time.
//!
//! A pixel lies between the centres of the texels (i, j) and (i + 1, j + 1): at i + s, j + t, with s and t from 0 to 1. Rows are one texel longer
//! than the image, and there is one row more, so the corner j (w + 1) + i says it all.

use glam::DVec2;

/// Pixels that are looked up together: a row of a patch as most have it. At the corner of a body there are half as many.
pub(super) const BATCH: usize = 16;
pub(super) const HALF_BATCH: usize = BATCH / 2;

/// 1.5·2⁵²: what is added to it, also what is negative, is rounded to an integer, which its lowest bits then are. SSE2 has no other way to round
/// several numbers at once.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// u − ⌊u⌋ for what is not too large for it, without calling for it; from 0 to 1. Else, any number outside of an image.
#[inline]
pub(super) fn fraction(uv: DVec2) -> DVec2 {
    uv - ((uv - 0.5 + ROUND) - ROUND)
}

/// Places of some pixels.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) corners: [u32; BATCH],
    pub(super) s: [f32; BATCH],
    pub(super) t: [f32; BATCH],
}

impl Places {
    /// Of the points first + k step, in texels from the middle between the centres of the first two (x = i + s − ½). None may be outside of
    /// the image. N of them, so that they are found several at a time.
    #[inline]
    pub(super) fn within<const N: usize>(&mut self, first: DVec2, step: DVec2, width: u32) {
        let row = f64::from(width) + 1.0;
        for k in 0..N.min(BATCH) {
            let at = first + step * k as f64;
            let (i, j) = ((at.x + ROUND) - ROUND, (at.y + ROUND) - ROUND);
            self.corners[k] = (j * row + i + ROUND).to_bits() as u32;
            self.s[k] = (at.x - i) as f32 + 0.5;
            self.t[k] = (at.y - j) as f32 + 0.5;
        }
    }

    /// Moves all to the nearest texel.
    #[inline]
    pub(super) fn round(&mut self) {
        for s in self.s.iter_mut().chain(&mut self.t) {
            *s = if *s >= 0.5 { 1.0 } else { 0.0 };
        }
    }

    /// Of the points uv + k step, in images, anywhere. Coordinates are fractions of the image with 64 bits: they wrap by themselves, a step is
    /// one addition, and of the product with the number of texels the upper half is i, the lower half s.
    #[inline]
    pub(super) fn wrapped(&mut self, uv: DVec2, step: DVec2, size: [u32; 2], count: usize) {
        let [w, h] = size.map(u64::from);
        // 53 bits; what rounding makes a whole image is shifted out, and is none.
        let fixed = |x: f64| (((x - x.floor()) * (1u64 << 53) as f64) as u64) << 11;
        let mut x = fixed(uv.x).wrapping_sub((1 << 63) / w);
        let mut y = fixed(uv.y).wrapping_sub((1 << 63) / h);
        let (dx, dy) = (fixed(step.x), fixed(step.y));
        let split = |x: u64, count: u64| {
            let product = u128::from(x) * u128::from(count);
            ((product >> 64) as u32, product as u64)
        };
        // The upper 24 bits, all that an f32 holds.
        let fraction = |x: u64| (x >> 40) as i32 as f32 * (1.0 / 16_777_216.0);
        for k in 0..count.min(BATCH) {
            let ((i, s), (j, t)) = (split(x, w), split(y, h));
            self.corners[k] = j * (size[0] + 1) + i;
            (self.s[k], self.t[k]) = (fraction(s), fraction(t));
            (x, y) = (x.wrapping_add(dx), y.wrapping_add(dy));
        }
    }
}
