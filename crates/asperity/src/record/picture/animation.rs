//! An animated GIF: one palette for all pictures and a fixed dither pattern, so that nothing flickers; after the first picture only
//! what has changed is stored.

use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::palette::{Histogram, Palette};
use super::{label, time_label};
use crate::record::raster::{RenderSettings, Renderer};
use crate::record::{Image, RecordError, Recording};

/// Pictures whose colours are counted.
const COUNTED: usize = 12;
/// GIF counts time in hundredths of a second, and browsers show nothing faster than two of them.
const FASTEST: f64 = 50.0;
/// The number that means: as before.
const UNCHANGED: u8 = 255;

/// How an animation runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GifSettings {
    /// Pictures a second, up to 50.
    pub fps: f64,
    /// Seconds of the run in a second of the animation.
    pub speed: f64,
    /// Seconds that the last picture stays before all begins again.
    pub hold: f64,
    /// Writes the time into a corner.
    pub label: bool,
}

impl Default for GifSettings {
    fn default() -> Self {
        Self { fps: 25.0, speed: 1.0, hold: 0.8, label: true }
    }
}

/// Writes the recording as an animated GIF that repeats for ever.
pub fn write_gif(
    recording: &Recording,
    render: &RenderSettings,
    settings: &GifSettings,
    to: impl Write,
) -> Result<(), RecordError> {
    let moments = moments(recording, settings)?;
    let mut renderer = Renderer::new(recording, render.clone())?;
    let [width, height] = renderer.size();
    let step = settings.speed / settings.fps;
    let mut draw = |t: f64| -> Result<Image, RecordError> {
        let mut image = renderer.draw(&recording.at(t)?);
        if settings.label {
            label(&mut image, &time_label(t, step.max(0.01)));
        }
        Ok(image)
    };
    let mut histogram = Histogram::new();
    let counted = moments.len().min(COUNTED);
    for i in 0..counted {
        histogram.add(&draw(moments[i * (moments.len() - 1) / (counted - 1).max(1)])?);
    }
    let palette = Palette::new(&histogram, usize::from(UNCHANGED));

    let mut encoder = Encoder::new(to, width as u16, height as u16, &padded(&palette)).map_err(refused)?;
    encoder.set_repeat(Repeat::Infinite).map_err(refused)?;
    let mut shown: Option<Vec<u8>> = None;
    for (i, &t) in moments.iter().enumerate() {
        let numbers = palette.numbers(&draw(t)?);
        let hold = if i + 1 == moments.len() { settings.hold } else { 0.0 };
        let frame = match &shown {
            None => difference(None, &numbers, width as usize),
            Some(before) => difference(Some(before), &numbers, width as usize),
        };
        encoder.write_frame(&Frame { delay: delay(i, settings.fps, hold), ..frame }).map_err(refused)?;
        shown = Some(numbers);
    }
    Ok(())
}

/// The moments that are shown.
fn moments(recording: &Recording, settings: &GifSettings) -> Result<Vec<f64>, RecordError> {
    let positive = [("fps", settings.fps), ("speed", settings.speed)];
    if let Some((setting, value)) = positive.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        return Err(RecordError::Setting { setting, value, reason: "must be positive" });
    }
    if settings.fps > FASTEST {
        return Err(RecordError::Setting { setting: "fps", value: settings.fps, reason: "GIF shows at most 50" });
    }
    if !(0.0..=600.0).contains(&settings.hold) {
        let reason = "must be between 0 and 600 seconds";
        return Err(RecordError::Setting { setting: "hold", value: settings.hold, reason });
    }
    let (first, last) = recording.span()?;
    let step = settings.speed / settings.fps;
    // A hair of slack: the last moment must not be lost to rounding.
    let count = ((last - first) / step + 1e-9).floor() as usize + 1;
    Ok((0..count).map(|i| first + step * i as f64).collect())
}

/// Hundredths of a second for a picture: rounded so that errors do not add up.
fn delay(i: usize, fps: f64, hold: f64) -> u16 {
    let at = |i: usize| (100.0 * i as f64 / fps).round();
    (at(i + 1) - at(i) + (100.0 * hold).round()) as u16
}

/// All 256 colours of the table; those beyond the palette are never used.
fn padded(palette: &Palette) -> Vec<u8> {
    let mut bytes = palette.bytes().to_vec();
    bytes.resize(3 * 256, 0);
    bytes
}

/// The smallest rectangle that holds all that has changed; in it, what has not is transparent.
fn difference(before: Option<&[u8]>, now: &[u8], width: usize) -> Frame<'static> {
    let height = now.len() / width;
    let changed = |i: usize| before.is_none_or(|before| before[i] != now[i]);
    let mut sides = [width, height, 0, 0];
    for i in (0..now.len()).filter(|&i| changed(i)) {
        let (x, y) = (i % width, i / width);
        sides = [sides[0].min(x), sides[1].min(y), sides[2].max(x + 1), sides[3].max(y + 1)];
    }
    if sides[2] == 0 {
        sides = [0, 0, 1, 1];
    }
    let [left, top, right, bottom] = sides;
    let places = (top..bottom).flat_map(|y| (left..right).map(move |x| y * width + x));
    Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left) as u16,
        height: (bottom - top) as u16,
        buffer: places.map(|i| if changed(i) { now[i] } else { UNCHANGED }).collect::<Vec<_>>().into(),
        transparent: before.map(|_| UNCHANGED),
        dispose: DisposalMethod::Keep,
        ..Frame::default()
    }
}

fn refused(error: gif::EncodingError) -> RecordError {
    RecordError::Encode { what: "GIF", reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SMALL, slide};
    use super::*;

    /// Pictures as a viewer puts them together, with their delays.
    fn read(bytes: &[u8]) -> Vec<(Vec<[u8; 3]>, u16)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(bytes).unwrap();
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let table = decoder.global_palette().unwrap().to_vec();
        let width = usize::from(decoder.width());
        let mut canvas = vec![[0; 3]; width * usize::from(decoder.height())];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (i, &number) in frame.buffer.iter().enumerate() {
                let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
                if frame.transparent != Some(number) {
                    let place = (usize::from(frame.top) + y) * width + usize::from(frame.left) + x;
                    canvas[place] = table[3 * usize::from(number)..][..3].try_into().unwrap();
                }
            }
            pictures.push((canvas.clone(), frame.delay));
        }
        pictures
    }

    #[test]
    fn pictures_and_times_are_those_of_the_run() {
        let recording = slide(7);
        let mut bytes = Vec::new();
        let settings = GifSettings { fps: 30.0, speed: 0.5, hold: 1.0, label: false };
        write_gif(&recording, &SMALL, &settings, &mut bytes).unwrap();
        let pictures = read(&bytes);
        // 0.6 s at half speed: 1.2 s, 36 pictures and the first one.
        assert_eq!(pictures.len(), 37);
        let total: u32 = pictures.iter().map(|(_, delay)| u32::from(*delay)).sum();
        assert_eq!(total, 123 + 100, "37/30 s and the hold");
        let mut renderer = Renderer::new(&recording, SMALL).unwrap();
        for i in [0, 17, 36] {
            let image = renderer.draw(&recording.at(i as f64 / 60.0).unwrap());
            let off = image.pixels().iter().zip(&pictures[i].0);
            let worst = off.map(|(a, b)| (0..3).map(|c| a[c].abs_diff(b[c])).max().unwrap_or(0)).max();
            assert!(worst < Some(25), "{i} {worst:?}");
        }
        let mut again = Vec::new();
        write_gif(&recording, &SMALL, &settings, &mut again).unwrap();
        assert_eq!(bytes, again, "the same bytes");
    }

    #[test]
    fn what_rests_is_stored_once() {
        let frame = difference(Some(&[1, 2, 3, 4, 5, 6]), &[1, 2, 9, 4, 5, 6], 3);
        assert_eq!((frame.left, frame.top, frame.width, frame.height), (2, 0, 1, 1));
        let frame = difference(Some(&[1, 2, 3, 4, 5, 6]), &[1, 9, 3, 8, 5, 6], 3);
        assert_eq!((frame.width, frame.height), (2, 2));
        assert_eq!(*frame.buffer, [UNCHANGED, 9, 8, UNCHANGED]);
        assert_eq!(*difference(Some(&[1, 2]), &[1, 2], 2).buffer, [UNCHANGED]);
    }

    #[test]
    fn settings_without_sense_are_refused() {
        let run = |settings| write_gif(&slide(3), &SMALL, &settings, Vec::new());
        let good = GifSettings::default();
        for bad in [
            GifSettings { fps: 0.0, ..good },
            GifSettings { fps: 60.0, ..good },
            GifSettings { speed: f64::NAN, ..good },
            GifSettings { hold: -1.0, ..good },
        ] {
            assert!(matches!(run(bad), Err(RecordError::Setting { .. })), "{bad:?}");
        }
        assert!(matches!(write_gif(&slide(0), &SMALL, &good, Vec::new()), Err(RecordError::NoFrame)));
    }
}
