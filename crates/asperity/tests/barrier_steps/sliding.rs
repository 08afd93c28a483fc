//! A block that slides and sticks, against closed forms of backward Euler.

use super::{STIFFNESS, rest_gap, watch};

const RAMP: &str = r#"
    title = "A block on a slope of 10 degrees"
    time = { dt = 0.01, end = 2 }
    stepper = { kind = "barrier", dhat = 1e-3, eps_v = 1e-5 }
    world.gravity = [1.7034886, -9.6609640, 0]
    pair_default.law = { kind = "coulomb", mu = 0.1 }
    [body.ramp]
    shape = { kind = "half_space" }
    motion = "static"
    [body.block]
    shape = { kind = "box", size = [0.2, 0.01, 0.2] }
"#;

/// How far the block gets along the slope. It is flat, so that friction hardly tips it, and starts where its corners carry its 0.4 kg; `set` may place it elsewhere.
fn slid(set: &[(&str, &str)]) -> f64 {
    let height = format!("[0, {}, 0]", 0.005 + rest_gap(0.96609640));
    let stiffness = STIFFNESS.to_string();
    let start = [("body.block.position", height.as_str()), ("stepper.stiffness", stiffness.as_str())];
    let all: Vec<(&str, &str)> = start.into_iter().chain(set.iter().copied()).collect();
    let run = watch(RAMP, &all, |_, _| ());
    run.state().bodies[1].frame().centre.x
}

#[test]
fn a_block_slides_as_backward_euler_has_it() {
    // From rest n steps with a = g (sin − mu cos): x = a h² n (n + 1)/2.
    let a = 1.7034886 - 0.1 * 9.6609640;
    let expected = a * 1e-4 * 200.0 * 201.0 / 2.0;
    let x = slid(&[]);
    assert!((x / expected - 1.0).abs() < 1e-4, "{x} {expected}");
}

/// The corners of the block pass over the diagonal of the floor's upper face: where a flat face is cut must not matter.
#[test]
fn a_floor_of_triangles_is_a_plane() {
    let a = 1.7034886 - 0.1 * 9.6609640;
    let expected = a * 1e-4 * 200.0 * 201.0 / 2.0;
    let floor =
        [("body.ramp.shape", r#"{ kind = "box", size = [5, 0.1, 1] }"#), ("body.ramp.position", "[0.9, -0.05, 0.02]")];
    let x = slid(&floor);
    assert!((x / expected - 1.0).abs() < 1e-4, "{x} {expected}");
}

/// How far it gets in the second of two seconds: in the first one it settles, since friction turns it forward.
fn later(set: &[(&str, &str)]) -> f64 {
    let end: Vec<(&str, &str)> = set.iter().copied().chain([("time.end", "1")]).collect();
    slid(set) - slid(&end)
}

#[test]
fn it_tells_ten_thousandths_of_the_limit_apart() {
    // tan 10° = 0.17632698.
    let sticks = later(&[("pair_default.law.mu", "0.17642698")]);
    assert!(sticks > 0.0 && sticks < 1e-5, "{sticks}");
    let slides = later(&[("pair_default.law.mu", "0.17622698")]);
    let expected = 9.6609640e-4 * 1e-4 * (200.0 * 201.0 - 100.0 * 101.0) / 2.0;
    assert!((slides - expected).abs() < 0.15 * expected, "{slides} {expected}");
}

#[test]
fn the_creep_of_what_sticks_follows_the_smoothing() {
    // mu = 2 tan 10°: f1 = ½, so that it creeps with (1 − √½) ε_v.
    for eps in ["1e-3", "1e-4", "1e-5"] {
        let own: f64 = eps.parse().unwrap();
        let x = later(&[("pair_default.law.mu", "0.35265396"), ("stepper.eps_v", eps)]);
        let expected = (1.0 - 0.5f64.sqrt()) * own;
        assert!((x / expected - 1.0).abs() < 0.01, "{eps}: {x} {expected}");
    }
}

#[test]
fn a_soft_block_and_a_cloth_slide_like_the_rigid_one() {
    let a = 1.7034886 - 0.1 * 9.6609640;
    let expected = a * 1e-4 * 50.0 * 51.0 / 2.0;
    let soft = [
        ("body.block.shape", "{ kind = 'box', size = [0.2, 0.1, 0.2] }"),
        ("body.block.position", "[0, 0.0507, 0]"),
        (
            "body.block.matter",
            "{ kind = 'solid', young = 1e6, poisson = 0.4, cells = [2, 1, 2], stiffness_damping = 0.01 }",
        ),
        ("time.end", "0.5"),
    ];
    let cloth = [
        ("body.block.shape", "{ kind = 'grid', size = [0.2, 0.2], cells = [4, 4] }"),
        (
            "body.block.matter",
            "{ kind = 'cloth', stretch = 1e3, bending = 1e-4, area_density = 0.3, thickness = 0.002 }",
        ),
        ("body.block.position", "[0, 0.00165, 0]"),
        ("time.end", "0.5"),
    ];
    for set in [&soft[..], &cloth[..]] {
        let x = slid(set);
        assert!((x / expected - 1.0).abs() < 0.02, "{x} {expected}");
    }
}

#[test]
fn a_belt_carries_a_block_as_far_as_it_goes() {
    let text = r#"
        title = "A belt starts gently, and carries a block"
        time = { dt = 0.01, end = 1 }
        stepper = { kind = "barrier", dhat = 1e-3, eps_v = 1e-5 }
        pair_default.law = { kind = "coulomb", mu = 0.5 }
        [body.belt]
        shape = { kind = "box", size = [4, 0.1, 1] }
        position = [0, -0.05, 0]
        motion = { position = ["0.5*t^2", "0.1*t", "0"] }
        [body.block]
        shape = { kind = "box", size = [0.2, 0.1, 0.2] }
        position = [0, 0.05065, 0]
    "#;
    let run = watch(text, &[], |model, state| super::assert_apart(model, state, 0.0));
    let at = run.state().bodies[1].frame().centre;
    assert!((at.x - 0.5).abs() < 1e-4 && (at.y - 0.15).abs() < 1e-3, "{at}");
}
