//! Recordings as glTF 2.0 in one binary file (`.glb`), for Blender and browsers.
//!
//! A node a body; meshes and materials that bodies share are stored once. Moving bodies have channels for translation and
//! rotation, linear between the frames; time begins at zero. Materials show what our pictures show (`coat`): paint, fibres along the grain, facets as normal textures; a camera and lights are those of our
//! pictures (`stage`). Bodies that deform have a morph target for each frame besides (`morph`). Numbers are f32, as the format has it; y is up, as in the
//! simulator. glTF counts v downward, so v becomes 1 − v.

mod buffer;
mod coat;
mod look;
mod morph;
mod stage;

use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use super::appearance::{Toning, Wanted, looks_like};
use super::raster::{Camera, Focus};
use super::{Frame, FrameState, Paint, RecordError, RecordedBody, Recording, Tint};
use buffer::Buffer;
use coat::Sampler;
use look::Look;
use morph::WeightChannel;
pub use morph::{ShapeFrames, shape_frames};
use stage::Stage;

/// What goes into the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GltfSettings {
    /// Writes structure directions as lines.
    pub lines: bool,
    /// Paints fibres along the structure directions.
    pub grain: bool,
    /// Writes facets as normal textures.
    pub relief: bool,
    /// What base colours stand for.
    pub tint: Tint,
    /// The camera; if none, one that shows all that moves.
    pub camera: Option<Camera>,
    /// Against gravity: where light comes from.
    pub up: DVec3,
    /// How many times as wide as high pictures are.
    pub aspect: f64,
}

impl Default for GltfSettings {
    fn default() -> Self {
        Self { lines: false, grain: true, relief: true, tint: Tint::Varying, camera: None, up: DVec3::Y, aspect: 1.6 }
    }
}

/// The recording as the bytes of a `.glb` file.
pub fn to_glb(recording: &Recording, settings: GltfSettings) -> Result<Vec<u8>, RecordError> {
    let mut document = Document::default();
    let (mut nodes, mut meshes) = (Vec::new(), Vec::new());
    let up = settings.up.try_normalize().unwrap_or(DVec3::Y);
    let camera = settings.camera.unwrap_or_else(|| Focus::of(recording).camera(settings.aspect, up));
    // The salience is that of each texel of the map: to see it, the map must be there.
    let relief = settings.relief || settings.tint == Tint::Salience;
    let wanted = Wanted { grain: settings.grain, relief, pixel: camera.pixel() };
    let appearances = recording.appearances(&wanted);
    let span = recording.span().unwrap_or((0.0, 0.0));
    let toning = Toning::of(recording.bodies(), settings.tint, span);
    for (i, body) in recording.bodies().iter().enumerate() {
        let mut node = json!({ "name": body.name });
        if let Some(state) = recording.frames().first().map(|frame| &frame.states[i]) {
            node["translation"] = json!(state.pose.position.as_vec3().to_array());
            node["rotation"] = json!(quaternion(state.pose.rotation.normalize()));
        }
        let look = || Look::new(body, appearances[i].as_deref(), toning, &wanted, span.0);
        let mesh = document.mesh(body, look, settings.lines)?;
        if let Some(mesh) = mesh {
            node["mesh"] = json!(mesh);
        }
        meshes.push(mesh);
        nodes.push(node);
    }
    let shown = shown(recording);
    let weights = document.morph(recording, &meshes, &shown, settings.lines)?;
    let animation = document.animation(recording, &shown, &weights);
    let stage = if nodes.is_empty() { None } else { Some(Stage::new(&camera, camera.axes()?, up, settings.aspect)) };
    Ok(document.finish(nodes, animation, stage))
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
    /// For each mesh the corner of the skin that each of its corners is; none if it has no triangles.
    corners: Vec<Vec<u32>>,
    materials: Vec<Value>,
    /// The paint of each material, and whether it is paint alone.
    paints: Vec<(Paint, bool)>,
    line_material: Option<usize>,
    textures: Vec<Value>,
    images: Vec<Value>,
    samplers: Vec<Sampler>,
}

impl Document {
    /// The mesh of a body; none if it has no surface.
    fn mesh<'a>(
        &mut self,
        body: &RecordedBody,
        look: impl Fn() -> Look<'a>,
        lines: bool,
    ) -> Result<Option<usize>, RecordError> {
        let same = |other: &RecordedBody| {
            body.deforming.is_none()
                && other.deforming.is_none()
                && looks_like(other, body)
                && other.paint == body.paint
                && (!lines || other.structure == body.structure)
        };
        if let Some(known) = self.sources.iter().position(same) {
            return Ok(Some(known));
        }
        let mut primitives = Vec::new();
        if body.skin.triangles.is_empty() {
            self.corners.push(Vec::new());
        } else {
            primitives.push(self.triangles(body, &look())?);
        }
        if lines && !body.structure.is_empty() {
            primitives.push(self.lines(body));
        }
        if primitives.is_empty() {
            self.corners.pop();
            return Ok(None);
        }
        self.meshes.push(json!({ "name": body.name, "primitives": primitives }));
        self.sources.push(body.clone());
        Ok(Some(self.meshes.len() - 1))
    }

    fn lines(&mut self, body: &RecordedBody) -> Value {
        let points: Vec<[f32; 3]> = body.structure.iter().flatten().map(|x| x.as_vec3().to_array()).collect();
        let material = *self.line_material.get_or_insert_with(|| {
            // No paint is the one of lines.
            self.paints.push((Paint::Color([0; 3]), false));
            self.materials.push(json!({
                "name": "structure",
                "pbrMetallicRoughness": { "baseColorFactor": [0.015, 0.025, 0.05, 1.0], "metallicFactor": 0.0 },
            }));
            self.materials.len() - 1
        });
        json!({ "attributes": { "POSITION": self.buffer.points(&points) }, "material": material, "mode": 1 })
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
    fn finish(self, mut nodes: Vec<Value>, animation: Option<Value>, stage: Option<Stage>) -> Vec<u8> {
        let mut root =
            json!({ "asset": { "version": "2.0", "generator": concat!("asperity ", env!("CARGO_PKG_VERSION")) } });
        let mut cameras = Vec::new();
        if let Some(Stage { nodes: seen, camera, lights }) = stage {
            nodes.extend(seen);
            cameras.push(camera);
            root["extensionsUsed"] = json!(["KHR_lights_punctual"]);
            root["extensions"] = json!({ "KHR_lights_punctual": { "lights": lights } });
        }
        if !nodes.is_empty() {
            root["scene"] = json!(0);
            root["scenes"] = json!([{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }]);
        }
        let Buffer { bytes, views, accessors } = self.buffer;
        // The format does not allow empty lists.
        for (key, list) in [
            ("nodes", nodes),
            ("cameras", cameras),
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("textures", self.textures),
            ("images", self.images),
            ("samplers", self.samplers.iter().map(Sampler::json).collect()),
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
