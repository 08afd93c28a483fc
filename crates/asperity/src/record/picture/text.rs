//! Labels in pictures: outlines of an embedded font, filled with smooth edges; no system fonts, so the same everywhere.

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider};

use crate::record::Image;
use crate::record::raster::color::{linear, srgb};
use glam::Vec3;

/// Parts that a curve is cut into; letters are a few pixels high.
const CURVE_PARTS: usize = 6;
/// Lines a pixel row along which the inside is measured.
const SCANS: usize = 8;

/// The straight sides of outlines, y downward.
#[derive(Default)]
struct Sides {
    sides: Vec<[[f32; 2]; 2]>,
    offset: [f32; 2],
    start: [f32; 2],
    at: [f32; 2],
}

impl Sides {
    fn place(&self, x: f32, y: f32) -> [f32; 2] {
        [self.offset[0] + x, self.offset[1] - y]
    }

    fn side_to(&mut self, point: [f32; 2]) {
        self.sides.push([self.at, point]);
        self.at = point;
    }

    /// Along a Bézier curve given by its value at s.
    fn curve(&mut self, value: impl Fn(f32, usize) -> f32) {
        for i in 1..=CURVE_PARTS {
            let s = i as f32 / CURVE_PARTS as f32;
            self.side_to([value(s, 0), value(s, 1)]);
        }
    }
}

impl OutlinePen for Sides {
    fn move_to(&mut self, x: f32, y: f32) {
        self.start = self.place(x, y);
        self.at = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.side_to(self.place(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let (a, b, c) = (self.at, self.place(cx, cy), self.place(x, y));
        self.curve(|s, k| {
            let r = 1.0 - s;
            r * r * a[k] + 2.0 * r * s * b[k] + s * s * c[k]
        });
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        let (a, b, c, d) = (self.at, self.place(cx0, cy0), self.place(cx1, cy1), self.place(x, y));
        self.curve(|s, k| {
            let r = 1.0 - s;
            r * r * r * a[k] + 3.0 * r * r * s * b[k] + 3.0 * r * s * s * c[k] + s * s * s * d[k]
        });
    }

    fn close(&mut self) {
        if self.at != self.start {
            self.side_to(self.start);
        }
    }
}

/// A line of text with its outlines.
pub(super) struct Text {
    sides: Vec<[[f32; 2]; 2]>,
    /// Width in pixels.
    pub(super) width: f32,
}

impl Text {
    /// Text of a size in pixels, the left end of its base line at the origin. Letters that the font lacks are left out.
    pub(super) fn new(text: &str, size: f32) -> Self {
        let mut sides = Sides::default();
        if let Ok(font) = FontRef::new(dejavu::sans::regular()) {
            let (letters, outlines) = (font.charmap(), font.outline_glyphs());
            let metrics = font.glyph_metrics(Size::new(size), LocationRef::default());
            for glyph in text.chars().filter_map(|c| letters.map(c)) {
                if let Some(outline) = outlines.get(glyph) {
                    // A letter that cannot be drawn leaves a gap.
                    let _ = outline.draw(DrawSettings::unhinted(Size::new(size), LocationRef::default()), &mut sides);
                }
                sides.offset[0] += metrics.advance_width(glyph).unwrap_or(0.0);
            }
        }
        Self { width: sides.offset[0], sides: sides.sides }
    }

    /// Draws the text with its origin at (x, y), blended in linear light.
    pub(super) fn draw(&self, image: &mut Image, [x, y]: [f32; 2], color: [u8; 3]) {
        let (width, height) = (image.width() as usize, image.height() as usize);
        let ys = self.sides.iter().flatten().map(|p| p[1] + y);
        let (top, bottom) = ys.fold((f32::MAX, f32::MIN), |(low, high), v| (low.min(v), high.max(v)));
        let rows = top.floor().max(0.0) as usize..(bottom.ceil().max(0.0) as usize).min(height);
        let (mut cover, mut crossings) = (vec![0.0; width], Vec::new());
        for row in rows {
            cover.fill(0.0);
            for scan in 0..SCANS {
                let at = row as f32 + (scan as f32 + 0.5) / SCANS as f32 - y;
                self.crossings(at, &mut crossings);
                let mut winding = 0;
                for pair in crossings.windows(2) {
                    winding += pair[0].direction;
                    if winding != 0 {
                        add_span(&mut cover, pair[0].at + x, pair[1].at + x);
                    }
                }
            }
            for (pixel, &sum) in image.pixels_mut()[row * width..][..width].iter_mut().zip(&cover) {
                blend(pixel, color, sum / SCANS as f32);
            }
        }
    }

    /// Where the outlines cross a height, from left to right.
    fn crossings(&self, height: f32, found: &mut Vec<Crossing>) {
        found.clear();
        for [p, q] in &self.sides {
            if (p[1] <= height) != (q[1] <= height) {
                let s = (height - p[1]) / (q[1] - p[1]);
                found.push(Crossing { at: p[0] + s * (q[0] - p[0]), direction: if p[1] < q[1] { 1 } else { -1 } });
            }
        }
        found.sort_by(|a, b| a.at.total_cmp(&b.at));
    }
}

/// A point where an outline crosses a height.
struct Crossing {
    /// How far to the right.
    at: f32,
    /// 1 if y grows along the outline there, else −1.
    direction: i32,
}

/// Adds to each cell the part of it between two points.
fn add_span(cells: &mut [f32], from: f32, to: f32) {
    let (from, to) = (from.max(0.0), to.min(cells.len() as f32));
    let (first, end) = (from as usize, (to.ceil().max(0.0) as usize).min(cells.len()));
    for (i, cell) in cells.iter_mut().enumerate().take(end).skip(first) {
        *cell += (to.min(i as f32 + 1.0) - from.max(i as f32)).max(0.0);
    }
}

/// Mixes a colour into a pixel, in linear light.
pub(super) fn blend(pixel: &mut [u8; 4], color: [u8; 3], part: f32) {
    if part > 0.0 {
        let under = Vec3::new(linear(pixel[0]), linear(pixel[1]), linear(pixel[2]));
        let [r, g, b] = srgb(under.lerp(Vec3::from_array(color.map(linear)), part.min(1.0)));
        *pixel = [r, g, b, pixel[3]];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        // Advance widths of DejaVu Sans in thousandths: '1' 636, ' ' 318, 'm' 974.
        let width = Text::new("1 m", 100.0).width;
        assert!((width - 192.8).abs() < 0.2, "{width}");
        assert_eq!(Text::new("", 10.0).width, 0.0);
    }

    #[test]
    fn a_bar_covers_its_area_and_holes_stay_open() {
        let mut image = Image::filled(60, 60, [255; 4]);
        Text::new("O", 60.0).draw(&mut image, [5.0, 50.0], [0; 3]);
        let dark = |x: u32, y: u32| image.pixel(x, y)[0] < 40;
        // The letter is 0.729 high: its middle at 50 - 22.
        assert!(!dark(28, 28) && dark(10, 28) && !dark(1, 28));
        let row: Vec<bool> = (0..60).map(|x| dark(x, 28)).collect();
        assert_eq!(row.windows(2).filter(|w| w[0] != w[1]).count(), 4, "two strokes");
    }

    #[test]
    fn text_beyond_the_picture_is_cut() {
        let mut image = Image::filled(10, 10, [255; 4]);
        for place in [[-20.0, 5.0], [5.0, -30.0], [100.0, 100.0], [-3.0, 12.0]] {
            Text::new("Ag8%", 14.0).draw(&mut image, place, [0; 3]);
        }
        assert_eq!(image.pixels().len(), 100);
    }
}
