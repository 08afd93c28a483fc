//! Oak-like: fibres along u, and pores, which are narrow grooves along the fibres with closed ends.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::noise::Noise;
use super::{MaterialError, Relief, noise, within};

const TEXELS: u32 = 256;
/// Metres.
const SIDE: f64 = 0.064;
/// Pores of an image.
const PORES: u32 = 160;

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Oak {
    /// Mean of |h|, metres.
    pub ra: f64,
    /// Of the random numbers.
    pub seed: u64,
}

impl Default for Oak {
    fn default() -> Self {
        Self { ra: 5e-5, seed: 2 }
    }
}

impl Oak {
    pub(super) fn make(&self) -> Result<Relief, MaterialError> {
        let ra = within("ra", self.ra, 0.0, 1e-2, "from 0 to 0.01 m")?;
        let mut heights = noise::field(TEXELS, TEXELS, [24.0, 1.2], self.seed, 1);
        noise::to_roughness(&mut heights, 1.0);
        let mut random = Noise::new(self.seed, 2);
        let n = TEXELS as i32;
        for _ in 0..PORES {
            let (x, y) = (random.uniform() * f64::from(n), random.uniform() * f64::from(n));
            let (half, depth) = (6.0 + 14.0 * random.uniform(), 1.5 + 1.5 * random.uniform());
            for i in (x - half) as i32..=(x + half) as i32 {
                // Rounded at its ends, three texels wide.
                let along = ((f64::from(i) - x) / half).clamp(-1.0, 1.0);
                for j in (y as i32) - 3..=(y as i32) + 3 {
                    let groove = (-0.5 * ((f64::from(j) - y) / 1.3).powi(2)).exp() * (1.0 - along * along);
                    heights[(j.rem_euclid(n) * n + i.rem_euclid(n)) as usize] -= depth * groove;
                }
            }
        }
        noise::to_roughness(&mut heights, ra);
        Ok(Relief::from_heights(TEXELS, TEXELS, DVec2::splat(SIDE), heights))
    }
}
