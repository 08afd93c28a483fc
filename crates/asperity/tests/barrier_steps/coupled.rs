//! Loads that friction follows within Newton's method, beside loads that are lagged until they converge.

use super::{STIFFNESS, rest_gap, watch};

/// A bar in a groove of two planes at 45 degrees, which slopes by 10 degrees: both sides carry it, each with 1/√2 of its weight across the slope.
const GROOVE: &str = r#"
    title = "A bar in a groove"
    time = { dt = 0.01, end = 1 }
    stepper = { kind = "barrier", dhat = 1e-3, eps_v = 1e-4, lags = 200 }
    world.gravity = [1.7034886, -9.6609640, 0]
    pair_default.law = { kind = "coulomb", mu = 0.05 }
    [body.left]
    shape = { kind = "half_space", normal = [0, 1, 1] }
    motion = "static"
    [body.right]
    shape = { kind = "half_space", normal = [0, 1, -1] }
    motion = "static"
    [body.bar]
    shape = { kind = "box", size = [0.4, 0.05, 0.05] }
    turn = { axis = [1, 0, 0], angle_deg = 45 }
"#;

/// How far the bar of 1 kg gets, and in how many steps not all was solved. It starts where its eight corners carry it.
fn slid(loads: &str) -> (f64, usize) {
    let gap = rest_gap(9.6609640 * 2f64.sqrt() / 8.0);
    let (height, stiffness) = (format!("[0, {}, 0]", 2f64.sqrt() * (0.025 + gap)), STIFFNESS.to_string());
    let set =
        [("stepper.loads", loads), ("body.bar.position", height.as_str()), ("stepper.stiffness", stiffness.as_str())];
    let run = watch(GROOVE, &set, |_, _| ());
    (run.state().bodies[2].frame().centre.x, run.summary().unwrap().accuracy.steps_above_tolerance)
}

/// Both ways solve the same equations, and both agree with a = g (sin − √2 mu cos), from rest in 100 steps of backward Euler.
#[test]
fn coupled_loads_are_those_that_lagged_ones_converge_to() {
    let (lagged, left) = slid("\"lagged\"");
    let (coupled, above) = slid("\"coupled\"");
    assert_eq!([left, above], [0, 0]);
    // A lag leaves 1e-6 of the loads in the dynamics: 1e-6 g t²/2 in a second.
    assert!((coupled - lagged).abs() < 5e-6, "{coupled} {lagged}");
    let expected = (1.7034886 - 2f64.sqrt() * 0.05 * 9.6609640) * 1e-4 * 100.0 * 101.0 / 2.0;
    assert!((coupled / expected - 1.0).abs() < 5e-3, "{coupled} {expected}");
}
