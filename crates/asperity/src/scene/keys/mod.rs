//! The keys of a scene: one list, from which the reader's checks, the schema for editors and the table in the docs come.

mod bodies;
mod check;
mod elastic;
mod fields;
mod motion;
mod reference;
mod reliefs;
mod schema;
mod tensors;
mod world;

pub use crate::table::{Group, Key, LARGEST_NUMBER, Range, Section, Tagged, ValueKind, Variant};
pub use reference::reference;
pub use schema::schema;

pub(super) use check::{Problems, check};
pub use world::{SCENE, SOLVERS};

/// Most bodies of a scene.
pub const MOST_BODIES: u64 = 100_000;

/// Every group of keys and every tagged table that a scene can hold, each once, in the order of the list.
pub fn groups() -> Vec<Section> {
    let mut found = Vec::new();
    crate::table::collect(&ValueKind::Table(&SCENE), &mut found);
    found
}
