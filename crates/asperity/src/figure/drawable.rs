//! Numbers that can be drawn, and numbers that are kept between bounds.

/// Beyond this a number is treated as not finite: spans and pixel positions could overflow.
pub(super) const LARGEST: f64 = 1e100;

/// Whether a coordinate can be drawn.
pub(super) fn is_drawable(value: f64) -> bool {
    value.abs() <= LARGEST
}

/// A value kept between bounds; NaN becomes the lower one, where `clamp` would pass it on.
pub(super) fn bounded(value: f64, low: f64, high: f64) -> f64 {
    if value.is_nan() { low } else { value.clamp(low, high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_kept_at_the_lower_bound_and_is_not_drawn() {
        assert_eq!([f64::NAN, -1.0, 0.5, f64::INFINITY].map(|v| bounded(v, 0.0, 1.0)), [0.0, 0.0, 0.5, 1.0]);
        assert_eq!([f64::NAN, f64::INFINITY, 1e101, -1e100].map(is_drawable), [false, false, false, true]);
    }
}
