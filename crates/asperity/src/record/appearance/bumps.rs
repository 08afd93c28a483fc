//! Facets of a surface as pictures show them: the map that makes the friction, and where it lies on the skin.
//!
//! The facet normal at a point of a triangle is m = n + a c_u + b c_v, as [`FacetMap`] has it; (a, b) is looked up at the texture coordinates times the number of images along a unit of them,
//! which is one for each triangle ([`Bumps::coordinates`]).
//!
//! Many materials are rough on a scale far below a pixel, where only the mean of the slopes would be seen: nothing. A map that repeats, and is given in metres, is then drawn enlarged: by the power of
//! two that makes its features as wide as [`VISIBLE`] pixels. A feature is as wide as the square over which the mean of the slopes has lost half of their variance.

use std::sync::Arc;

use asperity_friction::field::Wrap;
use glam::{DVec2, DVec3};

use crate::geometry::SkinMesh;
use crate::patch::{FacetMap, FacetTexel, Relief, Tiling};
use crate::record::{Image, RecordError};

/// Pixels of a picture 400 high that a feature must be wide to be seen.
const VISIBLE: f64 = 4.0;

/// A map on a skin.
#[derive(Clone, Debug)]
pub(in crate::record) struct Bumps {
    pub(in crate::record) map: Arc<FacetMap>,
    /// Where the corners of each triangle are in the map, in images.
    pub(in crate::record) coordinates: Vec<[DVec2; 3]>,
    /// How many times as large as it is the map is drawn.
    pub(in crate::record) enlarged: f64,
    /// Lengths of c_u and c_v: one for maps of slopes; for heights the mean over the skin.
    columns: DVec2,
}

impl Bumps {
    /// The map of a skin with texture coordinates, for pictures with pixels of this length.
    pub(super) fn new(map: &Arc<FacetMap>, skin: &SkinMesh, pixel: f64) -> Option<Self> {
        if skin.uvs.is_empty() {
            return None;
        }
        let enlarged = enlargement(map, pixel);
        let (mut coordinates, mut sum, mut area) = (Vec::with_capacity(skin.triangles.len()), DVec2::ZERO, 0.0);
        for (number, triangle) in skin.triangles.iter().enumerate() {
            let [u, v] = skin.gradients(number).map_or([DVec3::ZERO; 2], |(_, gradients)| gradients);
            let growth = DVec2::new(u.length(), v.length());
            let images = map.images(growth) / enlarged;
            coordinates.push(triangle.map(|c| skin.uvs[c as usize] * images));
            let [a, b, c] = triangle.map(|c| skin.positions[c as usize]);
            let own = (b - a).cross(c - a).length();
            sum += growth * images.abs() * enlarged * own;
            area += own;
        }
        let columns = match map.relief() {
            Relief::Normals => DVec2::ONE,
            Relief::Heights => sum / f64::max(area, f64::MIN_POSITIVE),
        };
        Some(Self { map: Arc::clone(map), coordinates, enlarged, columns })
    }

    /// (a, b) of the texels, rows from the top.
    pub(in crate::record) fn texels(&self) -> impl Iterator<Item = MapTexel> {
        texels(&self.map)
    }

    /// Normals in (tangent, bitangent, normal) as glTF has them: red, green and blue are (m/|m| + 1)/2, green along the bitangent. Of heights whose scale differs over the skin, those of
    /// its mean scale.
    pub(in crate::record) fn normal_image(&self) -> Result<Image, RecordError> {
        let [width, height] = self.map.size();
        let pixel = |texel: MapTexel| {
            let slope = texel.slope * self.columns;
            let m = slope.extend(1.0).normalize();
            let [r, g, b] = m.to_array().map(|c| (127.5 * (c + 1.0)).round() as u8);
            [r, g, b, 255]
        };
        Image::new(width, height, self.texels().map(pixel).collect())
    }

    /// Root of the mean square slope of the facets: how rough the surface looks.
    pub(in crate::record) fn steepness(&self) -> f64 {
        let [width, height] = self.map.size();
        let sum: f64 = self.texels().map(|texel| (texel.slope * self.columns).length_squared()).sum();
        (sum / (f64::from(width) * f64::from(height))).sqrt()
    }
}

/// The texels of a map, rows from the top.
fn texels(map: &FacetMap) -> impl Iterator<Item = MapTexel> {
    let [width, height] = map.size();
    (0..height).flat_map(move |row| {
        (0..width).map(move |column| {
            let size = DVec2::new(f64::from(width), f64::from(height));
            let at = DVec2::new(f64::from(column) + 0.5, f64::from(height - 1 - row) + 0.5) / size;
            let FacetTexel { numbers: slope, weight } = map.at(at);
            MapTexel { slope, weight }
        })
    })
}

/// How many times as large as it is a map is drawn where a pixel has this length.
fn enlargement(map: &FacetMap, pixel: f64) -> f64 {
    let Tiling::Size(size) = map.tiling() else { return 1.0 };
    if map.wrap() != [Wrap::Repeat; 2] || map.relief() != Relief::Normals {
        return 1.0;
    }
    let [width, height] = map.size();
    let texel = (size / DVec2::new(f64::from(width), f64::from(height))).max_element();
    let times = VISIBLE * pixel / (feature(map) * texel);
    if times <= 1.0 || !times.is_finite() { 1.0 } else { 2f64.powf(times.log2().ceil()) }
}

/// Texels along the side of the square over which the mean of the slopes has lost half of their variance.
fn feature(map: &FacetMap) -> f64 {
    let [mut width, mut height] = map.size().map(|n| n as usize);
    let mut slopes: Vec<DVec2> = texels(map).map(|texel| texel.slope).collect();
    let variance = |slopes: &[DVec2]| {
        let mean = slopes.iter().sum::<DVec2>() / slopes.len() as f64;
        slopes.iter().map(|p| (*p - mean).length_squared()).sum::<f64>() / slopes.len() as f64
    };
    let (whole, mut side) = (variance(&slopes), 1.0);
    while width > 1 && height > 1 && variance(&slopes) > 0.5 * whole {
        let (w, h) = (width / 2, height / 2);
        let at = |x: usize, y: usize| slopes[y * width + x];
        let mean = |i: usize| {
            let (x, y) = (2 * (i % w), 2 * (i / w));
            0.25 * (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1))
        };
        slopes = (0..w * h).map(mean).collect();
        (width, height, side) = (w, h, 2.0 * side);
    }
    side
}

/// A texel of a map.
#[derive(Clone, Copy, Debug)]
pub(in crate::record) struct MapTexel {
    /// (a, b).
    pub(in crate::record) slope: DVec2,
    /// Its part of the salience.
    pub(in crate::record) weight: f64,
}
