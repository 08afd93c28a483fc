//! What `asperity solve` takes for FILE: both formats, folders, and patterns that the shell left alone.

mod common;

use std::fs;
use std::path::Path;

use common::problem::{impulses, sliding, snapshot};
use common::{Bench, near};
use serde_json::Value;

/// `fclib_local.hdf5` and `fclib_global.hdf5`, written by the HDF5 library.
fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../asperity-solve/tests/fixtures");
    fs::read(folder.join(name)).unwrap()
}

fn files(json: &str) -> Vec<String> {
    let file = |line: &str| serde_json::from_str::<Value>(line).unwrap()["file"].as_str().unwrap().to_owned();
    json.lines().map(file).collect()
}

#[test]
fn fclib_files_local_and_global_are_solved() {
    let bench = Bench::new("solve-fclib");
    // The name says nothing.
    fs::write(bench.path("local.dat"), fixture("fclib_local.hdf5")).unwrap();
    fs::write(bench.path("global"), fixture("fclib_global.hdf5")).unwrap();
    bench.ok(&["solve", "local.dat", "global", "--solutions", "r"]);
    // W = [[4, 1, 0], [1, 5, 0], [0.5, 0, 6]], q = (-1, 0.25, 0): W r = -q is within the cone of mu = 0.7, so it sticks.
    let normal = 5.25 / 19.0;
    for (found, expected) in
        impulses(&bench, "r/local.dat.r.csv").into_iter().zip([normal, -2.0 / 19.0, -normal / 12.0])
    {
        near(found, expected, 1e-8);
    }
    // M = diag(2, 3), the normal acts on the first: q_N = 0.5/2 + 0.1 separates.
    assert_eq!(impulses(&bench, "r/global.r.csv"), [0.0; 3]);
}

#[test]
fn a_snapshot_starts_from_its_impulses() {
    let bench = Bench::new("solve-start");
    let disk = || asperity_friction::set::Disk::new(0.3).unwrap().into();
    // The solution itself, where no solver has anything left to do, and none.
    bench.write("warm.json", &snapshot(disk(), &[1.0, -0.3, 0.0])).write("cold.json", &snapshot(disk(), &[]));
    let json = bench.ok(&["solve", "warm.json", "cold.json", "--json", "--solver", "auto,newton,admm,pivoting"]);
    for line in json.lines() {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["iterations"] == 0, object["file"] == "warm.json", "{object}");
    }
    bench.write("short.json", &snapshot(disk(), &[1.0, -0.3, 0.0]).replace("[1.0,-0.3,0.0]", "[1.0,-0.3]"));
    let message = bench.refused(&["solve", "cold.json", "short.json"]);
    assert!(message.contains("short.json: the start has 2 impulses for 3 rows"), "{message}");
}

#[test]
fn a_folder_stands_for_its_problems() {
    let bench = Bench::new("solve-folder");
    fs::create_dir_all(bench.path("set/deeper.dat")).unwrap();
    for name in ["set/b.dat", "set/a.hdf5.dat", "set/c.H5", "set/d.json", "one.dat", "set/deeper.dat/x.dat"] {
        bench.write(name, &sliding(1));
    }
    bench.write("set/README.md", "not a problem").write("set/results.csv", "nor this");
    let found = files(&bench.ok(&["solve", "--json", "set", "one.dat"]));
    assert_eq!(found, ["set/a.hdf5.dat", "set/b.dat", "set/c.H5", "set/d.json", "one.dat"]);
    bench.ok(&["solve", "set", "--solutions", "r"]);
    assert_eq!(fs::read_dir(bench.path("r")).unwrap().count(), 4);
    // All files of folders are checked for names that clash, too.
    bench.write("b.dat", &sliding(1));
    assert!(bench.refused(&["solve", "set", "b.dat", "--solutions", "x"]).contains("b.dat.r.csv"));
}

#[test]
fn what_holds_no_problem_is_refused_with_the_reason() {
    let bench = Bench::new("solve-no-problem");
    fs::create_dir(bench.path("empty")).unwrap();
    bench.write("empty/notes.txt", "nothing");
    let message = bench.refused(&["solve", "empty"]);
    assert!(message.contains("empty: a folder without problems") && message.contains(".hdf5"), "{message}");
    let message = bench.refused(&["solve", "*.dat", "gone.dat"]);
    assert!(message.contains("2 files") && message.contains("*.dat: ") && message.contains("the shell"), "{message}");
    let message = bench.refused(&["solve", "gone.dat"]);
    assert!(message.starts_with("error: gone.dat: ") && !message.contains("shell"), "{message}");
}

#[test]
fn the_examples_do_what_mechanics_says() {
    let bench = Bench::new("solve-examples");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/problems");
    bench.ok(&["solve", folder.to_str().unwrap(), "--solutions", "r"]);
    // 1 kg arrives with 1 m/s and slides with 2 m/s; friction takes away 0.5 times as much.
    assert_eq!(impulses(&bench, "r/sliding.dat.r.csv"), [1.0, -0.5, 0.0]);
    // 1 kg with 0.2 m/s along t is stopped. Which corner carries how much is open, the sums are not: nor is the moment
    // about b of the normal impulses, 0.5 m times the friction impulse, as the box does not turn.
    for name in ["r/box.dat.r.csv", "r/box.hdf5.r.csv"] {
        let r = impulses(&bench, name);
        let sum = |row: usize| -> f64 { r.iter().skip(row).step_by(3).sum() };
        near(sum(0), 1.0, 1e-7);
        near(sum(1), -0.2, 1e-7);
        near(sum(2), 0.0, 1e-7);
        near(0.5 * (r[6] + r[9] - r[0] - r[3]), 0.5 * 0.2, 1e-7);
    }
    // 2 kg that arrive with 1 m/s and spin about the normal: a torque impulse of 0.01 m times the load brakes the spin.
    for (found, expected) in impulses(&bench, "r/spinning.json.r.csv").into_iter().zip([2.0, 0.0, 0.0, -0.02]) {
        near(found, expected, 1e-7);
    }
}
