//! Ridges along v: rising by `height` over the part `rise` of a period along u, and falling over the rest.
//!
//! Facets: p = −height/(rise · period) on the gentle side, height/((1 − rise) · period) on the other. Each side has whole texels, and no
//! texel is between two sides: averages over whole periods are exact.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{MaterialError, Relief, length, within};

/// Texels of a period.
const TEXELS: u32 = 64;

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sawtooth {
    /// Metres along u.
    pub period: f64,
    /// Metres from the lowest to the highest point.
    pub height: f64,
    /// Part of the period that rises; kept to whole texels of 1/64.
    pub rise: f64,
}

impl Default for Sawtooth {
    fn default() -> Self {
        Self { period: 5e-3, height: 1e-3, rise: 0.8125 }
    }
}

impl Sawtooth {
    pub(super) fn make(&self) -> Result<Relief, MaterialError> {
        let period = length("period", self.period)?;
        let height = within("height", self.height, 0.0, period, "from 0 to the period")?;
        let rise = within("rise", self.rise, 1.0 / 64.0, 63.0 / 64.0, "from 1/64 to 63/64")?;
        let rising = (rise * f64::from(TEXELS)).round() as u32;
        let part = f64::from(rising) / f64::from(TEXELS);
        let (gentle, steep) = (-height / (part * period), height / ((1.0 - part) * period));
        let slopes = (0..TEXELS).map(|i| DVec2::new(if i < rising { gentle } else { steep }, 0.0)).collect();
        let profile = |i: u32| {
            let at = (f64::from(i) + 0.5) / f64::from(TEXELS);
            height * if i < rising { at / part } else { (1.0 - at) / (1.0 - part) }
        };
        let heights = Some((0..TEXELS).map(profile).collect());
        Ok(Relief { width: TEXELS, height: 1, size: DVec2::splat(period), slopes, heights, sharp: true })
    }
}
