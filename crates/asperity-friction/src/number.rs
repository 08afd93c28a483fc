//! Numbers as people read them, in messages and tables.
//!
//! `{}` writes 1e308 with 309 digits. Here numbers that are very large or very small have an exponent, and all others
//! look as with `{}`.
//!
//! ```
//! use asperity_friction::number::{Written, distinct, short};
//! assert_eq!(Written(1e308).to_string(), "1e308");
//! assert_eq!(Written(0.25).to_string(), "0.25");
//! assert_eq!(short(2.0 / 3.0), "0.666667");
//! assert_eq!(distinct(0.00200004, 0.002), ["0.00200004", "0.002"]);
//! ```

use std::fmt;

/// Sizes that are written without an exponent.
const PLAIN: std::ops::Range<f64> = 1e-5..1e9;

/// A number with as many digits as are needed to read the same number back.
#[derive(Clone, Copy, Debug)]
pub struct Written(pub f64);

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        if value == 0.0 || !value.is_finite() || PLAIN.contains(&value.abs()) {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

/// A number with six significant digits, without zeros at its end.
pub fn short(value: f64) -> String {
    digits(value, 6)
}

/// Two numbers with six significant digits each, or as many more as it takes to see that they differ.
pub fn distinct(a: f64, b: f64) -> [String; 2] {
    // 17 digits tell any two numbers apart.
    let shown = |count| [digits(a, count), digits(b, count)];
    (6..17).map(shown).find(|[a, b]| a != b).unwrap_or_else(|| shown(17))
}

/// A number with so many significant digits, without zeros at its end; with an exponent below 1e-3 and from 1e6 on.
fn digits(value: f64, count: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let rounded = format!("{value:.*e}", count - 1);
    let Some((mantissa, exponent)) = rounded.split_once('e') else { return rounded };
    let power: i32 = exponent.parse().unwrap_or(0);
    if (-3..6).contains(&power) {
        let decimals = (count as i32 - 1 - power).max(0) as usize;
        trimmed(&format!("{value:.decimals$}")).to_owned()
    } else {
        format!("{}e{exponent}", trimmed(mantissa))
    }
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_long_and_all_are_read_back() {
        for value in [1e308, -1e308, f64::MIN_POSITIVE, 5e-324, 1.0 / 3.0, 1e9, 123_456_789.0, 1e-5, -0.0, f64::MAX] {
            let text = Written(value).to_string();
            assert!(text.len() <= 25, "{text}");
            assert_eq!(text.parse::<f64>().unwrap(), value, "{text}");
        }
        assert_eq!([1.0, 0.05, 250.0, 1e12].map(|x| Written(x).to_string()), ["1", "0.05", "250", "1e12"]);
    }

    #[test]
    fn short_numbers_have_six_digits() {
        let values = [0.0, 1.0, 2.777_515_4, -0.123_456_78, 123_456.7, 1e-9, 2.5e7, 0.001_234_567_8, 1e308, 999_999.9];
        let shown = values.map(short);
        let expected = ["0", "1", "2.77752", "-0.123457", "123457", "1e-9", "2.5e7", "0.00123457", "1e308", "1e6"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn different_numbers_look_different() {
        let next = f64::from_bits(0.002f64.to_bits() + 1);
        for (a, b) in [(0.002, next), (0.00200004, 0.002), (1.0, 1.0 + f64::EPSILON), (3.0, 4.0)] {
            let [first, second] = distinct(a, b);
            assert_ne!(first, second);
        }
        assert_eq!(distinct(0.05, 0.002), ["0.05", "0.002"]);
        assert_eq!(distinct(0.5, 0.5), ["0.5", "0.5"]);
    }
}
