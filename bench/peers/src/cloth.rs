//! A flat cloth of one metre that slides down a slope, all of it in contact: Asperity and Rapier. `bench/cloth` runs it.
//!
//! Gravity is tilted instead of the ground, by 40° about z; friction 0.3. From rest, a sheet that moves as a whole is at
//! ½ g (sin 40° − 0.3 cos 40°) t². All its vertices carry the same load, which is the easiest case for engines that treat
//! vertices one by one; it measures what a step costs, and how exactly friction acts.

use std::time::Instant;

use asperity::body::BodyState;
use asperity::run::Run;
use asperity::scene::Document;
use rapier3d_f64::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, SharedShape, SoftBodyBuilder, SoftBodyMaterial,
    SpringCoefficients, Vector,
};
use serde::Serialize;

/// The coefficient, and gravity in the frame of the slope.
const MU: f64 = 0.3;
const TILT_DEG: f64 = 40.0;
const G: f64 = 9.81;
/// Mass of the cloth, and its stretching stiffness in N/m.
const MASS: f64 = 0.3;
const STRETCH: f64 = 1e3;
/// Radius of contact, for engines that need one.
const RADIUS: f64 = 0.002;

/// How finely the cloth is divided, and how it is stepped.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Cells on a side; each has two triangles.
    pub cells: usize,
    pub dt: f64,
    pub steps: usize,
}

/// What an engine came to.
#[derive(Clone, Debug, Serialize)]
pub struct Slide {
    /// Wall-clock time of each step.
    pub seconds: Vec<f64>,
    /// How far the mean vertex went, and how far it should have gone.
    pub distance: f64,
    pub expected: f64,
    /// How far the lowest vertex is below where it began.
    pub sunk: f64,
}

impl Slide {
    fn new(case: Case, seconds: Vec<f64>, before: &[[f64; 3]], after: &[[f64; 3]]) -> Self {
        let moved = after.iter().zip(before).map(|(a, b)| a[0] - b[0]).sum::<f64>();
        let sunk = after.iter().zip(before).map(|(a, b)| b[1] - a[1]).fold(0.0, f64::max);
        let (sin, cos) = TILT_DEG.to_radians().sin_cos();
        let time = case.dt * case.steps as f64;
        let expected = 0.5 * G * (sin - MU * cos) * time * time;
        Self { seconds, distance: moved / before.len() as f64, expected, sunk }
    }
}

/// Runs a case with an engine.
pub fn run(case: Case, engine: &str) -> Result<Slide, String> {
    match engine {
        "asperity" => ours(case, 1e-8, ""),
        "asperity-rough" => ours(case, 1e-4, ""),
        "asperity-once" => ours(case, 1e-4, ", iterations = 1"),
        "rapier" => rapier(case),
        other => Err(format!("no engine '{other}' here: asperity, asperity-rough, asperity-once, rapier")),
    }
}

fn ours(case: Case, tolerance: f64, settings: &str) -> Result<Slide, String> {
    let (sin, cos) = TILT_DEG.to_radians().sin_cos();
    let Case { cells, dt, steps } = case;
    let text = format!(
        r#"title = "A cloth slides"
time = {{ dt = {dt}, end = {end} }}
stepper = {{ kind = "implicit"{settings} }}
solver.tolerance = {tolerance:e}
world.gravity = [{x}, {y}, 0]
pair_default.law = {{ kind = "coulomb", mu = {MU} }}
[body.ground]
shape = {{ kind = "half_space" }}
motion = "static"
[body.cloth]
shape = {{ kind = "grid", size = [1, 1], cells = [{cells}, {cells}] }}
matter = {{ kind = "cloth", stretch = {STRETCH}, bending = 1e-5, area_density = {MASS} }}
"#,
        end = dt * steps as f64,
        x = G * sin,
        y = -G * cos,
    );
    let scene = Document::parse(&text, "cloth.toml").and_then(|document| document.scene(None, &[]));
    let mut run = Run::new(scene.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
    let places = |run: &Run| -> Vec<[f64; 3]> {
        let BodyState::Mesh(mesh) = &run.state().bodies[1] else { return Vec::new() };
        mesh.positions.iter().map(|place| place.to_array()).collect()
    };
    let (before, mut seconds) = (places(&run), Vec::with_capacity(steps));
    while !run.is_done() {
        let began = Instant::now();
        run.step().map_err(|error| error.to_string())?;
        seconds.push(began.elapsed().as_secs_f64());
    }
    Ok(Slide::new(case, seconds, &before, &places(&run)))
}

fn rapier(case: Case) -> Result<Slide, String> {
    let (sin, cos) = TILT_DEG.to_radians().sin_cos();
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(G * sin, -G * cos, 0.0);
    world.integration_parameters.dt = case.dt;
    let ground = ColliderBuilder::new(SharedShape::halfspace(Vector::Y)).friction(MU);
    world.insert(RigidBodyBuilder::fixed(), ground);
    let (n, cell) = (case.cells + 1, 1.0 / case.cells as f64);
    // The frequency of a spring of this stiffness between two vertices.
    let vertex = MASS / (n * n) as f64;
    let frequency = (STRETCH / (0.5 * vertex)).sqrt() / std::f64::consts::TAU;
    let edge_softness = SpringCoefficients::new(frequency, 1.0);
    let material = SoftBodyMaterial { edge_softness, ..SoftBodyMaterial::default() };
    let origin = Vector::new(-0.5, RADIUS, -0.5);
    let cloth = SoftBodyBuilder::cloth(origin, Vector::X * cell, Vector::Z * cell, n, n)
        .mass(MASS)
        .particle_radius(RADIUS)
        .material(material)
        .surface_collider(ColliderBuilder::ball(1.0).friction(MU))
        .can_sleep(false);
    let handle = world.insert_soft_body(cloth);
    let places = |world: &PhysicsWorld| -> Vec<[f64; 3]> {
        world.soft_bodies[handle].particle_positions().map(|place| place.to_array()).collect()
    };
    let (before, mut seconds) = (places(&world), Vec::with_capacity(case.steps));
    for _ in 0..case.steps {
        let began = Instant::now();
        world.step();
        seconds.push(began.elapsed().as_secs_f64());
    }
    Ok(Slide::new(case, seconds, &before, &places(&world)))
}
