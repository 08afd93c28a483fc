//! What a scene must show, and whether a run shows it.

use crate::measure::{Measure, RunFigures};
use crate::record::{Expectation, RecordError, Recording};
use crate::world::Model;

/// Something that must come out.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Its name in the scene.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// Smallest value that is right.
    pub lower: Option<f64>,
    /// Largest value that is right.
    pub upper: Option<f64>,
}

impl Expect {
    /// Compares the measure with its bounds. What could not be measured does not pass. Fails if the recorded vertices cannot be read.
    pub fn judge(
        &self,
        model: &Model,
        recording: &Recording,
        figures: &RunFigures,
    ) -> Result<Expectation, RecordError> {
        let value = self.measure.of(model, recording, figures)?;
        Ok(Expectation::new(self.name.clone(), value, self.lower, self.upper))
    }
}
