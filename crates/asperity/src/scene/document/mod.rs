//! A scene file before it is read: its variants, and overrides from outside.

mod merge;

use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::error::{Location, Problem, SceneError};
use crate::input_file::read_regular;
use crate::nearest::did_you_mean;
use crate::table::{Fault, Node, Place, Source, Table, Value};

/// Largest file that is read: a guard against a mistaken name.
const LARGEST: u64 = 64 << 20;

/// A parsed scene file.
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    text: String,
    root: Table,
}

/// The tree of one scene: the document with a variant and overrides laid over it.
pub(super) struct Tree<'d> {
    pub(super) document: &'d Document,
    pub(super) root: Node,
    pub(super) set: &'d [(String, String)],
}

impl Document {
    /// Reads a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let refuse = |reason: String| SceneError::file(path, reason);
        let bytes = read_regular(path, LARGEST).map_err(refuse)?;
        let text = String::from_utf8(bytes)
            .map_err(|error| refuse(format!("is not UTF-8 text (byte {} is not)", error.utf8_error().valid_up_to())))?;
        Self::parse(&text, path)
    }

    /// Parses `text`, which was read from `path`. Files that the scene names are sought beside it.
    pub fn parse(text: &str, path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let parsed = DeTable::parse(text).map_err(|error| {
            let place = Place { source: Source::File, span: error.span().unwrap_or(0..0) };
            let location = Location::new(&place, path, text, &[]);
            SceneError { problems: vec![Problem { message: error.message().trim().replace('\n', "; "), location }] }
        })?;
        let root = Table::new(parsed.get_ref(), Source::File);
        Ok(Self { path: path.to_owned(), text: text.to_owned(), root })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file says.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Names of the variants, in the order of the text.
    pub fn variants(&self) -> Vec<&str> {
        let table = self.root.get("variant").and_then(Node::table);
        table.map_or_else(Vec::new, |table| table.entries().iter().map(|e| e.name.as_str()).collect())
    }

    pub(super) fn tree<'d>(
        &'d self,
        variant: Option<&str>,
        set: &'d [(String, String)],
    ) -> Result<Tree<'d>, SceneError> {
        let mut root = self.root.clone();
        let variants = root.remove("variant");
        if let Some(name) = variant {
            let known = self.variants();
            let table = variants.as_ref().and_then(|entry| entry.node.table()).and_then(|table| table.get(name));
            let Some(node) = table else {
                let list = if known.is_empty() { "it has none".into() } else { format!("it has {}", known.join(", ")) };
                let hint = did_you_mean(name, known.iter().copied());
                return Err(SceneError::file(&self.path, format!("no variant `{name}`{hint} ({list})")));
            };
            match &node.value {
                Value::Table(over) => merge::merge(&mut root, over.clone()),
                _ => {
                    let message = format!("variant.{name}: expected a table, found {}", node.found());
                    return Err(self.error(vec![Fault { place: node.place.clone(), message }], set));
                }
            }
        } else if let Some(entry) = &variants
            && entry.node.table().is_none()
        {
            let message = format!("variant: expected a table, found {}", entry.node.found());
            return Err(self.error(vec![Fault { place: entry.node.place.clone(), message }], set));
        }
        for (index, (key, value)) in set.iter().enumerate() {
            let place = Place { source: Source::Set(index), span: 0..0 };
            let over = parse_override(key, value, &place)
                .map_err(|message| self.error(vec![Fault { place, message }], set))?;
            merge::merge(&mut root, over);
        }
        let place = Place { source: Source::File, span: 0..0 };
        Ok(Tree { document: self, root: Node { value: Value::Table(root), place }, set })
    }

    /// An error at places of the document or of overrides, sorted by place.
    pub(super) fn error(&self, mut problems: Vec<Fault>, set: &[(String, String)]) -> SceneError {
        problems.sort_by_key(|fault| (fault.place.source, fault.place.span.start));
        let problem = |Fault { place, message }: Fault| Problem {
            message,
            location: Location::new(&place, &self.path, &self.text, set),
        };
        SceneError { problems: problems.into_iter().map(problem).collect() }
    }

    /// What the file says at a place.
    pub(super) fn quote(&self, place: &Place) -> Option<&str> {
        match place.source {
            Source::File => self.text.get(place.span.clone()).filter(|text| !text.contains('\n') && text.len() < 80),
            Source::Set(_) => None,
        }
    }
}

/// `a.b.c` and a value as a table.
fn parse_override(key: &str, value: &str, place: &Place) -> Result<Table, String> {
    let text = format!("{key} = 0");
    let keys = DeTable::parse(&text).ok().filter(|_| !key.contains(['\n', '\r', '#', '=']));
    let Some(keys) = keys else { return Err("the key must be a dotted key such as time.dt".into()) };
    let mut table = Table::new(keys.get_ref(), place.source);
    let node = match DeValue::parse(value.trim()) {
        Ok(parsed) => Node::new(&parsed, place.source).placed(place),
        Err(error) => {
            // What begins like a value was meant as one.
            let word = value.trim().chars().next().is_some_and(|c| c.is_alphabetic() || c == '#' || c == '_');
            if !word {
                return Err(format!("not a TOML value: {}", error.message().trim().replace('\n', "; ")));
            }
            Node { value: Value::Text(value.trim().to_owned()), place: place.clone() }
        }
    };
    replace_leaf(&mut table, node, place);
    Ok(table)
}

/// Puts the value at the end of a chain of tables with one key each.
fn replace_leaf(table: &mut Table, node: Node, place: &Place) {
    let Some(entry) = table.entries.first_mut() else { return };
    entry.key = place.clone();
    entry.node.place = place.clone();
    match &mut entry.node.value {
        Value::Table(inner) => replace_leaf(inner, node, place),
        value => *value = node.value,
    }
}
