//! Bodies that touch each other and themselves.

use asperity::run::Run;
use asperity::step::{StepReport, StepperSettings, stepper};
use asperity::world::Momentum;
use asperity_solve::solver::{SOLVERS, SolverOptions};
use glam::DVec3;

use super::{G, read, run, way};

/// Two soft balls that meet off their centres, without weight.
fn collision(mu: f64, transport: &str) -> Run {
    let ball = |x: f64, y: f64, v: f64| {
        format!(
            "shape = {{ kind = \"sphere\", radius = 0.1 }}\nposition = [{x}, {y}, 0]\nvelocity = [{v}, 0, 0]\n\
             matter = {{ kind = \"solid\", young = 2e4, poisson = 0.3, layers = 4 }}\n"
        )
    };
    run(&format!(
        "title = \"t\"\ntime = {{ dt = 0.002, end = 0.12 }}\nstepper = {{ kind = \"smooth\", transport = \"{transport}\" }}\n\
         world = {{ gravity = [0, 0, 0] }}\n[pair_default]\nlaw = {{ kind = \"coulomb\", mu = {mu} }}\n\
         [body.a]\n{}potential = {{}}\n[body.b]\n{}",
        ball(-0.12, 0.0, 1.0),
        ball(0.12, 0.05, -1.0)
    ))
}

/// Impulses along potentials keep both momenta; friction keeps the momentum where samples are not turned.
#[test]
fn a_free_collision_keeps_its_momentum() {
    let change = |run: &Run| {
        let model = &run.scene().model;
        let [now, before] = [run.state(), &run.scene().state].map(|state| model.momentum(state));
        let scale = model.momentum_scale(&run.scene().state);
        let [linear, angular] = [now.linear - before.linear, (now.angular - before.angular) / 0.1];
        Momentum { linear: linear / scale, angular: angular / scale }
    };
    let met = |run: &Run| way(run, 0).x < 0.1;
    let smooth = collision(0.0, "rotations");
    let lost = change(&smooth);
    assert!(met(&smooth) && lost.linear.length() < 1e-9, "{lost:?}");
    // Backward Euler turns a body with a little less spin than it should.
    assert!(lost.angular.length() < 0.03, "{lost:?}");
    let rough = collision(0.5, "weights");
    assert!(met(&rough) && change(&rough).linear.length() < 1e-9, "{:?}", change(&rough));
    let turned = change(&collision(0.5, "rotations")).linear.length();
    assert!((1e-9..0.02).contains(&turned), "{turned}");
}

/// A rigid box rests on a soft block by its corners, kept out of the block's potential: the block carries both weights.
#[test]
fn a_rigid_box_rests_on_a_soft_block() {
    let text = "title = \"t\"\ntime = { dt = 0.01, end = 1.5 }\nstepper = { kind = \"smooth\" }\n\
        [pair_default]\nlaw = { kind = \"coulomb\", mu = 0.5 }\n\
        [body.ground]\nshape = { kind = \"half_space\" }\nmotion = \"static\"\n\
        [body.block]\nshape = { kind = \"box\", size = [0.2, 0.1, 0.2] }\nposition = [0, 0.05, 0]\n\
        matter = { kind = \"solid\", young = 2e5, poisson = 0.3, cells = [6, 3, 6], stiffness_damping = 0.02 }\n\
        [body.box]\nshape = { kind = \"box\", size = [0.08, 0.04, 0.08] }\nposition = [0, 0.1205, 0]\n";
    let scene = read(text).unwrap_or_else(|error| panic!("{error}"));
    let solver = (SOLVERS[0].make)(&SolverOptions::default());
    let mut stepper = (stepper("smooth").expect("in the list").make)(StepperSettings::default(), solver);
    let mut state = scene.state.clone();
    let mut last = StepReport::default();
    for _ in 0..scene.time.steps() {
        last = stepper.step(&scene.model, &mut state, scene.time.dt).unwrap_or_else(|error| panic!("{error}"));
    }
    let on =
        |pair: [u32; 2]| last.forces.iter().filter(|own| own.pair == pair).map(|own| own.force.y).sum::<f64>().abs();
    let (on_ground, on_block) = (on([0, 1]), on([1, 2]));
    let model = &scene.model;
    let [block, rigid] =
        [model.bodies[1].elastic().expect("a block").mass(), model.bodies[2].inertia().expect("rigid").mass()];
    assert!((on_block / (rigid * G) - 1.0).abs() < 1e-3, "{on_block} {}", rigid * G);
    assert!((on_ground / ((block + rigid) * G) - 1.0).abs() < 1e-3, "{on_ground} {}", (block + rigid) * G);
    let sunk = scene.state.bodies[2].frame().centre - state.bodies[2].frame().centre;
    assert!(sunk.y.abs() < 5e-3, "{sunk}");
}

/// A fork of soft material: its prongs, 40 mm apart, are carried 60 mm towards each other by their outer faces. They must press on
/// each other and not pass through each other; the samples of their own surface beside a vertex do not count.
#[test]
#[ignore = "half a minute: a slow test"]
fn the_prongs_of_a_fork_touch_each_other() {
    let prong = |x: f64| {
        format!("{{ shape = {{ kind = \"capsule\", length = 0.24, radius = 0.04 }}, position = [{x}, 0.02, 0] }}")
    };
    let bridge = "{ shape = { kind = \"capsule\", length = 0.12, radius = 0.04 }, position = [0, -0.1, 0], turn = { axis = [0, 0, 1], angle_deg = 90 } }";
    let pin = |side: &str, way: &str| {
        format!("{{ where = \"min({side} - 0.085, y - 0.06)\", motion = {{ position = [\"{way}\", 0, 0] }} }}")
    };
    let text = format!(
        "title = \"t\"\ntime = {{ dt = 0.02, end = 1 }}\nstepper = {{ kind = \"smooth\" }}\nworld = {{ gravity = [0, 0, 0] }}\n\
         [body.fork]\nshape = {{ kind = \"compound\", parts = [{}, {}, {bridge}] }}\n\
         matter = {{ kind = \"solid\", young = 1e5, poisson = 0.3, cell = 0.02, stiffness_damping = 0.02 }}\n\
         pins = [{}, {}]\n",
        prong(0.06),
        prong(-0.06),
        pin("x", "-0.03*t"),
        pin("-x", "0.03*t")
    );
    let run = run(&text);
    let fork = run.scene().model.bodies[0].elastic().expect("a solid");
    let (rest, now) = (&fork.mesh().data().vertices, &run.state().bodies[0].mesh().expect("a mesh").positions);
    let face = |side: f64| {
        let inner = |x: &&DVec3| (side * x.x - 0.02).abs() < 5e-3 && x.y > 0.0;
        let list: Vec<usize> = rest.iter().enumerate().filter(|(_, x)| inner(x)).map(|(i, _)| i).collect();
        assert!(list.len() > 5, "{}", list.len());
        list
    };
    let nearest = face(1.0).iter().map(|i| now[*i].x).fold(f64::INFINITY, f64::min);
    let other = face(-1.0).iter().map(|i| now[*i].x).fold(f64::NEG_INFINITY, f64::max);
    // Without contact they would overlap by 20 mm.
    assert!((-2e-3..4e-3).contains(&(nearest - other)), "{nearest} {other}");
    assert!(run.rows().last().expect("steps").contacts > 5.0);
}

/// Without gravity a soft block that begins 2 mm deep in a plane comes out, by 9.81 h² in a step of length h: in three steps of 10 ms.
#[test]
fn overlaps_come_out_without_gravity_too() {
    for kind in ["smooth", "filter"] {
        let run = run(&format!(
            "title = \"t\"\ntime = {{ dt = 0.01, end = 0.05 }}\nstepper = {{ kind = \"{kind}\" }}\nworld = {{ gravity = [0, 0, 0] }}\n\
             [pair_default]\nlaw = {{ kind = \"coulomb\", mu = 0.3 }}\n[body.ground]\nshape = {{ kind = \"half_space\" }}\nmotion = \"static\"\n\
             [body.block]\nshape = {{ kind = \"box\", size = [0.1, 0.1, 0.1] }}\nposition = [0, 0.048, 0]\n\
             matter = {{ kind = \"solid\", young = 1e5, poisson = 0.3, cells = [2, 2, 2] }}\n"
        ));
        let at = run.state().bodies[1].mesh().unwrap();
        let lowest = at.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > -1e-6, "{kind}: {lowest}");
    }
}
