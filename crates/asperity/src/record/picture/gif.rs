//! An animated GIF: one palette for all pictures and a fixed dither pattern, so that nothing flickers; after the first picture only
//! what has changed is stored.

use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use rayon::prelude::*;

use super::animation::AnimationSettings;
use super::palette::{Histogram, Palette};
use super::reel::{self, DrawProgress, Lettering};
use crate::record::raster::Renderer;
use crate::record::{Image, RecordError, Recording};

/// Pictures whose colours are counted.
const COUNTED: usize = 12;
/// Pictures that are encoded together.
const BATCH: usize = 16;
/// The number that means: as before.
const UNCHANGED: u8 = 255;

/// Writes the recording as an animated GIF that repeats for ever.
pub fn write_gif(
    recording: &Recording,
    renderer: &Renderer,
    settings: &AnimationSettings,
    to: impl Write,
    progress: &mut dyn FnMut(DrawProgress),
) -> Result<(), RecordError> {
    let moments = settings.moments(recording)?;
    let count = moments.len();
    let [width, height] = renderer.size();
    let lettering = |_| Lettering { time: settings.label.then(|| settings.step().max(0.01)), legend: settings.label };
    let palette = palette(recording, renderer, &moments, lettering)?;
    let mut encoder = Encoder::new(to, width as u16, height as u16, &padded(&palette)).map_err(refused)?;
    encoder.set_repeat(Repeat::Infinite).map_err(refused)?;
    let mut shown: Option<Vec<u8>> = None;
    let mut waiting: Vec<Vec<u8>> = Vec::new();
    let numbers = |image: Image| palette.numbers(&image);
    reel::draw(recording, renderer, &moments, lettering, numbers, |i, numbers| {
        waiting.push(numbers);
        progress(DrawProgress { done: i + 1, of: count });
        if waiting.len() < BATCH && i + 1 < count {
            return Ok(());
        }
        let first = i + 1 - waiting.len();
        let before = |k: usize| if k == 0 { shown.as_deref() } else { Some(&waiting[k - 1][..]) };
        let frames: Vec<Frame> = (0..waiting.len())
            .into_par_iter()
            .map(|k| {
                let mut frame = difference(before(k), &waiting[k], width as usize);
                frame.delay = settings.delay(first + k, count);
                frame.make_lzw_pre_encoded();
                frame
            })
            .collect();
        frames.iter().try_for_each(|frame| encoder.write_lzw_pre_encoded_frame(frame)).map_err(refused)?;
        shown = waiting.pop();
        waiting.clear();
        Ok(())
    })
}

/// The colours of some of the pictures.
fn palette(
    recording: &Recording,
    renderer: &Renderer,
    moments: &[f64],
    lettering: impl Fn(usize) -> Lettering + Sync,
) -> Result<Palette, RecordError> {
    let mut histogram = Histogram::new();
    let counted = moments.len().min(COUNTED);
    let some: Vec<f64> = (0..counted).map(|i| moments[i * (moments.len() - 1) / (counted - 1).max(1)]).collect();
    reel::draw(
        recording,
        renderer,
        &some,
        lettering,
        |image| image,
        |_, image| {
            histogram.add(&image);
            Ok(())
        },
    )?;
    Ok(Palette::new(&histogram, usize::from(UNCHANGED)))
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
    use super::super::tests::{renderer, slide};
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
        let settings = AnimationSettings { fps: 30.0, speed: 0.5, hold: 1.0, label: false };
        let mut renderer = renderer(&recording);
        let mut done = Vec::new();
        let mut bytes = Vec::new();
        write_gif(&recording, &renderer, &settings, &mut bytes, &mut |progress| done.push(progress)).unwrap();
        let pictures = read(&bytes);
        assert_eq!(pictures.len(), 37);
        let total: u32 = pictures.iter().map(|(_, delay)| u32::from(*delay)).sum();
        assert_eq!(total, 123 + 100, "37/30 s and the hold");
        assert_eq!(done, (1..=37).map(|done| DrawProgress { done, of: 37 }).collect::<Vec<_>>());
        for i in [0, 17, 36] {
            let image = renderer.draw(&recording.at(i as f64 / 60.0).unwrap());
            let off = image.pixels().iter().zip(&pictures[i].0);
            let worst = off.map(|(a, b)| (0..3).map(|c| a[c].abs_diff(b[c])).max().unwrap_or(0)).max();
            assert!(worst < Some(25), "{i} {worst:?}");
        }
    }

    #[test]
    fn the_number_of_threads_changes_no_byte() {
        let recording = slide(7);
        let written = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut bytes = Vec::new();
                let settings = AnimationSettings::default();
                write_gif(&recording, &renderer(&recording), &settings, &mut bytes, &mut |_| {}).unwrap();
                bytes
            })
        };
        assert_eq!(written(1), written(2));
        assert_eq!(written(1), written(5));
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
}
