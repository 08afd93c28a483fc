//! Places the panels of a figure: equal plot areas, aligned in rows and columns, with the room their text needs.

use super::cell::{Cell, preferred_ratio};
use super::drawable::bounded;
use super::legend::Legend;
use super::panel::{self, PlacedPanel};
use super::plot::{Curve, Panel};
use super::stroke::Frame;
use super::style::{self, GAP, LINE_HEIGHT, MARGIN};
use super::svg::{Anchor, Rect, Svg, Text};
use super::text::{self, Weight};
use super::{Color, Figure};

/// Between a title, plot area and legend.
const TITLE_GAP: f64 = 7.0;
const LEGEND_GAP: f64 = 10.0;

/// A block of wrapped text in one style.
struct Block {
    lines: Vec<String>,
    size: f64,
    weight: Weight,
}

impl Block {
    fn new(content: &str, size: f64, weight: Weight, width: f64) -> Self {
        Self { lines: text::wrap(content, size, weight, width), size, weight }
    }

    fn height(&self) -> f64 {
        self.lines.len() as f64 * self.size * LINE_HEIGHT
    }

    fn draw(&self, svg: &mut Svg, x: f64, top: f64, color: Color) {
        for (i, line) in self.lines.iter().enumerate() {
            let baseline = top + (i as f64 * LINE_HEIGHT + 1.0) * self.size;
            let text = Text::new([x, baseline], line, self.size, Anchor::Start);
            svg.text(Text { color, weight: self.weight, ..text });
        }
    }
}

/// A row of panels: their plot areas share top and bottom.
struct Row<'a> {
    cells: Vec<Cell<'a>>,
    ratio: f64,
}

/// A column of panels: their plot areas share left and right.
struct Column {
    /// Left end of the panels.
    left: f64,
    /// Left end of the plot areas.
    plot: f64,
}

/// A figure, arranged.
pub(super) struct Layout<'a> {
    figure: &'a Figure,
    rows: Vec<Row<'a>>,
    columns: Vec<Column>,
    plot_width: f64,
    width: f64,
}

impl<'a> Layout<'a> {
    pub(super) fn of(figure: &'a Figure) -> Self {
        let panel_width = bounded(figure.panel_width, style::PANEL_WIDTH_MIN, style::PANEL_WIDTH_MAX);
        let columns = figure.columns.clamp(1, figure.panels.len().max(1));
        let rows: Vec<Row> = figure.panels.chunks(columns).map(|panels| Row::of(panels, panel_width)).collect();
        let room = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.cells.get(column));
            cells.map(|cell| panel::room_left(&cell.y_ticks, &cell.panel.y.label)).fold(0.0, f64::max)
        };
        let rooms: Vec<f64> = (0..columns).map(|column| room(column).min(0.5 * panel_width)).collect();
        // All plot areas are equally wide; a column that needs less room for its labels is narrower.
        let widest = rooms.iter().copied().fold(0.0, f64::max);
        let plot_width = panel_width - widest - style::PLOT_RIGHT;
        let mut left = MARGIN;
        let place = |room: f64| {
            let column = Column { left, plot: left + room };
            left = column.plot + plot_width + style::PLOT_RIGHT + GAP;
            column
        };
        let columns = rooms.into_iter().map(place).collect();
        Self { figure, rows, columns, plot_width, width: left - GAP + MARGIN }
    }

    /// The SVG document.
    pub(super) fn draw(&self) -> String {
        let inner_width = self.width - 2.0 * MARGIN;
        let title = Block::new(&self.figure.title, style::FIGURE_TITLE, Weight::Bold, inner_width);
        let caption = self.figure.caption.as_deref().unwrap_or_default();
        let caption = Block::new(caption, style::CAPTION, Weight::Regular, inner_width);
        let legend = Legend::arrange(self.shared_curves(), inner_width);

        // Tops of the parts from above to below; a part without content takes no room.
        let after = |top: f64, height: f64, gap: f64| {
            if height > 0.0 { top + height + gap } else { top }
        };
        let grid_top = after(MARGIN, title.height(), 12.0);
        let heights: Vec<f64> = self.rows.iter().map(|row| self.row_height(row)).collect();
        let grid_height = heights.iter().sum::<f64>() + GAP * heights.len().saturating_sub(1) as f64;
        let legend_top = after(grid_top, grid_height, 16.0);
        let caption_top = after(legend_top, legend.height(), 12.0);
        let bottom = after(caption_top, caption.height(), 16.0) - 16.0 + MARGIN;
        let height = bottom.max(2.0 * MARGIN);

        let mut svg = Svg::new(self.width, height, &self.figure.title);
        let page = Rect { x: 0.0, y: 0.0, width: self.width, height };
        svg.rect(page, Some(style::BACKGROUND), None);
        title.draw(&mut svg, MARGIN, MARGIN - 2.0, style::TITLE_TEXT);
        let mut top = grid_top;
        for (row, height) in self.rows.iter().zip(heights) {
            self.draw_row(&mut svg, row, top);
            top += height + GAP;
        }
        legend.draw(&mut svg, 0.5 * self.width, legend_top);
        caption.draw(&mut svg, MARGIN, caption_top, style::CAPTION_TEXT);
        svg.finish()
    }

    fn draw_row(&self, svg: &mut Svg, row: &Row, top: f64) {
        let plot_top = top + self.above_plot(row);
        let legend_top = plot_top + self.plot_height(row) + self.below_plot(row) + LEGEND_GAP;
        for (cell, column) in row.cells.iter().zip(&self.columns) {
            let area = Rect { x: column.plot, y: plot_top, width: self.plot_width, height: self.plot_height(row) };
            let [x, y] = cell.ranges;
            let (x_ticks, y_ticks) = (&cell.x_ticks, &cell.y_ticks);
            let frame = Frame { area, x, y };
            PlacedPanel { panel: cell.panel, frame, x_ticks, y_ticks, left: column.left }.draw(svg);
            // Titles end at the same height, so that one of two lines does not lift its neighbours.
            let title = self.panel_title(cell);
            title.draw(svg, area.x, plot_top - factor_room(row) - TITLE_GAP - title.height(), style::TITLE_TEXT);
            self.panel_legend(cell).draw(svg, area.center_x(), legend_top);
        }
    }

    fn plot_height(&self, row: &Row) -> f64 {
        row.ratio * self.plot_width
    }

    fn row_height(&self, row: &Row) -> f64 {
        let legend = row.highest(|cell| self.panel_legend(cell).height());
        let legend = if legend > 0.0 { LEGEND_GAP + legend } else { 0.0 };
        self.above_plot(row) + self.plot_height(row) + self.below_plot(row) + legend
    }

    fn above_plot(&self, row: &Row) -> f64 {
        factor_room(row) + TITLE_GAP + row.highest(|cell| self.panel_title(cell).height())
    }

    fn below_plot(&self, row: &Row) -> f64 {
        row.highest(|cell| panel::room_below(&cell.x_ticks, &cell.panel.x.label))
    }

    fn panel_title(&self, cell: &Cell) -> Block {
        Block::new(&cell.panel.title, style::PANEL_TITLE, Weight::Bold, self.plot_width)
    }

    fn panel_legend<'b>(&self, cell: &'b Cell) -> Legend<'b> {
        let curves: &[Curve] = if cell.panel.legend { &cell.panel.curves } else { &[] };
        // Centred below the plot area, it may reach to the right end of the panel, and as far to the left.
        Legend::arrange(curves.iter(), self.plot_width + 2.0 * style::PLOT_RIGHT)
    }

    /// The curves of the shared legend.
    fn shared_curves(&self) -> impl Iterator<Item = &'a Curve> {
        let panels = self.figure.panels.iter().filter(|panel| self.figure.shared_legend && !panel.legend);
        panels.flat_map(|panel| &panel.curves)
    }
}

impl<'a> Row<'a> {
    fn of(panels: &'a [Panel], panel_width: f64) -> Self {
        let ratio = panels.iter().map(preferred_ratio).fold(0.0, f64::max);
        Self { cells: panels.iter().map(|panel| Cell::of(panel, panel_width, ratio)).collect(), ratio }
    }

    fn highest(&self, height: impl Fn(&Cell) -> f64) -> f64 {
        self.cells.iter().map(height).fold(0.0, f64::max)
    }
}

/// Room for the factors of the y ticks, between titles and plot areas.
fn factor_room(row: &Row) -> f64 {
    row.highest(|cell| panel::room_above(&cell.y_ticks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::color::palette;

    fn panel(points: Vec<[f64; 2]>, equal_aspect: bool) -> Panel {
        Panel { curves: vec![Curve::line("c", points, palette(0))], equal_aspect, legend: true, ..Panel::default() }
    }

    #[test]
    fn equal_aspect_holds_beside_any_neighbour() {
        let panels = vec![
            panel(vec![[-4.0, -0.5], [4.0, 0.5]], true),
            panel(vec![[0.0, 0.0], [1.0, 30.0]], true),
            panel(vec![[0.0, 0.0], [360.0, 0.7]], false),
        ];
        for columns in 1..=3 {
            let figure = Figure { panels: panels.clone(), columns, ..Figure::default() };
            let layout = Layout::of(&figure);
            for row in &layout.rows {
                for cell in row.cells.iter().filter(|cell| cell.panel.equal_aspect) {
                    let [x, y] = cell.ranges;
                    let [x_unit, y_unit] = [layout.plot_width / x.span(), layout.plot_height(row) / y.span()];
                    assert!((x_unit / y_unit - 1.0).abs() < 1e-12, "{columns} columns: {x_unit} {y_unit}");
                }
            }
        }
    }

    #[test]
    fn plot_areas_and_legends_lie_within_the_figure() {
        let tall = panel(vec![[0.0, 0.0], [1.0, 1e7]], false);
        let figure = Figure { panels: vec![tall; 5], columns: 2, caption: Some("c".into()), ..Figure::default() };
        let layout = Layout::of(&figure);
        assert_eq!(layout.rows.iter().map(|row| row.cells.len()).collect::<Vec<_>>(), [2, 2, 1]);
        for column in &layout.columns {
            assert!(column.left >= MARGIN && column.plot > column.left);
            assert!(column.plot + layout.plot_width <= layout.width - MARGIN);
        }
        let row = &layout.rows[0];
        let legend = layout.panel_legend(&row.cells[0]).height();
        assert!(layout.row_height(row) >= layout.plot_height(row) + layout.below_plot(row) + legend);
    }
}
