//! Is every key known, and of its kind? All that is wrong is found, not only the first thing.

use asperity_friction::number::Written;

use super::LARGEST_NUMBER;
use super::kind::{Group, Key, Kind, Range, Tagged};
use crate::body::surface::Formula;
use crate::expression::Expression;
use crate::nearest::did_you_mean;
use crate::scene::document::{Document, Entry, Node, Place, Source, Table, Value};
use crate::scene::plain::{self, Item, one_of};

/// What is wrong so far.
pub(in crate::scene) struct Problems<'d> {
    document: &'d Document,
    found: Vec<(Place, String)>,
}

impl<'d> Problems<'d> {
    /// Nothing yet.
    pub(in crate::scene) fn new(document: &'d Document) -> Self {
        Self { document, found: Vec::new() }
    }

    /// Adds one.
    pub(in crate::scene) fn push(&mut self, place: &Place, message: impl Into<String>) {
        self.found.push((place.clone(), message.into()));
    }

    /// Adds one about a value: "path = value: reason".
    pub(in crate::scene) fn refuse(&mut self, path: &str, node: &Node, reason: impl AsRef<str>) {
        let reason = reason.as_ref();
        let message = match (self.document.quote(&node.place), node.number()) {
            (Some(quote), _) => format!("{path} = {quote}: {reason}"),
            (None, Some(number)) => format!("{path} = {}: {reason}", Written(number)),
            (None, None) => format!("{path}: {reason}"),
        };
        self.push(&node.place, message);
    }

    /// Whether there are none.
    pub(in crate::scene) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All of them.
    pub(in crate::scene) fn into_list(self) -> Vec<(Place, String)> {
        self.found
    }
}

/// Checks a table of a document against the list of keys.
pub(in crate::scene) fn check(node: &Node, kind: &Kind, problems: &mut Problems) {
    let entry = Entry { name: String::new(), key: node.place.clone(), node: node.clone() };
    value("", &entry, kind, problems);
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn value(path: &str, entry: &Entry, kind: &Kind, problems: &mut Problems) {
    let node = &entry.node;
    let misfit = |problems: &mut Problems| {
        problems.push(&node.place, format!("{path}: expected {}, found {}", kind.words(), node.found()));
    };
    match kind {
        Kind::Number(range) => match node.number() {
            Some(number) if range.holds(number) => (),
            Some(_) => problems.refuse(path, node, format!("must be {}", range.words())),
            None => misfit(problems),
        },
        Kind::Whole(least, most) => match node.value {
            Value::Integer(n) if u64::try_from(n).is_ok_and(|n| (*least..=*most).contains(&n)) => (),
            _ => misfit(problems),
        },
        Kind::Truth if node.truth().is_some() => (),
        Kind::Text if node.text().is_some() => (),
        Kind::Word(words) => match node.text() {
            Some(text) if words.contains(&text) => (),
            Some(text) => {
                let hint = did_you_mean(text, words.iter().copied());
                problems.push(&node.place, format!("{path} = \"{text}\": unknown{hint} (expected {})", kind.words()));
            }
            None => misfit(problems),
        },
        Kind::Formula(names) => match node.text().map(|text| Expression::parse(text, names)) {
            Some(Ok(_)) => (),
            Some(Err(error)) => problems.push(&node.place, format!("{path}: {error}")),
            None => misfit(problems),
        },
        Kind::Directions(words) => match node.text() {
            Some(text) if words.contains(&text) => (),
            Some(text) => {
                if let Err(error) = Formula::parse(text) {
                    let hint = did_you_mean(text, words.iter().copied());
                    problems.push(&node.place, format!("{path}: {error}{hint}"));
                }
            }
            None => misfit(problems),
        },
        Kind::Numbers(count, range) => numbers(path, entry, kind, *count, *range, problems),
        Kind::Direction => {
            numbers(path, entry, kind, 3, Range::Any, problems);
            let zero = |numbers: [f64; 3]| numbers.iter().all(|x| x.abs() < 1.0 / LARGEST_NUMBER);
            if node.numbers::<3>().is_some_and(zero) {
                problems.refuse(path, node, "a direction needs a length");
            }
        }
        Kind::List(inner, least) => match node.list() {
            Some(list) if list.len() >= *least => elements(path, list, inner, problems),
            _ => misfit(problems),
        },
        Kind::Several(inner, count) => match node.list() {
            Some(list) if list.len() == *count => elements(path, list, inner, problems),
            _ => misfit(problems),
        },
        Kind::Table(group) => match node.table() {
            Some(table) => group_of(path, entry, table, group, problems),
            None => misfit(problems),
        },
        Kind::Tagged(tagged) => match node.table() {
            Some(table) => tagged_of(path, entry, table, tagged, problems),
            None => misfit(problems),
        },
        Kind::Named(inner) => match node.table() {
            Some(table) => named(path, table, inner, problems),
            None => misfit(problems),
        },
        Kind::Either(kinds) => match kinds.iter().find(|kind| fits(kind, &node.value)) {
            Some(kind) => value(path, entry, kind, problems),
            None => misfit(problems),
        },
        Kind::Law => {
            if let Err((place, message)) = plain::law(&Item::new(path.to_owned(), entry)) {
                problems.push(&place, message);
            }
        }
        Kind::Open if node.table().is_some() => (),
        Kind::Open | Kind::Truth | Kind::Text => misfit(problems),
    }
}

/// Whether a value has the TOML type of a kind; of lists, that their first elements agree too.
fn fits(kind: &Kind, value: &Value) -> bool {
    match kind {
        Kind::Number(_) | Kind::Whole(..) => matches!(value, Value::Integer(_) | Value::Float(_)),
        Kind::Truth => matches!(value, Value::Truth(_)),
        Kind::Text | Kind::Word(_) | Kind::Formula(_) | Kind::Directions(_) => matches!(value, Value::Text(_)),
        Kind::Numbers(..) | Kind::Direction | Kind::List(..) | Kind::Several(..) => matches!(value, Value::List(_)),
        Kind::Table(_) | Kind::Tagged(_) | Kind::Named(_) | Kind::Law | Kind::Open => {
            matches!(value, Value::Table(_))
        }
        Kind::Either(kinds) => kinds.iter().any(|kind| fits(kind, value)),
    }
}

fn numbers(path: &str, entry: &Entry, kind: &Kind, count: usize, range: Range, problems: &mut Problems) {
    let node = &entry.node;
    let Some(list) = node.list().filter(|list| list.len() == count) else {
        let message = format!("{path}: expected {}, found {}", kind.words(), node.found());
        return problems.push(&node.place, message);
    };
    for element in list {
        match element.number() {
            Some(number) if range.holds(number) => (),
            Some(_) => problems.refuse(path, element, format!("must be {}", range.words())),
            None => problems.push(&element.place, format!("{path}: expected a number, found {}", element.found())),
        }
    }
}

fn elements(path: &str, list: &[Node], kind: &Kind, problems: &mut Problems) {
    for (index, node) in list.iter().enumerate() {
        let entry = Entry { name: index.to_string(), key: node.place.clone(), node: node.clone() };
        value(&format!("{path}[{index}]"), &entry, kind, problems);
    }
}

fn named(path: &str, table: &Table, kind: &Kind, problems: &mut Problems) {
    for entry in table.entries() {
        let own = below(path, &entry.name);
        let bad = |c: char| c.is_control() || "[]*,".contains(c);
        if entry.name.is_empty() || entry.name.contains(bad) {
            problems.push(&entry.key, format!("{own}: a name must not be empty nor have any of [ ] * , in it"));
        }
        let before = problems.found.len();
        value(&own, entry, kind, problems);
        // An override of a name that is not there is a slip rather than something new and incomplete.
        if problems.found.len() > before && matches!(entry.key.source, Source::Set(_)) {
            let others = table.entries().iter().filter(|e| e.key.source == Source::File).map(|e| e.name.as_str());
            let hint = did_you_mean(&entry.name, others);
            if !hint.is_empty() {
                problems.found.truncate(before);
                problems.push(&entry.key, format!("there is no {path} `{}`{hint}", entry.name));
            }
        }
    }
}

fn missing(path: &str, entry: &Entry, key: &Key, problems: &mut Problems) {
    let name = if path.is_empty() { String::new() } else { format!("{path}: ") };
    problems.push(&entry.key, format!("{name}`{}` is missing (expected {})", key.name, key.kind.words()));
}

fn unknown(path: &str, entry: &Entry, known: &[&str], problems: &mut Problems) {
    let hint = did_you_mean(&entry.name, known.iter().copied());
    let message = format!("unknown key `{}`{hint} (expected {})", below(path, &entry.name), one_of(known));
    problems.push(&entry.key, message);
}

fn group_of(path: &str, entry: &Entry, table: &Table, group: &Group, problems: &mut Problems) {
    for held in table.entries() {
        match group.keys.iter().find(|key| key.name == held.name) {
            Some(key) => value(&below(path, &held.name), held, &key.kind, problems),
            None => {
                let known: Vec<&str> = group.keys.iter().map(|key| key.name).collect();
                unknown(path, held, &known, problems);
            }
        }
    }
    for key in group.keys.iter().filter(|key| key.is_required() && table.get(key.name).is_none()) {
        missing(path, entry, key, problems);
    }
}

fn tagged_of(path: &str, entry: &Entry, table: &Table, tagged: &Tagged, problems: &mut Problems) {
    let names: Vec<&str> = tagged.variants.iter().map(|variant| variant.name).collect();
    let tag = tagged.tag;
    let Some(node) = table.get(tag) else {
        return problems.push(&entry.key, format!("{path}: `{tag}` is missing (expected {})", one_of(&names)));
    };
    let Some(variant) = node.text().and_then(|name| tagged.variant(name)) else {
        let message = match node.text() {
            Some(name) => {
                let hint = did_you_mean(name, names.iter().copied());
                format!("{path}.{tag} = \"{name}\": unknown {}{hint} (expected {})", tagged.name, one_of(&names))
            }
            None => format!("{path}.{tag}: expected text in quotes, found {}", node.found()),
        };
        return problems.push(&node.place, message);
    };
    let keys = || variant.keys.iter().chain(tagged.common);
    for held in table.entries().iter().filter(|held| held.name != tag) {
        match keys().find(|key| key.name == held.name) {
            Some(key) => value(&below(path, &held.name), held, &key.kind, problems),
            None => {
                let known: Vec<&str> = [tag].into_iter().chain(keys().map(|key| key.name)).collect();
                unknown(path, held, &known, problems);
            }
        }
    }
    for key in keys().filter(|key| key.is_required() && table.get(key.name).is_none()) {
        missing(path, entry, key, problems);
    }
}
