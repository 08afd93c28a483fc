//! Worst residual of a step: how well the solver solved the contact problem.

use serde::{Deserialize, Serialize};

use super::{Moment, StepMeasure};
use crate::step::StepReport;
use crate::table::Variant;

/// Worst residual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorstResidual(pub f64);

impl StepMeasure for WorstResidual {
    const TABLE: Variant = Variant { name: "residual", doc: "Worst residual of a step.", keys: &[] };

    fn start(_moment: &Moment) -> Self {
        Self::default()
    }

    fn add(&mut self, _moment: &Moment, report: &StepReport) {
        self.0 = self.0.max(report.residual);
    }

    fn value(&self) -> f64 {
        self.0
    }
}
