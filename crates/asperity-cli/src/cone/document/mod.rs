//! A TOML document whose errors point: file, line, column, key, and the nearest known name.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use crate::error::CliError;
use crate::nearest::did_you_mean;

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
            other => Err(self.refuse(key, format!("expected a table, found a value ({})", other.type_str()))),
        }
    }

    /// The value of `key`, as a `T`.
    pub(crate) fn get<T: Deserialize<'i>>(&self, key: &str) -> Result<Option<T>, CliError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match T::deserialize(ValueDeserializer::from(value.clone())) {
            Ok(read) => Ok(Some(read)),
            Err(error) => Err(self.explain(key, value, &error)),
        }
    }

    /// Numbers that must be finite, in any nesting of arrays.
    pub(crate) fn numbers<T: Deserialize<'i> + Numbers>(&self, key: &str) -> Result<Option<T>, CliError> {
        let read = self.get::<T>(key)?;
        if read.as_ref().is_some_and(|numbers| !numbers.all_finite()) {
            return Err(self.refuse_value(key, "must be finite"));
        }
        Ok(read)
    }

    /// A finite number that is not negative.
    pub(crate) fn not_negative(&self, key: &str) -> Result<Option<f64>, CliError> {
        let read = self.get::<f64>(key)?;
        if read.is_some_and(|number| !(number.is_finite() && number >= 0.0)) {
            return Err(self.refuse_value(key, "must be finite and not negative"));
        }
        Ok(read)
    }

    /// Where and why the value of `key` was refused. Reading a tagged table loses the place, so it is sought by what
    /// the message names: an unknown key or variant, a value of the wrong type, or `name = value`.
    fn explain(&self, key: &str, value: &Spanned<DeValue<'i>>, error: &toml::de::Error) -> CliError {
        let message = error.message();
        let here = Place { path: self.path_of(key), key: value.span(), value, among: None };
        let quoted: Vec<&str> = message.split(['`', '"']).skip(1).step_by(2).collect();
        let told = |place: &Place, text: String| self.document.error(&place.key, text);
        match (message.split(' ').next().unwrap_or_default(), &quoted[..]) {
            ("unknown", [name, known @ ..]) => {
                // Where the other keys are among those expected; a key may be known in one table and not in another.
                let fits = |p: &Place| p.among.is_none_or(|t| t.keys().all(|k| fits_among(k.get_ref(), name, known)));
                let named = |p: &Place| p.last() == *name;
                let place = find(&here, &|p| named(p) && fits(p)).or_else(|| find(&here, &named));
                let hint = did_you_mean(name, known.iter().copied());
                let expected = one_of(known);
                if let Some(place) = place {
                    return told(&place, format!("unknown key `{}`{hint} (expected {expected})", place.path));
                }
                let place = find(&here, &|p| p.value.get_ref().as_str() == Some(name)).unwrap_or(here);
                told(&place, format!("{} = \"{name}\": unknown{hint} (expected {expected})", place.path))
            }
            ("missing", [name]) => told(&here, format!("{}: `{name}` is missing", here.path)),
            ("invalid", [literal]) => {
                let place = find(&here, &|p| literal_of(p.value.get_ref()) == Some(literal)).unwrap_or(here);
                told(&place, format!("{}: {message}", place.path))
            }
            _ => self.explain_value(here, message, error),
        }
    }

    /// "mu = -1: must be ..."; the name may say more than the key ("mu along the axis", "spin.parallel").
    fn explain_value(&self, here: Place<'_, 'i>, message: &str, error: &toml::de::Error) -> CliError {
        let (name, rest) = message.split_once(" = ").unwrap_or((message, ""));
        let ends = [name, name.rsplit('.').next().unwrap_or(name), name.split(' ').next().unwrap_or(name)];
        match find(&here, &|p| ends.contains(&p.last())) {
            Some(place) if place.last() == name => self.document.error(&place.key, format!("{} = {rest}", place.path)),
            Some(place) => self.document.error(&place.key, format!("{}: {message}", place.path)),
            None => self.document.error(&error.span().unwrap_or(here.key), format!("{}: {message}", here.path)),
        }
    }
}

/// A value below a section: its dotted path, where its key is, and the table that holds it.
struct Place<'d, 'i> {
    path: String,
    key: Range<usize>,
    value: &'d Spanned<DeValue<'i>>,
    among: Option<&'d DeTable<'i>>,
}

impl Place<'_, '_> {
    /// The key itself.
    fn last(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }
}

fn fits_among(key: &str, unknown: &str, known: &[&str]) -> bool {
    key == unknown || key == "kind" || known.contains(&key)
}

/// What the text says for a string or a number.
fn literal_of<'v>(value: &'v DeValue<'_>) -> Option<&'v str> {
    match value {
        DeValue::String(text) => Some(text),
        DeValue::Integer(number) => Some(number.as_str()),
        DeValue::Float(number) => Some(number.as_str()),
        DeValue::Boolean(true) => Some("true"),
        DeValue::Boolean(false) => Some("false"),
        _ => None,
    }
}

/// The first place below `start`, in the order of the text, that passes `test`.
fn find<'d, 'i>(start: &Place<'d, 'i>, test: &impl Fn(&Place<'d, 'i>) -> bool) -> Option<Place<'d, 'i>> {
    let below = |value: &'d Spanned<DeValue<'i>>, path: String, key, among| {
        let place = Place { path, key, value, among };
        if test(&place) { Some(place) } else { find(&place, test) }
    };
    match start.value.get_ref() {
        DeValue::Table(table) => {
            let mut entries: Vec<_> = table.iter().collect();
            entries.sort_by_key(|(key, _)| key.span().start);
            let path = |key: &str| format!("{}.{key}", start.path);
            entries.into_iter().find_map(|(key, held)| below(held, path(key.get_ref()), key.span(), Some(table)))
        }
        DeValue::Array(array) => {
            array.iter().find_map(|held| below(held, start.path.clone(), held.span(), start.among))
        }
        _ => None,
    }
}

/// "`x`", or "one of `x`, `y`".
fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    if quoted.len() == 1 { quoted.concat() } else { format!("one of {}", quoted.join(", ")) }
}

/// Numbers in any nesting of arrays.
pub(crate) trait Numbers {
    /// Whether none is NaN or infinite.
    fn all_finite(&self) -> bool;
}

impl Numbers for f64 {
    fn all_finite(&self) -> bool {
        self.is_finite()
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn all_finite(&self) -> bool {
        self.iter().all(Numbers::all_finite)
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    fn all_finite(&self) -> bool {
        self.iter().all(Numbers::all_finite)
    }
}
