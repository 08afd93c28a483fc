//! Values of a table that was checked against the list of keys: a getter finds what is there, or nothing.

use glam::DVec3;

use crate::scene::document::{Entry, Node, Place, Table, Value};
use crate::scene::plain::Item;

/// Where something is wrong, and why.
pub(super) type Fault = (Place, String);

/// A table and its path.
#[derive(Clone)]
pub(super) struct View<'t> {
    pub(super) path: String,
    pub(super) place: &'t Place,
    pub(super) table: &'t Table,
}

impl<'t> View<'t> {
    /// The table of an entry.
    pub(super) fn of(path: String, place: &'t Place, node: &'t Node) -> Option<Self> {
        Some(Self { path, place, table: node.table()? })
    }

    /// `path.key`.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(super) fn node(&self, key: &str) -> Option<&'t Node> {
        self.table.get(key)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.node(key).is_some()
    }

    pub(super) fn number(&self, key: &str) -> Option<f64> {
        self.node(key)?.number()
    }

    pub(super) fn vector(&self, key: &str) -> Option<DVec3> {
        self.node(key)?.numbers::<3>().map(DVec3::from_array)
    }

    pub(super) fn text(&self, key: &str) -> Option<&'t str> {
        self.node(key)?.text()
    }

    pub(super) fn truth(&self, key: &str) -> Option<bool> {
        self.node(key)?.truth()
    }

    pub(super) fn whole(&self, key: &str) -> Option<u64> {
        whole(self.node(key)?)
    }

    /// The elements of a list; none if there is no list.
    pub(super) fn list(&self, key: &str) -> &'t [Node] {
        self.node(key).and_then(Node::list).unwrap_or_default()
    }

    /// The table below a key.
    pub(super) fn view(&self, key: &str) -> Option<Self> {
        let entry = self.table.entry(key)?;
        Self::of(self.path_of(key), &entry.key, &entry.node)
    }

    /// The tables of a list.
    pub(super) fn views(&self, key: &str) -> Vec<Self> {
        let path = self.path_of(key);
        let view = |(i, node): (usize, &'t Node)| Self::of(format!("{path}[{i}]"), &node.place, node);
        self.list(key).iter().enumerate().filter_map(view).collect()
    }

    /// The entries of a table of names.
    pub(super) fn names(&self, key: &str) -> &'t [Entry] {
        self.node(key).and_then(Node::table).map_or(&[], Table::entries)
    }

    /// The value as an item, for values that read themselves.
    pub(super) fn item(&self, key: &str) -> Option<Item<'t>> {
        self.table.entry(key).map(|entry| Item::new(self.path_of(key), entry))
    }

    /// The whole table as plain data.
    pub(super) fn own_json(&self) -> serde_json::Value {
        let pairs = self.table.entries().iter().map(|entry| (entry.name.clone(), entry.node.to_json()));
        serde_json::Value::Object(pairs.collect())
    }

    /// Where the value of a key stands; the table, if there is none.
    pub(super) fn place_of(&self, key: &str) -> Place {
        self.node(key).map_or_else(|| self.place.clone(), |node| node.place.clone())
    }

    /// An error about the value of a key.
    pub(super) fn fault(&self, key: &str, reason: impl std::fmt::Display) -> Fault {
        (self.place_of(key), format!("{}: {reason}", self.path_of(key)))
    }

    /// An error about the table.
    pub(super) fn own_fault(&self, reason: impl std::fmt::Display) -> Fault {
        (self.place.clone(), format!("{}: {reason}", self.path))
    }

    /// Refuses two keys that say the same thing in different ways.
    pub(super) fn at_most_one(&self, keys: &[&str]) -> Result<(), Fault> {
        let given: Vec<&str> = keys.iter().copied().filter(|key| self.has(key)).collect();
        match given[..] {
            [first, second, ..] => {
                Err(self.fault(second, format!("excludes `{}`: give one of them", self.path_of(first))))
            }
            _ => Ok(()),
        }
    }
}

/// A whole number.
pub(super) fn whole(node: &Node) -> Option<u64> {
    match node.value {
        Value::Integer(number) => u64::try_from(number).ok(),
        _ => None,
    }
}
