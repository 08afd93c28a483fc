//! Runs of this stepper get to the same bytes on any number of threads and through a resume.

use std::fs;
use std::path::{Path, PathBuf};

use asperity::run::{Checkpoint, Resumed, Run};
use asperity::world::State;

use super::scene;
use super::sliding::CUBE;

/// A cloth with a tensor falls onto a ball that turns, and hangs down around it; a rigid ball falls into it.
const TEXT: &str = r#"
    title = "A cloth on a ball that turns"
    time = { dt = 0.004, end = 0.48 }
    stepper = { kind = "filter" }
    pair_default.law = { kind = "tensor_rule" }
    [body.ball]
    shape = { kind = "sphere", radius = 0.1 }
    motion = { turn = { axis = [0, 1, 0], angle_deg = "90*t" } }
    tensor = [[0.2, 0], [0, 0.2]]
    tangent = [1, 0, 0]
    [body.cloth]
    shape = { kind = "grid", size = [0.6, 0.6], cells = [12, 12] }
    matter = { kind = "cloth", stretch = 100, bending = 1e-6, area_density = 0.2, thickness = 0.004, stiffness_damping = 1e-3 }
    position = [0.01, 0.105, 0.02]
    tensor = [[0.1, 0], [0, 0.8]]
    tangent = [1, 0, 1]
    [body.small]
    shape = { kind = "sphere", radius = 0.03 }
    density = 300
    position = [0.02, 0.16, 0]
    tensor = [[0.3, 0], [0, 0.3]]
    tangent = [1, 0, 0]
"#;

fn steps(run: &mut Run, until: u64) {
    while run.progress().0 < until {
        run.step().unwrap();
    }
}

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// All vertices and velocities of a state, bit by bit.
fn bits(state: &State) -> Vec<u64> {
    let meshes = state.bodies.iter().filter_map(|at| at.mesh());
    let vectors = meshes.flat_map(|at| at.positions.iter().chain(&at.velocities));
    vectors.flat_map(|x| x.to_array().map(f64::to_bits)).collect()
}

#[test]
fn a_resumed_run_has_the_bytes_of_one_that_was_not_stopped() {
    let mut whole = Run::new(scene(TEXT, &[])).unwrap();
    // The matrix of the elastic forces is that of an earlier step: it has to survive.
    let mut older = 0;
    while !whole.is_done() {
        whole.step().unwrap();
        let made_for = whole.state().linearised.as_ref().map(|own| own.bodies[1].mesh().unwrap().positions[0]);
        older += usize::from(made_for != Some(whole.state().bodies[1].mesh().unwrap().positions[0]));
    }
    assert!(older > 20, "{older} steps with a matrix of before");
    assert!(whole.rows().iter().any(|row| row.contacts > 30.0), "too few contacts to tell");
    resumes(TEXT, "filter_resume", &whole);
}

#[test]
fn a_stiff_solid_is_resumed_to_the_same_bytes() {
    let mut whole = Run::new(scene(CUBE, &[])).unwrap();
    let last = whole.progress().1;
    steps(&mut whole, last);
    resumes(CUBE, "filter_resume_stiff", &whole);
}

/// A run that is stopped twice ends like the whole one.
fn resumes(text: &str, name: &str, whole: &Run) {
    let place = folder(name);
    let mut run = Run::new(scene(text, &[])).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, text, &mut run).unwrap();
    steps(&mut run, 53);
    checkpoint.write(&run).unwrap();
    // What comes after the checkpoint is lost, as in a run that is killed.
    steps(&mut run, 60);
    drop(run);
    let Resumed { mut run, mut checkpoint } = Checkpoint::resume(&place, text, scene(text, &[])).unwrap();
    assert_eq!(run.progress().0, 53);
    steps(&mut run, 87);
    checkpoint.write(&run).unwrap();
    let mut run = Checkpoint::resume(&place, text, scene(text, &[])).unwrap().run;
    steps(&mut run, whole.progress().1);
    assert_eq!(bits(run.state()), bits(whole.state()));
    assert_eq!(run.state(), whole.state());
}

#[test]
fn threads_change_no_byte_of_a_large_cloth() {
    // More than the 2048 triangles from which threads share the search.
    let set = [("body.cloth.shape.cells", "[34, 34]"), ("time.end", "0.1")];
    let end = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut run = Run::new(scene(TEXT, &set)).unwrap();
            let end = run.progress().1;
            steps(&mut run, end);
            bits(run.state())
        })
    };
    assert_eq!(end(1), end(2));
}
