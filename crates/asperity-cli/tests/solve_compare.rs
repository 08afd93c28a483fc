//! `asperity solve` with several solvers: which, how often, and the performance profile.

mod common;

use asperity_solve::solver::SOLVERS;
use common::Bench;
use common::problem::{sliding, text};
use serde_json::Value;

fn solvers(json: &str) -> Vec<String> {
    let solver = |line: &str| serde_json::from_str::<Value>(line).unwrap()["solver"].as_str().unwrap().to_owned();
    json.lines().map(solver).collect()
}

fn bench(name: &str) -> Bench {
    let bench = Bench::new(name);
    bench.write("one.dat", &sliding(1)).write("two.dat", &sliding(2));
    bench
}

#[test]
fn solvers_are_those_asked_for_each_once() {
    let bench = bench("solve-several");
    let asked = |flags: &[&str]| solvers(&bench.ok(&[&["solve", "--json", "one.dat"], flags].concat()));
    assert_eq!(asked(&["--solver", "newton,auto"]), ["newton", "auto"]);
    assert_eq!(asked(&["--solver", "newton", "--solver", "auto,newton"]), ["newton", "auto"]);
    assert_eq!(asked(&["--compare"]), SOLVERS.iter().map(|s| s.name).collect::<Vec<_>>());
    let message = bench.refused(&["solve", "one.dat", "--solver", "auto,newtn"]);
    assert!(message.contains("did you mean `newton`?"), "{message}");
    let message = bench.refused(&["solve", "one.dat", "--solver", "auto", "--compare"]);
    assert!(message.contains("--compare"), "{message}");
}

#[test]
fn replaced_laws_are_no_solution() {
    let bench = Bench::new("solve-replaced");
    // Slip between the axes: there boxes and polygons resist otherwise than the disk. Along them they do not.
    bench.write("oblique.dat", &text(1, &[-1.0, 2.0, 1.0], 0.0));
    for line in bench.unsolved(&["solve", "--json", "oblique.dat", "--compare"]).lines() {
        let object: Value = serde_json::from_str(line).unwrap();
        let replaces =
            ["projected_gauss_seidel", "pivoting", "pivoting_boxes"].map(Value::from).contains(&object["solver"]);
        let expected = if replaces { "approximated laws" } else { "solved" };
        assert_eq!((&object["status"], &object["solved"]), (&expected.into(), &(!replaces).into()), "{object}");
    }
}

#[test]
fn the_summary_says_who_was_the_fastest() {
    let bench = bench("solve-fastest");
    let text = bench.ok(&["solve", "one.dat", "two.dat", "--solver", "auto,newton"]);
    let count = |name: &str| -> u32 {
        let line = text.lines().find(|l| l.starts_with(&format!("{name}: 2 of 2 solved, "))).expect(&text);
        line.split_once("the fastest on ").expect(line).1.parse().unwrap()
    };
    // Both only in a tie.
    assert!((2..=4).contains(&(count("auto") + count("newton"))), "{text}");
    assert!(!bench.ok(&["solve", "one.dat"]).contains("fastest"));
}

#[test]
fn a_profile_is_drawn_with_a_line_a_solver() {
    let bench = bench("solve-profile");
    let flags = ["solve", "one.dat", "two.dat", "--compare", "--repeat", "3", "--profile", "deep/p.svg,p.png"];
    bench.ok(&flags);
    let svg = String::from_utf8(bench.read("deep/p.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("Performance profile: 2 problems"), "{svg}");
    for solver in SOLVERS {
        assert!(svg.contains(&format!(">{} (2 of 2)<", solver.name)), "{}: {svg}", solver.name);
    }
    assert!(svg.contains("the shortest of 3 times"), "{svg}");
    assert!(bench.read("p.png").starts_with(b"\x89PNG"));
}

#[test]
fn a_profile_that_cannot_be_drawn_is_refused_before_anything_is_solved() {
    let bench = bench("solve-no-profile");
    for flags in [&[][..], &["--solver", "newton"], &["--solver", "newton,newton"]] {
        let message = bench.refused(&[&["solve", "one.dat", "--profile", "p.svg"], flags].concat());
        assert!(message.contains("--profile") && message.contains("--compare"), "{message}");
    }
    let message = bench.refused(&["solve", "one.dat", "--compare", "--profile", "p.pdf"]);
    assert!(message.contains("p.pdf") && message.contains(".svg"), "{message}");
    let message = bench.refused(&["solve", "one.dat", "--compare", "--profile", "x.svg", "--csv", "x.svg"]);
    assert!(message.contains("x.svg") && message.contains("twice"), "{message}");
}

#[test]
fn repeating_gives_one_result_a_solve() {
    let bench = bench("solve-repeat");
    assert_eq!(solvers(&bench.ok(&["solve", "--json", "one.dat", "--repeat", "4"])), ["auto"]);
    for bad in ["0", "-1", "many"] {
        let message = bench.refused(&["solve", "one.dat", &format!("--repeat={bad}")]);
        assert!(message.contains("--repeat"), "{message}");
    }
}

#[test]
fn quiet_keeps_results_for_programs() {
    let bench = bench("solve-quiet");
    assert_eq!(bench.ok(&["solve", "one.dat", "--quiet", "--csv", "x.csv"]), "");
    assert!(String::from_utf8(bench.read("x.csv")).unwrap().starts_with("file,"));
    assert_eq!(bench.ok(&["solve", "one.dat", "-q", "--json"]).lines().count(), 1);
    assert_eq!(bench.ok(&["solve", "one.dat", "-q", "--csv", "-"]).lines().count(), 2);
}

#[test]
fn the_help_names_every_solver_field_and_status() {
    let bench = Bench::new("solve-help");
    let help = bench.ok(&["solve", "--help"]);
    let fields = ["islands", "scaled_error", "iterations", "seconds", "status"];
    for part in
        SOLVERS.iter().map(|s| s.name).chain(fields).chain(["--profile", "Exit status: 0", "Siconos text", "FCLIB"])
    {
        assert!(help.contains(part), "{part} is not in: {help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}
