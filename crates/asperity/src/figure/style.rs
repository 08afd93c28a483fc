//! Sizes and colours that all panels share, in drawing units (CSS pixels).

use super::color::Color;

/// Family list of the SVG. PNG pictures embed the first one; Verdana has nearly the same widths.
pub(super) const FONT_FAMILY: &str = "'DejaVu Sans', Verdana, sans-serif";

pub(super) const FIGURE_TITLE: f64 = 16.0;
pub(super) const PANEL_TITLE: f64 = 13.0;
pub(super) const AXIS_LABEL: f64 = 12.0;
pub(super) const TICK_LABEL: f64 = 10.5;
pub(super) const LEGEND_LABEL: f64 = 11.0;
pub(super) const ARROW_LABEL: f64 = 11.0;
pub(super) const CAPTION: f64 = 11.5;

/// Baseline distance of lines of text, per font size.
pub(super) const LINE_HEIGHT: f64 = 1.4;
/// From the baseline up to the middle of a digit or a capital, per font size.
pub(super) const MIDDLE: f64 = 0.36;

pub(super) const PANEL_WIDTH: f64 = 400.0;
pub(super) const PANEL_WIDTH_MIN: f64 = 180.0;
pub(super) const PANEL_WIDTH_MAX: f64 = 4000.0;
/// Around the whole figure.
pub(super) const MARGIN: f64 = 22.0;
/// Between panels.
pub(super) const GAP: f64 = 26.0;
/// Right of a plot area: half of the last tick label hangs over.
pub(super) const PLOT_RIGHT: f64 = 14.0;
/// Height over width of a plot area without equal aspect.
pub(super) const PLOT_RATIO: f64 = 0.72;
/// Bounds of that ratio with equal aspect, where it follows the data.
pub(super) const EQUAL_RATIO: (f64, f64) = (0.5, 1.0);

pub(super) const BACKGROUND: Color = Color::hex(0xffffff);
pub(super) const PLOT_BACKGROUND: Color = Color::hex(0xfafbfc);
pub(super) const GRID: Color = Color::hex(0xe2e6ea);
pub(super) const CROSS: Color = Color::hex(0x9aa2ab);
pub(super) const FRAME: Color = Color::hex(0x6c757d);
pub(super) const TITLE_TEXT: Color = Color::hex(0x16191d);
pub(super) const TEXT: Color = Color::hex(0x343a40);
pub(super) const CAPTION_TEXT: Color = Color::hex(0x525960);
/// Radius of a marker.
pub(super) const DOT: f64 = 2.9;
