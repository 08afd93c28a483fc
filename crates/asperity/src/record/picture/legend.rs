//! What colours and arrows of a picture stand for, in its upper left corner.

use super::text::{Text, blend};
use super::{INK, PLATE};
use crate::record::raster::color::srgb;
use crate::record::raster::{FRICTION, NORMAL, OPEN, Renderer, SLIDE, STICK, VELOCITY, ramp};
use crate::record::{Image, Tint};

/// A line of a legend: a colour, if it is about one, and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LegendLine {
    pub(super) color: Option<[u8; 3]>,
    pub(super) text: String,
}

/// All that must be said about the pictures of a renderer.
pub(super) fn lines(renderer: &Renderer) -> Vec<LegendLine> {
    let mut lines: Vec<LegendLine> = Vec::new();
    let mut say = |color: Option<[u8; 3]>, text: String| lines.push(LegendLine { color, text });
    let show = renderer.show();
    renderer.notes().iter().for_each(|note| say(None, note.clone()));
    match renderer.enlarged() {
        [] => {}
        [times] => say(None, format!("relief: drawn {times} times as large")),
        [least, .., most] => say(None, format!("relief: drawn {least} to {most} times as large")),
    }
    if show.forces {
        say(Some(NORMAL), "normal force".into());
        let (newtons, metres) = round_scale(renderer.metres_per_newton(), renderer.radius());
        say(Some(FRICTION), format!("friction; {newtons} N are {metres} m long"));
    }
    if show.contacts {
        for (color, word) in [(STICK, "sticks"), (SLIDE, "slides"), (OPEN, "open")] {
            say(Some(color), word.into());
        }
    }
    if show.velocity {
        let (speed, metres) = round_scale(renderer.metres_per_speed(), renderer.radius());
        say(Some(VELOCITY), format!("velocity; {speed} m/s are {metres} m long"));
    }
    let (name, largest) = match show.tint {
        Tint::Paint => ("", None),
        Tint::Mu => ("\u{3bc}", Some(renderer.largest_tint())),
        Tint::Salience => ("salience", Some(renderer.largest_tint())),
    };
    if let Some(largest) = largest {
        for part in [0.0, 0.5, 1.0] {
            say(Some(srgb(ramp::color(part, 1.0))), format!("{name} = {}", short(part * largest)));
        }
    }
    lines
}

/// A round value and the length of its arrow: a quarter of the radius or less.
fn round_scale(metres_per_unit: f64, radius: f64) -> (String, String) {
    let most = 0.25 * radius / metres_per_unit;
    let decade = 10f64.powf(most.log10().floor());
    let value = [5.0, 2.0, 1.0].map(|k| k * decade).into_iter().find(|value| *value <= most).unwrap_or(decade);
    (short(value), short(value * metres_per_unit))
}

/// A number with two digits that count.
fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !(1e-3..1e5).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    let decimals = (1.0 - value.abs().log10().floor()).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Draws the lines on a pale plate.
pub(super) fn draw(image: &mut Image, lines: &[LegendLine]) {
    if lines.is_empty() {
        return;
    }
    let size = (image.height() as f32 / 27.0).clamp(9.0, 40.0);
    let (margin, pad, row) = (0.6 * size, 0.45 * size, 1.35 * size);
    let texts: Vec<Text> = lines.iter().map(|line| Text::new(&line.text, size)).collect();
    let indent = |line: &LegendLine| if line.color.is_some() { 1.2 * size } else { 0.0 };
    let widest = texts.iter().zip(lines).map(|(text, line)| text.width + indent(line)).fold(0.0, f32::max);
    let bottom = margin + 2.0 * pad + row * lines.len() as f32;
    fill(image, [margin, margin, margin + widest + 2.0 * pad, bottom], PLATE.0, PLATE.1);
    for (i, (line, text)) in lines.iter().zip(&texts).enumerate() {
        let base = margin + pad + row * i as f32 + 0.95 * size;
        if let Some(color) = line.color {
            let left = margin + pad;
            fill(image, [left, base - 0.72 * size, left + 0.8 * size, base + 0.05 * size], color, 1.0);
        }
        text.draw(image, [margin + pad + indent(line), base], INK);
    }
}

/// Mixes a colour into a rectangle: left, top, right, bottom.
pub(super) fn fill(image: &mut Image, sides: [f32; 4], color: [u8; 3], part: f32) {
    let [left, top, right, bottom] = sides.map(|side| side.max(0.0) as u32);
    let (width, height) = (image.width(), image.height());
    for y in top..bottom.min(height) {
        for x in left..right.min(width) {
            blend(&mut image.pixels_mut()[(y * width + x) as usize], color, part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round_and_short_enough() {
        // 0.25 m hold 500 N at 0.5 mm a newton.
        assert_eq!(round_scale(5e-4, 1.0), ("500".into(), "0.25".into()));
        assert_eq!(round_scale(6e-4, 1.0), ("200".into(), "0.12".into()));
        assert_eq!(round_scale(2.0, 1.0), ("0.1".into(), "0.2".into()));
    }

    #[test]
    fn numbers_are_short() {
        let all = [0.0, 0.25, 1.0, 12.34, 1234.5, 1e-7].map(short);
        assert_eq!(all, ["0", "0.25", "1", "12", "1234", "1.0e-7"]);
    }

    #[test]
    fn a_legend_stays_in_its_corner() {
        let line = |color, text: &str| LegendLine { color, text: text.into() };
        let mut image = Image::filled(300, 200, [90, 90, 90, 255]);
        draw(&mut image, &[line(Some([255, 0, 0]), "friction"), line(None, "a note")]);
        assert!(image.pixels().iter().any(|p| p[..3] == [255, 0, 0]));
        assert!((0..300).all(|x| (60..200).all(|y| image.pixel(x, y)[0] == 90)));
        let plain = Image::filled(4, 4, [90, 90, 90, 255]);
        let mut same = plain.clone();
        draw(&mut same, &[]);
        assert_eq!(same, plain);
    }
}
