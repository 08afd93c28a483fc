//! What an axis shows: automatic ranges with a margin, and equal aspect.

use super::drawable::{LARGEST, is_drawable};
use super::plot::{Axis, Panel};

/// Margin on each side of an automatic range, per its span.
const PADDING: f64 = 0.06;
/// A span below this fraction of its values is rounding noise: ticks could not tell its ends apart.
const SMALLEST_SPAN: f64 = 1e-9;

/// An interval of positive length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Range {
    pub(super) fn span(self) -> f64 {
        self.high - self.low
    }

    pub(super) fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The given range, ordered; `None` when it is empty or not finite.
    fn given((a, b): (f64, f64)) -> Option<Self> {
        let range = Self { low: a.min(b), high: a.max(b) };
        (is_drawable(a) && is_drawable(b) && !range.is_degenerate()).then_some(range)
    }

    /// The range of the drawable values with a margin; a default one around a single value or none.
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let bounds = values.filter(|v| is_drawable(*v)).fold(None, |bounds: Option<Self>, v| {
            Some(bounds.map_or(Self { low: v, high: v }, |b| Self { low: b.low.min(v), high: b.high.max(v) }))
        });
        let Some(bounds) = bounds else {
            return Self { low: 0.0, high: 1.0 };
        };
        let half = if bounds.is_degenerate() {
            let center = bounds.center();
            if center == 0.0 { 1.0 } else { 0.2 * center.abs() }
        } else {
            (0.5 + PADDING) * bounds.span()
        };
        bounds.with_span(2.0 * half)
    }

    fn is_degenerate(self) -> bool {
        let scale = self.low.abs().max(self.high.abs());
        // The second bound keeps powers of ten and reciprocals of the span within f64.
        self.span() <= SMALLEST_SPAN * scale || self.span() < 1.0 / LARGEST
    }

    fn center(self) -> f64 {
        0.5 * (self.low + self.high)
    }

    fn with_span(self, span: f64) -> Self {
        Self { low: self.center() - 0.5 * span, high: self.center() + 0.5 * span }
    }
}

/// The ranges of both axes of a panel, before equal aspect widens them.
pub(super) fn of_panel(panel: &Panel) -> [Range; 2] {
    let axis = |axis: &Axis, k: usize| {
        let curves = panel.curves.iter().flat_map(|curve| &curve.points);
        let ends = panel.arrows.iter().flat_map(|arrow| [&arrow.from, &arrow.to]);
        // A point with one bad coordinate is not drawn, so its other coordinate does not count.
        let points = curves.chain(ends).filter(|p| p.iter().all(|v| is_drawable(*v)));
        let origin = panel.origin_cross.then_some(0.0);
        axis.range.and_then(Range::given).unwrap_or_else(|| Range::around(points.map(|p| p[k]).chain(origin)))
    };
    [axis(&panel.x, 0), axis(&panel.y, 1)]
}

/// Widens one of two ranges about its centre so that a unit is as long on y as on x,
/// in a plot area whose height over width is `ratio`.
pub(super) fn equal_aspect([x, y]: [Range; 2], ratio: f64) -> [Range; 2] {
    if y.span() < x.span() * ratio { [x, y.with_span(x.span() * ratio)] } else { [x.with_span(y.span() / ratio), y] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::plot::Curve;

    fn range(low: f64, high: f64) -> Range {
        Range { low, high }
    }

    fn panel(points: Vec<[f64; 2]>) -> Panel {
        Panel { curves: vec![Curve { points, ..Curve::default() }], ..Panel::default() }
    }

    #[test]
    fn automatic_ranges_have_a_margin() {
        let [x, y] = of_panel(&panel(vec![[0.0, -1.0], [10.0, 1.0]]));
        assert!((x.low + 0.6).abs() < 1e-12 && (x.high - 10.6).abs() < 1e-12);
        assert!((y.low + 1.12).abs() < 1e-12 && (y.high - 1.12).abs() < 1e-12);
    }

    #[test]
    fn degenerate_data_still_spans_a_range() {
        assert_eq!(of_panel(&panel(vec![]))[0], range(0.0, 1.0));
        assert_eq!(of_panel(&panel(vec![[0.0, f64::NAN]]))[0], range(0.0, 1.0));
        assert_eq!(of_panel(&panel(vec![[0.0, 5.0]])), [range(-1.0, 1.0), range(4.0, 6.0)]);
        let noise = of_panel(&panel(vec![[0.0, 0.3], [1.0, 0.3 + 1e-15]]))[1];
        assert!(noise.span() > 0.1, "rounding noise must not fill the plot: {noise:?}");
        for tiny in [5e-324, 1e-200] {
            assert!(of_panel(&panel(vec![[0.0, 0.0], [tiny, tiny]])).iter().all(|r| r.span() > 0.0));
        }
    }

    #[test]
    fn undrawable_points_do_not_count() {
        let [x, y] = of_panel(&panel(vec![[0.0, 0.0], [100.0, f64::INFINITY], [1e300, 0.0], [1.0, 1.0]]));
        assert!(x.high < 2.0 && y.high < 2.0);
    }

    #[test]
    fn a_given_range_is_kept_and_a_bad_one_is_not() {
        let with = |given| {
            let mut panel = panel(vec![[0.0, 0.0], [4.0, 4.0]]);
            panel.x.range = given;
            of_panel(&panel)[0]
        };
        assert_eq!(with(Some((0.0, 90.0))), range(0.0, 90.0));
        assert_eq!(with(Some((90.0, 0.0))), range(0.0, 90.0));
        for bad in [(1.0, 1.0), (0.0, f64::INFINITY), (f64::NAN, 1.0)] {
            assert_eq!(with(Some(bad)), with(None), "{bad:?}");
        }
    }

    #[test]
    fn the_origin_is_kept_in_view_when_its_cross_is_drawn() {
        let mut panel = panel(vec![[2.0, 2.0], [3.0, 3.0]]);
        assert!(!of_panel(&panel)[0].contains(0.0));
        panel.origin_cross = true;
        assert!(of_panel(&panel)[0].contains(0.0));
    }

    #[test]
    fn equal_aspect_widens_the_shorter_side_only() {
        for (x, y) in [(range(0.0, 4.0), range(-1.0, 1.0)), (range(0.0, 1.0), range(-3.0, 5.0))] {
            let ratio = 0.8;
            let [wide, tall] = equal_aspect([x, y], ratio);
            assert!((tall.span() / wide.span() - ratio).abs() < 1e-12);
            assert!(wide.low <= x.low && wide.high >= x.high && tall.low <= y.low && tall.high >= y.high);
            assert!(wide == x || tall == y);
        }
    }
}
