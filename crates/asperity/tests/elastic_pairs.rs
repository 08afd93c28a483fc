//! Elastic bodies against each other and against themselves, moved by the implicit stepper.

use asperity::body::BodyState;
use asperity::geometry::surface::Crossings;
use asperity::scene::{Document, Scene};
use asperity::step::{Implicit, StepReport, Stepper, StepperSettings};
use asperity_solve::solver::Auto;
use glam::DVec3;

/// A scene, and its stepper.
struct Run {
    scene: Scene,
    stepper: Implicit,
}

impl Run {
    fn new(text: &str, set: &[(&str, &str)]) -> Self {
        let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        let scene = Document::parse(text, "test.toml").unwrap().scene(None, &set).unwrap();
        let settings = StepperSettings { tolerance: scene.solver.tolerance, ..StepperSettings::default() };
        let stepper = Implicit::new(Box::new(Auto::default()), settings);
        stepper.accepts(&scene.model).unwrap();
        Self { scene, stepper }
    }

    /// The report of the next step; `None` at the end.
    fn step(&mut self) -> Option<StepReport> {
        let Scene { model, state, time, .. } = &mut self.scene;
        let ends = state.time > time.end - 0.5 * time.dt;
        (!ends).then(|| self.stepper.step(model, state, time.dt).unwrap())
    }

    fn body(&self, name: &str) -> &BodyState {
        let number = self.scene.model.bodies.iter().position(|own| own.name == name).unwrap();
        &self.scene.state.bodies[number]
    }

    fn centre(&self, name: &str) -> DVec3 {
        self.body(name).frame().centre
    }
}

/// A small cloth on a large one, which sticks to a slope of 20°.
const CLOTHS: &str = r#"
    title = "A cloth on a cloth"
    time = { dt = 0.01, end = 0.3 }
    stepper = { kind = "implicit" }
    world.gravity = [3.3552176060, -9.2183846084, 0]
    material = { rough = {}, smooth = {} }
    pair_default.law = { kind = "coulomb", mu = 0.8 }
    [[pair]]
    materials = ["rough", "smooth"]
    law = { kind = "coulomb", mu = 0.1 }
    [body.slope]
    shape = { kind = "half_space" }
    motion = "static"
    material = "rough"
    [body.low]
    shape = { kind = "grid", size = [1, 0.6], cells = [7, 4] }
    matter = { kind = "cloth", stretch = 1e3, bending = 1e-5, area_density = 0.3, thickness = 0.002 }
    position = [0.2, 0.001, 0]
    material = "rough"
    [body.high]
    shape = { kind = "grid", size = [0.3, 0.3], cells = [3, 3] }
    matter = { kind = "cloth", stretch = 1e3, bending = 1e-5, area_density = 0.3, thickness = 0.002 }
    position = [-0.13, 0.003, 0.02]
    material = "smooth"
"#;

/// The upper cloth goes ½ g (sin 20° − 0.1 cos 20°) t², the lower one stays, and nothing passes through anything.
#[test]
fn a_cloth_slides_on_a_cloth_as_the_closed_form_says() {
    let mut run = Run::new(CLOTHS, &[]);
    let start = run.centre("high");
    while run.step().is_some() {}
    let way = run.centre("high") - start;
    let expected = 0.5 * (3.3552176060 - 0.1 * 9.2183846084) * 0.3 * 0.3;
    assert!((way.x - expected).abs() < 0.01 * expected, "{way} {expected}");
    assert!(way.y.abs() < 1e-7 && way.z.abs() < 1e-3 * expected, "{way}");
    assert!((run.centre("low") - DVec3::new(0.2, 0.001, 0.0)).length() < 1e-6);
    let mut run = Run::new(CLOTHS, &[("body.high.material", "\"rough\"")]);
    while run.step().is_some() {}
    let held = run.centre("high") - start;
    assert!(held.length() < 1e-6, "{held}");
}

const BLOCKS: &str = r#"
    title = "Two soft blocks"
    time = { dt = 0.01, end = 1.5 }
    stepper = { kind = "implicit" }
    pair_default.law = { kind = "coulomb", mu = 0.5 }
    [material.gel]
    density = 1000
    [body.floor]
    shape = { kind = "half_space" }
    motion = "static"
    [body.low]
    shape = { kind = "box", size = [0.2, 0.1, 0.2] }
    matter = { kind = "solid", young = 2e5, poisson = 0.3, cells = [2, 1, 2], stiffness_damping = 0.02 }
    position = [0, 0.05, 0]
    material = "gel"
    [body.high]
    shape = { kind = "box", size = [0.2, 0.1, 0.2] }
    matter = { kind = "solid", young = 2e5, poisson = 0.3, cells = [2, 1, 2], stiffness_damping = 0.02 }
    position = [0, 0.15, 0]
    material = "gel"
"#;

/// Meshes whose vertices meet: the upper block's weight of 39.24 N goes through the contacts between the blocks.
#[test]
fn a_soft_block_carries_another_one() {
    let mut run = Run::new(BLOCKS, &[]);
    let mut last = StepReport::default();
    while let Some(report) = run.step() {
        last = report;
    }
    let pair: DVec3 = last.forces.iter().filter(|own| own.pair == [1, 2]).map(|own| own.force).sum();
    // Forces act on A, the lower block.
    assert!((pair.y + 0.004 * 1000.0 * 9.81).abs() < 1e-3 * 39.24, "{pair}");
    let height = run.centre("high").y - run.centre("low").y;
    assert!(height < 0.1 && height > 0.099, "{height}");
}

/// Two blocks that fly into each other, off their centres, keep their momentum. The angular one is kept to the order of the step: halving it halves
/// the error.
#[test]
fn a_collision_of_soft_blocks_keeps_momentum() {
    let set = [
        ("world.gravity", "[0, 0, 0]"),
        ("body.low.velocity", "[0, 1.5, 0]"),
        ("body.low.position", "[0, 0.5, 0]"),
        ("body.high.position", "[0.03, 0.62, 0.05]"),
        ("time.end", "0.15"),
    ];
    let (coarse, fine) = (collide(&set, "0.01"), collide(&set, "0.005"));
    assert!(fine < 0.65 * coarse && coarse < 0.02, "{coarse} {fine}");
}

/// The change of the angular momentum in a collision, relative to that of one block.
fn collide(set: &[(&str, &str)], dt: &str) -> f64 {
    let mut run = Run::new(BLOCKS, &[set, &[("time.dt", dt)]].concat());
    let before = run.scene.model.momentum(&run.scene.state);
    let energy = |run: &Run| run.scene.model.kinetic_energy(&run.scene.state);
    let first = energy(&run);
    let mut touched = 0;
    while let Some(report) = run.step() {
        touched += report.forces.len();
    }
    let after = run.scene.model.momentum(&run.scene.state);
    assert!(touched > 0, "they never touched");
    assert!((after.linear - before.linear).length() < 1e-9 * before.linear.length());
    assert!(energy(&run) < first && energy(&run) > 0.4 * first);
    // One block of 6 kg m/s passes the other's centre of mass at 5 cm.
    (after.angular - before.angular).length() / (6.0 * 0.05)
}

/// A strip that stands on its end falls on itself. An exact test that shares nothing with the detection looks for triangles that cross.
#[test]
fn a_strip_folds_on_itself_and_never_crosses_itself() {
    let text = r#"
        title = "A strip folds"
        time = { dt = 0.005, end = 0.4 }
        stepper = { kind = "implicit" }
        solver.tolerance = 1e-6
        pair_default.law = { kind = "coulomb", mu = 0.3 }
        [body.floor]
        shape = { kind = "half_space" }
        motion = "static"
        [body.strip]
        shape = { kind = "grid", size = [0.1, 0.5], cells = [1, 12] }
        matter = { kind = "cloth", stretch = 1e3, bending = 1e-4, area_density = 0.3, thickness = 0.01, stiffness_damping = 1e-3 }
        turn = { axis = [1, 0, 0], angle_deg = 85 }
        position = [0, 0.26, 0]
    "#;
    let mut run = Run::new(text, &[]);
    let triangles = run.scene.model.bodies[1].elastic().unwrap().mesh().data().triangles.clone();
    let crossings = Crossings::new(&triangles);
    let mut selves = 0;
    while let Some(report) = run.step() {
        selves += report.forces.iter().filter(|own| own.pair == [1, 1]).count();
        let at = &run.body("strip").mesh().unwrap().positions;
        assert!(crossings.find(at, 1).is_empty(), "t = {}", run.scene.state.time);
    }
    assert!(selves > 0, "it never touched itself");
}
