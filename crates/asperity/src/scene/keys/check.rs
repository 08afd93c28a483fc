//! Is every key known, and of its kind? All that is wrong is found, not only the first thing.

use asperity_friction::number::Written;

use super::LARGEST_NUMBER;
use crate::body::surface::Formula;
use crate::expression::Expression;
use crate::nearest::did_you_mean;
use crate::scene::document::Document;
use crate::scene::plain::{self, Item, one_of};
use crate::table::{Entry, Fault, Group, Key, Node, Place, Range, Source, Table, Tagged, Value, ValueKind};

/// What is wrong so far.
pub(in crate::scene) struct Problems<'d> {
    document: &'d Document,
    found: Vec<Fault>,
}

impl<'d> Problems<'d> {
    /// Nothing yet.
    pub(in crate::scene) fn new(document: &'d Document) -> Self {
        Self { document, found: Vec::new() }
    }

    /// Adds one.
    pub(in crate::scene) fn push(&mut self, place: &Place, message: impl Into<String>) {
        self.found.push(Fault { place: place.clone(), message: message.into() });
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
    pub(in crate::scene) fn into_list(self) -> Vec<Fault> {
        self.found
    }
}

/// Checks a table of a document against the list of keys.
pub(in crate::scene) fn check(node: &Node, kind: &ValueKind, problems: &mut Problems) {
    let entry = Entry { name: String::new(), key: node.place.clone(), node: node.clone() };
    value("", &entry, kind, problems);
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Checks a value against the kind of its key.
fn value(path: &str, entry: &Entry, kind: &ValueKind, problems: &mut Problems) {
    let fits = match kind {
        ValueKind::Number(_) | ValueKind::Whole(..) | ValueKind::Numbers(..) | ValueKind::Direction => {
            number(path, entry, kind, problems)
        }
        ValueKind::Truth => entry.node.truth().is_some(),
        ValueKind::Text | ValueKind::Word(_) | ValueKind::Formula(_) | ValueKind::Directions(_) => {
            text(path, entry, kind, problems)
        }
        _ => container(path, entry, kind, problems),
    };
    if !fits {
        misfit(path, &entry.node, kind, problems);
    }
}

fn misfit(path: &str, node: &Node, kind: &ValueKind, problems: &mut Problems) {
    let example = match kind {
        ValueKind::Table(_) | ValueKind::Tagged(_) => kind.example().map(|text| format!(" such as {text}")),
        ValueKind::Named(_) => Some(format!(" such as [{path}.name]")),
        _ => None,
    };
    let example = example.unwrap_or_default();
    problems.push(&node.place, format!("{path}: expected {}{example}, found {}", kind.words(), node.found()));
}

/// Checks numbers; answers whether the value has the form of its kind. What is wrong inside that form is told at once.
fn number(path: &str, entry: &Entry, kind: &ValueKind, problems: &mut Problems) -> bool {
    let node = &entry.node;
    match kind {
        ValueKind::Number(range) => match node.number() {
            Some(number) if range.holds(number) => true,
            Some(_) => {
                problems.refuse(path, node, format!("must be {}", range.words()));
                true
            }
            None => false,
        },
        ValueKind::Whole(least, most) => match node.value {
            Value::Integer(n) => u64::try_from(n).is_ok_and(|n| (*least..=*most).contains(&n)),
            _ => false,
        },
        ValueKind::Numbers(count, range) => numbers(path, node, *count, *range, problems),
        ValueKind::Direction => {
            let fits = numbers(path, node, 3, Range::Any, problems);
            let zero = |numbers: [f64; 3]| numbers.iter().all(|x| x.abs() < 1.0 / LARGEST_NUMBER);
            if node.numbers::<3>().is_some_and(zero) {
                problems.refuse(path, node, "a direction needs a length");
            }
            fits
        }
        _ => false,
    }
}

/// Checks a text; answers whether the value is one.
fn text(path: &str, entry: &Entry, kind: &ValueKind, problems: &mut Problems) -> bool {
    let Some(text) = entry.node.text() else { return false };
    let wrong = match kind {
        ValueKind::Word(words) if !words.contains(&text) => {
            let hint = did_you_mean(text, words.iter().copied());
            Some(format!("{path} = \"{text}\": unknown{hint} (expected {})", kind.words()))
        }
        ValueKind::Formula(names) => Expression::parse(text, names).err().map(|error| format!("{path}: {error}")),
        ValueKind::Directions(words) if !words.contains(&text) => Formula::parse(text).err().map(|error| {
            let hint = did_you_mean(text, words.iter().copied());
            format!("{path}: {error}{hint}")
        }),
        _ => None,
    };
    if let Some(message) = wrong {
        problems.push(&entry.node.place, message);
    }
    true
}

/// Checks a list or a table and all that it holds; answers whether the value has the form of its kind.
fn container(path: &str, entry: &Entry, kind: &ValueKind, problems: &mut Problems) -> bool {
    let node = &entry.node;
    match kind {
        ValueKind::List(inner, least) => match node.list().filter(|list| list.len() >= *least) {
            Some(list) => elements(path, list, inner, problems),
            None => return false,
        },
        ValueKind::Several(inner, count) => match node.list().filter(|list| list.len() == *count) {
            Some(list) => elements(path, list, inner, problems),
            None => return false,
        },
        ValueKind::Either(kinds) => match kinds.iter().find(|kind| fits(kind, &node.value)) {
            Some(kind) => value(path, entry, kind, problems),
            None => return false,
        },
        ValueKind::Law => {
            if let Err((place, message)) = plain::law(&Item::new(path.to_owned(), entry)) {
                problems.push(&place, message);
            }
        }
        _ => {
            let Some(table) = node.table() else { return false };
            match kind {
                ValueKind::Table(group) => group_of(path, entry, table, group, problems),
                ValueKind::Tagged(tagged) => tagged_of(path, entry, table, tagged(), problems),
                ValueKind::Named(inner) => named(path, table, inner, problems),
                // Any table will do.
                _ => (),
            }
        }
    }
    true
}

/// Whether a value has the TOML type of a kind; of lists, that their first elements agree too.
fn fits(kind: &ValueKind, value: &Value) -> bool {
    match kind {
        ValueKind::Number(_) | ValueKind::Whole(..) => matches!(value, Value::Integer(_) | Value::Float(_)),
        ValueKind::Truth => matches!(value, Value::Truth(_)),
        ValueKind::Text | ValueKind::Word(_) | ValueKind::Formula(_) | ValueKind::Directions(_) => {
            matches!(value, Value::Text(_))
        }
        ValueKind::Numbers(..) | ValueKind::Direction | ValueKind::List(..) | ValueKind::Several(..) => {
            matches!(value, Value::List(_))
        }
        ValueKind::Table(_) | ValueKind::Tagged(_) | ValueKind::Named(_) | ValueKind::Law | ValueKind::Open => {
            matches!(value, Value::Table(_))
        }
        ValueKind::Either(kinds) => kinds.iter().any(|kind| fits(kind, value)),
    }
}

/// Checks so many numbers; answers whether the value is a list of that length.
fn numbers(path: &str, node: &Node, count: usize, range: Range, problems: &mut Problems) -> bool {
    let Some(list) = node.list().filter(|list| list.len() == count) else { return false };
    for element in list {
        match element.number() {
            Some(number) if range.holds(number) => (),
            Some(_) => problems.refuse(path, element, format!("must be {}", range.words())),
            None => problems.push(&element.place, format!("{path}: expected a number, found {}", element.found())),
        }
    }
    true
}

fn elements(path: &str, list: &[Node], kind: &ValueKind, problems: &mut Problems) {
    for (index, node) in list.iter().enumerate() {
        let entry = Entry { name: index.to_string(), key: node.place.clone(), node: node.clone() };
        value(&format!("{path}[{index}]"), &entry, kind, problems);
    }
}

fn named(path: &str, table: &Table, kind: &ValueKind, problems: &mut Problems) {
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
