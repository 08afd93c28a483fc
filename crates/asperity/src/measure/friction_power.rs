//! Largest power that friction put in at a contact: zero if friction never drove.

use serde::{Deserialize, Serialize};

use super::{Moment, StepMeasure};
use crate::step::StepReport;
use crate::table::Variant;

/// Largest power, W.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrictionPower(pub f64);

impl StepMeasure for FrictionPower {
    const TABLE: Variant =
        Variant { name: "friction_power", doc: "Largest power that friction put in at a contact, in W.", keys: &[] };

    fn start(_moment: &Moment) -> Self {
        Self::default()
    }

    fn add(&mut self, _moment: &Moment, report: &StepReport) {
        self.0 = self.0.max(report.largest_friction_power);
    }

    fn value(&self) -> f64 {
        self.0
    }
}
