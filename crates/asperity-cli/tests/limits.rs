//! Input without measure is refused before anything runs: threads, endless files, places that cannot be written, numbers out of range.

mod common;

use common::Bench;

/// Two balls that fall for longer than any test waits.
const ENDLESS: &str = r#"
title = "Two balls fall"
[time]
dt = 1e-4
end = 4000
[body.ball]
shape = { kind = "sphere", radius = 0.1 }
structure = [1, 0, 0]
[body.other]
shape = { kind = "sphere", radius = 0.1 }
position = [1, 0, 0]
"#;

fn bench(name: &str) -> Bench {
    let bench = Bench::new(name);
    bench.write("scene.toml", ENDLESS);
    bench
}

#[test]
fn a_hundred_thousand_threads_are_refused() {
    let message = bench("limits-threads").refused(&["run", "scene.toml", "--threads", "100000"]);
    assert!(message.contains("--threads") && message.contains("512"), "{message}");
}

#[cfg(unix)]
#[test]
fn links_to_endless_devices_are_refused_by_name() {
    let bench = bench("limits-devices");
    for name in ["endless.obj", "endless.stl", "endless.png", "endless.toml"] {
        std::os::unix::fs::symlink("/dev/zero", bench.path(name)).unwrap();
    }
    for (name, set) in [
        ("endless.obj", r#"body.ball.shape={ kind = "mesh", file = "endless.obj" }"#),
        ("endless.stl", r#"body.ball.shape={ kind = "mesh", file = "endless.stl" }"#),
        ("endless.png", r#"body.ball.structure={ field = "texture", file = "endless.png" }"#),
    ] {
        let message = bench.refused(&["check", "scene.toml", "--set", set]);
        assert!(message.contains(name) && message.contains("not a regular file"), "{message}");
    }
    let message = bench.refused(&["material", "endless.png"]);
    assert!(message.contains("endless.png") && message.contains("not a regular file"), "{message}");
}

#[test]
fn a_place_that_cannot_be_written_is_found_before_the_run() {
    let bench = bench("limits-out");
    bench.write("taken", "a file");
    for arguments in [
        &["run", "scene.toml", "--out", "taken/x"][..],
        &["run", "scene.toml", "--dump", "taken/x"],
        &["bench", "scene.toml", "--out", "taken/x", "--limit", "1e6"],
        &["field", "scene.toml", "--body", "ball", "--out", "taken/x"],
        &["material", "oak", "--out", "taken/x/oak.svg"],
        &["cone", "--preset", "facets", "--out", "taken/x/cone.svg"],
    ] {
        let (_, aside) = bench.ends(1, arguments);
        assert!(aside.contains("taken"), "{arguments:?}: {aside}");
        assert_eq!(bench.names(), ["scene.toml", "taken"], "{arguments:?}");
    }
}

#[test]
fn numbers_out_of_range_are_refused_and_written_shortly() {
    let bench = bench("limits-numbers");
    for (set, reasons) in [
        ("solver.tolerance=1", &["solver.tolerance", "between 1e-14 and 1e-2"][..]),
        ("solver.tolerance=1e-20", &["between 1e-14 and 1e-2"]),
        ("time.dt=1e308", &["time.dt", "1e308"]),
        // 1 % of the width is 0.002 m, and these overlap by 0.00200001.
        ("body.other.position=[0.19799999, 0, 0]", &["overlap by 0.00200001 m", "allowed are 0.002 m"]),
    ] {
        let message = bench.refused(&["check", "scene.toml", "--set", set]);
        assert!(reasons.iter().all(|reason| message.contains(reason)), "{set}: {message}");
        let longest = message.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
        assert!(longest <= Some(18), "{message}");
    }
    bench.ok(&["check", "scene.toml", "--set", "solver.tolerance=1e-3"]);
    let message = bench.refused(&["cone", "--law", "coulomb", "--mu", "-1e308"]);
    assert!(message.contains("-1e308") && message.len() < 200, "{message}");
}

#[test]
fn a_body_called_world_is_refused_where_a_joint_could_mean_it() {
    let bench = bench("limits-world");
    let world = ENDLESS.replace("body.other", "body.world");
    bench.write("plain.toml", &world);
    bench.ok(&["check", "plain.toml"]);
    bench.write("joint.toml", &format!("{world}[joint.rope]\nkind = \"distance\"\na = \"ball\"\nb = \"world\"\n"));
    let message = bench.refused(&["check", "joint.toml"]);
    assert!(message.contains("joint.rope") && message.contains("`world`"), "{message}");
}
