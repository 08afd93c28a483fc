//! Shapes of bodies that deform: one morph target a frame.
//!
//! The node of a body moves with the rigid motion that is nearest to its vertices; a target holds what is left, in the body's frame: Rᵀ (x − p) − X for each
//! corner, and the difference of the normals. At the time of its frame the weight of a target is 1 and that of all others 0; between two frames
//! both change linearly, so that shapes go over into each other.
//!
//! A target of n corners takes 24 n bytes, and viewers keep all of them on the graphics card. Beyond [`MOST_TARGETS`] frames, or [`MOST_BYTES`] for all bodies
//! together, frames are left out evenly; the first and the last stay. Poses keep all frames. The VTK series has every frame.

use std::sync::Arc;

use glam::DVec3;
use serde_json::{Value, json};

use super::Document;
use crate::geometry::{DeformedSkin, Pose};
use crate::record::{MeshFrame, RecordError, RecordedBody, Recording};

/// Targets of a mesh at most: WebGL 2 promises 256 layers of a texture, in which viewers keep them.
const MOST_TARGETS: usize = 256;
/// Bytes of all targets at most.
const MOST_BYTES: usize = 64 << 20;
/// Bytes of a corner in a target: a position and a normal.
const CORNER: usize = 24;

/// How many frames of a recording have the shapes of bodies that deform in a glTF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeFrames {
    /// Frames with shapes.
    pub kept: usize,
    /// Frames of the recording.
    pub of: usize,
}

/// How many frames have shapes in the file of [`super::to_glb`]; `None` if no body deforms.
pub fn shape_frames(recording: &Recording) -> Option<ShapeFrames> {
    let corners: usize = recording.deforming().map(|i| recording.bodies()[i].skin.positions.len()).sum();
    recording.deforming().next()?;
    let of = recording.frames().len();
    let affordable = MOST_BYTES / (CORNER * corners).max(1);
    Some(ShapeFrames { kept: of.min(MOST_TARGETS).min(affordable.max(2)), of })
}

/// Evenly spread elements of a list, the first and the last included.
fn thinned(list: &[usize], kept: usize) -> Vec<usize> {
    let (last, gaps) = (list.len().saturating_sub(1), kept.saturating_sub(1).max(1));
    (0..kept.min(list.len())).map(|i| list[i * last / gaps]).collect()
}

/// A body whose targets are being written.
struct Morphed<'a> {
    body: usize,
    recorded: &'a RecordedBody,
    skin: DeformedSkin,
    /// For each corner of the mesh that of the skin.
    corners: Vec<u32>,
    /// For each primitive its targets.
    targets: Vec<Vec<Value>>,
}

impl Morphed<'_> {
    /// Adds the targets of a frame.
    fn add(&mut self, document: &mut Document, mesh: &MeshFrame, pose: &Pose, lines: bool) {
        let own: Vec<DVec3> = mesh.positions.iter().map(|x| pose.unapply(*x)).collect();
        self.skin.follow(&own);
        let rest = &self.recorded.skin;
        let mut primitives = self.targets.iter_mut();
        if let (false, Some(targets)) = (rest.triangles.is_empty(), primitives.next()) {
            let positions = differences(&self.corners, &rest.positions, self.skin.positions());
            let normals = differences(&self.corners, &rest.normals, self.skin.normals());
            let (positions, normals) = (document.buffer.points(&positions), document.buffer.vectors(&normals));
            targets.push(json!({ "POSITION": positions, "NORMAL": normals }));
        }
        let line_triangles = self.recorded.deforming.as_ref().map(|deforming| &deforming.line_triangles);
        if let (true, Some(targets), Some(triangles)) = (lines, primitives.next(), line_triangles) {
            let ends = self.recorded.structure.iter().zip(triangles);
            let moved = ends.flat_map(|(ends, &t)| ends.map(|x| (self.skin.carried(t as usize, x) - x).as_vec3()));
            let moved: Vec<[f32; 3]> = moved.map(|x| x.to_array()).collect();
            targets.push(json!({ "POSITION": document.buffer.points(&moved) }));
        }
    }
}

/// b − a at these corners, as the format has it.
fn differences(corners: &[u32], a: &[DVec3], b: &[DVec3]) -> Vec<[f32; 3]> {
    corners.iter().map(|&c| (b[c as usize] - a[c as usize]).as_vec3().to_array()).collect()
}

/// The channel of an animation that blends the targets of a node.
pub(super) struct WeightChannel {
    pub(super) node: usize,
    /// Accessors of the times and of the weights.
    pub(super) input: usize,
    pub(super) output: usize,
}

impl Document {
    /// Adds the targets of all bodies that deform to their meshes. `meshes` has the mesh of each body, `shown` the frames of the animation.
    pub(super) fn morph(
        &mut self,
        recording: &Recording,
        meshes: &[Option<usize>],
        shown: &[usize],
        lines: bool,
    ) -> Result<Vec<WeightChannel>, RecordError> {
        let Some(ShapeFrames { kept, .. }) = shape_frames(recording) else { return Ok(Vec::new()) };
        let frames = thinned(shown, kept);
        let morphed = |body: usize| {
            let recorded = &recording.bodies()[body];
            let primitives =
                meshes[body].map_or(0, |mesh| self.meshes[mesh]["primitives"].as_array().map_or(0, Vec::len));
            Morphed {
                body,
                recorded,
                skin: DeformedSkin::new(Arc::clone(&recorded.skin)),
                corners: meshes[body].map_or_else(Vec::new, |mesh| self.corners[mesh].clone()),
                targets: vec![Vec::new(); primitives],
            }
        };
        let mut bodies: Vec<Morphed> = recording.deforming().map(morphed).collect();
        for &number in &frames {
            let frame = recording.frame(number)?;
            for (body, mesh) in bodies.iter_mut().zip(&frame.meshes) {
                body.add(self, mesh, &frame.states[body.body].pose, lines);
            }
        }
        for body in &mut bodies {
            let Some(mesh) = meshes[body.body] else { continue };
            for (primitive, targets) in body.targets.iter_mut().enumerate().filter(|(_, targets)| !targets.is_empty()) {
                self.meshes[mesh]["primitives"][primitive]["targets"] = Value::Array(std::mem::take(targets));
            }
            // Viewers without animations show the first frame.
            let first = |i: usize| if i == 0 { 1.0 } else { 0.0 };
            self.meshes[mesh]["weights"] = (0..frames.len()).map(first).collect();
        }
        if frames.len() < 2 {
            return Ok(Vec::new());
        }
        let start = recording.frames()[0].t;
        let times: Vec<f32> = frames.iter().map(|&i| (recording.frames()[i].t - start) as f32).collect();
        let input = self.buffer.times(&times);
        let weight = |i: usize| [if i / frames.len() == i % frames.len() { 1.0f32 } else { 0.0 }];
        let output = self.buffer.values(&(0..frames.len() * frames.len()).map(weight).collect::<Vec<_>>());
        let animated = bodies.iter().filter(|body| meshes[body.body].is_some());
        Ok(animated.map(|body| WeightChannel { node: body.body, input, output }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_left_out_evenly() {
        let list: Vec<usize> = (0..1000).collect();
        let kept = thinned(&list, 256);
        assert_eq!((kept.len(), kept[0], kept[255]), (256, 0, 999));
        assert!(kept.windows(2).all(|w| (3..=4).contains(&(w[1] - w[0]))));
        assert_eq!(thinned(&list[..3], 3), [0, 1, 2]);
        assert_eq!(thinned(&list[..1], 1), [0]);
        assert!(thinned(&[], 0).is_empty());
    }
}
