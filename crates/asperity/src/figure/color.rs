//! Colours: a colour-blind-safe palette for distinct curves, a gradient for ordered families.

use std::fmt;

use super::drawable::bounded;

/// An sRGB colour with an opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// From 0 (invisible) to 1 (opaque).
    pub opacity: f64,
}

impl Color {
    /// Near-black, for neutral curves and arrows.
    pub const INK: Self = Self::hex(0x22262b);
    /// Mid grey, for references and guides.
    pub const GREY: Self = Self::hex(0x868e96);

    /// An opaque colour from `0xRRGGBB`.
    pub const fn hex(value: u32) -> Self {
        Self { rgb: [(value >> 16) as u8, (value >> 8) as u8, value as u8], opacity: 1.0 }
    }

    /// The same colour with another opacity, bounded by 0 and 1.
    pub fn with_opacity(self, opacity: f64) -> Self {
        Self { opacity: bounded(opacity, 0.0, 1.0), ..self }
    }
}

/// `#rrggbb`; the opacity is a separate attribute in SVG.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.rgb;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

/// The colour of the `i`-th distinct curve; repeats after seven.
///
/// Okabe and Ito, "Color Universal Design" (2008), strongest contrasts first. Their yellow is left out, since it
/// cannot be read on white; grey stands for their black, which is kept for text.
pub fn palette(i: usize) -> Color {
    const COLORS: [u32; 7] = [0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x5f6770];
    Color::hex(COLORS[i % COLORS.len()])
}

/// The colour of a member of an ordered family, `t` from 0 to 1 (clamped).
///
/// Lightness rises monotonically from violet over blue and green to a dark gold: the order survives greyscale
/// printing and colour-blind eyes. It follows viridis, but stays dark enough for thin lines on white.
pub fn gradient(t: f64) -> Color {
    const STOPS: [u32; 7] = [0x440154, 0x443a83, 0x31688e, 0x21868b, 0x329c68, 0x7ba834, 0xc8a81a];
    let position = bounded(t, 0.0, 1.0) * (STOPS.len() - 1) as f64;
    let below = (position as usize).min(STOPS.len() - 2);
    let weight = position - below as f64;
    let (from, to) = (Color::hex(STOPS[below]), Color::hex(STOPS[below + 1]));
    let mix = |c: usize| (f64::from(from.rgb[c]) * (1.0 - weight) + f64::from(to.rgb[c]) * weight).round() as u8;
    Color { rgb: [mix(0), mix(1), mix(2)], opacity: 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, WCAG 2.
    fn luminance(color: Color) -> f64 {
        let linear = color.rgb.map(|c| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn the_gradient_gets_lighter_and_never_too_light() {
        let values: Vec<f64> = (0..=100).map(|i| luminance(gradient(f64::from(i) / 100.0))).collect();
        // Rounding to 8 bits may cost a hair between neighbours.
        assert!(values.windows(2).all(|w| w[1] > w[0] - 2e-3));
        assert!(values.windows(11).all(|w| w[10] > w[0] + 5e-3));
        let contrast_with_white = 1.05 / (values[100] + 0.05);
        assert!(contrast_with_white > 2.2, "{contrast_with_white}");
    }

    #[test]
    fn the_gradient_takes_any_number() {
        assert_eq!(gradient(-3.0), gradient(0.0));
        assert_eq!(gradient(7.0), gradient(1.0));
        assert_eq!(gradient(f64::NAN), gradient(0.0));
        assert_eq!(gradient(0.0).to_string(), "#440154");
    }

    #[test]
    fn the_palette_is_distinct_and_cycles() {
        for i in 0..7 {
            assert_eq!(palette(i), palette(i + 7));
            for j in 0..i {
                assert_ne!(palette(i), palette(j));
            }
        }
    }

    #[test]
    fn opacity_is_clamped() {
        assert_eq!(Color::INK.with_opacity(2.0).opacity, 1.0);
        assert_eq!(Color::INK.with_opacity(f64::NAN).opacity, 0.0);
    }
}
