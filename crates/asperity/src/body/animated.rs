//! Meshes whose vertices move by formulas, whatever is in their way: flags, waves, belts.
//!
//! Each vertex has a rest position X in the body's frame and texture coordinates (u, v). Three formulas of x, y, z, u, v, t are its position in the body's frame
//! at time t; the pose that the body starts with puts it into the world. The velocity during a step is the difference of the positions at its ends over
//! its length, so that what touches the mesh is carried exactly as far as the mesh goes.

use std::sync::Arc;

use glam::DVec3;

use super::fit::{Points, fit};
use super::state::MeshState;
use crate::expression::Expression;
use crate::geometry::{Pose, TriangleMesh};

/// The names that a formula of a vertex may use.
pub const VERTEX_NAMES: &[&str] = &["x", "y", "z", "u", "v", "t"];

/// A mesh whose vertices move by formulas.
#[derive(Clone, Debug)]
pub struct AnimatedMesh {
    mesh: TriangleMesh,
    start: Pose,
    formulas: Arc<[Expression; 3]>,
}

impl AnimatedMesh {
    /// A mesh at rest, the pose of its body, and the positions of its vertices along x, y, z as formulas of [`VERTEX_NAMES`].
    pub fn new(mesh: TriangleMesh, start: Pose, formulas: [Expression; 3]) -> Self {
        Self { mesh, start, formulas: Arc::new(formulas) }
    }

    /// The mesh at rest, in the body's frame.
    #[inline]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// The first vertex that has no finite position at a time.
    pub fn undefined_vertex(&self, t: f64) -> Option<usize> {
        (0..self.mesh.data().vertices.len()).find(|&i| !self.vertex(i, t).is_finite())
    }

    /// The vertices at time t, in the world.
    pub fn positions(&self, t: f64) -> Vec<DVec3> {
        (0..self.mesh.data().vertices.len()).map(|i| self.vertex(i, t)).collect()
    }

    /// The state at time t, with the mean velocities over the next h.
    pub fn state(&self, t: f64, h: f64) -> MeshState {
        let positions = self.positions(t);
        let velocities = mean_velocities(&positions, &self.positions(t + h), h);
        self.state_of(positions, velocities)
    }

    /// A state with these positions and velocities.
    pub fn state_of(&self, positions: Vec<DVec3>, velocities: Vec<DVec3>) -> MeshState {
        let rest = &self.mesh.data().vertices;
        let points = Points { rest, positions: &positions, velocities: &velocities };
        let frame = fit(points, |_| 1.0);
        MeshState { frame, positions, velocities }
    }

    fn vertex(&self, i: usize, t: f64) -> DVec3 {
        let data = self.mesh.data();
        let (x, uv) = (data.vertices[i], data.uvs.get(i).copied().unwrap_or_default());
        let values = [x.x, x.y, x.z, uv.x, uv.y, t];
        self.start.apply(DVec3::from_array([0, 1, 2].map(|k| self.formulas[k].value(&values))))
    }
}

/// Velocities of vertices that go from one place to another in a time h.
pub fn mean_velocities(from: &[DVec3], to: &[DVec3], h: f64) -> Vec<DVec3> {
    from.iter().zip(to).map(|(from, to)| (*to - *from) / h).collect()
}
