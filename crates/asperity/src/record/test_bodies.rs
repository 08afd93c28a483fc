//! Small bodies and folders for the tests.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::frame::{Frame, FrameState, Paint, RecordedBody};
use crate::geometry::{Pose, SkinMesh};

/// A horizontal square with side 2·half, facing up; v runs toward -z.
pub(super) fn square(half: f64) -> SkinMesh {
    let corners = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
    SkinMesh {
        positions: corners.iter().map(|&(x, z)| half * DVec3::new(x, 0.0, z)).collect(),
        normals: vec![DVec3::Y; 4],
        uvs: corners.iter().map(|&(x, z)| 0.5 * DVec2::new(1.0 + x, 1.0 - z)).collect(),
        tangents: vec![DVec3::X; 4],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        vertex_of: (0..4).collect(),
    }
}

/// A moving square of side 1.
pub(super) fn body(name: &str) -> RecordedBody {
    RecordedBody {
        name: name.into(),
        skin: Arc::new(square(0.5)),
        paint: Paint::Color([200, 80, 40]),
        surface: Arc::default(),
        structure: Vec::new(),
        moving: true,
        deforming: None,
    }
}

/// Bodies at rest at these places.
pub(super) fn frame(t: f64, places: &[DVec3]) -> Frame {
    let state = |&position: &DVec3| FrameState::resting(Pose { position, ..Pose::IDENTITY });
    Frame { t, states: places.iter().map(state).collect(), ..Frame::default() }
}

/// A folder of its own that goes away at the end.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("asperity-record-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
