//! sRGB (IEC 61966-2-1) to and from linear light. Light is added and averaged in linear values only.

use std::sync::OnceLock;

use glam::Vec3;

/// Steps of the table back to sRGB. The curve is steepest at black, 12.92: a step is there 12.92·255/8192 = 0.4 of a code.
const STEPS: usize = 8192;

/// Linear value of an sRGB value, both from 0 to 1.
fn decode(c: f64) -> f64 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// sRGB value of a linear value, both from 0 to 1.
fn encode(c: f64) -> f64 {
    if c <= 0.0031308 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// Linear light of an 8-bit sRGB value.
pub(in crate::record) fn linear(code: u8) -> f32 {
    static TABLE: OnceLock<[f32; 256]> = OnceLock::new();
    TABLE.get_or_init(|| std::array::from_fn(|i| decode(i as f64 / 255.0) as f32))[code as usize]
}

/// Linear light of an sRGB colour.
pub(in crate::record) fn linear_rgb(rgb: [u8; 3]) -> Vec3 {
    Vec3::from_array(rgb.map(linear))
}

/// The nearest 8-bit sRGB colour; values beyond 0 and 1 are clamped.
pub(in crate::record) fn srgb(light: Vec3) -> [u8; 3] {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    let code = |i: usize| (255.0 * encode(i as f64 / STEPS as f64)).round() as u8;
    let table = TABLE.get_or_init(|| (0..=STEPS).map(code).collect());
    light.to_array().map(|c| table[(c.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as usize])
}

/// Relative luminance (Rec. 709) of linear light.
pub(in crate::record) fn luminance(light: Vec3) -> f32 {
    light.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_survive_there_and_back() {
        for code in 0..=255u8 {
            assert_eq!(srgb(Vec3::splat(linear(code))), [code; 3]);
        }
        assert_eq!(srgb(Vec3::new(-1.0, 2.0, f32::NAN))[..2], [0, 255]);
    }

    #[test]
    fn known_values() {
        // Half the light is code 188, code 128 is 21.6 % of the light.
        assert_eq!(srgb(Vec3::splat(0.5)), [188; 3]);
        assert!((linear(128) - 0.21586).abs() < 1e-5);
        assert!((luminance(Vec3::ONE) - 1.0).abs() < 1e-6);
    }
}
