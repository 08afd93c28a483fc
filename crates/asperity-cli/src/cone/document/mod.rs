//! A TOML document whose errors point: file, line, column, key, and the nearest known name.

mod read;

use std::ops::Range;
use std::path::Path;

use asperity::nearest::did_you_mean;
use asperity::scene::plain::{self, Item, one_of};
use asperity::scene::{self, Node, Source};
use asperity_friction::model::FrictionModel;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::CliError;
pub(crate) use read::Read;

/// A parsed document and its text.
pub(crate) struct Document<'i> {
    path: &'i Path,
    text: &'i str,
    root: Spanned<DeTable<'i>>,
}

impl<'i> Document<'i> {
    /// Parses `text`, which was read from `path`.
    pub(crate) fn parse(path: &'i Path, text: &'i str) -> Result<Self, CliError> {
        let located = |error: toml::de::Error| {
            let (line, column) = position(text, error.span().map_or(0, |s| s.start));
            CliError::Input(format!("{}:{line}:{column}: {}", path.display(), error.message()))
        };
        Ok(Self { path, text, root: DeTable::parse(text).map_err(located)? })
    }

    /// The document's own keys.
    pub(crate) fn root(&self) -> Section<'_, 'i> {
        Section { document: self, name: String::new(), table: self.root.get_ref(), span: self.root.span() }
    }

    /// An error at a place of the document.
    pub(crate) fn error(&self, span: &Range<usize>, message: impl AsRef<str>) -> CliError {
        let (line, column) = position(self.text, span.start);
        CliError::Input(format!("{}:{line}:{column}: {}", self.path.display(), message.as_ref()))
    }

    /// What the document says there.
    fn quote(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }
}

/// Line and column of a byte, both from one.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
    (line, column)
}

/// A table of the document.
pub(crate) struct Section<'d, 'i> {
    document: &'d Document<'i>,
    name: String,
    table: &'d DeTable<'i>,
    span: Range<usize>,
}

impl<'d, 'i> Section<'d, 'i> {
    /// `name.key`.
    fn path_of(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// Refuses keys that are not in `known`.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), CliError> {
        for key in self.table.keys() {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let hint = did_you_mean(name, known.iter().copied());
                let message = format!("unknown key `{}`{hint} (expected {})", self.path_of(name), one_of(known));
                return Err(self.document.error(&key.span(), message));
            }
        }
        Ok(())
    }

    /// Refuses more than one of `keys`, which say the same thing in different ways.
    pub(crate) fn at_most_one(&self, keys: &[&str]) -> Result<(), CliError> {
        let given: Vec<&str> = keys.iter().copied().filter(|k| self.table.contains_key(*k)).collect();
        match given[..] {
            [first, second, ..] => {
                let message = format!("excludes `{}`: give one of them", self.path_of(first));
                Err(self.refuse(second, message))
            }
            _ => Ok(()),
        }
    }

    /// Where the value of `key` is; the section, if there is none.
    pub(crate) fn span_of(&self, key: &str) -> Range<usize> {
        self.table.get(key).map_or_else(|| self.span.clone(), Spanned::span)
    }

    /// An error about the value of `key`.
    pub(crate) fn refuse(&self, key: &str, message: impl AsRef<str>) -> CliError {
        self.document.error(&self.span_of(key), format!("{}: {}", self.path_of(key), message.as_ref()))
    }

    /// An error about the value of `key`, with the value.
    pub(crate) fn refuse_value(&self, key: &str, message: impl AsRef<str>) -> CliError {
        let span = self.span_of(key);
        let (path, quote) = (self.path_of(key), self.document.quote(&span));
        self.document.error(&span, format!("{path} = {quote}: {}", message.as_ref()))
    }

    /// Whether the key is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// A table below this one.
    pub(crate) fn section(&self, key: &str) -> Result<Option<Section<'d, 'i>>, CliError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(table) => {
                Ok(Some(Section { document: self.document, name: self.path_of(key), table, span: value.span() }))
            }
            other => Err(self.refuse(key, format!("expected a table, found {}", read::found(other)))),
        }
    }

    /// The value of `key`; its numbers must be finite, its lists as long as `T` says.
    pub(crate) fn get<T: Read>(&self, key: &str) -> Result<Option<T>, CliError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match T::read(value) {
            Ok(read) if read.is_finite() => Ok(Some(read)),
            Ok(_) => Err(self.refuse_value(key, "must be finite")),
            Err((span, message)) => Err(self.document.error(&span, format!("{}: {message}", self.path_of(key)))),
        }
    }

    /// A finite number that is not negative.
    pub(crate) fn not_negative(&self, key: &str) -> Result<Option<f64>, CliError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match f64::read(value) {
            Ok(number) if number.is_finite() && number >= 0.0 => Ok(Some(number)),
            Ok(_) => Err(self.refuse_value(key, "must be finite and not negative")),
            Err((span, message)) => Err(self.document.error(&span, format!("{}: {message}", self.path_of(key)))),
        }
    }

    /// The law below `key`.
    pub(crate) fn law(&self, key: &str) -> Result<Option<FrictionModel>, CliError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let key_place = scene::Place { source: Source::File, span: value.span() };
        let node = Node::new(value, Source::File);
        let item = Item { path: self.path_of(key), key: key_place, node: &node, among: None };
        let refused = |(place, message): plain::Refusal| self.document.error(&place.span, message);
        plain::law(&item).map(Some).map_err(refused)
    }
}
