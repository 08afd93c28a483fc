//! `asperity material`: numbers, figures, maps, messages.

mod common;

use common::Bench;

#[test]
fn materials_are_listed() {
    let said = Bench::new("material-list").ok(&["material"]);
    for name in ["gaussian", "sawtooth", "threads", "plaster", "oak", "acrylic", "cut_pvc"] {
        assert!(said.contains(name), "{said}");
    }
}

#[test]
fn a_sawtooth_has_the_coefficients_of_its_closed_form() {
    let bench = Bench::new("material-sawtooth");
    let said = bench.ok(&[
        "material",
        "sawtooth",
        "--set",
        "period=0.004",
        "--set",
        "height=0.001",
        "--set",
        "rise=0.75",
        "--mu0",
        "0.1",
    ]);
    // 0.1 + (2/π)/4 = 0.2592 across the ridges, 0.1 along them, and a quarter of a millimetre of roughness.
    assert!(said.contains("     0 degrees   0.2592\n") && said.contains("   180 degrees   0.2592\n"), "{said}");
    assert!(said.contains("    90 degrees   0.1000\n") && said.contains("Ra     0.25"), "{said}");
    assert!(bench.read("out/sawtooth.svg").starts_with(b"<svg"));
}

/// Without --mu0 smooth surfaces have 0.2, which is said: the closed form of the ridges is 0.2 + (2/π)/4 = 0.3592 across, 0.2 along.
#[test]
fn smooth_surfaces_rub_unless_told_otherwise() {
    let bench = Bench::new("material-mu0");
    let said = bench.ok(&["material", "sawtooth", "--set", "period=0.004", "--set", "height=0.001"]);
    assert!(said.contains("smooth surfaces  0.2 (mu0"), "{said}");
    assert!(said.contains("     0 degrees   0.3592\n") && said.contains("    90 degrees   0.2000\n"), "{said}");
    assert!(said.ends_with("wrote out/sawtooth.svg\n"), "{said}");
}

#[test]
fn maps_are_written_and_read_again() {
    let bench = Bench::new("material-maps");
    let first = bench.ok(&["material", "oak", "--maps", "m/oak", "--out", "m/a.png", "--on", "plaster"]);
    assert!(first.contains("m/oak-normal.png") && first.contains("m/oak-height.png"), "{first}");
    assert!(bench.read("m/a.png").starts_with(b"\x89PNG"));
    let made = bench.ok(&["material", "oak", "--out", "m/made.svg"]);
    let read = bench.ok(&["material", "m/oak-normal.png", "--size", "0.064", "--out", "m/read.svg"]);
    let coefficients = |said: &str| {
        let values: Vec<f64> = said
            .lines()
            .filter(|l| l.contains("degrees   0"))
            .filter_map(|l| l.split_whitespace().last()?.parse().ok())
            .collect();
        assert_eq!(values.len(), 8, "{said}");
        values
    };
    for (a, b) in coefficients(&made).iter().zip(coefficients(&read)) {
        assert!((a - b).abs() < 2e-4, "{made}\n{read}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let bench = Bench::new("material-wrong");
    for (arguments, expected) in [
        (&["material", "oka"][..], "did you mean"),
        (&["material", "oak", "--set", "roughness=1"], "oak has no roughness"),
        (&["material", "oak", "--set", "ra"], "expected KEY=VALUE"),
        (&["material", "oak", "--set", "ra=-1"], "ra = -1"),
        (&["material", "oak", "--set", "ra=\"x\""], "material oak"),
        (&["material", "oak", "--height", "1"], "--height"),
        (&["material", "none.png"], "cannot read 'none.png'"),
        (&["material", "oak", "--out", "oak.jpg"], ".svg"),
        (&["material", "oak", "--mu0=-1"], "mu0"),
    ] {
        let said = bench.refused(arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn scenes_say_what_is_wrong_with_their_maps() {
    let bench = Bench::new("material-scenes");
    bench.ok(&["material", "oak", "--maps", "oak", "--out", "oak.svg"]);
    let scene = |facets: &str, shape: &str| {
        format!(
            "title = \"x\"\n[time]\ndt = 0.01\nend = 0.1\n[pair_default]\nlaw = {{ kind = \"facets\", mu0 = 0.1 }}\n\
             [body.plane]\nshape = {{ kind = \"half_space\" }}\nmotion = \"static\"\n\
             [body.slab]\nshape = {{ {shape} }}\nposition = [0, 0.05, 0]\n{facets}\n"
        )
    };
    let cube = "kind = \"box\", size = [0.1, 0.1, 0.1]";
    let hull = "kind = \"hull\", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    for good in [
        "normal_map = { file = \"oak-normal.png\", size = 0.064 }",
        "height_map = { file = \"oak-height.png\", height = 0.001, tiles = [2, 3], mask = \"edges\" }",
        "relief = { material = \"gaussian\", ra = 1e-4, mask = \"oak-height.png\" }",
        "relief = \"none\"",
    ] {
        bench.write("good.toml", &scene(good, cube));
        bench.ok(&["check", "good.toml"]);
    }
    for (bad, shape, expected) in [
        ("normal_map = { file = \"oak-height.png\" }", cube, "is a grey image"),
        ("height_map = { file = \"oak-normal.png\", height = 1 }", cube, "is an image in colour"),
        ("normal_map = { file = \"no.png\" }", cube, "cannot read"),
        ("normal_map = { file = \"oak-normal.png\", tiles = 2, size = 1 }", cube, "excludes"),
        ("relief = { material = \"oak\" }\nnormal_map = { file = \"oak-normal.png\" }", cube, "excludes"),
        ("relief = { material = \"sawtooth\", rise = 1.0 }", cube, "rise = 1"),
        ("relief = { material = \"oak\", pitch = 1 }", cube, "unknown key"),
        ("relief = { material = \"oak\" }", hull, "needs texture coordinates"),
    ] {
        bench.write("bad.toml", &scene(bad, shape));
        let said = bench.refused(&["check", "bad.toml"]);
        assert!(said.contains(expected), "{bad}: {said}");
    }
}
