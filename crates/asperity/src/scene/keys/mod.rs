//! The keys of a scene: one list, from which the reader's checks, the schema for editors and the table in the docs come.

mod bodies;
mod check;
mod expect;
mod fields;
mod joints;
mod kind;
mod reference;
mod reliefs;
mod schema;
mod shapes;
mod world;

pub use kind::{Group, Key, Kind, Range, Section, Tagged, Variant};
pub use reference::reference;
pub use schema::schema;

pub(super) use check::{Problems, check};
pub use world::{SCENE, SOLVERS};

/// Most bodies of a scene.
pub const MOST_BODIES: u64 = 100_000;
/// Largest number that a scene may hold, in size: products of a few of them are still finite.
pub const LARGEST_NUMBER: f64 = 1e12;

/// Every group of keys and every tagged table that a scene can hold, each once, in the order of the list.
pub fn groups() -> Vec<Section> {
    let mut found = Vec::new();
    kind::collect(&Kind::Table(&SCENE), &mut found);
    found
}
