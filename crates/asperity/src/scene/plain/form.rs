//! The forms that the keys of a law or field may have, from examples: no list of keys to keep in step.

use serde_json::Value;

use super::item::Item;
use super::{Catalogue, inline as inline_with};
use crate::table::{Node, Value as Written};

fn inline(value: &Value) -> Option<String> {
    inline_with(value, |number| number.to_string())
}

/// A table that lacks a key.
pub(super) struct Lacking<'d> {
    pub(super) table: Item<'d>,
    /// The key with a value, as an example has it.
    pub(super) example: Option<String>,
}

/// A value that fits no example.
pub(super) struct Misfit<'d> {
    pub(super) item: Item<'d>,
    /// What is wrong with it.
    pub(super) reason: String,
}

/// Values that fit the same key.
pub(super) struct Form {
    examples: Vec<Value>,
}

impl Form {
    /// The tables of this choice.
    pub(super) fn of(catalogue: &Catalogue, name: &str) -> Self {
        Self { examples: (catalogue.examples)(name) }
    }

    /// What the examples hold below a key.
    fn key(&self, key: &str) -> Self {
        let held = self.examples.iter().filter_map(|e| e.get(key)).filter(|v| !v.is_null());
        Self { examples: held.cloned().collect() }
    }

    /// What the lists of the examples hold.
    fn element(&self) -> Self {
        Self { examples: self.examples.iter().filter_map(Value::as_array).flatten().cloned().collect() }
    }

    /// The table that lacks `key`: this one, or one below it that has the key in an example.
    pub(super) fn lacking<'d>(&self, item: &Item<'d>, key: &str) -> Option<Lacking<'d>> {
        let table = item.table()?;
        if table.get(key).is_none() && !self.key(key).examples.is_empty() {
            let example = self.key(key).examples.first().and_then(inline).map(|v| format!("{key} = {v}"));
            return Some(Lacking { table: item.clone(), example });
        }
        item.below().iter().find_map(|held| match &held.node.value {
            Written::List(_) => held.below().iter().find_map(|e| self.key(held.last()).element().lacking(e, key)),
            _ => self.key(held.last()).lacking(held, key),
        })
    }

    /// The first value, in the order of the text, that is like none of the examples.
    pub(super) fn misfit<'d>(&self, item: &Item<'d>) -> Option<Misfit<'d>> {
        if self.examples.is_empty() {
            // An unknown key, or one that no example shows.
            return None;
        }
        let value = item.node;
        let fits = self.examples.iter().any(|e| is_like(e, value))
            && self.length().is_none_or(|n| has_length(value, n))
            && self.names_a_variant(value);
        if !fits {
            return Some(Misfit { item: item.clone(), reason: self.expectation(value) });
        }
        // Laws below were read on their own.
        item.below().iter().filter(|held| !held.is_tagged("kind")).find_map(|held| match &value.value {
            Written::Table(_) => self.key(held.last()).misfit(held),
            _ => self.element().misfit(held),
        })
    }

    /// Whether a table that stands for a variant holds that one alone. Some variants are texts: `"box"`.
    fn names_a_variant(&self, value: &Node) -> bool {
        let Some(table) = value.table() else { return true };
        let variants = self.examples.iter().any(Value::is_string);
        let known = |key: &str| self.examples.iter().any(|e| e.get(key).is_some());
        !variants || table.entries().len() == 1 && table.entries().iter().all(|entry| known(&entry.name))
    }

    /// How many numbers, or rules in their place, a list must hold, when all examples have the same few.
    fn length(&self) -> Option<usize> {
        let plain = |v: &Value| v.is_number() || v.is_string();
        let count = |v: &Value| v.as_array().filter(|list| list.iter().all(plain)).map(Vec::len);
        let lengths: Vec<Option<usize>> = self.examples.iter().map(count).collect();
        lengths.first().copied().flatten().filter(|n| lengths.iter().all(|other| *other == Some(*n)))
    }

    /// "expected a number, found ...".
    fn expectation(&self, value: &Node) -> String {
        // A variant with parameters, named without them.
        if let Some(name) = value.text() {
            let full = self.examples.iter().find(|e| e.get(name).is_some());
            if let Some((text, keys)) = full.and_then(|e| Some((inline(e)?, e.get(name)?.as_object()?))) {
                let keys: Vec<&str> = keys.keys().map(String::as_str).collect();
                return format!("{name} needs {}: {text}", keys.join(" and "));
            }
        }
        let found = value.found();
        match &self.examples[0] {
            Value::Array(_) => {
                let whole = self.element().examples.first().is_some_and(Value::is_u64);
                let things = match (self.element().examples.first(), whole) {
                    (Some(Value::Number(_)), true) => "whole numbers",
                    (Some(Value::Number(_)), false) => "numbers",
                    _ => "tables",
                };
                match self.length() {
                    Some(n) => format!("expected {n} {things}, found {found}"),
                    None => format!("expected a list of {things}, found {found}"),
                }
            }
            Value::Number(number) if number.is_f64() => format!("expected a number, found {found}"),
            Value::Number(_) => format!("expected a whole number (0 or more), found {found}"),
            Value::Object(table) if table.contains_key("kind") => {
                format!("expected a law such as {{ kind = \"coulomb\", mu = 0.5 }}, found {found}")
            }
            _ => format!("expected {}, found {found}", self.alternatives()),
        }
    }

    /// The different examples, as a file would hold them.
    fn alternatives(&self) -> String {
        let mut texts: Vec<String> = Vec::new();
        for text in self.examples.iter().filter_map(inline) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts.join(" or ")
    }
}

/// Whether a value has the type of an example.
fn is_like(example: &Value, value: &Node) -> bool {
    match (example, &value.value) {
        (Value::Number(number), Written::Float(_)) => number.is_f64(),
        (Value::Number(number), Written::Integer(given)) => number.is_f64() || *given >= 0,
        // All texts of laws are names of variants.
        (Value::String(name), Written::Text(given)) => name == given,
        (Value::Array(_), Written::List(_)) | (Value::Object(_), Written::Table(_)) => true,
        (Value::Bool(_), Written::Truth(_)) => true,
        _ => false,
    }
}

fn has_length(value: &Node, n: usize) -> bool {
    value.list().is_some_and(|list| list.len() == n)
}
