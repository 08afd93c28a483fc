//! Change of the momentum that no force accounts for: with nothing outside that pushes, p and l stay what they were.
//!
//! The larger of |p − p₀| and |l − l₀| over all steps, as a fraction of the largest sum of the sizes of the bodies' momenta.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{Moment, StepMeasure, relative};
use crate::step::StepReport;
use crate::table::Variant;
use crate::world::Momentum;

/// Largest change of the momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MomentumDrift {
    /// p₀ and l₀: momentum, and angular momentum about the origin, at the start.
    start: [DVec3; 2],
    /// Largest change so far.
    drift: f64,
    /// Largest sum of the sizes of the bodies' momenta.
    flow: f64,
}

impl StepMeasure for MomentumDrift {
    const TABLE: Variant = Variant {
        name: "momentum_drift",
        doc: "Largest change of the momentum that no force accounts for, relative.",
        keys: &[],
    };

    fn start(moment: &Moment) -> Self {
        let Momentum { linear: p, angular: l } = moment.model.momentum(moment.state);
        Self { start: [p, l], ..Self::default() }
    }

    fn add(&mut self, moment: &Moment, _report: &StepReport) {
        let Momentum { linear: p, angular: l } = moment.model.momentum(moment.state);
        self.drift = self.drift.max((p - self.start[0]).length().max((l - self.start[1]).length()));
        self.flow = self.flow.max(moment.model.momentum_scale(moment.state));
    }

    fn value(&self) -> f64 {
        relative(self.drift, self.flow)
    }
}
