//! Ball joint: two points stay together.

use super::{Coordinate, Kind};

/// Two points stay together; the bodies turn as they like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ball;

impl Kind for Ball {
    const NAME: &'static str = "ball";

    fn held(&self) -> &'static [Coordinate] {
        use Coordinate::World;
        &[World(0), World(1), World(2)]
    }
}
