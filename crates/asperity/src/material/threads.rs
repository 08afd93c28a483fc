//! The thread of a bolt, around the side of a cylinder whose axis is along v.
//!
//! Right-handed: turning about the axis by φ > 0 advances the ridge by lead φ/2π, lead = starts · pitch. The image is one turn, 2πr, times one
//! lead, so that it closes. Both flanks have the slope 1/tan(half angle), across the ridge: along (−sin α, cos α) in (u, v), tan α =
//! lead/2πr.

use std::f64::consts::TAU;

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{MaterialError, Relief, length, within};

/// Texels around and along a lead.
const TEXELS: u32 = 256;

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Threads {
    /// Of the cylinder, metres.
    pub radius: f64,
    /// From ridge to ridge along the axis, metres.
    pub pitch: f64,
    /// How many threads wind around.
    pub starts: u32,
    /// Between a flank and a plane across the axis is 90° minus this: 30° for metric threads.
    pub half_angle_deg: f64,
    /// Whether it winds the other way.
    pub left_handed: bool,
}

impl Default for Threads {
    /// Metric, M4.
    fn default() -> Self {
        Self { radius: 2e-3, pitch: 7e-4, starts: 1, half_angle_deg: 30.0, left_handed: false }
    }
}

impl Threads {
    pub(super) fn make(&self) -> Result<Relief, MaterialError> {
        let (radius, pitch) = (length("radius", self.radius)?, length("pitch", self.pitch)?);
        let starts = within("starts", f64::from(self.starts), 1.0, 16.0, "from 1 to 16")?;
        let half = within("half_angle_deg", self.half_angle_deg, 6.0, 89.0, "from 6 to 89")?.to_radians();
        let size = DVec2::new(TAU * radius, starts * pitch);
        let hand = if self.left_handed { -1.0 } else { 1.0 };
        let across = DVec2::new(-hand * size.y, size.x).normalize();
        let slope = 1.0 / half.tan();
        let texel = |k: u32| {
            let u = (f64::from(k % TEXELS) + 0.5) / f64::from(TEXELS);
            let v = 1.0 - (f64::from(k / TEXELS) + 0.5) / f64::from(TEXELS);
            // Phase within a ridge: constant along the helix v = u (one lead in a turn).
            let phase = starts * (v - hand * u);
            if phase - phase.floor() < 0.5 { -across * slope } else { across * slope }
        };
        let slopes = (0..TEXELS * TEXELS).map(texel).collect();
        Ok(Relief { width: TEXELS, height: TEXELS, size, slopes, heights: None, sharp: true })
    }
}
