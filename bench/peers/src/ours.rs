//! Asperity on a scene.

use std::time::{Duration, Instant};

use asperity::body::{Body, BodyState, Inertia, Motion, Surface};
use asperity::geometry::{MassProperties, Pose, Shape};
use asperity::step::{Impulse, ImpulseSettings, Stepper};
use asperity::world::{Interaction, Interactions, Model, State};
use asperity_friction::field::{Constant, Field};
use asperity_friction::model::{Coulomb, Matchstick};
use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::{Auto, ProxGaussSeidel, Status};
use glam::{DMat3, DVec3};

use crate::measure;
use crate::outcome::{Outcome, Solver};
use crate::scene::Scene;

/// How it is set.
#[derive(Clone, Copy, PartialEq)]
pub enum Setting {
    /// As `asperity run` has it.
    Default,
    /// The same to another residual than 1e-8.
    Tolerance(f64),
    /// Eight sweeps of PROX steps a solve, and no second look for contacts that were missed.
    Quick,
    /// The same with the Matchstick law, 0.2 along the grain and 3 across it; the grain is along the capsules and down the funnel.
    Matchstick,
}

/// The solver of `asperity run`, by default.
pub fn solver() -> Auto {
    Auto { newton_steps: 300, last_sweeps: 2000, ..Auto::default() }
}

fn stepper(setting: Setting) -> Impulse {
    let usual = ImpulseSettings::default();
    match setting {
        Setting::Default => Impulse::new(Box::new(solver()), usual),
        Setting::Tolerance(tolerance) => {
            Impulse::new(Box::new(solver()), ImpulseSettings { tolerance, limit: usual.limit.max(tolerance), ..usual })
        }
        Setting::Quick | Setting::Matchstick => {
            let sweeps = ProxGaussSeidel { sweeps: 8, ..ProxGaussSeidel::steps() };
            Impulse::new(Box::new(sweeps), ImpulseSettings { tolerance: 1e-3, limit: 0.3, passes: 0, ..usual })
        }
    }
}

/// Runs the scene, at most so long. Every `keep` steps the contact problem is handed over.
pub fn run(
    scene: &Scene,
    setting: Setting,
    longest: Duration,
    keep: Option<usize>,
    mut hand: impl FnMut(Snapshot),
) -> Result<Outcome, String> {
    let (model, mut state) = world(scene, setting)?;
    let mut stepper = stepper(setting);
    let mut outcome = Outcome::default();
    let mut total = Solver { friction_power: f64::NEG_INFINITY, ..Solver::default() };
    let start = Instant::now();
    for step in 1..=scene.steps {
        if start.elapsed() >= longest {
            outcome.failure = Some(format!("{} of {} steps in {} s", step - 1, scene.steps, longest.as_secs()));
            break;
        }
        let kept = keep.is_some_and(|keep| step % keep == 0);
        stepper.keep_problems(kept);
        let began = Instant::now();
        let report = stepper.step(&model, &mut state, scene.dt);
        outcome.seconds.push(began.elapsed().as_secs_f64());
        let report = match report {
            Ok(report) => report,
            Err(error) => {
                outcome.failure = Some(error.to_string());
                break;
            }
        };
        if let (true, Some(problem)) = (kept, stepper.problem()) {
            hand(problem.clone());
        }
        let phases = &report.seconds;
        total.detect += phases.detect;
        total.law += phases.law;
        total.solve += phases.solve;
        total.integrate += phases.integrate;
        total.contacts.push(report.contacts);
        total.iterations.push(report.iterations);
        total.idle_steps += usize::from(report.iterations == 0);
        total.unsolved += usize::from(report.status != Status::Solved);
        total.residual = total.residual.max(report.residual);
        total.friction_power = total.friction_power.max(report.largest_friction_power);
        if step % scene.every == 0 {
            let moving = model.bodies.iter().zip(&state.bodies).take(scene.items.len());
            outcome.frames.push(moving.map(|(body, at)| row(&at.frame().pose(body))).collect());
        }
    }
    outcome.solver = Some(total);
    Ok(outcome)
}

fn row(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [i, j, k, w]) = (pose.position.to_array(), pose.rotation.to_array());
    [x, y, z, i, j, k, w]
}

fn world(scene: &Scene, setting: Setting) -> Result<(Model, State), String> {
    let law = if setting == Setting::Matchstick {
        Matchstick::new(0.2, 0.2, 3.0).map_err(|error| error.to_string())?.into()
    } else {
        Coulomb::new(scene.mu).map_err(|error| error.to_string())?.into()
    };
    let grain = (setting == Setting::Matchstick).then(|| Field::Constant(Constant { direction: DVec3::Y }).into());
    let mut model = Model {
        bodies: Vec::new(),
        interactions: Interactions::new(1, Interaction { law, restitution: 0.0, spring: None }),
        gravity: DVec3::NEG_Y * scene.gravity,
        damping: 0.0,
        angular_damping: 0.0,
        joints: Vec::new(),
    };
    let mut state = State::default();
    let mut add = |shape: Shape, motion: Motion, pose: Pose| {
        let name = format!("body {}", model.bodies.len());
        let surface = Surface { structure: grain.clone(), ..Surface::default() };
        let body = Body::rigid(name, shape, surface, motion);
        state.bodies.push(BodyState::rigid(&body, pose, DVec3::ZERO, DVec3::ZERO));
        model.bodies.push(body);
    };
    for item in &scene.items {
        let inertia = DMat3::from_diagonal(item.inertia);
        let properties = MassProperties { mass: item.mass, centre: DVec3::ZERO, inertia };
        let inertia = Inertia::new(&properties).map_err(|error| error.to_string())?;
        add(item.shape.clone(), Motion::Dynamic(inertia), item.pose);
    }
    for (shape, pose) in measure::fixed(scene) {
        add(shape, Motion::Static, pose);
    }
    Ok((model, state))
}
