//! `asperity solve`: results, files and exit status, on problems with closed forms and on those of the field if they are there.

mod common;

use std::path::Path;
use std::process::Command;

use common::problem::{impulses, sliding, text};
use common::{Bench, near};
use serde_json::Value;

/// Runs the program; answers with exit status, standard output and standard error.
fn run(bench: &Bench, arguments: &[&str]) -> (Option<i32>, String, String) {
    let program = env!("CARGO_BIN_EXE_asperity");
    let output = Command::new(program).args(arguments).current_dir(bench.path("")).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
}

#[test]
fn json_has_an_object_a_line_and_solve() {
    let bench = Bench::new("solve-json");
    bench.write("one.dat", &sliding(1)).write("two.dat", &sliding(2));
    let found = objects(&bench.ok(&["solve", "--json", "one.dat", "./two.dat"]));
    assert_eq!(found.len(), 2);
    for (object, (file, contacts)) in found.iter().zip([("one.dat", 1), ("./two.dat", 2)]) {
        assert_eq!(object["file"], file);
        assert_eq!((&object["solver"], &object["status"]), (&"auto".into(), &"solved".into()));
        assert_eq!((&object["contacts"], &object["islands"]), (&contacts.into(), &contacts.into()));
        assert_eq!(object["solved"], true);
        assert!(object["error"].as_f64().unwrap() <= 1e-8 && object["scaled_error"].as_f64().unwrap() <= 1e-8);
        assert!(object["iterations"].is_u64() && object["seconds"].as_f64().unwrap() >= 0.0, "{object}");
    }
}

#[test]
fn solutions_are_written_a_line_for_each_row() {
    let bench = Bench::new("solve-solutions");
    bench.write("two.dat", &sliding(2));
    for extra in [&["--solver", "newton"][..], &["--solver", "auto,newton"]] {
        bench.ok(&[&["solve", "two.dat", "--solutions", "deep/r"], extra].concat());
        let text = String::from_utf8(bench.read("deep/r/two.dat.r.csv")).unwrap();
        let rows: Vec<&str> = text.lines().map(|line| line.rsplit_once(',').unwrap().0).collect();
        assert_eq!(rows, ["id,row", "0,n", "0,t", "0,b", "1,n", "1,t", "1,b"]);
        let r = impulses(&bench, "deep/r/two.dat.r.csv");
        for (found, expected) in r.iter().zip([1.0, -0.3, 0.0].repeat(2)) {
            near(*found, expected, 1e-7);
        }
    }
}

#[test]
fn the_table_has_a_line_a_solve() {
    let bench = Bench::new("solve-table");
    bench.write("one.dat", &sliding(1)).write("a longer name.dat", &sliding(3));
    let solvers = "auto,prox_gauss_seidel,newton,proximal";
    let text = bench.ok(&["solve", "one.dat", "a longer name.dat", "--solver", solvers]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("file") && lines[0].ends_with("ms"), "{text}");
    assert!(lines[..9].iter().all(|l| l.chars().count() == lines[0].chars().count()), "not aligned: {text}");
    assert!(lines[1..9].iter().all(|l| l.contains("solved")), "{text}");
    assert!(text.contains("newton: 2 of 2 solved"), "{text}");
}

#[test]
fn csv_goes_to_a_file_or_to_standard_output() {
    let bench = Bench::new("solve-csv");
    bench.write("one.dat", &sliding(1));
    assert!(bench.ok(&["solve", "one.dat", "--csv", "results.csv"]).starts_with("file"));
    let text = String::from_utf8(bench.read("results.csv")).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(',').collect()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].len(), lines[1].len());
    assert_eq!(lines[1][..5], ["one.dat", "auto", "1", "1", "true"]);
    assert!(bench.ok(&["solve", "one.dat", "--csv", "-"]).starts_with(&lines[0].join(",")));
    assert!(bench.refused(&["solve", "one.dat", "--csv", "-", "--json"]).contains("--csv"));
}

#[test]
fn what_is_not_solved_is_said_with_status_1_and_its_best_iterate() {
    let bench = Bench::new("solve-not");
    // No error but zero is that small, no time is enough for it, and no double is the solution.
    bench.write("coupled.dat", &text(2, &[-1.1, 2.3, 0.7, -0.9, 0.1, 1.7], 0.13));
    let arguments = ["solve", "coupled.dat", "--json", "--tol", "1e-300", "--max-time", "0", "--solutions", "r"];
    let (status, out, aside) = run(&bench, &arguments);
    assert_eq!(status, Some(1), "{out}{aside}");
    assert!(aside.contains("1 of 1"), "{aside}");
    let object = &objects(&out)[0];
    assert_eq!(object["solved"], false);
    assert_ne!(object["status"], "solved");
    assert!(object["error"].as_f64().unwrap() > 0.0);
    assert_eq!(impulses(&bench, "r/coupled.dat.r.csv").len(), 6);
}

#[test]
fn bad_files_are_all_named_with_the_place_before_anything_is_solved() {
    let bench = Bench::new("solve-bad");
    let good = sliding(2);
    bench.write("good.dat", &good).write("cut.dat", &good[..good.len() / 2]).write("none.dat", "3 one");
    let message = bench.refused(&["solve", "cut.dat", "--solutions", "r", "--csv", "x.csv"]);
    assert!(message.starts_with("error: cut.dat: line "), "{message}");
    let message = bench.refused(&["solve", "none.dat", "good.dat", "cut.dat", "gone.dat", "--json"]);
    for part in ["3 files", "none.dat: line 1, column 3", "cut.dat: line ", "gone.dat: "] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!message.contains("good.dat"), "{message}");
}

#[test]
fn bad_flags_are_refused() {
    let bench = Bench::new("solve-flags");
    bench.write("one.dat", &sliding(1));
    let message = bench.refused(&["solve", "one.dat", "--solver", "newtn"]);
    assert!(message.contains("did you mean `newton`?"), "{message}");
    let message = bench.refused(&["solve", "one.dat", "--solver", "prox-gauss-seidel"]);
    assert!(message.contains("did you mean `prox_gauss_seidel`?"), "{message}");
    for flags in [["--tol", "0"], ["--tol", "nan"], ["--max-time", "-1"], ["--max-time", "soon"]] {
        let flag = format!("{}={}", flags[0], flags[1]);
        let message = bench.refused(&["solve", "one.dat", &flag]);
        assert!(message.contains(flags[0]) && message.contains("expected"), "{message}");
    }
    let message = bench.refused(&["solve", "one.dat", "./one.dat", "--solutions", "r"]);
    assert!(message.contains("one.dat.r.csv"), "{message}");
    bench.refused(&["solve"]);
}

/// Problems recorded by users of Siconos and LMGC90 lie beside the repository, for those who have them.
#[test]
fn problems_of_the_field_are_solved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference/contact-problems");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("not there: {}", folder.display());
        return;
    };
    let mut files: Vec<String> = entries.map(|e| e.unwrap().path().into_os_string().into_string().unwrap()).collect();
    files.retain(|f| f.ends_with(".dat") || f.ends_with(".hdf5"));
    files.sort();
    let mut arguments = vec!["solve", "--json", "--max-time", "60"];
    arguments.extend(files.iter().map(String::as_str));
    let (status, out, aside) = run(&Bench::new("solve-field"), &arguments);
    let found = objects(&out);
    assert_eq!(found.len(), files.len());
    let failed: Vec<&Value> = found.iter().filter(|o| o["solved"] != true).collect();
    assert!(status == Some(0) && failed.is_empty(), "{aside}{failed:#?}");
}
