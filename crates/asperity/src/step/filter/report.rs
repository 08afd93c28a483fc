//! What the contacts of a step did.

use asperity_solve::solver::Status;

use crate::contact::{ContactImpulse, ContactRecord, merge};
use crate::step::report::SpanReport;
use crate::world::ContactMemory;

/// What came of the last sweeps of a step.
#[derive(Default)]
pub(super) struct Acted {
    pub(super) contacts: usize,
    pub(super) residual: f64,
    /// Change of velocities by which elastic forces of solids would still answer the impulses, relative to what these change.
    pub(super) splitting: f64,
    /// Whether the sweeps got to the tolerance.
    pub(super) solved: bool,
    /// Sorted by name, each name once.
    pub(super) impulses: Vec<ContactImpulse>,
    pub(super) records: Vec<ContactRecord>,
}

impl Acted {
    /// Puts what has the same name together: a pair that is near at the start and meets on the way has two sets of
    /// rows.
    pub(super) fn merge(&mut self) {
        merge(&mut self.impulses);
        merge(&mut self.records);
    }

    /// What is remembered for the next step.
    pub(super) fn memory(&self, h: f64) -> Vec<ContactMemory> {
        self.impulses.iter().map(|own| own.memory(h)).collect()
    }

    pub(super) fn report(self) -> SpanReport {
        let Self { contacts, residual, splitting, solved, impulses, records } = self;
        // A few sweeps are the method: what is left of the residual is stated, and no failure.
        let status = if solved { Status::Solved } else { Status::Approximated };
        SpanReport { contacts, residual, splitting, stored: 0.0, added: 0.0, status, impulses, records }
    }
}
