//! `asperity field`, and scenes with painted and written fields: pictures, textures, messages.

mod common;

use asperity::body::surface::read_texture;
use common::Bench;
use glam::DVec2;

/// A block on a slope whose grain bends.
const SLOPE: &str = r#"
title = "A block follows the grain"
[time]
dt = 0.01
end = 0.5
[pair_default]
law = { kind = "matchstick", mu = 0.3, mu_t = 0.1, mu_b = 0.6 }
[body.slope]
shape = { kind = "box", size = [4, 0.2, 4] }
motion = "static"
turn = { axis = [0, 0, 1], angle_deg = 25 }
structure = "[1, 0, 0.5*sin(2*x + z)]"
[body.ball]
shape = { kind = "sphere", radius = 0.1 }
position = [0, 3, 0]
structure = { field = "sweep", axis = [0, 1, 0], direction = "axial" }
[body.stone]
shape = { kind = "hull", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] }
position = [0, 5, 0]
structure = [1, 0, 0]
"#;

#[test]
fn a_field_is_drawn_and_baked() {
    let bench = Bench::new("field-draw");
    bench.write("slope.toml", SLOPE);
    let said = bench.ok(&["field", "slope.toml", "--body", "slope", "--bake", "64", "--face", "+y", "--out", "f"]);
    assert!(said.contains("slope:") && said.contains("lines") && said.contains("slope-texture.png"), "{said}");
    assert!(bench.read("f/slope.png").starts_with(b"\x89PNG") && bench.read("f/slope.glb").starts_with(b"glTF"));
    assert!(bench.read("f/slope-texture.png").starts_with(b"\x89PNG"));
    // The baked texture is a field again; baking that one gives the same lines.
    let again = SLOPE.replace(
        "structure = \"[1, 0, 0.5*sin(2*x + z)]\"",
        "structure = { field = \"texture\", file = \"f/slope-texture.png\", wrap = \"clamp\" }",
    );
    assert_ne!(again, SLOPE);
    bench.write("again.toml", &again);
    bench.ok(&["field", "again.toml", "--body", "slope", "--bake", "64", "--face", "+y", "--out", "g"]);
    let read = |name: &str| read_texture(&bench.path(name)).unwrap();
    let (first, second) = (read("f/slope-texture.png"), read("g/slope-texture.png"));
    for i in 0..64 * 64 {
        let (column, row) = (i % 64, i / 64);
        let uv = DVec2::new((f64::from(column) + 0.5) / 64.0, (f64::from(row) + 0.5) / 64.0);
        // On the slope of 4 m by 4 m u runs along x and v along -z; a channel is rounded by half a step of 1/127.5, twice.
        let place = (uv - 0.5) * 4.0;
        let expected = DVec2::new(1.0, -0.5 * (2.0 * place.x - place.y).sin()).normalize();
        assert!(first.line(uv).perp_dot(expected).abs() < 1.5 / 255.0, "{uv}");
        assert!(second.line(uv).perp_dot(first.line(uv)).abs() < 1.5 / 255.0, "{uv}");
    }
    bench.ok(&["field", "slope.toml", "--body", "ball", "--bake", "32", "--bits", "16", "--uv"]);
    assert!(bench.path("out/field/ball-texture.png").exists());
}

#[test]
fn bad_input_is_refused_and_leaves_nothing() {
    let bench = Bench::new("field-refused");
    bench.write("slope.toml", SLOPE);
    let refused = |arguments: &[&str], parts: &[&str]| {
        let message = bench.refused(&[&["field", "slope.toml"], arguments].concat());
        parts.iter().for_each(|part| assert!(message.contains(part), "{message}"));
    };
    refused(&["--body", "slop"], &["no such body", "did you mean `slope`?"]);
    refused(&["--body", "slope", "--bake", "16"], &["several places", "--face"]);
    refused(&["--body", "stone", "--bake", "16"], &["hull has no texture coordinates"]);
    refused(&["--body", "stone", "--uv"], &["no texture coordinates"]);
    refused(&["--body", "slope", "--set", "body.slope.structure=\"none\""], &["no structure"]);
    let texture = |file: &str| format!("body.slope.structure={{ field = \"texture\", file = \"{file}\" }}");
    bench.write("text.png", "no image");
    for (file, part) in [("missing.png", "cannot read"), ("text.png", "not a PNG image")] {
        refused(&["--body", "slope", "--set", &texture(file)], &[part, file, "body.slope.structure"]);
        let message = bench.refused(&["run", "slope.toml", "--set", &texture(file)]);
        assert!(message.contains(part), "{message}");
    }
    refused(
        &["--body", "stone", "--set", "body.stone.structure={ field = \"texture\", file = \"a.png\" }"],
        &["needs texture coordinates", "hull"],
    );
    refused(&["--body", "slope", "--set", "body.slope.structure=\"[1, 0, sin(4*q)]\""], &["`q`", "x, y, z, u, v, t"]);
    refused(&["--body", "slope", "--set", "body.slope.structure=\"[1, 0, sin(4*]\""], &["body.slope.structure"]);
}

#[test]
fn a_formula_without_a_value_stops_the_run_with_its_place() {
    let bench = Bench::new("field-nan");
    bench.write("slope.toml", SLOPE);
    let set = ["body.slope.structure=\"[1, 0, ln(x - 100)]\"", "body.ball.position=[0, 0.25, 0]"];
    let (_, aside) = bench.ends(3, &["run", "slope.toml", "--no-pictures", "--set", set[0], "--set", set[1]]);
    assert!(aside.contains("direction of a formula") && aside.contains("slope"), "{aside}");
    // Drawn, it is refused as well: a picture without lines would look like a field without directions.
    let message = bench.refused(&["field", "slope.toml", "--body", "slope", "--set", set[0], "--out", "drawn"]);
    assert!(message.contains("body slope: its structure has no value at [") && message.contains("NaN"), "{message}");
    assert!(!bench.path("drawn").exists());
}
