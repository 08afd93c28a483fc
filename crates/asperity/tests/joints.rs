//! Joints against closed forms and conservation laws.

use asperity::run::Run;
use asperity::scene::Document;
use asperity::step::StepError;
use asperity::world::Momentum;
use asperity::world::{Model, State};
use glam::DVec3;

/// Runs a scene of these bodies and joints, and looks at every state.
fn watch(dt: f64, end: f64, rest: &str, mut look: impl FnMut(&Run)) -> Result<Run, String> {
    let text = format!("title = \"t\"\n[time]\ndt = {dt}\nend = {end}\n{rest}");
    let document = Document::parse(&text, "joints.toml").unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"))).unwrap();
    while !run.is_done() {
        run.step().map_err(|error| error.to_string())?;
        look(&run);
    }
    Ok(run)
}

fn run(dt: f64, end: f64, rest: &str) -> Run {
    watch(dt, end, rest, |_| ()).unwrap_or_else(|error| panic!("{error}"))
}

fn energy(model: &Model, state: &State) -> f64 {
    model.kinetic_energy(state) + model.potential_energy(state) + model.elastic_energy(state)
}

/// A rod of 1 m that begins level, its end at the origin.
const ROD: &str = "[body.rod]\nshape = { kind = \"box\", size = [1, 0.05, 0.05] }\nposition = [0.5, 0, 0]\nmass = 2\n";
const WEIGHTLESS: &str = "[world]\ngravity = [0, 0, 0]\n";

fn pendulum(dt: f64) -> f64 {
    let joint = "[joint.j]\nkind = \"hinge\"\na = \"rod\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]\n";
    let run = run(dt, 1.0, &format!("{ROD}{joint}"));
    run.state().bodies[0].frame().centre.x
}

#[test]
fn a_pendulum_is_of_second_order() {
    // Against the finest: errors of a method of second order fall to a quarter.
    let finest = pendulum(0.0005);
    let [coarse, fine] = [0.02, 0.01].map(|dt| (pendulum(dt) - finest).abs());
    assert!((3.7..4.3).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn a_blow_on_a_hinge_leaves_the_spin_of_the_angular_momentum() {
    // The rod begins with 3 m/s across, without turning: m v r about the hinge becomes I ω, I = m (l²/12 + t²/12 + r²).
    let text = format!(
        "{WEIGHTLESS}{ROD}velocity = [0, 3, 0]\n[joint.j]\nkind = \"hinge\"\na = \"rod\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]\n"
    );
    let run = run(1e-4, 1e-4, &text);
    let expected = 3.0 * 0.5 / ((1.0 + 0.0025) / 12.0 + 0.25);
    let found = run.state().bodies[0].frame().angular_velocity.z;
    assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
}

#[test]
fn springs_swing_with_their_period_and_are_stable_at_any_stiffness() {
    let spring = |stiffness: f64, damping: f64| {
        format!(
            "{WEIGHTLESS}[body.ball]\nshape = {{ kind = \"sphere\", radius = 0.1 }}\nmass = 2\nposition = [1.1, 0, 0]\n\
             [joint.s]\nkind = \"spring\"\na = \"ball\"\nanchor_b = [0, 0, 0]\nstiffness = {stiffness}\ndamping = {damping}\nrest = 1\n"
        )
    };
    // x = 1 + 0.1 cos ω t; the mean force of each step makes the frequency (2/h) atan(ω h/2).
    let (k, m, h) = (50.0, 2.0, 0.01);
    let swung = run(h, 2.0, &spring(k, 0.0));
    let omega = f64::sqrt(k / m);
    let numerical = 2.0 / h * (omega * h / 2.0).atan();
    let x = swung.state().bodies[0].frame().centre.x;
    assert!((x - (1.0 + 0.1 * (numerical * 2.0).cos())).abs() < 1e-9, "{x}");
    assert!((x - (1.0 + 0.1 * (omega * 2.0).cos())).abs() < 1e-3, "{x}");
    // Energy ½ k 0.1² is kept.
    let model = &swung.scene().model;
    assert!((energy(model, swung.state()) - 0.25).abs() < 1e-9);
    // A damper of c = 2 m δ: the swing falls with e^(−δ t), and turns with √(ω² − δ²).
    let (delta, t) = (1.0, 2.0);
    let damped = run(0.002, t, &spring(k, 2.0 * m * delta));
    let turn = (omega * omega - delta * delta).sqrt();
    let expected = 1.0 + 0.1 * f64::exp(-delta * t) * ((turn * t).cos() + delta / turn * (turn * t).sin());
    let x = damped.state().bodies[0].frame().centre.x;
    assert!((x - expected).abs() < 2e-5, "{x} {expected}");
    for stiffness in [1e4, 1e8, 1e12] {
        let watched = watch(0.01, 1.0, &spring(stiffness, 0.0), |run| {
            let (model, state) = (&run.scene().model, run.state());
            let growth = energy(model, state) / (0.5 * stiffness * 0.01) - 1.0;
            assert!(growth < 1e-6, "{stiffness}: {growth}");
        });
        watched.unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn joints_that_say_the_same_twice_share_the_force() {
    let joint = |name: &str| format!("[joint.{name}]\nkind = \"fixed\"\na = \"rod\"\nanchor = [0, 0, 0]\n");
    let run = run(0.01, 0.5, &format!("{ROD}{}{}", joint("one"), joint("two")));
    // Rows: p along x, y, z, then three turns. Each bears half of the weight, and half of its torque about the anchor.
    let forces = &run.state().joints;
    assert_eq!(forces.len(), 12);
    for j in [0, 6] {
        assert!((forces[j + 1] - 0.5 * 2.0 * 9.81).abs() < 1e-4, "{forces:?}");
        assert!((forces[j + 3].abs() - 0.5 * 2.0 * 9.81 * 0.5).abs() < 1e-4, "{forces:?}");
    }
    assert!((run.state().bodies[0].frame().centre - DVec3::X * 0.5).length() < 1e-9);
}

#[test]
fn four_hinges_in_a_plane_are_one_too_many_and_work() {
    // A parallelogram: the coupler moves without turning, and the whole swings like a pendulum. Three rows of twenty say nothing new.
    let bar = |name: &str, x: f64, y: f64, size: &str| {
        format!("[body.{name}]\nshape = {{ kind = \"box\", size = {size} }}\nposition = [{x}, {y}, 0]\n")
    };
    let hinge = |name: &str, a: &str, b: &str, x: f64, y: f64| {
        format!(
            "[joint.{name}]\nkind = \"hinge\"\na = \"{a}\"\nb = \"{b}\"\nanchor = [{x}, {y}, 0]\naxis = [0, 0, 1]\n"
        )
    };
    // Pulled down at 30 degrees it swings by 60 degrees: never to where all bars lie on one line.
    let text = [
        "[world]\ngravity = [8.5, -4.9, 0]\n".to_owned(),
        bar("left", 0.5, 0.0, "[1, 0.05, 0.05]"),
        bar("right", 0.5, -1.0, "[1, 0.05, 0.05]"),
        bar("coupler", 1.0, -0.5, "[0.05, 1, 0.05]"),
        hinge("a", "left", "world", 0.0, 0.0),
        hinge("b", "right", "world", 0.0, -1.0),
        hinge("c", "coupler", "left", 1.0, 0.0),
        hinge("d", "coupler", "right", 1.0, -1.0),
    ]
    .concat();
    let (mut first, mut lowest) = (None, 0.0f64);
    let done = watch(0.01, 2.0, &text, |run| {
        let (model, state) = (&run.scene().model, run.state());
        let now = energy(model, state);
        let start = *first.get_or_insert(now);
        // Energies are of the order of 100 J.
        assert!(now - start < 1e-6 * 100.0, "{now} {start}");
        assert!(run.last().joint_drift < 1e-8);
        lowest = lowest.min(state.bodies[0].frame().centre.y);
        let turn = state.bodies[2].frame().rotation;
        assert!(DVec3::new(turn.x, turn.y, turn.z).length() < 1e-8, "the coupler turns");
    });
    assert!(done.is_ok() && lowest < -0.4, "it swings by 60 degrees: {lowest}");
}

#[test]
fn what_floats_keeps_momentum_and_energy() {
    let text = format!(
        "{WEIGHTLESS}{ROD}angular_velocity = [0, 0, 4]\n[body.other]\nshape = {{ kind = \"sphere\", radius = 0.2 }}\nposition = [1.2, 0, 0]\n\
         velocity = [0, 2.8, 0]\nangular_velocity = [3, 0, 4]\n[joint.j]\nkind = \"ball\"\na = \"rod\"\nb = \"other\"\nanchor = [1, 0, 0]\n"
    );
    let mut first = None;
    let done = watch(0.005, 2.0, &text, |run| {
        let (model, state) = (&run.scene().model, run.state());
        let Momentum { linear: p, angular: l } = model.momentum(state);
        let now = (p, l, energy(model, state));
        let start = *first.get_or_insert(now);
        let scale = model.momentum_scale(state);
        assert!((p - start.0).length() < 1e-12 * scale);
        // Angular momentum is kept to second order of the step: arms that keep the energy are longer by θ²/12.
        assert!((l - start.1).length() < 1e-3 * start.1.length(), "{l} {}", start.1);
        assert!((now.2 / start.2 - 1.0).abs() < 1e-5, "{} {}", now.2, start.2);
    });
    assert!(done.is_ok());
}

#[test]
fn bodies_of_a_joint_touch_only_if_asked() {
    let text = |more: &str| {
        format!(
            "{ROD}[body.block]\nshape = {{ kind = \"box\", size = [0.4, 0.4, 0.4] }}\nmotion = \"static\"\nposition = [0.6, -0.3, 0]\n\
             [joint.j]\nkind = \"hinge\"\na = \"rod\"\nb = \"block\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]\n{more}"
        )
    };
    let through = run(0.005, 0.4, &text(""));
    assert!(through.state().bodies[0].frame().centre.y < -0.3);
    let held = run(0.005, 0.4, &text("collide = true\n"));
    // The rod comes to lie on the block: half of its thickness above -0.1 m, at 0.4 m to 0.8 m.
    assert!(held.state().bodies[0].frame().centre.y > -0.12, "{}", held.state().bodies[0].frame().centre);
}

#[test]
fn a_motor_wakes_what_rests() {
    let text = "[body.floor]\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\nmotion = \"static\"\n\
        [body.box]\nshape = { kind = \"box\", size = [1, 0.2, 0.6] }\nposition = [0, 0.1, 0]\n\
        [body.flag]\nshape = { kind = \"box\", size = [0.1, 0.4, 0.1] }\nposition = [0, 0.5, 0]\n\
        [joint.j]\nkind = \"hinge\"\na = \"flag\"\nb = \"box\"\nanchor = [0, 0.3, 0]\naxis = [0, 1, 0]\n\
        motor = { speed = \"max(0, t - 0.5)\", torque = 5 }\n";
    let mut rested = false;
    let done = watch(0.01, 1.0, text, |run| {
        let flag = &run.state().bodies[2];
        rested |= run.state().time < 0.45 && run.state().time > 0.2 && flag.frame().angular_velocity == DVec3::ZERO;
    });
    let spin = done.unwrap_or_else(|error| panic!("{error}")).state().bodies[2].frame().angular_velocity.y;
    assert!(rested && (spin - 0.5).abs() < 1e-6, "{rested} {spin}");
}

#[test]
fn the_size_of_what_does_not_move_does_not_matter() {
    // The rod hangs on a static body, which is the first of the joint. Its axis is skew, so that a step leaves a little in every row; in units of the
    // reach of a ground without end that would be a blow in every step.
    let swing = |shape: &str| {
        let ground = format!("[body.ground]\nshape = {shape}\nposition = [0, -9, 0]\nmotion = \"static\"\n");
        let joint =
            "[joint.j]\nkind = \"hinge\"\na = \"ground\"\nb = \"rod\"\nanchor = [0, 0, 0]\naxis = [0.3, 0.2, 1]\n";
        let run = run(0.005, 1.0, &format!("{ROD}{ground}{joint}"));
        let rod = run.scene().model.bodies.iter().position(|body| body.name == "rod").unwrap();
        run.state().bodies[rod].frame().centre
    };
    let small = swing("{ kind = \"box\", size = [1, 1, 1] }");
    assert_eq!(swing("{ kind = \"half_space\" }"), small);
}

#[test]
fn joints_that_contradict_a_motion_end_the_run_with_their_name() {
    let text = format!(
        "{ROD}[body.hand]\nshape = {{ kind = \"sphere\", radius = 0.1 }}\nposition = [2, 0, 0]\nmotion = {{ position = [\"t\", 0, 0] }}\n\
         [joint.wall]\nkind = \"fixed\"\na = \"rod\"\n[joint.pull]\nkind = \"ball\"\na = \"rod\"\nb = \"hand\"\nanchor = [1, 0, 0]\n"
    );
    let error = watch(0.01, 1.0, &text, |_| ()).map(|_| ()).unwrap_err();
    assert!(error.contains("cannot be closed") && (error.contains("wall") || error.contains("pull")), "{error}");
    // The compliance of the rows must not hide it: the hand moves 10 mm in the first step, and 10⁻⁵ of the rod's reach are 5 µm.
    assert!(error.contains("at t = 0 s"), "{error}");
    let open = StepError::Open { t: 0.0, joint: "j".into(), drift: 1.0, residual: 0.0 };
    assert!(open.to_string().contains("'j'"));
}

/// Numbers of redundant rows, by the names of the joints.
fn redundant(rest: &str) -> Vec<(String, usize)> {
    let text = format!("title = \"t\"\n[world]\nallow_overlap = true\n[time]\ndt = 0.01\nend = 1\n{rest}");
    let document = Document::parse(&text, "joints.toml").unwrap_or_else(|error| panic!("{error}"));
    let scene = document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"));
    let found =
        asperity::joint::redundant(&scene.model.bodies, &scene.model.joints, &scene.state.bodies).expect("few enough");
    found.iter().map(|own| (scene.model.joints[own.joint].name.clone(), own.rows)).collect()
}

fn hinge(name: &str, a: &str, b: &str, [x, y]: [f64; 2], axis: &str) -> String {
    let b = if b.is_empty() { String::new() } else { format!("b = \"{b}\"\n") };
    format!("[joint.{name}]\nkind = \"hinge\"\na = \"{a}\"\n{b}anchor = [{x}, {y}, 0]\naxis = {axis}\n")
}

#[test]
fn redundant_rows_are_those_that_mobility_counts() {
    let bar = |name: &str, x: f64, y: f64, size: &str| {
        format!("[body.{name}]\nshape = {{ kind = \"box\", size = {size} }}\nposition = [{x}, {y}, 0]\n")
    };
    // Four bars in a plane: 3 bodies with 18 freedoms move in one way, so 17 of the 4 · 5 rows count. Not square, so that this is no special place.
    let bodies = [
        bar("left", 0.0, 0.5, "[0.05, 1, 0.05]"),
        bar("top", 1.0, 1.0, "[2, 0.05, 0.05]"),
        bar("right", 2.0, 0.25, "[0.05, 1.5, 0.05]"),
    ]
    .concat();
    let z = "[0, 0, 1]";
    let loose = [
        hinge("a", "left", "", [0.0, 0.0], z),
        hinge("b", "top", "left", [0.0, 1.0], z),
        hinge("c", "right", "top", [2.0, 1.0], z),
    ]
    .concat();
    assert_eq!(redundant(&format!("{bodies}{loose}")), [], "an open chain");
    let last = hinge("d", "right", "", [2.0, -0.5], z);
    assert_eq!(redundant(&format!("{bodies}{loose}{last}")), [("d".to_owned(), 3)]);
    // With balls in the last two places, all rows count: 5 + 5 + 3 + 3 of 18.
    let ball = |name: &str, b: &str, x: f64, y: f64| {
        format!("[joint.{name}]\nkind = \"ball\"\na = \"right\"\n{b}anchor = [{x}, {y}, 0]\n")
    };
    let balls = [
        hinge("a", "left", "", [0.0, 0.0], z),
        hinge("b", "top", "left", [0.0, 1.0], z),
        ball("c", "b = \"top\"\n", 2.0, 1.0),
        ball("d", "", 2.0, -0.5),
    ]
    .concat();
    assert_eq!(redundant(&format!("{bodies}{balls}")), []);
    // Two equal joints, on a body that carries another: all of the second, none of the others.
    let twice = [
        hinge("a", "left", "", [0.0, 0.0], z),
        hinge("again", "left", "", [0.0, 0.0], z),
        hinge("b", "top", "left", [0.0, 1.0], z),
    ]
    .concat();
    assert_eq!(redundant(&format!("{bodies}{twice}")), [("again".to_owned(), 5)]);
}
