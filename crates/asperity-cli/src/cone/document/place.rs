//! Places of a document: values with their dotted paths, in the order of the text.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value below a section: its dotted path, where its key is, and the table that holds it.
#[derive(Clone)]
pub(super) struct Place<'d, 'i> {
    pub(super) path: String,
    pub(super) key: Range<usize>,
    pub(super) value: &'d Spanned<DeValue<'i>>,
    pub(super) among: Option<&'d DeTable<'i>>,
}

impl<'d, 'i> Place<'d, 'i> {
    /// The key itself.
    pub(super) fn last(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }

    /// The value, when it is a table.
    pub(super) fn table(&self) -> Option<&'d DeTable<'i>> {
        match self.value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => None,
        }
    }

    /// What the value holds: the entries of a table by their keys, the elements of a list.
    pub(super) fn below(&self) -> Vec<Self> {
        match self.value.get_ref() {
            DeValue::Table(table) => {
                let mut entries: Vec<_> = table.iter().collect();
                entries.sort_by_key(|(key, _)| key.span().start);
                let place = |(key, value): (&Spanned<_>, _)| {
                    let name: &std::borrow::Cow<'_, str> = key.get_ref();
                    Self { path: format!("{}.{name}", self.path), key: key.span(), value, among: Some(table) }
                };
                entries.into_iter().map(place).collect()
            }
            DeValue::Array(list) => {
                let place = |value: &'d Spanned<_>| Self {
                    path: self.path.clone(),
                    key: value.span(),
                    value,
                    among: self.among,
                };
                list.iter().map(place).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The first place below this one, in the order of the text, that passes `test`.
    pub(super) fn find(&self, test: &impl Fn(&Self) -> bool) -> Option<Self> {
        self.below().into_iter().find_map(|place| if test(&place) { Some(place) } else { place.find(test) })
    }

    /// Whether this is a law of its own: a table with a `kind`.
    pub(super) fn is_law(&self) -> bool {
        self.table().is_some_and(|table| table.contains_key("kind"))
    }

    /// The laws below this one, but not those within them.
    pub(super) fn laws(&self) -> Vec<Self> {
        let each = |place: Self| if place.is_law() { vec![place] } else { place.laws() };
        self.below().into_iter().flat_map(each).collect()
    }
}
