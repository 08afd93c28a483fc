//! SVG text: elements, escaped strings, numbers of fixed precision.

use std::fmt::Write;

use super::color::Color;
use super::style;
use super::text::Weight;

/// A rectangle in drawing units, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) fn right(self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(self) -> f64 {
        self.y + self.height
    }

    pub(super) fn center_x(self) -> f64 {
        self.x + 0.5 * self.width
    }

    pub(super) fn contains(self, [x, y]: [f64; 2]) -> bool {
        (self.x..=self.right()).contains(&x) && (self.y..=self.bottom()).contains(&y)
    }

    /// Grown by `margin` on each side.
    pub(super) fn grown(self, margin: f64) -> Self {
        let (width, height) = (self.width + 2.0 * margin, self.height + 2.0 * margin);
        Self { x: self.x - margin, y: self.y - margin, width, height }
    }

    fn attributes(self) -> String {
        let Self { x, y, width, height } = self;
        format!(r#"x="{}" y="{}" width="{}" height="{}""#, number(x), number(y), number(width), number(height))
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) color: Color,
    pub(super) width: f64,
    /// `stroke-dasharray`; empty for a solid line.
    pub(super) dashes: &'static str,
}

impl Pen {
    pub(super) fn solid(color: Color, width: f64) -> Self {
        Self { color, width, dashes: "" }
    }

    fn attributes(self) -> String {
        let mut text = format!(r#"stroke="{}" stroke-width="{}""#, self.color, number(self.width));
        if !self.dashes.is_empty() {
            let _ = write!(text, r#" stroke-dasharray="{}""#, self.dashes);
        }
        text + &opacity("stroke-opacity", self.color)
    }
}

/// Which point of a text its position names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text; `at` is on its baseline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    pub(super) at: [f64; 2],
    pub(super) content: &'a str,
    pub(super) size: f64,
    pub(super) color: Color,
    pub(super) anchor: Anchor,
    pub(super) weight: Weight,
    /// Reads upward instead of to the right.
    pub(super) upward: bool,
    /// Lies on a pale outline, to be read across lines.
    pub(super) halo: bool,
}

impl<'a> Text<'a> {
    pub(super) fn new(at: [f64; 2], content: &'a str, size: f64, anchor: Anchor) -> Self {
        let (color, weight) = (style::TEXT, Weight::Regular);
        Self { at, content, size, color, anchor, weight, upward: false, halo: false }
    }
}

/// An SVG document being written.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    /// Starts a document of a size in drawing units.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let (w, h) = (number(width), number(height));
        let mut svg = Self { text: String::new() };
        let size = format!(r#"width="{w}" height="{h}" viewBox="0 0 {w} {h}""#);
        let font = style::FONT_FAMILY;
        svg.push(&format!(r#"<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{font}">"#));
        if !title.is_empty() {
            svg.push(&format!("<title>{}</title>", escape(title)));
        }
        svg
    }

    /// Ends the document.
    pub(super) fn finish(mut self) -> String {
        self.push("</svg>");
        self.text
    }

    /// Starts a part of which nothing is seen outside `area`; coordinates stay those of the document.
    /// A nested viewport clips without an id, which would clash when a page shows several figures inline.
    pub(super) fn open_clip(&mut self, area: Rect) {
        let Rect { x, y, width, height } = area;
        let view = format!("{} {} {} {}", number(x), number(y), number(width), number(height));
        self.push(&format!(r#"<svg {} viewBox="{view}">"#, area.attributes()));
    }

    pub(super) fn close_clip(&mut self) {
        self.push("</svg>");
    }

    pub(super) fn rect(&mut self, area: Rect, fill: Option<Color>, pen: Option<Pen>) {
        let fill = fill.map_or(r#"fill="none""#.to_owned(), paint);
        let stroke = pen.map_or(String::new(), |pen| format!(" {}", pen.attributes()));
        self.push(&format!("<rect {} {fill}{stroke}/>", area.attributes()));
    }

    pub(super) fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], pen: Pen) {
        let (x1, y1, x2, y2) = (number(x1), number(y1), number(x2), number(y2));
        self.push(&format!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {}/>"#, pen.attributes()));
    }

    pub(super) fn stroke_path(&mut self, data: &str, pen: Pen) {
        if !data.is_empty() {
            let pen = pen.attributes();
            self.push(&format!(r#"<path d="{data}" fill="none" stroke-linejoin="round" {pen}/>"#));
        }
    }

    pub(super) fn fill_path(&mut self, data: &str, color: Color) {
        if !data.is_empty() {
            self.push(&format!(r#"<path d="{data}" {}/>"#, paint(color)));
        }
    }

    /// A dot with a thin pale rim that sets it off from lines.
    pub(super) fn dot(&mut self, [x, y]: [f64; 2], radius: f64, color: Color) {
        let (x, y, r, rim) = (number(x), number(y), number(radius), style::BACKGROUND);
        self.push(&format!(
            r#"<circle cx="{x}" cy="{y}" r="{r}" {} stroke="{rim}" stroke-width="0.8"/>"#,
            paint(color)
        ));
    }

    pub(super) fn text(&mut self, text: Text<'_>) {
        let (x, y) = (number(text.at[0]), number(text.at[1]));
        let mut attributes = format!(r#"x="{x}" y="{y}" font-size="{}" {}"#, number(text.size), paint(text.color));
        match text.anchor {
            Anchor::Start => {}
            Anchor::Middle => attributes.push_str(r#" text-anchor="middle""#),
            Anchor::End => attributes.push_str(r#" text-anchor="end""#),
        }
        if text.weight == Weight::Bold {
            attributes.push_str(r#" font-weight="bold""#);
        }
        if text.upward {
            let _ = write!(attributes, r#" transform="rotate(-90 {x} {y})""#);
        }
        if text.halo {
            let halo = Pen::solid(style::PLOT_BACKGROUND.with_opacity(0.9), 3.0).attributes();
            let _ = write!(attributes, r#" paint-order="stroke" stroke-linejoin="round" {halo}"#);
        }
        self.push(&format!("<text {attributes}>{}</text>", escape(text.content)));
    }

    fn push(&mut self, element: &str) {
        self.text.push_str(element);
        self.text.push('\n');
    }
}

fn paint(color: Color) -> String {
    format!(r#"fill="{color}"{}"#, opacity("fill-opacity", color))
}

fn opacity(attribute: &str, color: Color) -> String {
    if color.opacity >= 1.0 { String::new() } else { format!(r#" {attribute}="{}""#, number(color.opacity)) }
}

/// A number with at most two decimals: a hundredth of a pixel cannot be seen.
pub(super) fn number(value: f64) -> String {
    debug_assert!(value.is_finite(), "only finite numbers reach the SVG");
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text as XML character data or attribute value; what XML cannot hold becomes U+FFFD.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_are_escaped() {
        assert_eq!(escape(r#"a<b> & "c" 'd'"#), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(escape("a\nb\0c\u{ffff}"), "a b\u{fffd}c\u{fffd}");
        assert_eq!(escape("μ λ ° ∫"), "μ λ ° ∫");
    }

    #[test]
    fn numbers_are_short_and_fixed() {
        let written: Vec<String> = [1.0, 0.1 + 0.2, -0.001, 1e-9, 12.345678, -7.5].map(number).to_vec();
        assert_eq!(written, ["1", "0.3", "0", "0", "12.35", "-7.5"]);
    }
}
