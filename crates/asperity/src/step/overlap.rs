//! Overlaps that a step begins with.

/// The gap that a contact has to have at the end of a step: none, or what is left of an overlap that is undone by no more than
/// `fall`, h² |g|. More would throw bodies apart that a scene begins with in each other.
pub(super) fn least_gap(gap: f64, fall: f64) -> f64 {
    if gap < 0.0 { (gap + fall).min(0.0) } else { 0.0 }
}
