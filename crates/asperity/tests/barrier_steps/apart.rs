//! Nothing ever crosses, looked at in every step by exact predicates.

use super::{assert_apart, watch};

/// A cloth falls on a ball that turns, and a box on the cloth.
const DRAPE: &str = r#"
    title = "A cloth on a ball, a box on the cloth"
    time = { dt = 0.01, end = 0.5 }
    stepper = { kind = "barrier", dhat = 2e-3, eps_v = 1e-3 }
    pair_default.law = { kind = "coulomb", mu = 0.3 }
    [body.ball]
    shape = { kind = "sphere", radius = 0.1 }
    motion = { turn = { axis = [0, 1, 0], angle_deg = "90*t" } }
    [body.cloth]
    shape = { kind = "grid", size = [0.5, 0.5], cells = [12, 12] }
    matter = { kind = "cloth", stretch = 100, bending = 1e-6, area_density = 0.2, thickness = 0.002 }
    position = [0.01, 0.104, 0.02]
    [body.box]
    shape = { kind = "box", size = [0.06, 0.06, 0.06] }
    density = 200
    position = [0.02, 0.2, 0.01]
    turn = { axis = [1, 0, 1], angle_deg = 40 }
"#;

#[test]
fn a_cloth_a_ball_and_a_box_never_cross() {
    let run = watch(DRAPE, &[], |model, state| assert_apart(model, state, f64::NEG_INFINITY));
    assert!(run.rows().iter().any(|row| row.contacts > 60.0), "too few contacts to tell");
}

/// A tower that is shoved over by a block which does not stop.
const TOWER: &str = r#"
    title = "A tower is shoved over"
    time = { dt = 0.01, end = 1.2 }
    stepper = { kind = "barrier", dhat = 1e-3 }
    pair_default.law = { kind = "coulomb", mu = 0.5 }
    [body.floor]
    shape = { kind = "half_space" }
    motion = "static"
    [body.low]
    shape = { kind = "box", size = [0.1, 0.2, 0.1] }
    position = [0, 0.1005, 0]
    [body.middle]
    shape = { kind = "box", size = [0.1, 0.2, 0.1] }
    position = [0.01, 0.301, 0.005]
    [body.high]
    shape = { kind = "box", size = [0.1, 0.2, 0.1] }
    position = [0, 0.5015, 0]
    turn = { axis = [0, 1, 0], angle_deg = 20 }
    [body.pusher]
    shape = { kind = "box", size = [0.1, 0.1, 0.1] }
    position = [-0.15, 0.4, 0]
    motion = { position = ["0.4*t", "0", "0"] }
"#;

#[test]
fn a_tower_that_is_shoved_over_never_crosses() {
    let run = watch(TOWER, &[], |model, state| assert_apart(model, state, 0.0));
    let top = run.state().bodies[3].frame().centre;
    // The pusher takes its two upper stones along; the top has come down.
    assert!(top.y < 0.45, "{top}");
}

/// Two soft blocks, the upper one fast.
const SOFT: &str = r#"
    title = "A soft block hits another one"
    time = { dt = 0.005, end = 0.2 }
    stepper = { kind = "barrier", dhat = 1e-3 }
    pair_default.law = { kind = "coulomb", mu = 0.4 }
    [body.floor]
    shape = { kind = "box", size = [1, 0.1, 1] }
    position = [0, -0.05, 0]
    motion = "static"
    [body.low]
    shape = { kind = "box", size = [0.1, 0.1, 0.1] }
    matter = { kind = "solid", young = 3e4, poisson = 0.4, cells = [2, 2, 2] }
    position = [0, 0.051, 0]
    [body.high]
    shape = { kind = "box", size = [0.1, 0.1, 0.1] }
    matter = { kind = "solid", young = 3e4, poisson = 0.4, cells = [2, 2, 2] }
    position = [0.03, 0.17, 0.02]
    turn = { axis = [0, 1, 0.3], angle_deg = 30 }
    velocity = [0, -5, 0]
"#;

#[test]
fn soft_blocks_at_speed_never_cross() {
    watch(SOFT, &[], |model, state| assert_apart(model, state, 0.0));
}

/// Two boxes meet in flight, without gravity: momentum and angular momentum stay.
const FLIGHT: &str = r#"
    title = "Two boxes meet in flight"
    time = { dt = 0.002, end = 0.3 }
    stepper = { kind = "barrier", dhat = 1e-3 }
    world.gravity = [0, 0, 0]
    pair_default.law = { kind = "coulomb", mu = 0.4 }
    [body.a]
    shape = { kind = "box", size = [0.1, 0.1, 0.1] }
    position = [-0.1, 0, 0]
    velocity = [1, 0, 0]
    turn = { axis = [1, 2, 3], angle_deg = 25 }
    [body.b]
    shape = { kind = "box", size = [0.1, 0.2, 0.1] }
    position = [0.1, 0.05, 0.02]
    velocity = [-0.5, 0, 0]
    angular_velocity = [0, 0, 2]
"#;

#[test]
fn bodies_in_flight_keep_their_momentum() {
    let mut first = None;
    let (mut linear, mut angular) = (0.0f64, 0.0f64);
    watch(FLIGHT, &[], |model, state| {
        assert_apart(model, state, f64::NEG_INFINITY);
        let now = model.momentum(state);
        let before = *first.get_or_insert(now);
        linear = linear.max((now.linear - before.linear).length());
        angular = angular.max((now.angular - before.angular).length());
    });
    let scale = first.unwrap();
    // Forces come in pairs along the line of the nearest points; friction acts on two points that are a gap apart. Turns are of first
    // order in the step: ω⁺ = ω̃ + δ/h.
    assert!(linear < 1e-9, "{linear} of {}", scale.linear.length());
    assert!(angular < 2e-2 * scale.angular.length(), "{angular} of {}", scale.angular.length());
}
