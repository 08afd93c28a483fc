//! Steps that the solver did not converge in.

use asperity_solve::solver::Status;
use serde::{Deserialize, Serialize};

use super::{Moment, StepMeasure};
use crate::step::StepReport;
use crate::table::Variant;

/// Number of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unconverged(pub u64);

impl StepMeasure for Unconverged {
    const TABLE: Variant =
        Variant { name: "unconverged", doc: "Steps that the solver did not converge in.", keys: &[] };

    fn start(_moment: &Moment) -> Self {
        Self::default()
    }

    fn add(&mut self, _moment: &Moment, report: &StepReport) {
        self.0 += u64::from(report.status != Status::Solved);
    }

    fn value(&self) -> f64 {
        self.0 as f64
    }
}
