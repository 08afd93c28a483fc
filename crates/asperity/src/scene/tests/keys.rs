//! The one list of keys: the schema and the docs agree with it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::EXAMPLE;
use crate::scene::{Document, Source, Table, reference, schema};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every scene of the repository.
fn scenes() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("scenes"), root().join("examples/scenes")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn json(text: &str) -> Value {
    let table = toml::de::DeTable::parse(text).unwrap();
    let table = Table::new(table.get_ref(), Source::File);
    let pairs = table.entries().iter().map(|entry| (entry.name.clone(), entry.node.to_json()));
    Value::Object(pairs.collect())
}

/// The parts of JSON schema that ours uses; the reason why a value is not valid.
fn invalid(schema: &Value, all: &Value, value: &Value, path: &str) -> Option<String> {
    let below = |schema: &Value, value: &Value, path: &str| invalid(schema, all, value, path);
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.strip_prefix("#/$defs/").expect(reference);
        let target = &all["$defs"][name];
        assert!(target.is_object(), "{reference} leads nowhere");
        return below(target, value, path);
    }
    for (word, least) in [("oneOf", 1), ("anyOf", 1)] {
        if let Some(choices) = schema[word].as_array() {
            let reasons: Vec<String> = choices.iter().filter_map(|choice| below(choice, value, path)).collect();
            let valid = choices.len() - reasons.len();
            let fits = if word == "oneOf" { valid == least } else { valid >= least };
            return (!fits).then(|| format!("{path}: {valid} of {word} fit: {}", reasons.join("; ")));
        }
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        return Some(format!("{path}: not {}", schema["const"]));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return Some(format!("{path}: {value} is none of {words:?}"));
    }
    let typed = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        None => true,
        Some(other) => panic!("unknown type {other}"),
    };
    if !typed {
        return Some(format!("{path}: not of type {}", schema["type"]));
    }
    let number = value.as_f64().unwrap_or(f64::NAN);
    if schema["minimum"].as_f64().is_some_and(|least| number < least)
        || schema["maximum"].as_f64().is_some_and(|most| number > most)
        || schema["exclusiveMinimum"].as_f64().is_some_and(|least| number <= least)
    {
        return Some(format!("{path}: {number} is out of range"));
    }
    if let Some(list) = value.as_array() {
        let count = list.len() as u64;
        if schema["minItems"].as_u64().is_some_and(|n| count < n)
            || schema["maxItems"].as_u64().is_some_and(|n| count > n)
        {
            return Some(format!("{path}: {count} items"));
        }
        return list.iter().find_map(|item| below(&schema["items"], item, path));
    }
    let table = value.as_object()?;
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !table.contains_key(key) {
            return Some(format!("{path}: {key} is missing"));
        }
    }
    table.iter().find_map(|(key, value)| {
        let path = format!("{path}.{key}");
        match (&schema["properties"][key], &schema["additionalProperties"]) {
            (Value::Null, Value::Bool(false)) => Some(format!("{path} is not known")),
            (Value::Null, Value::Null) => None,
            (Value::Null, more) => below(more, value, &path),
            (known, _) => below(known, value, &path),
        }
    })
}

#[test]
fn every_scene_of_the_repository_is_valid() {
    let schema = schema();
    let paths = scenes();
    assert!(!paths.is_empty());
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(invalid(&schema, &schema, &json(&text), ""), None, "{}", path.display());
        let document = Document::read(&path).unwrap_or_else(|error| panic!("{error}"));
        for variant in document.variants().into_iter().map(Some).chain([None]) {
            document.scene(variant, &[]).unwrap_or_else(|error| panic!("{variant:?}: {error}"));
        }
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = schema();
    let wrong = |from: &str, to: &str| {
        assert!(EXAMPLE.contains(from), "{from}");
        let text = EXAMPLE.replacen(from, to, 1);
        assert!(invalid(&schema, &schema, &json(&text), "").is_some(), "{to}");
        assert!(super::read(&text, None, &[]).is_err(), "{to}");
    };
    wrong("title = ", "titel = ");
    wrong("dt = 0.005", "dt = -0.005");
    wrong("kind = \"sphere\"", "kind = \"shpere\"");
    wrong("radius = 0.1", "radius = 0.1, size = [1, 1, 1]");
    wrong("size = [8, 0.2, 4]", "size = [8, 0.2]");
    wrong("kind = \"matchstick\"", "kind = \"matchstik\"");
    wrong("measure = \"displacement\"", "measure = \"displace\"");
    wrong("kind = \"auto\"", "kind = \"automatic\"");
    wrong("fps = 25", "fps = \"fast\"");
}

#[test]
fn the_docs_have_every_key() {
    let path = root().join("docs/scenes.md");
    let docs = fs::read_to_string(&path).unwrap_or_default();
    let begin = "<!-- keys: written by the test `the_docs_have_every_key` with ASPERITY_WRITE=1 -->\n";
    let (before, _) = docs.split_once(begin).expect("docs/scenes.md has the mark above its tables");
    let expected = format!("{before}{begin}\n{}", reference().trim_end().to_owned() + "\n");
    if std::env::var_os("ASPERITY_WRITE").is_some() {
        fs::write(&path, &expected).unwrap();
    } else {
        assert!(docs == expected, "docs/scenes.md is out of date: run the test with ASPERITY_WRITE=1");
    }
}

#[test]
fn the_docs_show_the_example() {
    let docs = fs::read_to_string(root().join("docs/scenes.md")).unwrap();
    assert!(docs.contains(EXAMPLE), "docs/scenes.md does not show examples/scenes/incline.toml as it is");
}
