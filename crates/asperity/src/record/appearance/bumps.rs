//! Facets of a surface as pictures show them: the map that makes the friction, and where it lies on the skin.
//!
//! The facet normal at a point of a triangle is m = n + a c_u + b c_v, as [`FacetMap`] has it; (a, b) is looked up at the texture coordinates times the number of images along a unit of them,
//! which is one for each triangle ([`Bumps::coordinates`]).

use std::sync::Arc;

use glam::{DVec2, DVec3};

use crate::geometry::SkinMesh;
use crate::patch::{FacetMap, Relief};
use crate::record::{Image, RecordError};

/// A map on a skin.
#[derive(Clone, Debug)]
pub(in crate::record) struct Bumps {
    pub(in crate::record) map: Arc<FacetMap>,
    /// Where the corners of each triangle are in the map, in images.
    pub(in crate::record) coordinates: Vec<[DVec2; 3]>,
    /// Lengths of c_u and c_v: one for maps of slopes; for heights the mean over the skin.
    columns: DVec2,
}

impl Bumps {
    /// The map of a skin with texture coordinates.
    pub(super) fn new(map: &Arc<FacetMap>, skin: &SkinMesh) -> Option<Self> {
        if skin.uvs.is_empty() {
            return None;
        }
        let (mut coordinates, mut sum, mut area) = (Vec::with_capacity(skin.triangles.len()), DVec2::ZERO, 0.0);
        for (number, triangle) in skin.triangles.iter().enumerate() {
            let [u, v] = skin.gradients(number).map_or([DVec3::ZERO; 2], |(_, gradients)| gradients);
            let growth = DVec2::new(u.length(), v.length());
            let images = map.images(growth);
            coordinates.push(triangle.map(|c| skin.uvs[c as usize] * images));
            let [a, b, c] = triangle.map(|c| skin.positions[c as usize]);
            let own = (b - a).cross(c - a).length();
            sum += growth * images.abs() * own;
            area += own;
        }
        let columns = match map.relief() {
            Relief::Normals => DVec2::ONE,
            Relief::Heights => sum / f64::max(area, f64::MIN_POSITIVE),
        };
        Some(Self { map: Arc::clone(map), coordinates, columns })
    }

    /// (a, b) of the texels, rows from the top.
    pub(in crate::record) fn texels(&self) -> impl Iterator<Item = MapTexel> {
        let [width, height] = self.map.size();
        (0..height).flat_map(move |row| {
            (0..width).map(move |column| {
                let size = DVec2::new(f64::from(width), f64::from(height));
                let at = DVec2::new(f64::from(column) + 0.5, f64::from(height - 1 - row) + 0.5) / size;
                let (slope, weight) = self.map.at(at);
                MapTexel { slope, weight }
            })
        })
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

/// A texel of a map.
#[derive(Clone, Copy, Debug)]
pub(in crate::record) struct MapTexel {
    /// (a, b).
    pub(in crate::record) slope: DVec2,
    /// Its part of the salience.
    pub(in crate::record) weight: f64,
}
