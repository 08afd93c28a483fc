//! Figures of a run: what expectations about all of its steps are measured by, and the rows of `steps.csv`.

use serde::{Deserialize, Serialize};

use crate::measure::{Moment, RunFigures};
use crate::record::StepRow;
use crate::step::StepReport;
use crate::world::{Model, State};

/// What is carried along from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Figures {
    /// Total energy at the start, J.
    first: f64,
    run: RunFigures,
}

impl Figures {
    pub(super) fn new(model: &Model, state: &State) -> Self {
        let start = Moment::new(model, state);
        Self { first: start.energies.total(), run: RunFigures::start(&start) }
    }

    /// Takes a step in; answers with its row.
    pub(super) fn row(&mut self, model: &Model, state: &State, report: &StepReport) -> StepRow {
        let moment = Moment::new(model, state);
        self.run.add(&moment, report);
        StepRow {
            t: state.time,
            contacts: report.contacts,
            iterations: report.iterations,
            residual: report.residual,
            penetration: report.penetration,
            kinetic: moment.energies.kinetic,
            potential: moment.energies.potential,
            elastic: moment.energies.elastic,
            friction_power: report.friction_power,
            dissipated: self.first - moment.energies.total(),
            joint_drift: report.joint_drift,
            seconds: report.seconds,
        }
    }

    pub(super) fn of_run(&self) -> RunFigures {
        self.run
    }
}
