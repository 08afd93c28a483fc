//! Writes all that a run leaves behind for a motion known in closed form: a cube that tumbles over its edges, a ball that
//! bounces, a plank at rest.
//!
//! `cargo run --release -p asperity --example record -- FOLDER`

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use asperity::contact::ContactForce;
use asperity::geometry::{Pose, SkinMesh};
use asperity::record::raster::{RenderSettings, Renderer};
use asperity::record::{
    AnimationSettings, Expectation, FilmstripSettings, Frame, FrameState, GltfSettings, Image, Paint, PendingFile,
    RecordError, RecordedBody, Recording, Show, StepRow, StepsWriter, Summary, Totals, TrajectoryWriter, filmstrip,
    label, plot_steps, to_glb, write_file, write_gif,
};
use glam::{DQuat, DVec2, DVec3};

const GRAVITY: f64 = 9.81;
/// Seconds, and frames a second.
const DURATION: f64 = 3.2;
const RATE: f64 = 50.0;
/// Half the side of the cube, and its mass.
const HALF: f64 = 0.25;
const MASS: f64 = 2.0;
/// Seconds for a quarter turn of the cube.
const QUARTER: f64 = 0.8;
/// The ball: radius, mass, height of the first drop, restitution.
const RADIUS: f64 = 0.16;
const BALL: f64 = 0.5;
const DROP: f64 = 0.9;
const BOUNCE: f64 = 0.78;

fn main() -> Result<(), RecordError> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "out/record".into()));
    let mut recording = Recording::new(bodies())?;
    let names = recording.bodies().iter().map(|body| body.name.as_str()).collect::<Vec<_>>();
    let mut trajectory = TrajectoryWriter::create(folder.join("trajectory.csv"), names)?;
    let mut steps = StepsWriter::create(folder.join("steps.csv"))?;
    let mut rows = Vec::new();
    for i in 0..=(DURATION * RATE).round() as usize {
        let frame = moment(i as f64 / RATE);
        trajectory.write(&frame)?;
        rows.push(row(&frame));
        steps.write(&rows[i])?;
        recording.push(frame)?;
    }
    trajectory.finish()?;
    steps.finish()?;
    write_file(folder.join("steps.svg"), plot_steps(&rows, "A cube tumbles, a ball bounces").as_bytes())?;

    let begin = Instant::now();
    write_file(
        folder.join("scene.glb"),
        &to_glb(&recording, GltfSettings { lines: true, ..GltfSettings::default() })?,
    )?;
    println!("scene.glb: {:.0} ms", 1e3 * begin.elapsed().as_secs_f64());

    let show = Show { lines: true, forces: true, ..Show::default() };
    let render = RenderSettings { show, ..RenderSettings::default() };
    let large = RenderSettings { width: 1280, height: 720, ..render.clone() };
    let begin = Instant::now();
    let mut picture = Renderer::new(&recording, large)?.draw(&recording.at(1.1)?);
    label(&mut picture, "t = 1.10 s");
    write_file(folder.join("picture.png"), &picture.to_png()?)?;
    println!("picture.png: {:.0} ms", 1e3 * begin.elapsed().as_secs_f64());

    let begin = Instant::now();
    let small = RenderSettings { width: 480, height: 270, ..render.clone() };
    let renderer = Renderer::new(&recording, small)?;
    let strip = filmstrip(&recording, &renderer, FilmstripSettings::default(), &mut |_| {})?;
    write_file(folder.join("filmstrip.png"), &strip.to_png()?)?;
    println!("filmstrip.png: {:.0} ms", 1e3 * begin.elapsed().as_secs_f64());

    let begin = Instant::now();
    let mut file = PendingFile::create(folder.join("animation.gif"))?;
    let renderer = Renderer::new(&recording, render)?;
    write_gif(&recording, &renderer, &AnimationSettings::default(), &mut file, &mut |_| {})?;
    file.finish()?;
    println!("animation.gif: {:.0} ms", 1e3 * begin.elapsed().as_secs_f64());

    let travelled = recording.at(DURATION)?.states[1].pose.position.x - recording.at(0.0)?.states[1].pose.position.x;
    // Four quarter turns.
    let bounds = (Some(8.0 * HALF - 1e-9), Some(8.0 * HALF + 1e-9));
    let mut summary = Summary::new(
        "record",
        None,
        vec![Expectation::new("distance of the cube", Some(travelled), bounds.0, bounds.1)],
    );
    summary.totals = Totals { time: DURATION, steps: rows.len(), frames: rows.len(), ..Totals::default() };
    write_file(folder.join("summary.json"), summary.to_json()?.as_bytes())
}

/// Energies of the bodies at a moment; of the contact solver there is nothing to tell.
fn row(frame: &Frame) -> StepRow {
    let bodies = [
        (&frame.states[1], MASS, MASS * 4.0 * HALF * HALF / 6.0),
        (&frame.states[2], BALL, 0.4 * BALL * RADIUS * RADIUS),
    ];
    let kinetic = |(state, mass, inertia): &(&FrameState, f64, f64)| {
        0.5 * mass * state.velocity.length_squared() + 0.5 * inertia * state.angular_velocity.length_squared()
    };
    StepRow {
        t: frame.t,
        contacts: frame.forces.len() as f64,
        kinetic: bodies.iter().map(kinetic).sum(),
        potential: bodies.iter().map(|(state, mass, _)| mass * GRAVITY * state.pose.position.y).sum(),
        ..StepRow::default()
    }
}

fn bodies() -> Vec<RecordedBody> {
    let plain = |name: &str, skin: SkinMesh, paint| RecordedBody {
        name: name.into(),
        skin: Arc::new(skin),
        paint,
        structure: Vec::new(),
        surface: Arc::default(),
        moving: true,
        deforming: None,
    };
    let floor = Paint::Checker { color: [214, 218, 222], cell: 0.25 };
    let grain = (-4..=4).map(|i| {
        let z = 0.022 * f64::from(i);
        [DVec3::new(-0.42, 0.031, z), DVec3::new(0.42, 0.031, z)]
    });
    vec![
        RecordedBody { moving: false, ..plain("floor", cuboid(DVec3::new(12.0, 0.1, 12.0)), floor) },
        plain("cube", cuboid(DVec3::splat(HALF)), Paint::Texture(Arc::new(tiles()))),
        plain("ball", ball(RADIUS, 48), Paint::Color([230, 126, 34])),
        RecordedBody {
            structure: grain.collect(),
            moving: false,
            ..plain("plank", cuboid(DVec3::new(0.45, 0.03, 0.1)), Paint::Color([176, 132, 88]))
        },
    ]
}

fn moment(t: f64) -> Frame {
    let (cube, cube_force) = tumble(t);
    let (ball, ball_force) = bounce(t);
    let at = |x, y, z| FrameState::resting(Pose { position: DVec3::new(x, y, z), rotation: DQuat::IDENTITY });
    let plank = Pose { rotation: DQuat::from_rotation_y(0.5), ..at(0.1, 0.03, 0.75).pose };
    let states = vec![at(0.0, -0.1, 0.0), cube, ball, FrameState::resting(plank)];
    Frame {
        t,
        states,
        forces: [cube_force, ball_force].into_iter().flatten().collect(),
        joints: Vec::new(),
        meshes: Vec::new(),
    }
}

/// The cube rolls along x over its edges, a quarter turn at a time, slow at the ends of each.
fn tumble(t: f64) -> (FrameState, Option<ContactForce>) {
    let (turns, phase) = ((t / QUARTER).floor(), (t / QUARTER).fract());
    let angle = FRAC_PI_2 * 0.5 * (1.0 - (PI * phase).cos());
    let rate = FRAC_PI_2 * 0.5 * PI * (PI * phase).sin() / QUARTER;
    let edge = DVec3::new(-0.9 + 2.0 * HALF * turns + HALF, 0.0, -0.1);
    let arm = DQuat::from_rotation_z(-angle) * DVec3::new(-HALF, HALF, 0.0);
    let angular_velocity = DVec3::new(0.0, 0.0, -rate);
    let pose = Pose { position: edge + arm, rotation: DQuat::from_rotation_z(-angle - FRAC_PI_2 * turns).normalize() };
    let force = MASS * (DVec3::Y * GRAVITY - arm * rate * rate);
    (
        FrameState { pose, velocity: angular_velocity.cross(arm), angular_velocity },
        Some(ContactForce { pair: [1, 0], point: edge, force, normal: DVec3::Y, slip: DVec3::ZERO }),
    )
}

/// The ball falls and bounces, each time with the same part of its speed; a touch lasts for a frame.
fn bounce(t: f64) -> (FrameState, Option<ContactForce>) {
    let mut speed = (2.0 * GRAVITY * DROP).sqrt();
    let (mut start, mut end) = (-speed / GRAVITY, speed / GRAVITY);
    while t >= end {
        speed *= BOUNCE;
        (start, end) = (end, end + 2.0 * speed / GRAVITY);
    }
    let s = t - start;
    let height = speed * s - 0.5 * GRAVITY * s * s;
    let position = DVec3::new(0.75 - 0.25 * t, RADIUS + height, 0.25);
    let angular_velocity = DVec3::new(0.0, 0.0, 0.25 / RADIUS);
    let pose = Pose { position, rotation: DQuat::from_rotation_z((0.25 / RADIUS * t) % TAU) };
    let velocity = DVec3::new(-0.25, speed - GRAVITY * s, 0.0);
    let touch = (s < 1.5 / RATE && start > 0.0).then(|| ContactForce {
        pair: [2, 0],
        point: DVec3::new(position.x, 0.0, position.z),
        force: DVec3::new(-1.0, BALL * speed * (1.0 + 1.0 / BOUNCE) * RATE / 4.0, 0.0),
        normal: DVec3::Y,
        slip: DVec3::new(-0.25, 0.0, 0.0),
    });
    (FrameState { pose, velocity, angular_velocity }, touch)
}

/// A box, its faces apart, each with the whole texture.
fn cuboid(half: DVec3) -> SkinMesh {
    let mut skin = SkinMesh::default();
    for (normal, tangent) in [
        (DVec3::X, -DVec3::Z),
        (-DVec3::X, DVec3::Z),
        (DVec3::Y, DVec3::X),
        (-DVec3::Y, DVec3::X),
        (DVec3::Z, DVec3::X),
        (-DVec3::Z, -DVec3::X),
    ] {
        let (first, bitangent) = (skin.positions.len() as u32, normal.cross(tangent));
        for (u, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            skin.positions.push(half * (normal + (2.0 * u - 1.0) * tangent + (2.0 * v - 1.0) * bitangent));
            skin.normals.push(normal);
            skin.uvs.push(DVec2::new(u, v));
            skin.tangents.push(tangent);
        }
        skin.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    skin
}

/// A ball of circles of latitude, with 2n corners on each.
fn ball(radius: f64, n: u32) -> SkinMesh {
    let mut skin = SkinMesh::default();
    for i in 0..=n {
        for j in 0..=2 * n {
            let (v, u) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(2 * n));
            let (latitude, longitude) = (PI * (v - 0.5), TAU * u);
            let normal = DVec3::new(latitude.cos() * longitude.sin(), latitude.sin(), latitude.cos() * longitude.cos());
            skin.positions.push(radius * normal);
            skin.normals.push(normal);
            skin.uvs.push(DVec2::new(u, v));
            skin.tangents.push(DVec3::new(longitude.cos(), 0.0, -longitude.sin()));
            if i < n && j < 2 * n {
                let a = i * (2 * n + 1) + j;
                let b = a + 2 * n + 1;
                skin.triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
            }
        }
    }
    skin
}

/// Tiles with a frame, and an arrow to the upper right that shows how the texture lies.
fn tiles() -> Image {
    let mut image = Image::filled(128, 128, [58, 110, 165, 255]);
    for y in 0..128u32 {
        for x in 0..128u32 {
            let rim = x.min(y).min(127 - x).min(127 - y) < 6;
            let up = 127 - y;
            let shaft = x.abs_diff(up) < 10 && (30..90).contains(&x);
            let head = x + up > 150 && x < 100 && up < 100;
            let pixel = &mut image.pixels_mut()[(y * 128 + x) as usize];
            if rim {
                *pixel = [28, 58, 94, 255];
            } else if shaft || head {
                *pixel = [250, 220, 120, 255];
            } else if (x / 16 + y / 16) % 2 == 0 {
                *pixel = [88, 142, 196, 255];
            }
        }
    }
    image
}
