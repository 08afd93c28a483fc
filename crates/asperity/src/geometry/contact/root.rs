//! Where a function of one variable changes its sign.

/// Where `f`, positive before and not after, changes its sign between `low` and `high`; an end if it does not.
///
/// Chandrupatla's method (Advances in Engineering Software 28, 1997): the inverse parabola through the last three points where it is
/// monotonic between them, which it is if Φ² < ξ and (1 − Φ)² < 1 − ξ for ξ = (a − b)/(c − b), Φ = (f_a − f_b)/(f_c − f_b); else the middle. It ends
/// at rounding, after ten values or so if f is smooth, and after as many as bisection takes, twice at worst, if it jumps.
pub(super) fn falling(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low, high);
    let (mut f_low, mut f_high) = (f(low), f(high));
    // Without a change between the ends one look at the middle: a hump may begin after the end.
    if f_low <= 0.0 || f_high > 0.0 {
        let middle = 0.5 * (low + high);
        let f_middle = f(middle);
        match (f_low > 0.0, f_middle > 0.0, f_high > 0.0) {
            (_, false, true) | (false, false, _) => return low,
            (_, true, true) => return high,
            (_, true, false) => (low, f_low) = (middle, f_middle),
            (true, false, false) => (high, f_high) = (middle, f_middle),
        }
    }
    let width = high - low;
    // a is the last point, b the other end of the bracket, c the one before.
    let (mut a, mut f_a) = (high, f_high);
    let (mut b, mut f_b) = (low, f_low);
    let mut t = 0.5;
    loop {
        let x = a + t * (b - a);
        let f_x = f(x);
        let (c, f_c);
        if (f_x > 0.0) == (f_a > 0.0) {
            (c, f_c) = (a, f_a);
        } else {
            (c, f_c) = (b, f_b);
            (b, f_b) = (a, f_a);
        }
        (a, f_a) = (x, f_x);
        let (best, f_best) = if f_a.abs() < f_b.abs() { (a, f_a) } else { (b, f_b) };
        // Half of the bracket is no more than the spacing of numbers: there is nothing between.
        let step = f64::EPSILON * (best.abs() + 0.01 * width) / (b - a).abs();
        if step > 0.5 || f_best == 0.0 || !step.is_finite() {
            return best;
        }
        let (xi, phi) = ((a - b) / (c - b), (f_a - f_b) / (f_c - f_b));
        t = if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            f_a / (f_b - f_a) * f_c / (f_b - f_c) + (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)
        } else {
            0.5
        };
        t = t.clamp(step, 1.0 - step);
    }
}

#[cfg(test)]
mod tests {
    use super::falling;
    use std::cell::Cell;

    #[test]
    fn roots_are_found_to_rounding_with_few_values() {
        let values = Cell::new(0);
        let counted = |f: fn(f64) -> f64| {
            let values = &values;
            values.set(0);
            move |x: f64| {
                values.set(values.get() + 1);
                f(x)
            }
        };
        type Case = (fn(f64) -> f64, f64, f64, f64, usize);
        let cases: [Case; 6] = [
            (f64::cos, 0.0, 3.0, std::f64::consts::FRAC_PI_2, 12),
            (|x| 2.0 - x * x, 0.0, 2.0, std::f64::consts::SQRT_2, 14),
            (|x| 1e-9 - x, -1.0, 2.0, 1e-9, 12),
            (|x| -(x - 0.3).powi(3), -1.0, 1.0, 0.3, 130),
            // A kink: the slope of a maximum that is no smooth one.
            (|x| if x < 0.7 { 1.0 + x } else { -5.0 }, 0.0, 1.0, 0.7, 130),
            (|x| if x < 0.7 { 1e-3 } else { -1.0 - x }, 0.0, 1.0, 0.7, 130),
        ];
        for (i, (f, low, high, root, most)) in cases.into_iter().enumerate() {
            let found = falling(low, high, counted(f));

            assert!((found - root).abs() <= 4.0 * f64::EPSILON, "{i}: {found} {root}");
            assert!(values.get() <= most, "{i}: {}", values.get());
        }
    }

    #[test]
    fn without_a_change_an_end_is_the_answer() {
        assert_eq!(falling(1.0, 2.0, |_| 1.0), 2.0);
        assert_eq!(falling(1.0, 2.0, |_| -1.0), 1.0);
        assert_eq!(falling(1.0, 2.0, |_| 0.0), 1.0);
        // A hump that begins after the end is found from the middle.
        let hump = |x: f64| if x < 0.2 { -1.0 } else { 0.75 - x };
        assert!((falling(0.0, 1.0, hump) - 0.75).abs() < 1e-15);
    }
}
