//! Slider: one body moves along an axis of the other, without turning.

use super::{Coordinate, Drive, Kind};

/// A moves along B's axis only. Stops, motor, brake and spring act on how far it is out (m, N).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slider(pub Drive);

impl Kind for Slider {
    const NAME: &'static str = "slider";

    fn held(&self) -> &'static [Coordinate] {
        use Coordinate::{Along, Cosine};
        &[Along(1), Along(2), Cosine(0, 1), Cosine(1, 2), Cosine(2, 0)]
    }

    fn driven(&self) -> Option<(Coordinate, &Drive)> {
        Some((Coordinate::Along(0), &self.0))
    }
}
