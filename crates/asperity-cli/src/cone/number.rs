//! Numbers, angles and vectors as people read them.

use glam::DVec2;

/// Below this angle (degrees) a force that is straight against the slip and one that is not print alike.
pub(super) const STRAIGHT: f64 = 0.05;

/// An angle in degrees from 0 to 360, with one decimal: 359.97 is 0.0.
pub(crate) fn angle(degrees: f64) -> String {
    let rounded = (degrees * 10.0).round() / 10.0;
    format!("{:.1}", if rounded >= 360.0 { rounded - 360.0 } else { rounded } + 0.0)
}

pub(super) fn signed_angle(degrees: f64) -> String {
    if degrees.abs() < STRAIGHT { "0.0".into() } else { format!("{degrees:.1}") }
}

/// "[x, y]"; a component that is round-off of the other is zero.
pub(super) fn vector(v: DVec2) -> String {
    let component = |x: f64| short(if x.abs() <= 1e-12 * v.abs().max_element() { 0.0 } else { x });
    format!("[{}, {}]", component(v.x), component(v.y))
}

/// Four decimals, so that columns compare; a power of ten where they would not show the number.
pub(crate) fn number(x: f64) -> String {
    if x == 0.0 || (5e-4..1e6).contains(&x.abs()) { format!("{:.4}", x + 0.0) } else { format!("{x:.3e}") }
}

/// Six significant digits at most, without trailing zeros.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{}", x + 0.0);
    }
    let digits = (5 - x.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{x:.digits$}");
    let trimmed = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if trimmed == "-0" { "0".into() } else { trimmed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_minus_zero() {
        assert_eq!(short(0.5), "0.5");
        assert_eq!(short(-1.0 / 3.0), "-0.333333");
        assert_eq!(short(1e-14), "0");
        assert_eq!(short(-1e-14), "0");
        assert_eq!(short(123456.7), "123457");
        assert_eq!(short(-0.0), "0");
        assert_eq!([0.0, 0.5, 1e308, 2e-5].map(number), ["0.0000", "0.5000", "1.000e308", "2.000e-5"]);
    }

    #[test]
    fn angles_are_round_and_wrap() {
        assert_eq!([359.97, 0.04, 90.0, -0.0, 359.94].map(angle), ["0.0", "0.0", "90.0", "0.0", "359.9"]);
        assert_eq!([1.2e-6, -0.04, -12.34].map(signed_angle), ["0.0", "0.0", "-12.3"]);
        assert_eq!(vector(DVec2::new(1e-17, -2.0)), "[0, -2]");
    }
}
