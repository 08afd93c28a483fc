//! Surfaces that meet: momentum, friction and crossings.

use asperity::step::{Refusal, Stepper};
use asperity::world::State;

use super::{Surfaces, filter, positions, run, scene, watch};

/// Two sheets in the air that fly into each other, turned, one faster than the other.
const CRASH: &str = r#"
    title = "Two sheets"
    time = { dt = 0.01, end = 0.3 }
    stepper = { kind = "filter" }
    world.gravity = [0, 0, 0]
    pair_default.law = { kind = "coulomb", mu = 0.4 }
    [body.low]
    shape = { kind = "grid", size = [0.6, 0.5], cells = [7, 6] }
    matter = { kind = "cloth", stretch = 200, bending = 1e-4, area_density = 0.3, thickness = 0.004 }
    velocity = [0.3, 1, 0.2]
    [body.high]
    shape = { kind = "grid", size = [0.5, 0.5], cells = [5, 8] }
    matter = { kind = "cloth", stretch = 300, bending = 1e-4, area_density = 0.2, thickness = 0.006 }
    position = [0.13, 0.1, 0.08]
    velocity = [-1, -2, 0.5]
"#;

#[test]
fn momentum_is_kept_in_a_free_collision_and_nothing_crosses() {
    for (fast, dt) in [("[-1, -2, 0.5]", "0.01"), ("[-3, -20, 2]", "0.01"), ("[0, -6, 0]", "0.002")] {
        let scene = scene(CRASH, &[("body.high.velocity", fast), ("time.dt", dt), ("time.end", "0.2")]);
        let surfaces = Surfaces::new(&scene);
        let start = scene.model.momentum(&scene.state);
        let scale = scene.model.momentum_scale(&scene.state);
        let energy = scene.model.kinetic_energy(&scene.state);
        let mut touched = 0;
        let end = watch(&scene, |state, report| {
            assert_eq!(surfaces.crossings(&scene, state), [], "at t = {}", state.time);
            assert!(report.largest_friction_power <= 0.0, "{}", report.largest_friction_power);
            let now = scene.model.momentum(state);
            assert!((now.linear - start.linear).length() < 1e-10 * scale, "{fast}: {now:?} {start:?}");
            assert!((now.angular - start.angular).length() < 1e-10 * scale, "{fast}: {now:?} {start:?}");
            touched += usize::from(!report.forces.is_empty());
        });
        assert!(touched > 2, "{fast}: {touched} steps with contact");
        // It was no near miss: much of the energy of the approach is gone, and none came in.
        let left = scene.model.kinetic_energy(&end) + scene.model.elastic_energy(&end);
        assert!(left < 0.95 * energy, "{fast}: {left} of {energy}");
    }
}

/// A cloth that falls onto a ball and hangs down around it, touching itself.
const DRAPE: &str = r#"
    title = "A cloth on a ball"
    time = { dt = 0.004, end = 1 }
    stepper = { kind = "filter" }
    pair_default.law = { kind = "coulomb", mu = 0.3 }
    [body.ball]
    shape = { kind = "sphere", radius = 0.1 }
    motion = "static"
    [body.cloth]
    shape = { kind = "grid", size = [0.6, 0.6], cells = [16, 16] }
    matter = { kind = "cloth", stretch = 100, bending = 1e-6, area_density = 0.2, thickness = 0.004, damping = 1 }
    position = [0.01, 0.12, 0.02]
"#;

#[test]
fn a_cloth_drapes_over_a_ball_without_crossing_itself() {
    let scene = scene(DRAPE, &[]);
    let surfaces = Surfaces::new(&scene);
    let end = watch(&scene, |state, report| {
        assert_eq!(surfaces.crossings(&scene, state), [], "at t = {}", state.time);
        assert!(report.largest_friction_power <= 0.0);
        let inside = positions(&scene, state, "cloth").iter().map(|x| 0.102 - x.length()).fold(0.0, f64::max);
        assert!(inside < 0.002, "{inside} m inside at t = {}", state.time);
    });
    // It hangs on the ball: neither fallen off nor flat.
    let (low, high) =
        positions(&scene, &end, "cloth").iter().fold((1.0f64, -1.0f64), |(l, h), x| (l.min(x.y), h.max(x.y)));
    assert!(high > 0.09 && low < -0.1, "{low} {high}");
}

/// A ribbon that falls onto the ground on its end, and folds.
const RIBBON: &str = r#"
    title = "A ribbon"
    time = { dt = 0.001, end = 0.7 }
    stepper = { kind = "filter" }
    pair_default.law = { kind = "coulomb", mu = 0.2 }
    [body.ground]
    shape = { kind = "half_space" }
    motion = "static"
    [body.ribbon]
    shape = { kind = "grid", size = [0.05, 1.0], cells = [2, 24] }
    matter = { kind = "cloth", stretch = 50, bending = 1e-6, area_density = 0.2, thickness = 0.002 }
    turn = { axis = [1, 0, 0], angle_deg = 87 }
    position = [0, 0.52, 0]
"#;

#[test]
fn a_ribbon_folds_onto_itself_without_crossing() {
    let scene = scene(RIBBON, &[]);
    let surfaces = Surfaces::new(&scene);
    let energy = |state: &State| {
        let model = &scene.model;
        model.kinetic_energy(state) + model.potential_energy(state) + model.elastic_energy(state)
    };
    let (start, mut most) = (energy(&scene.state), 0.0f64);
    let end = watch(&scene, |state, report| {
        assert_eq!(surfaces.crossings(&scene, state), [], "at t = {}", state.time);
        assert!(report.largest_friction_power <= 0.0);
        // Impulses act on the masses alone, and move vertices against elastic forces that were balanced without them: an impact may strain the
        // cloth by as much as it stops. It does not feed the motion.
        most = most.max(energy(state) / start);
    });
    assert!(most < 1.1, "{most} of the energy");
    // A metre of ribbon lies on a heap.
    let at = positions(&scene, &end, "ribbon");
    let high = at.iter().map(|x| x.y).fold(0.0, f64::max);
    assert!(high < 0.3 && at.iter().all(|x| x.y > -1e-3), "{high}");
    let layers = at.iter().filter(|x| x.y > 0.004).count();
    assert!(layers > 5, "{layers} vertices above the first layer");
}

#[test]
fn a_rigid_ball_falls_into_a_cloth_that_is_held() {
    let text = r#"
        title = "A ball in a net"
        time = { dt = 0.005, end = 0.6 }
        stepper = { kind = "filter" }
        pair_default.law = { kind = "coulomb", mu = 0.3 }
        [body.ball]
        shape = { kind = "sphere", radius = 0.1 }
        density = 200
        position = [0, 0.12, 0]
        [body.cloth]
        shape = { kind = "grid", size = [1, 1], cells = [14, 14] }
        matter = { kind = "cloth", stretch = 2000, bending = 1e-5, area_density = 0.3, thickness = 0.004 }
        pins = [{ where = "abs(x) - 0.49" }]
    "#;
    let run = run(text, &[]);
    let ball = run.state().bodies[0].frame().centre;
    assert!(ball.y > -0.5 && ball.y < 0.1, "{ball}");
}

#[test]
fn threads_change_no_byte() {
    let end = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(CRASH, &[]).state().clone())
    };
    let bits = |state: asperity::world::State| -> Vec<[u64; 3]> {
        let meshes = state.bodies.into_iter().filter_map(|at| at.mesh().cloned());
        meshes.flat_map(|at| at.positions.iter().map(|x| x.to_array().map(f64::to_bits)).collect::<Vec<_>>()).collect()
    };
    assert_eq!(bits(end(1)), bits(end(3)));
}

#[test]
fn worlds_that_do_not_fit_are_refused() {
    let refused = |set: &[(&str, &str)]| filter().accepts(&scene(CRASH, set).model).unwrap_err();
    let crossing = refused(&[
        ("body.high.position", "[0.13, 0.0, 0.08]"),
        ("body.high.turn", "{ axis = [1, 0, 0], angle_deg = 20 }"),
    ]);
    let Refusal::Crossing { a, b, .. } = &crossing else { panic!("{crossing}") };
    assert_eq!([a.as_str(), b.as_str()], ["low", "high"]);
    let bouncing = refused(&[("pair_default.restitution", "0.5")]);
    assert!(matches!(bouncing, Refusal::Bounce { .. }), "{bouncing}");
    assert!(refused(&[("body.low.start", "[\"abs(x)\", \"0.2*x*z\", \"z\"]")]).to_string().contains("'low' crosses"));
}

/// A coarse cloth falls over a box: its cells are as large as the box, so that no vertex comes to lie on it.
const SHARP: &str = r#"
    title = "A cloth over a sharp edge"
    time = { dt = 0.002, end = 0.8 }
    stepper = { kind = "filter" }
    pair_default.law = { kind = "coulomb", mu = 0.6 }
    [body.box]
    shape = { kind = "box", size = [0.1, 0.2, 1.2] }
    motion = "static"
    [body.cloth]
    shape = { kind = "grid", size = [1.08, 0.9], cells = [6, 5] }
    matter = { kind = "cloth", stretch = 200, bending = 1e-6, area_density = 0.2, thickness = 0.004, damping = 2 }
    position = [0, 0.1021, 0]
"#;

#[test]
fn a_coarse_cloth_hangs_over_sharp_edges() {
    hangs_over(0.1);
}

/// The lower edges of the board are nearer than half of an edge of the cloth, and are no way out.
#[test]
fn a_coarse_cloth_hangs_over_a_thin_board() {
    hangs_over(0.01);
}

/// Over a box of this half height.
fn hangs_over(half: f64) {
    let size = format!("[0.1, {}, 1.2]", 2.0 * half);
    let place = format!("[0, {}, 0]", half + 0.0021);
    let scene = scene(SHARP, &[("body.box.shape.size", &size), ("body.cloth.position", &place)]);
    let triangles = scene.model.bodies[1].elastic().unwrap().mesh().data().triangles.clone();
    // The columns of vertices are at multiples of 0.18 m, the faces of the box at 0.05: only the middle column can touch.
    let end = watch(&scene, |state, report| {
        assert!(report.largest_friction_power <= 0.0);
        let at = positions(&scene, state, "cloth");
        for [i, j] in triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]) {
            for k in 0..=20 {
                let x = at[i as usize].lerp(at[j as usize], f64::from(k) / 20.0);
                // How deep a point of an edge is in the box.
                let deep = (0.05 - x.x.abs()).min(half - x.y.abs()).min(0.6 - x.z.abs());
                assert!(deep < 0.005, "{deep} m inside at {x}, t = {}", state.time);
            }
        }
    });
    let at = positions(&scene, &end, "cloth");
    let low = at.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let on_top = at.iter().filter(|x| x.x.abs() < 0.03).map(|x| x.y).fold(f64::INFINITY, f64::min);
    assert!(low < -0.2 && on_top > half - 0.005, "it hangs down to {low}, and lies at {on_top}");
}
