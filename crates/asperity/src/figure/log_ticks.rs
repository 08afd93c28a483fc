//! Ticks of an axis that holds decimal logarithms, named by the numbers they are of.
//!
//! Position x stands for 10^x. With many decades ticks are at powers of ten; with a few at 1, 2 and 5 times a power of ten;
//! where even these are too far apart, at round numbers evenly spread, which are crowded towards the right.

use super::decimal_ticks::{Step, Ticks, decimal, label, superscript};
use super::plot::TickRule;
use super::range::Range;

/// From this mean distance on, in decades, ticks are at powers of ten.
const POWERS: f64 = 0.7;
/// Numbers from 10^-3 to below 10^5 are written out.
const PLAIN: std::ops::Range<i64> = -3..5;
/// Beyond 10^±90 only exponents are named: the numbers would soon be no f64.
const LARGEST_EXPONENT: f64 = 90.0;
/// Ticks this close to the ends of the range count as within it.
const EDGE: f64 = 1e-9;

/// The ticks within `range`, about `length` apart; there may be fewer than two, but not for every `length`.
pub(super) fn near(range: Range, length: f64) -> Ticks {
    if range.low.abs().max(range.high.abs()) > LARGEST_EXPONENT {
        let mut ticks = two_or_more(range, length);
        let factor = ticks.factor.take().unwrap_or_default();
        ticks.marks.iter_mut().for_each(|(_, text)| *text = format!("10^({text}{factor})"));
        return ticks;
    }
    if length >= POWERS {
        let step = Step::near(length, TickRule::Decimal).value();
        return at(range, step.round().max(1.0) as i64, &[1]);
    }
    let ticks = at(range, 1, &[1, 2, 5]);
    if ticks.marks.len() >= 3 { ticks } else { evenly_spread(range, length) }
}

/// Ticks at `digits`·10^k, k the multiples of `step`.
fn at(range: Range, step: i64, digits: &[i64]) -> Ticks {
    let first = (range.low - 1.0) as i64 / step - 1;
    let last = (range.high + 1.0) as i64 / step + 1;
    let numbers = (first..=last).flat_map(|k| digits.iter().map(move |digit| (*digit, k * step)));
    let placed = numbers.map(|(digit, power)| (power as f64 + (digit as f64).log10(), name(digit, power)));
    let marks = placed.filter(|(x, _)| (range.low - EDGE..=range.high + EDGE).contains(x)).collect();
    Ticks { marks, factor: None, step: step as f64 / digits.len() as f64 }
}

/// At least two ticks at round numbers.
fn two_or_more(range: Range, length: f64) -> Ticks {
    Ticks::two_or_more(length, |length| Ticks::round(range, length, TickRule::Decimal))
}

/// Ticks at multiples of one number.
fn evenly_spread(range: Range, length: f64) -> Ticks {
    let numbers = Range { low: 10f64.powf(range.low), high: 10f64.powf(range.high) };
    let pitch = numbers.span() * (length / range.span()).min(0.5);
    let mut ticks = two_or_more(numbers, pitch);
    // The range holds them all but for round-off at its ends.
    ticks.marks.iter_mut().for_each(|(value, _)| *value = value.log10().clamp(range.low, range.high));
    ticks.step = length;
    ticks
}

/// digit·10^power.
fn name(digit: i64, power: i64) -> String {
    if PLAIN.contains(&power) {
        let n = decimal(digit, power.max(0) as i32) as i64;
        return label(n, power.min(0) as i32);
    }
    let ten = format!("10{}", superscript(power as i32));
    if digit == 1 { ten } else { format!("{digit}·{ten}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(low: f64, high: f64, count: f64) -> Vec<(f64, String)> {
        let range = Range { low, high };
        Ticks::at_least_two(range, range.span() / count, TickRule::Log10).marks
    }

    fn labels(low: f64, high: f64, count: f64) -> Vec<String> {
        ticks(low, high, count).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn a_few_decades_have_steps_of_one_two_and_five() {
        assert_eq!(labels(0.0, 2.0, 6.0), ["1", "2", "5", "10", "20", "50", "100"]);
        assert_eq!(labels(-2.0, 0.1, 6.0), ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"]);
        for (x, label) in ticks(0.0, 2.0, 6.0) {
            assert!((10f64.powf(x) - label.parse::<f64>().unwrap()).abs() < 1e-12 * 10f64.powf(x));
        }
    }

    #[test]
    fn many_decades_have_powers_of_ten() {
        assert_eq!(labels(0.0, 6.0, 6.0), ["1", "10", "100", "1000", "10000", "10⁵", "10⁶"]);
        assert_eq!(labels(-40.0, 40.0, 4.0), ["10⁻⁴⁰", "10⁻²⁰", "1", "10²⁰", "10⁴⁰"]);
        assert_eq!(labels(4.9, 6.1, 6.0), ["10⁵", "2·10⁵", "5·10⁵", "10⁶"]);
    }

    #[test]
    fn a_narrow_range_has_round_numbers() {
        assert_eq!(labels(0.0, 3f64.log10(), 4.0), ["1.0", "1.5", "2.0", "2.5", "3.0"]);
        let fine = ticks(0.0, 1.05f64.log10(), 5.0);
        assert_eq!(fine[1].1, "1.01");
        assert!((fine[1].0 - 1.01f64.log10()).abs() < 1e-12);
    }

    #[test]
    fn every_range_has_a_few_ticks_within_it() {
        for low in [-1e100, -1e5, -91.0, -7.3, 0.0, 0.3, 89.9, 2e9] {
            for span in [1e-4, 0.1, 0.7, 1.0, 3.3, 20.0, 150.0, 1e7, 1e100] {
                let span = f64::max(span, 1e-8 * f64::abs(low));
                let found = ticks(low, low + span, 5.0);
                assert!((2..=16).contains(&found.len()), "{low} {span}: {found:?}");
                let edge = EDGE.max(1e-5 * span);
                assert!(found.iter().all(|(x, _)| (low - edge..=low + span + edge).contains(x)), "{found:?}");
                assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0), "{found:?}");
            }
        }
    }
}
