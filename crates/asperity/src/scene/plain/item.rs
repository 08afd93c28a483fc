//! Values with their dotted paths, in the order of the text.

use crate::table::{Entry, Node, Place, Table, View};

/// A value: its dotted path, where its key is, and the table that holds it.
#[derive(Clone)]
pub struct Item<'d> {
    /// `body.box.structure`.
    pub path: String,
    /// Where the key stands.
    pub key: Place,
    /// The value.
    pub node: &'d Node,
    /// The table that holds it.
    pub among: Option<&'d Table>,
}

impl<'d> Item<'d> {
    /// A value of a table.
    pub fn new(path: String, entry: &'d Entry) -> Self {
        Self { path, key: entry.key.clone(), node: &entry.node, among: None }
    }

    /// The value of a key of a table that is being read.
    pub(crate) fn of(view: &View<'d>, key: &str) -> Option<Self> {
        view.table.entry(key).map(|entry| Self::new(view.path_of(key), entry))
    }

    /// The key itself.
    pub(super) fn last(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }

    /// The value, when it is a table.
    pub(super) fn table(&self) -> Option<&'d Table> {
        self.node.table()
    }

    /// What the value holds: the entries of a table by their keys, the elements of a list.
    pub(super) fn below(&self) -> Vec<Self> {
        if let Some(table) = self.node.table() {
            let item = |entry: &'d Entry| Self {
                path: format!("{}.{}", self.path, entry.name),
                key: entry.key.clone(),
                node: &entry.node,
                among: Some(table),
            };
            return table.entries().iter().map(item).collect();
        }
        let list = self.node.list().unwrap_or_default();
        let item = |node: &'d Node| Self { path: self.path.clone(), key: node.place.clone(), node, among: self.among };
        list.iter().map(item).collect()
    }

    /// The first item below this one, in the order of the text, that passes `test`.
    pub(super) fn find(&self, test: &impl Fn(&Self) -> bool) -> Option<Self> {
        self.below().into_iter().find_map(|item| if test(&item) { Some(item) } else { item.find(test) })
    }

    /// Whether this is a value of its own: a table with the tag.
    pub(super) fn is_tagged(&self, tag: &str) -> bool {
        self.table().is_some_and(|table| table.get(tag).is_some())
    }

    /// The tagged values below this one, but not those within them.
    pub(super) fn tagged(&self, tag: &str) -> Vec<Self> {
        let each = |item: Self| if item.is_tagged(tag) { vec![item] } else { item.tagged(tag) };
        self.below().into_iter().flat_map(each).collect()
    }
}
