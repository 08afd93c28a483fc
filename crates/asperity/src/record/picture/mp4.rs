//! A film: H.264 pictures in an MP4 file, which every browser, player and slide program shows.
//!
//! Pictures become luma and chroma by Rec. 709, Y = 0.2126 R + 0.7152 G + 0.0722 B and the differences B − Y and R − Y, in the narrow
//! range 16 to 235; chroma is the mean of two by two pixels. The file says so (box `colr`), so that players show the colours of the PNG.
//! A film does not repeat by itself: the last picture stays for the time of the pause.

use std::io::Write;
use std::num::NonZeroU32;

use rusty_h264_common::YuvPlanes;
use rusty_h264_encoder::{Encoder, EncoderConfig, Preset};
use shiguredo_mp4::boxes::{Avc1Box, AvccBox, SampleEntry, UnknownBox, VisualSampleEntryFields};
use shiguredo_mp4::mux::{Mp4FileMuxer, Sample};
use shiguredo_mp4::{BoxSize, BoxType, TrackKind, Uint};

use super::animation::AnimationSettings;
use super::reel::{self, DrawProgress, Lettering};
use crate::record::raster::Renderer;
use crate::record::{Image, RecordError, Recording};

/// Quantiser of all pictures: 18 is hard to tell from the original.
const QUANTISER: u8 = 18;
/// Pictures from one that stands alone to the next, where players can jump to.
const KEYFRAMES: u32 = 50;
/// Level 6, which has pictures of 4096 × 4096 pixels.
const LEVEL: u8 = 60;
const LARGEST: usize = 4096;
/// Ticks of the film's clock in a second: pauses are in hundredths.
const TICKS: NonZeroU32 = NonZeroU32::new(100).unwrap();

/// Writes the recording as a film in an MP4 file. A last row or column that makes the size odd is left out: chroma has half the pixels.
pub fn write_mp4(
    recording: &Recording,
    renderer: &Renderer,
    settings: &AnimationSettings,
    mut to: impl Write,
    progress: &mut dyn FnMut(DrawProgress),
) -> Result<(), RecordError> {
    let moments = settings.moments(recording)?;
    let count = moments.len();
    let [width, height] = renderer.size().map(|n| n as usize & !1);
    for (setting, pixels) in [("width", width), ("height", height)] {
        if !(2..=LARGEST).contains(&pixels) {
            let reason = "a film has 2 to 4096 pixels on each side";
            return Err(RecordError::Setting { setting, value: pixels as f64, reason });
        }
    }
    let mut encoder = Encoder::new(encoder_settings(width, height, settings.fps)).map_err(refused)?;
    let lettering = |_| Lettering { time: settings.label.then(|| settings.step().max(0.01)), legend: settings.label };
    let mut film = Film::new(width, height)?;
    let planes = |image: Image| Planes::new(&image, width, height);
    reel::draw(recording, renderer, &moments, lettering, planes, |i, planes| {
        let coded = encoder.encode_planes(&planes.view(width, height)).map_err(refused)?;
        film.add(&coded, u32::from(settings.delay(i, count)))?;
        progress(DrawProgress { done: i + 1, of: count });
        Ok(())
    })?;
    to.write_all(&film.finish()?).map_err(|error| RecordError::Encode { what: "MP4", reason: error.to_string() })
}

/// Every picture is coded when it comes: no pictures that depend on later ones, no looking ahead.
fn encoder_settings(width: usize, height: usize, fps: f64) -> EncoderConfig {
    let mut settings = EncoderConfig::new(width, height);
    settings.preset = Preset::Balanced;
    settings.qp = QUANTISER;
    settings.bitrate = 0;
    settings.gop_size = KEYFRAMES;
    settings.framerate = fps as f32;
    settings.level_idc = LEVEL;
    settings.bframes = 0;
    settings.lookahead = 0;
    settings.mbtree = false;
    settings
}

/// A picture as luma and chroma.
struct Planes {
    luma: Vec<u8>,
    blue: Vec<u8>,
    red: Vec<u8>,
}

impl Planes {
    fn new(image: &Image, width: usize, height: usize) -> Self {
        let stride = image.width() as usize;
        let pixel = |x: usize, y: usize| {
            let [r, g, b, _] = image.pixels()[y * stride + x].map(f64::from);
            [r, g, b]
        };
        let luma = (0..width * height).map(|i| narrow(16.0, 219.0 / 255.0 * brightness(pixel(i % width, i / width))));
        let chroma = |channel: usize, range: f64| {
            let mean = move |i: usize| {
                let (x, y) = (2 * (i % (width / 2)), 2 * (i / (width / 2)));
                let difference = |[dx, dy]: [usize; 2]| {
                    let colour = pixel(x + dx, y + dy);
                    colour[channel] - brightness(colour)
                };
                [[0, 0], [1, 0], [0, 1], [1, 1]].map(difference).iter().sum::<f64>() / 4.0
            };
            (0..width * height / 4).map(|i| narrow(128.0, 224.0 / 255.0 / range * mean(i))).collect()
        };
        // The differences B − Y and R − Y reach 2 (1 − weight) of the full range.
        Self { luma: luma.collect(), blue: chroma(2, 1.8556), red: chroma(0, 1.5748) }
    }

    fn view(&self, width: usize, height: usize) -> YuvPlanes<'_> {
        let Self { luma: y, blue: u, red: v } = self;
        YuvPlanes { width, height, y, u, v, stride_y: width, stride_c: width / 2 }
    }
}

/// Luma of a colour by Rec. 709.
fn brightness([r, g, b]: [f64; 3]) -> f64 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn narrow(zero: f64, value: f64) -> u8 {
    (zero + value).round().clamp(0.0, 255.0) as u8
}

/// The file as it grows.
struct Film {
    size: [u16; 2],
    muxer: Mp4FileMuxer,
    bytes: Vec<u8>,
}

impl Film {
    fn new(width: usize, height: usize) -> Result<Self, RecordError> {
        let muxer = Mp4FileMuxer::new().map_err(refused)?;
        let bytes = muxer.initial_boxes_bytes().to_vec();
        Ok(Self { size: [width as u16, height as u16], muxer, bytes })
    }

    /// Adds the coded picture that is shown for so many ticks.
    fn add(&mut self, coded: &[u8], duration: u32) -> Result<(), RecordError> {
        let units = Units::new(coded);
        let data_offset = self.bytes.len() as u64;
        for slice in &units.slices {
            self.bytes.extend((slice.len() as u32).to_be_bytes());
            self.bytes.extend(*slice);
        }
        let keyframe = units.slices.iter().any(|slice| slice[0] & 31 == 5);
        let sample_entry = units.sets.map(|sets| SampleEntry::Avc1(self.entry(&sets)));
        let sample = Sample {
            track_kind: TrackKind::Video,
            keyframe,
            sample_entry,
            timescale: TICKS,
            duration,
            composition_time_offset: None,
            data_offset,
            data_size: self.bytes.len() - data_offset as usize,
        };
        self.muxer.append_sample(&sample).map_err(refused)
    }

    /// What a decoder must know beforehand.
    fn entry(&self, sets: &ParameterSets) -> Avc1Box {
        let [width, height] = self.size;
        // Bytes 1 to 3 of the sequence parameters: profile, compatibility, level.
        let [profile, compatibility, level] = [1, 2, 3].map(|i| sets.sequence.get(i).copied().unwrap_or_default());
        Avc1Box {
            visual: VisualSampleEntryFields {
                data_reference_index: VisualSampleEntryFields::DEFAULT_DATA_REFERENCE_INDEX,
                width,
                height,
                horizresolution: VisualSampleEntryFields::DEFAULT_HORIZRESOLUTION,
                vertresolution: VisualSampleEntryFields::DEFAULT_VERTRESOLUTION,
                frame_count: VisualSampleEntryFields::DEFAULT_FRAME_COUNT,
                compressorname: VisualSampleEntryFields::NULL_COMPRESSORNAME,
                depth: VisualSampleEntryFields::DEFAULT_DEPTH,
            },
            avcc_box: AvccBox {
                avc_profile_indication: profile,
                profile_compatibility: compatibility,
                avc_level_indication: level,
                length_size_minus_one: Uint::new(3),
                sps_list: vec![sets.sequence.to_vec()],
                pps_list: vec![sets.picture.to_vec()],
                // Chroma of half the pixels in both directions, eight bits.
                chroma_format: Some(Uint::new(1)),
                bit_depth_luma_minus8: Some(Uint::new(0)),
                bit_depth_chroma_minus8: Some(Uint::new(0)),
                sps_ext_list: Vec::new(),
            },
            unknown_boxes: vec![colours()],
        }
    }

    fn finish(mut self) -> Result<Vec<u8>, RecordError> {
        for (offset, bytes) in self.muxer.finalize().map_err(refused)?.offset_and_bytes_pairs() {
            let (offset, end) = (offset as usize, offset as usize + bytes.len());
            if self.bytes.len() < end {
                self.bytes.resize(end, 0);
            }
            self.bytes[offset..end].copy_from_slice(bytes);
        }
        Ok(self.bytes)
    }
}

/// The box that says how colours were coded: primaries and matrix of Rec. 709 (number 1), the transfer of sRGB (13).
fn colours() -> UnknownBox {
    let payload = [&b"nclx"[..], &[0, 1, 0, 13, 0, 1, 0]].concat();
    UnknownBox { box_type: BoxType::Normal(*b"colr"), box_size: BoxSize::U32(8 + payload.len() as u32), payload }
}

/// What a coded picture consists of.
struct Units<'a> {
    /// Present where a picture stands alone.
    sets: Option<ParameterSets<'a>>,
    slices: Vec<&'a [u8]>,
}

struct ParameterSets<'a> {
    sequence: &'a [u8],
    picture: &'a [u8],
}

impl<'a> Units<'a> {
    /// Takes apart a stream in which every unit follows the bytes 0 0 1.
    fn new(coded: &'a [u8]) -> Self {
        let starts: Vec<usize> = (0..coded.len().saturating_sub(2)).filter(|&i| coded[i..i + 3] == [0, 0, 1]).collect();
        let end = |k: usize| starts.get(k + 1).copied().unwrap_or(coded.len());
        // A unit never ends with a zero: those that stand there belong to a longer mark of the next unit.
        let unit = |k: usize| coded[starts[k] + 3..end(k)].trim_suffix_zeros();
        let units: Vec<&[u8]> = (0..starts.len()).map(unit).filter(|unit| !unit.is_empty()).collect();
        let of_kind = |kind: u8| units.iter().copied().find(|unit| unit[0] & 31 == kind);
        let sets = of_kind(7).zip(of_kind(8)).map(|(sequence, picture)| ParameterSets { sequence, picture });
        Self { sets, slices: units.into_iter().filter(|unit| (1..=5).contains(&(unit[0] & 31))).collect() }
    }
}

trait TrimZeros {
    fn trim_suffix_zeros(&self) -> &Self;
}

impl TrimZeros for [u8] {
    fn trim_suffix_zeros(&self) -> &Self {
        &self[..self.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)]
    }
}

fn refused(error: impl std::fmt::Debug) -> RecordError {
    RecordError::Encode { what: "MP4", reason: format!("{error:?}") }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{renderer, slide};
    use super::*;
    use rusty_h264_decoder::Decoder;
    use shiguredo_mp4::demux::{Input, Mp4FileDemuxer};

    const SETTINGS: AnimationSettings = AnimationSettings { fps: 50.0, speed: 0.5, hold: 0.5, label: false };

    fn written() -> (Recording, Vec<u8>) {
        let recording = slide(7);
        let mut bytes = Vec::new();
        write_mp4(&recording, &renderer(&recording), &SETTINGS, &mut bytes, &mut |_| {}).unwrap();
        (recording, bytes)
    }

    /// The units of a picture as a decoder takes them, each behind a mark.
    fn marked(data: &[u8]) -> Vec<u8> {
        let mut stream = Vec::new();
        let mut rest = data;
        while let Some((length, tail)) = rest.split_first_chunk::<4>() {
            let (unit, after) = tail.split_at(u32::from_be_bytes(*length) as usize);
            stream.extend([0, 0, 0, 1]);
            stream.extend(unit);
            rest = after;
        }
        stream
    }

    #[test]
    fn the_film_shows_the_pictures_of_the_run() {
        let (recording, bytes) = written();
        let mut demuxer = Mp4FileDemuxer::new();
        demuxer.handle_input(Input { position: 0, data: &bytes });
        let mut renderer = renderer(&recording);
        let mut decoder = Decoder::new();
        let (mut shown, mut ticks) = (0, 0);
        while let Some(sample) = demuxer.next_sample().unwrap() {
            assert_eq!(sample.keyframe, shown % 50 == 0);
            let mut stream = Vec::new();
            if let Some(SampleEntry::Avc1(entry)) = sample.sample_entry {
                assert_eq!((entry.visual.width, entry.visual.height), (64, 48));
                for set in entry.avcc_box.sps_list.iter().chain(&entry.avcc_box.pps_list) {
                    stream.extend([0, 0, 0, 1]);
                    stream.extend(set);
                }
            }
            let start = sample.data_offset as usize;
            stream.extend(marked(&bytes[start..start + sample.data_size]));
            let frame = decoder.decode(&stream).unwrap().expect("a picture for each sample");
            let image = renderer.draw(&recording.at(f64::from(shown) * 0.01).unwrap());
            let expected = Planes::new(&image, 64, 48);
            let off = frame.y.iter().zip(&expected.luma).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum::<f64>();
            let chroma = frame.u.iter().zip(&expected.blue).chain(frame.v.iter().zip(&expected.red));
            let shift = chroma.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
            assert!(shift < 30, "picture {shown}: chroma off by {shift}");
            let psnr = 10.0 * (255f64.powi(2) * 64.0 * 48.0 / off.max(1e-9)).log10();
            assert!(psnr > 38.0, "picture {shown}: {psnr} dB");
            shown += 1;
            ticks += sample.duration;
        }
        assert_eq!((shown, ticks), (61, 61 * 2 + 50), "0.6 s at half speed, and the hold");
    }

    #[test]
    fn grey_has_no_chroma_and_white_and_black_are_the_ends_of_the_range() {
        for (grey, luma) in [(0, 16), (255, 235), (128, 126)] {
            let planes = Planes::new(&Image::filled(2, 2, [grey, grey, grey, 255]), 2, 2);
            assert_eq!((planes.luma, planes.blue, planes.red), (vec![luma; 4], vec![128], vec![128]));
        }
        // Rec. 709 table 3.3: full blue and red reach the end of their own difference.
        let blue = Planes::new(&Image::filled(2, 2, [0, 0, 255, 255]), 2, 2);
        let red = Planes::new(&Image::filled(2, 2, [255, 0, 0, 255]), 2, 2);
        assert_eq!((blue.blue[0], red.red[0]), (240, 240));
    }

    #[test]
    fn units_end_before_the_zeros_of_the_next_mark() {
        let coded = [0, 0, 0, 1, 0x67, 9, 9, 9, 0, 0, 0, 1, 0x68, 7, 0, 0, 1, 0x65, 5, 0, 3];
        let units = Units::new(&coded);
        let sets = units.sets.unwrap();
        assert_eq!((sets.sequence, sets.picture), (&[0x67, 9, 9, 9][..], &[0x68, 7][..]));
        assert_eq!(units.slices, [&[0x65, 5, 0, 3][..]]);
    }
}
