//! Colours for numbers: from dark blue (zero) over green to yellow (the largest), evenly brighter, so that it reads in grey, too.
//!
//! The stops are those of viridis (Smith and van der Walt 2015) at 0, ¼, ½, ¾ and 1, in sRGB; between them in linear light.

use glam::Vec3;

use super::color::linear_rgb;

const STOPS: [[u8; 3]; 5] = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/// The colour of a value between 0 and `largest`, in linear light.
pub(in crate::record) fn color(value: f64, largest: f64) -> Vec3 {
    let s = if largest > 0.0 { (value / largest).clamp(0.0, 1.0) } else { 0.0 };
    let place = s * (STOPS.len() - 1) as f64;
    let stop = (place as usize).min(STOPS.len() - 2);
    linear_rgb(STOPS[stop]).lerp(linear_rgb(STOPS[stop + 1]), (place - stop as f64) as f32)
}

#[cfg(test)]
mod tests {
    use super::super::color::luminance;
    use super::*;

    #[test]
    fn larger_is_brighter() {
        let light: Vec<f32> = (0..=20).map(|i| luminance(color(f64::from(i) / 10.0, 2.0))).collect();
        assert!(light.windows(2).all(|w| w[1] > w[0]), "{light:?}");
        assert_eq!(color(1.0, 0.0), linear_rgb(STOPS[0]), "where all are zero");
        assert_eq!(color(9.0, 2.0), linear_rgb(STOPS[4]));
    }
}
