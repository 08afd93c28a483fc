//! The solves of a step: friction that is forwarded, where contacts are linear, which take part, and inertias of bodies that
//! turn fast.

use asperity::scene::Scene;
use asperity::step::{StepReport, Stepper, StepperSettings, stepper};
use asperity::world::State;
use asperity_solve::solver::{SOLVERS, SolverOptions};
use glam::DVec3;

use super::{PLANE, read, run, slide, way};

/// The stepper with these settings of its own.
fn smooth(change: impl FnOnce(&mut StepperSettings)) -> Box<dyn Stepper> {
    let mut settings = StepperSettings::default();
    change(&mut settings);
    (stepper("smooth").expect("in the list").make)(settings, (SOLVERS[0].make)(&SolverOptions::default()))
}

/// Moves a state on by so many steps of a scene.
fn advance(scene: &Scene, state: &mut State, stepper: &mut dyn Stepper, steps: usize) -> StepReport {
    let mut last = StepReport::default();
    for _ in 0..steps {
        last = stepper.step(&scene.model, state, scene.time.dt).unwrap_or_else(|error| panic!("{error}"));
    }
    last
}

/// Friction that is not forwarded is unknown to the elastic step: much more is left of the dynamics.
#[test]
fn forwarding_leaves_less_in_the_dynamics() {
    let left = |keys: &str| {
        let text = slide(PLANE, "{ kind = \"coulomb\", mu = 0.3 }", "velocity = [1.5, 0, 0]");
        let run = run(&text.replace("kind = \"smooth\"", &format!("kind = \"smooth\", {keys}")));
        run.rows().last().expect("steps").splitting
    };
    let [with, without] =
        ["true", "false"].map(|forwarding| left(&format!("corrector = \"masses\", forwarding = {forwarding}")));
    assert!(with < 0.1 * without, "{with} {without}");
    assert!(left("forwarding = true") < 0.1 * without);
}

/// A rope that slides over a drum of radius R with mu = 0.12, by `scenes/smooth/predict_rope.py`: 0.12413 m in 0.8 s. Normals of
/// where a step begins act like a coefficient that is larger by h v/R: with mu + h v/R in its place it goes 0.11464 m.
#[test]
fn contacts_are_linear_where_a_step_ends() {
    let place = "max(min((x+0.400205706671), 0.799794293329), -0.799794293329)";
    let text = format!(
        "title = \"t\"\ntime = {{ dt = 0.01, end = 0.8 }}\nstepper = {{ kind = \"smooth\", relinearise = 1 }}\n\
         [pair_default]\nlaw = {{ kind = \"coulomb\", mu = 0.12 }}\n\
         [body.drum]\nshape = {{ kind = \"cylinder\", length = 0.5, radius = 0.509295817894 }}\nmotion = \"static\"\n\
         turn = {{ axis = [1, 0, 0], angle_deg = 90 }}\n\
         [body.cloth]\nshape = {{ kind = \"grid\", size = [4, 0.04], cells = [100, 1] }}\n\
         start = [\"0.509295817894*sin(1.96400041848*{place})\", \"0.509295817894*cos(1.96400041848*{place}) - abs((x+0.400205706671)-{place})\", \"z\"]\n\
         matter = {{ kind = \"cloth\", stretch = 1e6, poisson = 0, bending = 0, area_density = 0.2 }}\n"
    );
    for (again, expected) in [(1, 0.12413), (0, 0.11464)] {
        let run = run(&text.replace("relinearise = 1", &format!("relinearise = {again}")));
        let end = |x: DVec3| x.y;
        let mesh = run.state().bodies[1].mesh().expect("a cloth");
        let start = run.scene().state.bodies[1].mesh().expect("a cloth");
        // The last row of vertices is the end of the long side.
        let fallen = end(start.positions[start.positions.len() - 1]) - end(mesh.positions[mesh.positions.len() - 1]);
        assert!((fallen / expected - 1.0).abs() < 5e-3, "{again}: {fallen} instead of {expected}");
    }
}

/// Contacts with wide gaps change nothing, whether they take part in friction or not.
#[test]
fn contacts_with_wide_gaps_do_nothing_in_friction() {
    let text = slide(PLANE, "{ kind = \"coulomb\", mu = 0.3 }", "velocity = [1.5, 0, 0]");
    let ways = ["1e-9", "1e-4", "1"]
        .map(|prune| way(&run(&text.replace("kind = \"smooth\"", &format!("kind = \"smooth\", prune = {prune}"))), 1));
    assert!((ways[0] - ways[1]).length() < 1e-9 && (ways[0] - ways[2]).length() < 1e-9, "{ways:?}");
}

/// A ball with rolling resistance comes to a ground without: what is remembered of the torque must not act, and so it does not
/// matter.
#[test]
fn friction_that_a_law_has_lost_is_taken_off() {
    let text = |law: &str| {
        format!(
            "title = \"t\"\ntime = {{ dt = 0.01, end = 0.2 }}\nstepper = {{ kind = \"smooth\" }}\n\
             [pair_default]\nlaw = {law}\n[body.ground]\n{PLANE}\n\
             [body.ball]\nshape = {{ kind = \"sphere\", radius = 0.1 }}\nposition = [0, 0.1, 0]\n\
             velocity = [1, 0, 0]\nangular_velocity = [0, 0, -10]\n"
        )
    };
    let plain = "{ kind = \"coulomb\", mu = 0.5 }";
    let rolling = format!("{{ kind = \"rolling_resistance\", rho = 0.01, law = {plain} }}");
    let [rough, smoother] = [&rolling, plain].map(|law| read(&text(law)).unwrap_or_else(|error| panic!("{error}")));
    let mut state = rough.state.clone();
    advance(&rough, &mut state, &mut *smooth(|_| ()), 5);
    assert!(state.contacts.iter().any(|own| own.torque.length() > 1e-3), "{:?}", state.contacts);
    let mut forgotten = state.clone();
    forgotten.contacts.iter_mut().for_each(|own| own.torque = DVec3::ZERO);
    for state in [&mut state, &mut forgotten] {
        advance(&smoother, state, &mut *smooth(|_| ()), 1);
    }
    let [with, without] = [&state, &forgotten].map(|state| *state.bodies[1].frame());
    assert!((with.velocity - without.velocity).length() < 1e-9, "{with:?} {without:?}");
    assert!((with.angular_velocity - without.angular_velocity).length() < 1e-8, "{with:?} {without:?}");
}

/// A long box that turns fast strikes the ground with an end. The change of its angular momentum is the moment of the impulses:
/// the inertia that its angular velocity is of is that of how it lies at the end, not of how it would lie without the blow.
#[test]
fn a_box_that_turns_fast_keeps_the_balance_of_its_angular_momentum() {
    let text = format!(
        "title = \"t\"\ntime = {{ dt = 0.01, end = 0.2 }}\nstepper = {{ kind = \"smooth\" }}\n\
         [pair_default]\nlaw = {{ kind = \"coulomb\", mu = 0.4 }}\n[body.ground]\n{PLANE}\n\
         [body.rod]\nshape = {{ kind = \"box\", size = [0.6, 0.1, 0.2] }}\nposition = [0, 0.32, 0]\n\
         velocity = [0, -1, 0]\nangular_velocity = [9, 14, 22]\n"
    );
    let scene = read(&text).unwrap_or_else(|error| panic!("{error}"));
    let mut state = scene.state.clone();
    let mut stepper = smooth(|_| ());
    let inertia = scene.model.bodies[1].inertia().expect("rigid");
    let mut struck = 0;
    for _ in 0..20 {
        let before = *state.bodies[1].frame();
        let report = advance(&scene, &mut state, &mut *stepper, 1);
        let after = *state.bodies[1].frame();
        let moment: DVec3 =
            report.forces.iter().map(|own| (own.point - after.centre).cross(own.force) * -scene.time.dt).sum();
        let change = inertia.momentum(after.rotation, after.angular_velocity)
            - inertia.momentum(before.rotation, before.angular_velocity);
        struck += usize::from(moment.length() > 1.0);
        let size = inertia.momentum(after.rotation, after.angular_velocity).length() + moment.length();
        assert!((change - moment).length() < 1e-3 * size, "{change} {moment} {size}");
    }
    assert!(struck > 0);
}
