//! The smooth stepper: potentials of meshes, clouds, moving meshes and solids, friction over both correctors, momenta, laws
//! against closed forms, and what is refused.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use asperity::run::Run;
use asperity::scene::{Document, Scene};
use asperity::step::{StepReport, StepperSettings, stepper};
use asperity::world::Momentum;
use asperity_solve::solver::{SOLVERS, SolverOptions};
use glam::DVec3;

const G: f64 = 9.81;

fn read(text: &str) -> Result<Scene, String> {
    let document = Document::parse(text, "test.toml").map_err(|error| error.to_string())?;
    document.scene(None, &[]).map_err(|error| error.to_string())
}

fn run(text: &str) -> Run {
    let scene = read(text).unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(scene).unwrap_or_else(|error| panic!("{error}"));
    while !run.is_done() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
    run
}

/// How far the centre of mass of a body went.
fn way(run: &Run, body: usize) -> DVec3 {
    run.state().bodies[body].frame().centre - run.scene().state.bodies[body].frame().centre
}

/// A rectangle in the plane y = 0 of triangles, as lists of a mesh, with these sides and cells.
fn floor(sides: [f64; 2], cells: [usize; 2]) -> String {
    let (mut vertices, mut triangles) = (String::new(), String::new());
    for i in 0..=cells[0] {
        for j in 0..=cells[1] {
            let [x, z] = [(i, 0), (j, 1)].map(|(k, axis)| sides[axis] * (k as f64 / cells[axis] as f64 - 0.5));
            let _ = write!(vertices, "[{x}, 0, {z}], ");
        }
    }
    for i in 0..cells[0] {
        for j in 0..cells[1] {
            let a = i * (cells[1] + 1) + j;
            let [b, c, d] = [a + 1, a + cells[1] + 1, a + cells[1] + 2];
            let _ = write!(triangles, "[{a}, {b}, {c}], [{b}, {d}, {c}], ");
        }
    }
    format!("shape = {{ kind = \"mesh\", vertices = [{vertices}], triangles = [{triangles}] }}")
}

/// A soft block that slides over a ground that is given by its keys.
fn slide(ground: &str, law: &str, keys: &str) -> String {
    format!(
        "title = \"t\"\ntime = {{ dt = 0.005, end = 0.2 }}\nstepper = {{ kind = \"smooth\" }}\n[pair_default]\nlaw = {law}\n\
         [body.ground]\n{ground}\n\
         [body.block]\nshape = {{ kind = \"box\", size = [0.4, 0.04, 0.4] }}\nposition = [0, 0.02, 0]\n{keys}\n\
         matter = {{ kind = \"solid\", young = 1e6, poisson = 0.3, cells = [4, 1, 4], stiffness_damping = 0.02 }}\n"
    )
}

const PLANE: &str = "shape = { kind = \"half_space\" }\nmotion = \"static\"";

/// Way of a point with the coefficient μ from 1.5 m/s on, in 0.2 s with steps of 5 ms: the velocity at the end of a step is that
/// of the step.
fn braked(mu: f64) -> f64 {
    1.5 * 0.2 - 0.5 * mu * G * 0.2 * 0.205
}

#[test]
fn laws_have_the_coefficient_of_their_closed_form() {
    let grain = "{ kind = \"matchstick\", mu = 0.35, mu_t = 0.1, mu_b = 0.6 }";
    let kinetic = "{ kind = \"static_kinetic\", kinetic = 0.6, eps_v = 0.001, law = { kind = \"coulomb\", mu = 0.5 } }";
    let cases = [
        ("{ kind = \"coulomb\", mu = 0.3 }", "[1, 0, 0]", "[1, 0, 0]", 0.3),
        (grain, "[1, 0, 0]", "[1, 0, 0]", 0.1),
        (grain, "[0, 0, 1]", "[0, 0, 1]", 0.6),
        (grain, "[1, 0, 0]", "[0, 0, 1]", 0.35),
        (kinetic, "[1, 0, 0]", "[1, 0, 0]", 0.3),
    ];
    for (law, ground, block, mu) in cases {
        let ground = format!("{PLANE}\nstructure = {ground}\ntangent = {ground}");
        let keys = format!("velocity = [1.5, 0, 0]\nstructure = {block}\ntangent = {block}");
        let found = way(&run(&slide(&ground, law, &keys)), 1);
        // The feet settle, as they do with `implicit`.
        assert!((found.x / braked(mu) - 1.0).abs() < 1e-2, "{law}: {} instead of {}", found.x, braked(mu));
        assert!(found.z.abs() < 1e-3, "{law}: {found}");
    }
}

/// A flat mesh has the potential of its plane: the block slides on it as on the plane itself. So it does on a mesh whose vertices
/// move by formulas but stay, and the same block sticks to one that carries it.
#[test]
fn meshes_and_moving_meshes_are_grounds() {
    let law = "{ kind = \"coulomb\", mu = 0.3 }";
    let velocity = "velocity = [1.5, 0, 0]";
    let expected = way(&run(&slide(PLANE, law, velocity)), 1).x;
    let mesh = floor([2.0, 0.9], [40, 18]);
    let still = format!("{mesh}\nmotion = \"static\"");
    let moving = format!("{mesh}\nmotion = {{ vertices = [\"x\", \"y\", \"z\"] }}");
    for ground in [still, moving] {
        let found = way(&run(&slide(&ground, law, velocity)), 1).x;
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    let carried = format!("{mesh}\nmotion = {{ vertices = [\"x + 0.4*t\", \"y\", \"z\"] }}");
    let found = way(&run(&slide(&carried, law, "velocity = [0.4, 0, 0]")), 1).x;
    assert!((found - 0.08).abs() < 1e-5, "{found}");
}

/// Points of a floor with normals, in a PLY file.
#[test]
fn a_point_cloud_is_a_ground() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("smooth_cloud");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut ply = "ply\nformat ascii 1.0\nelement vertex 800\n".to_owned();
    ["x", "y", "z", "nx", "ny", "nz"].iter().for_each(|name| ply += &format!("property double {name}\n"));
    ply += "end_header\n";
    for i in 0..40 {
        for j in 0..20 {
            let _ = writeln!(ply, "{} 0 {} 0 1 0", 0.05 * (f64::from(i) - 19.5), 0.05 * (f64::from(j) - 9.5));
        }
    }
    std::fs::write(folder.join("ground.ply"), ply).expect("a file");
    let law = "{ kind = \"coulomb\", mu = 0.3 }";
    let shape = "shape = { kind = \"mesh\", file = \"ground.ply\" }\nmotion = \"static\"";
    let in_file = |ground: &str| {
        let path = folder.join("cloud.toml");
        std::fs::write(&path, slide(ground, law, "velocity = [1.5, 0, 0]")).expect("a file");
        let document = Document::read(&path).unwrap_or_else(|error| panic!("{error}"));
        document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"))
    };
    // A piece of ground ends somewhere.
    let refused = Run::new(in_file(shape)).err().map(|error| error.to_string()).expect("a border");
    assert!(refused.contains("'ground'") && refused.contains("open = true"), "{refused}");
    let mut run = Run::new(in_file(&format!("{shape}\npotential = {{ open = true }}"))).expect("taken");
    while !run.is_done() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
    assert!((way(&run, 1).x / braked(0.3) - 1.0).abs() < 1e-2, "{}", way(&run, 1));
}

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

/// A strip of cloth over a drum of 36 sides, sampled with the cubic kernel: round enough to hold and let go where the true
/// drum does (0.140152), up to what the bulge of the potential adds to the radius.
#[test]
fn a_sampled_drum_holds_and_lets_go_as_a_round_one() {
    let speed = |mu: f64, drum: &str| {
        let place = "max(min((x+0.400205706671), 0.799794293329), -0.799794293329)";
        let text = format!(
            "title = \"t\"\ntime = {{ dt = 0.01, end = 0.6 }}\nstepper = {{ kind = \"smooth\" }}\n\
             [pair_default]\nlaw = {{ kind = \"coulomb\", mu = {mu} }}\n[body.drum]\n{drum}\nmotion = \"static\"\n\
             [body.cloth]\nshape = {{ kind = \"grid\", size = [4, 0.08], cells = [100, 2] }}\n\
             start = [\"0.5093*sin(1.964*{place})\", \"0.5093*cos(1.964*{place}) - abs((x+0.400205706671)-{place})\", \"z\"]\n\
             matter = {{ kind = \"cloth\", stretch = 1e5, poisson = 0, bending = 0, area_density = 0.2 }}\n"
        );
        run(&text).state().bodies[1].frame().velocity.length()
    };
    let (sides, rings) = (36u32, 8u32);
    let (mut vertices, mut triangles) = (String::new(), String::new());
    for ring in 0..=rings {
        for side in 0..sides {
            let angle = TAU * (f64::from(side) + 0.5 * f64::from(ring % 2)) / f64::from(sides);
            let z = 0.6 * (f64::from(ring) / f64::from(rings) - 0.5);
            let _ = write!(vertices, "[{}, {}, {z}], ", 0.5093 * angle.cos(), 0.5093 * angle.sin());
        }
    }
    for ring in 0..rings {
        for side in 0..sides {
            let [a, b] = [ring * sides + side, ring * sides + (side + 1) % sides];
            let [c, d] = [a + sides, b + sides];
            let pair = if ring % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] };
            pair.iter().for_each(|corners| {
                let _ = write!(triangles, "{corners:?}, ");
            });
        }
    }
    let drum = format!("shape = {{ kind = \"mesh\", vertices = [{vertices}], triangles = [{triangles}] }}");
    assert!(speed(0.15, &drum) < 5e-3, "{}", speed(0.15, &drum));
    assert!(speed(0.12, &drum) > 5e-2, "{}", speed(0.12, &drum));
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

#[test]
fn what_cannot_be_moved_is_refused_by_name() {
    let refused = |text: &str| {
        let scene = read(text).unwrap_or_else(|error| panic!("{error}"));
        let said = match Run::new(scene) {
            Err(error) => error.to_string(),
            Ok(mut run) => run.step().err().map(|error| error.to_string()).expect("an error"),
        };
        assert!(!said.is_empty());
        said
    };
    let head = "title = \"t\"\ntime = { dt = 0.01, end = 0.1 }\nstepper = { kind = \"smooth\" }\n";
    let cloth = |name: &str, y: f64, keys: &str| {
        format!(
            "[body.{name}]\nshape = {{ kind = \"grid\", size = [1, 1], cells = [4, 4] }}\nposition = [0, {y}, 0]\n\
             matter = {{ kind = \"cloth\", stretch = 1e3, area_density = 0.3{keys} }}\n"
        )
    };
    let two = refused(&format!("{head}{}{}", cloth("sheet", 0.0, ""), cloth("veil", 0.5, "")));
    assert!(two.contains("'sheet'") && two.contains("'veil'") && two.contains("inside"), "{two}");
    // Rolled up, so that its ends lie on each other.
    let rolled =
        cloth("sheet", 0.0, ", thickness = 0.01") + "start = [\"0.2*cos(6.4*x)\", \"0.2*sin(6.4*x)\", \"z\"]\n";
    let thick = refused(&format!("{head}{rolled}").replace("cells = [4, 4]", "cells = [40, 4]"));
    assert!(thick.contains("'sheet'") && thick.contains("touches itself"), "{thick}");
    let mesh = floor([2.0, 2.0], [4, 4]);
    let hole = refused(&format!(
        "{head}[body.ground]\n{mesh}\nmotion = \"static\"\npotential = {{ radius = 0.2 }}\n{}",
        cloth("sheet", 0.5, "")
    ));
    assert!(hole.contains("'ground'") && hole.contains("hole"), "{hole}");
    let deep = refused(&format!("{head}[body.ground]\n{mesh}\nmotion = \"static\"\n{}", cloth("sheet", -0.3, "")));
    assert!(deep.contains("'sheet'") && deep.contains("'ground'") && deep.contains("inside"), "{deep}");
    let exact = read(&format!("{head}[body.ball]\nshape = {{ kind = \"sphere\", radius = 1 }}\npotential = {{}}\n"));
    assert!(exact.as_ref().is_err_and(|said| said.contains("potential") && said.contains("exact")), "{exact:?}");
}
