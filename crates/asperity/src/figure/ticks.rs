//! Ticks by the rule of an axis: as many as fit, and never fewer than two.

pub(super) use super::decimal_ticks::Ticks;
use super::log_ticks;
use super::plot::TickRule;
use super::range::Range;

impl Ticks {
    /// At least two ticks within `range`, about `length` apart.
    pub(super) fn at_least_two(range: Range, length: f64, rule: TickRule) -> Self {
        // Any step below half the range is fine enough.
        Self::two_or_more(length, |length| Self::near(range, length, rule))
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
            TickRule::Decimal | TickRule::Degrees => Self::round(range, length, rule),
        }
    }
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
