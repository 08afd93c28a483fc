//! A document as a tree whose values know where they were written.

use std::ops::Range;

use asperity_friction::number::Written;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// Which text a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The file.
    File,
    /// The override of this number.
    Set(usize),
}

/// Where a key or a value was written: bytes of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text.
    pub source: Source,
    /// The bytes.
    pub span: Range<usize>,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// What was written.
    pub value: Value,
    /// Where.
    pub place: Place,
}

/// What can be written.
#[derive(Clone, Debug)]
pub enum Value {
    /// Text in quotes.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// Any other number; a whole number beyond 64 bits too.
    Float(f64),
    /// true or false.
    Truth(bool),
    /// A date or time: no scene has a use for one.
    Date,
    /// Values in brackets.
    List(Vec<Node>),
    /// Keys and values, in the order of the text.
    Table(Table),
}

/// Keys and values, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(crate) entries: Vec<Entry>,
}

/// A key, where it was first written, and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub name: String,
    /// Where it stands.
    pub key: Place,
    /// Its value.
    pub node: Node,
}

impl Table {
    /// The entries, in the order of the text.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of a key.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The value of a key.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.entry(name).map(|entry| &entry.node)
    }

    pub(crate) fn remove(&mut self, name: &str) -> Option<Entry> {
        let index = self.entries.iter().position(|entry| entry.name == name)?;
        Some(self.entries.remove(index))
    }
}

impl Node {
    /// From the parser's tree.
    pub fn new(value: &Spanned<DeValue>, source: Source) -> Self {
        let place = Place { source, span: value.span() };
        // Numbers that are none (a digit too many) become NaN, which no key takes.
        let float = || f64::deserialize(ValueDeserializer::from(value.clone())).unwrap_or(f64::NAN);
        let value = match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Value::Integer(number),
                Err(_) => Value::Float(number.as_str().parse().unwrap_or(f64::NAN)),
            },
            DeValue::Float(_) => Value::Float(float()),
            DeValue::Boolean(truth) => Value::Truth(*truth),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(list) => Value::List(list.iter().map(|v| Self::new(v, source)).collect()),
            DeValue::Table(table) => Value::Table(Table::new(table, source)),
        };
        Self { value, place }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Integer(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            _ => None,
        }
    }

    /// The truth, if it is one.
    pub fn truth(&self) -> Option<bool> {
        match self.value {
            Value::Truth(truth) => Some(truth),
            _ => None,
        }
    }

    /// N numbers, if that is what it is.
    pub fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let list = self.list().filter(|list| list.len() == N)?;
        let mut numbers = [0.0; N];
        for (number, node) in numbers.iter_mut().zip(list) {
            *number = node.number()?;
        }
        Some(numbers)
    }

    /// What stands there instead, for a person.
    pub fn found(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("the text \"{text}\""),
            Value::Integer(number) => format!("the number {number}"),
            Value::Float(number) => format!("the number {}", Written(*number)),
            Value::Truth(truth) => truth.to_string(),
            Value::Date => "a date".into(),
            Value::List(list) => match list.len() {
                0 => "an empty list".into(),
                1 => "a list of 1 value".into(),
                n => format!("a list of {n} values"),
            },
            Value::Table(_) => "a table".into(),
        }
    }

    /// As JSON, for types that read themselves. NaN and infinity become null, which no number is read from.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Text(text) => text.as_str().into(),
            Value::Integer(number) => (*number).into(),
            Value::Float(number) => (*number).into(),
            Value::Truth(truth) => (*truth).into(),
            Value::Date => serde_json::Value::Null,
            Value::List(list) => list.iter().map(Self::to_json).collect(),
            Value::Table(table) => {
                let pair = |entry: &Entry| (entry.name.clone(), entry.node.to_json());
                serde_json::Value::Object(table.entries.iter().map(pair).collect())
            }
        }
    }

    /// Puts every place of the tree into one.
    pub(crate) fn placed(mut self, place: &Place) -> Self {
        self.place = place.clone();
        self.value = match self.value {
            Value::List(list) => Value::List(list.into_iter().map(|node| node.placed(place)).collect()),
            Value::Table(table) => Value::Table(Table {
                entries: table
                    .entries
                    .into_iter()
                    .map(|e| Entry { name: e.name, key: place.clone(), node: e.node.placed(place) })
                    .collect(),
            }),
            other => other,
        };
        self
    }
}

impl Table {
    /// From the parser's tree.
    pub fn new(table: &DeTable, source: Source) -> Self {
        let entry = |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue>)| Entry {
            name: key.get_ref().to_string(),
            key: Place { source, span: key.span() },
            node: Node::new(value, source),
        };
        let mut entries: Vec<Entry> = table.iter().map(entry).collect();
        // The parser may sort by name.
        entries.sort_by_key(|entry| entry.key.span.start);
        Self { entries }
    }
}
