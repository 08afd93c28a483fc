//! What a relief is like, in numbers.

use std::f64::consts::FRAC_2_PI;

use glam::DVec2;

use super::Relief;

/// Roughness, slopes and coefficients of a whole relief.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Mean of |h − mean h|, metres; none without heights.
    pub ra: Option<f64>,
    /// Mean slope.
    pub mean: DVec2,
    /// Deviations of the slopes along u and v.
    pub deviation: DVec2,
    /// The steepest facet, as an angle in radians.
    pub steepest: f64,
    slopes: Vec<DVec2>,
}

impl Statistics {
    /// Of all texels, alike.
    pub fn new(relief: &Relief) -> Self {
        let count = relief.slopes.len().max(1) as f64;
        let mean = relief.slopes.iter().copied().sum::<DVec2>() / count;
        let square = relief.slopes.iter().map(|p| (*p - mean) * (*p - mean)).sum::<DVec2>() / count;
        let steepest = relief.slopes.iter().map(|p| p.length()).fold(0.0, f64::max).atan();
        let ra = relief.heights.as_ref().map(|heights| {
            let middle = heights.iter().sum::<f64>() / heights.len().max(1) as f64;
            heights.iter().map(|h| (h - middle).abs()).sum::<f64>() / heights.len().max(1) as f64
        });
        let deviation = DVec2::new(square.x.sqrt(), square.y.sqrt());
        Self { ra, mean, deviation, steepest, slopes: relief.slopes.clone() }
    }

    /// (2/π) mean max(0, p·d): what the relief resists a body with that slides over it along −d, d a unit vector in (u, v).
    pub fn coefficient(&self, d: DVec2) -> f64 {
        FRAC_2_PI * self.slopes.iter().map(|p| p.dot(d).max(0.0)).sum::<f64>() / self.slopes.len().max(1) as f64
    }
}
