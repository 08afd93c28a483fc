//! What a panel shows before it has a place: ranges and ticks.

use super::plot::Panel;
use super::range::{self, Range};
use super::style;
use super::text::{self, Weight};
use super::ticks::Ticks;

/// Distance of grid lines aimed at; the nearest round step is up to 1.6 times closer or wider.
const X_PITCH: f64 = 52.0;
const Y_PITCH: f64 = 46.0;
/// Least gap between the labels of neighbouring x ticks.
const X_LABEL_GAP: f64 = 9.0;
/// What the margins of a plot area usually take of a panel's width: ticks are chosen before these are known.
const USUAL_MARGINS: f64 = 72.0;

/// What is known of a panel before it has a place.
pub(super) struct Cell<'a> {
    pub(super) panel: &'a Panel,
    pub(super) ranges: [Range; 2],
    pub(super) x_ticks: Ticks,
    pub(super) y_ticks: Ticks,
}

/// Height over width of the plot area that suits a panel.
pub(super) fn preferred_ratio(panel: &Panel) -> f64 {
    if !panel.equal_aspect {
        return style::PLOT_RATIO;
    }
    let [x, y] = range::of_panel(panel);
    (y.span() / x.span()).clamp(style::EQUAL_RATIO.0, style::EQUAL_RATIO.1)
}

impl<'a> Cell<'a> {
    /// Chooses ranges and ticks for a plot area whose height over width is `ratio`.
    pub(super) fn of(panel: &'a Panel, panel_width: f64, ratio: f64) -> Self {
        let mut ranges = range::of_panel(panel);
        if panel.equal_aspect {
            ranges = range::equal_aspect(ranges, ratio);
        }
        let [x, y] = ranges;
        let width = (panel_width - USUAL_MARGINS).max(2.0 * X_PITCH);
        let fit = |ticks: &Ticks| x_labels_fit(ticks, x, width);
        let x_ticks = Ticks::that_fit(x, x.span() * X_PITCH / width, panel.x.ticks, fit);
        // With equal aspect both axes share the step: the grid is of squares.
        let y_length = if panel.equal_aspect { x_ticks.step } else { y.span() * Y_PITCH / (ratio * width) };
        let y_ticks = Ticks::at_least_two(y, y_length, panel.y.ticks);
        Self { panel, ranges, x_ticks, y_ticks }
    }
}

/// Whether neighbouring labels keep their distance when the axis is `width` long.
fn x_labels_fit(ticks: &Ticks, range: Range, width: f64) -> bool {
    let extent = |label: &str| text::width(label, style::TICK_LABEL, Weight::Regular);
    let named: Vec<_> = ticks.marks.iter().filter(|(_, label)| !label.is_empty()).collect();
    named.windows(2).all(|pair| {
        let distance = (pair[1].0 - pair[0].0) / range.span() * width;
        distance >= 0.5 * (extent(&pair[0].1) + extent(&pair[1].1)) + X_LABEL_GAP
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::plot::Curve;

    fn panel(points: Vec<[f64; 2]>) -> Panel {
        Panel { curves: vec![Curve { points, ..Curve::default() }], ..Panel::default() }
    }

    #[test]
    fn tick_labels_of_the_x_axis_do_not_touch() {
        for (low, high) in [(0.0, 1.0), (-3e-3, 2e-3), (99990.0, 99999.0), (-8e4, 9e4), (1000.0, 1000.05)] {
            for panel_width in [180.0, 400.0] {
                let panel = panel(vec![[low, 0.0], [high, 1.0]]);
                let cell = Cell::of(&panel, panel_width, 0.7);
                let width = panel_width - USUAL_MARGINS;
                assert!(x_labels_fit(&cell.x_ticks, cell.ranges[0], width), "{:?}", cell.x_ticks);
            }
        }
    }

    #[test]
    fn equal_aspect_has_a_grid_of_squares() {
        let panel = Panel { equal_aspect: true, ..panel(vec![[-0.8, -0.3], [0.8, 0.3]]) };
        let cell = Cell::of(&panel, 400.0, preferred_ratio(&panel));
        assert_eq!(cell.x_ticks.step, cell.y_ticks.step);
    }

    #[test]
    fn the_plot_area_follows_the_data_within_bounds() {
        let ratio = |height| preferred_ratio(&Panel { equal_aspect: true, ..panel(vec![[0.0, 0.0], [1.0, height]]) });
        assert_eq!([ratio(1e-3), ratio(1e3)], [style::EQUAL_RATIO.0, style::EQUAL_RATIO.1]);
        assert!((ratio(0.7) - 0.7).abs() < 1e-12);
        assert_eq!(preferred_ratio(&panel(vec![])), style::PLOT_RATIO);
    }
}
