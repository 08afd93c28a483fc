//! Triangle surfaces that deform: their topology, and where they come near to each other and to themselves.
//!
//! [`SurfaceSet`] holds the surfaces of several bodies and answers with the pairs of elements that are near ([`SurfaceSet::pairs`]) or
//! that come too near on the way from one state to another ([`SurfaceSet::sweep`]). [`Crossings`] asks, by exact arithmetic and by a
//! search of its own, whether surfaces pass through each other.

mod bounds;
mod crossing;
mod grid;
mod incidence;
mod pair;
mod search;
mod set;
mod topology;
mod tree;
mod watch;

pub use crossing::{Crossing, Crossings};
pub use incidence::Incidence;
pub use pair::{Pair, SweptPair};
pub use set::SurfaceSet;
pub(crate) use topology::spacing;
pub use topology::{Candidate, SurfaceParts};
