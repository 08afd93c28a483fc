//! `asperity bench`: tables, files, refusals.

mod common;

use common::Bench;
use serde_json::Value;

/// A slab on a slope of 45°, friction 0.2 along the grain and 1 across it, the grain askew.
const SLOPE: &str = r#"
title = "A slab slides"
[world]
gravity = [6.9367, -6.9367, 0]
[time]
dt = 0.01
end = 0.3
[pair_default]
law = { kind = "matchstick", mu = 0.5, mu_t = 0.2, mu_b = 1.0 }
[body.floor]
shape = { kind = "half_space", normal = [0, 1, 0] }
motion = "static"
structure = [1, 0, 1]
[body.slab]
shape = { kind = "box", size = [0.2, 0.02, 0.2] }
position = [0, 0.01, 0]
structure = [1, 0, 1]
[expect.moves]
measure = "displacement"
body = "slab"
along = [1, 0, 0]
min = 0.05
"#;

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn every_solver_comes_to_the_same_place_and_facets_come_near() {
    let bench = Bench::new("bench-solvers");
    bench.write("slope.toml", SLOPE);
    let text =
        bench.ok(&["bench", "slope.toml", "--solvers", "prox_gauss_seidel,newton,proximal,pivoting:16", "--json"]);
    let rows = rows(&text);
    assert_eq!(rows[0]["solver"], "auto");
    assert!(rows[0]["distance"].is_null());
    // The exact ones, to the tolerance of their steps, 1e-8, summed over 30 steps; those with polygons, to π/16 of the set's larger axis.
    for (row, bound) in rows[1..].iter().zip([1e-6, 1e-6, 1e-6, 0.2]) {
        assert!(row["distance"].as_f64().unwrap() < bound, "{row}");
        assert_eq!((&row["held"], &row["expected"]), (&Value::from(1), &Value::from(1)), "{row}");
        assert!(row["along"].as_f64().unwrap() <= row["distance"].as_f64().unwrap(), "{row}");
    }
}

#[test]
fn facets_converge_and_are_drawn() {
    let bench = Bench::new("bench-facets");
    bench.write("slope.toml", SLOPE);
    bench.ok(&["bench", "slope.toml", "--facets", "8,128", "--out", "out", "--quiet"]);
    let table = String::from_utf8(bench.read("out/bench.csv")).unwrap();
    let column = |line: &str, k: usize| line.split(',').nth(k).unwrap().parse::<f64>().unwrap();
    let lines: Vec<&str> = table.lines().skip(2).collect();
    // 16 times the facets: of first order, with a corner that may be near or far.
    assert!(column(lines[1], 2) < 0.3 * column(lines[0], 2), "{table}");
    assert!(String::from_utf8(bench.read("out/facets.svg")).unwrap().contains("1/n"));
    assert!(String::from_utf8(bench.read("out/bench.md")).unwrap().contains("| slope | 1/1 |"));
}

#[test]
fn a_solver_that_fails_is_named_with_the_reason() {
    let bench = Bench::new("bench-fails");
    bench.write(
        "slope.toml",
        &SLOPE.replace("0.2, mu_b = 1.0", "0.2, mu_b = 1.0, spin = { isotropic = 0.01, parallel = 0.01 }"),
    );
    let text = bench.ok(&["bench", "slope.toml", "--solvers", "pivoting:8"]);
    assert!(text.contains("stopped") && text.contains("a set with spin"), "{text}");
}

#[test]
fn a_reference_that_fails_does_not_take_the_other_scenes_with_it() {
    let bench = Bench::new("bench-reference");
    bench.write("slope.toml", SLOPE);
    bench.write(
        "broken.toml",
        &SLOPE.replace("structure = [1, 0, 1]\n[body.slab]", "structure = \"[1, 0, ln(-1)]\"\n[body.slab]"),
    );
    let arguments = ["bench", "broken.toml", "slope.toml", "--solvers", "newton", "--out", "out"];
    let (text, aside) = bench.ends(3, &arguments);
    assert!(aside.contains("broken: the reference, auto, stopped at t = 0 s") && aside.contains("NaN"), "{aside}");
    assert!(text.contains("| slope | 1/1 |") && !text.contains("broken"), "{text}");
    assert!(bench.path("out/bench.md").exists());
}

#[test]
fn a_solver_as_a_key_and_a_file_as_the_folder_are_refused_before_anything_runs() {
    let bench = Bench::new("bench-refused");
    bench.write("slope.toml", SLOPE);
    bench.write("taken", "a file");
    let (_, aside) = bench.ends(2, &["bench", "slope.toml", "--set", "solver.kind=\"newton\""]);
    assert!(aside.contains("--set solver.kind") && aside.contains("--solvers"), "{aside}");
    let (_, aside) = bench.ends(2, &["bench", "slope.toml", "--out", "taken"]);
    assert!(aside.contains("taken") && aside.contains("not a folder"), "{aside}");
}

#[test]
fn a_solver_may_be_named_with_its_stepper() {
    let bench = Bench::new("bench-pairs");
    bench.write("slope.toml", SLOPE);
    let text =
        bench.ok(&["bench", "slope.toml", "--solvers", "impulse/auto,impulse/pivoting:8", "--solvers", "proximal"]);
    assert!(text.contains("| scene | auto | impulse/auto | impulse/pivoting:8 | proximal |"), "{text}");
    // The default stepper and solver, by name: the run of the reference again.
    assert!(text.contains("| slope | 1/1 | 0e0 | "), "{text}");
}
