//! Signals: a run stops at the end of a step, keeps its checkpoint and goes on to the same bytes.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::Bench;

/// A ball that falls in many short steps; the variant in fewer.
const LONG: &str = r#"
title = "A ball falls"
[time]
dt = 1e-4
end = 4
[body.ball]
shape = { kind = "sphere", radius = 0.1 }
[output]
fps = 100
[variant.short]
time.end = 0.01
"#;

fn start(bench: &Bench, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asperity"));
    command.args(arguments).current_dir(bench.path("")).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "{name}");
}

/// Waits for a file of the run.
fn wait_for(bench: &Bench, file: &str) {
    let began = Instant::now();
    while !bench.path(file).exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "{file} does not appear");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The exit status and standard error.
fn end(mut child: Child) -> (Option<i32>, String) {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    (child.wait().unwrap().code(), text)
}

#[test]
fn signals_stop_a_run_that_can_be_resumed_to_the_same_bytes() {
    let bench = Bench::new("stop-run");
    bench.write("long.toml", LONG);
    bench.ok(&["run", "long.toml", "--no-pictures", "--out", "whole"]);
    for (name, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        // A checkpoint at each step shows when the run has begun, and makes it slow enough to be stopped.
        let child = start(&bench, &["run", "long.toml", "--no-pictures", "--out", name, "--checkpoint", "0"]);
        wait_for(&bench, &format!("{name}/checkpoint.json"));
        signal(&child, name);
        let (code, said) = end(child);
        assert_eq!(code, Some(status), "{said}");
        assert!(said.contains(&format!("--out {name} --checkpoint 0 --resume")), "{said}");
        assert!(
            bench.path(&format!("{name}/checkpoint.json")).exists()
                && !bench.path(&format!("{name}/summary.json")).exists()
        );
        bench.ok(&["run", "long.toml", "--no-pictures", "--out", name, "--resume"]);
        assert!(bench.read(&format!("{name}/trajectory.csv")) == bench.read("whole/trajectory.csv"), "{name}");
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    let bench = Bench::new("stop-twice");
    bench.write("long.toml", LONG);
    let child = start(&bench, &["run", "long.toml", "--no-pictures", "--out", "out", "--checkpoint", "0"]);
    wait_for(&bench, "out/checkpoint.json");
    // Both are there when it wakes up.
    for name in ["STOP", "INT", "TERM", "CONT"] {
        signal(&child, name);
    }
    let (code, said) = end(child);
    assert!(matches!(code, Some(130 | 143)), "{code:?}: {said}");
    assert_eq!(said, "", "nothing is said any more");
}

#[test]
fn a_signal_ends_a_list_of_runs() {
    let bench = Bench::new("stop-list");
    bench.write("long.toml", &LONG.replace("end = 4", "end = 0.01").replace("time.end = 0.01", "time.end = 4"));
    let arguments = ["run", "long.toml", "--variant", "all", "--no-pictures", "--out", "all", "--checkpoint", "0"];
    let child = start(&bench, &arguments);
    wait_for(&bench, "all/short/checkpoint.json");
    signal(&child, "TERM");
    let (code, said) = end(child);
    assert_eq!(code, Some(143), "{said}");
    assert!(said.contains("long[short]: stopped") && said.contains("1 of 2 runs were done"), "{said}");
    assert!(bench.path("all/default/summary.json").exists() && bench.path("all/short/checkpoint.json").exists());
    // The first is finished, the second is not: only that goes on.
    let again = ["run", "long.toml", "--variant", "all", "--no-pictures", "--out", "all", "--resume"];
    let before = bench.read("all/default/summary.json");
    let text = bench.ok(&again);
    assert!(text.contains("long: was finished before") && text.contains("long[short]: 40000 steps"), "{text}");
    assert!(bench.read("all/default/summary.json") == before, "the seconds of the first run are still those");
    bench.ok(&["run", "long.toml", "--variant", "short", "--no-pictures", "--out", "whole"]);
    assert!(bench.read("all/short/trajectory.csv") == bench.read("whole/trajectory.csv"));
    let text = bench.ok(&again);
    assert!(text.contains("long[short]: was finished before") && !text.contains("steps"), "{text}");
}

#[test]
fn a_signal_ends_a_comparison_with_what_was_done() {
    let bench = Bench::new("stop-bench");
    bench
        .write("short.toml", &LONG.replace("end = 4", "end = 0.01"))
        .write("long.toml", &LONG.replace("end = 4", "end = 4000"));
    let arguments =
        ["bench", "short.toml", "long.toml", "--solvers", "newton", "--json", "--limit", "600", "--out", "tables"];
    let mut child = start(&bench, &arguments);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..2 {
        let line = lines.next().unwrap().unwrap();
        assert!(line.contains("short"), "{line}");
    }
    signal(&child, "INT");
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    let table = String::from_utf8(bench.read("tables/bench.csv")).unwrap();
    assert!(table.contains("short") && !table.contains("\"long\""), "{table}");
}
