//! A span is attempted until its joints, its rows and its contacts fit where it ends.
//!
//! Each attempt solves one contact problem. A group on a carrier that takes the rule "end" is attempted again for that
//! rule ([`super::carriers`]). Then, in this order:
//! 1. *close the joints* ([`Closing`]): joints are linearised about where the span ends; from there they are solved
//!    again until they are closed;
//! 2. *turn the rows* ([`Turning`]): where a body turned under its contacts, rows between start and end keep its energy
//!    ([`super::midway`]);
//! 3. *hold what gained energy* ([`Trial::hold`]): where turned rows, or the trapezoid, end with more energy than the span
//!    began with, bodies take the rows and the inertia of the start and the rule "end";
//! 4. *add what was missed* ([`super::missed`]): contacts that overlap at the end, and were none at the start.
//!
//! What overlaps all the same is moved apart ([`super::parting`]).
//!
//! The first refinement that has something to do changes the [`Trial`], and the span is attempted again. The last
//! attempt is the one that counts; but if turning the rows made the energy error larger, the attempt before is taken
//! instead.

use std::ops::ControlFlow;

use super::carriers::Carriers;
use super::closure::Gap;
use super::parting::Parting;
use super::rows::borne;
use super::span::Span;
use super::spring::spring_energy;
use super::trial::{Outcome, Trial};
use super::turning::{Chosen, End, Turning};
use super::{Impulse, missed};
use crate::contact::Contact;
use crate::step::StepError;
use crate::step::report::StepLog;
use crate::world::{Model, State};

/// Most attempts for joints to close; and for those of a span that was cut so often that it may be only [`SHORT`] times more.
const JOINT_PASSES: usize = 12;
const SHORT_PASSES: usize = 40;
const SHORT: usize = 3;
/// Joints that close by less than this factor in an attempt are at the tolerance of the solver, or at rounding.
const STUCK: f64 = 0.9;

/// Where an attempt leaves more than this fraction of the error of the one before, guesses go round in a cycle: a light link
/// under load is pushed from one contact to another by each guess. From half way they get to the place between.
const CYCLE: f64 = 0.5;

/// A span to be stepped over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) span: Span,
    /// The time that will be stepped over next: contacts at the end are looked for that far ahead.
    pub(super) look_ahead: f64,
    /// How often it may be cut in two: then joints that close slowly are given up early.
    pub(super) cuts: usize,
    /// The approach speed from which on contacts bounce, if a bounce that was missed ends the span.
    pub(super) bounce_speed: Option<f64>,
}

/// How a span went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Advanced {
    /// The state is the one at its end.
    Done,
    /// Bodies that bounce overlap at the end; the state is as it was.
    Missed,
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
    /// Again, from half way between the guess and where it led to.
    Halfway,
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
    fn judge(&mut self, trial: &Trial, outcome: &Outcome, cuts: usize) -> Joints {
        let error = outcome.gap.mendable;
        let changed = trial.joints_at_end != outcome.joints_at_end;
        // Rounding and the solver's tolerance end the progress.
        let stuck = !outcome.gap.is_open() && error > STUCK * self.before;
        // The error shrinks by the factor before/error an attempt: if error/(before/error)^left > 1, the attempts left
        // do not suffice. Shorter spans converge faster.
        let (may_cut, short) = (cuts > 0, cuts <= SHORT);
        let left = if short { SHORT_PASSES } else { JOINT_PASSES } - self.attempts;
        let tried = self.attempts > if short { JOINT_PASSES } else { 1 };
        let slow = tried && error > (self.before / error).powi(left as i32);
        if slow && !changed && may_cut && error > 1.0 {
            return Joints::Open;
        }
        if left > 0 && (changed || error > 1.0 && !stuck) {
            self.attempts += 1;
            let cycles = short && error > CYCLE * self.before;
            self.before = if changed { f64::INFINITY } else { error };
            return if cycles { Joints::Halfway } else { Joints::Again };
        }
        if outcome.gap.is_open() { Joints::Open } else { Joints::Closed }
    }
}

/// Why a span is not over with an attempt that was made.
enum Interrupt {
    /// The trial was changed: attempt it again.
    Again,
    /// The span ends as this says, without an attempt that counts.
    Ended(Advanced),
}

/// An attempt that the refinements so far have nothing to add to, or what comes of it instead.
type Refined = ControlFlow<Interrupt, Outcome>;

/// A span that is being attempted: what it is attempted with, and how far its refinements have got.
struct Attempts {
    plan: Plan,
    trial: Trial,
    carriers: Carriers,
    closing: Closing,
    turning: Turning,
    /// How often contacts were added that had been missed.
    additions: usize,
}

impl Attempts {
    fn new(model: &Model, state: &State, plan: Plan, mut trial: Trial) -> Self {
        let carriers = Carriers::new(model, state, plan.span, plan.look_ahead);
        trial.meet(&carriers);
        Self { plan, trial, carriers, closing: Closing::new(), turning: Turning::default(), additions: 0 }
    }

    /// Takes bodies on a carrier by the rule "end" where an attempt has shown that they need it.
    fn carry(&mut self, outcome: Outcome) -> Refined {
        if self.trial.moves_to_end(&outcome) {
            self.trial.meet(&self.carriers);
            return ControlFlow::Break(Interrupt::Again);
        }
        ControlFlow::Continue(outcome)
    }

    /// Closes the joints, if there are any.
    fn close(&mut self, model: &Model, outcome: Outcome) -> Refined {
        if self.plan.span.length() == 0.0 || model.joints.is_empty() {
            return ControlFlow::Continue(outcome);
        }
        match self.closing.judge(&self.trial, &outcome, self.plan.cuts) {
            Joints::Closed => return ControlFlow::Continue(outcome),
            Joints::Open => {
                let open = Advanced::Open { gap: outcome.gap, residual: outcome.report.residual };
                return ControlFlow::Break(Interrupt::Ended(open));
            }
            Joints::Again => self.trial.close_again(outcome),
            Joints::Halfway => self.trial.close_halfway(outcome),
        }
        ControlFlow::Break(Interrupt::Again)
    }

    /// Has bodies that gained energy solved again, in the way that cannot gain any.
    fn hold(&mut self, state: &State, outcome: Outcome) -> Refined {
        if self.trial.hold(state, &outcome, self.turning.starts()) {
            return ControlFlow::Break(Interrupt::Again);
        }
        ControlFlow::Continue(outcome)
    }

    /// Adds contacts that were missed, those that overlap among the contacts at the end (`ends`), unless that was done
    /// `most` times. A bounce that was missed ends the span.
    fn add_missed(&mut self, model: &Model, ends: &[Contact], most: usize, outcome: Outcome) -> Refined {
        let Self { plan, trial, .. } = self;
        if let Some(speed) = plan.bounce_speed
            && missed::bounce(model, ends, &trial.contacts, speed)
        {
            return ControlFlow::Break(Interrupt::Ended(Advanced::Missed));
        }
        let enough = self.additions == most || plan.span.is_impact();
        if enough || !missed::add(model, ends, &trial.placed, plan.span, &mut trial.contacts) {
            return ControlFlow::Continue(outcome);
        }
        self.additions += 1;
        self.closing = Closing::new();
        trial.start_from(outcome.next);
        ControlFlow::Break(Interrupt::Again)
    }
}

impl Impulse {
    /// Takes an attempt as the end of the span from `state`, with bodies that overlap moved apart.
    fn accept(
        &mut self,
        model: &Model,
        state: &mut State,
        attempts: &Attempts,
        outcome: Outcome,
        log: &mut StepLog,
    ) -> Result<(), StepError> {
        let Attempts { plan, trial, .. } = attempts;
        let Outcome { mut next, mut report, .. } = outcome;
        if self.settings.passes > 0 {
            let sprung = plan.span.length() * borne(self.settings.compliance, plan.span, model.gravity.length());
            let (span, starts, ends) = (plan.span, &trial.contacts[..], self.detector.contacts());
            let tolerance = self.settings.tolerance;
            if (Parting { model, span, starts, ends, sprung, tolerance }).part(state, &mut next)? {
                self.find(model, &next, plan.look_ahead, log);
            }
        }
        report.stored = spring_energy(model, self.detector.contacts(), &next.contacts);
        *state = next;
        log.accept(report);
        Ok(())
    }

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
        let trial = Trial::new(model, state, plan.span, self.placed.clone(), contacts);
        let mut attempts = Attempts::new(model, state, plan, trial);
        loop {
            let outcome = self.attempt(model, state, &mut attempts.trial, &attempts.carriers, &mut log.effort)?;
            match self.refine(model, state, &mut attempts, outcome, log) {
                ControlFlow::Continue(outcome) => {
                    self.accept(model, state, &attempts, outcome, log)?;
                    return Ok(Advanced::Done);
                }
                ControlFlow::Break(Interrupt::Again) => {}
                ControlFlow::Break(Interrupt::Ended(how)) => return Ok(how),
            }
        }
    }

    /// Hands an attempt from one refinement to the next, as long as each has nothing to do.
    fn refine(
        &mut self,
        model: &Model,
        state: &State,
        attempts: &mut Attempts,
        outcome: Outcome,
        log: &mut StepLog,
    ) -> Refined {
        let outcome = attempts.carry(outcome)?;
        let outcome = attempts.close(model, outcome)?;
        let outcome = self.turn(model, state, attempts, outcome, log)?;
        let outcome = if self.settings.passes > 0 { attempts.hold(state, outcome)? } else { outcome };
        attempts.add_missed(model, self.detector.contacts(), self.settings.passes, outcome)
    }

    /// Turns the rows where bodies turned under their contacts. Leaves the contacts at the end of the outcome that counts
    /// in the detector.
    fn turn(
        &mut self,
        model: &Model,
        state: &State,
        attempts: &mut Attempts,
        mut outcome: Outcome,
        log: &mut StepLog,
    ) -> Refined {
        let Attempts { plan, trial, carriers, turning, .. } = attempts;
        self.find(model, &outcome.next, plan.look_ahead, log);
        if self.settings.passes > 0 {
            let end = End { contacts: self.detector.contacts(), placed: &self.placed };
            match turning.again(state, trial, carriers, outcome, &end) {
                None => return ControlFlow::Break(Interrupt::Again),
                Some(kept) => outcome = kept,
            }
        }
        let Chosen { outcome, earlier } = turning.better(outcome);
        if earlier {
            self.find(model, &outcome.next, plan.look_ahead, log);
        }
        ControlFlow::Continue(outcome)
    }
}
