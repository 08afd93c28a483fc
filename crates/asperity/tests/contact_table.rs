//! `contacts.csv`: what it says adds up to the motion of the bodies, names its contacts, and goes on after a checkpoint.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asperity::run::{Checkpoint, FileSettings, Run, write};
use asperity::scene::{Document, Scene};
use glam::DVec3;

fn scene(name: &str, variant: Option<&str>) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    let document = Document::read(&path).unwrap();
    document.scene(variant, &[("output.contacts".into(), "true".into())]).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contacts").join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

const TABLES: FileSettings = FileSettings { pictures: false, glb: false, vtk: false };

/// The rows of a table, as fields by the names of their columns.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines.map(|line| names.iter().copied().zip(fields(line)).collect()).collect()
}

/// The fields of a line; names with commas are in quotes.
fn fields(line: &str) -> Vec<&str> {
    let mut quoted = false;
    let comma = |c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    };
    line.split(comma).map(|field| field.trim_matches('"')).collect()
}

fn number(row: &BTreeMap<&str, &str>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} = {}", row[column]))
}

fn vector(row: &BTreeMap<&str, &str>, prefix: &str) -> DVec3 {
    DVec3::from_array(["x", "y", "z"].map(|axis| number(row, &format!("{prefix}{axis}"))))
}

/// What solvers leave over of the speed of bodies that come to rest is taken away: at most this fraction of |g| dt.
const REST: f64 = 3e-6;

/// Errors of the momentum balance of a scene's steps, as fractions of the momentum that passes through a body in a step: |m v| before and after,
/// m |g| dt, and the impulses of its contacts.
struct Imbalance {
    /// The largest that steps report themselves, as `splitting`.
    reported: f64,
    /// The largest beyond what the step reports.
    beyond: f64,
}

/// Runs a scene and compares its table of contacts with the motion; `None` if nothing touches.
fn imbalance(name: &str, variant: Option<&str>) -> Option<Imbalance> {
    let mut run = Run::new(scene(name, variant)).unwrap();
    let (gravity, dt) = (run.scene().model.gravity, run.scene().time.dt);
    let names: Vec<String> = run.scene().model.bodies.iter().map(|body| body.name.clone()).collect();
    let masses: Vec<Option<f64>> = run.scene().model.bodies.iter().map(|body| Some(body.inertia()?.mass())).collect();
    let momenta = |run: &Run| -> Vec<DVec3> { run.state().bodies.iter().map(|at| at.frame().velocity).collect() };
    let mut states = vec![momenta(&run)];
    while !run.is_done() {
        run.step().unwrap();
        states.push(momenta(&run));
    }
    let place = folder(&format!("{}-{}", name.replace('/', "-"), variant.unwrap_or("plain")));
    write(&run, &place, TABLES, &mut |_| {}).unwrap();
    let text = std::fs::read_to_string(place.join("contacts.csv")).unwrap();
    let steps = std::fs::read_to_string(place.join("steps.csv")).unwrap();
    let reported: Vec<f64> = rows(&steps).iter().map(|row| number(row, "splitting")).collect();
    // Impulses on each body in each step, and their sizes.
    let mut sums = vec![vec![(DVec3::ZERO, 0.0); names.len()]; states.len()];
    let mut acted = 0;
    for row in rows(&text) {
        let step = (number(&row, "t") / dt).round() as usize;
        let (n, t) = (vector(&row, "n"), vector(&row, "t"));
        let impulse =
            n * number(&row, "impulse_n") + t * number(&row, "impulse_t") + n.cross(t) * number(&row, "impulse_b");
        assert_eq!(row["state"] == "open", number(&row, "impulse_n") <= 0.0, "{row:?}");
        let apart = (number(&row, "force_n") * dt - number(&row, "impulse_n")).abs();
        assert!(apart <= 1e-12 * impulse.length(), "{name}: {row:?}");
        for (column, sign) in [("a", 1.0), ("b", -1.0)] {
            let body = names.iter().position(|own| own == row[column]).unwrap();
            sums[step][body].0 += impulse * sign;
            sums[step][body].1 += impulse.length();
        }
        acted += usize::from(row["state"] != "open");
    }
    let mut beyond: f64 = 0.0;
    for step in 1..states.len() {
        for (body, mass) in masses.iter().enumerate().filter_map(|(i, mass)| Some((i, (*mass)?))) {
            let [before, after] = [states[step - 1][body], states[step][body]];
            let (impulse, size) = sums[step][body];
            let error = (mass * (after - before - gravity * dt) - impulse).length();
            let scale = mass * (before.length() + after.length() + gravity.length() * dt) + size;
            let stopped = if after == DVec3::ZERO { REST * mass * gravity.length() * dt } else { 0.0 };
            beyond = beyond.max((error - stopped) / scale - reported[step - 1]);
        }
    }
    let reported = reported.into_iter().fold(0.0, f64::max);
    (acted > 0).then_some(Imbalance { reported, beyond })
}

#[test]
fn forces_add_up_to_the_change_of_momentum() {
    for (name, variant) in [
        ("analytic/stopping_distance.toml", None),
        ("analytic/stopping_distance.toml", Some("oblique")),
        ("analytic/varying_friction.toml", Some("tensor")),
        ("analytic/bouncing.toml", Some("coarse")),
        ("analytic/rolling.toml", None),
        ("analytic/mass_ratio.toml", None),
        ("matchstick/rolling_cylinder.toml", None),
        ("matchstick/stack.toml", None),
    ] {
        let Imbalance { reported, beyond } = imbalance(name, variant).expect("bodies that touch");
        assert!(beyond < 1e-9, "{name} {variant:?}: {beyond:e}");
        assert!(reported < 1e-9, "{name} {variant:?}: {reported:e}");
    }
}

#[test]
#[ignore = "runs every scene without joints and damping, which takes a minute"]
fn forces_add_up_in_every_scene_without_joints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let list = |folder: &Path| -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        found.sort();
        found
    };
    let (mut balanced, mut wrong) = (0, Vec::new());
    for path in list(&root).iter().filter(|path| path.is_dir()).flat_map(|folder| list(folder)) {
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
        let document = Document::read(&path).unwrap();
        let variants = document.variants().into_iter().map(Some);
        for variant in std::iter::once(None).chain(variants) {
            let model = scene(name, variant).model;
            if !model.joints.is_empty() || model.damping > 0.0 || model.angular_damping > 0.0 {
                continue;
            }
            let Some(Imbalance { beyond, .. }) = imbalance(name, variant) else { continue };
            balanced += 1;
            if beyond >= 1e-9 {
                wrong.push(format!("{name} {variant:?}: {beyond:e}"));
            }
        }
    }
    assert!(wrong.is_empty(), "of {balanced}: {wrong:#?}");
    assert!(balanced > 50, "{balanced}");
}

#[test]
fn a_box_that_slides_and_stops_says_so() {
    let mut run = Run::new(scene("analytic/stopping_distance.toml", None)).unwrap();
    run.stepper().keep_problems(true);
    while !run.is_done() {
        run.step().unwrap();
    }
    // The problems that are dumped call contacts by the same names.
    let dumped = run.stepper().problem().unwrap().names().to_vec();
    let place = folder("slide");
    write(&run, &place, TABLES, &mut |_| {}).unwrap();
    let text = std::fs::read_to_string(place.join("contacts.csv")).unwrap();
    let rows = rows(&text);
    // v = 2 m/s and mu = 0.3: it stops at 0.6796 s.
    let expected = |t: f64| if t < 0.679 { "slide" } else { "stick" };
    let settled = |t: f64| !(0.67..0.70).contains(&t);
    let mut ids: Vec<&str> = Vec::new();
    for row in &rows {
        let t = number(row, "t");
        if settled(t) {
            assert_eq!(row["state"], expected(t), "{row:?}");
        }
        assert_eq!((row["law"], number(row, "mu_t"), number(row, "mu_b")), ("coulomb", 0.3, 0.3));
        if t < 0.67 {
            let friction = number(row, "force_t").hypot(number(row, "force_b"));
            assert!((friction - 0.3 * number(row, "force_n")).abs() < 1e-6 * friction, "{row:?}");
            let slip = number(row, "slip_t").hypot(number(row, "slip_b"));
            assert!((slip - (2.0 - 0.3 * 9.81 * t)).abs() < 1e-6, "{row:?}");
        }
        ids.push(row["id"]);
    }
    ids.sort_unstable();
    ids.dedup();
    // Its four corners on the floor's face, all the way.
    assert_eq!(ids.len(), 4, "{ids:?}");
    assert!(dumped.len() == 4 && dumped.iter().all(|name| ids.contains(&name.as_str())), "{dumped:?}");
    assert!(ids.iter().all(|id| id.starts_with("0-1:f") && id.contains("-c")), "{ids:?}");
}

#[test]
fn a_resumed_run_has_the_same_table() {
    let text = "analytic/stopping_distance";
    let made = || scene("analytic/stopping_distance.toml", None);
    let table = |run: &Run, name: &str| {
        let place = folder(name);
        write(run, &place, TABLES, &mut |_| {}).unwrap();
        std::fs::read(place.join("contacts.csv")).unwrap()
    };
    let mut whole = Run::new(made()).unwrap();
    while !whole.is_done() {
        whole.step().unwrap();
    }
    let place = folder("checkpoint");
    let mut run = Run::new(made()).unwrap();
    let mut checkpoint = Checkpoint::begin(&place, text, &mut run).unwrap();
    for k in 0..150 {
        run.step().unwrap();
        if k == 90 {
            checkpoint.write(&run).unwrap();
        }
    }
    drop(run);
    let mut resumed = Checkpoint::resume(&place, text, made()).unwrap();
    while !resumed.run.is_done() {
        resumed.run.step().unwrap();
    }
    assert_eq!(table(&resumed.run, "resumed"), table(&whole, "whole"));
    resumed.checkpoint.remove().unwrap();
    assert!(!place.join("contacts.log").exists());
}
