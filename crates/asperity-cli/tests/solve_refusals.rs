//! A solver that refuses a problem is a line of the results: other solvers and other files go on.

mod common;

use common::Bench;
use common::problem::{impulses, sliding, slip_rule, snapshot, text};
use serde_json::Value;

/// Solvers that do not take a slip rule; the others take every law.
const REFUSING: [&str; 8] = [
    "projected_gauss_seidel",
    "newton_fischer_burmeister",
    "newton_implicit",
    "admm",
    "staggered",
    "staggered_polar",
    "pivoting",
    "pivoting_boxes",
];

fn objects(json: &str) -> Vec<Value> {
    json.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn bench(name: &str) -> Bench {
    let bench = Bench::new(name);
    bench.write("rule.json", &snapshot(slip_rule(0.3), &[])).write("one.dat", &sliding(1));
    bench
}

#[test]
fn laws_that_a_solver_does_not_take_are_lines_of_the_comparison() {
    let bench = bench("refused-law");
    let found = objects(&bench.unsolved(&["solve", "rule.json", "one.dat", "--json", "--compare"]));
    let of = |file: &str| found.iter().filter(|o| o["file"] == file).cloned().collect::<Vec<_>>();
    let (rule, disk) = (of("rule.json"), of("one.dat"));
    assert_eq!(rule.len(), disk.len());
    for object in &rule {
        let (solver, status) = (object["solver"].as_str().unwrap(), object["status"].as_str().unwrap());
        if REFUSING.contains(&solver) {
            assert_eq!(status, format!("refused: contact 0: {solver} does not take a slip rule"));
            assert_eq!((&object["solved"], &object["iterations"]), (&false.into(), &0.into()));
            assert!(object["error"].is_null() && object["scaled_error"].is_null(), "{object}");
        } else {
            assert_eq!((status, &object["solved"]), ("solved", &true.into()), "{object}");
        }
    }
    // The file after it is solved by all: by some for boxes or polygons, but none refuses disks.
    assert!(disk.iter().all(|o| o["error"].is_f64()), "{disk:?}");
}

#[test]
fn an_island_that_is_too_large_for_pivoting_is_refused_alone() {
    let bench = bench("refused-size");
    // All contacts act on each other: 1 + 8 + 1 rows each.
    let q: Vec<f64> = (0..603).map(|k| [-1.0, 2.0, 0.0][k % 3]).collect();
    bench.write("large.dat", &text(201, &q, 1e-4));
    let files = ["solve", "large.dat", "one.dat", "--solver", "pivoting,prox_gauss_seidel"];
    let table = bench.unsolved(&[&files[..], &["--csv", "x.csv"]].concat());
    let lines: Vec<&str> = table.lines().collect();
    let reason =
        "refused: pivoting does not take an island with 2010 complementarity rows: its setting `rows` allows 2000";
    assert!(lines[1].starts_with("large.dat") && lines[1].ends_with(reason), "{table}");
    assert!(
        lines[2].contains("prox_gauss_seidel  solved") && lines[3].contains("pivoting           solved"),
        "{table}"
    );
    assert!(table.contains("pivoting: 1 of 2 solved") && table.contains(" ms, 1 refused, the fastest on "), "{table}");
    let csv = String::from_utf8(bench.read("x.csv")).unwrap();
    let refused: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(refused[..8], ["large.dat", "pivoting", "201", "1", "false", "", "", "0"]);
    assert_eq!(refused[9], reason);
}

#[test]
fn what_is_refused_has_no_impulses_and_the_rest_has() {
    let bench = bench("refused-solutions");
    let arguments = ["solve", "rule.json", "one.dat", "--solver", "admm", "--quiet", "--solutions", "r"];
    assert_eq!(bench.unsolved(&arguments), "");
    assert!(bench.path("r/one.dat.r.csv").exists() && !bench.path("r/rule.json.r.csv").exists());
    // With several solvers those of the ones that take it: one half of 0.3 of each surface.
    bench.unsolved(&["solve", "rule.json", "--solver", "admm,auto", "--quiet", "--solutions", "r"]);
    let r = impulses(&bench, "r/rule.json.r.csv");
    assert_eq!(r.len(), 3);
    r.iter().zip([1.0, -0.3, 0.0]).for_each(|(found, expected)| common::near(*found, expected, 1e-7));
}
