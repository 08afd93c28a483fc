//! What colours and arrows of a picture stand for, in its upper left corner.

use super::text::{Text, blend};
use super::{INK, PLATE};
use crate::record::Image;
use crate::record::raster::color::srgb;
use crate::record::raster::{FRICTION, NORMAL, OPEN, Renderer, SLIDE, STICK, VELOCITY, ramp};

/// Steps between the numbers beside a ramp of colours.
const RAMP_STEPS: u32 = 4;

/// What stands before the text of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// Only the text.
    Nothing,
    /// A square of a colour.
    Color([u8; 3]),
    /// A part of the ramp of colours: this fraction of its largest number is in the middle of the line, and lines on top of each other make one bar.
    Ramp {
        /// From 0 to 1.
        fraction: f64,
    },
}

/// A line of a legend: what it is about, and what that stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LegendLine {
    pub(super) mark: Mark,
    pub(super) text: String,
}

/// All that must be said about the pictures of a renderer.
pub(super) fn lines(renderer: &Renderer) -> Vec<LegendLine> {
    let mut lines: Vec<LegendLine> = Vec::new();
    let mut say = |color: Option<[u8; 3]>, text: String| {
        lines.push(LegendLine { mark: color.map_or(Mark::Nothing, Mark::Color), text });
    };
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
    if let Some(toning) = renderer.toning() {
        lines.push(LegendLine { mark: Mark::Nothing, text: toning.label().into() });
        for step in (0..=RAMP_STEPS).rev() {
            let fraction = f64::from(step) / f64::from(RAMP_STEPS);
            lines.push(LegendLine { mark: Mark::Ramp { fraction }, text: short(fraction * toning.largest) });
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
    let indent = |line: &LegendLine| if line.mark == Mark::Nothing { 0.0 } else { 1.2 * size };
    let widest = texts.iter().zip(lines).map(|(text, line)| text.width + indent(line)).fold(0.0, f32::max);
    let bottom = margin + 2.0 * pad + row * lines.len() as f32;
    fill(image, [margin, margin, margin + widest + 2.0 * pad, bottom], PLATE.0, PLATE.1);
    for (i, (line, text)) in lines.iter().zip(&texts).enumerate() {
        let base = margin + pad + row * i as f32 + 0.95 * size;
        let (left, right) = (margin + pad, margin + pad + 0.8 * size);
        match line.mark {
            Mark::Nothing => {}
            Mark::Color(color) => fill(image, [left, base - 0.72 * size, right, base + 0.05 * size], color, 1.0),
            Mark::Ramp { fraction } => {
                // Digits are 0.73 of the size high: the middle of the line is half of that above its base.
                let middle = base - 0.36 * size;
                bar(image, [left, middle - 0.5 * row, right, middle + 0.5 * row], fraction);
            }
        }
        text.draw(image, [margin + pad + indent(line), base], INK);
    }
}

/// A part of the ramp of colours in a rectangle (left, top, right, bottom), with `fraction` of the largest number in its middle. Beyond the ends of the ramp nothing is drawn.
fn bar(image: &mut Image, [left, top, right, bottom]: [f32; 4], fraction: f64) {
    for y in top.max(0.0) as u32..bottom.max(0.0) as u32 {
        let above = (0.5 * (top + bottom) - (y as f32 + 0.5)) / (bottom - top);
        let here = fraction + f64::from(above) / f64::from(RAMP_STEPS);
        // Half a pixel more, so that the ends themselves are there.
        let reach = 0.5 / f64::from((bottom - top) * RAMP_STEPS as f32);
        if (-reach..=1.0 + reach).contains(&here) {
            fill(image, [left, y as f32, right, y as f32 + 1.0], srgb(ramp::color(here, 1.0)), 1.0);
        }
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
    fn a_ramp_is_one_bar_from_the_largest_number_down_to_zero() {
        let line = |step: u32| LegendLine { mark: Mark::Ramp { fraction: f64::from(step) / 4.0 }, text: "0".into() };
        let mut image = Image::filled(300, 270, [90, 90, 90, 255]);
        draw(&mut image, &(0..=4).rev().map(line).collect::<Vec<_>>());
        let column: Vec<[u8; 4]> = (0..270).map(|y| image.pixel(12, y)).collect();
        let colors = |fraction: f64| srgb(ramp::color(fraction, 1.0));
        let is = |p: &[u8; 4], fraction: f64| p[..3].iter().zip(colors(fraction)).all(|(a, b)| a.abs_diff(b) <= 12);
        let first = column.iter().position(|p| is(p, 1.0)).unwrap();
        let last = column.iter().rposition(|p| is(p, 0.0)).unwrap();
        assert!(last - first > 40, "{first} {last}");
        for (y, p) in column.iter().enumerate().take(last).skip(first) {
            let fraction = 1.0 - (y - first) as f64 / (last - first) as f64;
            assert!(is(p, fraction), "{y}: {p:?} is not {fraction}");
        }
    }

    #[test]
    fn a_legend_stays_in_its_corner() {
        let line = |mark, text: &str| LegendLine { mark, text: text.into() };
        let mut image = Image::filled(300, 200, [90, 90, 90, 255]);
        draw(&mut image, &[line(Mark::Color([255, 0, 0]), "friction"), line(Mark::Nothing, "a note")]);
        assert!(image.pixels().iter().any(|p| p[..3] == [255, 0, 0]));
        assert!((0..300).all(|x| (60..200).all(|y| image.pixel(x, y)[0] == 90)));
        let plain = Image::filled(4, 4, [90, 90, 90, 255]);
        let mut same = plain.clone();
        draw(&mut same, &[]);
        assert_eq!(same, plain);
    }
}
