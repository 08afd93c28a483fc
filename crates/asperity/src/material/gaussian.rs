//! Gaussian heights (Andrews et al. 2021, section 5.1): each texel has a random height, with Ra = mean |h| = σ √(2/π).
//!
//! Slopes are central differences: of independent heights they are normal with the deviation σ/(√2 · pixel). With `blur`, heights are
//! alike over so many metres along u and v, and Ra stays what it is.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{MaterialError, Relief, length, noise, texels, within};

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gaussian {
    /// Mean of |h|, metres.
    pub ra: f64,
    /// Side of a texel, metres.
    pub pixel: f64,
    /// Over how far heights are alike along u and v, metres.
    pub blur: [f64; 2],
    /// Texels along a side.
    pub texels: u32,
    /// Of the random numbers.
    pub seed: u64,
}

impl Default for Gaussian {
    /// Cast iron, with the paper's texels of a millimetre.
    fn default() -> Self {
        Self { ra: 1.5e-4, pixel: 1e-3, blur: [0.0; 2], texels: 256, seed: 0 }
    }
}

impl Gaussian {
    pub(super) fn make(&self) -> Result<Relief, MaterialError> {
        let ra = within("ra", self.ra, 0.0, 1.0, "from 0 to 1 m")?;
        let (pixel, n) = (length("pixel", self.pixel)?, texels(self.texels)?);
        let mut blur = [0.0; 2];
        for (out, given) in blur.iter_mut().zip(self.blur) {
            *out = within("blur", given, 0.0, pixel * f64::from(n), "from 0 to the size of the image")? / pixel;
        }
        let mut heights = noise::field(n, n, blur, self.seed, 1);
        noise::to_roughness(&mut heights, ra);
        Ok(Relief::from_heights(n, n, DVec2::splat(pixel * f64::from(n)), heights))
    }
}
