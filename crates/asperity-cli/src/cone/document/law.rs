//! The law of a document. What is wrong with it is said with its key and in plain words.
//!
//! A law is read as a whole, by its `kind`; the reader's own messages lose the place and speak of Rust types. So the
//! innermost law that fails is sought first, then the value whose shape is none of those in the catalogue's examples of
//! that law, then what the message names: an unknown key or variant, a missing key, or `name = value`.

use std::ops::Range;

use asperity_friction::model::{FrictionModel, MODELS};
use serde::Deserialize;
use toml::de::ValueDeserializer;

use super::one_of;
use super::place::Place;
use super::read::found;
use super::shape::Shape;
use crate::nearest::did_you_mean;

/// Where a law is wrong, and why.
type Refusal = (Range<usize>, String);

/// Reads the law at `place`.
pub(super) fn read(place: &Place) -> Result<FrictionModel, Refusal> {
    attempt(place).map_err(|error| explain(place, &error))
}

fn attempt(place: &Place) -> Result<FrictionModel, toml::de::Error> {
    FrictionModel::deserialize(ValueDeserializer::from(place.value.clone()))
}

fn explain(law: &Place, error: &toml::de::Error) -> Refusal {
    for inner in law.laws() {
        if let Err(own) = attempt(&inner) {
            return explain(&inner, &own);
        }
    }
    let message = error.message();
    let quoted: Vec<&str> = message.split(['`', '"']).skip(1).step_by(2).collect();
    let Some(table) = law.table() else {
        return (law.key.clone(), format!("{}: expected a law, found {}", law.path, found(law.value.get_ref())));
    };
    let known: Vec<&str> = MODELS.iter().map(|m| m.name).collect();
    let Some(kind) = table.get("kind") else {
        return (law.key.clone(), format!("{}: `kind` is missing (expected {})", law.path, one_of(&known)));
    };
    let Some(name) = kind.get_ref().as_str().filter(|name| known.contains(name)) else {
        let (given, hint) = match kind.get_ref().as_str() {
            Some(name) => (format!("\"{name}\""), did_you_mean(name, known)),
            None => (found(kind.get_ref()), String::new()),
        };
        let known: Vec<&str> = MODELS.iter().map(|m| m.name).collect();
        let at = law.find(&|p| p.last() == "kind").map_or(kind.span(), |p| p.key);
        return (at, format!("{}.kind = {given}: unknown law{hint} (expected {})", law.path, one_of(&known)));
    };
    let shape = Shape::of_law(name);
    match (message.split(' ').next().unwrap_or_default(), &quoted[..]) {
        ("unknown", [unknown, expected @ ..]) if message.starts_with("unknown field") => {
            unknown_key(law, unknown, expected)
        }
        ("missing", [key]) => {
            let (at, example) = shape.lacking(law, key).unwrap_or((law.clone(), None));
            let example = example.map_or_else(String::new, |e| format!(": for example {e}"));
            (at.key, format!("{}: `{key}` is missing{example}", at.path))
        }
        ("unknown", [variant, expected @ ..]) => {
            let named = |p: &Place| p.value.get_ref().as_str() == Some(variant) || p.last() == *variant;
            let at = law.find(&named).unwrap_or(law.clone());
            let hint = did_you_mean(variant, expected.iter().copied());
            let path = if at.last() == *variant { at.path.clone() } else { format!("{} = \"{variant}\"", at.path) };
            (at.key, format!("{path}: unknown{hint} (expected {})", one_of(expected)))
        }
        _ => match shape.misfit(law) {
            Some((at, reason)) => (at.key, format!("{}: {reason}", at.path)),
            None => named_value(law, message),
        },
    }
}

/// A key that is known in one table may be unknown in another: where the others are among those expected.
fn unknown_key(law: &Place, name: &str, known: &[&str]) -> Refusal {
    let expected = |key: &str| key == name || key == "kind" || known.contains(&key);
    let fits = |p: &Place| p.among.is_none_or(|table| table.keys().all(|k| expected(k.get_ref())));
    let named = |p: &Place| p.last() == name;
    let at = law.find(&|p| named(p) && fits(p)).or_else(|| law.find(&named)).unwrap_or(law.clone());
    let hint = did_you_mean(name, known.iter().copied());
    (at.key, format!("unknown key `{}`{hint} (expected {})", at.path, one_of(known)))
}

/// "mu = -1: must be ..."; the name may say more than the key ("mu along the axis", "spin.parallel").
fn named_value(law: &Place, message: &str) -> Refusal {
    let (name, rest) = message.split_once(" = ").unwrap_or((message, ""));
    let ends = [name, name.rsplit('.').next().unwrap_or(name), name.split(' ').next().unwrap_or(name)];
    match law.find(&|p| ends.contains(&p.last())) {
        Some(at) if at.last() == name => (at.key, format!("{} = {rest}", at.path)),
        Some(at) => (at.key, format!("{}: {message}", at.path)),
        None => (law.key.clone(), format!("{}: {message}", law.path)),
    }
}
