//! Laws: static and kinetic, grain, sets with corners, rolling.

use super::{STIFFNESS, rest_gap, watch};

const FLAT: &str = r#"
    title = "A block slides over a floor"
    time = { dt = 0.005, end = 0.5 }
    stepper = { kind = "barrier", dhat = 1e-3, eps_v = 1e-4 }
    pair_default.law = { kind = "coulomb", mu = 0.3 }
    [body.floor]
    shape = { kind = "half_space" }
    motion = "static"
    [body.block]
    shape = { kind = "box", size = [0.2, 0.01, 0.2] }
    velocity = [1, 0, 0]
"#;

/// Velocity of the block at the end. It is flat, so that friction hardly tips it, and starts where its four corners carry its 0.4 kg; `set` may place it elsewhere.
fn velocity(set: &[(&str, &str)]) -> glam::DVec3 {
    let height = format!("[0, {}, 0]", 0.005 + rest_gap(0.981));
    let stiffness = STIFFNESS.to_string();
    let start = [("body.block.position", height.as_str()), ("stepper.stiffness", stiffness.as_str())];
    let all: Vec<(&str, &str)> = start.into_iter().chain(set.iter().copied()).collect();
    watch(FLAT, &all, |_, _| ()).state().bodies[1].frame().velocity
}

#[test]
fn an_ellipse_brakes_along_the_support_point() {
    // Sliding along d = (1, 0, 1)/√2 on an ellipse with axes 0.4 (x) and 0.2 (z): the force is along (0.16, 0.04), not along d.
    let law = "{ kind = 'matchstick', mu = 0.3, mu_t = 0.4, mu_b = 0.2 }";
    let set = [
        ("pair_default.law", law),
        ("body.block.structure", "[1, 0, 0]"),
        ("body.floor.structure", "[1, 0, 0]"),
        ("body.block.velocity", "[2, 0, 2]"),
        ("time.end", "0.05"),
    ];
    let v = velocity(&set);
    // v' = −g (0.16 v_x, 0.04 v_z)/√(0.16 v_x² + 0.04 v_z²), in many small steps.
    let squares = glam::DVec2::new(0.16, 0.04);
    let mut exact = glam::DVec2::splat(2.0);
    for _ in 0..100_000 {
        exact -= squares * exact / (squares * exact * exact).element_sum().sqrt() * (9.81 * 0.05e-5);
    }
    assert!((v.x - exact.x).abs() < 1e-3 && (v.z - exact.y).abs() < 1e-3, "{v} {exact}");
}

#[test]
fn static_friction_is_reached_before_kinetic_friction_acts() {
    // A force of mu_s m g starts it: gravity is tilted, tan between the two coefficients keeps it, above the static one it goes with the kinetic one.
    let law = "{ kind = 'static_kinetic', law = { kind = 'coulomb', mu = 0.5 }, kinetic = 0.6, eps_v = 1e-3 }";
    let at = |ratio: f64| {
        let gravity = format!("[{}, -9.81, 0]", ratio * 9.81);
        velocity(&[("pair_default.law", law), ("body.block.velocity", "[0, 0, 0]"), ("world.gravity", &gravity)]).x
    };
    assert!(at(0.4995) < 1e-4, "sticks below mu_s");
    // It gathers speed with 0.0005 g until it slips faster than eps_v = 1 mm/s, after 0.2 s, and then goes with 0.2005 g.
    let v = at(0.5005);
    let expected = 0.2005 * 9.81 * 0.3;
    assert!(v > 0.8 * expected && v < 1.1 * expected, "{v} {expected}");
}

#[test]
fn a_ball_with_rolling_resistance_slows_down() {
    // A ball that rolls with v = ω r is braked with ρ/r g/(1 + 2/5) by the offset ρ of its load.
    let set = [
        ("body.block.shape", "{ kind = 'sphere', radius = 0.1 }"),
        ("body.block.position", "[0, 0.1005, 0]"),
        ("body.block.velocity", "[1, 0, 0]"),
        ("body.block.angular_velocity", "[0, 0, -10]"),
        ("pair_default.law", "{ kind = 'rolling_resistance', law = { kind = 'coulomb', mu = 0.5 }, rho = 0.005 }"),
    ];
    let v = velocity(&set).x;
    let free = velocity(&[set[0], set[1], set[2], set[3]]).x;
    let expected = 0.005 / 0.1 * 9.81 / 1.4 * 0.5;
    assert!((free - v - expected).abs() < 0.25 * expected, "{v} {free} {expected}");
}
