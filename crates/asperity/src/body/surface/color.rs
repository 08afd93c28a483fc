//! Images of colours: PNG and JPEG files that are laid on a body.
//!
//! Which of the two a file is, is seen by its first bytes, not by its name. Colours are sRGB with 8 bits a channel; of 16 bits the upper eight are taken.

use std::io::Cursor;
use std::path::Path;

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::image::{LARGEST_FILE, LARGEST_TEXTURE, TextureError, decode};
use crate::input_file::read_regular;

/// How PNG and JPEG files begin.
const PNG: &[u8] = b"\x89PNG";
const JPEG: &[u8] = b"\xff\xd8\xff";

/// Colours of an image, rows from the top: red, green, blue and alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colors {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// One a texel.
    pub texels: Vec<[u8; 4]>,
}

/// Reads an image of colours.
pub fn read_colors(path: &Path) -> Result<Colors, TextureError> {
    let bytes = read_regular(path, LARGEST_FILE)
        .map_err(|reason| TextureError::Read { path: path.display().to_string(), reason })?;
    colors(path, bytes)
}

fn colors(path: &Path, bytes: Vec<u8>) -> Result<Colors, TextureError> {
    if bytes.starts_with(PNG) {
        let pixels = decode(path, Cursor::new(bytes))?;
        return Ok(Colors { width: pixels.width, height: pixels.height, texels: pixels.colors() });
    }
    if bytes.starts_with(JPEG) {
        return jpeg(path, &bytes);
    }
    Err(TextureError::Unknown { path: path.display().to_string() })
}

fn jpeg(path: &Path, bytes: &[u8]) -> Result<Colors, TextureError> {
    let name = || path.display().to_string();
    let refuse = |reason: String| TextureError::Jpeg { path: name(), reason };
    let side = LARGEST_TEXTURE as usize;
    // A little more than allowed, so that the message about the size is ours.
    let options = DecoderOptions::default()
        .set_max_width(1 << 16)
        .set_max_height(1 << 16)
        .set_strict_mode(true)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|error| refuse(error.to_string()))?;
    let (width, height) = decoder.dimensions().unwrap_or((0, 0));
    if width > side || height > side {
        return Err(TextureError::Size { path: name(), width: width as u32, height: height as u32 });
    }
    let rgb = decoder.decode().map_err(|error| refuse(error.to_string()))?;
    if width * height == 0 || rgb.len() != 3 * width * height {
        return Err(refuse(format!("{} numbers for {width} by {height} texels", rgb.len())));
    }
    let texels = rgb.chunks_exact(3).map(|c| [c[0], c[1], c[2], 255]).collect();
    Ok(Colors { width: width as u32, height: height as u32, texels })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 8 by 8 texels of one colour, written by hand: a baseline JPEG with one component, quantised by ones, whose only coefficient is the mean. DC = 8 (grey − 128) = 320 for a grey of 168.
    fn grey() -> Vec<u8> {
        let mut bytes = vec![0xff, 0xd8];
        let mut segment = |marker: u8, body: &[u8]| {
            bytes.extend([0xff, marker]);
            bytes.extend((body.len() as u16 + 2).to_be_bytes());
            bytes.extend(body);
        };
        segment(0xdb, &[&[0u8][..], &[1; 64]].concat());
        segment(0xc0, &[8, 0, 8, 0, 8, 1, 1, 0x11, 0]);
        // One code of one bit in each table: a difference of 9 bits for DC, the end of the block for AC.
        let table = |class: u8, symbol: u8| [&[class, 1][..], &[0; 15], &[symbol]].concat();
        segment(0xc4, &table(0x00, 9));
        segment(0xc4, &table(0x10, 0));
        segment(0xda, &[1, 1, 0, 0, 63, 0]);
        // 0, then 320 = 101000000 in nine bits, then 0, then ones: 0101 0000 0000 1111 1… with the rest of the last byte filled.
        bytes.extend([0b0101_0000, 0b0000_1111 & 0b0001_1111, 0xff, 0xd9]);
        bytes
    }

    #[test]
    fn a_jpeg_has_the_colours_that_its_coefficients_say() {
        let found = colors(Path::new("grey.jpg"), grey()).unwrap();
        assert_eq!((found.width, found.height), (8, 8));
        assert!(found.texels.iter().all(|t| *t == [168, 168, 168, 255]), "{:?}", found.texels[0]);
    }

    #[test]
    fn a_png_keeps_its_colours() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(&[1, 2, 3, 250, 251, 252]).unwrap();
        let found = colors(Path::new("a.png"), bytes).unwrap();
        assert_eq!(found.texels, [[1, 2, 3, 255], [250, 251, 252, 255]]);
    }

    #[test]
    fn what_is_no_image_is_refused_by_name() {
        let said = |name: &str, bytes: &[u8]| colors(Path::new(name), bytes.to_vec()).unwrap_err().to_string();
        assert!(said("wood.jpg", b"GIF89a").contains("'wood.jpg' is neither a PNG nor a JPEG image"));
        assert!(said("wood.jpg", b"").contains("neither"));
        let whole = grey();
        for cut in [4, 30, 100, whole.len() - 6] {
            assert!(said("cut.jpg", &whole[..cut]).contains("'cut.jpg' is a damaged JPEG image"), "{cut}");
        }
        assert!(said("cut.png", b"\x89PNG\r\n\x1a\n").contains("'cut.png' is not a PNG image"));
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let good = grey();
        for i in 0..good.len() {
            for flip in [1u8, 0x80, 0xff] {
                let mut bad = good.clone();
                bad[i] ^= flip;
                let _ = colors(Path::new("bad.jpg"), bad);
            }
        }
    }
}
