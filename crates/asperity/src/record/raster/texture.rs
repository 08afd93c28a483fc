//! Colours of a surface point: textures, filtered between their texels and over the footprint of a pixel; squares.
//!
//! A texture is kept with its averages over 2×2, 4×4, … texels. A pixel that covers a square of w texels is looked up between
//! the two levels around log2 w, in each between the four nearest texels. Averages are of linear light.

use glam::{DVec2, Vec3};

use asperity_friction::field::{Neighbours, Wrap, neighbours};

use super::color::linear;
use crate::patch::Filter;
use crate::record::Image;
use crate::record::appearance::{Bumps, MapTexel};

/// One level: linear colours, rows from the top.
#[derive(Clone, Debug)]
struct Level {
    width: usize,
    height: usize,
    texels: Vec<Vec3>,
}

impl Level {
    fn of(image: &Image) -> Self {
        let texels = image.pixels().iter().map(|p| Vec3::new(linear(p[0]), linear(p[1]), linear(p[2]))).collect();
        Self { width: image.width() as usize, height: image.height() as usize, texels }
    }

    /// Half as wide and high, rounded up: averages of 2×2 texels, at an odd end of the last one with itself.
    fn halved(&self) -> Self {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let texel = |x: usize, y: usize| self.texels[y.min(self.height - 1) * self.width + x.min(self.width - 1)];
        let average = |i: usize| {
            let (x, y) = (2 * (i % width), 2 * (i / width));
            0.25 * (texel(x, y) + texel(x + 1, y) + texel(x, y + 1) + texel(x + 1, y + 1))
        };
        Self { width, height, texels: (0..width * height).map(average).collect() }
    }

    /// Between the four texels around a point.
    fn between(&self, uv: DVec2, wrap: [Wrap; 2]) -> Vec3 {
        let Neighbours { texels: columns, fraction: s } = neighbours(uv.x, self.width as u32, wrap[0]);
        let Neighbours { texels: rows, fraction: t } = neighbours(1.0 - uv.y, self.height as u32, wrap[1]);
        let texel = |x: usize, y: usize| self.texels[rows[y] * self.width + columns[x]];
        texel(0, 0).lerp(texel(1, 0), s as f32).lerp(texel(0, 1).lerp(texel(1, 1), s as f32), t as f32)
    }

    /// The texel at a point.
    fn nearest(&self, uv: DVec2, wrap: [Wrap; 2]) -> Vec3 {
        let place = |c: f64, n: usize, wrap: Wrap| {
            let c = if wrap == Wrap::Repeat { c - c.floor() } else { c.clamp(0.0, 1.0) };
            ((c * n as f64) as usize).min(n - 1)
        };
        self.texels[place(1.0 - uv.y, self.height, wrap[1]) * self.width + place(uv.x, self.width, wrap[0])]
    }
}

/// A texture and its averages.
#[derive(Clone, Debug)]
pub(in crate::record) struct Texture {
    levels: Vec<Level>,
    /// What is beyond the image.
    wrap: [Wrap; 2],
    /// Whether texels have sharp edges, seen from near by.
    sharp: bool,
}

impl Texture {
    pub(in crate::record) fn of(image: &Image) -> Self {
        Self { levels: averaged(Level::of(image)), wrap: [Wrap::Repeat; 2], sharp: false }
    }

    /// (a, b, weight) of the texels of a map.
    pub(in crate::record) fn of_map(bumps: &Bumps) -> Self {
        let [width, height] = bumps.map.size().map(|n| n as usize);
        let texel = |texel: MapTexel| texel.slope.as_vec2().extend(texel.weight as f32);
        let first = Level { width, height, texels: bumps.texels().map(texel).collect() };
        Self { levels: averaged(first), wrap: bumps.map.wrap(), sharp: bumps.map.filter() == Filter::Nearest }
    }

    /// The average of all.
    pub(in crate::record) fn average(&self) -> Vec3 {
        self.levels.last().map_or(Vec3::ZERO, |level| level.texels[0])
    }

    /// The colour at uv of a pixel as large as `footprint`, in units of uv along each of its axes.
    pub(in crate::record) fn sample(&self, uv: DVec2, footprint: DVec2) -> Vec3 {
        let size = DVec2::new(self.levels[0].width as f64, self.levels[0].height as f64);
        let depth = (footprint * size).max_element().max(1.0).log2().min((self.levels.len() - 1) as f64);
        let level = depth as usize;
        if self.sharp && level == 0 {
            return self.levels[0].nearest(uv, self.wrap);
        }
        let finer = self.levels[level].between(uv, self.wrap);
        match self.levels.get(level + 1) {
            Some(coarser) if depth > level as f64 => {
                finer.lerp(coarser.between(uv, self.wrap), (depth - level as f64) as f32)
            }
            _ => finer,
        }
    }
}

/// A level and its averages, down to one texel.
fn averaged(first: Level) -> Vec<Level> {
    let mut levels = vec![first];
    while let Some(next) = levels.last().filter(|level| level.width * level.height > 1).map(Level::halved) {
        levels.push(next);
    }
    levels
}

/// How much of a footprint lies on the lighter squares, from 0 to 1. Squares have side 1; that at the origin is light.
///
/// The pattern is q(x) q(y) with the square wave q = ±1, and the mean of q over an interval is a difference of triangle waves.
pub(in crate::record) fn squares(x: DVec2, footprint: DVec2) -> f64 {
    /// ∫ q from 0 to x: q = +1 on (0, 1), −1 on (1, 2), and so on.
    fn integral(x: f64) -> f64 {
        let half = 0.5 * x;
        1.0 - (2.0 * (half - half.floor()) - 1.0).abs()
    }
    let mean = |x: f64, w: f64| {
        let w = w.max(1e-6);
        (integral(x + 0.5 * w) - integral(x - 0.5 * w)) / w
    };
    0.5 + 0.5 * mean(x.x, footprint.x) * mean(x.y, footprint.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture() -> Texture {
        let black = [0, 0, 0, 255];
        // Red at the upper left, white at the lower right.
        Texture::of(&Image::new(2, 2, vec![[255, 0, 0, 255], black, black, [255; 4]]).unwrap())
    }

    #[test]
    fn texels_are_met_in_their_middle_and_v_runs_upward() {
        let at = |u, v| texture().sample(DVec2::new(u, v), DVec2::ZERO);
        assert_eq!(at(0.25, 0.75), Vec3::X);
        assert_eq!(at(0.75, 0.25), Vec3::ONE);
        assert_eq!(at(3.75, -0.75), Vec3::ONE, "it repeats");
        assert!(at(0.5, 0.75).abs_diff_eq(0.5 * Vec3::X, 1e-6), "half way to black");
    }

    #[test]
    fn a_large_footprint_sees_the_average() {
        let average = Vec3::new(0.5, 0.25, 0.25);
        assert!(texture().sample(DVec2::ZERO, DVec2::splat(9.0)).abs_diff_eq(average, 1e-6));
        assert!(texture().average().abs_diff_eq(average, 1e-6));
        let odd = Texture::of(&Image::filled(5, 3, [255; 4]));
        assert!(odd.sample(DVec2::splat(0.3), DVec2::splat(0.4)).abs_diff_eq(Vec3::ONE, 1e-6));
    }

    #[test]
    fn squares_alternate_and_blur() {
        let at = |x, y, w| squares(DVec2::new(x, y), DVec2::splat(w));
        assert!((at(0.5, 0.5, 0.1) - 1.0).abs() < 1e-9 && at(1.5, 0.5, 0.1).abs() < 1e-9);
        assert!((at(-0.5, -0.5, 0.1) - 1.0).abs() < 1e-9 && at(-0.5, 0.5, 0.1).abs() < 1e-9);
        assert!((at(1.0, 0.5, 0.1) - 0.5).abs() < 1e-9, "on an edge");
        // The mean over many points is the closed form.
        let (w, n) = (1.7, 400);
        let mean: f64 = (0..n * n)
            .map(|i| {
                let p = |k: i32| 0.3 + w * ((f64::from(k) + 0.5) / f64::from(n) - 0.5);
                at(p(i % n), p(i / n), 0.0)
            })
            .sum::<f64>()
            / f64::from(n * n);
        assert!((at(0.3, 0.3, w) - mean).abs() < 5e-3, "{mean}");
    }
}
