//! Ticks at round numbers, and labels that are exact decimals.
//!
//! A step is an integer times a power of ten, m·10^e, and tick i is at i·m·10^e. The label is built from the
//! integer i·m, so it can show no rounding noise. All labels of an axis have the same number of decimals; very
//! large or very small ones share a factor 10^p that is shown once.

use super::plot::TickRule;
use super::range::Range;

/// Ticks whose indices are this close to the ends of the range count as within it.
const EDGE: f64 = 1e-6;
/// Labels from 10^5 on, and all below 10^-3, share a power of ten.
const LARGE_EXPONENT: i32 = 5;
const SMALL_EXPONENT: i32 = -4;

/// Distance of ticks: `mantissa`·10^`exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    mantissa: i64,
    exponent: i32,
}

impl Step {
    /// The allowed step nearest to `length`, by their ratio.
    pub(super) fn near(length: f64, rule: TickRule) -> Self {
        const ANGLES: [i64; 8] = [5, 10, 15, 30, 45, 90, 180, 360];
        if rule == TickRule::Degrees && (3.0..=500.0).contains(&length) {
            return Self { mantissa: nearest(&ANGLES, length), exponent: 0 };
        }
        let exponent = length.log10().floor() as i32;
        match nearest(&[1, 2, 5, 10], length / 10f64.powi(exponent)) {
            10 => Self { mantissa: 1, exponent: exponent + 1 },
            mantissa => Self { mantissa, exponent },
        }
    }

    pub(super) fn value(self) -> f64 {
        decimal(self.mantissa, self.exponent)
    }
}

/// The ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    /// Position in data units and label, which is empty where there is no room for it.
    pub(super) marks: Vec<(f64, String)>,
    /// The factor that all labels share, such as `×10⁻⁶`.
    pub(super) factor: Option<String>,
    /// Distance of the ticks in data units.
    pub(super) step: f64,
}

impl Ticks {
    /// The ticks within `range` at round numbers, or round angles, about `length` apart.
    pub(super) fn round(range: Range, length: f64, rule: TickRule) -> Self {
        Self::new(range, Step::near(length, rule))
    }

    /// The first ticks of `near`, which is asked for ticks about a length apart, that are two or more; the length is halved until there are.
    pub(super) fn two_or_more(mut length: f64, near: impl Fn(f64) -> Self) -> Self {
        loop {
            let ticks = near(length);
            if ticks.marks.len() >= 2 {
                return ticks;
            }
            length *= 0.5;
        }
    }

    /// The ticks within `range` at multiples of `step`.
    fn new(range: Range, step: Step) -> Self {
        let first = (range.low / step.value() - EDGE).ceil() as i64;
        let last = (range.high / step.value() + EDGE).floor() as i64;
        let numbers: Vec<i64> = (first..=last).map(|i| i * step.mantissa).collect();
        let power = shared_power(&numbers, step.exponent);
        let marks = numbers.iter().map(|&n| (decimal(n, step.exponent), label(n, step.exponent - power))).collect();
        let factor = (power != 0).then(|| format!("×10{}", superscript(power)));
        Self { marks, factor, step: step.value() }
    }
}

/// The choice (sorted, positive) whose ratio to `length` is nearest to one.
fn nearest(choices: &[i64], length: f64) -> i64 {
    let bound = |pair: &[i64]| ((pair[0] * pair[1]) as f64).sqrt();
    choices[choices.windows(2).take_while(|pair| bound(pair) < length).count()]
}

/// n·10^exponent; dividing by an exact power of ten gives the nearest f64.
pub(super) fn decimal(n: i64, exponent: i32) -> f64 {
    if exponent < 0 { n as f64 / 10f64.powi(-exponent) } else { n as f64 * 10f64.powi(exponent) }
}

/// The power of ten taken out of all the numbers n·10^exponent; 0 for everyday magnitudes.
fn shared_power(numbers: &[i64], exponent: i32) -> i32 {
    let largest = numbers.iter().map(|n| n.unsigned_abs()).max().unwrap_or(0);
    let Some(digits) = largest.checked_ilog10() else {
        return 0;
    };
    let power = digits as i32 + exponent;
    if (SMALL_EXPONENT + 1..LARGE_EXPONENT).contains(&power) { 0 } else { power }
}

/// n·10^exponent in decimal notation, with a proper minus sign.
pub(super) fn label(n: i64, exponent: i32) -> String {
    let sign = if n < 0 { "\u{2212}" } else { "" };
    let digits = n.unsigned_abs().to_string();
    if n == 0 || exponent >= 0 {
        let zeros = if n == 0 { 0 } else { exponent as usize };
        let decimals = if exponent < 0 { format!(".{}", "0".repeat(-exponent as usize)) } else { String::new() };
        return format!("{sign}{digits}{}{decimals}", "0".repeat(zeros));
    }
    let decimals = -exponent as usize;
    let padded = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, part) = padded.split_at(padded.len() - decimals);
    format!("{sign}{whole}.{part}")
}

pub(super) fn superscript(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]);
    power.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_one_two_or_five() {
        let steps =
            [(1.0, 1, 0), (1.3, 1, 0), (1.5, 2, 0), (3.0, 2, 0), (0.35, 5, -1), (8.0, 1, 1), (0.0999999, 1, -1)];
        for (length, mantissa, exponent) in steps {
            assert_eq!(Step::near(length, TickRule::Decimal), Step { mantissa, exponent }, "{length}");
        }
    }
}
