//! Textures of directions as PNG files.
//!
//! The numbers of the file are data: they are taken as they are, whatever colour space the file claims, since 128 in a painting program
//! is the middle in all of them. Palettes are looked up; 8 and 16 bits a channel; alpha where there is one. Greys have no directions and
//! are refused.

use std::io::{BufRead, Cursor, Seek};
use std::path::Path;

use asperity_friction::field::{Texel, Texture};
use glam::DVec2;
use png::{BitDepth, ColorType, DecodingError, Transformations};

use crate::input_file::read_regular;

/// Most texels along a side.
pub const LARGEST_TEXTURE: u32 = 4096;
/// Largest file that is read, in bytes: twice the texels of the largest image, with 16 bits in each of four channels.
pub(super) const LARGEST_FILE: u64 = 256 << 20;

/// An image that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TextureError {
    /// The file cannot be read.
    #[error("cannot read '{path}': {reason}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The file is not a PNG image, or it is damaged.
    #[error("'{path}' is not a PNG image: {reason}")]
    Format {
        /// The file.
        path: String,
        /// What the decoder says.
        reason: String,
    },
    /// The file is a JPEG image that is damaged, or of a kind that is not read.
    #[error("'{path}' is a damaged JPEG image: {reason}")]
    Jpeg {
        /// The file.
        path: String,
        /// What the decoder says.
        reason: String,
    },
    /// The file is no image that can be read.
    #[error("'{path}' is neither a PNG nor a JPEG image")]
    Unknown {
        /// The file.
        path: String,
    },
    /// Too many texels.
    #[error("'{path}' has {width} by {height} texels: at most {LARGEST_TEXTURE} by {LARGEST_TEXTURE}")]
    Size {
        /// The file.
        path: String,
        /// Texels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// No red and green.
    #[error("'{path}' is a grey image: directions are red and green, so save it as RGB or RGBA")]
    Grey {
        /// The file.
        path: String,
    },
    /// An image that cannot be written.
    #[error("cannot make a PNG image: {0}")]
    Write(String),
}

/// Which number of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Grey; of an image in colour there is none.
    Grey,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Alpha; 1 in an image that has none.
    Alpha,
}

/// An image as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Pixels {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// 1 to 4: grey, grey and alpha, red, green and blue, and alpha.
    channels: usize,
    /// White: 255 or 65535.
    most: u16,
    /// As they are in the file, rows from the top.
    values: Vec<u16>,
}

impl Pixels {
    fn texels(&self) -> impl Iterator<Item = &[u16]> {
        self.values.chunks_exact(self.channels)
    }

    /// A number of the file, from 0 to 1.
    fn part(&self, value: u16) -> f64 {
        f64::from(value) / f64::from(self.most)
    }

    /// Red, green and blue as the components of normals, (m + 1)/2; none of a grey image. Of 8 bits, 128 is the middle: a flat surface is
    /// (128, 128, 255).
    pub fn normals(&self) -> Option<Vec<[f64; 3]>> {
        let middle = |c: u16| match self.most {
            255 => (0.5 + (f64::from(c) - 128.0) / 254.0).max(0.0),
            _ => self.part(c),
        };
        (self.channels >= 3).then(|| self.texels().map(|t| [middle(t[0]), middle(t[1]), middle(t[2])]).collect())
    }

    /// One number of each texel, from 0 to 1, rows from the top; `None` if the image does not have it.
    pub fn channel(&self, channel: Channel) -> Option<Vec<f64>> {
        let place = match channel {
            Channel::Grey => return self.grey(),
            Channel::Red => 0,
            Channel::Green => 1,
            Channel::Blue => 2,
            Channel::Alpha if self.channels % 2 == 1 => return Some(vec![1.0; self.texels().count()]),
            Channel::Alpha => self.channels - 1,
        };
        let colors = self.channels >= 3 || channel == Channel::Alpha;
        colors.then(|| self.texels().map(|t| self.part(t[place])).collect())
    }

    /// Colours with 8 bits a channel.
    pub(super) fn colors(&self) -> Vec<[u8; 4]> {
        let byte = |value: u16| (value >> if self.most == u16::MAX { 8 } else { 0 }) as u8;
        let color = |t: &[u16]| match *t {
            [grey] => [byte(grey), byte(grey), byte(grey), 255],
            [grey, alpha] => [byte(grey), byte(grey), byte(grey), byte(alpha)],
            [r, g, b] => [byte(r), byte(g), byte(b), 255],
            [r, g, b, alpha, ..] => [byte(r), byte(g), byte(b), byte(alpha)],
            [] => [0; 4],
        };
        self.texels().map(color).collect()
    }

    /// Grey, from 0 to 1; none of an image in which a texel has a colour.
    pub fn grey(&self) -> Option<Vec<f64>> {
        let grey = |t: &[u16]| self.channels < 3 || (t[0] == t[1] && t[1] == t[2]);
        self.texels().all(grey).then(|| self.texels().map(|t| self.part(t[0])).collect())
    }
}

/// Reads an image of directions.
pub fn read_texture(path: &Path) -> Result<Texture, TextureError> {
    texture(path, &read_pixels(path)?)
}

/// Reads an image as numbers.
pub fn read_pixels(path: &Path) -> Result<Pixels, TextureError> {
    let bytes = read_regular(path, LARGEST_FILE)
        .map_err(|reason| TextureError::Read { path: path.display().to_string(), reason })?;
    decode(path, Cursor::new(bytes))
}

fn texture(path: &Path, pixels: &Pixels) -> Result<Texture, TextureError> {
    let name = || path.display().to_string();
    if pixels.channels < 3 {
        return Err(TextureError::Grey { path: name() });
    }
    let texel =
        |t: &[u16]| Texel::new(pixels.part(t[0]), pixels.part(t[1]), t.get(3).map_or(1.0, |alpha| pixels.part(*alpha)));
    Texture::new(pixels.width, pixels.height, pixels.texels().map(texel).collect())
        .map_err(|error| TextureError::Format { path: name(), reason: error.to_string() })
}

fn refused(path: &Path, error: DecodingError) -> TextureError {
    let (path, reason) = (path.display().to_string(), error.to_string());
    match error {
        // A file that ends too early is a damaged image.
        DecodingError::IoError(io) if io.kind() != std::io::ErrorKind::UnexpectedEof => {
            TextureError::Read { path, reason: io.to_string() }
        }
        _ => TextureError::Format { path, reason },
    }
}

pub(super) fn decode(path: &Path, file: impl BufRead + Seek) -> Result<Pixels, TextureError> {
    let side = LARGEST_TEXTURE as usize;
    // A row of 16 bit RGBA and what the decoder keeps beside it; the image itself is ours.
    let mut decoder = png::Decoder::new_with_limits(file, png::Limits { bytes: side * side });
    decoder.set_transformations(Transformations::EXPAND);
    let fail = |error| refused(path, error);
    let name = || path.display().to_string();
    let header = decoder.read_header_info().map_err(fail)?;
    let (width, height) = (header.width, header.height);
    if width > LARGEST_TEXTURE || height > LARGEST_TEXTURE {
        return Err(TextureError::Size { path: name(), width, height });
    }
    let mut reader = decoder.read_info().map_err(fail)?;
    let (color, depth) = reader.output_color_type();
    let channels = color.samples();
    let size = reader.output_buffer_size().unwrap_or(0);
    let mut bytes = vec![0; size];
    reader.next_frame(&mut bytes).map_err(fail)?;
    let (most, values): (u16, Vec<u16>) = if depth == BitDepth::Sixteen {
        (u16::MAX, bytes.chunks_exact(2).map(|b| u16::from_be_bytes([b[0], b[1]])).collect())
    } else {
        (255, bytes.iter().map(|b| u16::from(*b)).collect())
    };
    let count = width as usize * height as usize * channels;
    if count == 0 || values.len() < count {
        let reason = format!("{} numbers for {width} by {height} texels", values.len());
        return Err(TextureError::Format { path: name(), reason });
    }
    Ok(Pixels { width, height, channels, most, values })
}

/// Bits of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bits {
    /// Angles to 0.3 degrees: half a step of both channels, √2/255.
    #[default]
    Eight,
    /// Angles to a thousandth of a degree.
    Sixteen,
}

/// A PNG file of directions, rows from the top: unit lines in (tangent, bitangent), zero for none (neutral grey), nothing for texels
/// that belong to no surface (clear).
pub fn write_texture(width: u32, height: u32, lines: &[Option<DVec2>], bits: Bits) -> Result<Vec<u8>, TextureError> {
    let refused = |error: png::EncodingError| TextureError::Write(error.to_string());
    if lines.is_empty() || lines.len() as u64 != u64::from(width) * u64::from(height) {
        return Err(TextureError::Write(format!("{} texels are not {width} times {height}", lines.len())));
    }
    let full: u16 = if bits == Bits::Sixteen { u16::MAX } else { 255 };
    let middle = full / 2 + 1;
    let channel = |x: f64| (0.5 * (x + 1.0) * f64::from(full)).round() as u16;
    let mut data = Vec::with_capacity(lines.len() * 8);
    for line in lines {
        let d = line.unwrap_or(DVec2::ZERO);
        let [r, g] = if d == DVec2::ZERO { [middle; 2] } else { [channel(d.x), channel(d.y)] };
        for value in [r, g, middle, if line.is_some() { full } else { 0 }] {
            match bits {
                Bits::Eight => data.push(value as u8),
                Bits::Sixteen => data.extend(value.to_be_bytes()),
            }
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(if bits == Bits::Sixteen { BitDepth::Sixteen } else { BitDepth::Eight });
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(&data).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Texture, TextureError> {
        let path = Path::new("grain.png");
        texture(path, &decode(path, Cursor::new(bytes))?)
    }

    fn image(color: ColorType, depth: BitDepth, width: u32, height: u32, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == ColorType::Indexed {
            encoder.set_palette(vec![255u8, 128, 0, 128, 255, 0]);
            encoder.set_trns(vec![255u8, 0]);
        }
        // Claims that must not change a number.
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    fn apart(a: DVec2, b: DVec2) -> f64 {
        a.perp_dot(b).abs().atan2(a.dot(b).abs())
    }

    #[test]
    fn eight_and_sixteen_bits_alpha_and_palettes_are_read() {
        // Along u on the left, 45° on the right.
        let rgb = image(ColorType::Rgb, BitDepth::Eight, 2, 1, &[255, 128, 9, 200, 200, 9]);
        let texture = read(&rgb).unwrap();
        // (255, 128) is (1, 1/255): the numbers are taken as they are.
        assert!(apart(texture.line(DVec2::new(0.25, 0.5)), DVec2::new(1.0, 1.0 / 255.0)) < 1e-6);
        assert!(apart(texture.line(DVec2::new(0.75, 0.5)), DVec2::ONE) < 1e-6);
        let wide = [65535u16, 32768, 0, 65535, 32768, 65535, 0, 0].map(u16::to_be_bytes).concat();
        let texture = read(&image(ColorType::Rgba, BitDepth::Sixteen, 2, 1, &wide)).unwrap();
        assert!(apart(texture.line(DVec2::new(0.25, 0.5)), DVec2::new(1.0, 1.0 / 65535.0)) < 1e-7);
        assert_eq!(texture.line(DVec2::new(0.75, 0.5)), DVec2::ZERO, "alpha 0");
        let texture = read(&image(ColorType::Indexed, BitDepth::Eight, 2, 1, &[0, 1])).unwrap();
        assert!(apart(texture.line(DVec2::new(0.25, 0.5)), DVec2::new(1.0, 1.0 / 255.0)) < 1e-6);
        assert_eq!(texture.line(DVec2::new(0.75, 0.5)), DVec2::ZERO, "a clear entry of the palette");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let lines: Vec<Option<DVec2>> = (0..64)
            .map(|i| match i % 8 {
                0 => None,
                1 => Some(DVec2::ZERO),
                _ => Some(DVec2::from_angle(0.1 * f64::from(i))),
            })
            .collect();
        // Half a step of a channel is 1/255 or 1/65535 of the unit circle; both may be off.
        for (bits, limit) in [(Bits::Eight, 2f64.sqrt() / 255.0), (Bits::Sixteen, 2f64.sqrt() / 65535.0 + 1e-7)] {
            let texture = read(&write_texture(8, 8, &lines, bits).unwrap()).unwrap();
            for (i, line) in lines.iter().enumerate() {
                let uv = DVec2::new(((i % 8) as f64 + 0.5) / 8.0, 1.0 - ((i / 8) as f64 + 0.5) / 8.0);
                match line {
                    Some(d) if *d != DVec2::ZERO => assert!(apart(texture.line(uv), *d) < limit, "{i}"),
                    _ => assert_eq!(texture.line(uv), DVec2::ZERO),
                }
            }
        }
        assert!(write_texture(3, 3, &lines, Bits::Eight).is_err());
    }

    #[test]
    fn bad_images_are_refused_with_the_reason() {
        let good = write_texture(4, 4, &[Some(DVec2::X); 16], Bits::Eight).unwrap();
        let said = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(said(b"no image").contains("'grain.png' is not a PNG image"), "{}", said(b"no image"));
        assert!(said(b"").contains("not a PNG image"));
        for cut in [9, 20, 40, good.len() - 20] {
            assert!(said(&good[..cut]).contains("not a PNG image"), "{}", said(&good[..cut]));
        }
        let grey = image(ColorType::Grayscale, BitDepth::Eight, 1, 1, &[7]);
        assert!(said(&grey).contains("grey image"));
        // The header of a huge image, with its check sum, and nothing else: refused before anything is decoded.
        let huge = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\xea\x60\0\0\xea\x60\x08\x02\0\0\0\x0f\xb0\xe2\x15";
        assert!(said(huge).contains("60000 by 60000 texels: at most 4096"), "{}", said(huge));
        let long = image(ColorType::Rgb, BitDepth::Eight, 5000, 1, &[0; 15000]);
        assert!(said(&long).contains("5000 by 1 texels: at most 4096"), "{}", said(&long));
        let error = read_texture(Path::new("nowhere/grain.png")).unwrap_err().to_string();
        assert!(error.contains("cannot read 'nowhere/grain.png'"), "{error}");
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let good = write_texture(4, 4, &[Some(DVec2::X); 16], Bits::Sixteen).unwrap();
        for i in 0..good.len() {
            for flip in [1u8, 0x80] {
                let mut bad = good.clone();
                bad[i] ^= flip;
                let _ = read(&bad);
            }
        }
    }
}
