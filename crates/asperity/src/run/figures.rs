//! Figures of a run: what expectations about all of its steps are measured by, and the rows of `steps.csv`.

use serde::{Deserialize, Serialize};

use crate::measure::{Moment, RunFigures};
use crate::record::{StepRow, StepView};
use crate::step::StepReport;
use crate::world::{Model, State};

/// What is carried along from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Figures {
    /// Total energy at the start, and what the stepper has added since, J.
    first: f64,
    run: RunFigures,
}

impl Figures {
    /// Before the first step; `stored` is the energy that contacts store, J.
    pub(super) fn new(model: &Model, state: &State, stored: f64) -> Self {
        let start = Moment::new(model, state, stored);
        Self { first: start.energy.total(), run: RunFigures::start(&start) }
    }

    /// Takes a step in; answers with its row.
    pub(super) fn row(&mut self, model: &Model, state: &State, report: &StepReport) -> StepRow {
        let moment = Moment::new(model, state, report.stored);
        self.run.add(&moment, report);
        self.first += report.added;
        StepRow::new(&StepView { t: state.time, report, energy: moment.energy, first: self.first })
    }

    pub(super) fn of_run(&self) -> RunFigures {
        self.run
    }
}
