//! Pictures of a run: a filmstrip, animations and a series of images, with the time in a corner and what colours stand for in another.

mod animation;
mod gif;
mod legend;
mod moments;
mod mp4;
mod palette;
mod png;
mod reel;
mod text;

pub use animation::AnimationSettings;
pub use gif::write_gif;
pub use mp4::write_mp4;
pub use png::{write_apng, write_series};
pub use reel::DrawProgress;

use super::raster::Renderer;
use super::{Image, RecordError, Recording};
use reel::Lettering;
use text::Text;

/// Colour of labels, and of the plate below them with its opacity.
const INK: [u8; 3] = [30, 38, 50];
const PLATE: ([u8; 3], f32) = ([255; 3], 0.62);
/// Between the pictures of a filmstrip, in pixels.
const GAP: u32 = 4;
/// Pictures of a run in which nothing moves: its first and its last moment.
const RESTING: usize = 2;
/// Behind the pictures of a filmstrip.
const PAPER: [u8; 4] = [255; 4];

/// What a filmstrip shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmstripSettings {
    /// Pictures, spread over the part of the run in which something moves, its first and its last moment included.
    pub pictures: usize,
    /// Pictures in a row.
    pub columns: usize,
}

impl Default for FilmstripSettings {
    fn default() -> Self {
        Self { pictures: 9, columns: 3 }
    }
}

impl FilmstripSettings {
    /// How many pictures a recording gets. Fewer frames than pictures would show the same ones twice, and so would a run in which nothing moves.
    pub fn count(&self, recording: &Recording) -> Result<usize, RecordError> {
        let frames = recording.frames().len();
        let different = if moments::active(recording)?.is_some() { frames } else { frames.min(RESTING) };
        Ok(self.pictures.min(different))
    }
}

/// Pictures of moments of the run in a grid, in reading order.
pub fn filmstrip(
    recording: &Recording,
    renderer: &Renderer,
    settings: FilmstripSettings,
    progress: &mut dyn FnMut(DrawProgress),
) -> Result<Image, RecordError> {
    for (setting, count) in [("pictures", settings.pictures), ("columns", settings.columns)] {
        if count == 0 {
            return Err(RecordError::Setting { setting, value: 0.0, reason: "there must be at least one" });
        }
    }
    let (start, end) = recording.span()?;
    let count = settings.count(recording)?;
    let (first, last) = moments::active(recording)?.map_or((start, end), |active| (active.start, active.end));
    let columns = settings.columns.min(count);
    let step = if count > 1 { (last - first) / (count - 1) as f64 } else { 0.0 };
    // The last moment is the last frame's, not one that rounding made of it.
    let moment = |i: usize| if i + 1 == count { last } else { first + step * i as f64 };
    let times: Vec<f64> = (0..count).map(moment).collect();
    let [width, height] = renderer.size();
    let (columns, rows) = (columns as u32, count.div_ceil(columns) as u32);
    let mut strip = Image::filled(columns * (width + GAP) - GAP, rows * (height + GAP) - GAP, PAPER);
    let lettering = |i: usize| Lettering { time: Some(step), legend: i == 0 };
    reel::draw(
        recording,
        renderer,
        &times,
        lettering,
        |image| image,
        |i, picture| {
            let (column, row) = (i as u32 % columns, i as u32 / columns);
            strip.paste(&picture, column * (width + GAP), row * (height + GAP));
            progress(DrawProgress { done: i + 1, of: count });
            Ok(())
        },
    )?;
    Ok(strip)
}

/// A text in the lower left corner, on a pale plate.
pub fn label(image: &mut Image, text: &str) {
    let size = (image.height() as f32 / 20.0).clamp(11.0, 40.0);
    let text = Text::new(text, size);
    let (margin, pad) = (0.6 * size, 0.4 * size);
    let base = image.height() as f32 - margin - pad - 0.1 * size;
    let (left, right) = (margin, margin + text.width + 2.0 * pad);
    // Digits are 0.73 of the size high.
    let (top, bottom) = (base - 0.75 * size - pad, base + pad + 0.1 * size);
    legend::fill(image, [left, top, right, bottom], PLATE.0, PLATE.1);
    text.draw(image, [margin + pad, base], INK);
}

/// A time with as many decimals as it takes to tell moments `step` apart: those of its leading digit if that is all there is,
/// else one more.
fn time_label(t: f64, step: f64) -> String {
    let decimals = if step > 0.0 {
        let leading = (-step.log10().floor()).clamp(1.0, 9.0);
        let scaled = step * 10f64.powf(leading);
        let whole = (scaled - scaled.round()).abs() < 1e-6;
        leading as usize + usize::from(!whole)
    } else {
        2
    };
    let shown = format!("{t:.decimals$}");
    // No minus sign on a zero.
    let shown = if shown.trim_start_matches('-').bytes().all(|b| b == b'0' || b == b'.') {
        shown.trim_start_matches('-').to_owned()
    } else {
        shown.replace('-', "\u{2212}")
    };
    format!("t = {shown} s")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Show;
    use crate::record::raster::RenderSettings;
    use crate::record::test_bodies::{body, frame};
    use glam::DVec3;

    pub(super) fn slide(frames: usize) -> Recording {
        let mut recording = Recording::new(vec![body("a")]).unwrap();
        for i in 0..frames {
            recording.push(frame(0.1 * i as f64, &[DVec3::new(0.3 * i as f64, 0.0, 0.0)])).unwrap();
        }
        recording
    }

    pub(super) fn renderer(recording: &Recording) -> Renderer {
        let settings = RenderSettings { width: 64, height: 48, show: Show::NOTHING, ..RenderSettings::default() };
        Renderer::new(recording, settings).unwrap()
    }

    fn strip(recording: &Recording, settings: FilmstripSettings) -> Result<Image, RecordError> {
        filmstrip(recording, &renderer(recording), settings, &mut |_| {})
    }

    #[test]
    fn a_filmstrip_is_a_grid_of_moments() {
        let recording = slide(7);
        let shown = strip(&recording, FilmstripSettings { pictures: 5, columns: 3 }).unwrap();
        assert_eq!((shown.width(), shown.height()), (3 * 64 + 2 * GAP, 2 * 48 + GAP));
        let last = renderer(&recording).draw(&recording.frames()[6]);
        // Above the label, the fifth picture is the last frame.
        assert!((0..20).all(|y| (0..64).all(|x| shown.pixel(64 + GAP + x, 48 + GAP + y) == last.pixel(x, y))));
        assert_eq!(shown.pixel(2 * (64 + GAP) + 5, 48 + GAP + 5), PAPER, "no sixth one");
        let few = strip(&slide(2), FilmstripSettings::default()).unwrap();
        assert_eq!((few.width(), few.height()), (2 * 64 + GAP, 48));
    }

    #[test]
    fn nothing_to_show_is_refused() {
        assert!(matches!(strip(&slide(0), FilmstripSettings::default()), Err(RecordError::NoFrame)));
        assert!(strip(&slide(2), FilmstripSettings { pictures: 0, columns: 1 }).is_err());
    }

    #[test]
    fn times_have_the_digits_they_need() {
        assert_eq!(time_label(0.25, 0.25), "t = 0.25 s");
        assert_eq!(time_label(0.84, 0.04), "t = 0.84 s");
        assert_eq!(time_label(0.0, 1.0), "t = 0.0 s");
        assert_eq!(time_label(0.001, 0.0005), "t = 0.0010 s");
        assert_eq!(time_label(12.0, 3.0), "t = 12.0 s");
        assert_eq!(time_label(-0.001, 0.5), "t = 0.0 s");
        assert_eq!(time_label(-1.5, 0.5), "t = \u{2212}1.5 s");
        assert_eq!(time_label(1.0, 0.0), "t = 1.00 s");
    }

    #[test]
    fn a_label_stays_in_its_corner_and_fits_tiny_pictures() {
        let mut image = Image::filled(200, 120, [90, 90, 90, 255]);
        label(&mut image, "t = 0.25 s");
        assert!((0..200).all(|x| (0..80).all(|y| image.pixel(x, y)[0] == 90)));
        assert!(image.pixels().iter().any(|p| p[0] < 50) && image.pixels().iter().any(|p| p[0] > 180));
        label(&mut Image::filled(3, 2, [0; 4]), "t = 0.25 s");
    }
}
