//! What is wrong with a value that reads itself, with the key and in plain words.
//!
//! Such a value is read as a whole; the reader's own messages lose the place and speak of Rust types. So the innermost law that fails is
//! sought first, then the value whose form is none of those in the examples, then what the message names: an unknown key or variant, a
//! missing key, or `name = value`.

use super::form::{Form, Lacking, Misfit};
use super::item::Item;
use super::{Catalogue, Refusal, one_of};
use crate::nearest::did_you_mean;

/// Why `law` was refused with `message`. `attempt` reads a value again and answers with its message.
pub(super) fn explain(
    law: &Item,
    message: &str,
    catalogue: &Catalogue,
    attempt: &dyn Fn(&Item) -> Option<String>,
) -> Refusal {
    let tag = catalogue.tag;
    for inner in law.tagged(tag) {
        if let Some(own) = attempt(&inner) {
            return explain(&inner, &own, catalogue, attempt);
        }
    }
    let quoted: Vec<&str> = message.split(['`', '"']).skip(1).step_by(2).collect();
    let Some(table) = law.table() else {
        let Catalogue { noun, sample, .. } = catalogue;
        let message = format!("{}: expected a {noun} such as {sample}, found {}", law.path, law.node.found());
        return (law.node.place.clone(), message);
    };
    let known = (catalogue.names)();
    let Some(kind) = table.get(tag) else {
        return (law.key.clone(), format!("{}: `{tag}` is missing (expected {})", law.path, one_of(&known)));
    };
    let Some(name) = kind.text().filter(|name| known.contains(name)) else {
        let (given, hint) = match kind.text() {
            Some(name) => (format!("\"{name}\""), did_you_mean(name, known.iter().copied())),
            None => (kind.found(), String::new()),
        };
        let at = law.find(&|p| p.last() == tag).map_or(kind.place.clone(), |p| p.key);
        let (path, noun) = (&law.path, catalogue.noun);
        return (at, format!("{path}.{tag} = {given}: unknown {noun}{hint} (expected {})", one_of(&known)));
    };
    let form = Form::of(catalogue, name);
    match (message.split(' ').next().unwrap_or_default(), &quoted[..]) {
        ("unknown", [unknown, expected @ ..]) if message.starts_with("unknown field") => {
            unknown_key(law, unknown, expected, tag)
        }
        ("missing", [key]) => {
            let Lacking { table: at, example } =
                form.lacking(law, key).unwrap_or(Lacking { table: law.clone(), example: None });
            let example = example.map_or_else(String::new, |e| format!(": for example {e}"));
            (at.key, format!("{}: `{key}` is missing{example}", at.path))
        }
        ("unknown", [variant, expected @ ..]) => {
            let named = |p: &Item| p.node.text() == Some(variant) || p.last() == *variant;
            let at = law.find(&named).unwrap_or(law.clone());
            let hint = did_you_mean(variant, expected.iter().copied());
            let path = if at.last() == *variant { at.path.clone() } else { format!("{} = \"{variant}\"", at.path) };
            (at.key, format!("{path}: unknown{hint} (expected {})", one_of(expected)))
        }
        _ => match form.misfit(law) {
            Some(Misfit { item: at, reason }) => (at.key, format!("{}: {reason}", at.path)),
            None => named_value(law, message),
        },
    }
}

/// A key that is known in one table may be unknown in another: where the others are among those expected.
fn unknown_key(law: &Item, name: &str, known: &[&str], tag: &str) -> Refusal {
    let expected = |key: &str| key == name || key == tag || known.contains(&key);
    let fits = |p: &Item| p.among.is_none_or(|table| table.entries().iter().all(|entry| expected(&entry.name)));
    let named = |p: &Item| p.last() == name;
    let at = law.find(&|p| named(p) && fits(p)).or_else(|| law.find(&named)).unwrap_or(law.clone());
    let hint = did_you_mean(name, known.iter().copied());
    (at.key, format!("unknown key `{}`{hint} (expected {})", at.path, one_of(known)))
}

/// "mu = -1: must be ..."; the name may say more than the key ("mu along the axis", "spin.parallel").
fn named_value(law: &Item, message: &str) -> Refusal {
    let (name, rest) = message.split_once(" = ").unwrap_or((message, ""));
    let ends = [name, name.rsplit('.').next().unwrap_or(name), name.split(' ').next().unwrap_or(name)];
    match law.find(&|p| ends.contains(&p.last())) {
        Some(at) if at.last() == name => (at.key, format!("{} = {rest}", at.path)),
        Some(at) => (at.key, format!("{}: {message}", at.path)),
        None => (law.key.clone(), format!("{}: {message}", law.path)),
    }
}
