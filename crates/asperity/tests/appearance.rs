//! Friction from facets in scenes: boxes along the slip, salience that changes in time, embossed images.

use std::f64::consts::FRAC_2_PI;
use std::fs::{self, File};
use std::path::PathBuf;

use asperity::run::{Checkpoint, Resumed, Run};
use asperity::scene::{Document, Scene};
use glam::{DVec2, DVec3};

const G: f64 = 9.81;
/// Mean positive slope of the sawtooth: three quarters with 0.4, one quarter with 1.2.
const ACROSS: f64 = FRAC_2_PI * 0.3;

/// A slab that is thrown over a plane with ridges along z, turned by an angle.
fn thrown(law: &str, turn: f64, velocity: [f64; 3], plane: &str) -> String {
    format!(
        "title = \"Thrown\"\n[time]\ndt = 0.001\nend = 0.2\n[pair_default]\nlaw = {{ kind = \"facets\", mu0 = 0.1, {law} }}\n\
         [body.plane]\nshape = {{ kind = \"half_space\" }}\nmotion = \"static\"\nturn = {{ axis = [0, 1, 0], angle_deg = {turn} }}\n\
         relief = {{ material = \"sawtooth\", period = 0.005, height = 0.0015, rise = 0.75 }}\n{plane}\n\
         [body.slab]\nshape = {{ kind = \"box\", size = [0.12, 0.03, 0.12] }}\nposition = [0, 0.015, 0]\nvelocity = {velocity:?}\n"
    )
}

fn scene(text: &str) -> Scene {
    let document = Document::parse(text, "appearance.toml").unwrap_or_else(|error| panic!("{error}"));
    document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str) -> String {
    match Document::parse(text, "appearance.toml").and_then(|document| document.scene(None, &[])) {
        Ok(_) => panic!("accepted"),
        Err(error) => error.to_string(),
    }
}

/// Velocity of the slab at the end.
fn velocity(text: &str) -> DVec3 {
    let mut run = Run::new(scene(text)).unwrap();
    while !run.is_done() {
        run.step().unwrap();
    }
    run.state().bodies[1].frame().velocity
}

/// Ridges that are turned by 45° and crossed at a right angle. A fine patch sees them nearly as they are.
#[test]
fn a_box_along_the_slip_without_friction_resists_like_the_texture() {
    let patch = "patch = { width = 0.02, resolution = 64 }";
    let along = |angle: f64| DVec3::new(angle.to_radians().cos(), 0.0, -angle.to_radians().sin());
    let after =
        |form: &str, angle: f64| velocity(&thrown(&format!("{form}, {patch}"), 45.0, along(angle).to_array(), ""));
    let aligned = "form = \"box\", axes = \"frictionless\"";
    for (angle, mu) in [(45.0, 0.1 + ACROSS), (135.0, 0.1)] {
        let found = after(aligned, angle);
        let expected = along(angle) * (1.0 - mu * G * 0.2);
        assert!(found.distance(expected) < 0.01, "{angle}: {found}, not {expected}");
        assert!(found.distance(after("form = { exact = { merge = 1e-3 } }", angle)) < 0.005, "as the exact set");
    }
    // Along the world's axes the box is as far from the ridges as it can be: it resists along them with its corner.
    let crooked = after("form = \"box\", axes = \"world\"", 135.0);
    let corner = 0.1 + ACROSS / 2f64.sqrt();
    assert!((crooked.length() - (1.0 - 2f64.sqrt() * corner * G * 0.2).max(0.0)).abs() < 0.02, "{crooked}");
}

/// Laws of the contacts in the last step of a slab that rests on ridges, with a gravity that leans by so much towards 30° from x; and its velocity.
fn laws_at_rest(axes: &str, lean: f64) -> (serde_json::Value, DVec3) {
    let pull = 30f64.to_radians();
    let gravity = [G * lean * pull.cos(), -G, G * lean * pull.sin()];
    let law = format!("form = \"box\", axes = \"{axes}\"");
    let text = thrown(&law, 45.0, [0.0; 3], "").replace("[time]", &format!("[world]\ngravity = {gravity:?}\n[time]"));
    let mut run = Run::new(scene(&text)).unwrap();
    run.stepper().keep_problems(true);
    while !run.is_done() {
        run.step().unwrap();
    }
    let problem = run.stepper().problem().cloned().expect("a problem");
    (serde_json::to_value(problem).unwrap()["laws"].clone(), run.state().bodies[1].frame().velocity)
}

/// The slip without friction of a step is g h times the lean of gravity. Below 10⁻³ g h a contact rests: its box lies along the world's axes, whatever
/// direction the sweeps are left with. Above, it lies along the slip, 30° from x. Nothing moves in either case, since 0.1 is more than any lean.
#[test]
fn a_box_without_slip_rests() {
    let axis = |law: &serde_json::Value| {
        let number = |k: usize| law["Set"]["axis"][k].as_f64().unwrap_or_else(|| panic!("a box, not {law}"));
        DVec2::new(number(0), number(1))
    };
    for (lean, rests) in [(0.0, true), (5e-4, true), (2e-3, false), (0.05, false)] {
        let (found, velocity) = laws_at_rest("frictionless", lean);
        let (world, _) = laws_at_rest("world", lean);
        assert!(velocity.length() < 1e-9, "{lean}: {velocity}");
        let (found, world) = (found.as_array().unwrap(), world.as_array().unwrap());
        assert!(found.len() == 4 && world.len() == 4, "four corners");
        for (found, world) in found.iter().zip(world) {
            let turned = axis(found).perp_dot(axis(world)).abs().asin().to_degrees();
            let expected = if rests { 0.0 } else { 30.0 };
            assert!((turned - expected).abs() < 1e-3, "{lean}: turned by {turned}");
            assert!(!rests || found == world, "{lean}: {found}, not {world}");
        }
    }
}

#[test]
fn salience_grows_as_its_formula_says() {
    let text = thrown("form = { exact = { merge = 1e-3 } }", 0.0, [1.0, 0.0, 0.0], "salience = \"1 + 3*t\"");
    // v = 1 − g ∫ (mu0 + (1 + 3t) across) dt
    let t: f64 = 0.2;
    let expected = 1.0 - G * (0.1 * t + ACROSS * (t + 1.5 * t * t));
    let found = velocity(&text);
    assert!((found.x - expected).abs() < 2e-3, "{found}, not {expected}");
    assert!(refused(&text.replace("1 + 3*t", "1 - 6*t")).contains("must not be negative"));
    assert!(refused(&text.replace("1 + 3*t", "1/(t - 0.1)")).contains("salience"));
    assert!(refused(&text.replace("1 + 3*t", "1 + x")).contains("known here are t"));
    assert!(refused(&text.replace("\"1 + 3*t\"", "-1")).contains("salience"));
}

#[test]
fn salience_goes_on_after_a_checkpoint() {
    let text = thrown("form = \"box\", axes = \"frictionless\"", 30.0, [1.0, 0.0, 0.2], "salience = \"1 + 3*t\"");
    let mut whole = Run::new(scene(&text)).unwrap();
    while !whole.is_done() {
        whole.step().unwrap();
    }
    let place = folder("salience");
    let mut run = Run::new(scene(&text)).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, &text, &mut run).unwrap();
    for _ in 0..77 {
        run.step().unwrap();
    }
    checkpoint.write(&run).unwrap();
    let mut resumed = Checkpoint::resume(&place, &text, scene(&text)).unwrap().run;
    while !resumed.is_done() {
        resumed.step().unwrap();
    }
    assert_eq!(resumed.state(), whole.state());
}

/// A slab that comes to rest on ridges whose salience goes on growing: its laws are kept from step to step as long as they hold, and a stepper that has kept
/// nothing, which each resumed run starts with, makes the same.
#[test]
fn laws_that_are_kept_are_those_that_would_be_made() {
    for (law, salience) in [
        ("form = { exact = { merge = 1e-3 } }", "salience = 2"),
        ("form = { exact = { merge = 1e-3 } }", "salience = \"2 + (t - 0.1)^2\""),
        ("form = \"box\", axes = \"world\"", "salience = \"2 + t\""),
    ] {
        let text = thrown(law, 30.0, [0.15, 0.0, 0.05], salience);
        let mut whole = Run::new(scene(&text)).unwrap();
        let place = folder("kept");
        let mut run = Run::new(scene(&text)).unwrap();
        let mut checkpoint = Checkpoint::begin(&place, &text, &mut run).unwrap();
        while !whole.is_done() {
            whole.step().unwrap();
            run.step().unwrap();
            checkpoint.write(&run).unwrap();
            Resumed { run, checkpoint } = Checkpoint::resume(&place, &text, scene(&text)).unwrap();
            assert_eq!(run.state(), whole.state(), "{law}, {salience}");
        }
        assert!(whole.state().bodies[1].frame().velocity.length() < 1e-6, "it has come to rest");
    }
}

fn folder(name: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("appearance-{name}"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// A bar across the way, 20 mm wide and 2 mm high, whose edges are 4 mm wide. The window sees the whole image, half of a millimetre a pixel.
#[test]
fn an_embossed_bar_stops_what_crosses_it() {
    let place = folder("ridges");
    let bar: Vec<u8> = (0..64 * 64).map(|k| if (22..42).contains(&(k % 64)) { 255 } else { 0 }).collect();
    let mut encoder = png::Encoder::new(File::create(place.join("bar.png")).unwrap(), 64, 64);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&bar).unwrap();
    let relief = "relief = { material = \"ridges\", mask = \"bar.png\", size = 0.064, height = 2e-3, edge = 4e-3 }";
    let text = |velocity: [f64; 3]| {
        let plain = thrown("patch = { width = 0.064, resolution = 128 }", 0.0, velocity, "");
        let from = plain.find("relief = ").unwrap();
        let to = from + plain[from..].find('\n').unwrap();
        format!("{}{relief}{}", &plain[..from], &plain[to..]).replace("[0.12, 0.03, 0.12]", "[0.4, 0.03, 0.4]")
    };
    let read = |text: &str| {
        let document = Document::parse(text, place.join("bar.toml")).unwrap_or_else(|error| panic!("{error}"));
        document.scene(None, &[])
    };
    let after = |direction: [f64; 3]| {
        let mut run = Run::new(read(&text(direction)).unwrap_or_else(|error| panic!("{error}"))).unwrap();
        while !run.is_done() {
            run.step().unwrap();
        }
        run.state().bodies[1].frame().velocity
    };
    let (across, along) = (after([1.0, 0.0, 0.0]), after([0.0, 0.0, 1.0]));
    assert!((along.z - (1.0 - 0.1 * G * 0.2)).abs() < 1e-3, "{along}");
    // A corner sees 32 mm of the way, inward. In each image of 64 mm the rising edge, which is what resists, climbs by 2 mm around x = 22 mm: a mean over five
    // texels makes its 4 mm five. The part of it that a corner sees, over 32 mm, is the mean slope there. Images are counted from the middle of the skin, 156.25 of them
    // from its edge. So dv/dt = −g (0.1 + (2/π) mean over front and back of (climb inside of the window)/32 mm), along the slip.
    let climb = |x: f64| {
        let image = (x + 0.016) / 0.064;
        2e-3 * (image.floor() + ((image.fract() * 0.064 - 0.0195) / 0.005).clamp(0.0, 1.0))
    };
    // Where it begins does not matter as long as it is above zero.
    let seen = |x: f64| (climb(x + 0.64) - climb(x + 0.64 - 0.032)) / 0.032;
    let (mut v, mut x, steps) = (1.0, 0.0, 20_000);
    for _ in 0..steps {
        let mean = 0.5 * (seen(x + 0.2) + seen(x - 0.2 + 0.032));
        v -= G * (0.1 + FRAC_2_PI * mean) * 0.2 / f64::from(steps);
        x += v * 0.2 / f64::from(steps);
    }
    let (lost, expected) = (1.0 - 0.1 * G * 0.2 - across.x, 1.0 - 0.1 * G * 0.2 - v);
    // Both sides bear nearly the same: its centre is 15 mm high, so 0.14 · 15/400 of the weight moves to the front. Pixels of half a millimetre and texels of one blur
    // the ends of an edge.
    assert!((lost - expected).abs() < 0.01 * expected, "{lost}, not {expected}");
    let wrong = |from: &str, to: &str| read(&text([1.0, 0.0, 0.0]).replace(from, to)).unwrap_err().to_string();
    assert!(wrong("bar.png", "none.png").contains("none.png"));
    assert!(wrong("size = 0.064, ", "").contains("size"));
    assert!(wrong("edge = 4e-3", "edge = 1").contains("edge"));
    assert!(wrong("edge = 4e-3", "edgy = 1").contains("edgy"));
}
