//! Coefficients that vary over a surface: how far a box slides on friction that grows along its way, in closed form.
//!
//! The box has its centre at the height c above a floor with mu(x) = a + b x, and slides along x on its corners. Normal forces N_i at the places x_i (from the
//! centre) carry the weight, Σ N_i = m g, and balance the torque of friction, Σ x_i N_i = c F. So F = Σ mu(x + x_i) N_i = (a + b x) m g + b c F, whatever the
//! length of the box: it is braked with g (a + b x)/(1 − b c), and its way s is where v²/2 = g (a s + b s²/2)/(1 − b c). If the friction belongs to the body that
//! slides, mu(x') = a + b x' in its own frame, then F = a m g + b c F: it stops after v² (1 − b c)/(2 g a).

use asperity::run::Run;
use asperity::scene::Document;

const G: f64 = 9.81;
const A: f64 = 0.2;
const B: f64 = 0.3;
const SPEED: f64 = 2.0;
/// Height of the box's centre.
const C: f64 = 0.05;
/// Length of the floor.
const FLOOR: f64 = 4.0;

/// A box that slides along x over a floor around the origin. `law` is what is below `law =`, the others are keys of the bodies.
struct Slide {
    dt: f64,
    law: &'static str,
    floor: String,
    floor_shape: String,
    slider: String,
    /// Whether the box is the first of the two bodies.
    swapped: bool,
}

impl Slide {
    fn new(dt: f64) -> Self {
        Self {
            dt,
            law: "{ kind = \"coulomb\", combine = \"product\" }",
            floor: format!("mu = \"{A} + {B}*x\""),
            floor_shape: format!("{{ kind = \"box\", size = [{FLOOR}, 0.2, 2] }}"),
            slider: "mu = 1".into(),
            swapped: false,
        }
    }

    fn text(&self) -> String {
        let floor = format!(
            "[body.floor]\nshape = {}\nposition = [0, -0.1, 0]\nmotion = \"static\"\n{}\n",
            self.floor_shape, self.floor
        );
        let slider = format!(
            "[body.slider]\nshape = {{ kind = \"box\", size = [0.3, {}, 0.2] }}\nposition = [0, {C}, 0]\nvelocity = [{SPEED}, 0, 0]\n{}\n",
            2.0 * C,
            self.slider
        );
        let bodies = if self.swapped { [slider, floor] } else { [floor, slider] };
        let (dt, law) = (self.dt, self.law);
        format!(
            "title = \"slide\"\ntime = {{ dt = {dt}, end = 1.5 }}\n[pair_default]\nlaw = {law}\n{}",
            bodies.concat()
        )
    }

    fn run(&self) -> Result<f64, String> {
        let document = Document::parse(&self.text(), "slide.toml").map_err(|error| error.to_string())?;
        let scene = document.scene(None, &[]).map_err(|error| error.to_string())?;
        let slider = scene.model.bodies.iter().position(|body| body.name == "slider").unwrap();
        let mut run = Run::new(scene).map_err(|error| error.to_string())?;
        while !run.is_done() {
            run.step().map_err(|error| error.to_string())?;
        }
        let at = run.state().bodies[slider].frame();
        assert!(at.velocity.length() < 1e-9, "it has stopped: {}", at.velocity);
        Ok(at.centre.x)
    }
}

/// Where a s + b s²/2 = v² (1 − b c)/(2 g).
fn way(a: f64, b: f64) -> f64 {
    let work = SPEED * SPEED * (1.0 - b * C) / (2.0 * G);
    ((a * a + 2.0 * b * work).sqrt() - a) / b
}

fn assert_way(slide: &Slide, expected: f64, what: &str) {
    let found = slide.run().unwrap();
    assert!((found - expected).abs() < 1e-3 * expected, "{what}, dt {}: {found}, not {expected}", slide.dt);
}

const STEPS: [f64; 3] = [0.01, 0.005, 0.002];

#[test]
fn a_formula_stops_the_box_where_the_closed_form_says() {
    for dt in STEPS {
        let plain = Slide::new(dt);
        assert_way(&plain, way(A, B), "formula");
        let swapped = Slide { swapped: true, ..Slide::new(dt) };
        assert_way(&swapped, way(A, B), "swapped");
        let (one, other) = (plain.run().unwrap(), swapped.run().unwrap());
        assert!((one - other).abs() < 1e-9, "swapped bodies: {one} and {other}");
    }
}

#[test]
fn friction_that_falls_along_the_way() {
    for dt in STEPS {
        let floor = format!("mu = \"0.6 - {B}*x\"");
        assert_way(&Slide { floor, ..Slide::new(dt) }, way(0.6, -B), "falling");
    }
}

#[test]
fn every_rule_combines_the_two_surfaces() {
    let mean = format!("mu = \"2*({A} + {B}*x)\"");
    let squared = format!("mu = \"({A} + {B}*x)^2\"");
    let own = Slide::new(0.01).floor;
    for (law, floor, slider) in [
        ("{ kind = \"coulomb\" }", &mean, "mu = 0"),
        ("{ kind = \"coulomb\", combine = \"geometric_mean\" }", &squared, "mu = 1"),
        ("{ kind = \"coulomb\", combine = \"minimum\" }", &own, "mu = 9"),
        ("{ kind = \"coulomb\", combine = \"maximum\" }", &own, "mu = 0"),
    ] {
        let slide = Slide { law, floor: floor.clone(), slider: slider.into(), ..Slide::new(0.01) };
        assert_way(&slide, way(A, B), law);
    }
}

#[test]
fn a_texture_says_the_same() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("varying");
    std::fs::create_dir_all(&folder).unwrap();
    // Grey of 16 bits: mu from 0 at black to 1 at white, at the middles of 64 texels along the floor.
    let mu = |i: u32| A + B * FLOOR * ((f64::from(i) + 0.5) / 64.0 - 0.5);
    let shown = |i: u32| (mu(i).clamp(0.0, 1.0) * 65535.0).round() as u16;
    let texels: Vec<u8> = (0..2).flat_map(|_| (0..64).flat_map(move |i| shown(i).to_be_bytes())).collect();
    let path = folder.join("mu.png");
    let mut encoder = png::Encoder::new(std::fs::File::create(&path).unwrap(), 64, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.write_header().unwrap().write_image_data(&texels).unwrap();
    for dt in STEPS {
        let file = path.display();
        for (end, slider) in [("", "mu = 1"), (", white = 2", "mu = 0.5")] {
            let floor = format!("mu = {{ field = \"texture\", file = \"{file}\", wrap = \"clamp\"{end} }}");
            assert_way(&Slide { floor, slider: slider.into(), ..Slide::new(dt) }, way(A, B), "texture");
        }
    }
}

#[test]
fn numbers_at_vertices_say_the_same() {
    let ends = [-0.5, 0.5].map(|x| A + B * FLOOR * x + 1.0);
    // Upper side, lower side: each two rows of two vertices.
    let values = [ends; 4].concat();
    for dt in STEPS {
        let slide = Slide {
            floor: format!("mu = {{ field = \"per_vertex\", values = {values:?} }}"),
            floor_shape: format!("{{ kind = \"sheet\", size = [{FLOOR}, 2], cells = [1, 1], thickness = 0.2 }}"),
            // Coefficients are not negative, so the floor has one more than it should, and a rule that takes it away.
            law: "{ kind = \"coulomb\", combine = \"average\" }",
            slider: "mu = 0".into(),
            ..Slide::new(dt)
        };
        assert_way(&slide, way(0.5 * (A + 1.0), 0.5 * B), "per vertex");
    }
}

#[test]
fn friction_of_the_body_that_slides() {
    for dt in STEPS {
        let slide = Slide { floor: "mu = 1".into(), slider: format!("mu = \"{A} + {B}*x\""), ..Slide::new(dt) };
        let expected = SPEED * SPEED * (1.0 - B * C) / (2.0 * G * A);
        assert_way(&slide, expected, "on the slider");
        assert_way(&Slide { swapped: true, ..slide }, expected, "on the slider, swapped");
    }
}

#[test]
fn tensors_that_vary() {
    for dt in STEPS {
        let slide = Slide {
            law: "{ kind = \"tensor_rule\", composition = { additive = { kappa = 1.0 } } }",
            // Hard across the way, which is along the tangent.
            floor: format!(
                "tangent = [1, 0, 0]\ntensor = [[1, 0], [0, 3]]\ntensor_scale = [\"{A} + {B}*x\", 0, 0, \"{A} + {B}*x\"]"
            ),
            slider: String::new(),
            ..Slide::new(dt)
        };
        assert_way(&slide, way(A, B), "tensor");
        assert_way(&Slide { swapped: true, ..slide }, way(A, B), "tensor, swapped");
    }
}

#[test]
fn grain_with_coefficients_that_vary() {
    for dt in STEPS {
        let slide = Slide {
            law: "{ kind = \"matchstick\", mu = \"average\", mu_t = \"minimum\", mu_b = \"maximum\" }",
            // Both grains along the way: mu_t counts.
            floor: format!("structure = [1, 0, 0]\nmu_t = \"{A} + {B}*x\"\nmu_b = 2"),
            slider: "structure = [1, 0, 0]\nmu = 5".into(),
            ..Slide::new(dt)
        };
        assert_way(&slide, way(A, B), "matchstick");
    }
    let law = "{ kind = \"scaled\", strength = \"product\", law = { kind = \"measured\", on = \"b\", mu = [1, 1, 1, 1, 1, 1, 1, 1] } }";
    let pair =
        format!("[material.ground]\n[material.metal]\n[[pair]]\nmaterials = [\"metal\", \"ground\"]\nlaw = {law}\n");
    let slide = Slide {
        floor: format!("material = \"ground\"\ntangent = [1, 0, 0]\nmu = \"{A} + {B}*x\""),
        slider: format!("material = \"metal\"\nmu = 1\n{pair}"),
        ..Slide::new(0.01)
    };
    assert_way(&slide, way(A, B), "a measured law, scaled");
}

#[test]
fn a_material_has_fields_and_a_body_its_own() {
    let material = format!("[material.rough]\nmu = \"{A} + {B}*x\"\n");
    let floor = "material = \"rough\"".to_owned();
    let slide = Slide { floor: floor.clone(), slider: format!("mu = 1\n{material}"), ..Slide::new(0.01) };
    assert_way(&slide, way(A, B), "material");
    let own = Slide { floor: format!("{floor}\nmu = 0.4"), slider: format!("mu = 1\n{material}"), ..Slide::new(0.01) };
    assert_way(&own, SPEED * SPEED / (2.0 * G * 0.4), "the body's number goes before the material's field");
}

#[test]
fn fields_that_go_negative_stop_the_run_by_name() {
    let refused = |floor: &str| Slide { floor: floor.into(), ..Slide::new(0.01) }.run().unwrap_err();
    let error = refused("mu = \"0.2 - 0.5*x\"");
    for word in ["at t = ", "surface of 'floor'", "mu = -0.0", "at [0.", "not negative"] {
        assert!(error.contains(word), "{word}: {error}");
    }
    let error = refused("mu = \"ln(x - 1)\"");
    assert!(error.contains("mu = NaN") && error.contains("'floor'"), "{error}");
    // What can be seen before the run is refused before it, with the place in the file.
    for (floor, words) in [
        ("mu = -0.1", ["slide.toml:", "body.floor.mu"]),
        ("mu = \"t - 1\"", ["body.floor.mu", "not negative"]),
        ("mu = \"0.3*q\"", ["`q`", "known here are x, y, z, u, v, t"]),
        ("mu_b = { field = \"texture\", file = \"nowhere.png\" }", ["body.floor.mu_b.file", "nowhere.png"]),
        ("mu = { field = \"per_vertex\", values = [0.1] }", ["body.floor.mu", "needs a mesh"]),
        ("tensor_scale = [1, 1, 1]", ["body.floor.tensor_scale", "4"]),
        ("mu = { field = \"texture\", file = \"a.png\", black = -1 }", ["body.floor.mu.black", "-1"]),
    ] {
        let error = refused(floor);
        assert!(words.iter().all(|word| error.contains(word)), "{floor}: {error}");
    }
}

#[test]
fn inertia_as_six_numbers() {
    let inertia = |six: &str| {
        let text = Slide { slider: format!("mu = 1\nmass = 2\ninertia = {six}"), ..Slide::new(0.01) }.text();
        let document = Document::parse(&text, "slide.toml").unwrap();
        document.scene(None, &[]).map(|scene| *scene.model.bodies[1].inertia().unwrap()).map_err(|e| e.to_string())
    };
    let made = inertia("[0.2, 0.3, 0.4, 0.01, -0.02, 0.03]").unwrap();
    assert_eq!(made.mass(), 2.0);
    assert_eq!(made.tensor().to_cols_array(), [0.2, 0.01, -0.02, 0.01, 0.3, 0.03, -0.02, 0.03, 0.4]);
    // A thin rod and a flat plate are bodies; these are none.
    assert!(inertia("[1e-9, 1, 1, 0, 0, 0]").is_ok() && inertia("[1, 1, 2, 0, 0, 0]").is_ok());
    for six in ["[1, 1, 2.1, 0, 0, 0]", "[-1, 1, 1, 0, 0, 0]", "[1, 1, 1, 0.9, 0, 0]", "[0, 0, 0, 0, 0, 0]"] {
        let error = inertia(six).unwrap_err();
        assert!(error.contains("body.slider.inertia") && error.contains("of no body"), "{error}");
    }
    assert!(inertia("[1, 2, 3]").unwrap_err().contains("body.slider.inertia"));
}
