//! PVC-like, cut with a tool: grooves along v that wave a little, steeper on one side, and burrs.

use std::f64::consts::TAU;

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{MaterialError, Relief, noise, within};

const TEXELS: u32 = 256;
/// Metres.
const SIDE: f64 = 0.064;
/// Grooves of an image.
const GROOVES: f64 = 24.0;

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CutPvc {
    /// Mean of |h|, metres.
    pub ra: f64,
    /// Of the random numbers.
    pub seed: u64,
}

impl Default for CutPvc {
    fn default() -> Self {
        Self { ra: 2.5e-4, seed: 4 }
    }
}

impl CutPvc {
    pub(super) fn make(&self) -> Result<Relief, MaterialError> {
        let ra = within("ra", self.ra, 0.0, 1e-2, "from 0 to 0.01 m")?;
        let mut burrs = noise::field(TEXELS, TEXELS, [1.5, 6.0], self.seed, 1);
        noise::to_roughness(&mut burrs, 0.12);
        let mut heights: Vec<f64> = (0..TEXELS * TEXELS)
            .map(|k| {
                let (u, v) = (f64::from(k % TEXELS) / f64::from(TEXELS), f64::from(k / TEXELS) / f64::from(TEXELS));
                let phase = TAU * (GROOVES * u + 0.6 * (TAU * v).sin());
                // The second harmonic leans the grooves over.
                phase.sin() + 0.3 * (2.0 * phase).sin()
            })
            .collect();
        heights.iter_mut().zip(&burrs).for_each(|(h, burr)| *h += burr);
        noise::to_roughness(&mut heights, ra);
        Ok(Relief::from_heights(TEXELS, TEXELS, DVec2::splat(SIDE), heights))
    }
}
