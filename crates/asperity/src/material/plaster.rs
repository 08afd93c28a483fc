//! Plaster-like: rounded bumps of two sizes, without a direction.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{MaterialError, Relief, noise, within};

const TEXELS: u32 = 256;
/// Metres.
const SIDE: f64 = 0.064;

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plaster {
    /// Mean of |h|, metres.
    pub ra: f64,
    /// Of the random numbers.
    pub seed: u64,
}

impl Default for Plaster {
    fn default() -> Self {
        Self { ra: 6e-5, seed: 1 }
    }
}

impl Plaster {
    pub(super) fn make(&self) -> Result<Relief, MaterialError> {
        let ra = within("ra", self.ra, 0.0, 1e-2, "from 0 to 0.01 m")?;
        let coarse = noise::field(TEXELS, TEXELS, [12.0; 2], self.seed, 1);
        let fine = noise::field(TEXELS, TEXELS, [3.0; 2], self.seed, 2);
        // A kernel of deviation s leaves 1/(2√π s) of white noise: 12 c is three times as high as f.
        let mut heights: Vec<f64> = coarse.iter().zip(&fine).map(|(c, f)| 12.0 * c + f).collect();
        noise::to_roughness(&mut heights, ra);
        Ok(Relief::from_heights(TEXELS, TEXELS, DVec2::splat(SIDE), heights))
    }
}
