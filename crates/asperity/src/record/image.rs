//! Images in memory.

use super::error::RecordError;

/// RGBA with 8 bits a channel, sRGB, not premultiplied; rows from the top, pixels from the left.
///
/// As a texture: u runs to the right, v upward from the lower edge (as in OBJ files and Blender), both repeat after 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

impl Image {
    /// Takes width·height pixels.
    pub fn new(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Result<Self, RecordError> {
        let expected = width as usize * height as usize;
        if expected == 0 || pixels.len() != expected {
            let place = format!("image of {width} by {height}");
            return Err(RecordError::Length { place, what: "pixels", expected: expected.max(1), found: pixels.len() });
        }
        Ok(Self { width, height, pixels })
    }

    /// One colour everywhere; sides of zero become one.
    pub fn filled(width: u32, height: u32, color: [u8; 4]) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        Self { width, height, pixels: vec![color; width as usize * height as usize] }
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, row by row from the top.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The same, to write to.
    pub fn pixels_mut(&mut self) -> &mut [[u8; 4]] {
        &mut self.pixels
    }

    /// The pixel in column x and row y (from the top).
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        self.pixels[(y * self.width + x) as usize]
    }

    /// The part of `other` that fits is copied to (left, top).
    pub fn paste(&mut self, other: &Self, left: u32, top: u32) {
        if left >= self.width {
            return;
        }
        let columns = other.width.min(self.width - left) as usize;
        for row in 0..other.height.min(self.height.saturating_sub(top)) {
            let from = (row * other.width) as usize;
            let to = ((top + row) * self.width + left) as usize;
            self.pixels[to..to + columns].copy_from_slice(&other.pixels[from..from + columns]);
        }
    }

    /// The image as a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>, RecordError> {
        let refused = |error: png::EncodingError| RecordError::Encode { what: "PNG", reason: error.to_string() };
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().map_err(refused)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(refused)?;
        writer.finish().map_err(refused)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_holds_the_same_pixels() {
        let pixels = (0..6u8).map(|i| [i, 40 * i, 255 - i, 250 + i.min(5)]).collect();
        let image = Image::new(3, 2, pixels).unwrap();
        let bytes = image.to_png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut buffer).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (3, 2, png::ColorType::Rgba));
        assert_eq!(buffer, image.pixels().as_flattened());
        assert!(reader.info().srgb.is_some());
    }

    #[test]
    fn the_number_of_pixels_must_fit() {
        assert!(Image::new(2, 2, vec![[0; 4]; 3]).is_err());
        let error = Image::new(0, 2, vec![]).unwrap_err();
        assert!(error.to_string().contains("0 by 2"), "{error}");
    }

    #[test]
    fn pasting_is_cut_at_the_edges() {
        let mut canvas = Image::filled(3, 2, [0; 4]);
        canvas.paste(&Image::filled(2, 2, [9; 4]), 2, 1);
        assert_eq!((canvas.pixel(2, 1), canvas.pixel(2, 0), canvas.pixel(1, 1)), ([9; 4], [0; 4], [0; 4]));
        canvas.paste(&Image::filled(2, 2, [7; 4]), 3, 0);
        canvas.paste(&Image::filled(2, 2, [7; 4]), 0, 2);
        assert!(canvas.pixels().iter().all(|p| *p != [7; 4]));
    }
}
