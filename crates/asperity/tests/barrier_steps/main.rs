//! The barrier stepper: closed forms, conservation laws, the exact test of crossings, refusals, resume.

mod apart;
mod coupled;
mod energy;
mod laws;
#[path = "../common/outlines.rs"]
mod outlines;
mod refusals;
mod resting;
mod resume;
mod roller;
mod rules;
mod sliding;
mod toolkit;

use asperity::barrier::{Barrier, BarrierPotential};
use asperity::run::Run;
use asperity::scene::{Document, Scene};
use asperity::world::{Model, State};

use outlines::Outlines;

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

/// Nothing crosses, and nothing is below y = `floor`.
fn assert_apart(model: &Model, state: &State, floor: f64) {
    let outlines = Outlines::new(model, state);
    assert_eq!(outlines.crossings(model, state), [], "at t = {}", state.time);
    let low = outlines.lowest(model, state);
    assert!(low > floor, "{low} at t = {}", state.time);
}
