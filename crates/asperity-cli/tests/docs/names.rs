//! Files, scenes, laws, sets, solvers and steppers that the pages name exist, and all that exist are named.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use asperity::scene::Document;
use asperity::step::STEPPERS;
use asperity_friction::model::MODELS;
use asperity_solve::solver::SOLVERS;

use crate::{pages, read, root};

/// Endings of files that are named with a path of the repository.
const ENDINGS: [&str; 9] = [".rs", ".md", ".toml", ".py", ".png", ".svg", ".csv", ".obj", ".json"];

/// Files that a run writes: they are named, and do not lie in the repository.
const WRITTEN: [&str; 8] = [
    "out/",
    "trajectory.csv",
    "steps.csv",
    "summary.json",
    "checkpoint.json",
    "steps.svg",
    "filmstrip.png",
    "contacts.csv",
];

/// Whether a name is that of a file, seen from the root, from a page or from the source of a crate.
fn exists(name: &str, page: &Path) -> bool {
    let root = root();
    let mut from: Vec<PathBuf> = vec![root.clone(), root.join(page.parent().unwrap_or(Path::new("")))];
    for entry in std::fs::read_dir(root.join("crates")).expect("crates") {
        let of = entry.expect("an entry").path();
        from.extend([of.clone(), of.join("src"), of.join("tests")]);
    }
    from.iter().any(|folder| folder.join(name).exists())
}

/// The words between backticks, outside of blocks of code.
fn quoted(text: &str) -> Vec<&str> {
    let blocks = text.split("```").step_by(2);
    blocks.flat_map(|block| block.split('`').skip(1).step_by(2)).collect()
}

/// The targets of links.
fn linked(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect()
}

#[test]
fn files_that_pages_name_exist() {
    let mut missing = Vec::new();
    for page in pages() {
        let text = read(&page);
        let is_file = |word: &&str| {
            ENDINGS.iter().any(|ending| word.ends_with(ending))
                && word.contains('/')
                && !word.contains([' ', '<', '*', '{', '='])
                && !WRITTEN.iter().any(|written| word.contains(written))
        };
        let files = quoted(&text).into_iter().filter(is_file);
        let links = linked(&text).into_iter().map(|link| link.split('#').next().unwrap_or_default());
        let local = links.filter(|link| !link.is_empty() && !link.contains("://"));
        missing
            .extend(files.chain(local).filter(|name| !exists(name, &page)).map(|name| (page.clone(), name.to_owned())));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_law_solver_and_stepper_has_a_page_or_a_row() {
    let theory: String = pages().iter().filter(|page| page.starts_with("docs")).map(read).collect();
    let laws = MODELS.iter().map(|entry| entry.name);
    let solvers = SOLVERS.iter().map(|entry| entry.name);
    let steppers = STEPPERS.iter().map(|entry| entry.name);
    let missing: Vec<&str> =
        laws.chain(solvers).chain(steppers).filter(|name| !theory.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "not described in docs/: {missing:?}");
}

/// The page that lists the scenes is made from their titles; ASPERITY_WRITE=1 writes it again.
#[test]
fn the_list_of_scenes_is_complete() {
    const PAGE: &str = "docs/scene-list.md";
    let mut page = String::from(
        "# Scenes\n\nEvery scene states what it must show; `asperity run NAME --variant all` checks it.\n",
    );
    for folder in sorted_entries("scenes") {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let _ = write!(page, "\n## {name}\n\n| scene | what it shows | variants |\n| --- | --- | --- |\n");
        for path in sorted_entries(Path::new("scenes").join(&name)) {
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let document = Document::read(&path).unwrap_or_else(|error| panic!("{error}"));
            let scene = document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"));
            let variants: Vec<String> = document.variants().iter().map(|variant| format!("`{variant}`")).collect();
            let _ = writeln!(page, "| `{name}/{}` | {} | {} |", scene.name, scene.title, variants.join(", "));
        }
    }
    if std::env::var_os("ASPERITY_WRITE").is_some() {
        std::fs::write(root().join(PAGE), page).expect("written");
    } else {
        assert_eq!(read(PAGE), page, "{PAGE} is out of date: run the test with ASPERITY_WRITE=1");
    }
}

/// The table of laws, steppers and kinds of bodies is what `asperity list bodies` prints; ASPERITY_WRITE=1 writes it again.
#[test]
fn the_table_of_laws_and_bodies_is_that_of_the_program() {
    const PAGE: &str = "docs/theory/implicit.md";
    const BEGIN: &str = "<!-- laws and bodies: written by a test, ASPERITY_WRITE=1 writes it again -->\n";
    const END: &str = "<!-- end of laws and bodies -->\n";
    let listed = std::process::Command::new(env!("CARGO_BIN_EXE_asperity")).args(["list", "bodies", "--json"]).output();
    let listed: serde_json::Value = serde_json::from_slice(&listed.expect("the program").stdout).expect("JSON");
    let mut table = String::from("| law, or what is refused | |\n| --- | --- |\n");
    let lines = listed["bodies"].as_array().expect("a list");
    assert!(lines.len() > MODELS.len(), "laws, and refusals");
    for line in lines {
        let text = |key: &str| line[key].as_str().expect("a text").to_owned();
        let _ = writeln!(table, "| `{}` | {} |", text("name"), text("summary"));
    }
    let page = read(PAGE);
    let (before, rest) = page.split_once(BEGIN).expect("a place for the table");
    let (found, after) = rest.split_once(END).expect("the end of the table");
    if std::env::var_os("ASPERITY_WRITE").is_some() {
        std::fs::write(root().join(PAGE), format!("{before}{BEGIN}{table}{END}{after}")).expect("written");
    } else {
        assert_eq!(found, table, "{PAGE} is out of date: run the test with ASPERITY_WRITE=1");
    }
}

pub(crate) fn sorted_entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Numbers that pages quote from constants.
#[test]
fn numbers_that_pages_quote_are_those_of_the_program() {
    let settings = asperity::step::ImpulseSettings::default();
    let run = read("docs/run.md");
    assert!(run.contains(&format!("above a residual of {}", settings.limit)), "docs/run.md: limit of a step");
    assert!(run.contains("solved to a residual of 10⁻⁸") && settings.tolerance == 1e-8, "docs/run.md: tolerance");
    let architecture = read("docs/ARCHITECTURE.md");
    let compliance = settings.compliance == 1e-5 && architecture.contains("10⁻⁵");
    assert!(compliance, "docs/ARCHITECTURE.md: compliance of contacts");
    let output = asperity::scene::Output::default();
    let scenes = read("docs/scenes.md");
    let (_, own) = scenes.split_once("### output: `[output]`").expect("the keys of the output");
    let row = |key: &str| own.lines().find(|line| line.starts_with(&format!("| `{key}` "))).unwrap_or_default();
    assert!(row("width").contains(&output.width.to_string()), "docs/scenes.md: width, {}", row("width"));
    assert!(row("height").contains(&output.height.to_string()), "docs/scenes.md: height, {}", row("height"));
    assert!(row("fps").contains(&output.fps.to_string()), "docs/scenes.md: fps, {}", row("fps"));
}
