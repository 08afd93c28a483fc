//! Friction laws on a cloth and on a soft block, against closed forms.
//!
//! A flat cloth slides along x over a plane without anything else that acts along the plane: each vertex carries its weight m_i g, so that the whole slides like a
//! point. With a coefficient μ it goes v₀ t − μ g t²/2 in the time t. A soft block does so too as long as its feet carry its weight.

use std::fmt::Write as _;

use asperity::run::Run;
use asperity::scene::Document;
use glam::DVec3;

const G: f64 = 9.81;
const SPEED: f64 = 1.5;
const TIME: f64 = 0.2;

/// What slides.
#[derive(Clone, Copy, PartialEq)]
enum Slider {
    Cloth,
    Block,
}

/// Keys of the surfaces of both bodies.
struct Surfaces<'a> {
    ground: &'a str,
    slider: &'a str,
}

const PLAIN: Surfaces = Surfaces { ground: "tangent = [1, 0, 0]", slider: "tangent = [1, 0, 0]" };

/// The run of a slider with a law.
fn slide(slider: Slider, law: &str, surfaces: &Surfaces, dt: f64) -> Run {
    let matter = match slider {
        Slider::Cloth => {
            "shape = { kind = \"grid\", size = [0.6, 0.6], cells = [4, 4] }\nmatter = { kind = \"cloth\", stretch = 1e4, bending = 1e-4, area_density = 0.3 }"
        }
        // Wider than it is high: it does not tip, and its feet are pressed from the start.
        Slider::Block => {
            "shape = { kind = \"box\", size = [0.4, 0.04, 0.4] }\nposition = [0, 0.02, 0]\nmatter = { kind = \"solid\", young = 1e6, poisson = 0.3, cells = [4, 1, 4], stiffness_damping = 0.02 }"
        }
    };
    let mut text =
        format!("title = \"t\"\ntime = {{ dt = {dt}, end = {TIME} }}\nstepper = {{ kind = \"implicit\" }}\n");
    let _ =
        writeln!(text, "[material.floor]\n[material.thing]\n[[pair]]\nmaterials = [\"floor\", \"thing\"]\nlaw = {law}");
    let _ = writeln!(
        text,
        "[body.ground]\nshape = {{ kind = \"half_space\" }}\nmotion = \"static\"\nmaterial = \"floor\"\n{}",
        surfaces.ground
    );
    let _ = writeln!(
        text,
        "[body.slider]\nmaterial = \"thing\"\nvelocity = [{SPEED}, 0, 0]\n{matter}\n{}",
        surfaces.slider
    );
    let scene = Document::parse(&text, "test.toml").unwrap().scene(None, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(scene).unwrap();
    while !run.is_done() {
        run.step().unwrap_or_else(|error| panic!("{law}: {error}"));
    }
    run
}

/// How far the centre of mass went.
fn way(run: &Run) -> DVec3 {
    let elastic = run.scene().model.bodies[1].elastic().unwrap();
    let at = |run_state: &asperity::world::State| elastic.centre_of_mass(run_state.bodies[1].mesh().unwrap());
    at(run.state()) - at(&run.scene().state)
}

/// Way with one coefficient.
fn braked(mu: f64) -> f64 {
    assert!(mu * G * TIME < SPEED, "it would stop");
    SPEED * TIME - 0.5 * mu * G * TIME * TIME
}

#[track_caller]
fn goes(slider: Slider, law: &str, surfaces: &Surfaces, expected: f64, tolerance: f64) {
    let way = way(&slide(slider, law, surfaces, 0.005));
    assert!((way.x - expected).abs() < tolerance * expected, "{law}: {} instead of {expected}", way.x);
    assert!(way.z.abs() < 1e-3 * expected, "{law}: {way}");
}

/// Both sliders with a law that acts like one coefficient: the cloth exactly, the block up to the settling of its feet.
#[track_caller]
fn acts_like(law: &str, surfaces: &Surfaces, mu: f64) {
    goes(Slider::Cloth, law, surfaces, braked(mu), 1e-6);
    goes(Slider::Block, law, surfaces, braked(mu), 1e-2);
}

#[test]
fn coulomb_scaled_and_rolling_resistance_have_their_coefficient() {
    acts_like("{ kind = \"coulomb\", mu = 0.3 }", &PLAIN, 0.3);
    acts_like("{ kind = \"scaled\", strength = 0.5, law = { kind = \"coulomb\", mu = 0.6 } }", &PLAIN, 0.3);
    // Points do not roll: vertices feel the sliding law alone.
    acts_like("{ kind = \"rolling_resistance\", rho = 0.01, law = { kind = \"coulomb\", mu = 0.4 } }", &PLAIN, 0.4);
}

#[test]
fn anisotropic_laws_have_the_coefficient_of_the_axis() {
    let across = Surfaces { ground: "tangent = [0, 0, 1]", slider: "tangent = [0, 0, 1]" };
    acts_like("{ kind = \"anisotropic\", mu = [0.2, 0.5], axes = \"on_a\" }", &PLAIN, 0.2);
    acts_like("{ kind = \"anisotropic\", mu = [0.2, 0.5], axes = \"on_b\" }", &across, 0.5);
    acts_like("{ kind = \"lagged\", mu = [0.5, 0.2], axes = \"on_a\" }", &PLAIN, 0.5);
    acts_like("{ kind = \"lagged\", mu = [0.5, 0.2], axes = \"on_a\" }", &across, 0.2);
}

#[test]
fn grain_has_the_coefficient_along_across_and_crossed() {
    let law = "{ kind = \"matchstick\", mu = 0.35, mu_t = 0.1, mu_b = 0.6 }";
    let grain = |ground: &'static str, slider: &'static str| Surfaces { ground, slider };
    acts_like(law, &grain("structure = [1, 0, 0]", "structure = [1, 0, 0]"), 0.1);
    acts_like(law, &grain("structure = [0, 0, 1]", "structure = [0, 0, 1]"), 0.6);
    acts_like(law, &grain("structure = [1, 0, 0]", "structure = [0, 0, 1]"), 0.35);
}

#[test]
fn sliding_laws_have_the_sliding_coefficient() {
    let law = "{ kind = \"static_kinetic\", kinetic = 0.6, eps_v = 0.001, law = { kind = \"coulomb\", mu = 0.5 } }";
    acts_like(law, &PLAIN, 0.3);
    // Four measured directions, the same along ±x.
    acts_like("{ kind = \"measured\", mu = [0.4, 0.2, 0.4, 0.2], on = \"b\" }", &PLAIN, 0.4);
}

/// v' = −μ g (1 + c v) far above the Stribeck speed: 1 + c v = (1 + c v₀) e^(−c μ g t). Friction at the end of a step is of the first order in the step: two steps are
/// extrapolated to the limit.
#[test]
fn lubricated_friction_grows_with_the_speed() {
    let (mu, viscous) = (0.3, 0.5);
    let law =
        "{ kind = \"stribeck\", rest = 1.5, speed = 0.02, viscous = 0.5, law = { kind = \"coulomb\", mu = 0.3 } }";
    let rate = viscous * mu * G;
    let gone = (1.0 - (-rate * TIME).exp()) / rate;
    let expected = ((1.0 + viscous * SPEED) * gone - TIME) / viscous;
    let [coarse, fine] = [0.005, 0.0025].map(|dt| way(&slide(Slider::Cloth, law, &PLAIN, dt)).x);
    let errors = [coarse - expected, fine - expected];
    assert!(errors[0].abs() < 2e-3 * expected, "{coarse} {fine} {expected}");
    assert!((2.0 * fine - coarse - expected).abs() < 2e-5 * expected, "{errors:?}");
}

/// The force of each vertex is μ N (N/N₀)^(p − 1): vertices with little weight are braked more for it. A stiff cloth moves as a whole with the sum.
#[test]
fn friction_that_grows_with_a_power_of_the_load_is_that_of_the_vertices() {
    let (mu, exponent, reference) = (0.3, 2.0 / 3.0, 0.05);
    let law = "{ kind = \"load_power\", exponent = 0.6666666666666666, reference = 0.05, law = { kind = \"coulomb\", mu = 0.3 } }";
    let run = slide(Slider::Cloth, law, &PLAIN, 0.005);
    let masses = run.scene().model.bodies[1].elastic().unwrap().masses();
    let force: f64 = masses.iter().map(|m| mu * reference * (m * G / reference).powf(exponent)).sum();
    let coefficient = force / (masses.iter().sum::<f64>() * G);
    assert!((coefficient / mu - 1.0).abs() > 0.02, "{coefficient} says nothing");
    let (found, expected) = (way(&run).x, braked(coefficient));
    assert!((found - expected).abs() < 1e-4 * expected, "{found} instead of {expected}");
}
