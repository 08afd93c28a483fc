//! Largest error of a length that a joint holds.

use serde::{Deserialize, Serialize};

use super::{Moment, StepMeasure};
use crate::step::StepReport;
use crate::table::Variant;

/// Largest error, m.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointDrift(pub f64);

impl StepMeasure for JointDrift {
    const TABLE: Variant =
        Variant { name: "joint_drift", doc: "Largest error of a length that a joint holds, in m.", keys: &[] };

    fn start(_moment: &Moment) -> Self {
        Self::default()
    }

    fn add(&mut self, _moment: &Moment, report: &StepReport) {
        self.0 = self.0.max(report.joint_drift);
    }

    fn value(&self) -> f64 {
        self.0
    }
}
