//! `asperity run` and `asperity check`: files, exit status, messages.

mod common;

use common::Bench;
use serde_json::Value;

/// A ball that falls for 0.2 s: 0.1962 m.
const FALL: &str = r#"
title = "A ball falls"
[time]
dt = 0.01
end = 0.2
[body.ball]
shape = { kind = "sphere", radius = 0.1 }
position = [0, 1, 0]
[expect.drop]
measure = "displacement"
body = "ball"
along = [0, -1, 0]
value = 0.1962
within = 1e-9
[variant.wrong]
expect.drop.value = 0.3
"#;

/// Boxes on the ground, the upper ones moving.
const STACK: &str = r#"
title = "Boxes"
[time]
dt = 0.01
end = 0.3
[body.ground]
shape = { kind = "half_space", normal = [0, 1, 0] }
motion = "static"
[body.lower]
shape = { kind = "box", size = [1, 1, 1] }
position = [0, 0.5, 0]
[body.upper]
shape = { kind = "box", size = [1, 1, 1] }
position = [0.2, 1.5, 0]
velocity = [1, 0, 0]
array = { count = [1, 6, 1], spacing = [1, 1, 1] }
"#;

#[test]
fn a_run_leaves_its_files_and_a_table() {
    let bench = Bench::new("run-files");
    bench.write("fall.toml", FALL);
    let text = bench.ok(&["run", "fall.toml"]);
    assert!(text.contains("20 steps") && text.contains("drop") && text.contains("ok"), "{text}");
    for name in
        ["trajectory.csv", "steps.csv", "steps.svg", "summary.json", "scene.glb", "filmstrip.png", "animation.gif"]
    {
        assert!(!bench.read(&format!("out/fall/{name}")).is_empty(), "{name}");
    }
    let table = String::from_utf8(bench.read("out/fall/trajectory.csv")).unwrap();
    assert_eq!(table.lines().next(), Some("t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"));
    let summary: Value = serde_json::from_slice(&bench.read("out/fall/summary.json")).unwrap();
    assert_eq!((&summary["pass"], &summary["totals"]["steps"]), (&Value::from(true), &Value::from(20)));
    assert!(!bench.path("out/fall/checkpoint.json").exists() && !bench.path("out/fall/run.log").exists());
}

#[test]
fn the_exit_status_says_how_it_went() {
    let bench = Bench::new("run-status");
    bench.write("fall.toml", FALL).write("stack.toml", STACK);
    let (text, aside) = bench.ends(1, &["run", "fall.toml", "--variant", "all", "--no-pictures"]);
    assert!(text.contains("MISSED") && aside.contains("1 of 2 runs") && aside.contains("fall[wrong]"), "{text}{aside}");
    assert!(bench.path("out/fall/wrong/summary.json").exists());
    let hasty = ["run", "stack.toml", "--solver", "prox_gauss_seidel", "--set", "solver.iterations=1", "--no-pictures"];
    let (_, aside) = bench.ends(3, &hasty);
    assert!(aside.contains("residual") && aside.contains("stack"), "{aside}");
    assert!(bench.path("out/stack/checkpoint.json").exists(), "the last good state stays");
    let (_, aside) = bench.ends(2, &["run", "fall.toml", "--set", "time.dtt=1"]);
    assert!(aside.contains("dtt") && aside.contains("dt"), "{aside}");
    let (_, aside) = bench.ends(2, &["run", "no_such_scene"]);
    assert!(aside.contains("no_such_scene"), "{aside}");
}

/// Two ropes that are too short together as soon as time goes on.
const TORN: &str = r#"
title = "Ropes that contradict each other in the first step"
[time]
dt = 0.01
end = 0.1
[body.ball]
shape = { kind = "sphere", radius = 0.1 }
[joint.upper]
kind = "distance"
a = "ball"
anchor_b = [0, 1, 0]
length = 1
[joint.lower]
kind = "distance"
a = "ball"
anchor_b = [0, -1, 0]
length = "1 - 5*t"
[expect.rest]
measure = "rest"
body = "ball"
max = 1
"#;

#[test]
fn a_run_that_fails_in_its_first_step_writes_nothing() {
    let bench = Bench::new("run-first-step");
    bench.write("torn.toml", TORN);
    let (_, aside) = bench.ends(3, &["run", "torn.toml"]);
    assert!(aside.contains("first step") && aside.contains("cannot be closed"), "{aside}");
    assert!(!bench.path("out/torn").exists());
    // Files of a run before stay.
    bench.ok(&["run", "torn.toml", "--set", "joint.lower.length=1"]);
    let before = bench.read("out/torn/summary.json");
    bench.ends(3, &["run", "torn.toml"]);
    assert_eq!(bench.read("out/torn/summary.json"), before);
    assert!(!bench.path("out/torn/checkpoint.json").exists() && !bench.path("out/torn/run.log").exists());
}

#[test]
fn threads_and_a_resume_change_no_byte() {
    let bench = Bench::new("run-bytes");
    bench.write("stack.toml", STACK);
    for (out, more) in [("a", "--threads=1"), ("b", "--threads=2"), ("c", "--checkpoint=0")] {
        bench.ok(&["run", "stack.toml", "--out", out, more, "--no-pictures"]);
    }
    // Stopped by a step that the solver cannot make, then resumed as if nothing had been: a checkpoint of another scene is refused.
    let hasty = [
        "run",
        "stack.toml",
        "--out",
        "d",
        "--no-pictures",
        "--solver",
        "prox_gauss_seidel",
        "--set",
        "solver.iterations=1",
    ];
    bench.ends(3, &hasty);
    let (_, aside) = bench.ends(2, &["run", "stack.toml", "--out", "d", "--resume", "--no-pictures"]);
    assert!(aside.contains("another scene"), "{aside}");
    let a = bench.read("a/trajectory.csv");
    assert!(a == bench.read("b/trajectory.csv") && a == bench.read("c/trajectory.csv"));
}

#[test]
fn check_reads_all_variants_and_writes_the_schema() {
    let bench = Bench::new("run-check");
    bench.write("fall.toml", FALL);
    let text = bench.ok(&["check", "fall.toml"]);
    assert!(text.contains("fall: 1 body,") && text.contains("fall[wrong]"), "{text}");
    bench.write("bad.toml", &FALL.replace("radius = 0.1", "radius = -1"));
    let (_, aside) = bench.ends(2, &["check", "bad.toml"]);
    assert!(aside.contains("bad.toml:7:") && aside.contains("radius") && aside.contains("-1"), "{aside}");
    let schema: Value = serde_json::from_str(&bench.ok(&["check", "--schema"])).unwrap();
    assert!(schema["$defs"].as_object().is_some_and(|groups| groups.len() > 5));
}

#[test]
fn contact_problems_can_be_dumped_and_solved_alone() {
    let bench = Bench::new("run-dump");
    bench.write("stack.toml", STACK);
    bench.ok(&["run", "stack.toml", "--dump", "problems", "--dump-every", "10", "--no-pictures", "--quiet"]);
    let text = bench.ok(&["solve", "problems"]);
    assert!(text.contains("stack-000010.json") && text.contains("3 of 3 solved"), "{text}");
}

#[test]
fn a_dumped_problem_names_its_contacts_as_the_table_of_contacts_does() {
    let bench = Bench::new("run-dump-ids");
    bench.write("stack.toml", STACK);
    bench.ok(&["run", "stack.toml", "--contacts", "--dump", "problems", "--no-pictures", "--quiet", "--out", "out"]);
    bench.ok(&["solve", "problems", "--quiet", "--solutions", "r"]);
    let text = |name: &str| String::from_utf8(bench.read(name)).unwrap();
    let contacts = text("out/contacts.csv");
    // Names of bodies have commas: columns behind them are counted from the end.
    let header: Vec<&str> = contacts.lines().next().unwrap().split(',').collect();
    assert_eq!(header[..2], ["t", "id"]);
    let from_end = header.iter().rev().position(|name| *name == "impulse_n").unwrap();
    let rows = contacts.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let last = rows.clone().next_back().unwrap()[0];
    let of_run: Vec<(String, f64)> = rows
        .filter(|fields| fields[0] == last)
        .map(|fields| (fields[1].to_owned(), fields[fields.len() - 1 - from_end].parse().unwrap()))
        .collect();
    let dumped = std::fs::read_dir(bench.path("r")).unwrap().map(|file| file.unwrap().file_name()).max().unwrap();
    let solved = text(&format!("r/{}", dumped.to_string_lossy()));
    let alone: Vec<(String, f64)> = solved
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|fields| fields[1] == "n")
        .map(|fields| (fields[0].to_owned(), fields[2].parse().unwrap()))
        .collect();
    assert!(!alone.is_empty());
    let total = |list: &[(String, f64)]| list.iter().map(|(_, impulse)| impulse).sum::<f64>();
    let names = |list: &[(String, f64)]| list.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
    assert_eq!(names(&of_run), names(&alone));
    // How a box shares its weight among its corners is open, the sum is not.
    common::near(total(&alone), total(&of_run), 1e-6 * total(&of_run));
}

#[test]
fn check_notes_joints_that_say_the_same_twice() {
    let bench = Bench::new("check-redundant");
    let hinge = "kind = \"hinge\"\na = \"ball\"\nanchor = [0, 2, 0]\naxis = [0, 0, 1]\n";
    bench.write("one.toml", &format!("{FALL}[joint.pin]\n{hinge}"));
    bench.write("two.toml", &format!("{FALL}[joint.pin]\n{hinge}[joint.again]\n{hinge}"));
    assert!(!bench.ok(&["check", "one.toml"]).contains("note"));
    let text = bench.ok(&["check", "two.toml"]);
    assert!(text.contains("5 of the 10") && text.contains("`again` (5 of 5)"), "{text}");
}

#[test]
fn check_notes_meshes_that_are_not_sound() {
    let bench = Bench::new("check-meshes");
    let mesh = |vertices: &str, triangles: &str| {
        let shape = format!("{{ kind = \"mesh\", vertices = {vertices}, triangles = {triangles} }}");
        bench.write(
            "mesh.toml",
            &format!("{FALL}[body.mesh]\nmotion = \"static\"\nposition = [0, 9, 0]\nshape = {shape}\n"),
        );
        bench.ok(&["check", "mesh.toml"])
    };
    let corners = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    assert!(!mesh(corners, "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]").contains("mesh`"));
    let text = mesh(corners, "[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]");
    assert!(text.contains("warning: `mesh`: the mesh is closed and faces inwards"), "{text}");
    let text = mesh(corners, "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [2, 2, 1]]");
    assert!(text.contains("note: `mesh`: 1 triangle without area left out, the first is number 4"), "{text}");
    let text = mesh(
        "[[0, 0, 0], [1, 0, 0], [0, 0, 1], [0.2, -0.5, 0.2], [0.2, 0.5, 0.2], [0.3, 0, 2]]",
        "[[0, 1, 2], [3, 4, 5]]",
    );
    assert!(text.contains("warning: `mesh`: the surface crosses itself, first in triangles 0 and 1"), "{text}");
}

/// A box on a sheet that deforms and has facets, with a law that looks at them, which the stepper refuses. The variant has another law.
const REFUSED: &str = r#"
title = "A sheet that rises"
[time]
dt = 0.01
end = 0.05
[pair_default]
law = { kind = "facets", mu0 = 0.2, patch = { width = 0.02, resolution = 16 } }
[body.sheet]
shape = { kind = "grid", size = [2, 2], cells = [2, 2] }
motion = { vertices = ["x", "y + 0.1*t", "z"] }
relief = { material = "sawtooth", period = 0.005, height = 0.0015, rise = 0.75 }
[body.box]
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
position = [0, 0.1, 0]
[variant.plain]
pair_default.law = { kind = "coulomb", mu = 0.2 }
body.sheet.relief = "none"
"#;

#[test]
fn what_the_stepper_refuses_is_found_by_check_and_before_anything_runs() {
    let bench = Bench::new("run-refused");
    bench.write("sheet.toml", REFUSED).write("fall.toml", FALL);
    let (text, aside) = bench.ends(2, &["check", "sheet.toml"]);
    assert!(text.starts_with("sheet[plain]: 2 bodies"), "{text}");
    for word in ["sheet: the stepper `impulse`", "'sheet' deforms", "'box'", "facets"] {
        assert!(aside.contains(word), "{word}: {aside}");
    }
    // The ball would fall first.
    let message = bench.refused(&["run", "fall.toml", "sheet.toml", "--no-pictures"]);
    assert!(message.contains("sheet: the stepper `impulse` cannot run this scene"), "{message}");
    let message = bench.refused(&["bench", "fall.toml", "sheet.toml", "--solvers", "newton", "--out", "tables"]);
    assert!(message.contains("sheet: the stepper `impulse` cannot run this scene"), "{message}");
    bench.ok(&["run", "sheet.toml", "--variant", "plain", "--no-pictures"]);
}

#[test]
fn the_stepper_can_be_named() {
    let bench = Bench::new("run-stepper");
    bench.write("fall.toml", &format!("{FALL}[stepper]\nkind = \"impulse\"\n"));
    bench.ok(&["run", "fall.toml", "--stepper", "impulse", "--no-pictures", "--out", "named"]);
    bench.ok(&["run", "fall.toml", "--no-pictures", "--out", "plain"]);
    assert_eq!(bench.read("named/trajectory.csv"), bench.read("plain/trajectory.csv"));
    for arguments in [
        &["run", "fall.toml", "--stepper", "hop"][..],
        &["run", "fall.toml", "--set", "stepper.kind=\"hop\""],
        &["bench", "fall.toml", "--solvers", "hop/newton"],
    ] {
        let message = bench.refused(arguments);
        assert!(message.contains("hop") && message.contains("impulse"), "{message}");
    }
}

#[test]
fn a_finished_run_is_left_out_of_a_resume_only_if_it_is_the_same_and_whole() {
    let bench = Bench::new("run-finished");
    bench.write("fall.toml", FALL);
    let arguments = ["run", "fall.toml", "--variant", "all", "--no-pictures", "--resume"];
    bench.ends(1, &arguments);
    // What was missed is missed still.
    let (text, aside) = bench.ends(1, &arguments);
    assert_eq!(text.matches("was finished before").count(), 2, "{text}");
    assert!(aside.contains("1 of 2 runs") && aside.contains("fall[wrong]"), "{aside}");
    let line = bench.ok(&["run", "fall.toml", "--no-pictures", "--resume", "--json"]);
    let summary: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((line.lines().count(), &summary["totals"]["steps"]), (1, &Value::from(20)));
    // Pictures are asked for now, then another scene: the folder has neither.
    let text = bench.ok(&["run", "fall.toml", "--resume"]);
    assert!(text.contains("20 steps") && bench.path("out/fall/filmstrip.png").exists(), "{text}");
    assert!(bench.ok(&["run", "fall.toml", "--resume"]).contains("was finished before"));
    let text = bench.ok(&["run", "fall.toml", "--resume", "--set", "time.dt=0.005"]);
    assert!(text.contains("40 steps"), "{text}");
}
