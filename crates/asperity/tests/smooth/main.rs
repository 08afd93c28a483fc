//! The smooth stepper: potentials of meshes, clouds, moving meshes and solids, friction over both correctors, momenta, laws
//! against closed forms, and what is refused.

mod grounds;
mod pairs;
mod solves;
mod stool;
mod wrong;

use std::fmt::Write as _;

use asperity::run::Run;
use asperity::scene::{Document, Scene};
use glam::DVec3;

const G: f64 = 9.81;

fn read(text: &str) -> Result<Scene, String> {
    let document = Document::parse(text, "test.toml").map_err(|error| error.to_string())?;
    document.scene(None, &[]).map_err(|error| error.to_string())
}

fn run(text: &str) -> Run {
    let scene = read(text).unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(scene).unwrap_or_else(|error| panic!("{error}"));
    while !run.is_done() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
    run
}

/// How far the centre of mass of a body went.
fn way(run: &Run, body: usize) -> DVec3 {
    run.state().bodies[body].frame().centre - run.scene().state.bodies[body].frame().centre
}

/// A rectangle in the plane y = 0 of triangles, as lists of a mesh, with these sides and cells.
fn floor(sides: [f64; 2], cells: [usize; 2]) -> String {
    let (mut vertices, mut triangles) = (String::new(), String::new());
    for i in 0..=cells[0] {
        for j in 0..=cells[1] {
            let [x, z] = [(i, 0), (j, 1)].map(|(k, axis)| sides[axis] * (k as f64 / cells[axis] as f64 - 0.5));
            let _ = write!(vertices, "[{x}, 0, {z}], ");
        }
    }
    for i in 0..cells[0] {
        for j in 0..cells[1] {
            let a = i * (cells[1] + 1) + j;
            let [b, c, d] = [a + 1, a + cells[1] + 1, a + cells[1] + 2];
            let _ = write!(triangles, "[{a}, {b}, {c}], [{b}, {d}, {c}], ");
        }
    }
    format!("shape = {{ kind = \"mesh\", vertices = [{vertices}], triangles = [{triangles}] }}")
}

/// A soft block that slides over a ground that is given by its keys.
fn slide(ground: &str, law: &str, keys: &str) -> String {
    format!(
        "title = \"t\"\ntime = {{ dt = 0.005, end = 0.2 }}\nstepper = {{ kind = \"smooth\" }}\n[pair_default]\nlaw = {law}\n\
         [body.ground]\n{ground}\n\
         [body.block]\nshape = {{ kind = \"box\", size = [0.4, 0.04, 0.4] }}\nposition = [0, 0.02, 0]\n{keys}\n\
         matter = {{ kind = \"solid\", young = 1e6, poisson = 0.3, cells = [4, 1, 4], stiffness_damping = 0.02 }}\n"
    )
}

const PLANE: &str = "shape = { kind = \"half_space\" }\nmotion = \"static\"";

/// Way of a point with the coefficient μ from 1.5 m/s on, in 0.2 s with steps of 5 ms: the velocity at the end of a step is that
/// of the step.
fn braked(mu: f64) -> f64 {
    1.5 * 0.2 - 0.5 * mu * G * 0.2 * 0.205
}
