//! Overlaps that a step begins with.

use glam::DVec3;

/// Acceleration that stands for gravity where there is none, m/s²: overlaps come out there as they do on the ground.
const GRAVITY: f64 = 9.81;

/// By how much an overlap is undone in a step of length h at most: h² |g|, what a body falls in it.
pub(super) fn undone(gravity: DVec3, h: f64) -> f64 {
    let g = gravity.length();
    (if g > 0.0 { g } else { GRAVITY }) * h * h
}

/// The gap that a contact has to have at the end of a step: none, or what is left of an overlap that is undone by no more than
/// `fall` ([`undone`]). More would throw bodies apart that a scene begins with in each other.
pub(super) fn least_gap(gap: f64, fall: f64) -> f64 {
    if gap < 0.0 { (gap + fall).min(0.0) } else { 0.0 }
}
