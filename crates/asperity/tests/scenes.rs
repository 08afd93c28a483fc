//! Every scene in `scenes/`, with every variant, runs and shows what it says it must.

#[path = "common/outlines.rs"]
mod outlines;
#[path = "common/surfaces.rs"]
mod surfaces;

use std::path::{Path, PathBuf};

use asperity::body::{Body, Elastic};
use asperity::joint::{Joint, JointKind};
use asperity::run::Run;
use asperity::scene::{Document, Expect, Measure, Scene};

use outlines::Outlines;
use surfaces::Surfaces;

/// What energy may grow by where nothing brings it in, as a part of its scale.
const GROWTH: f64 = 1e-6;

/// Scenes in which heavy bodies come to rest on the springs of their contacts: these take energy, and give a part of it back (a ton on a kilogram sinks by 1 µm and
/// rises by 0.1 µm; a box that leans on springs with a stiffness gets back 2e-6 at steps of 10 ms, 2e-8 at 1 ms). There the energy must not grow above that of the start.
const SPRUNG: [&str; 2] = ["mass_ratio", "shear"];

/// Scenes, or single variants, of the barrier stepper in which a polyhedron rolls over its edges. Where it is lifted, its potential V is concave, and a step of backward Euler
/// adds up to ½ h² |V''| v² to the energy; where it falls, it loses more. There too the energy must not grow above that of the start. In the arch that slides apart two stones tip over
/// their edges where they have landed: 0.4 J a step of 58 kJ at steps of 10 ms, 0.06 J at 5 ms.
const ROLLING_OVER_EDGES: [&str; 2] = ["arch[slides]", "rolling"];

/// Scenes that take minutes: tests run their variants `small…` alone, if there are any.
const LARGE: [&str; 2] = ["bolas_winds", "rotating_sphere"];

/// Scenes that take tens of seconds: only the slow tests run them.
const SLOW: [&str; 12] = [
    "ball_spin",
    "belt_drive",
    "chain_of_rings",
    "garment",
    "glass_pinch",
    "light_chain",
    "masonry",
    "pressed_ball",
    "pulled_cloth",
    "stool",
    "trampoline",
    "twist",
];

/// Variants with a name that begins with this have the size or the steps of a paper, and take minutes or hours: no test runs them.
const FULL: &str = "full";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// Files of a folder that end in `.toml`, by name.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("the folder of scenes");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    found.sort();
    found
}

/// Whether nothing brings energy in: no scripted body, no bone, no motor, no length that changes with time.
fn conservative(scene: &Scene) -> bool {
    let driven = |joint: &Joint| {
        let motor = joint.kind.driven().is_some_and(|driven| driven.drive.motor.is_some());
        let length = |i: i32| joint.kind.target(scene.time.end * f64::from(i) / 16.0);
        motor || matches!(joint.kind, JointKind::Distance(_)) && (1..=16).any(|i| length(i) != length(0))
    };
    let carried = |body: &Body| body.elastic().is_some_and(Elastic::has_bones);
    let scripted = scene.model.bodies.iter().any(|body| body.is_driven() || carried(body));
    !scripted && !scene.model.joints.iter().any(driven)
}

/// What a variant missed, one line for each; none if it showed all.
fn missed(document: &Document, variant: Option<&str>) -> Vec<String> {
    let mut scene = document.scene(variant, &[]).unwrap_or_else(|error| panic!("{error}"));
    let name = format!("{}[{}]", scene.name, variant.unwrap_or("default"));
    assert!(!scene.expect.is_empty(), "{name} expects nothing");
    // The filter stepper moves vertices against elastic forces that were balanced without contacts: that strains a cloth where it hits.
    let balanced = scene.stepper.kind != "filter";
    let conserves = conservative(&scene) && balanced;
    let rolls = scene.stepper.kind == "barrier" && ROLLING_OVER_EDGES.iter().any(|own| name.starts_with(own));
    let sprung = rolls || SPRUNG.contains(&scene.name.as_str());
    if conserves && !sprung {
        let measure = Measure::EnergyGrowth;
        scene.expect.push(Expect { name: "conserved".to_owned(), measure, lower: None, upper: Some(GROWTH) });
    }
    // What the stepper filter promises for every step of elastic bodies, and barrier for every step of all bodies.
    let surfaces = (scene.stepper.kind == "filter").then(|| Surfaces::new(&scene));
    let outlines = (scene.stepper.kind == "barrier").then(|| Outlines::new(&scene.model, &scene.state));
    let mut run = Run::new(scene).unwrap_or_else(|error| panic!("{name}: {error}"));
    while !run.is_done() {
        if let Err(error) = run.step() {
            return vec![format!("{name}: {error}")];
        }
        let crossings = surfaces.as_ref().map_or_else(Vec::new, |own| own.crossings(run.scene(), run.state()));
        if !crossings.is_empty() {
            return vec![format!("{name}: surfaces cross at t = {}: {crossings:?}", run.state().time)];
        }
        if let Some(fault) = outlines.as_ref().and_then(|own| crossed(own, &run)) {
            return vec![format!("{name}: at t = {}: {fault}", run.state().time)];
        }
    }
    let most = GROWTH * 1e-3 * run.scene().model.lift(run.state());
    if conserves
        && sprung
        && let Some(row) = run.rows().iter().find(|row| row.dissipated < -most)
    {
        return vec![format!("{name}: at t = {} s there are {} J more than at the start", row.t, -row.dissipated)];
    }
    let failed = |e: &asperity::record::Expectation| format!("{name}: {e:?}");
    let summary = run.summary().expect("vertices that can be read");
    summary.expectations.iter().filter(|e| !e.pass).map(failed).collect()
}

/// What crosses where a run is now, rigid bodies and half-spaces included.
fn crossed(outlines: &Outlines, run: &Run) -> Option<String> {
    let (model, state) = (&run.scene().model, run.state());
    let crossings = outlines.crossings(model, state);
    let height = outlines.least_height(model, state);
    if !crossings.is_empty() {
        return Some(format!("surfaces cross: {crossings:?}"));
    }
    (height <= 0.0).then(|| format!("a vertex is {height} m above a half-space"))
}

/// Whether a file is one of these scenes.
fn is_among(path: &Path, names: &[&str]) -> bool {
    path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| names.contains(&stem))
}

/// Whether a file is one of the slow scenes.
fn is_slow(path: &Path) -> bool {
    is_among(path, &SLOW)
}

fn check(folder: &str, least: usize) {
    check_files(folder, least, |path| !is_slow(path));
}

fn check_files(folder: &str, least: usize, wanted: fn(&Path) -> bool) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for path in files(folder).into_iter().filter(|path| wanted(path)) {
        let document = Document::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let large = is_among(&path, &LARGE);
        let wanted = |name: &&str| !name.starts_with(FULL) && (!large || name.starts_with("small"));
        let variants = document.variants().into_iter().filter(wanted).map(Some);
        for variant in (!large).then_some(None).into_iter().chain(variants) {
            wrong.extend(missed(&document, variant));
            count += 1;
        }
    }
    assert!(count >= least, "{folder}: {count} runs only");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn scenes_with_closed_forms() {
    check("analytic", 70);
}

#[test]
fn scenes_with_meshes_that_formulas_move() {
    check("animated", 6);
}

#[test]
fn scenes_with_cloth_and_soft_solids() {
    check("elastic", 37);
}

#[test]
#[ignore = "slow"]
fn scenes_that_take_long() {
    check_files("elastic", 1, is_slow);
    check_files("ipc", 12, is_slow);
    check_files("joints", 2, is_slow);
    check_files("smooth", 14, is_slow);
}

#[test]
fn scenes_of_friction_from_appearance() {
    check("appearance", 70);
}

#[test]
fn scenes_of_the_matchstick_paper() {
    check("matchstick", 36);
}

#[test]
#[ignore = "minutes: a slow test"]
fn scenes_of_friction_tensors_on_cloth() {
    check("tensors", 16);
}

#[test]
fn scenes_of_friction_tensors_on_cloth_in_short() {
    let document = Document::read(root().join("tensors/performance.toml")).unwrap_or_else(|error| panic!("{error}"));
    let wrong = missed(&document, Some("short"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn scenes_of_incremental_potential_contact() {
    check("ipc", 29);
}

#[test]
fn scenes_on_smooth_surfaces() {
    check("smooth", 39);
}

#[test]
fn scenes_with_joints() {
    check("joints", 18);
}

#[test]
fn every_folder_of_scenes_has_a_test() {
    let entries = std::fs::read_dir(root()).expect("the folder of scenes");
    let mut folders: Vec<String> = entries
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    folders.sort();
    assert_eq!(
        folders,
        ["analytic", "animated", "appearance", "elastic", "ipc", "joints", "matchstick", "smooth", "tensors"]
    );
}
