//! The program away from any checkout: the scenes inside it, completions and man pages.

mod common;

use std::process::{Command, Output};

use common::Bench;

/// Runs the program in a folder without scenes above it or above the program; the user's cache is in that folder, too.
fn run(bench: &Bench, arguments: &[&str]) -> Output {
    let program = bench.path("asperity");
    if !program.exists() {
        // Not a copy: while a test beside this one starts a program, the copy's file would be open for writing, and could not be run.
        std::fs::hard_link(env!("CARGO_BIN_EXE_asperity"), &program).unwrap();
    }
    let cache = bench.path("cache");
    Command::new(program).args(arguments).current_dir(bench.path("")).env("XDG_CACHE_HOME", cache).output().unwrap()
}

fn ok(bench: &Bench, arguments: &[&str]) -> String {
    let output = run(bench, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_installed_program_lists_and_runs_its_scenes_anywhere() {
    let bench = Bench::new("installed");
    let listed = ok(&bench, &["list", "scenes"]);
    for name in ["matchstick/arch ", "appearance/tumbling ", "analytic/varying_friction "] {
        assert!(listed.contains(name), "{name}: {listed}");
    }
    assert!(!listed.contains("cannot be read"), "{listed}");
    // It reads an image that lies beside it.
    let ran = ok(&bench, &["run", "analytic/varying_friction", "--variant", "texture", "--no-pictures"]);
    assert!(ran.contains("  ok\n") && !ran.contains("MISSED"), "{ran}");
    let wrong = run(&bench, &["run", "matchstick/arc"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("did you mean `matchstick/arch`?"));
}

#[test]
fn scenes_are_extracted_as_they_are_in_the_repository() {
    let bench = Bench::new("installed-extract");
    let said = ok(&bench, &["scenes", "extract", "mine"]);
    assert!(said.starts_with("wrote ") && said.ends_with(" files) to mine\n"), "{said}");
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    for name in ["matchstick/arch.toml", "appearance/emblem.png", "appearance/rabbit.obj"] {
        assert_eq!(bench.read(&format!("mine/{name}")), std::fs::read(repository.join(name)).unwrap(), "{name}");
    }
    let again = run(&bench, &["scenes", "extract", "mine"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("'mine' is not empty"));
    // A scene of one's own hides that of the program with the same name.
    let edited = "title = \"Mine\"\ntime = { dt = 0.01, end = 0.1 }\n\
                  [body.ball]\nshape = { kind = \"sphere\", radius = 0.1 }\n";
    bench.write("mine/matchstick/arch.toml", edited);
    std::fs::rename(bench.path("mine"), bench.path("scenes")).unwrap();
    assert!(ok(&bench, &["list", "scenes"]).contains("Mine"));
}

#[test]
fn shells_and_man_know_every_command() {
    let bench = Bench::new("installed-manual");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = bench.ok(&["completions", shell]);
        assert!(text.contains("no-pictures") && text.contains("extract"), "{shell}");
    }
    assert!(bench.refused(&["completions", "cmd"]).contains("possible values"));
    let said = bench.ok(&["man", "pages"]);
    let page = String::from_utf8(bench.read("pages/asperity-run.1")).unwrap();
    assert!(page.contains(".TH asperity\\-run 1") || page.contains(".TH asperity-run 1"), "{page}");
    assert!(page.contains("no\\-pictures"), "{page}");
    let count = std::fs::read_dir(bench.path("pages")).unwrap().count();
    assert_eq!(said, format!("wrote {count} pages to pages\n"));
    assert!(count >= 14, "{count}");
}
