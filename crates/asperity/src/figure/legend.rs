//! Legends: rows of samples and names below a plot or a figure, where they hide nothing.

use super::plot::Curve;
use super::stroke;
use super::style::{self, LEGEND_LABEL, LINE_HEIGHT};
use super::svg::{Anchor, Rect, Svg, Text};
use super::text::{self, Weight};

/// Length of the line sample.
const SAMPLE: f64 = 22.0;
/// Height of the sample of a filled curve.
const SAMPLE_HEIGHT: f64 = 9.0;
/// Between sample and name.
const SAMPLE_GAP: f64 = 6.0;
/// Between columns.
const COLUMN_GAP: f64 = 16.0;
/// Extra distance of rows.
const ROW_GAP: f64 = 2.0;

/// A legend, arranged but not yet placed.
pub(super) struct Legend<'a> {
    entries: Vec<Entry<'a>>,
    column_widths: Vec<f64>,
}

/// A curve and its name, in lines.
type Entry<'a> = (&'a Curve, Vec<String>);

impl<'a> Legend<'a> {
    /// Arranges the labelled curves in as many columns as `width` holds; long names wrap.
    pub(super) fn arrange(curves: impl Iterator<Item = &'a Curve>, width: f64) -> Self {
        let name_limit = width - SAMPLE - SAMPLE_GAP;
        let mut entries: Vec<Entry> = Vec::new();
        for curve in curves {
            let Some(name) = curve.label.as_deref() else {
                continue;
            };
            let lines = text::wrap(name, LEGEND_LABEL, Weight::Regular, name_limit);
            if !lines.is_empty() && !entries.iter().any(|(other, _)| looks_alike(other, curve)) {
                entries.push((curve, lines));
            }
        }
        let fits = |columns: &usize| total_width(&column_widths(&entries, *columns)) <= width;
        let fitting = (1..=entries.len()).rev().find(fits).unwrap_or(1);
        // No more columns than the rows need: six entries in rows of five become two rows of three.
        let rows = entries.len().div_ceil(fitting).max(1);
        let column_widths = column_widths(&entries, entries.len().div_ceil(rows).max(1));
        Self { entries, column_widths }
    }

    pub(super) fn height(&self) -> f64 {
        self.rows().map(row_height).sum()
    }

    pub(super) fn draw(&self, svg: &mut Svg, center: f64, top: f64) {
        let left = center - 0.5 * total_width(&self.column_widths);
        let mut y = top;
        for row in self.rows() {
            let mut x = left;
            for ((curve, lines), width) in row.iter().zip(&self.column_widths) {
                draw_entry(svg, curve, lines, [x, y]);
                x += width + COLUMN_GAP;
            }
            y += row_height(row);
        }
    }

    fn rows(&self) -> impl Iterator<Item = &[Entry<'a>]> {
        self.entries.chunks(self.column_widths.len())
    }
}

/// The widths of the columns when the entries fill `count` of them row by row.
fn column_widths(entries: &[Entry], count: usize) -> Vec<f64> {
    let name_width = |name: &String| text::width(name, LEGEND_LABEL, Weight::Regular);
    let entry_width = |(_, lines): &Entry| SAMPLE + SAMPLE_GAP + lines.iter().map(name_width).fold(0.0, f64::max);
    let column = |c: usize| entries.iter().skip(c).step_by(count).map(entry_width).fold(0.0, f64::max);
    (0..count).map(column).collect()
}

fn total_width(column_widths: &[f64]) -> f64 {
    column_widths.iter().sum::<f64>() + COLUMN_GAP * column_widths.len().saturating_sub(1) as f64
}

/// Whether two curves would have the same entry.
fn looks_alike(a: &Curve, b: &Curve) -> bool {
    (&a.label, a.stroke, a.dash, a.markers, a.fill) == (&b.label, b.stroke, b.dash, b.markers, b.fill)
}

fn row_height(row: &[Entry]) -> f64 {
    let lines = row.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
    lines as f64 * LEGEND_LABEL * LINE_HEIGHT + ROW_GAP
}

fn draw_entry(svg: &mut Svg, curve: &Curve, lines: &[String], [x, top]: [f64; 2]) {
    let pitch = LEGEND_LABEL * LINE_HEIGHT;
    let middle = top + 0.5 * pitch;
    if let Some(fill) = curve.fill {
        let area = Rect { x, y: middle - 0.5 * SAMPLE_HEIGHT, width: SAMPLE, height: SAMPLE_HEIGHT };
        svg.rect(area, Some(fill), Some(stroke::pen(curve)));
    } else {
        svg.line([x, middle], [x + SAMPLE, middle], stroke::pen(curve));
    }
    if curve.markers {
        svg.dot([x + 0.5 * SAMPLE, middle], style::DOT, curve.stroke);
    }
    for (i, line) in lines.iter().enumerate() {
        let baseline = middle + i as f64 * pitch + style::MIDDLE * LEGEND_LABEL;
        svg.text(Text::new([x + SAMPLE + SAMPLE_GAP, baseline], line, LEGEND_LABEL, Anchor::Start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::color::palette;

    fn curves(names: &[&str]) -> Vec<Curve> {
        names.iter().map(|name| Curve::line(*name, vec![], palette(0))).collect()
    }

    #[test]
    fn columns_are_balanced() {
        let curves = curves(&["a1", "b2", "c3", "d4", "e5", "f6"]);
        let one_row = Legend::arrange(curves.iter(), 1000.0);
        assert_eq!((one_row.column_widths.len(), one_row.rows().count()), (6, 1));
        let five_would_fit = total_width(&one_row.column_widths) - 1.0;
        let legend = Legend::arrange(curves.iter(), five_would_fit);
        assert_eq!((legend.column_widths.len(), legend.rows().count()), (3, 2));
    }

    #[test]
    fn unnamed_and_repeated_curves_are_listed_once_at_most() {
        let curves = curves(&["a", "", "a", "b"]);
        assert_eq!(Legend::arrange(curves.iter(), 300.0).entries.len(), 2);
        assert_eq!(Legend::arrange(std::iter::empty(), 300.0).height(), 0.0);
    }

    #[test]
    fn long_names_wrap_within_the_width() {
        let curves = curves(&["a name that is far longer than the plot area is wide", "b"]);
        let legend = Legend::arrange(curves.iter(), 150.0);
        assert_eq!(legend.column_widths.len(), 1);
        assert!(legend.column_widths[0] <= 150.0);
        assert!(legend.height() > 3.0 * LEGEND_LABEL);
    }
}
