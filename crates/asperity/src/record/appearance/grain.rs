//! Grain as fibres: a line-integral convolution (Cabral and Leedom 1993) of the structure field that makes the friction.
//!
//! Every texel of an [`Atlas`] has the direction d of the field at its place of the surface. Its value is the mean of a noise along the line of the field through it,
//!
//!   v(x) = Σ_k w_k N(x_k),   x_0 = x,   x_{k+1} = x_k ± d(x_k ± d(x_k)/2),
//!
//! so that values hardly change along the field and much across it: fibres. The noise is one of the place in space, of cells [`CELL`] texels wide, so that fibres go on from one chart to
//! the next. The sign of d does not matter: each step goes on in the direction of the last one. Values are brought to mean ½ and deviation [`DEVIATION`].

use asperity_friction::FrictionError;
use glam::{DVec2, DVec3, Vec2};
use rayon::prelude::*;

use super::atlas::{Atlas, Cover, NONE};
use crate::body::Surface;
use crate::geometry::SkinMesh;

/// Most texels of fibres that stay, and of those that are made again for every picture.
pub(super) const MOST_TEXELS: [usize; 2] = [1 << 20, 1 << 17];
/// Steps of a line in each direction, of one texel each.
const STEPS: usize = 18;
/// Side of a cell of the noise, in texels.
const CELL: f64 = 1.7;
/// Deviation of the values.
const DEVIATION: f32 = 0.24;
/// Part of a direction in the surface below which it stands upright, and no fibre is seen.
const UPRIGHT: f64 = 1e-6;
/// The value where there is no grain.
const PLAIN: u8 = 128;

/// Fibres of a skin.
#[derive(Clone, Debug)]
pub(in crate::record) struct Grain {
    pub(in crate::record) atlas: Atlas,
    /// Values from 0 (between fibres) to 255 (a fibre), row by row, and their averages over 2×2, 4×4, … texels, up to the margin of charts.
    levels: Vec<Level>,
    /// Whether the field is another one at another time.
    pub(in crate::record) changes: bool,
}

/// Values of an image, or averages of them.
#[derive(Clone, Debug)]
struct Level {
    size: [usize; 2],
    values: Vec<u8>,
}

impl Level {
    fn halved(&self) -> Self {
        let size = self.size.map(|n| n.div_ceil(2));
        let at = |x: usize, y: usize| {
            u32::from(self.values[y.min(self.size[1] - 1) * self.size[0] + x.min(self.size[0] - 1)])
        };
        let mean = |i: usize| {
            let (x, y) = (2 * (i % size[0]), 2 * (i / size[0]));
            ((at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1) + 2) / 4) as u8
        };
        Self { size, values: (0..size[0] * size[1]).map(mean).collect() }
    }

    /// Between the four values around a place, in texels of this level.
    fn between(&self, at: DVec2) -> f32 {
        let place = |c: f64, n: usize| (c - 0.5).clamp(0.0, (n - 1) as f64);
        let (x, y) = (place(at.x, self.size[0]), place(at.y, self.size[1]));
        let (left, top) = (x as usize, y as usize);
        let (right, below) = ((left + 1).min(self.size[0] - 1), (top + 1).min(self.size[1] - 1));
        let (s, t) = ((x - left as f64) as f32, (y - top as f64) as f32);
        let value = |x: usize, y: usize| f32::from(self.values[y * self.size[0] + x]);
        let upper = value(left, top) + s * (value(right, top) - value(left, top));
        let lower = value(left, below) + s * (value(right, below) - value(left, below));
        (upper + t * (lower - upper)) / 255.0
    }
}

impl Grain {
    /// The fibres of a surface with structure on its skin, in texels of about this length, as they are at a time; `None` for skins of too many charts.
    pub(super) fn new(surface: &Surface, skin: &SkinMesh, texel: f64, time: f64) -> Option<Self> {
        let changes = surface.structure.as_ref().or(surface.tangent.as_ref()).is_some_and(|field| field.changes());
        let atlas = Atlas::new(skin, texel, MOST_TEXELS[usize::from(changes)])?;
        let levels = levels(Fibres::bake(&atlas, surface, skin, time), &atlas);
        Some(Self { atlas, levels, changes })
    }

    /// The same at another time.
    pub(in crate::record) fn at(&self, surface: &Surface, skin: &SkinMesh, time: f64) -> Self {
        let levels = levels(Fibres::bake(&self.atlas, surface, skin, time), &self.atlas);
        Self { atlas: self.atlas.clone(), levels, changes: self.changes }
    }

    /// The values, row by row.
    pub(in crate::record) fn values(&self) -> &[u8] {
        &self.levels[0].values
    }

    /// The value at a place of the image for a pixel that covers `footprint` texels, from 0 to 1.
    pub(in crate::record) fn sample(&self, at: DVec2, footprint: f64) -> f32 {
        let depth = footprint.max(1.0).log2().min((self.levels.len() - 1) as f64);
        let level = depth as usize;
        let value = |level: usize| self.levels[level].between(at / f64::from(1u32 << level));
        let finer = value(level);
        if depth > level as f64 { finer + (depth - level as f64) as f32 * (value(level + 1) - finer) } else { finer }
    }
}

/// An image and its averages.
fn levels(values: Vec<u8>, atlas: &Atlas) -> Vec<Level> {
    let mut levels = vec![Level { size: atlas.size, values }];
    for _ in 0..atlas.margin.ilog2() {
        levels.extend(levels.last().map(Level::halved));
    }
    levels
}

/// What lines are followed through.
struct Fibres<'a> {
    atlas: &'a Atlas,
    owner: Vec<u32>,
    directions: Vec<Vec2>,
    noise: Vec<f32>,
}

impl<'a> Fibres<'a> {
    fn bake(atlas: &'a Atlas, surface: &Surface, skin: &SkinMesh, time: f64) -> Vec<u8> {
        let Cover { owner, continued } = atlas.cover();
        let width = atlas.size[0];
        let place = |i: usize, t: u32| {
            let w = atlas.weights(t, DVec2::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5));
            let [a, b, c] = skin.triangles[t as usize].map(|c| skin.positions[c as usize]);
            (a * w[0] + b * w[1] + c * w[2], (b - a).cross(c - a).normalize_or_zero())
        };
        let mut inside = vec![true; owner.len()];
        continued.iter().for_each(|[to, _]| inside[*to as usize] = false);
        let direction = |i: usize| match owner[i] {
            t if t != NONE && inside[i] => {
                let (position, normal) = place(i, t);
                // Where a field has no value no fibres are drawn; the law that asks for it there says what is wrong.
                direction_in(atlas.axes(t), surface, position, normal, time).unwrap_or(Vec2::ZERO)
            }
            _ => Vec2::ZERO,
        };
        let noise = |i: usize| match owner[i] {
            NONE => 0.5,
            t => noise(place(i, t).0 / (CELL * atlas.texel)),
        };
        let mut directions: Vec<Vec2> = (0..owner.len()).into_par_iter().map(direction).collect();
        continued.iter().for_each(|[to, from]| directions[*to as usize] = directions[*from as usize]);
        let noise = (0..owner.len()).into_par_iter().map(noise).collect();
        let fibres = Self { atlas, owner, directions, noise };
        let lines: Vec<f32> = (0..fibres.owner.len()).into_par_iter().map(|i| fibres.line(i)).collect();
        fibres.spread(&lines)
    }

    /// The texel at a place, if it is in the chart of a triangle.
    #[inline]
    fn texel(&self, at: Vec2, chart: u32) -> Option<usize> {
        let [width, height] = self.atlas.size;
        if !(at.x >= 0.0 && at.y >= 0.0 && at.x < width as f32 && at.y < height as f32) {
            return None;
        }
        let texel = at.y as usize * width + at.x as usize;
        (self.owner[texel] != NONE && self.atlas.together(self.owner[texel], chart)).then_some(texel)
    }

    /// The noise between the texels around a place.
    #[inline]
    fn noise_at(&self, at: Vec2) -> f32 {
        let [width, height] = self.atlas.size;
        let p = (at - 0.5).clamp(Vec2::ZERO, Vec2::new((width - 2) as f32, (height - 2) as f32));
        let (x, y) = (p.x as usize, p.y as usize);
        let (s, t) = (p.x - x as f32, p.y - y as f32);
        let row = |y: usize| {
            let first = y * width + x;
            self.noise[first] + s * (self.noise[first + 1] - self.noise[first])
        };
        row(y) + t * (row(y + 1) - row(y))
    }

    /// Mean of the noise along the line through a texel.
    fn line(&self, texel: usize) -> f32 {
        let (chart, start) = (self.owner[texel], self.directions[texel]);
        if chart == NONE || start == Vec2::ZERO {
            return 0.5;
        }
        let width = self.atlas.size[0];
        let middle = Vec2::new((texel % width) as f32 + 0.5, (texel / width) as f32 + 0.5);
        let (mut sum, mut weights) = (self.noise[texel], 1.0);
        for sign in [1.0, -1.0] {
            let (mut at, mut along) = (middle, start * sign);
            for k in 1..=STEPS {
                let Some(half) = self.texel(at + 0.5 * along, chart) else { break };
                let direction = self.directions[half];
                let direction = if direction.dot(along) < 0.0 { -direction } else { direction };
                if direction == Vec2::ZERO {
                    break;
                }
                (at, along) = (at + direction, direction);
                if self.texel(at, chart).is_none() {
                    break;
                }
                let weight = 1.0 - k as f32 / (STEPS + 1) as f32;
                sum += weight * self.noise_at(at);
                weights += weight;
            }
        }
        sum / weights
    }

    /// Values with mean ½ and the deviation that is wanted, as bytes.
    fn spread(&self, lines: &[f32]) -> Vec<u8> {
        let grained =
            || lines.iter().zip(&self.directions).filter(|(_, d)| **d != Vec2::ZERO).map(|(v, _)| f64::from(*v));
        let count = grained().count().max(1) as f64;
        let mean = grained().sum::<f64>() / count;
        let deviation = (grained().map(|v| (v - mean) * (v - mean)).sum::<f64>() / count).sqrt().max(1e-6);
        let value = |(v, d): (&f32, &Vec2)| {
            if *d == Vec2::ZERO {
                return PLAIN;
            }
            let v = 0.5 + DEVIATION * (v - mean as f32) / deviation as f32;
            (255.0 * v.clamp(0.0, 1.0)).round() as u8
        };
        lines.iter().zip(&self.directions).map(value).collect()
    }
}

/// The direction of the field at a place, as a unit vector along the axes of a chart; zero where it has none in the surface.
fn direction_in(
    axes: [DVec3; 2],
    surface: &Surface,
    position: DVec3,
    normal: DVec3,
    time: f64,
) -> Result<Vec2, FrictionError> {
    let s = surface.fibre_at(&surface.point(position, normal), normal, time)?;
    let along = s - normal * s.dot(normal);
    if along.length() <= UPRIGHT * s.length() {
        return Ok(Vec2::ZERO);
    }
    Ok(DVec2::new(along.dot(axes[0]), along.dot(axes[1])).normalize_or_zero().as_vec2())
}

/// A smooth noise of the place, from 0 to 1: random numbers at whole coordinates, linear between them.
fn noise(x: DVec3) -> f32 {
    let low = x.floor();
    let f = (x - low).as_vec3();
    let [i, j, k] = low.to_array().map(|c| c as i64);
    let at = |a: i64, b: i64, c: i64| random(i + a, j + b, k + c);
    let mix = |a: f32, b: f32, t: f32| a + t * (b - a);
    let plane = |c: i64| mix(mix(at(0, 0, c), at(1, 0, c), f.x), mix(at(0, 1, c), at(1, 1, c), f.x), f.y);
    mix(plane(0), plane(1), f.z)
}

/// A number from 0 to 1 for each cell: the end of SplitMix64 (Steele, Lea and Flood 2014).
#[inline]
fn random(i: i64, j: i64, k: i64) -> f32 {
    let mut z = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (j as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ (k as u64).wrapping_mul(0x1656_67b1_9e37_79f9);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
}
