//! A span is attempted until its joints, its rows and its contacts fit where it ends.
//!
//! Each attempt solves one contact problem. Then, in this order:
//! 1. *close the joints* ([`Closing`]): joints are linearised about where the span ends; from there they are solved
//!    again until they are closed;
//! 2. *turn the rows* ([`Turning`]): where a body turned under its contacts, rows between start and end keep its energy
//!    ([`super::midway`]);
//! 3. *add what was missed* ([`super::missed`]): contacts that overlap at the end, and were none at the start.
//!
//! The first refinement that has something to do changes the [`Trial`], and the span is attempted again. The last
//! attempt is the one that counts; but if turning the rows made the energy error larger, the attempt before is taken
//! instead.

use glam::DQuat;

use super::closure::Gap;
use super::midway::{self, Again};
use super::span::Span;
use super::trial::{Outcome, Trial};
use super::{Impulse, missed};
use crate::contact::{Contact, PlacedBody};
use crate::step::StepError;
use crate::step::report::StepLog;
use crate::world::{Model, State};

/// Most attempts for joints to close.
const JOINT_PASSES: usize = 12;
/// Joints that close by less than this factor in an attempt are at the tolerance of the solver, or at rounding.
const STUCK: f64 = 0.9;

/// A span to be stepped over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) span: Span,
    /// The time that will be stepped over next: contacts at the end are looked for that far ahead.
    pub(super) look_ahead: f64,
    /// Whether it may be cut in two: then joints that close slowly are given up early.
    pub(super) may_cut: bool,
}

/// How a span went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Advanced {
    /// The state is the one at its end.
    Done,
    /// Joints do not close; the state is as it was.
    Open {
        /// By how much.
        gap: Gap,
        /// Residual of the last attempt.
        residual: f64,
    },
}

/// What is to be done about joints after an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Joints {
    Closed,
    Again,
    Open,
}

/// Closes the joints.
struct Closing {
    attempts: usize,
    /// Error of the attempt before; infinite if it cannot be compared.
    before: f64,
}

impl Closing {
    const fn new() -> Self {
        Self { attempts: 0, before: f64::INFINITY }
    }

    /// Judges an attempt.
    fn judge(&mut self, trial: &Trial, outcome: &Outcome, may_cut: bool) -> Joints {
        let error = outcome.gap.mendable;
        let changed = trial.joints_at_end != outcome.joints_at_end;
        // Rounding and the solver's tolerance end the progress.
        let stuck = !outcome.gap.is_open() && error > STUCK * self.before;
        // The error shrinks by the factor before/error an attempt: if error/(before/error)^left > 1, the attempts left
        // do not suffice. Shorter spans converge faster.
        let left = JOINT_PASSES - self.attempts;
        let slow = self.attempts > 1 && error > (self.before / error).powi(left as i32);
        if slow && !changed && may_cut && error > 1.0 {
            return Joints::Open;
        }
        if left > 0 && (changed || error > 1.0 && !stuck) {
            self.attempts += 1;
            self.before = if changed { f64::INFINITY } else { error };
            return Joints::Again;
        }
        if outcome.gap.is_open() { Joints::Open } else { Joints::Closed }
    }
}

/// Solves again with rows that turn within the span, as long as each attempt has a smaller energy error than the one
/// before.
#[derive(Default)]
struct Turning {
    attempts: usize,
    /// The contacts as they were found at the start of the span, from the first turn on.
    starts: Vec<Contact>,
    /// The attempt before, if rows were turned after it.
    best: Option<Outcome>,
}

impl Turning {
    /// Turns the rows of a trial for another attempt, if there is reason to; then it keeps this outcome and answers
    /// with `None`. `ends` are the contacts at the end of the attempt, where bodies are at `placed`.
    fn again(
        &mut self,
        state: &State,
        trial: &mut Trial,
        outcome: Outcome,
        ends: &[Contact],
        placed: &[PlacedBody],
    ) -> Option<Outcome> {
        let better = self.best.as_ref().is_none_or(|best| outcome.energy_error < best.energy_error);
        let wanted = outcome.energy_error > 0.0 && self.attempts < midway::PASSES && better;
        if !wanted {
            return Some(outcome);
        }
        if self.attempts == 0 {
            self.starts.clear();
            self.starts.extend(trial.contacts.iter().filter(|contact| contact.bound.is_none()));
        }
        if !midway::turn(&mut trial.contacts, &self.starts, ends, placed, &outcome.again) {
            return Some(outcome);
        }
        trial.turned = end_rotations(state, &outcome);
        trial.contact_forces.clone_from(&outcome.next.contacts);
        trial.joint_forces.clone_from(&outcome.next.joints);
        self.attempts += 1;
        self.best = Some(outcome);
        None
    }

    /// The better one of this outcome and the one before it, if that had other rows; no more rows are turned if it was
    /// the one before.
    fn better(&mut self, outcome: Outcome) -> Chosen {
        match self.best.take() {
            Some(best) if outcome.energy_error >= best.energy_error => {
                self.attempts = midway::PASSES;
                Chosen { outcome: best, earlier: true }
            }
            _ => Chosen { outcome, earlier: false },
        }
    }
}

/// The outcome that counts, and whether it is not that of the last attempt.
struct Chosen {
    outcome: Outcome,
    earlier: bool,
}

/// The orientations that bodies which ask for another solve are solved with.
fn end_rotations(state: &State, outcome: &Outcome) -> Vec<Option<DQuat>> {
    let known = |(i, again): (usize, &Option<Again>)| {
        again.map(|again| if again == Again::Start { state } else { &outcome.next }.bodies[i].frame().rotation)
    };
    outcome.again.iter().enumerate().map(known).collect()
}

impl Impulse {
    /// Moves over a span with the contacts that `keep` lets through.
    pub(super) fn advance(
        &mut self,
        model: &Model,
        state: &mut State,
        plan: Plan,
        keep: impl Fn(&Contact) -> bool,
        log: &mut StepLog,
    ) -> Result<Advanced, StepError> {
        let found = self.detector.contacts();
        let mut contacts = Vec::with_capacity(found.len());
        contacts.extend(found.iter().filter(|contact| keep(contact)));
        let mut trial = Trial::new(model, state, plan.span, self.placed.clone(), contacts);
        let has_joints = plan.span.length() > 0.0 && !model.joints.is_empty();
        let may_repeat = self.settings.passes > 0;
        let (mut closing, mut turning, mut missed_passes) = (Closing::new(), Turning::default(), 0);
        loop {
            let mut outcome = self.attempt(model, state, &mut trial, &mut log.effort)?;
            if has_joints {
                match closing.judge(&trial, &outcome, plan.may_cut) {
                    Joints::Closed => {}
                    Joints::Open => {
                        return Ok(Advanced::Open { gap: outcome.gap, residual: outcome.report.residual });
                    }
                    Joints::Again => {
                        trial
                            .joints_at_end
                            .iter_mut()
                            .zip(outcome.joints_at_end)
                            .for_each(|(end, moved)| *end |= moved);
                        trial.start_from(outcome.next);
                        continue;
                    }
                }
            }
            self.find(model, &outcome.next, plan.look_ahead, log);
            if may_repeat {
                let (ends, placed) = (self.detector.contacts(), &self.placed);
                match turning.again(state, &mut trial, outcome, ends, placed) {
                    None => continue,
                    Some(kept) => outcome = kept,
                }
            }
            let Chosen { outcome, earlier } = turning.better(outcome);
            if earlier {
                self.find(model, &outcome.next, plan.look_ahead, log);
            }
            let enough = missed_passes == self.settings.passes || plan.span.is_impact();
            let ends = self.detector.contacts();
            if enough || !missed::add(model, ends, &trial.placed, plan.span, &mut trial.contacts) {
                *state = outcome.next;
                log.accept(outcome.report);
                return Ok(Advanced::Done);
            }
            missed_passes += 1;
            closing = Closing::new();
            trial.start_from(outcome.next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::report::SpanReport;

    /// An attempt with this energy error and residual.
    fn outcome(energy_error: f64, residual: f64) -> Outcome {
        let report = SpanReport { contacts: 1, residual, ..SpanReport::default() };
        let (next, gap) = (State { step: (1.0 / residual) as u64, ..State::default() }, Gap::default());
        Outcome { next, report, joints_at_end: Vec::new(), gap, energy_error, again: Vec::new() }
    }

    #[test]
    fn the_better_attempt_is_taken_with_its_own_report() {
        let mut turning = Turning { attempts: 1, best: Some(outcome(1e-6, 0.5)), ..Turning::default() };
        let chosen = turning.better(outcome(2e-6, 0.25));
        assert!(chosen.earlier && turning.attempts == midway::PASSES);
        assert_eq!((chosen.outcome.report.residual, chosen.outcome.next.step), (0.5, 2));

        let mut turning = Turning { attempts: 1, best: Some(outcome(1e-6, 0.5)), ..Turning::default() };
        let chosen = turning.better(outcome(1e-7, 0.25));
        assert!(!chosen.earlier && turning.attempts == 1 && turning.best.is_none());
        assert_eq!((chosen.outcome.report.residual, chosen.outcome.next.step), (0.25, 4));
    }
}
