//! Light: a warm sun over the viewer's left shoulder, a cool sky above, what the ground throws back from below.
//!
//! Reflected light is colour·(hemisphere + sun·max(0, n·s)·lit), with a hemisphere that goes from the ground's light to the sky's
//! with the upward part of the normal; up is against gravity. Silhouettes get a little darker, so that pale bodies stand out from a pale background.

use glam::{DMat3, DVec3, Vec3};

use super::color::linear_rgb;

/// Light of the sun, the sky and the ground; white that faces the sun comes out near 1.
pub(in crate::record) const SUN: Vec3 = Vec3::new(0.72, 0.68, 0.60);
pub(in crate::record) const SKY: Vec3 = Vec3::new(0.35, 0.38, 0.43);
pub(in crate::record) const GROUND: Vec3 = Vec3::new(0.19, 0.175, 0.16);
/// Strength and sharpness of highlights.
const GLOSS: f32 = 0.16;
const SHARPNESS: i32 = 40;
/// How much silhouettes are darkened.
const EDGE: f32 = 0.35;
/// The background at the top and the bottom of the picture.
const TOP: [u8; 3] = [198, 210, 224];
const BOTTOM: [u8; 3] = [240, 243, 246];
/// Checkered ground begins to fade, and is gone, at these multiples of the radius of the region of interest.
const FADE: [f64; 2] = [2.0, 7.0];

/// The lights of a picture.
#[derive(Clone, Copy, Debug)]
pub(in crate::record) struct Light {
    /// Toward the sun.
    pub(in crate::record) sun: DVec3,
    up: Vec3,
    center: DVec3,
    radius: f64,
}

impl Light {
    /// Light for a camera with these axes, the unit vector upward, and the region of interest.
    pub(in crate::record) fn new(axes: &DMat3, up: DVec3, center: DVec3, radius: f64) -> Self {
        let level = |v: DVec3| v.reject_from_normalized(up);
        // Looking straight down, the lower edge of the picture is where the viewer stands.
        let backward = level(axes.z_axis).try_normalize().unwrap_or(-level(axes.y_axis));
        let sun = (0.9 * up - 0.55 * level(axes.x_axis) + 0.45 * backward).normalize();
        Self { sun, up: up.as_vec3(), center, radius }
    }

    /// Light that a point throws back, `lit` of the sun reaching it.
    pub(super) fn reflected(&self, color: Vec3, normal: Vec3, lit: f32) -> Vec3 {
        let sky = 0.5 + 0.5 * normal.dot(self.up);
        let sun = normal.dot(self.sun.as_vec3()).max(0.0) * lit;
        color * (GROUND.lerp(SKY, sky) + SUN * sun)
    }

    /// A faint highlight, for the unit vector to the eye (Blinn's half-way vector).
    pub(super) fn highlight(&self, normal: Vec3, to_eye: Vec3, lit: f32) -> Vec3 {
        let half = (self.sun.as_vec3() + to_eye).normalize_or_zero();
        SUN * (GLOSS * lit * normal.dot(half).max(0.0).powi(SHARPNESS))
    }

    /// Darkening of silhouettes, for the cosine between normal and line of sight.
    pub(super) fn edge(cosine: f32) -> f32 {
        1.0 - EDGE * (1.0 - cosine.clamp(0.0, 1.0)).powi(4)
    }

    /// How much of the ground at a point is left, from 1 near by to 0 far away.
    pub(super) fn presence(&self, x: DVec3) -> f32 {
        let distance = (x - self.center).length() / self.radius;
        let s = ((FADE[1] - distance) / (FADE[1] - FADE[0])).clamp(0.0, 1.0);
        (s * s * (3.0 - 2.0 * s)) as f32
    }

    /// The background at a height of the picture, from 0 (top) to 1.
    pub(super) fn background(height: f32) -> Vec3 {
        linear_rgb(TOP).lerp(linear_rgb(BOTTOM), height.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn light() -> Light {
        Light::new(&DMat3::IDENTITY, DVec3::Y, DVec3::ZERO, 1.0)
    }

    #[test]
    fn nothing_is_black_and_white_is_not_burnt() {
        let light = light();
        let directions = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z, light.sun.as_vec3()];
        for normal in directions {
            let bright = light.reflected(Vec3::ONE, normal, 1.0);
            assert!(bright.max_element() <= 1.08, "{normal} {bright}");
            let dim = light.reflected(Vec3::ONE, normal, 0.0);
            assert!(dim.min_element() > 0.1 && dim.cmple(bright).all(), "{normal} {dim}");
        }
    }

    #[test]
    fn the_sun_is_above_and_on_the_side_of_the_viewer() {
        let light = light();
        assert!(light.sun.y > 0.5 && light.sun.z > 0.2 && light.sun.x < -0.2);
        let straight_down = DMat3::from_cols(DVec3::X, -DVec3::Z, DVec3::Y);
        assert!(Light::new(&straight_down, DVec3::Y, DVec3::ZERO, 1.0).sun.is_finite());
    }

    #[test]
    fn ground_fades_out() {
        assert_eq!(light().presence(DVec3::X), 1.0);
        assert_eq!(light().presence(9.0 * DVec3::X), 0.0);
        assert_eq!((Light::edge(1.0), Light::edge(0.0)), (1.0, 1.0 - EDGE));
    }
}
