//! Tables of a scene file: values that know where they were written, the keys that a table may have, and how values are read.
//!
//! Shapes, joints and measures state their keys with these types, each in its own file, and are made from a `View` of a table that was
//! checked against them. The scene puts all keys together (`scene/keys`) and does the checking.
//!
//! ```
//! use asperity::geometry::SHAPES;
//!
//! let sphere = SHAPES.variant("sphere").expect("in the list");
//! assert!(sphere.keys.iter().any(|key| key.name == "radius" && key.is_required()));
//! ```

mod formula;
mod key;
mod node;
mod view;

pub(crate) use formula::{formula, probes};
pub(crate) use key::collect;
pub use key::{Group, Key, LARGEST_NUMBER, Range, Section, Tagged, ValueKind, Variant};
pub(crate) use key::{LARGEST_TOLERANCE, LEAST_TOLERANCE};
pub use node::{Entry, Node, Place, Source, Table, Value};
pub(crate) use view::{Fault, View, whole};
