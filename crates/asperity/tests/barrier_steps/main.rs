//! The barrier stepper: closed forms, conservation laws, the exact test of crossings, refusals, resume.

mod apart;
mod coupled;
mod energy;
mod laws;
mod refusals;
mod resume;
mod roller;
mod rules;
mod sliding;
mod toolkit;

use asperity::barrier::{Barrier, BarrierPotential};
use asperity::geometry::Shape;
use asperity::geometry::surface::{Crossing, Crossings};
use asperity::run::Run;
use asperity::scene::{Document, Scene};
use asperity::world::{Model, State};
use glam::DVec3;

/// A scene with some keys set.
fn scene(text: &str, set: &[(&str, &str)]) -> Scene {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    Document::parse(text, "test.toml").unwrap().scene(None, &set).unwrap()
}

/// Runs a scene to its end, and looks at every state.
fn watch(text: &str, set: &[(&str, &str)], mut look: impl FnMut(&Model, &State)) -> Run {
    let scene = scene(text, set);
    let model = scene.model.clone();
    let mut run = Run::new(scene).unwrap();
    while !run.is_done() {
        run.step().unwrap();
        look(&model, run.state());
    }
    run
}

/// κ that tests of resting bodies choose.
const STIFFNESS: f64 = 1e10;

/// The gap at which a barrier of the range 1 mm and the stiffness [`STIFFNESS`] carries a load, by bisection.
fn rest_gap(load: f64) -> f64 {
    let potential = BarrierPotential { barrier: Barrier::ClampedLog, dhat: 1e-3, dmin: 0.0, stiffness: STIFFNESS };
    let (mut low, mut high) = (0.0, 1e-3);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if potential.force(middle) > load { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Triangles of all bodies but half-spaces, and the body of each vertex.
struct World {
    positions: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    body: Vec<usize>,
}

impl World {
    fn new(model: &Model, state: &State) -> Self {
        let mut own = Self { positions: Vec::new(), triangles: Vec::new(), body: Vec::new() };
        for (number, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
            let first = own.positions.len() as u32;
            match (body.mesh(), at.mesh(), body.shape()) {
                (Some(mesh), Some(at), _) => {
                    own.positions.extend(&at.positions);
                    own.triangles.extend(mesh.data().triangles.iter().map(|t| t.map(|i| i + first)));
                }
                (_, _, Some(shape)) if !matches!(shape, Shape::HalfSpace(_)) => {
                    // Round shapes as the stepper sees them: 48 segments.
                    let skin = shape.skin(if matches!(shape, Shape::Box(_)) { 8 } else { 48 });
                    let pose = at.frame().pose(body);
                    own.positions.extend(skin.positions.iter().map(|p| pose.apply(*p)));
                    own.triangles.extend(skin.triangles.iter().map(|t| t.map(|i| i + first)));
                }
                _ => (),
            }
            own.body.resize(own.positions.len(), number);
        }
        own
    }

    /// Edges that cross triangles, but for those of one rigid body.
    fn crossings(&self, model: &Model) -> Vec<Crossing> {
        let found = Crossings::new(&self.triangles).find(&self.positions, usize::MAX);
        let counts = |own: &Crossing| {
            let [a, b] =
                [own.edge[0], self.triangles[own.triangle as usize][0]].map(|vertex| self.body[vertex as usize]);
            a != b || model.bodies[a].mesh().is_some()
        };
        found.into_iter().filter(counts).collect()
    }
}

/// Nothing crosses, and nothing is below y = `floor`.
fn assert_apart(model: &Model, state: &State, floor: f64) {
    let world = World::new(model, state);
    assert_eq!(world.crossings(model), [], "at t = {}", state.time);
    let moving = world.positions.iter().zip(&world.body).filter(|(_, body)| model.bodies[**body].is_dynamic());
    let low = moving.map(|(x, _)| x.y).fold(f64::INFINITY, f64::min);
    assert!(low > floor, "{low} at t = {}", state.time);
}
