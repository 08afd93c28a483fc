//! Recordings as glTF 2.0 in one binary file (`.glb`), for Blender and browsers.
//!
//! A node a body; meshes and materials that bodies share are stored once. Moving bodies have channels for translation and
//! rotation, linear between the frames; time begins at zero. Bodies that deform have a morph target for each frame besides (`morph`). Numbers are f32, as the format has it; y is up, as in the
//! simulator. glTF counts v downward, so v becomes 1 − v.

mod buffer;
mod morph;

use std::sync::Arc;

use glam::DQuat;
use serde_json::{Value, json};

use super::raster::{DARKER, plane_axes};
use super::{Frame, FrameState, Image, Paint, RecordError, RecordedBody, Recording};
use buffer::Buffer;
use morph::WeightChannel;
pub use morph::{ShapeFrames, shape_frames};

/// Rougher than most paints, so that viewers without surroundings show shapes well.
const ROUGHNESS: f64 = 0.75;

/// What goes into the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GltfSettings {
    /// Writes structure directions as lines.
    pub structure: bool,
}

/// The recording as the bytes of a `.glb` file.
pub fn to_glb(recording: &Recording, settings: GltfSettings) -> Result<Vec<u8>, RecordError> {
    let mut document = Document::default();
    let (mut nodes, mut meshes) = (Vec::new(), Vec::new());
    for (i, body) in recording.bodies().iter().enumerate() {
        let mut node = json!({ "name": body.name });
        if let Some(state) = recording.frames().first().map(|frame| &frame.states[i]) {
            node["translation"] = json!(state.pose.position.as_vec3().to_array());
            node["rotation"] = json!(quaternion(state.pose.rotation.normalize()));
        }
        let mesh = document.mesh(body, settings)?;
        if let Some(mesh) = mesh {
            node["mesh"] = json!(mesh);
        }
        meshes.push(mesh);
        nodes.push(node);
    }
    let shown = shown(recording);
    let weights = document.morph(recording, &meshes, &shown, settings.structure)?;
    let animation = document.animation(recording, &shown, &weights);
    Ok(document.finish(nodes, animation))
}

/// The frames of the animation. Times that are one in f32 would not increase: only the first of such frames is kept.
fn shown(recording: &Recording) -> Vec<usize> {
    let Ok((start, _)) = recording.span() else { return Vec::new() };
    let mut last = None;
    let mut later = |t: f64| {
        let t = (t - start) as f32;
        let later = last.is_none_or(|last| t > last);
        last = if later { Some(t) } else { last };
        later
    };
    recording.frames().iter().enumerate().filter(|(_, frame)| later(frame.t)).map(|(i, _)| i).collect()
}

/// The parts of a document as they grow.
#[derive(Default)]
struct Document {
    buffer: Buffer,
    meshes: Vec<Value>,
    /// The bodies that the meshes are of.
    sources: Vec<RecordedBody>,
    materials: Vec<Value>,
    paints: Vec<Paint>,
    line_material: Option<usize>,
    textures: Vec<Value>,
    images: Vec<Value>,
}

impl Document {
    /// The mesh of a body; none if it has no surface.
    fn mesh(&mut self, body: &RecordedBody, settings: GltfSettings) -> Result<Option<usize>, RecordError> {
        let same = |other: &RecordedBody| {
            body.deforming.is_none()
                && other.deforming.is_none()
                && Arc::ptr_eq(&other.skin, &body.skin)
                && other.paint == body.paint
                && (!settings.structure || other.structure == body.structure)
        };
        if let Some(known) = self.sources.iter().position(same) {
            return Ok(Some(known));
        }
        let mut primitives = Vec::new();
        if !body.skin.triangles.is_empty() {
            primitives.push(self.triangles(body)?);
        }
        if settings.structure && !body.structure.is_empty() {
            primitives.push(self.lines(body));
        }
        if primitives.is_empty() {
            return Ok(None);
        }
        self.meshes.push(json!({ "name": body.name, "primitives": primitives }));
        self.sources.push(body.clone());
        Ok(Some(self.meshes.len() - 1))
    }

    fn triangles(&mut self, body: &RecordedBody) -> Result<Value, RecordError> {
        let skin = &*body.skin;
        let material = self.material(&body.paint)?;
        let positions: Vec<[f32; 3]> = skin.positions.iter().map(|x| x.as_vec3().to_array()).collect();
        // A corner without a normal gets any: the format wants unit vectors.
        let normals: Vec<[f32; 3]> =
            skin.normals.iter().map(|n| n.normalize_or(glam::DVec3::Y).as_vec3().to_array()).collect();
        let mut attributes =
            json!({ "POSITION": self.buffer.points(&positions), "NORMAL": self.buffer.vectors(&normals) });
        let uvs: Vec<[f32; 2]> = match &body.paint {
            Paint::Checker { cell, .. } => {
                let uv =
                    |(x, n): (&glam::DVec3, &glam::DVec3)| plane_axes(*n).map(|axis| (x[axis] / (2.0 * cell)) as f32);
                skin.positions.iter().zip(&skin.normals).map(uv).collect()
            }
            _ => skin.uvs.iter().map(|uv| [uv.x as f32, (1.0 - uv.y) as f32]).collect(),
        };
        if !uvs.is_empty() {
            attributes["TEXCOORD_0"] = json!(self.buffer.vectors(&uvs));
        }
        let indices = self.buffer.indices(skin.triangles.as_flattened());
        Ok(json!({ "attributes": attributes, "indices": indices, "material": material, "mode": 4 }))
    }

    fn lines(&mut self, body: &RecordedBody) -> Value {
        let points: Vec<[f32; 3]> = body.structure.iter().flatten().map(|x| x.as_vec3().to_array()).collect();
        let material = *self.line_material.get_or_insert_with(|| {
            self.paints.push(Paint::Color([0; 3]));
            self.materials.push(json!({
                "name": "structure",
                "pbrMetallicRoughness": { "baseColorFactor": [0.015, 0.025, 0.05, 1.0], "metallicFactor": 0.0 },
            }));
            self.materials.len() - 1
        });
        json!({ "attributes": { "POSITION": self.buffer.points(&points) }, "material": material, "mode": 1 })
    }

    /// The material of a paint.
    fn material(&mut self, paint: &Paint) -> Result<usize, RecordError> {
        let found = self.paints.iter().position(|known| known == paint);
        if let Some(known) = found.filter(|&known| Some(known) != self.line_material) {
            return Ok(known);
        }
        let mut surface = json!({ "metallicFactor": 0.0, "roughnessFactor": ROUGHNESS });
        let linear = |rgb: [u8; 3]| super::raster::color::linear_rgb(rgb);
        match paint {
            Paint::Color(rgb) => surface["baseColorFactor"] = json!(linear(*rgb).extend(1.0).to_array()),
            Paint::Texture(image) => surface["baseColorTexture"] = json!({ "index": self.texture(image, 0)? }),
            Paint::Checker { color: [r, g, b], .. } => {
                let [dr, dg, db] = super::raster::color::srgb(linear([*r, *g, *b]) * DARKER);
                let (light, dark) = ([*r, *g, *b, 255], [dr, dg, db, 255]);
                let squares = Image::new(2, 2, vec![light, dark, dark, light])?;
                surface["baseColorTexture"] = json!({ "index": self.texture(&squares, 1)? });
            }
        }
        self.paints.push(paint.clone());
        self.materials.push(json!({ "pbrMetallicRoughness": surface, "doubleSided": true }));
        Ok(self.materials.len() - 1)
    }

    /// A texture that repeats, with the filters of a sampler: 0 smooth, 1 sharp.
    fn texture(&mut self, image: &Image, sampler: usize) -> Result<usize, RecordError> {
        let view = self.buffer.bytes(&image.to_png()?);
        self.images.push(json!({ "bufferView": view, "mimeType": "image/png" }));
        self.textures.push(json!({ "source": self.images.len() - 1, "sampler": sampler }));
        Ok(self.textures.len() - 1)
    }

    /// Translations and rotations of all moving bodies, and weights of targets; `None` if nothing moves.
    fn animation(&mut self, recording: &Recording, shown: &[usize], weights: &[WeightChannel]) -> Option<Value> {
        let start = recording.span().ok()?.0;
        let frames: Vec<&Frame> = shown.iter().map(|&i| &recording.frames()[i]).collect();
        let times: Vec<f32> = frames.iter().map(|frame| (frame.t - start) as f32).collect();
        let moving: Vec<usize> = (0..recording.bodies().len()).filter(|&i| recording.bodies()[i].moving).collect();
        if times.len() < 2 || moving.is_empty() {
            return None;
        }
        let input = self.buffer.times(&times);
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for node in moving {
            let states: Vec<&FrameState> = frames.iter().map(|frame| &frame.states[node]).collect();
            let places: Vec<[f32; 3]> = states.iter().map(|state| state.pose.position.as_vec3().to_array()).collect();
            let outputs =
                [("translation", self.buffer.values(&places)), ("rotation", self.buffer.values(&continuous(&states)))];
            for (path, output) in outputs {
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
                samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            }
        }
        for WeightChannel { node, input, output } in weights {
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": "weights" } }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        }
        Some(json!({ "name": "run", "samplers": samplers, "channels": channels }))
    }

    /// The file: a header, the description and the numbers.
    fn finish(self, nodes: Vec<Value>, animation: Option<Value>) -> Vec<u8> {
        let mut root =
            json!({ "asset": { "version": "2.0", "generator": concat!("asperity ", env!("CARGO_PKG_VERSION")) } });
        if !nodes.is_empty() {
            root["scene"] = json!(0);
            root["scenes"] = json!([{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }]);
        }
        let samplers = if self.textures.is_empty() {
            Vec::new()
        } else {
            // Linear with averages, repeating; and the same with sharp edges when seen from near by.
            [9729, 9728]
                .map(|near| json!({ "magFilter": near, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497 }))
                .into()
        };
        let Buffer { bytes, views, accessors } = self.buffer;
        // The format does not allow empty lists.
        for (key, list) in [
            ("nodes", nodes),
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("textures", self.textures),
            ("images", self.images),
            ("samplers", samplers),
            ("animations", animation.into_iter().collect()),
            ("bufferViews", views),
            ("accessors", accessors),
        ] {
            if !list.is_empty() {
                root[key] = Value::Array(list);
            }
        }
        if !bytes.is_empty() {
            root["buffers"] = json!([{ "byteLength": bytes.len() }]);
        }
        buffer::pack(root.to_string().into_bytes(), bytes)
    }
}

/// Rotations such that neighbours are on the same side of the unit sphere: q and −q turn alike, but not halfway between.
fn continuous(states: &[&FrameState]) -> Vec<[f32; 4]> {
    // The first one is as it stands, like in the node.
    let mut last = states.first().map_or(DQuat::IDENTITY, |first| first.pose.rotation);
    let next = |state: &&FrameState| {
        let q = state.pose.rotation.normalize();
        last = if q.dot(last) < 0.0 { -q } else { q };
        quaternion(last)
    };
    states.iter().map(next).collect()
}

/// In the order of the format: x, y, z, w.
fn quaternion(q: DQuat) -> [f32; 4] {
    q.as_quat().to_array()
}

#[cfg(test)]
mod tests;
