//! Fixed joint: two bodies keep the pose that they have to each other at the start.

use super::{Coordinate, Kind};

/// The bodies move as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed;

impl Kind for Fixed {
    const NAME: &'static str = "fixed";

    fn held(&self) -> &'static [Coordinate] {
        use Coordinate::{Cosine, World};
        &[World(0), World(1), World(2), Cosine(0, 1), Cosine(1, 2), Cosine(2, 0)]
    }
}
