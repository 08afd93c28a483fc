//! The step length of a convex function whose derivative costs a projection.

/// A step is taken whole if the slope at its end is below this fraction of the slope at its beginning; else its length is
/// searched until the slope has fallen to the second fraction.
const FULL_STEP: f64 = 0.5;
const SEARCHED: f64 = 0.1;
/// Most evaluations of the slope.
const EVALUATIONS: usize = 30;
/// A trial keeps this fraction of the bracket away from its ends.
const MARGIN: f64 = 0.02;

/// The length t in (0, 1] at which the increasing function `slope`, which is `first` < 0 at zero, is small: false position
/// in the form called Illinois, in which the value at an end that stays is halved.
pub(super) fn step_length(first: f64, mut slope: impl FnMut(f64) -> f64) -> f64 {
    let at_one = slope(1.0);
    if at_one <= FULL_STEP * first.abs() {
        return 1.0;
    }
    let (mut low, mut below) = (0.0, first);
    let (mut high, mut above) = (1.0, at_one);
    let mut last_was_above = None;
    let mut t = 1.0;
    for _ in 1..EVALUATIONS {
        let width = high - low;
        t = (low - below * width / (above - below)).clamp(low + MARGIN * width, high - MARGIN * width);
        let here = slope(t);
        if here.abs() <= SEARCHED * first.abs() {
            break;
        }
        let is_above = here > 0.0;
        let repeated = last_was_above == Some(is_above);
        if is_above {
            (high, above) = (t, here);
            below *= if repeated { 0.5 } else { 1.0 };
        } else {
            (low, below) = (t, here);
            above *= if repeated { 0.5 } else { 1.0 };
        }
        last_was_above = Some(is_above);
    }
    t
}

#[cfg(test)]
mod tests {
    use super::step_length;

    #[test]
    fn a_step_that_leaves_little_slope_is_taken_whole() {
        assert_eq!(step_length(-1.0, |t| t - 1.0), 1.0);
        assert_eq!(step_length(-1.0, |t| 1.4 * t - 1.0), 1.0);
    }

    #[test]
    fn a_longer_slope_is_searched() {
        // Zero at t = 0.1, steep behind a kink.
        let slope = |t: f64| if t < 0.1 { 10.0 * (t - 0.1) } else { 1e3 * (t - 0.1) };
        let t = step_length(-1.0, slope);
        assert!(slope(t).abs() <= 0.1, "{t}");
    }
}
