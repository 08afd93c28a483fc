//! What rests stays in touch: bodies that carry each other are nearer than the range of the barrier, step by step.

use std::path::Path;

use asperity::run::Run;
use asperity::scene::Document;

use super::outlines::distance;

/// Runs a scene, and looks from `since` on, every tenth step, at the distance of these pairs of bodies: the least and the largest.
fn distances(scene: &str, variant: Option<&str>, since: f64, pairs: &[[&str; 2]]) -> [f64; 2] {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/ipc/{scene}.toml"));
    let scene = Document::read(&file).unwrap().scene(variant, &[]).unwrap();
    let model = scene.model.clone();
    let number = |name: &str| model.bodies.iter().position(|body| body.name == name).unwrap();
    let pairs: Vec<[usize; 2]> = pairs.iter().map(|names| names.map(number)).collect();
    let mut run = Run::new(scene).unwrap();
    let mut range = [f64::INFINITY, 0.0f64];
    while !run.is_done() {
        run.step().unwrap();
        if run.state().time < since || !run.progress().0.is_multiple_of(10) {
            continue;
        }
        for [a, b] in &pairs {
            let gap = distance(&model, run.state(), *a, *b);
            range = [range[0].min(gap), range[1].max(gap)];
        }
    }
    range
}

/// Nothing touches, and no gap is as wide as the range.
fn assert_in_touch([least, most]: [f64; 2], dhat: f64) {
    assert!(least > 0.0 && most < dhat, "gaps from {least} to {most} m, range {dhat} m");
}

/// The stones of the arch thrust against each other and against the ground, in every joint.
#[test]
fn the_joints_of_an_arch_stay_closed() {
    let names: Vec<String> = (0..7).map(|i| format!("stone{i}")).collect();
    let mut joints: Vec<[&str; 2]> = names.windows(2).map(|two| [&two[0][..], &two[1][..]]).collect();
    joints.extend([["ground", &names[0][..]], ["ground", &names[6][..]]]);
    assert_in_touch(distances("arch", None, 1.0, &joints), 2e-3);
    assert_in_touch(distances("arch", Some("close"), 1.0, &joints), 8e-5);
}

/// A block that sticks on a ramp, while it is tilted and after it.
#[test]
fn a_block_that_sticks_stays_on_its_ramp() {
    assert_in_touch(distances("ramp", Some("sticks"), 0.5, &[["ramp", "block"]]), 1e-3);
}

/// The control: joints of an arch that falls apart open.
#[test]
fn the_joints_of_an_arch_that_falls_open() {
    let joints = [["stone1", "stone2"], ["stone2", "stone3"], ["stone3", "stone4"], ["stone4", "stone5"]];
    let [_, most] = distances("arch", Some("slides"), 1.0, &joints);
    assert!(most > 2e-3, "{most}");
}
