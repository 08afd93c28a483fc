//! Values of a table that was checked against the list of keys: a getter finds what is there, or nothing.

use glam::DVec3;

use super::{Entry, Key, Node, Place, Table, Value};

/// Where something is wrong, and why.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The value or the key that is wrong.
    pub(crate) place: Place,
    /// The path of the key, the value, and the reason.
    pub(crate) message: String,
}

/// A table and its path.
#[derive(Clone)]
pub(crate) struct View<'t> {
    pub(crate) path: String,
    pub(crate) place: &'t Place,
    pub(crate) table: &'t Table,
}

impl<'t> View<'t> {
    /// The table of an entry.
    pub(crate) fn of(path: String, place: &'t Place, node: &'t Node) -> Option<Self> {
        Some(Self { path, place, table: node.table()? })
    }

    /// `path.key`.
    pub(crate) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(crate) fn node(&self, key: &str) -> Option<&'t Node> {
        self.table.get(key)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.node(key).is_some()
    }

    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        self.node(key)?.number()
    }

    /// The number of a key, or its default. Required keys were checked before: they are there.
    pub(crate) fn number_of(&self, key: &Key) -> f64 {
        self.number(key.name).unwrap_or_else(|| key.default.parse().unwrap_or(0.0))
    }

    pub(crate) fn vector(&self, key: &str) -> Option<DVec3> {
        self.node(key)?.numbers::<3>().map(DVec3::from_array)
    }

    pub(crate) fn text(&self, key: &str) -> Option<&'t str> {
        self.node(key)?.text()
    }

    pub(crate) fn truth(&self, key: &str) -> Option<bool> {
        self.node(key)?.truth()
    }

    pub(crate) fn whole(&self, key: &str) -> Option<u64> {
        whole(self.node(key)?)
    }

    /// The elements of a list; none if there is no list.
    pub(crate) fn list(&self, key: &str) -> &'t [Node] {
        self.node(key).and_then(Node::list).unwrap_or_default()
    }

    /// The table below a key.
    pub(crate) fn view(&self, key: &str) -> Option<Self> {
        let entry = self.table.entry(key)?;
        Self::of(self.path_of(key), &entry.key, &entry.node)
    }

    /// The tables of a list.
    pub(crate) fn views(&self, key: &str) -> Vec<Self> {
        let path = self.path_of(key);
        let view = |(i, node): (usize, &'t Node)| Self::of(format!("{path}[{i}]"), &node.place, node);
        self.list(key).iter().enumerate().filter_map(view).collect()
    }

    /// The entries of a table of names.
    pub(crate) fn names(&self, key: &str) -> &'t [Entry] {
        self.node(key).and_then(Node::table).map_or(&[], Table::entries)
    }

    /// The whole table as plain data.
    pub(crate) fn own_json(&self) -> serde_json::Value {
        let pairs = self.table.entries().iter().map(|entry| (entry.name.clone(), entry.node.to_json()));
        serde_json::Value::Object(pairs.collect())
    }

    /// Where the value of a key stands; the table, if there is none.
    pub(crate) fn place_of(&self, key: &str) -> Place {
        self.node(key).map_or_else(|| self.place.clone(), |node| node.place.clone())
    }

    /// An error about the value of a key.
    pub(crate) fn fault(&self, key: &str, reason: impl std::fmt::Display) -> Fault {
        Fault { place: self.place_of(key), message: format!("{}: {reason}", self.path_of(key)) }
    }

    /// An error about the table.
    pub(crate) fn own_fault(&self, reason: impl std::fmt::Display) -> Fault {
        Fault { place: self.place.clone(), message: format!("{}: {reason}", self.path) }
    }

    /// Refuses two keys that say the same thing in different ways.
    pub(crate) fn at_most_one(&self, keys: &[&str]) -> Result<(), Fault> {
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
pub(crate) fn whole(node: &Node) -> Option<u64> {
    match node.value {
        Value::Integer(number) => u64::try_from(number).ok(),
        _ => None,
    }
}
