//! Names of variants, scenes and bodies as names of files: nothing is written outside the folder.

mod common;

use std::fs;
use std::path::Path;

use common::Bench;

/// A ball that falls for two steps, with variants that are named like paths, devices and each other.
const NAMES: &str = r#"
title = "A ball falls"
[time]
dt = 0.01
end = 0.02
[body."../ball"]
shape = { kind = "sphere", radius = 0.1 }
structure = [1, 0, 0]
[variant."../../outside"]
[variant.".."]
[variant."/absolute"]
[variant."default"]
[variant."nul"]
[variant."a/b"]
[variant."a%2fb"]
[variant."Steep"]
[variant."steep"]
"#;

/// All files below a folder, relative to it.
fn files(folder: &Path, root: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, root, found);
        } else {
            found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn variants_named_like_paths_stay_in_the_folder_and_apart() {
    let bench = Bench::new("names");
    fs::create_dir_all(bench.path("deep/er")).unwrap();
    bench.write("fall.toml", NAMES);
    bench.ok(&[
        "run",
        "fall.toml",
        "--variant",
        "all",
        "--out",
        "deep/er/out",
        "--no-pictures",
        "--dump",
        "deep/er/dump",
    ]);
    let mut found = Vec::new();
    files(&bench.path(""), &bench.path(""), &mut found);
    let summaries = found.iter().filter(|path| path.ends_with("summary.json")).count();
    assert_eq!(summaries, 10, "{found:#?}");
    let outside = found.iter().find(|path| *path != "fall.toml" && !path.starts_with("deep/er/out/"));
    assert_eq!(outside, None);
    // Without --out.
    bench.ok(&["run", "fall.toml", "--variant", "..", "--no-pictures", "--quiet"]);
    assert_eq!(bench.names(), ["deep", "fall.toml", "out"]);
    assert!(bench.path("out/fall/%2e%2e/summary.json").is_file());
    // A scene file whose name without its ending is `..`.
    bench.write("...toml", NAMES);
    bench.ok(&["run", "...toml", "--no-pictures", "--quiet"]);
    assert_eq!(bench.names(), ["...toml", "deep", "fall.toml", "out"]);
    assert!(bench.path("out/%2e%2e/summary.json").is_file());
}

#[test]
fn bodies_named_like_paths_stay_in_the_folder() {
    let bench = Bench::new("names-field");
    bench.write("fall.toml", NAMES);
    bench.ok(&["field", "fall.toml", "--body", "../ball", "--out", "fields", "--lines", "10"]);
    assert_eq!(bench.names(), ["fall.toml", "fields"]);
    assert!(bench.path("fields/%2e.%2fball.png").is_file() && bench.path("fields/%2e.%2fball.glb").is_file());
}
