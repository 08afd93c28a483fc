//! Acrylic-like: long shallow waves and a few fine scratches across the image.

use std::f64::consts::TAU;

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::noise::Noise;
use super::{MaterialError, Relief, noise, within};

const TEXELS: u32 = 256;
/// Metres.
const SIDE: f64 = 0.064;
const SCRATCHES: u32 = 12;

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Acrylic {
    /// Mean of |h|, metres.
    pub ra: f64,
    /// Of the random numbers.
    pub seed: u64,
}

impl Default for Acrylic {
    fn default() -> Self {
        Self { ra: 4e-6, seed: 3 }
    }
}

impl Acrylic {
    pub(super) fn make(&self) -> Result<Relief, MaterialError> {
        let ra = within("ra", self.ra, 0.0, 1e-2, "from 0 to 0.01 m")?;
        let mut heights = noise::field(TEXELS, TEXELS, [20.0; 2], self.seed, 1);
        noise::to_roughness(&mut heights, 1.0);
        let mut random = Noise::new(self.seed, 2);
        let n = TEXELS as i32;
        for _ in 0..SCRATCHES {
            let (mut x, mut y) = (random.uniform() * f64::from(n), random.uniform() * f64::from(n));
            let (angle, depth) = (TAU * random.uniform(), 1.0 + random.uniform());
            let steps = 60 + (100.0 * random.uniform()) as u32;
            for _ in 0..steps {
                let at = (y as i32).rem_euclid(n) * n + (x as i32).rem_euclid(n);
                heights[at as usize] -= depth;
                (x, y) = (x + angle.cos(), y + angle.sin());
            }
        }
        noise::to_roughness(&mut heights, ra);
        Ok(Relief::from_heights(TEXELS, TEXELS, DVec2::splat(SIDE), heights))
    }
}
