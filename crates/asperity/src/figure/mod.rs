//! Figures: a drawing description in, SVG text or a PNG picture out.
//!
//! A [`Figure`] is a grid of [`Panel`]s, a panel is curves and arrows over two axes, linear in what they hold. The SVG is written
//! here, without a plotting library; the PNG is that same SVG rasterised with an embedded font, so it looks
//! the same on any machine. The same description gives the same bytes.
//!
//! ```text
//! description (mod, plot, thin) -> layout (drawable, range, decimal_ticks, log_ticks, ticks, text, cell, layout)
//!   -> drawing (panel, stroke, arrow, legend, svg) -> png
//! ```
//!
//! ```
//! use asperity::figure::{Axis, Curve, Figure, Panel, palette};
//! let curve = Curve::line("height", vec![[0.0, 1.0], [0.5, 0.2], [1.0, 0.6]], palette(0));
//! let panel = Panel { x: Axis::new("time [s]"), y: Axis::new("height [m]"), curves: vec![curve], ..Panel::default() };
//! let svg = Figure { title: "A ball".into(), panels: vec![panel], ..Figure::default() }.to_svg();
//! assert!(svg.starts_with("<svg") && svg.contains("time [s]"));
//! ```

mod arrow;
mod cell;
mod color;
mod decimal_ticks;
mod drawable;
mod error;
mod layout;
mod legend;
mod log_ticks;
mod panel;
mod plot;
mod png;
mod range;
mod stroke;
mod style;
mod svg;
mod text;
mod thin;
mod ticks;

use std::path::Path;

pub use color::{Color, gradient, palette};
pub use error::FigureError;
pub use plot::{Arrow, Axis, Curve, Dash, Panel, TickRule};
pub use thin::thinned;

use layout::Layout;

/// Pixels per drawing unit in a PNG file from [`Figure::render`]: sharp in print and on dense screens.
const PNG_SCALE: f32 = 2.0;

/// A titled grid of panels.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Heading above the grid; none when empty.
    pub title: String,
    /// Explanation below the grid, wrapped to its width.
    pub caption: Option<String>,
    /// The panels, in reading order.
    pub panels: Vec<Panel>,
    /// Panels in a row; at least one.
    pub columns: usize,
    /// Width of a panel with its margins, in drawing units (CSS pixels); at least 180.
    pub panel_width: f64,
    /// Draws one legend under the grid, for the curves of the panels that show none of their own.
    pub shared_legend: bool,
}

impl Default for Figure {
    fn default() -> Self {
        Self {
            title: String::new(),
            caption: None,
            panels: Vec::new(),
            columns: 1,
            panel_width: style::PANEL_WIDTH,
            shared_legend: false,
        }
    }
}

impl Figure {
    /// The figure as an SVG document.
    pub fn to_svg(&self) -> String {
        Layout::of(self).draw()
    }

    /// The figure as a PNG picture, `scale` pixels per drawing unit.
    pub fn to_png(&self, scale: f32) -> Result<Vec<u8>, FigureError> {
        png::rasterize(&self.to_svg(), scale)
    }

    /// The figure in the format that the extension of `path`, `.svg` or `.png`, asks for.
    pub fn render(&self, path: &Path) -> Result<Vec<u8>, FigureError> {
        match Format::of(path)? {
            Format::Svg => Ok(self.to_svg().into_bytes()),
            Format::Png => self.to_png(PNG_SCALE),
        }
    }
}

/// What a figure file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Vector graphics.
    Svg,
    /// A picture.
    Png,
}

impl Format {
    /// The format that the extension of `path` asks for.
    pub fn of(path: &Path) -> Result<Self, FigureError> {
        match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(FigureError::Extension { path: path.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Figure {
        let curve = Curve::line("μ = 0.5", vec![[0.0, 0.0], [1.0, 2.0]], palette(0));
        Figure {
            title: "Cone & <limits>".into(),
            caption: Some("A caption".into()),
            panels: vec![Panel { title: "A".into(), curves: vec![curve], legend: true, ..Panel::default() }],
            ..Figure::default()
        }
    }

    #[test]
    fn the_same_figure_gives_the_same_bytes() {
        assert_eq!(sample().to_svg(), sample().to_svg());
        assert_eq!(sample().to_png(1.0).unwrap(), sample().to_png(1.0).unwrap());
    }

    #[test]
    fn text_is_escaped() {
        let svg = sample().to_svg();
        assert!(svg.contains("Cone &amp; &lt;limits&gt;"));
        assert!(!svg.contains("<limits>"));
    }

    #[test]
    fn the_extension_chooses_the_format() {
        assert!(sample().render(Path::new("a.svg")).unwrap().starts_with(b"<svg"));
        assert!(sample().render(Path::new("b.PNG")).unwrap().starts_with(b"\x89PNG"));
    }

    #[test]
    fn another_extension_is_refused_with_the_path_and_what_was_expected() {
        for name in ["plot.jpg", "plot", ".svg", ""] {
            let error = sample().render(Path::new(name)).unwrap_err();
            assert!(matches!(error, FigureError::Extension { .. }), "{name}: {error:?}");
            let message = error.to_string();
            assert!(message.contains(name) && message.contains(".svg") && message.contains(".png"), "{message}");
        }
    }

    #[test]
    fn an_empty_figure_is_still_a_picture() {
        assert!(Figure::default().to_png(1.0).unwrap().starts_with(b"\x89PNG"));
        let bare = Figure { panels: vec![Panel::default()], columns: 0, panel_width: f64::NAN, ..Figure::default() };
        assert!(bare.to_png(1.0).unwrap().starts_with(b"\x89PNG"));
    }

    #[test]
    fn no_input_puts_a_number_that_is_not_finite_into_the_drawing() {
        let nasty = [0.0, -1.0, 5e-324, 1e-120, 1e17, 1e99, -1e200, f64::MAX, f64::INFINITY, f64::NAN];
        let points: Vec<[f64; 2]> = nasty.iter().flat_map(|&x| nasty.map(|y| [x, y])).collect();
        for &low in &nasty {
            for &high in &nasty {
                let outline = Curve::outline("c", points.clone(), gradient(high));
                let curve = Curve { fill: Some(palette(1)), width: high, markers: true, ..outline };
                let arrow =
                    Arrow { from: [low, 0.0], to: [1.0, high], color: palette(2), label: Some("a".into()), head: true };
                let ranged = |label: &str| Axis { range: Some((low, high)), ..Axis::new(label) };
                let free = Panel { curves: vec![curve], arrows: vec![arrow], origin_cross: true, ..Panel::default() };
                let given = Panel { x: ranged("x"), y: ranged("y"), equal_aspect: true, ..free.clone() };
                let mixed = Panel { x: ranged("x"), equal_aspect: true, ..free.clone() };
                let svg = Figure { panels: vec![free, given, mixed], columns: 2, ..Figure::default() }.to_svg();
                // More digits would be a coordinate far outside of the drawing; labels may have up to ten.
                let longest = svg.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
                assert!(!svg.contains("NaN") && !svg.contains("inf") && longest <= Some(10), "{low} {high}: {svg}");
            }
        }
    }
}
