//! Defaults that the list of keys states are those of the reader: a scene that states them all is the scene that states none.

use toml::de::DeValue;

use super::read;
use crate::scene::keys::{Key, Section, groups};

/// The keys of a group whose default is a TOML value, as lines or as the inside of a table.
fn stated(name: &str, variant: Option<&str>, joined: &str) -> String {
    let keys: &[Key] = groups()
        .into_iter()
        .find_map(|section| match section {
            Section::Group(group) if group.name == name => Some(group.keys),
            Section::Tagged(tagged) if tagged.name == name => tagged.variant(variant?).map(|variant| variant.keys),
            _ => None,
        })
        .unwrap_or_else(|| panic!("no group {name}"));
    let lines: Vec<String> = keys
        .iter()
        .filter(|key| !key.default.is_empty() && DeValue::parse(key.default).is_ok())
        .map(|key| format!("{} = {}", key.name, key.default))
        .collect();
    assert!(!lines.is_empty(), "{name} states no default");
    lines.join(joined)
}

#[test]
fn stating_the_defaults_changes_nothing() {
    let plain = "title = \"t\"\ntime = { dt = 0.01, end = 1 }\n\
        [output]\ncamera = { from = [1, 2, 3], to = [0, 0, 0] }\n\
        [body.ground]\nmotion = \"static\"\nshape = { kind = \"half_space\" }\n\
        [body.ring]\nmotion = \"static\"\nshape = { kind = \"revolution\", profile = [[3, 0], [4, 1]] }\n\
        [body.ball]\nshape = { kind = \"sphere\", radius = 0.1 }\n[body.many]\nshape = { kind = \"hull\", points = [[0, 4, 0], [1, 4, 0], [0, 5, 0], [0, 4, 1]] }\n\
        array = { count = [1, 2, 1], spacing = [0, 3, 0] }\n\
        [body.top]\nposition = [0, 40, 0]\nshape = { kind = \"revolution\", segments = 6, profile = [[0, 0], [1, 0], [0, 1]] }\ndecompose = {}\n"
        .replace("radius = 0.1 }\n", "radius = 0.1 }\nposition_here\n");
    let inside = |name: &str| stated(name, None, ", ");
    let shape = |kind: &str| stated("shape", Some(kind), ", ");
    let full = plain
        .replace(
            "[output]\n",
            &format!(
                "[world]\n{}\n[solver]\n{}\n[material.default]\n{}\n[output]\n{}\n",
                stated("world", None, "\n"),
                stated("solver", None, "\n"),
                stated("material", None, "\n"),
                stated("output", None, "\n")
            ),
        )
        .replace("to = [0, 0, 0] }", &format!("to = [0, 0, 0], {} }}", inside("camera")))
        .replace("\"half_space\" }", &format!("\"half_space\", {} }}", shape("half_space")))
        .replace("profile = [[3, 0], [4, 1]] }", &format!("profile = [[3, 0], [4, 1]], {} }}", shape("revolution")))
        .replace("points = ", &format!("{}, points = ", shape("hull")))
        .replace("spacing = ", &format!("{}, spacing = ", inside("array")))
        .replace("decompose = {}", &format!("decompose = {{ {} }}", inside("decompose")))
        .replace(
            "position_here\n",
            &format!("{}\n", stated("body", None, "\n").replace("position = [0, 0, 0]", "position = [0, 1, 0]")),
        );
    let plain = plain.replace("position_here", "position = [0, 1, 0]");
    let (one, two) = (read(&plain, None, &[]).unwrap(), read(&full, None, &[]).unwrap());
    assert_eq!(format!("{:?}", one.model), format!("{:?}", two.model));
    assert_eq!((one.state, one.solver, one.looks, one.output), (two.state, two.solver, two.looks, two.output));
}
