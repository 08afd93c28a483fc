//! A run depends on its scene alone: not on threads, nor on having been stopped, killed and resumed.

use std::fs;
use std::path::{Path, PathBuf};

use asperity::run::{Checkpoint, CheckpointError, FileSettings, Resumed, Run, write};
use asperity::scene::{Document, Scene};

/// Capsules that fall into a funnel: they begin as islands of their own, and end as one.
const TEXT: &str = r#"
title = "A few capsules in a funnel"

[time]
dt = 0.01
end = 1.2

[solver]
tolerance = 1e-6

[pair_default]
law = { kind = "matchstick", mu = 0.2, mu_t = 0.2, mu_b = 3.0 }

[body.funnel]
shape = { kind = "revolution", segments = 24, profile = [[1.2, 0], [4, 2.8], [4.3, 2.8], [1.2, -0.3], [1.2, 0]] }
motion = "static"
structure = { field = "sweep", axis = [0, 1, 0], direction = "axial" }

[body.capsule]
shape = { kind = "capsule", radius = 0.4, length = 0.6 }
position = [-1, 2.9, -1]
array = { count = [3, 2, 3], spacing = [1, 1.6, 1], jitter = 0.03, jitter_deg = 3, seed = 1 }
structure = { field = "sweep", axis = [0, 1, 0], direction = "axial" }

[output]
fps = 50
"#;

/// A chain that falls on a ledge: joints and contacts whose forces are carried from step to step.
const CHAIN: &str = r#"
title = "A chain over a ledge"

[time]
dt = 0.01
end = 0.8

[body.ledge]
shape = { kind = "box", size = [0.6, 0.2, 1] }
motion = "static"
position = [1, -0.4, 0]

[body.link]
shape = { kind = "capsule", radius = 0.03, length = 0.1 }
turn = { axis = [0, 0, 1], angle_deg = 90 }
position = [0.08, 0, 0]
array = { count = [12, 1, 1], spacing = [0.16, 0, 0] }

[joint.link]
kind = "ball"
chain = "link"

[joint.hook]
kind = "hinge"
a = "link[0,0,0]"
anchor = [0, 0, 0]
axis = [0, 0, 1]
limits_deg = [-80, 10]
brake = { torque = 0.05 }
"#;

#[test]
fn joints_go_on_to_the_same_bytes() {
    let scene = || {
        let document = Document::parse(CHAIN, "chain.toml").unwrap_or_else(|error| panic!("{error}"));
        document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"))
    };
    let mut whole = Run::new(scene()).unwrap();
    finish(&mut whole);
    assert!(whole.rows().iter().any(|row| row.contacts > 2.0) && whole.state().joints.iter().any(|f| *f != 0.0));
    let place = folder("chain");
    let mut run = Run::new(scene()).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, CHAIN, &mut run).unwrap();
    steps(&mut run, 43);
    checkpoint.write(&run).unwrap();
    let mut resumed = Checkpoint::resume(&place, CHAIN, scene()).unwrap().run;
    assert_eq!(resumed.state(), run.state());
    assert_eq!(resumed.recording().frames(), run.recording().frames());
    finish(&mut resumed);
    assert!(bytes(&resumed, "chain-resumed") == bytes(&whole, "chain-whole"), "resumed, and not the same bytes");
    assert_eq!(resumed.state(), whole.state());
}

fn scene() -> Scene {
    let document = Document::parse(TEXT, "capsules.toml").unwrap_or_else(|error| panic!("{error}"));
    document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("same_bytes").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn steps(run: &mut Run, until: u64) {
    while run.progress().0 < until {
        run.step().unwrap();
    }
}

fn finish(run: &mut Run) {
    steps(run, run.progress().1);
}

/// The bytes of the trajectory.
fn bytes(run: &Run, name: &str) -> Vec<u8> {
    let folder = folder(name);
    write(run, &folder, FileSettings { pictures: false, glb: false, vtk: false }, &mut |_| {}).unwrap();
    fs::read(folder.join("trajectory.csv")).unwrap()
}

fn on_threads(count: usize) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
    pool.install(|| {
        let mut run = Run::new(scene()).unwrap();
        finish(&mut run);
        assert!(run.rows().iter().any(|row| row.contacts > 20.0), "too few contacts to tell");
        bytes(&run, &format!("threads-{count}"))
    })
}

#[test]
fn twice_and_on_any_number_of_threads() {
    let one = on_threads(1);
    assert!(one == on_threads(1), "twice the same scene, and not the same bytes");
    assert!(one == on_threads(2), "two threads, and not the same bytes");
}

#[test]
fn a_run_that_is_stopped_or_killed_goes_on_to_the_same_bytes() {
    let mut whole = Run::new(scene()).unwrap();
    finish(&mut whole);
    let expected = bytes(&whole, "whole");

    // Stopped twice.
    let place = folder("stopped");
    let mut run = Run::new(scene()).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, TEXT, &mut run).unwrap();
    steps(&mut run, 37);
    checkpoint.write(&run).unwrap();
    let Resumed { mut run, mut checkpoint } = Checkpoint::resume(&place, TEXT, scene()).unwrap();
    assert_eq!(run.progress().0, 37);
    steps(&mut run, 81);
    let (small, log) = (place.join("checkpoint.json"), place.join("run.log"));
    let (before, length) = (fs::read(&small).unwrap(), fs::metadata(&log).unwrap().len());
    checkpoint.write(&run).unwrap();
    let mut run = Checkpoint::resume(&place, TEXT, scene()).unwrap().run;
    assert_eq!(run.progress().0, 81);
    finish(&mut run);
    assert!(bytes(&run, "stopped-files") == expected, "resumed, and not the same bytes");

    // Killed in the middle of the second checkpoint: part of it is in the log, the small file is the old one.
    let longer = fs::read(&log).unwrap();
    assert!(longer.len() as u64 > length + 100);
    let cut = length as usize + (longer.len() - length as usize) / 2 + 3;
    let garbage: Vec<u8> =
        longer[..length as usize].iter().copied().chain((0..999).map(|i| (i * 37 % 251) as u8)).collect();
    for (name, left) in [("cut", &longer[..cut]), ("garbage", &garbage)] {
        fs::write(&small, &before).unwrap();
        fs::write(&log, left).unwrap();
        let Resumed { mut run, mut checkpoint } = Checkpoint::resume(&place, TEXT, scene()).unwrap();
        assert_eq!(run.progress().0, 37, "{name}");
        steps(&mut run, 60);
        checkpoint.write(&run).unwrap();
        let mut run = Checkpoint::resume(&place, TEXT, scene()).unwrap().run;
        assert_eq!(run.progress().0, 60, "{name}");
        finish(&mut run);
        assert!(bytes(&run, name) == expected, "killed ({name}), and not the same bytes");
    }
}

#[test]
fn what_cannot_be_resumed_is_refused() {
    let place = folder("refused");
    let mut run = Run::new(scene()).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, TEXT, &mut run).unwrap();
    steps(&mut run, 5);
    checkpoint.write(&run).unwrap();
    let other = Checkpoint::resume(&place, "another scene", scene());
    assert!(matches!(other, Err(CheckpointError::OtherScene { .. })));
    // A log that is shorter than its checkpoint says has lost what cannot be made up.
    let log = place.join("run.log");
    let bytes = fs::read(&log).unwrap();
    fs::write(&log, &bytes[..bytes.len() - 1]).unwrap();
    let short = Checkpoint::resume(&place, TEXT, scene());
    assert!(matches!(short, Err(CheckpointError::Format { .. })));
    // One of the right length with a record of no known kind.
    fs::write(&log, vec![b'X'; bytes.len()]).unwrap();
    let unknown = Checkpoint::resume(&place, TEXT, scene());
    assert!(matches!(unknown, Err(CheckpointError::Format { .. })));
}
