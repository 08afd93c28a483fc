//! Solving a span again with rows that turn within it ([`super::midway`]).

use super::carriers::Carriers;
use super::midway::{self, EndBodies, Turned};
use super::rolling;
use super::trial::{Outcome, Trial};
use crate::contact::{Contact, PlacedBody};
use crate::world::State;

/// An attempt is worse than another if its energy error is larger by this factor: where the passes converge, errors differ by less.
const WORSE: f64 = 1.5;

/// Solves again with rows that turn within the span: once for groups on a carrier, and for others until the rows have
/// settled, as long as no attempt has a larger energy error than one before.
#[derive(Default)]
pub(super) struct Turning {
    attempts: usize,
    /// Whether a rim rolls.
    rolls: bool,
    /// The contacts as they were found at the start of the span, from the first turn on.
    starts: Vec<Contact>,
    /// The attempt before, if rows were turned after it.
    best: Option<Outcome>,
}

/// The contacts at the end of an attempt, and where the bodies are there.
pub(super) struct End<'a> {
    pub(super) contacts: &'a [Contact],
    pub(super) placed: &'a [PlacedBody],
}

impl Turning {
    /// Turns the rows of a trial for another attempt, if there is reason to; then it keeps this outcome and answers
    /// with `None`.
    pub(super) fn again(
        &mut self,
        state: &State,
        trial: &mut Trial,
        carriers: &Carriers,
        mut outcome: Outcome,
        end: &End,
    ) -> Option<Outcome> {
        self.rolls |= rolling::add_errors(&mut outcome, end.contacts);
        let better = self.best.as_ref().is_none_or(|best| !self.is_worse(&outcome, best));
        let passes = if self.rolls { midway::ROLLING_PASSES } else { midway::PASSES };
        let errs = outcome.energy_error > 0.0 && self.attempts < passes && better;
        let carried = outcome.carried && self.attempts == 0;
        if !errs && !carried {
            return Some(outcome);
        }
        if self.attempts == 0 {
            self.starts.clear();
            self.starts.extend(trial.contacts.iter().filter(|contact| contact.bound.is_none()));
        }
        let [last, mean] = if carriers.is_empty() { Default::default() } else { carriers.at_end(end.placed) };
        let bodies = if carriers.is_empty() {
            EndBodies { last: end.placed, mean: end.placed }
        } else {
            EndBodies { last: &last, mean: &mean }
        };
        let contacts = [&self.starts[..], end.contacts];
        match midway::turn(&mut trial.contacts, contacts, &state.contacts, bodies, &outcome.again) {
            Turned::Nothing => return Some(outcome),
            Turned::Settled if self.attempts > 0 && self.rolls => return Some(outcome),
            Turned::Settled | Turned::Changed => (),
        }
        trial.turn_to(state, &outcome);
        trial.contact_forces.clone_from(&outcome.next.contacts);
        trial.joint_forces.clone_from(&outcome.next.joints);
        self.attempts += 1;
        self.best = Some(outcome);
        None
    }

    /// The contacts as they were found at the start of the span; none before the first turn.
    pub(super) fn starts(&self) -> &[Contact] {
        &self.starts
    }

    /// Whether an attempt has no smaller energy error than one before; where a rim rolls, a larger one.
    fn is_worse(&self, outcome: &Outcome, before: &Outcome) -> bool {
        if self.rolls {
            return outcome.energy_error > WORSE * before.energy_error;
        }
        outcome.energy_error >= before.energy_error
    }

    /// The better one of this outcome and the one before it, if that had other rows; no more rows are turned if it was
    /// the one before.
    pub(super) fn better(&mut self, outcome: Outcome) -> Chosen {
        match self.best.take() {
            Some(best) if !best.carried && self.is_worse(&outcome, &best) => {
                self.attempts = midway::ROLLING_PASSES;
                Chosen { outcome: best, earlier: true }
            }
            _ => Chosen { outcome, earlier: false },
        }
    }
}

/// The outcome that counts, and whether it is not that of the last attempt.
pub(super) struct Chosen {
    pub(super) outcome: Outcome,
    pub(super) earlier: bool,
}

#[cfg(test)]
mod tests {
    use super::super::closure::Gap;
    use super::*;
    use crate::step::report::SpanReport;

    /// An attempt with this energy error and residual.
    fn outcome(energy_error: f64, residual: f64) -> Outcome {
        let report = SpanReport { contacts: 1, residual, ..SpanReport::default() };
        let next = State { step: (1.0 / residual) as u64, ..State::default() };
        Outcome {
            next,
            report,
            joints_at_end: Vec::new(),
            gap: Gap::default(),
            energy_error,
            again: Vec::new(),
            gains: Vec::new(),
            allowed: Vec::new(),
            carried: false,
            ends: Vec::new(),
            exchanges: Vec::new(),
        }
    }

    #[test]
    fn the_better_attempt_is_taken_with_its_own_report() {
        let mut turning = Turning { attempts: 1, best: Some(outcome(1e-6, 0.5)), ..Turning::default() };
        let chosen = turning.better(outcome(2e-6, 0.25));
        assert!(chosen.earlier && turning.attempts == midway::ROLLING_PASSES);
        assert_eq!((chosen.outcome.report.residual, chosen.outcome.next.step), (0.5, 2));

        let mut turning = Turning { attempts: 1, best: Some(outcome(1e-6, 0.5)), ..Turning::default() };
        let chosen = turning.better(outcome(1e-7, 0.25));
        assert!(!chosen.earlier && turning.attempts == 1 && turning.best.is_none());
        assert_eq!((chosen.outcome.report.residual, chosen.outcome.next.step), (0.25, 4));
    }

    #[test]
    fn a_group_on_a_carrier_takes_the_turned_rows_whatever_its_energy() {
        let first = Outcome { carried: true, ..outcome(0.0, 0.5) };
        let mut turning = Turning { attempts: 1, best: Some(first), ..Turning::default() };
        let chosen = turning.better(outcome(0.0, 0.25));
        assert!(!chosen.earlier && chosen.outcome.next.step == 4);
    }
}
