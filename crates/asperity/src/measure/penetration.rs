//! Deepest overlap of two bodies in a run.

use serde::{Deserialize, Serialize};

use super::{Moment, StepMeasure};
use crate::step::StepReport;
use crate::table::Variant;

/// Deepest overlap, m.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Penetration(pub f64);

impl StepMeasure for Penetration {
    const TABLE: Variant =
        Variant { name: "penetration", doc: "Deepest overlap of two bodies in the run, in m.", keys: &[] };

    fn start(_moment: &Moment) -> Self {
        Self::default()
    }

    fn add(&mut self, _moment: &Moment, report: &StepReport) {
        self.0 = self.0.max(report.penetration);
    }

    fn value(&self) -> f64 {
        self.0
    }
}
