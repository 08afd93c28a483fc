//! Runs with elastic bodies: the same bytes on any number of threads and through a resume, and what 10,000 steps keep.

use std::fs;
use std::path::{Path, PathBuf};

use asperity::run::{Checkpoint, FileSettings, Resumed, Run, write};
use asperity::scene::{Document, Scene};

/// A soft block with grain slides, with a rigid box on it and a bone that carries one of its edges.
const TEXT: &str = r#"
title = "A box on a gel block"

[time]
dt = 0.01
end = 0.6

[stepper]
kind = "implicit"

[pair_default]
law = { kind = "matchstick", mu = 0.3, mu_t = 0.1, mu_b = 0.6 }

[body.floor]
shape = { kind = "box", size = [2, 0.1, 1] }
position = [0, -0.05, 0]
motion = "static"
structure = [1, 0, 1]

[body.gel]
shape = { kind = "box", size = [0.2, 0.1, 0.2] }
matter = { kind = "solid", young = 1e5, poisson = 0.3, cells = [4, 2, 4], stiffness_damping = 0.01 }
position = [0, 0.05, 0]
structure = [1, 0, 0]
pins = [{ where = "min(x - 0.099, y - 0.049)", motion = { position = ["0.3*t", 0, 0] } }]

[body.box]
shape = { kind = "box", size = [0.08, 0.04, 0.08] }
position = [0, 0.121, 0]
structure = [0, 0, 1]

[output]
fps = 50
contacts = true

[expect.stretched]
measure = "extent"
body = "gel"
along = [1, 0, 0]
min = 0.2
"#;

fn scene(text: &str) -> Scene {
    let document = Document::parse(text, "gel.toml").unwrap_or_else(|error| panic!("{error}"));
    document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("elastic_runs").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn steps(run: &mut Run, until: u64) {
    while run.progress().0 < until {
        run.step().unwrap();
    }
}

/// What a run left behind.
#[derive(PartialEq)]
struct Bytes {
    trajectory: Vec<u8>,
    contacts: Vec<u8>,
    /// All recorded vertices, positions and velocities, as bits.
    vertices: Vec<u64>,
}

/// Runs to the end and reads what was written.
fn bytes(run: &mut Run, name: &str) -> Bytes {
    steps(run, run.progress().1);
    let folder = folder(name);
    write(run, &folder, FileSettings { pictures: false, glb: false, vtk: false }, &mut |_| {}).unwrap();
    let mut vertices = Vec::new();
    for frame in 0..run.recording().frames().len() {
        for mesh in run.recording().frame(frame).unwrap().meshes {
            let numbers = mesh.positions.iter().chain(&mesh.velocities).flat_map(|x| x.to_array());
            vertices.extend(numbers.map(f64::to_bits));
        }
    }
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    Bytes { trajectory: read("trajectory.csv"), contacts: read("contacts.csv"), vertices }
}

/// The scene with another stepper.
fn with(stepper: &str) -> String {
    TEXT.replace("kind = \"implicit\"", &format!("kind = \"{stepper}\""))
}

/// Steppers whose runs are looked at.
const STEPPERS: [&str; 2] = ["implicit", "smooth"];

#[test]
fn a_resumed_run_has_the_bytes_of_one_that_was_not_stopped() {
    STEPPERS.iter().for_each(|stepper| resumes(&with(stepper), stepper));
}

fn resumes(text: &str, name: &str) {
    let mut whole = Run::new(scene(text)).unwrap();
    let expected = bytes(&mut whole, &format!("{name}-whole"));
    assert!(expected.vertices.len() > 30 * 75 * 6 && expected.contacts.len() > 10_000);
    assert!(whole.rows().iter().any(|row| row.contacts > 30.0), "too few contacts to tell");
    let place = folder(&format!("{name}-stopped"));
    let mut run = Run::new(scene(text)).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, text, &mut run).unwrap();
    steps(&mut run, 17);
    checkpoint.write(&run).unwrap();
    // What comes after the checkpoint is lost, as in a run that is killed.
    steps(&mut run, 20);
    drop(run);
    let Resumed { mut run, mut checkpoint } = Checkpoint::resume(&place, text, scene(text)).unwrap();
    assert_eq!(run.progress().0, 17);
    steps(&mut run, 41);
    checkpoint.write(&run).unwrap();
    let mut run = Checkpoint::resume(&place, text, scene(text)).unwrap().run;
    assert_eq!(run.progress().0, 41);
    assert!(bytes(&mut run, &format!("{name}-resumed")) == expected, "resumed, and not the same bytes");
    assert_eq!(run.state(), whole.state());
    // Expectations about vertices are read from the log that went on.
    let [resumed, uncut] = [&run, &whole].map(|run| run.summary().unwrap().expectations[0].value);
    assert!(resumed.is_some() && resumed == uncut);
}

#[test]
fn threads_change_no_byte_of_contacts_and_vertices() {
    let on = |stepper: &str, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bytes(&mut Run::new(scene(&with(stepper))).unwrap(), &format!("{stepper}-threads-{threads}")))
    };
    for stepper in STEPPERS {
        assert!(on(stepper, 1) == on(stepper, 2), "{stepper}: two threads, and not the same bytes");
    }
}

/// A stretched, sheared and spinning block in free space.
const FREE: &str = r#"
    title = "A soft block in free space"
    time = { dt = 0.005, end = 50 }
    stepper = { kind = "implicit" }
    world.gravity = [0, 0, 0]
    [body.block]
    shape = { kind = "box", size = [0.3, 0.2, 0.1] }
    matter = { kind = "solid", young = 1e4, poisson = 0.3, cells = [2, 1, 1] }
    velocity = [1, 2, 3]
    angular_velocity = [2, 5, 1]
    start = ["1.1*x", "y", "z + 0.1*x"]
    [output]
    fps = 1
"#;

#[test]
fn ten_thousand_steps_keep_the_momenta_and_add_no_energy() {
    let mut run = Run::new(scene(FREE)).unwrap();
    let model = run.scene().model.clone();
    let total = |run: &Run| model.kinetic_energy(run.state()) + model.elastic_energy(run.state());
    let first = model.momentum(run.state());
    let mut energy = total(&run);
    while !run.is_done() {
        run.step().unwrap();
        let now = total(&run);
        assert!(now <= energy * (1.0 + 1e-12), "t = {}: {energy} J to {now} J", run.state().time);
        energy = now;
    }
    assert_eq!(run.progress().0, 10_000);
    let last = model.momentum(run.state());
    let off = |a: glam::DVec3, b: glam::DVec3| (a - b).length() / b.length();
    assert!(off(last.linear, first.linear) < 1e-10, "{} {}", last.linear, first.linear);
    assert!(off(last.angular, first.angular) < 1e-10, "{} {}", last.angular, first.angular);
}
