//! Ticks at round numbers, and labels that are exact decimals.
//!
//! A step is an integer times a power of ten, m·10^e, and tick i is at i·m·10^e. The label is built from the
//! integer i·m, so it can show no rounding noise. All labels of an axis have the same number of decimals; very
//! large or very small ones share a factor 10^p that is shown once.

use super::log_ticks;
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
    /// At least two ticks within `range`, about `length` apart.
    pub(super) fn at_least_two(range: Range, length: f64, rule: TickRule) -> Self {
        let ticks = Self::near(range, length, rule);
        // The step shrinks with each turn; any step below half the range is fine enough.
        if ticks.marks.len() < 2 { Self::at_least_two(range, 0.5 * length, rule) } else { ticks }
    }

    /// At least two ticks, about `length` apart or as much further as they need to fit.
    pub(super) fn that_fit(range: Range, mut length: f64, rule: TickRule, fit: impl Fn(&Self) -> bool) -> Self {
        let mut ticks = Self::at_least_two(range, length, rule);
        while !fit(&ticks) {
            length *= 1.2;
            let wider = Self::near(range, length, rule);
            if wider.marks.len() < 2 {
                // No wider step is left: keep the ticks and name every second one.
                ticks.marks.iter_mut().skip(1).step_by(2).for_each(|(_, label)| label.clear());
                break;
            }
            ticks = wider;
        }
        ticks
    }

    /// The ticks within `range` that the rule puts about `length` apart.
    fn near(range: Range, length: f64, rule: TickRule) -> Self {
        match rule {
            TickRule::Log10 => log_ticks::near(range, length),
            TickRule::Decimal | TickRule::Degrees => Self::new(range, Step::near(length, rule)),
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

    fn ticks(low: f64, high: f64, count: f64, rule: TickRule) -> Ticks {
        let range = Range { low, high };
        Ticks::at_least_two(range, range.span() / count, rule)
    }

    fn labels(low: f64, high: f64, count: f64) -> Vec<String> {
        ticks(low, high, count, TickRule::Decimal).marks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn steps_are_one_two_or_five() {
        let steps =
            [(1.0, 1, 0), (1.3, 1, 0), (1.5, 2, 0), (3.0, 2, 0), (0.35, 5, -1), (8.0, 1, 1), (0.0999999, 1, -1)];
        for (length, mantissa, exponent) in steps {
            assert_eq!(Step::near(length, TickRule::Decimal), Step { mantissa, exponent }, "{length}");
        }
    }

    #[test]
    fn labels_are_free_of_rounding_noise() {
        assert_eq!(labels(0.0, 0.7, 7.0), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]);
        assert_eq!(labels(-1.0, 1.0, 4.0), ["\u{2212}1.0", "\u{2212}0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(-250.0, 130.0, 4.0), ["\u{2212}200", "\u{2212}100", "0", "100"]);
        assert_eq!(labels(0.0, 50000.0, 2.5), ["0", "20000", "40000"]);
        assert_eq!(labels(0.0, 0.003, 3.0), ["0.000", "0.001", "0.002", "0.003"]);
    }

    #[test]
    fn extreme_magnitudes_share_a_factor() {
        let small = ticks(0.0, 4e-6, 4.0, TickRule::Decimal);
        assert_eq!(small.factor.as_deref(), Some("×10⁻⁶"));
        assert_eq!(small.marks[3], (3e-6, "3".into()));
        let large = ticks(-1.0e12, 2.5e12, 4.0, TickRule::Decimal);
        assert_eq!(large.factor.as_deref(), Some("×10¹²"));
        assert_eq!(large.marks.first(), Some(&(-1e12, "\u{2212}1".into())));
        assert_eq!(ticks(0.0, 1.0, 5.0, TickRule::Decimal).factor, None);
    }

    #[test]
    fn degrees_use_parts_of_the_circle() {
        let at = |low, high, count| ticks(low, high, count, TickRule::Degrees).marks.into_iter().map(|m| m.0).collect();
        let quarter: Vec<f64> = at(0.0, 90.0, 4.0);
        assert_eq!(quarter, [0.0, 30.0, 60.0, 90.0]);
        let circle: Vec<f64> = at(0.0, 360.0, 4.5);
        assert_eq!(circle, [0.0, 90.0, 180.0, 270.0, 360.0]);
        let narrow: Vec<f64> = at(0.0, 4.0, 4.0);
        assert_eq!(narrow, [0.0, 1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn there_are_two_ticks_however_coarse_the_wish() {
        for rule in [TickRule::Decimal, TickRule::Degrees] {
            for (low, high) in [(0.3, 0.9), (-7.0, 8.0), (1.0, 700.0), (199.0, 290.0)] {
                assert!(ticks(low, high, 0.2, rule).marks.len() >= 2, "{low} {high}");
            }
        }
    }

    #[test]
    fn ticks_move_apart_until_they_fit_but_two_remain() {
        let range = Range { low: 0.0, high: 10.0 };
        let with_at_most = |n| Ticks::that_fit(range, 0.1, TickRule::Decimal, |ticks| ticks.marks.len() <= n);
        assert_eq!(with_at_most(6).step, 2.0);
        assert_eq!(with_at_most(0).step, 10.0);
    }

    #[test]
    fn a_narrow_range_far_from_zero_has_distinct_labels() {
        let found = labels(1000.0, 1000.004, 4.0);
        assert_eq!(found, ["1000.000", "1000.001", "1000.002", "1000.003", "1000.004"]);
    }

    #[test]
    fn every_magnitude_has_a_few_ticks() {
        for power in -99..99 {
            let unit = 10f64.powi(power);
            for (low, high) in [(-unit, unit), (0.0, 3.7 * unit), (unit, 1.0001 * unit)] {
                let count = ticks(low, high, 5.0, TickRule::Decimal).marks.len();
                assert!((2..=9).contains(&count), "{low} {high}: {count}");
            }
        }
    }
}
