//! The implicit stepper against closed forms and conservation laws.

use std::sync::Arc;

use asperity::body::{BodyState, MeshState};
use asperity::run::Run;
use asperity::scene::Document;
use asperity::step::{Implicit, Stepper, StepperSettings};
use asperity::world::{Interaction, Interactions, State};
use asperity_friction::model::MODELS;
use asperity_solve::solver::{SOLVERS, SolverOptions};
use glam::DVec3;

/// Runs a scene to its end.
fn run(text: &str, set: &[(&str, &str)]) -> Run {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let scene = Document::parse(text, "test.toml").unwrap().scene(None, &set).unwrap();
    let mut run = Run::new(scene).unwrap();
    while !run.is_done() {
        run.step().unwrap();
    }
    run
}

/// The vertices of a body.
fn mesh<'a>(run: &'a Run, body: &str) -> &'a Arc<MeshState> {
    let number = run.scene().model.bodies.iter().position(|own| own.name == body).unwrap();
    run.state().bodies[number].mesh().unwrap()
}

fn mean(points: &[DVec3]) -> DVec3 {
    points.iter().sum::<DVec3>() / points.len() as f64
}

/// A cloth on a ramp of 10°: gravity is tilted, not the plane.
const CLOTH: &str = r#"
    title = "A cloth on a ramp"
    time = { dt = 0.01, end = 1 }
    stepper = { kind = "implicit" }
    world.gravity = [1.7034886, -9.6609640, 0]
    pair_default.law = { kind = "coulomb", mu = 0.5 }
    [body.ground]
    shape = { kind = "half_space" }
    motion = "static"
    [body.cloth]
    shape = { kind = "grid", size = [1, 1], cells = [8, 8] }
    matter = { kind = "cloth", stretch = 1e3, bending = 1e-5, area_density = 0.3 }
"#;

#[test]
fn factors_serve_many_steps_and_a_stepper_that_never_made_them_gets_to_the_same_bits() {
    let whole = run(CLOTH, &[("time.end", "0.3")]);
    let made_for = |state: &State| state.linearised.clone().expect("nothing is damped, and there are no joints");
    let model = &whole.scene().model;
    let mut state = whole.scene().state.clone();
    let dt = 0.01;
    let mut stepper = Implicit::new((SOLVERS[0].make)(&SolverOptions::default()), StepperSettings::default());
    let mut made = 0;
    for step in 0..30 {
        if step == 17 {
            // As in a run that is resumed.
            stepper = Implicit::new((SOLVERS[0].make)(&SolverOptions::default()), StepperSettings::default());
        }
        let before = state.linearised.clone();
        stepper.step(model, &mut state, dt).unwrap();
        made += usize::from(before.as_ref() != Some(&made_for(&state)));
    }
    assert!(made < 15, "factors were made in {made} of 30 steps");
    assert_eq!(state.bodies, whole.state().bodies);
}

#[test]
fn a_cloth_on_a_ramp_sticks_above_the_tangent_and_slides_below_it() {
    let tangent: f64 = 1.7034886 / 9.6609640;
    for dt in ["0.01", "0.001"] {
        let slid = |mu: f64| {
            let run = run(CLOTH, &[("pair_default.law.mu", &mu.to_string()), ("time.dt", dt), ("time.end", "0.2")]);
            mean(&mesh(&run, "cloth").positions).x
        };
        assert!(slid(tangent + 1e-6).abs() < 1e-9, "dt {dt}");
        // ½ a t² with a = g cos 10° · 1e-6.
        let way = slid(tangent - 1e-6);
        let exact = 0.5 * 9.6609640e-6 * 0.04;
        assert!((way / exact - 1.0).abs() < 0.02, "dt {dt}: {way} instead of {exact}");
    }
}

#[test]
fn a_flat_cloth_slides_as_far_as_the_closed_form_whatever_the_step() {
    for (dt, end) in [("0.01", 1.0), ("0.005", 0.5)] {
        let run = run(CLOTH, &[("pair_default.law.mu", "0.1"), ("time.dt", dt), ("time.end", &end.to_string())]);
        let exact = 0.5 * (1.7034886 - 0.1 * 9.6609640) * end * end;
        let way = mean(&mesh(&run, "cloth").positions).x;
        assert!((way / exact - 1.0).abs() < 1e-6, "dt {dt}: {way} instead of {exact}");
    }
}

/// A vertex without a thickness that rounding puts below a triangle has not come through it.
#[test]
fn a_cloth_without_a_thickness_slides_on_meshes_as_on_a_plane() {
    let open = "{ kind = \"terrain\", size = [3, 3], cells = [7, 7], height = \"0*x\" }";
    let thin = "{ kind = \"sheet\", size = [3, 3], cells = [7, 7], thickness = 5e-4 }";
    for (shape, position) in [(open, "[0, 0, 0]"), (thin, "[0, -2.5e-4, 0]")] {
        let set = [
            ("body.ground.shape", shape),
            ("body.ground.position", position),
            ("pair_default.law.mu", "0.1"),
            ("time.end", "0.5"),
        ];
        let run = run(CLOTH, &set);
        let exact = 0.5 * (1.7034886 - 0.1 * 9.6609640) * 0.25;
        let (way, at) = (mean(&mesh(&run, "cloth").positions).x, &mesh(&run, "cloth").positions);
        assert!((way / exact - 1.0).abs() < 1e-4, "{shape}: {way} instead of {exact}");
        assert!(at.iter().all(|x| x.y.abs() < 1e-6), "{shape}");
    }
}

/// Triangles stop what comes from outside: a cloth that is thrown up from below them flies on.
#[test]
fn a_cloth_passes_a_mesh_from_its_back() {
    let set = [
        ("body.ground.shape", "{ kind = \"terrain\", size = [3, 3], cells = [7, 7], height = \"0*x\" }"),
        ("body.cloth.position", "[0, -0.0143, 0]"),
        ("body.cloth.velocity", "[0, 2, 0]"),
        ("world.gravity", "[0, -10, 0]"),
        ("time.end", "0.1"),
    ];
    let run = run(CLOTH, &set);
    let height = mean(&mesh(&run, "cloth").positions).y;
    // Steps of backward Euler, or exact: 0.2 − 0.055 or 0.2 − 0.05, from −0.0143.
    assert!((0.13..0.136).contains(&height), "{height}");
}

#[test]
fn grain_turns_the_friction_of_a_cloth() {
    // Grain of both along x + z: easy along it, hard across it. The cloth is pushed along x and veers towards the grain.
    let grain = &[
        ("pair_default.law", "{ kind = \"matchstick\", mu = 0.3, mu_t = 0.1, mu_b = 0.9 }"),
        ("world.gravity", "[5, -10, 0]"),
        ("body.ground.structure", "[1, 0, 1]"),
        ("body.cloth.structure", "[1, 0, 1]"),
        ("time.end", "0.5"),
    ];
    let veered = mean(&mesh(&run(CLOTH, grain), "cloth").velocities);
    // Along the grain 5/√2 − 0.1·10 = 2.536 m/s², across it 5/√2 < 0.9·10: it sticks across, if the slip is along. An ellipse has one direction of slip
    // d with force along −(0.1² d_t, 0.9² d_b)/h; the point mass of the same law has the same motion.
    let point = run(
        r#"
        title = "A box"
        time = { dt = 0.01, end = 0.5 }
        world.gravity = [5, -10, 0]
        pair_default.law = { kind = "matchstick", mu = 0.3, mu_t = 0.1, mu_b = 0.9 }
        [body.ground]
        shape = { kind = "half_space" }
        motion = "static"
        structure = [1, 0, 1]
        [body.box]
        shape = { kind = "box", size = [1, 1e-4, 1] }
        position = [0, 0.5e-4, 0]
        structure = [1, 0, 1]
    "#,
        &[],
    );
    let BodyState::Rigid(single) = &point.state().bodies[1] else { panic!("rigid") };
    assert!(veered.z / veered.x > 0.8, "{veered}");
    assert!((veered - single.velocity).length() < 2e-3 * single.velocity.length(), "{veered} {}", single.velocity);
}

/// A soft block in the air, without gravity.
const BLOCK: &str = r#"
    title = "A soft block"
    time = { dt = 0.005, end = 1 }
    stepper = { kind = "implicit" }
    world.gravity = [0, 0, 0]
    [body.block]
    shape = { kind = "box", size = [0.3, 0.2, 0.1] }
    matter = { kind = "solid", young = 1e4, poisson = 0.3, cells = [3, 2, 1] }
    velocity = [1, 2, 3]
    angular_velocity = [2, 5, 1]
    start = ["1.1*x", "y", "z + 0.1*x"]
"#;

/// A sheet that is bent and pressed together: it buckles while it tumbles.
const SHEET: &str = r#"
    title = "A sheet in the air"
    time = { dt = 0.005, end = 1 }
    stepper = { kind = "implicit" }
    world.gravity = [0, 0, 0]
    [body.block]
    shape = { kind = "grid", size = [0.4, 0.3], cells = [6, 5] }
    matter = { kind = "cloth", stretch = 200, bending = 1e-4, area_density = 0.3 }
    velocity = [1, 2, 3]
    angular_velocity = [2, 5, 1]
    start = ["0.95*x", "y + 0.3*x*x", "0.97*z"]
"#;

/// Lets a body fly, and checks in each of so many steps that no energy comes, and at the end that no momentum has gone.
fn keeps_its_momenta_and_gains_no_energy(text: &str, dt: f64, steps: usize) {
    let scene = Document::parse(text, "test.toml").unwrap().scene(None, &[]).unwrap();
    let (model, mut state) = (scene.model, scene.state);
    let mut stepper = Implicit::new((SOLVERS[0].make)(&SolverOptions::default()), StepperSettings::default());
    // Without the motion of the centre of mass, beside which the rest would be small.
    let inner = |state: &State| {
        let mean = model.momentum(state).linear.length_squared() / (2.0 * model.bodies[0].elastic().unwrap().mass());
        model.kinetic_energy(state) - mean + model.elastic_energy(state)
    };
    let about_centre = |state: &State| {
        let (elastic, at) = (model.bodies[0].elastic().unwrap(), state.bodies[0].mesh().unwrap());
        let momentum = model.momentum(state);
        (momentum.linear, momentum.angular - elastic.centre_of_mass(at).cross(momentum.linear))
    };
    let (linear, angular) = about_centre(&state);
    let mut energy = inner(&state);
    for step in 0..steps {
        stepper.step(&model, &mut state, dt).unwrap();
        let now = inner(&state);
        assert!(now <= energy * (1.0 + 1e-12), "step {step} of {dt} s: {energy} to {now}: {:e}", now / energy - 1.0);
        energy = now;
    }
    let (linear_end, angular_end) = about_centre(&state);
    let (lost, turned) =
        ((linear_end - linear).length() / linear.length(), (angular_end - angular).length() / angular.length());
    assert!(lost < 1e-10 && turned < 1e-10, "dt {dt}: {lost:e} of the momentum, {turned:e} of the angular momentum");
}

#[test]
fn free_bodies_keep_their_momenta_and_never_gain_energy() {
    for dt in [0.02, 0.005, 0.001] {
        keeps_its_momenta_and_gains_no_energy(BLOCK, dt, 200);
        keeps_its_momenta_and_gains_no_energy(SHEET, dt, 200);
    }
}

/// A body without strain and spin has no energy but that of its flight, beside which rounding must not count.
#[test]
fn a_body_that_flies_without_turning_stays_as_it_is() {
    let text = BLOCK.replace("angular_velocity = [2, 5, 1]", "").replace("start = [", "# [");
    let run = run(&text, &[("time.end", "0.1")]);
    let way = mean(&mesh(&run, "block").positions);
    assert!((way - DVec3::new(0.1, 0.2, 0.3)).length() < 1e-12, "{way}");
}

#[test]
#[ignore = "ten thousand steps: a minute"]
fn free_bodies_keep_their_momenta_and_never_gain_energy_in_ten_thousand_steps() {
    for dt in [0.02, 0.005, 0.001] {
        keeps_its_momenta_and_gains_no_energy(BLOCK, dt, 10_000);
        keeps_its_momenta_and_gains_no_energy(SHEET, dt, 10_000);
    }
}

#[test]
fn a_block_at_rest_carries_its_weight_and_a_box_on_it() {
    let text = r#"
        title = "A box on a block"
        time = { dt = 0.01, end = 1 }
        stepper = { kind = "implicit" }
        pair_default.law = { kind = "coulomb", mu = 0.5 }
        [body.ground]
        shape = { kind = "half_space" }
        motion = "static"
        [body.block]
        shape = { kind = "box", size = [0.2, 0.2, 0.2] }
        matter = { kind = "solid", young = 1e5, poisson = 0.3, cells = [3, 3, 3], stiffness_damping = 0.02 }
        position = [0, 0.1, 0]
        [body.box]
        shape = { kind = "box", size = [0.15, 0.1, 0.15] }
        density = 1000
        position = [0, 0.25, 0]
    "#;
    let scene = Document::parse(text, "test.toml").unwrap().scene(None, &[]).unwrap();
    let model = scene.model.clone();
    let mut state = scene.state.clone();
    let solver = (SOLVERS[0].make)(&SolverOptions::default());
    let mut stepper = Implicit::new(solver, StepperSettings::default());
    stepper.accepts(&model).unwrap();
    let mut report = None;
    for _ in 0..150 {
        report = Some(stepper.step(&model, &mut state, 0.01).unwrap());
    }
    let forces = report.unwrap().forces;
    let on = |a: u32, b: u32| -> DVec3 { forces.iter().filter(|own| own.pair == [a, b]).map(|own| own.force).sum() };
    let (block, cube) = (8.0 * 9.81, 0.15 * 0.15 * 0.1 * 1000.0 * 9.81);
    // The force on A: the ground is pressed down by both, the block by the box.
    assert!((on(0, 1).y + block + cube).abs() < 1e-3 * block, "{}", on(0, 1));
    assert!((on(1, 2).y + cube).abs() < 1e-3 * cube, "{}", on(1, 2));
    assert!(model.kinetic_energy(&state) < 1e-8);
}

#[test]
fn a_bone_carries_pinned_vertices_and_the_cloth_follows() {
    let text = r#"
        title = "A cloth on a bone"
        time = { dt = 0.01, end = 2 }
        stepper = { kind = "implicit" }
        world.gravity = [0, 0, 0]
        [body.cloth]
        shape = { kind = "grid", size = [0.4, 0.4], cells = [4, 4] }
        matter = { kind = "cloth", stretch = 1e3, damping = 10, bending = 1e-3 }
        pins = [{ where = "x + 0.19 - 0.38", motion = { position = ["0.5*t", "0", "0"] } }]
    "#;
    let run = run(text, &[]);
    // Dragged with 0.5 m/s against the damping, it moves with the bone in the end.
    let cloth = mesh(&run, "cloth");
    assert!(cloth.velocities.iter().all(|v| (*v - DVec3::X * 0.5).length() < 1e-3));
    assert!((cloth.positions[4].x - 1.2).abs() < 1e-12);
}

#[test]
fn threads_change_no_byte_and_worlds_that_do_not_fit_are_refused() {
    let positions = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            mesh(&run(CLOTH, &[("pair_default.law.mu", "0.1"), ("time.end", "0.05")]), "cloth").positions.clone()
        })
    };
    assert_eq!(positions(1), positions(2));
    let refused = |text: &str| {
        let scene = Document::parse(text, "test.toml").unwrap().scene(None, &[]).unwrap();
        Run::new(scene).err().expect("a refusal").to_string()
    };
    assert!(refused(&CLOTH.replace("kind = \"implicit\"", "kind = \"impulse\"")).contains("'cloth' is elastic"));
    let two = format!(
        "{CLOTH}\n[body.other]\nshape = {{ kind = \"grid\", size = [1, 1], cells = [2, 2] }}\nmatter = {{ kind = \"cloth\", stretch = 1e3 }}\nposition = [0, 1, 0]"
    );
    assert!(refused(&two).contains("cloth without a thickness"));
}

/// Every friction law on a cloth and on a solid that slide: the step is solved, friction brakes, and the forces are those that move the body.
#[test]
fn every_law_brakes_a_cloth_and_a_solid() {
    let block = r#"
        title = "A soft block on a plane"
        time = { dt = 0.01, end = 1 }
        stepper = { kind = "implicit" }
        [body.ground]
        shape = { kind = "half_space" }
        motion = "static"
        structure = [1, 0, 1]
        tangent = [1, 0, 0]
        [body.block]
        shape = { kind = "box", size = [0.2, 0.2, 0.2] }
        matter = { kind = "solid", young = 1e5, cells = [2, 2, 2], stiffness_damping = 0.01 }
        position = [0, 0.1, 0]
        velocity = [0.5, 0, 0.2]
        structure = [1, 0, 0]
        tangent = [1, 0, 0]
    "#;
    let fields = "structure = [1, 0, 1]\ntangent = [1, 0, 0]\n";
    let cloth =
        CLOTH.replace("cells = [8, 8]", "cells = [3, 3]").replace("[body.cloth]", &format!("{fields}[body.cloth]"));
    let cloth = format!("{cloth}{fields}velocity = [0.5, 0, 0.2]");
    for entry in MODELS {
        for law in (entry.examples)() {
            for text in [block, &cloth] {
                let mut scene = Document::parse(text, "test.toml").unwrap().scene(None, &[]).unwrap();
                scene.model.interactions =
                    Interactions::new(1, Interaction { law: law.clone(), restitution: 0.0, spring: None });
                let (model, mut state) = (scene.model, scene.state);
                let solver = (SOLVERS[0].make)(&SolverOptions::default());
                let mut stepper = Implicit::new(solver, StepperSettings::default());
                stepper.accepts(&model).unwrap();
                let mass = model.bodies[1].elastic().unwrap().mass();
                for _ in 0..8 {
                    let before = model.momentum(&state).linear;
                    let report = stepper.step(&model, &mut state, 0.01).unwrap();
                    let name = (entry.name, &model.bodies[1].name, state.step);
                    assert!(report.residual < 1e-6, "{name:?}: {}", report.residual);
                    assert!(report.largest_friction_power < 1e-9, "{name:?}: {}", report.largest_friction_power);
                    // The ground is A: the forces on the body are the negatives.
                    let force = -report.forces.iter().map(|own| own.force).sum::<DVec3>() + model.gravity * mass;
                    let gained = model.momentum(&state).linear - before;
                    assert!((gained - force * 0.01).length() < 1e-6 * mass, "{name:?}: {gained} {force}");
                }
            }
        }
    }
}

#[test]
fn a_rod_on_a_hinge_swings_and_its_pivot_stays() {
    let text = r#"
        title = "A rod on a hinge"
        time = { dt = 0.001, end = 0.3 }
        stepper = { kind = "implicit" }
        [body.rod]
        shape = { kind = "box", size = [1, 0.05, 0.05] }
        position = [0.5, 0, 0]
        [joint.pivot]
        kind = "hinge"
        a = "rod"
        anchor = [0, 0, 0]
        axis = [0, 0, 1]
    "#;
    let angle = |stepper: &str| {
        let run = run(text, &[("stepper.kind", stepper)]);
        let at = *run.state().bodies[0].frame();
        let pivot = at.centre - at.rotation * DVec3::new(0.5, 0.0, 0.0);
        assert!(pivot.length() < 1e-8, "{stepper}: the pivot is off by {}", pivot.length());
        (at.rotation * DVec3::X).y.asin()
    };
    // The impulse stepper is exact to the second order, the implicit one to the first.
    let (exact, found) = (angle("\"impulse\""), angle("\"implicit\""));
    assert!(exact < -0.5 && (found / exact - 1.0).abs() < 0.01, "{exact} {found}");
}
