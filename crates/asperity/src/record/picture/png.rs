//! Pictures without loss: an animated PNG, and a series of PNG files.

use std::io::Write;
use std::path::Path;

use png::{BitDepth, BlendOp, ColorType, DisposeOp, EncodingError, SrgbRenderingIntent};

use super::animation::AnimationSettings;
use super::reel::{self, DrawProgress, Lettering};
use crate::record::raster::Renderer;
use crate::record::{Image, RecordError, Recording, write_file};

/// Writes the recording as an animated PNG that repeats for ever: all colours, and files several times as large as a GIF.
pub fn write_apng(
    recording: &Recording,
    renderer: &Renderer,
    settings: &AnimationSettings,
    to: impl Write,
    progress: &mut dyn FnMut(DrawProgress),
) -> Result<(), RecordError> {
    let moments = settings.moments(recording)?;
    let count = moments.len();
    let [width, height] = renderer.size();
    let mut encoder = png::Encoder::new(to, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    encoder.set_animated(count as u32, 0).map_err(refused)?;
    encoder.set_blend_op(BlendOp::Source).map_err(refused)?;
    encoder.set_dispose_op(DisposeOp::None).map_err(refused)?;
    let mut writer = encoder.write_header().map_err(refused)?;
    let lettering = |_| lettering(settings);
    let rgb = |image: Image| image.pixels().iter().flat_map(|p| [p[0], p[1], p[2]]).collect::<Vec<u8>>();
    reel::draw(recording, renderer, &moments, lettering, rgb, |i, bytes| {
        writer.set_frame_delay(settings.delay(i, count), 100).map_err(refused)?;
        writer.write_image_data(&bytes).map_err(refused)?;
        progress(DrawProgress { done: i + 1, of: count });
        Ok(())
    })?;
    writer.finish().map_err(refused)
}

/// Writes the pictures of an animation as files `0000.png`, `0001.png`, … into a folder: for programs that make videos.
pub fn write_series(
    recording: &Recording,
    renderer: &Renderer,
    settings: &AnimationSettings,
    folder: &Path,
    progress: &mut dyn FnMut(DrawProgress),
) -> Result<(), RecordError> {
    let moments = settings.moments(recording)?;
    let count = moments.len();
    let lettering = |_| lettering(settings);
    reel::draw(
        recording,
        renderer,
        &moments,
        lettering,
        |image| image.to_png(),
        |i, bytes| {
            write_file(folder.join(format!("{i:04}.png")), &bytes?)?;
            progress(DrawProgress { done: i + 1, of: count });
            Ok(())
        },
    )
}

fn lettering(settings: &AnimationSettings) -> Lettering {
    Lettering { time: settings.label.then(|| settings.step().max(0.01)), legend: settings.label }
}

fn refused(error: EncodingError) -> RecordError {
    RecordError::Encode { what: "PNG", reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{renderer, slide};
    use super::*;
    use crate::record::test_bodies::Scratch;

    const SETTINGS: AnimationSettings = AnimationSettings { fps: 10.0, speed: 1.0, hold: 0.5, label: false };

    #[test]
    fn an_animated_png_holds_every_picture_as_it_was_drawn() {
        let recording = slide(4);
        let mut renderer = renderer(&recording);
        let mut bytes = Vec::new();
        write_apng(&recording, &renderer, &SETTINGS, &mut bytes, &mut |_| {}).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control.unwrap().num_frames, 4);
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        for i in 0..4 {
            reader.next_frame(&mut buffer).unwrap();
            let delay = reader.info().frame_control.unwrap();
            assert_eq!((delay.delay_num, delay.delay_den), (if i == 3 { 60 } else { 10 }, 100));
            let image = renderer.draw(&recording.at(0.1 * f64::from(i)).unwrap());
            let rgb: Vec<u8> = image.pixels().iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
            assert_eq!(buffer, rgb, "picture {i}");
        }
    }

    #[test]
    fn a_series_has_a_file_for_each_picture() {
        let recording = slide(3);
        let scratch = Scratch::new("series");
        write_series(&recording, &renderer(&recording), &SETTINGS, &scratch.path("frames"), &mut |_| {}).unwrap();
        let expected = renderer(&recording).draw(&recording.frames()[2]).to_png().unwrap();
        assert_eq!(std::fs::read(scratch.path("frames/0002.png")).unwrap(), expected);
        assert_eq!(std::fs::read_dir(scratch.path("frames")).unwrap().count(), 3);
    }
}
