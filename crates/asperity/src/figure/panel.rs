//! Draws one panel: plot area, grid, curves, arrows, frame, axes.

use super::arrow;
use super::plot::Panel;
use super::stroke::{self, Frame, Run};
use super::style::{self, AXIS_LABEL, MIDDLE, TICK_LABEL};
use super::svg::{Anchor, Pen, Svg, Text};
use super::text;
use super::ticks::Ticks;

/// Length of the tick marks, outside the plot area.
const TICK: f64 = 4.0;
/// Between a tick mark and its label.
const TICK_GAP: f64 = 4.0;
/// From the bottom of the plot area to the baseline of the x tick labels.
const X_TICK_BASELINE: f64 = TICK + TICK_GAP + 0.8 * TICK_LABEL;
/// From there to the baseline of the x axis label.
const X_LABEL_DROP: f64 = 20.0;
/// Between the y tick labels and the y axis label, and left of that.
const Y_LABEL_GAP: f64 = 9.0;

/// A panel with its place: all that drawing needs.
pub(super) struct PlacedPanel<'a> {
    pub(super) panel: &'a Panel,
    pub(super) frame: Frame,
    pub(super) x_ticks: &'a Ticks,
    pub(super) y_ticks: &'a Ticks,
    /// Left end of the panel, where the y axis label stands.
    pub(super) left: f64,
}

/// Room that y tick labels and an axis label need left of the plot area.
pub(super) fn room_left(ticks: &Ticks, label: &str) -> f64 {
    let labels = ticks.marks.iter().map(|(_, label)| text::width(label, TICK_LABEL, text::Weight::Regular));
    let axis_label = if label.is_empty() { 0.0 } else { AXIS_LABEL + Y_LABEL_GAP };
    labels.fold(0.0, f64::max) + TICK + TICK_GAP + axis_label
}

/// Room that x tick labels and an axis label (or the factor in its place) need below the plot area.
pub(super) fn room_below(ticks: &Ticks, label: &str) -> f64 {
    let second_line = !label.is_empty() || ticks.factor.is_some();
    X_TICK_BASELINE + 0.25 * TICK_LABEL + if second_line { X_LABEL_DROP } else { 0.0 }
}

/// Room that the factor of the y ticks needs above the plot area.
pub(super) fn room_above(ticks: &Ticks) -> f64 {
    if ticks.factor.is_some() { 1.5 * TICK_LABEL } else { 0.0 }
}

impl PlacedPanel<'_> {
    /// Draws everything but title and legend, which the layout places.
    pub(super) fn draw(&self, svg: &mut Svg) {
        let area = self.frame.area;
        svg.rect(area, Some(style::PLOT_BACKGROUND), None);
        self.draw_grid(svg);
        svg.open_clip(area);
        self.draw_curves(svg);
        for arrow in &self.panel.arrows {
            arrow::draw(svg, arrow, &self.frame);
        }
        svg.close_clip();
        svg.rect(area, None, Some(Pen::solid(style::FRAME, 0.9)));
        self.draw_x_axis(svg);
        self.draw_y_axis(svg);
    }

    fn draw_grid(&self, svg: &mut Svg) {
        let Frame { area, x, y } = self.frame;
        let mut vertical = |at: f64, pen: Pen| svg.line([at, area.y], [at, area.bottom()], pen);
        let (grid, cross) = (Pen::solid(style::GRID, 0.8), Pen::solid(style::CROSS, 1.0));
        let crossed = self.panel.origin_cross;
        self.x_ticks.marks.iter().for_each(|(value, _)| vertical(self.frame.x_at(*value), grid));
        if crossed && x.contains(0.0) {
            vertical(self.frame.x_at(0.0), cross);
        }
        let mut horizontal = |at: f64, pen: Pen| svg.line([area.x, at], [area.right(), at], pen);
        self.y_ticks.marks.iter().for_each(|(value, _)| horizontal(self.frame.y_at(*value), grid));
        if crossed && y.contains(0.0) {
            horizontal(self.frame.y_at(0.0), cross);
        }
    }

    /// All fills, then all lines, then all dots: no curve hides another's line.
    fn draw_curves(&self, svg: &mut Svg) {
        let curves = &self.panel.curves;
        let parts: Vec<Vec<Run>> = curves.iter().map(|curve| stroke::runs(curve, &self.frame)).collect();
        for (curve, runs) in curves.iter().zip(&parts) {
            let data =
                |fill| (fill, runs.iter().map(|run| stroke::fill_data(run, self.frame.area)).collect::<String>());
            if let Some((fill, data)) = curve.fill.map(data) {
                svg.fill_path(&data, fill);
            }
        }
        for (curve, runs) in curves.iter().zip(&parts) {
            let pen = stroke::pen(curve);
            // Cut ends lie outside the visible area, together with half the width of the line.
            let area = self.frame.area.grown(2.0 * pen.width);
            svg.stroke_path(&runs.iter().map(|run| stroke::stroke_data(run, area)).collect::<String>(), pen);
        }
        for (curve, runs) in curves.iter().zip(&parts) {
            let shown = runs.iter().filter(|run| curve.markers || run.points.len() == 1);
            let near = self.frame.area.grown(style::DOT);
            for point in shown.flat_map(|run| &run.points).filter(|point| near.contains(**point)) {
                svg.dot(*point, style::DOT, curve.stroke);
            }
        }
    }

    fn draw_x_axis(&self, svg: &mut Svg) {
        let area = self.frame.area;
        let baseline = area.bottom() + X_TICK_BASELINE;
        for (value, label) in &self.x_ticks.marks {
            let x = self.frame.x_at(*value);
            svg.line([x, area.bottom()], [x, area.bottom() + TICK], Pen::solid(style::FRAME, 0.9));
            if !label.is_empty() {
                svg.text(Text::new([x, baseline], label, TICK_LABEL, Anchor::Middle));
            }
        }
        let second = baseline + X_LABEL_DROP;
        if let Some(factor) = &self.x_ticks.factor {
            svg.text(Text::new([area.right(), second], factor, TICK_LABEL, Anchor::End));
        }
        draw_axis_label(svg, &self.panel.x.label, [area.center_x(), second], area.width, false);
    }

    fn draw_y_axis(&self, svg: &mut Svg) {
        let area = self.frame.area;
        for (value, label) in &self.y_ticks.marks {
            let y = self.frame.y_at(*value);
            svg.line([area.x - TICK, y], [area.x, y], Pen::solid(style::FRAME, 0.9));
            let at = [area.x - TICK - TICK_GAP, y + MIDDLE * TICK_LABEL];
            svg.text(Text::new(at, label, TICK_LABEL, Anchor::End));
        }
        if let Some(factor) = &self.y_ticks.factor {
            svg.text(Text::new([area.x, area.y - 0.5 * TICK_LABEL], factor, TICK_LABEL, Anchor::Start));
        }
        let middle = area.y + 0.5 * area.height;
        draw_axis_label(svg, &self.panel.y.label, [self.left + 0.85 * AXIS_LABEL, middle], area.height, true);
    }
}

fn draw_axis_label(svg: &mut Svg, label: &str, at: [f64; 2], limit: f64, upward: bool) {
    if !label.is_empty() {
        let size = text::fitting_size(label, AXIS_LABEL, limit);
        svg.text(Text { upward, ..Text::new(at, label, size, Anchor::Middle) });
    }
}
