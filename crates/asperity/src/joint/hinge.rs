//! Hinge: two points stay together, and two axes.

use super::{Coordinate, Drive, Kind};

/// The bodies turn about one axis only. Stops, motor, brake and spring act on the angle (rad, N m).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hinge(pub Drive);

impl Kind for Hinge {
    const NAME: &'static str = "hinge";

    fn held(&self) -> &'static [Coordinate] {
        use Coordinate::{Cosine, World};
        &[World(0), World(1), World(2), Cosine(0, 1), Cosine(0, 2)]
    }

    fn driven(&self) -> Option<(Coordinate, &Drive)> {
        Some((Coordinate::Angle, &self.0))
    }
}
