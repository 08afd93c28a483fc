//! All elastic surfaces of a scene, to be asked by the exact test whether they cross. It shares nothing with the detection of contacts.

use asperity::geometry::surface::{Crossing, Crossings};
use asperity::scene::Scene;
use asperity::world::State;
use glam::DVec3;

/// The triangles of all elastic bodies of a scene.
pub(super) struct Surfaces(Crossings);

impl Surfaces {
    pub(super) fn new(scene: &Scene) -> Self {
        let (mut triangles, mut first) = (Vec::new(), 0);
        for elastic in scene.model.bodies.iter().filter_map(|body| body.elastic()) {
            let data = elastic.mesh().data();
            triangles.extend(data.triangles.iter().map(|corners| corners.map(|i| i + first)));
            first += data.vertices.len() as u32;
        }
        Self(Crossings::new(&triangles))
    }

    /// Up to three edges and triangles that cross.
    pub(super) fn crossings(&self, scene: &Scene, state: &State) -> Vec<Crossing> {
        let elastic = scene.model.bodies.iter().zip(&state.bodies).filter(|(body, _)| body.elastic().is_some());
        let at: Vec<DVec3> = elastic.flat_map(|(_, at)| at.mesh().unwrap().positions.clone()).collect();
        self.0.find(&at, 3)
    }
}
