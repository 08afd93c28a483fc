//! Asperity on a scene.

use std::time::{Duration, Instant};

use asperity::body::{Body, Inertia, Motion, Surface};
use asperity::geometry::{MassProperties, Pose, Shape};
use asperity::step::{Impulse, ImpulseSettings, Stepper};
use asperity::world::{BodyState, Interaction, Interactions, Model, State};
use asperity_friction::model::Coulomb;
use asperity_solve::problem::files::Snapshot;
use asperity_solve::solver::{Auto, Status};
use glam::{DMat3, DVec3};

use crate::measure;
use crate::outcome::{Outcome, Solver};
use crate::scene::Scene;

/// The solver of `asperity run`, by default.
pub fn solver() -> Auto {
    Auto { last_sweeps: 2000, ..Auto::default() }
}

/// Runs the scene, at most so long. Every `keep` steps the contact problem is handed over.
pub fn run(
    scene: &Scene,
    longest: Duration,
    keep: Option<usize>,
    mut hand: impl FnMut(Snapshot),
) -> Result<Outcome, String> {
    let (model, mut state) = world(scene)?;
    let mut stepper = Impulse::new(Box::new(solver()), ImpulseSettings::default());
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
            outcome.frames.push(moving.map(|(body, at)| row(&at.pose(body))).collect());
        }
    }
    outcome.solver = Some(total);
    Ok(outcome)
}

fn row(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [i, j, k, w]) = (pose.position.to_array(), pose.rotation.to_array());
    [x, y, z, i, j, k, w]
}

fn world(scene: &Scene) -> Result<(Model, State), String> {
    let law = Coulomb::new(scene.mu).map_err(|error| error.to_string())?.into();
    let mut model = Model {
        bodies: Vec::new(),
        interactions: Interactions::new(1, Interaction { law, restitution: 0.0 }),
        gravity: DVec3::NEG_Y * scene.gravity,
        damping: 0.0,
        angular_damping: 0.0,
    };
    let mut state = State::default();
    let mut add = |shape: Shape, motion: Motion, pose: Pose| {
        let name = format!("body {}", model.bodies.len());
        let body = Body { name, shape, surface: Surface::default(), motion };
        state.bodies.push(BodyState::new(&body, pose, DVec3::ZERO, DVec3::ZERO));
        model.bodies.push(body);
    };
    for item in &scene.items {
        let inertia = DMat3::from_diagonal(item.inertia);
        let properties = MassProperties { mass: item.mass, centre: DVec3::ZERO, inertia };
        let inertia = Inertia::new(&properties).map_err(|error| error.to_string())?;
        add(item.shape.clone(), Motion::Dynamic(inertia), item.pose);
    }
    for shape in measure::fixed(scene) {
        add(shape, Motion::Static, Pose::IDENTITY);
    }
    Ok((model, state))
}
