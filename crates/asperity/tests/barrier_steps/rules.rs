//! Rules in time: backward Euler is of first order, BDF2 of second.

use super::{STIFFNESS, rest_gap, watch};

const SLOPE: &str = r#"
    title = "A block slides down a slope"
    time = { dt = 0.01, end = 1 }
    stepper = { kind = "barrier", dhat = 1e-3, eps_v = 1e-5 }
    world.gravity = [1.7034886, -9.6609640, 0]
    pair_default.law = { kind = "coulomb", mu = 0.1 }
    [body.ramp]
    shape = { kind = "half_space" }
    motion = "static"
    [body.block]
    shape = { kind = "box", size = [0.2, 0.01, 0.2] }
    velocity = [0.5, 0, 0]
"#;

/// With constant acceleration a both rules have closed forms: backward Euler is ½ a h t ahead of ½ a t². BDF2 keeps what its first step, one of backward Euler, was ahead, ½ a h²,
/// times 3/2 (its errors follow 3 e⁺ = 4 e − e₋, with the roots 1 and 1/3).
#[test]
fn a_block_slides_as_the_rule_has_it() {
    let (a, height) = (1.7034886 - 0.1 * 9.6609640, format!("[0, {}, 0]", 0.005 + rest_gap(0.96609640)));
    let stiffness = STIFFNESS.to_string();
    let slid = |rule: &str| {
        let set = [
            ("body.block.position", height.as_str()),
            ("stepper.stiffness", stiffness.as_str()),
            ("stepper.rule", rule),
        ];
        watch(SLOPE, &set, |_, _| ()).state().bodies[1].frame().centre.x - 0.5 - 0.5 * a
    };
    let (euler, bdf2) = (slid("'euler'"), slid("'bdf2'"));
    assert!((euler / (0.5 * a * 0.01) - 1.0).abs() < 0.02, "{euler}");
    assert!((bdf2 / (0.75 * a * 1e-4) - 1.0).abs() < 0.1, "{bdf2} {}", 0.75 * a * 1e-4);
}

const BAR: &str = r#"
    title = "A soft bar that is held at one end falls and turns"
    time = { dt = 0.004, end = 0.08 }
    stepper = { kind = "barrier", dhat = 1e-3 }
    [body.bar]
    shape = { kind = "box", size = [0.4, 0.1, 0.1] }
    matter = { kind = "solid", young = 2e4, poisson = 0.3, cells = [4, 1, 1] }
    pins = [{ where = "-x - 0.19" }]
"#;

/// The error of a rule of order p falls by 2^p as the step is halved.
#[test]
fn the_order_of_a_rule_is_what_it_says() {
    let tip = |rule: &str, dt: &str| {
        let run = watch(BAR, &[("stepper.rule", rule), ("time.dt", dt)], |_, _| ());
        run.state().bodies[0].frame().centre.y
    };
    let ratio = |rule: &str| {
        let [a, b, c] = ["0.004", "0.002", "0.001"].map(|dt| tip(rule, dt));
        (a - b) / (b - c)
    };
    let (euler, bdf2) = (ratio("'euler'"), ratio("'bdf2'"));
    assert!(euler > 1.6 && euler < 2.4, "{euler}");
    assert!(bdf2 > 3.2 && bdf2 < 4.8, "{bdf2}");
}
