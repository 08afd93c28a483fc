//! Materials and textures: paint, fibres and facets.
//!
//! With fibres, or colours that stand for a coefficient, the base colour is an image of the charts of the skin ([`Look`]). Facets are a normal texture with the coordinates of their map, so that it repeats on the body as
//! in the map. The tangents of the skin go with it: red is along the tangent t, green along n × t, as the format has it for w = 1.

use std::collections::HashMap;

use asperity_friction::field::Wrap;
use glam::{DVec2, DVec3};
use serde_json::{Value, json};

use super::Document;
use super::look::Look;
use crate::patch::Filter;
use crate::record::appearance::Bumps;
use crate::record::raster::color::{linear_rgb, srgb};
use crate::record::raster::{DARKER, plane_axes};
use crate::record::{Image, Paint, RecordError, RecordedBody};

/// Roughness of surfaces without facets, and of those with very steep ones.
const ROUGHNESS: [f64; 2] = [0.7, 0.95];

/// How a texture is looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sampler {
    filter: Filter,
    wrap: [Wrap; 2],
}

impl Sampler {
    const SMOOTH: Self = Self { filter: Filter::Linear, wrap: [Wrap::Repeat; 2] };
    const SHARP: Self = Self { filter: Filter::Nearest, ..Self::SMOOTH };
    const BOUNDED: Self = Self { wrap: [Wrap::Clamp; 2], ..Self::SMOOTH };

    pub(super) fn json(&self) -> Value {
        let wrap = |wrap: Wrap| if wrap == Wrap::Clamp { 33071 } else { 10497 };
        let near = if self.filter == Filter::Nearest { 9728 } else { 9729 };
        // Far away always averages.
        json!({ "magFilter": near, "minFilter": 9987, "wrapS": wrap(self.wrap[0]), "wrapT": wrap(self.wrap[1]) })
    }
}

/// The corners of a mesh in a file: corners of the skin, some of them several times where texture coordinates jump.
#[derive(Default)]
pub(super) struct MeshCorners {
    /// For each the corner of the skin.
    pub(super) of: Vec<u32>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Coordinates of the base colour and of the normals; empty where there is no such texture.
    base: Vec<[f32; 2]>,
    normal: Vec<[f32; 2]>,
}

impl MeshCorners {
    /// The corners of a body.
    pub(super) fn of(body: &RecordedBody, look: &Look) -> Self {
        let skin = &*body.skin;
        let (charts, bumps) = (look.charts(), look.bumps());
        let one_color = look.one_color().is_some();
        let base = |t: usize, k: usize| -> Option<[f32; 2]> {
            let c = skin.triangles[t][k] as usize;
            if one_color {
                return None;
            }
            if let Some(atlas) = charts {
                let [width, height] = atlas.size;
                let at = atlas.corners[t][k];
                return Some([(at.x / width as f64) as f32, (at.y / height as f64) as f32]);
            }
            match &body.paint {
                Paint::Color(_) => None,
                Paint::Texture(_) => skin.uvs.get(c).map(|uv| downward(*uv)),
                Paint::Checker { cell, .. } => {
                    Some(plane_axes(skin.normals[c]).map(|axis| (skin.positions[c][axis] / (2.0 * cell)) as f32))
                }
            }
        };
        let normal = |t: usize, k: usize| bumps.map(|Bumps { coordinates, .. }| downward(coordinates[t][k]));
        let mut corners = Self::default();
        let mut known = HashMap::new();
        // Corners keep their order and their number where nothing jumps.
        let whole = charts.is_none() && bumps.is_none();
        for (t, triangle) in skin.triangles.iter().enumerate() {
            let number = [0, 1, 2].map(|k| {
                let (a, b) = (base(t, k), normal(t, k));
                let bits = |uv: Option<[f32; 2]>| uv.map(|uv| uv.map(f32::to_bits));
                *known.entry((triangle[k], bits(a), bits(b))).or_insert_with(|| {
                    corners.of.push(triangle[k]);
                    corners.base.extend(a);
                    corners.normal.extend(b);
                    corners.of.len() as u32 - 1
                })
            });
            corners.triangles.push(number);
        }
        if whole { corners.in_order(body, base) } else { corners }
    }

    /// The corners of the skin as they are.
    fn in_order(self, body: &RecordedBody, base: impl Fn(usize, usize) -> Option<[f32; 2]>) -> Self {
        let skin = &*body.skin;
        let mut at = vec![None; skin.positions.len()];
        for (t, triangle) in skin.triangles.iter().enumerate() {
            (0..3).for_each(|k| at[triangle[k] as usize] = base(t, k));
        }
        let any = at.iter().any(Option::is_some);
        Self {
            of: (0..skin.positions.len() as u32).collect(),
            triangles: skin.triangles.clone(),
            base: if any { at.into_iter().map(Option::unwrap_or_default).collect() } else { Vec::new() },
            normal: Vec::new(),
        }
    }
}

/// The format counts v downward.
fn downward(uv: DVec2) -> [f32; 2] {
    [uv.x as f32, (1.0 - uv.y) as f32]
}

impl Document {
    /// The triangles of a body; their corners are kept for its morph targets.
    pub(super) fn triangles(&mut self, body: &RecordedBody, look: &Look) -> Result<Value, RecordError> {
        let skin = &*body.skin;
        let corners = MeshCorners::of(body, look);
        let pick = |of: &[DVec3]| -> Vec<[f32; 3]> {
            corners.of.iter().map(|&c| of[c as usize].as_vec3().to_array()).collect()
        };
        // A corner without a normal gets any: the format wants unit vectors.
        let units: Vec<DVec3> = skin.normals.iter().map(|n| n.normalize_or(DVec3::Y)).collect();
        let mut attributes = json!({
            "POSITION": self.buffer.points(&pick(&skin.positions)),
            "NORMAL": self.buffer.vectors(&pick(&units)),
        });
        let sets = [&corners.base, &corners.normal];
        for (set, uvs) in sets.into_iter().filter(|uvs| !uvs.is_empty()).enumerate() {
            attributes[format!("TEXCOORD_{set}")] = json!(self.buffer.vectors(uvs));
        }
        if !corners.normal.is_empty() {
            let tangent = |&c: &u32| {
                let (t, n) = (skin.tangents[c as usize], units[c as usize]);
                let t = t.reject_from_normalized(n).try_normalize().unwrap_or_else(|| n.any_orthonormal_vector());
                t.as_vec3().extend(1.0).to_array()
            };
            let tangents: Vec<[f32; 4]> = corners.of.iter().map(tangent).collect();
            attributes["TANGENT"] = json!(self.buffer.vectors(&tangents));
        }
        let material = self.material(body, look)?;
        let indices = self.buffer.indices(corners.triangles.as_flattened());
        self.corners.push(corners.of);
        Ok(json!({ "attributes": attributes, "indices": indices, "material": material, "mode": 4 }))
    }

    /// The material of a body: that of another one if both look the same.
    fn material(&mut self, body: &RecordedBody, look: &Look) -> Result<usize, RecordError> {
        let plain = look.is_paint_alone();
        let same = |(paint, other): &(Paint, bool)| *other && plain && *paint == body.paint;
        if let Some(known) = self.paints.iter().position(same) {
            return Ok(known);
        }
        let bumps = look.bumps();
        let matte = bumps.map_or(0.0, |bumps| 1.0 - 1.0 / (1.0 + bumps.steepness()));
        let roughness = ROUGHNESS[0] + matte * (ROUGHNESS[1] - ROUGHNESS[0]);
        let mut surface = json!({ "metallicFactor": 0.0, "roughnessFactor": roughness });
        let base = match (look.charts(), &body.paint) {
            _ if look.one_color().is_some() => {
                let color = look.one_color().unwrap_or_default();
                surface["baseColorFactor"] = json!(color.extend(1.0).to_array());
                None
            }
            (Some(charts), _) => Some((look.image(body, charts)?, Sampler::BOUNDED)),
            (None, Paint::Color(rgb)) => {
                surface["baseColorFactor"] = json!(linear_rgb(*rgb).extend(1.0).to_array());
                None
            }
            (None, Paint::Texture(image)) => Some((Image::clone(image), Sampler::SMOOTH)),
            (None, Paint::Checker { color, .. }) => {
                let [r, g, b] = *color;
                let [dr, dg, db] = srgb(linear_rgb(*color) * DARKER);
                let (light, dark) = ([r, g, b, 255], [dr, dg, db, 255]);
                Some((Image::new(2, 2, vec![light, dark, dark, light])?, Sampler::SHARP))
            }
        };
        let mut material = json!({ "name": body.name, "doubleSided": true });
        let textured = base.is_some();
        if let Some((image, sampler)) = base {
            let name = look.kind().map_or_else(|| body.name.clone(), |kind| format!("{}: {kind}", body.name));
            surface["baseColorTexture"] = json!({ "index": self.texture(&name, &image, sampler)? });
        }
        if let Some(bumps) = bumps {
            let sampler = Sampler { filter: bumps.map.filter(), wrap: bumps.map.wrap() };
            let index = self.texture(&format!("{}: facets", body.name), &bumps.normal_image()?, sampler)?;
            let set = u8::from(textured);
            material["normalTexture"] = json!({ "index": index });
            if set > 0 {
                material["normalTexture"]["texCoord"] = json!(set);
            }
        }
        material["pbrMetallicRoughness"] = surface;
        self.paints.push((body.paint.clone(), plain));
        self.materials.push(material);
        Ok(self.materials.len() - 1)
    }

    fn texture(&mut self, name: &str, image: &Image, sampler: Sampler) -> Result<usize, RecordError> {
        let view = self.buffer.bytes(&image.to_png()?);
        let known = self.samplers.iter().position(|other| *other == sampler);
        let sampler = known.unwrap_or_else(|| {
            self.samplers.push(sampler);
            self.samplers.len() - 1
        });
        self.images.push(json!({ "name": name, "bufferView": view, "mimeType": "image/png" }));
        self.textures.push(json!({ "source": self.images.len() - 1, "sampler": sampler }));
        Ok(self.textures.len() - 1)
    }
}
