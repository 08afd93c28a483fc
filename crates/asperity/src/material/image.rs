//! Reliefs as PNG files: what painting programs, renderers and scenes read.

use glam::DVec2;
use png::{BitDepth, ColorType};

use super::Relief;
use crate::body::surface::TextureError;

/// Heights as an image.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightImage {
    /// The PNG file.
    pub bytes: Vec<u8>,
    /// How much higher white is than black, m.
    pub span: f64,
}

impl Relief {
    /// A normal map of 16 bits: m = (p, 1)/√(1 + p²), red along u, green along v (up), blue along the normal.
    pub fn normal_png(&self) -> Result<Vec<u8>, TextureError> {
        let mut data = Vec::with_capacity(self.slopes.len() * 6);
        for p in &self.slopes {
            let m = p.extend(1.0).normalize();
            for x in m.to_array() {
                data.extend(((0.5 * (x + 1.0) * 65535.0).round() as u16).to_be_bytes());
            }
        }
        write(self.width, self.height, ColorType::Rgb, &data)
    }

    /// A height map of 16 bits, from black to white; `None` without heights.
    pub fn height_png(&self) -> Option<Result<HeightImage, TextureError>> {
        let heights = self.heights.as_ref()?;
        let (low, high) = heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        let span = high - low;
        let grey = |h: &f64| if span > 0.0 { ((h - low) / span * 65535.0).round() as u16 } else { 0 };
        let data: Vec<u8> = heights.iter().map(grey).flat_map(u16::to_be_bytes).collect();
        Some(write(self.width, self.height, ColorType::Grayscale, &data).map(|bytes| HeightImage { bytes, span }))
    }

    /// The relief that a map of this size in metres holds; `slope` is what it says of each texel, rows from the top.
    pub fn from_texels(width: u32, height: u32, size: DVec2, slope: impl FnMut(usize) -> DVec2) -> Self {
        let slopes = (0..width as usize * height as usize).map(slope).collect();
        Self { width, height, size, slopes, heights: None, sharp: false }
    }
}

fn write(width: u32, height: u32, color: ColorType, data: &[u8]) -> Result<Vec<u8>, TextureError> {
    let refused = |error: png::EncodingError| TextureError::Write(error.to_string());
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Sixteen);
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(data).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(bytes)
}
