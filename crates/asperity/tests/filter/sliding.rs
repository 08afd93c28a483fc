//! Flat cloth that slides: closed forms of the laws.

use asperity::run::Run;
use asperity::world::{Interaction, Interactions};
use asperity_friction::model::MODELS;
use glam::{DMat2, DVec2, DVec3};

use super::{mean, positions, run, scene, watch};

/// A cloth on a plane; gravity is tilted. Backward Euler makes the way longer by dt/t.
const CLOTH: &str = r#"
    title = "A cloth slides"
    time = { dt = 0.002, end = 0.5 }
    stepper = { kind = "filter" }
    world.gravity = [5, -8, 0]
    pair_default.law = { kind = "coulomb", mu = 0.3 }
    [body.ground]
    shape = { kind = "half_space" }
    motion = "static"
    [body.cloth]
    shape = { kind = "grid", size = [1, 1], cells = [6, 6] }
    matter = { kind = "cloth", stretch = 1e3, bending = 1e-5, area_density = 0.3, thickness = 0.004 }
    position = [0, 0.002, 0]
"#;

/// Where the middle of the cloth is at the end.
fn slid(set: &[(&str, &str)]) -> DVec3 {
    let run = run(CLOTH, set);
    mean(positions(run.scene(), run.state(), "cloth"))
}

#[test]
fn a_flat_cloth_slides_as_far_as_the_closed_form() {
    // ½ (g_x − μ g_y) t², and what backward Euler adds.
    let exact = 0.5 * (5.0 - 0.3 * 8.0) * 0.25;
    let way = slid(&[]);
    assert!((way.x / exact - 1.0).abs() < 0.01, "{way} instead of {exact}");
    assert!((way.x / (exact * (1.0 + 0.002 / 0.5)) - 1.0).abs() < 1e-6, "{way}");
    assert!(way.z.abs() < 1e-9 && (way.y - 0.002).abs() < 1e-6, "{way}");
    // It holds below the tangent.
    let held = slid(&[("pair_default.law.mu", "0.626")]);
    assert!((held - DVec3::new(0.0, 0.002, 0.0)).length() < 1e-6, "{held}");
}

#[test]
fn an_isotropic_tensor_is_coulombs_law() {
    let tensor = slid(&[
        ("pair_default.law", "{ kind = \"tensor_rule\" }"),
        ("body.ground.tensor", "[[0.2, 0], [0, 0.2]]"),
        ("body.cloth.tensor", "[[0.4, 0], [0, 0.4]]"),
        ("body.ground.tangent", "[1, 0, 1]"),
        ("body.cloth.tangent", "[1, 0, 0]"),
    ]);
    let coulomb = slid(&[]);
    assert!((tensor - coulomb).length() < 1e-9, "{tensor} {coulomb}");
}

#[test]
fn a_tensor_turns_the_slide_as_the_rule_says() {
    // L = ½ (Q_ground + Q_cloth), at 45° to the slope. From rest the direction d of the slide is constant: a d = g_x x − g_y L d, so that
    // (a + g_y L) d = g_x x with |d| = 1, an equation for a.
    let way = slid(&[
        ("pair_default.law", "{ kind = \"tensor_rule\" }"),
        ("body.ground.tensor", "[[0.2, 0], [0, 0.8]]"),
        ("body.cloth.tensor", "[[0.2, 0], [0, 0.2]]"),
        ("body.ground.tangent", "[1, 0, 1]"),
        ("body.cloth.tangent", "[1, 0, 0]"),
    ]);
    let (cos, half) = (std::f64::consts::FRAC_1_SQRT_2, [0.2, 0.5]);
    // In (x, z): the ground's tangent is (1, 1)/√2.
    let turn = DMat2::from_cols(DVec2::new(cos, cos), DVec2::new(-cos, cos));
    let rule = turn * DMat2::from_diagonal(DVec2::from(half)) * turn.transpose();
    let direction = |a: f64| (DMat2::from_diagonal(DVec2::splat(a)) + rule * 8.0).inverse() * DVec2::new(5.0, 0.0);
    let (mut low, mut high) = (0.0, 5.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if direction(middle).length() > 1.0 { low = middle } else { high = middle }
    }
    let exact = direction(low) * (0.5 * low * 0.25);
    let found = DVec2::new(way.x, way.z);
    assert!((found - exact).length() < 0.01 * exact.length(), "{found} instead of {exact}");
    assert!(exact.y > 0.2 * exact.x, "the control: an isotropic law does not turn it, {exact}");
}

#[test]
fn varying_friction_is_averaged_along_the_way() {
    // Waves of friction 0.2 m long, between 0 and 0.6: on average 0.3. At 4 m/s a step of 0.05 s passes one of them. Read at one place of each step the
    // brake would be that of one phase of the waves for a long while.
    let set = [
        ("pair_default.law", "{ kind = \"coulomb\", combine = \"product\" }"),
        ("body.ground.mu", "\"0.3 + 0.3*sin(PI*x/0.1)\""),
        ("body.cloth.mu", "1"),
        ("body.cloth.velocity", "[4, 0, 0]"),
        ("body.cloth.shape.cells", "[1, 1]"),
        ("body.cloth.shape.size", "[0.2, 0.2]"),
        ("world.gravity", "[0, -8, 0]"),
        ("time.dt", "0.05"),
        ("time.end", "0.5"),
    ];
    let run = run(CLOTH, &set);
    let speed = run.state().bodies[1].frame().velocity.x;
    // v − 0.3 g t within a stripe's worth of it.
    let exact = 4.0 - 0.3 * 8.0 * 0.5;
    assert!((speed - exact).abs() < 0.12, "{speed} instead of {exact}");
}

#[test]
fn every_law_brakes_and_no_contact_is_driven() {
    let fields = "structure = [1, 0, 1]\ntangent = [1, 0, 0]\n";
    let text = CLOTH.replace("[body.cloth]", &format!("{fields}[body.cloth]"));
    let text = format!("{text}{fields}velocity = [1, 0, 0.5]");
    for entry in MODELS {
        for law in (entry.examples)() {
            let mut scene = scene(&text, &[("time.end", "0.02"), ("time.dt", "0.002")]);
            scene.model.interactions = Interactions::new(1, Interaction { law, restitution: 0.0, spring: None });
            let mass = scene.model.bodies[1].elastic().unwrap().mass();
            let mut before = scene.model.momentum(&scene.state).linear;
            watch(&scene, |state, report| {
                assert!(report.largest_friction_power <= 0.0, "{}: {report:?}", entry.name);
                assert!(report.residual < 1e-6, "{}: {}", entry.name, report.residual);
                // The ground is A: the forces on the cloth are the negatives.
                let force = -report.forces.iter().map(|own| own.force).sum::<DVec3>() + scene.model.gravity * mass;
                let now = scene.model.momentum(state).linear;
                assert!((now - before - force * 0.002).length() < 1e-9 * mass, "{}: {force}", entry.name);
                before = now;
            });
        }
    }
}

/// A soft cube on a plane; gravity is tilted by 10 degrees. The step is long for its stiffness: h² E/(ρ d²) is 40 for cells of d = 0.05 m.
pub(super) const CUBE: &str = r#"
    title = "A soft cube slides"
    time = { dt = 0.01, end = 1 }
    stepper = { kind = "filter" }
    world.gravity = [1.7034886, -9.6609640, 0]
    pair_default.law = { kind = "coulomb", mu = 0.15 }
    [body.ground]
    shape = { kind = "half_space" }
    motion = "static"
    [body.cloth]
    shape = { kind = "box", size = [0.2, 0.2, 0.2] }
    matter = { kind = "solid", young = 1e6, poisson = 0.4, cells = [4, 4, 4], stiffness_damping = 0.01 }
    position = [0, 0.1, 0]
    velocity = [0.5, 0, 0]
"#;

#[test]
fn a_stiff_cube_slides_as_far_as_the_closed_form() {
    // v t + ½ a (t² + h t) with a = g_x − μ g_y: the velocity at the end of a step is that of the whole step.
    let exact = 0.5 + 0.5 * (1.7034886 - 0.15 * 9.6609640) * (1.0 + 0.01);
    // Under its weight the middle sinks by ρ g L²/(3 E): 1.3 mm for the softest.
    for young in ["1e5", "1e6", "1e7", "1e8", "1e9"] {
        let run = run(CUBE, &[("body.cloth.matter.young", young)]);
        let way = mean(positions(run.scene(), run.state(), "cloth"));
        assert!((way.x / exact - 1.0).abs() < 0.01, "{young} Pa: {way} instead of {exact}");
        assert!((way.y - 0.1).abs() < 2e-3 && way.z.abs() < 1e-3, "{young} Pa: it stays on the ground: {way}");
        // Elastic forces have answered the impulses.
        assert!(run.rows().iter().all(|row| row.splitting <= 0.5), "{young} Pa: {:?}", run.rows().last());
    }
}

/// Why a scene stops.
fn stop(text: &str, set: &[(&str, &str)]) -> String {
    let mut run = Run::new(scene(text, set)).unwrap();
    while !run.is_done() {
        if let Err(error) = run.step() {
            return format!("{error:?}");
        }
    }
    panic!("it runs to its end");
}

/// Hits the ground at 100 m/s, with steps of 5 m.
#[test]
fn a_cube_that_does_not_come_to_terms_with_its_contacts_stops() {
    let fast = [("world.gravity", "[0, -9.81, 0]"), ("body.cloth.velocity", "[0, -100, 0]"), ("time.dt", "0.05")];
    let error = stop(CUBE, &fast);
    assert!(error.contains("Stiff {") && error.contains("body: \"cloth\""), "{error}");
}

/// In steps of 100 s h² k/m is 10¹⁹: beside that the masses are lost to rounding, and the matrix has the null vectors
/// of rigid motions.
#[test]
fn a_matrix_without_masses_names_the_body() {
    let error = stop(CUBE, &[("body.cloth.matter.young", "1e12"), ("time.dt", "100"), ("time.end", "200")]);
    assert!(error.contains("Indefinite { t: 0.0, body: \"cloth\" }"), "{error}");
}

/// Flat on a plane all vertices are stopped alike: stiffness does not matter.
#[test]
fn stiff_flat_cloth_slides_like_limp_one() {
    let limp = slid(&[]);
    for stretch in ["1e7", "1e9"] {
        let stiff = slid(&[("body.cloth.matter.stretch", stretch)]);
        assert!((stiff - limp).length() < 1e-3 * limp.length(), "{stretch}: {stiff} {limp}");
    }
}
