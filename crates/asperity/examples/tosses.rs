//! Recorded tosses of a real cube, thrown again by the stepper `impulse`: how far off are position and rotation?
//!
//!     cargo run --release -p asperity --example tosses FILE.csv [KEY=VALUE]...
//!
//! FILE has the columns toss, frame, t, x, y, z, qw, qx, qy, qz, vx, vy, vz, wbx, wby, wbz (SI units; z up, the table at
//! z = 0; v in the world, wb in the frame of the body): the set of Acosta, Yang and Posa, "Validating Robotics Simulators on
//! Real-World Impacts" (2022). Keys are those of the scene below, `pair_default.stiffness=2e4` for example; `length=0.979`
//! divides the recorded lengths by that number.
//!
//! **Protocol.** A toss is thrown from three frames before its cube can first touch the table. If there are four frames of
//! flight before that, velocities come from the flight: the mean along x and y, a parabola with g = 9.81 along z, and the
//! body rate that turns the first orientation to the one where it starts. Else they are the recorded ones. It then runs
//! open loop to its last frame, with ten steps a frame. Errors of a toss: mean |dp| over the side of the cube (%), mean
//! angle (°), and e_q = mean |dp|²/(side/2) + mean angle² (m, rad). The numbers printed are means over all tosses, with
//! standard deviations.

use std::error::Error;

use asperity::body::BodyState;
use asperity::scene::{Document, Scene};
use asperity::step::{StepperSettings, stepper};
use asperity_solve::solver::{SOLVERS, SolverOptions};
use glam::{DQuat, DVec3};

const SIDE: f64 = 0.1048;
const GRAVITY: f64 = 9.81;
/// Steps for each recorded frame.
const STEPS: usize = 10;
/// Frames before the first touch at which a toss begins.
const BEFORE: usize = 3;
/// Frames of flight from which velocities are estimated; with fewer they are the recorded ones.
const FLIGHT: usize = 4;

const SCENE: &str = r#"
    title = "A cube is thrown on a table"
    world.gravity = [0, 0, -9.81]
    time = { dt = 0.000675675675675676, end = 1 }
    pair_default.law = { kind = "coulomb", mu = 0.18 }
    [body.table]
    shape = { kind = "half_space", normal = [0, 0, 1] }
    motion = "static"
    [body.cube]
    shape = { kind = "box", size = [0.1048, 0.1048, 0.1048] }
    position = [0, 0, 1]
    mass = 0.37
    inertia = [8.1e-4, 8.1e-4, 8.1e-4, 0, 0, 0]
"#;

/// A recorded pose, and how it moves.
#[derive(Clone, Copy)]
struct Frame {
    t: f64,
    position: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    body_rate: DVec3,
}

impl Frame {
    fn read(fields: &[f64], length: f64) -> Self {
        Self {
            t: fields[2],
            position: DVec3::from_slice(&fields[3..6]) / length,
            rotation: DQuat::from_xyzw(fields[7], fields[8], fields[9], fields[6]).normalize(),
            velocity: DVec3::from_slice(&fields[10..13]) / length,
            body_rate: DVec3::from_slice(&fields[13..16]),
        }
    }
}

/// Errors of one toss.
#[derive(Clone, Copy, Default)]
struct Errors {
    position: f64,
    rotation: f64,
    combined: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: tosses FILE.csv [KEY=VALUE]...")?;
    let (mut length, mut keys) = (1.0, Vec::new());
    for argument in arguments {
        let (key, value) = argument.split_once('=').ok_or_else(|| format!("{argument}: expected KEY=VALUE"))?;
        match key {
            "length" => length = value.parse()?,
            _ => keys.push((key.to_owned(), value.to_owned())),
        }
    }
    let scene = Document::parse(SCENE, "tosses")?.scene(None, &keys)?;
    let errors = read(&path, length)?.iter().map(|toss| throw(&scene, toss)).collect::<Result<Vec<_>, _>>()?;
    let of = |pick: fn(&Errors) -> f64| spread(errors.iter().map(pick).collect());
    let [position, rotation, combined] = [of(|e| e.position), of(|e| e.rotation), of(|e| e.combined)];
    println!("tosses {}, position {position} %, rotation {rotation} degrees, e_q {combined}", errors.len());
    Ok(())
}

/// The tosses of a file.
fn read(path: &str, length: f64) -> Result<Vec<Vec<Frame>>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let (mut tosses, mut last): (Vec<Vec<Frame>>, f64) = (Vec::new(), f64::NAN);
    for (number, line) in text.lines().enumerate().skip(1) {
        let fields: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        if fields.len() != 16 {
            return Err(format!("{path}: line {}: {} values instead of 16", number + 1, fields.len()).into());
        }
        if fields[0] != last {
            tosses.push(Vec::new());
        }
        last = fields[0];
        tosses.last_mut().into_iter().for_each(|toss| toss.push(Frame::read(&fields, length)));
    }
    if tosses.is_empty() {
        return Err(format!("{path}: there are no tosses in it").into());
    }
    Ok(tosses)
}

/// Where a toss begins.
struct Throw {
    /// Number of its frame.
    from: usize,
    /// That frame, with the velocities that the cube is thrown with.
    start: Frame,
}

/// Where a toss begins, with the velocities that it begins with.
fn begin(toss: &[Frame]) -> Throw {
    let touches = toss.iter().position(|frame| frame.position.z <= 3f64.sqrt() * 0.5 * SIDE).unwrap_or(toss.len() - 1);
    let s = touches.saturating_sub(BEFORE);
    let (first, start) = (toss[0], toss[s]);
    if s < FLIGHT {
        return Throw { from: s, start };
    }
    let time = start.t - first.t;
    let mean = (start.position - first.position) / time;
    // Least squares of z + g t²/2 = z₀ + v₀ t over the flight.
    let points: Vec<[f64; 2]> = toss[..=s]
        .iter()
        .map(|frame| [frame.t - first.t, frame.position.z + 0.5 * GRAVITY * (frame.t - first.t).powi(2)])
        .collect();
    let count = points.len() as f64;
    let [t, z] = [0, 1].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / count);
    let covariance: f64 = points.iter().map(|point| (point[0] - t) * (point[1] - z)).sum();
    let variance: f64 = points.iter().map(|point| (point[0] - t).powi(2)).sum();
    let velocity = DVec3::new(mean.x, mean.y, covariance / variance - GRAVITY * time);
    // The rate is constant in the frame of the body, whose inertia is the same about every axis: turns add up.
    let turn = |pair: &[Frame]| {
        let turn = pair[0].rotation.conjugate() * pair[1].rotation;
        (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
    };
    let body_rate = toss[..=s].windows(2).map(turn).sum::<DVec3>() / time;
    Throw { from: s, start: Frame { velocity, body_rate, ..start } }
}

/// Throws a cube as a toss begins, and compares.
fn throw(scene: &Scene, toss: &[Frame]) -> Result<Errors, Box<dyn Error>> {
    let settings = StepperSettings::default();
    let solver = (SOLVERS[0].make)(&SolverOptions::default());
    let mut stepper = (stepper("impulse").ok_or("no stepper `impulse`")?.make)(settings, solver);
    stepper.accepts(&scene.model)?;
    let Throw { from: s, start } = begin(toss);
    let mut state = scene.state.clone();
    if let BodyState::Rigid(at) = &mut state.bodies[1] {
        (at.centre, at.rotation) = (start.position, start.rotation);
        (at.velocity, at.angular_velocity) = (start.velocity, start.rotation * start.body_rate);
    }
    let (mut distances, mut angles) = (Vec::new(), Vec::new());
    for pair in toss[s..].windows(2) {
        let dt = (pair[1].t - pair[0].t) / STEPS as f64;
        for _ in 0..STEPS {
            stepper.step(&scene.model, &mut state, dt)?;
        }
        let at = state.bodies[1].frame();
        distances.push((at.centre - pair[1].position).length());
        angles.push((at.rotation.conjugate() * pair[1].rotation).w.abs().min(1.0).acos() * 2.0);
    }
    let mean = |list: &[f64], power: i32| list.iter().map(|x| x.powi(power)).sum::<f64>() / list.len().max(1) as f64;
    Ok(Errors {
        position: 100.0 * mean(&distances, 1) / SIDE,
        rotation: mean(&angles, 1).to_degrees(),
        combined: mean(&distances, 2) / (0.5 * SIDE) + mean(&angles, 2),
    })
}

/// "mean ± standard deviation".
fn spread(values: Vec<f64>) -> String {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let deviation = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    format!("{mean:.4} ± {deviation:.4}")
}
