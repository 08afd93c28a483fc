//! What a step came to.
//!
//! A step is made of one or more spans: it is cut where a contact bounces, and where joints close slowly. Each span is attempted several times, until its
//! rows, joints and contacts fit together. A [`SpanReport`] is what ONE attempt did; attempts that are rejected leave no trace in the report of the step but
//! for the work that went into them ([`Effort`]). Over the spans of a step impulses and work add up, and forces and powers are those sums divided by the
//! length of the step: so they are the means over the step, however it was cut.

use asperity_solve::solver::Status;
use serde::{Deserialize, Serialize};

use crate::contact::{ContactForce, ContactImpulse, ContactRecord, add_all};

/// Seconds that a step spent in each of its phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseSeconds {
    /// Finding contacts.
    pub detect: f64,
    /// Evaluating friction laws.
    pub law: f64,
    /// Solving for impulses.
    pub solve: f64,
    /// Moving the bodies.
    pub integrate: f64,
    /// Writing results.
    pub record: f64,
}

impl PhaseSeconds {
    /// Adds the seconds of another.
    pub fn add(&mut self, other: &Self) {
        self.detect += other.detect;
        self.law += other.law;
        self.solve += other.solve;
        self.integrate += other.integrate;
        self.record += other.record;
    }
}

/// What all attempts at a step cost, those that were rejected included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Effort {
    pub(super) iterations: usize,
    pub(super) seconds: PhaseSeconds,
}

/// What one attempt at a span of a step did.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpanReport {
    /// Contacts, touching or about to.
    pub(super) contacts: usize,
    /// Residual of the contact problem that was solved last.
    pub(super) residual: f64,
    /// What a stepper leaves in the dynamics by splitting its steps, by lagging friction or by taking back energy: |F(v⁺) − Jᵀ r|,
    /// relative to the size of its terms; zero for others.
    pub(super) splitting: f64,
    /// Energy that contacts store where the span ends, J.
    pub(super) stored: f64,
    /// Energy that was put into what contacts store, by making a barrier stiffer, J.
    pub(super) added: f64,
    /// How the solver ended.
    pub(super) status: Status,
    /// What the contacts did, sorted by pair and feature.
    pub(super) impulses: Vec<ContactImpulse>,
    /// The same in full, of all contacts of the problem, if it is kept.
    pub(super) records: Vec<ContactRecord>,
}

impl Default for SpanReport {
    fn default() -> Self {
        Self {
            contacts: 0,
            residual: 0.0,
            splitting: 0.0,
            stored: 0.0,
            added: 0.0,
            status: Status::Solved,
            impulses: Vec::new(),
            records: Vec::new(),
        }
    }
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Contacts, touching or about to; the most, if the step was cut.
    pub contacts: usize,
    /// Iterations of the solver, in all attempts.
    pub iterations: usize,
    /// Residual of the contact problem; the worst, if the step was cut.
    pub residual: f64,
    /// What a stepper leaves in the dynamics by splitting its steps, by lagging friction or by taking back energy: |F(v⁺) − Jᵀ r|,
    /// relative to the size of its terms; zero for others.
    pub splitting: f64,
    /// Energy that contacts store at the end of the step, J: that of the barrier; zero for steppers without one.
    pub stored: f64,
    /// Energy that the stepper put into what contacts store, J: by making a barrier stiffer; zero for steppers without one.
    pub added: f64,
    /// How the solver ended; if the step was cut, the last way that is not `Solved`.
    pub status: Status,
    /// Deepest overlap at the start of the step, m.
    pub penetration: f64,
    /// Mean power of friction over the step, at the slip at the end of each span, W.
    pub friction_power: f64,
    /// The largest mean power of friction of a single contact, W: not positive but for the solver's tolerance.
    pub largest_friction_power: f64,
    /// Impacts with a bounce within the step.
    pub impacts: usize,
    /// Where the time went.
    pub seconds: PhaseSeconds,
    /// Largest error of a length that a joint holds, at the end of the step, m.
    pub joint_drift: f64,
    /// Mean contact forces over the step, impacts included.
    pub forces: Vec<ContactForce>,
    /// What the contacts of the problem did, sorted by name; empty unless they are kept ([`Stepper::keep_contacts`](super::Stepper::keep_contacts)).
    pub records: Vec<ContactRecord>,
}

impl Default for StepReport {
    fn default() -> Self {
        Self {
            contacts: 0,
            iterations: 0,
            residual: 0.0,
            splitting: 0.0,
            stored: 0.0,
            added: 0.0,
            status: Status::Solved,
            penetration: 0.0,
            friction_power: 0.0,
            largest_friction_power: 0.0,
            impacts: 0,
            seconds: PhaseSeconds::default(),
            joint_drift: 0.0,
            forces: Vec::new(),
            records: Vec::new(),
        }
    }
}

/// Gathers the report of a step from those of its spans.
#[derive(Debug, Default)]
pub(super) struct StepLog {
    report: StepReport,
    impulses: Vec<ContactImpulse>,
    records: Vec<ContactRecord>,
    /// What all attempts cost.
    pub(super) effort: Effort,
    /// Deepest overlap at the start of the step.
    pub(super) penetration: f64,
    /// Impacts with a bounce so far.
    pub(super) impacts: usize,
}

impl StepLog {
    /// Takes in a span whose attempt was accepted.
    pub(super) fn accept(&mut self, span: SpanReport) {
        self.report.contacts = self.report.contacts.max(span.contacts);
        self.report.residual = self.report.residual.max(span.residual);
        self.report.splitting = self.report.splitting.max(span.splitting);
        self.report.stored = span.stored;
        self.report.added += span.added;
        if span.status != Status::Solved {
            self.report.status = span.status;
        }
        add_all(&mut self.impulses, span.impulses);
        add_all(&mut self.records, span.records);
    }

    /// The report of a step of length dt.
    pub(super) fn finish(self, dt: f64, joint_drift: f64) -> StepReport {
        let power = |own: &ContactImpulse| own.friction / dt;
        let force = |own: &ContactImpulse| ContactForce {
            pair: own.pair,
            point: own.point,
            force: own.impulse / dt,
            normal: own.normal,
            slip: own.slip,
        };
        StepReport {
            iterations: self.effort.iterations,
            seconds: self.effort.seconds,
            penetration: self.penetration,
            impacts: self.impacts,
            friction_power: self.impulses.iter().map(power).fold(0.0, |sum, power| sum + power),
            largest_friction_power: self.impulses.iter().map(power).fold(0.0, f64::max),
            forces: self.impulses.iter().map(force).collect(),
            records: self.records,
            joint_drift,
            ..self.report
        }
    }
}
