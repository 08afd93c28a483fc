//! The filter stepper against closed forms, conservation laws, and the exact test of crossings.

mod collisions;
mod laws;
mod resume;
mod self_collision;
mod sliding;

use asperity::geometry::surface::Crossings;
use asperity::run::Run;
use asperity::scene::{Document, Scene};
use asperity::step::{Filter, StepReport, Stepper, StepperSettings};
use asperity::world::State;
use asperity_solve::solver::{SOLVERS, SolverOptions};
use glam::DVec3;

/// A scene with some keys set.
fn scene(text: &str, set: &[(&str, &str)]) -> Scene {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    Document::parse(text, "test.toml").unwrap().scene(None, &set).unwrap()
}

/// Runs a scene to its end.
fn run(text: &str, set: &[(&str, &str)]) -> Run {
    let mut run = Run::new(scene(text, set)).unwrap();
    while !run.is_done() {
        run.step().unwrap();
    }
    run
}

fn filter() -> Filter {
    Filter::new((SOLVERS[0].make)(&SolverOptions::default()), StepperSettings::default())
}

/// Steps a scene to its end, and looks at every state.
fn watch(scene: &Scene, mut look: impl FnMut(&State, &StepReport)) -> State {
    let mut stepper = filter();
    stepper.accepts(&scene.model).unwrap();
    let mut state = scene.state.clone();
    while state.time < scene.time.end - 1e-9 {
        let report = stepper.step(&scene.model, &mut state, scene.time.dt).unwrap();
        look(&state, &report);
    }
    state
}

/// The vertices of a body.
fn positions<'a>(scene: &Scene, state: &'a State, body: &str) -> &'a [DVec3] {
    let number = scene.model.bodies.iter().position(|own| own.name == body).unwrap();
    &state.bodies[number].mesh().unwrap().positions
}

fn mean(points: &[DVec3]) -> DVec3 {
    points.iter().sum::<DVec3>() / points.len() as f64
}

/// All elastic surfaces of a scene, to be asked whether they cross.
struct Surfaces(Crossings);

impl Surfaces {
    fn new(scene: &Scene) -> Self {
        let (mut triangles, mut first) = (Vec::new(), 0);
        for elastic in scene.model.bodies.iter().filter_map(|body| body.elastic()) {
            let data = elastic.mesh().data();
            triangles.extend(data.triangles.iter().map(|corners| corners.map(|i| i + first)));
            first += data.vertices.len() as u32;
        }
        Self(Crossings::new(&triangles))
    }

    fn check(&self, scene: &Scene, state: &State) {
        let elastic = scene.model.bodies.iter().zip(&state.bodies).filter(|(body, _)| body.elastic().is_some());
        let at: Vec<DVec3> = elastic.flat_map(|(_, at)| at.mesh().unwrap().positions.clone()).collect();
        assert_eq!(self.0.find(&at, 3), [], "at t = {}", state.time);
    }
}
