//! Runs get to the same bytes on any number of threads and through a resume.

use std::fs;
use std::path::Path;

use asperity::run::{Checkpoint, Resumed, Run};
use asperity::world::State;

use super::scene;

const TEXT: &str = r#"
    title = "A cloth on a ball that turns, a box on the cloth"
    time = { dt = 0.01, end = 0.3 }
    stepper = { kind = "barrier", dhat = 2e-3, eps_v = 1e-3 }
    pair_default.law = { kind = "coulomb", mu = 0.3 }
    [body.ball]
    shape = { kind = "sphere", radius = 0.1 }
    motion = { turn = { axis = [0, 1, 0], angle_deg = "90*t" } }
    [body.cloth]
    shape = { kind = "grid", size = [0.4, 0.4], cells = [10, 10] }
    matter = { kind = "cloth", stretch = 100, bending = 1e-6, area_density = 0.2, thickness = 0.002, stiffness_damping = 1e-3 }
    position = [0.01, 0.104, 0.02]
    [body.box]
    shape = { kind = "box", size = [0.06, 0.06, 0.06] }
    density = 200
    position = [0.02, 0.17, 0.01]
"#;

/// All numbers of a state, bit by bit.
fn bits(state: &State) -> Vec<u64> {
    let frames = state.bodies.iter().flat_map(|at| {
        let frame = at.frame();
        [frame.centre, frame.velocity, frame.angular_velocity]
    });
    let meshes = state.bodies.iter().filter_map(|at| at.mesh());
    let vectors = meshes.flat_map(|at| at.positions.iter().chain(&at.velocities)).copied();
    frames.chain(vectors).flat_map(|x| x.to_array().map(f64::to_bits)).collect()
}

fn steps(run: &mut Run, until: u64) {
    while run.progress().0 < until {
        run.step().unwrap();
    }
}

/// A run that is stopped after 17 steps and resumed against one that is not.
fn resumed(name: &str, set: &[(&str, &str)]) {
    let mut whole = Run::new(scene(TEXT, set)).unwrap();
    steps(&mut whole, 30);
    assert!(whole.rows().iter().any(|row| row.contacts > 30.0), "too few contacts to tell");
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    let mut run = Run::new(scene(TEXT, set)).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, TEXT, &mut run).unwrap();
    steps(&mut run, 17);
    checkpoint.write(&run).unwrap();
    drop(run);
    let Resumed { mut run, .. } = Checkpoint::resume(&place, TEXT, scene(TEXT, set)).unwrap();
    steps(&mut run, 30);
    assert!(bits(run.state()) == bits(whole.state()));
}

#[test]
fn a_resumed_run_has_the_bytes_of_one_that_was_not_stopped() {
    resumed("barrier_resume", &[]);
}

/// The step before and the stiffness are part of the checkpoint.
#[test]
fn a_resumed_run_of_second_order_has_the_same_bytes() {
    resumed("barrier_resume_bdf2", &[("stepper.rule", "'bdf2'"), ("stepper.adaptive", "true")]);
}

#[test]
fn threads_change_no_byte() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut run = Run::new(scene(TEXT, &[])).unwrap();
            steps(&mut run, 20);
            bits(run.state())
        })
    };
    assert!(on(1) == on(3));
}
