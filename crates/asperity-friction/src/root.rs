//! Roots of functions that fall through zero, with or without a jump.
//!
//! The ITP method (Oliveira and Takahashi 2020, "An enhancement of the bisection method average performance preserving
//! minmax optimality"): the point of the secant, moved a little towards the middle, and kept so close to it that the
//! bracket is never wider than one that bisection would have after `SPARE` steps fewer. So smooth functions take about
//! ten values, and jumps no more than a bisection.

/// Width of the bracket at the end, as a fraction of that at the start.
const WIDTH: f64 = 2e-16;

/// Steps more than bisection may take.
const SPARE: i32 = 1;

/// The point between 0 and 1 where `f`, which is not negative at 0 and negative at 1, falls through zero; its values
/// there are known.
pub(crate) fn fall(f: impl Fn(f64) -> f64, at_zero: f64, at_one: f64) -> f64 {
    debug_assert!(at_zero.is_nan() || at_one.is_nan() || at_zero >= 0.0 && at_one <= 0.0, "{at_zero} {at_one}");
    let (mut a, mut b, mut fa, mut fb) = (0.0, 1.0, at_zero, at_one);
    let most = (1.0 / WIDTH).log2().ceil() as i32 + SPARE;
    for step in 0..most {
        let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
        if 2.0 * half <= WIDTH || middle <= a || middle >= b {
            break;
        }
        let room = 0.5 * WIDTH * f64::from(most - step).exp2() - half;
        let secant = (fb * a - fa * b) / (fb - fa);
        let side = if secant <= middle { 1.0 } else { -1.0 };
        let nudge = 0.2 * (2.0 * half) * (2.0 * half);
        let moved = if nudge <= (middle - secant).abs() { secant + side * nudge } else { middle };
        let x = if (moved - middle).abs() <= room { moved } else { middle - side * room };
        // With a NaN among the values the secant step is NaN: bisect instead.
        let x = if x > a && x < b { x } else { middle };
        let value = f(x);
        if value >= 0.0 {
            (a, fa) = (x, value);
        } else {
            (b, fb) = (x, value);
        }
        if value == 0.0 {
            return x;
        }
    }
    0.5 * (a + b)
}

#[cfg(test)]
mod tests {
    use super::fall;
    use std::cell::Cell;

    fn found(f: impl Fn(f64) -> f64) -> (f64, usize) {
        let values = Cell::new(0);
        let counted = |x: f64| {
            values.set(values.get() + 1);
            f(x)
        };
        let root = fall(counted, f(0.0), f(1.0));
        (root, values.get())
    }

    #[test]
    fn smooth_functions_take_few_values_and_jumps_no_more_than_a_bisection() {
        for root in [1e-9, 0.1, 0.3, 0.77, 0.999] {
            let (at, values) = found(|x| (root - x) * (1.0 + x + x * x));
            assert!((at - root).abs() < 4e-16 && values < 16, "{root}: {at} after {values}");
            let (at, values) = found(|x| if x < root { 1.0 + x } else { -2.0 });
            assert!((at - root).abs() < 4e-16 && values < 56, "{root}: {at} after {values}");
            let (at, values) = found(|x| (root - x).powi(3));
            assert!((at - root).abs() < 1e-5 && values < 56, "{root}: {at} after {values}");
        }
    }

    #[test]
    fn what_is_no_number_ends() {
        let (at, _) = found(|_| f64::NAN);
        assert!((0.0..=1.0).contains(&at));
    }
}
