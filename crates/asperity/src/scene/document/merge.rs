//! One table laid over another: variants over the document, overrides over both.
//!
//! Tables are merged key by key; everything else is replaced. A table that states its `kind`, `field` or `measure` replaces the one
//! below as a whole, since the keys of another kind mean nothing to it; but for the solver, whose keys are the same for every kind. The list of pairs is merged pair by pair: one with the same
//! two materials, in any order, is merged with it, others are added. A whole number as a key leads to that element of a list.

use crate::table::{Entry, Node, Table, Value};

/// Keys that say what the other keys of their table mean.
const TAGS: [&str; 3] = ["kind", "field", "measure"];

/// The table whose other keys do not depend on its kind.
const SOLVER: &str = "solver";

/// The table that says with `material` what its keys mean; in a body that is a name only.
const RELIEF: &str = "relief";

/// Lays `over` over `base`.
pub(super) fn merge(base: &mut Table, over: Table) {
    for entry in over.entries {
        match base.entries.iter_mut().find(|e| e.name == entry.name) {
            None => base.entries.push(entry),
            Some(below) => merge_node(&mut below.node, entry),
        }
    }
}

fn merge_node(below: &mut Node, entry: Entry) {
    let Entry { name, node, .. } = entry;
    match (&mut below.value, node.value) {
        (Value::Table(base), Value::Table(over)) if name == SOLVER || !is_whole(&name, &over) => {
            merge(base, over);
        }
        (Value::List(base), Value::List(over)) if name == "pair" => merge_pairs(base, over),
        (Value::List(base), Value::Table(over)) if is_index(&over, base.len()) => {
            for entry in over.entries {
                if let Some(element) = entry.name.parse::<usize>().ok().and_then(|i| base.get_mut(i)) {
                    merge_node(element, entry);
                }
            }
        }
        (_, value) => *below = Node { value, place: node.place },
    }
}

/// Whether a table says what it is, and so stands for itself.
fn is_whole(name: &str, over: &Table) -> bool {
    TAGS.iter().any(|tag| over.get(tag).is_some()) || name == RELIEF && over.get("material").is_some()
}

/// Whether all keys are numbers of elements.
fn is_index(table: &Table, length: usize) -> bool {
    let element = |entry: &Entry| entry.name.parse::<usize>().is_ok_and(|i| i < length);
    !table.entries.is_empty() && table.entries.iter().all(element)
}

fn merge_pairs(base: &mut Vec<Node>, over: Vec<Node>) {
    for node in over {
        let key = materials(&node);
        match base.iter_mut().find(|below| key.is_some() && materials(below) == key) {
            Some(Node { value: Value::Table(below), .. }) => {
                if let Value::Table(table) = node.value {
                    merge(below, table);
                }
            }
            _ => base.push(node),
        }
    }
}

/// The two materials of a pair, sorted.
fn materials(pair: &Node) -> Option<[String; 2]> {
    let list = pair.table()?.get("materials")?.list()?;
    let names = list.iter().map(|node| node.text().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
    let mut names: [String; 2] = names.try_into().ok()?;
    names.sort();
    Some(names)
}
