//! `asperity list` names everything that the catalogues hold.

mod common;

use asperity::geometry::SHAPES;
use asperity::joint::JOINTS;
use asperity::measure::MEASURES;
use asperity::step::STEPPERS;
use asperity_friction::model::MODELS;
use asperity_friction::set::SETS;
use asperity_solve::solver::SOLVERS;
use common::Bench;

fn names() -> (Vec<&'static str>, Vec<&'static str>) {
    (SETS.iter().map(|s| s.name).collect(), MODELS.iter().map(|m| m.name).collect())
}

#[test]
fn every_set_law_solver_stepper_shape_joint_and_measure_has_a_line_with_its_summary() {
    let text = Bench::new("list-all").ok(&["list"]);
    let entries = SETS.iter().map(|e| (e.name, e.summary)).chain(MODELS.iter().map(|e| (e.name, e.summary)));
    let entries = entries.chain(SOLVERS.iter().map(|e| (e.name, e.summary)));
    let entries = entries.chain(STEPPERS.iter().map(|e| (e.name, e.summary)));
    let tables = [&SHAPES, &JOINTS, &MEASURES].into_iter().flat_map(|tagged| tagged.variants);
    for (name, summary) in entries.chain(tables.map(|variant| (variant.name, variant.doc))) {
        let line = text.lines().find(|l| l.split_whitespace().next() == Some(name) && l.ends_with(summary));
        assert!(line.is_some(), "{name}: {text}");
    }
    // Where the summary starts: after the blanks that follow the name.
    let start = |line: &str| {
        let name = line[2..].find(' ').unwrap() + 2;
        name + line[name..].len() - line[name..].trim_start().len()
    };
    let columns: Vec<usize> = text.lines().filter(|l| l.starts_with("  ")).map(start).collect();
    assert!(columns.windows(2).all(|w| w[0] == w[1]), "not aligned: {text}");
}

#[test]
fn one_catalogue_alone_can_be_listed() {
    let bench = Bench::new("list-one");
    let (sets, laws) = names();
    let text = bench.ok(&["list", "sets"]);
    assert!(sets.iter().all(|s| text.contains(s)) && !text.contains("pair_table"), "{text}");
    let text = bench.ok(&["list", "laws"]);
    assert!(laws.iter().all(|l| text.contains(l)) && !text.contains("asymmetric_box"), "{text}");
    let text = bench.ok(&["list", "solvers"]);
    assert!(SOLVERS.iter().all(|s| text.contains(s.name)) && !text.contains("asymmetric_box"), "{text}");
    let text = bench.ok(&["list", "steppers"]);
    assert!(STEPPERS.iter().all(|s| text.contains(s.name)) && !text.contains("newton"), "{text}");
}

#[test]
fn json_holds_names_summaries_and_examples() {
    let text = Bench::new("list-json").ok(&["list", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (sets, laws) = names();
    for (catalogue, expected) in [("sets", sets), ("laws", laws)] {
        let entries = json[catalogue].as_array().unwrap();
        let found: Vec<&str> = entries.iter().map(|e| e["name"].as_str().unwrap()).collect();
        assert_eq!(found, expected);
        assert!(entries.iter().all(|e| e["example"].is_object() && !e["summary"].as_str().unwrap().is_empty()));
    }
}

#[test]
fn the_example_of_every_law_that_needs_no_surfaces_can_be_drawn() {
    let bench = Bench::new("list-examples");
    for law in MODELS {
        let model = &(law.examples)()[0];
        // TOML wants plain values before tables; the serialiser sorts that out.
        let text = toml::to_string(&std::collections::BTreeMap::from([("law", model)])).unwrap();
        bench.write("pair.toml", &text);
        let (said, _) =
            bench.ok_aside(&["cone", "pair.toml", "--out", "pair.svg", "--samples", "16", "--slip-deg", "30"]);
        assert!(said.contains("coefficient") && said.contains("power"), "{}: {said}", law.name);
    }
}

#[test]
fn an_unknown_catalogue_is_refused() {
    let message = Bench::new("list-bad").refused(&["list", "lows"]);
    assert!(message.contains("lows") && message.contains("laws"), "{message}");
}
