//! What a span is attempted with, and where an attempt leads to.

use glam::DQuat;

use super::carriers::Carriers;
use super::closure::Gap;
use super::exchange::ContactExchange;
use super::free::FreeBodies;
use super::joints;
use super::midway::Again;
use super::setup::{Setup, StartForces};
use super::span::Span;
use crate::body::BodyState;
use crate::contact::{Contact, PlacedBody};
use crate::step::report::SpanReport;
use crate::world::{ContactMemory, Model, State};

/// What a span is attempted with. Refinements change it between attempts.
pub(super) struct Trial {
    pub(super) span: Span,
    /// Where the bodies are at the start.
    pub(super) placed: Vec<PlacedBody>,
    /// The contacts, as they are to be solved with.
    pub(super) contacts: Vec<Contact>,
    /// Forces that the solver starts from: of the step before, then of the attempt before.
    pub(super) contact_forces: Vec<ContactMemory>,
    pub(super) joint_forces: Vec<f64>,
    /// Where bodies are at the end, as far as is known; empty without joints.
    pub(super) guess: Vec<BodyState>,
    /// Which joints move by the rule "end".
    pub(super) joints_at_end: Vec<bool>,
    /// Orientations that the inertia is taken at, of some bodies: those at the end that an attempt before led to, or
    /// those of the start.
    pub(super) turned: Vec<Option<DQuat>>,
    /// Which bodies of the model must move by the rule "end": on a carrier, or since they gained energy by the other.
    pub(super) ends: Vec<bool>,
    /// In an impact: which fraction of the restitution contacts of each body have.
    pub(super) returned: Vec<f64>,
}

impl Trial {
    /// The first attempt: with these contacts, from the forces of the step before.
    pub(super) fn new(
        model: &Model,
        state: &State,
        span: Span,
        placed: Vec<PlacedBody>,
        contacts: Vec<Contact>,
    ) -> Self {
        let guess = if model.joints.is_empty() { Vec::new() } else { joints::guess(model, state, span.length()) };
        Self {
            span,
            placed,
            contacts,
            contact_forces: state.contacts.clone(),
            joint_forces: state.joints.clone(),
            guess,
            joints_at_end: vec![false; model.joints.len()],
            turned: vec![None; model.bodies.len()],
            ends: vec![false; model.bodies.len()],
            returned: if span.is_impact() { vec![1.0; model.bodies.len()] } else { Vec::new() },
        }
    }

    /// What the problem of an attempt is made from. `compliance` is that of the normal rows relative to their diagonal of W.
    pub(super) fn setup<'a>(
        &'a self,
        model: &'a Model,
        state: &'a State,
        free: &'a FreeBodies,
        compliance: f64,
    ) -> Setup<'a> {
        Setup {
            model,
            span: self.span,
            placed: &self.placed,
            free,
            memory: &state.contacts,
            start: StartForces { contacts: &self.contact_forces, joints: &self.joint_forces },
            compliance,
            time: state.time,
            returned: &self.returned,
        }
    }

    /// Lets contacts meet the velocities of carriers.
    pub(super) fn meet(&mut self, carriers: &Carriers) {
        carriers.meet(&mut self.contacts, &mut self.placed, self.span.length(), &self.ends);
    }

    /// Whether bodies on a carrier turned out to move by the rule "end" and were not solved for it; they are noted.
    pub(super) fn moves_to_end(&mut self, outcome: &Outcome) -> bool {
        let mut any = false;
        for (own, end) in self.ends.iter_mut().zip(&outcome.ends) {
            any |= *end && !*own;
            *own |= *end;
        }
        any
    }

    /// Takes the inertia of bodies that ask for it where an attempt led to, or at the start.
    pub(super) fn turn_to(&mut self, state: &State, outcome: &Outcome) {
        for (i, again) in outcome.again.iter().enumerate() {
            let Some(again) = again else { continue };
            let at = if *again == Again::Start { state } else { &outcome.next };
            self.turned[i] = Some(at.bodies[i].frame().rotation);
        }
    }

    /// Takes bodies whose energy grew by the rule "end", with the inertia of the start and their rows among those of
    /// the start (`starts`, sorted by name): then it cannot grow. Whether there are any that were not taken so before.
    pub(super) fn hold(&mut self, state: &State, outcome: &Outcome, starts: &[Contact]) -> bool {
        let mut any = false;
        for (i, end) in self.ends.iter_mut().enumerate().filter(|(i, _)| outcome.gains[*i]) {
            any |= !*end;
            *end = true;
            self.turned[i] = Some(state.bodies[i].frame().rotation);
        }
        for contact in self.contacts.iter_mut().filter(|contact| contact.bound.is_none()) {
            if !contact.pair.iter().any(|body| outcome.gains[*body as usize]) {
                continue;
            }
            if let Ok(start) = starts.binary_search_by_key(&contact.name(), Contact::name) {
                *contact = Contact {
                    in_problem: contact.in_problem,
                    load: contact.load,
                    recoil: contact.recoil,
                    ..starts[start]
                };
            }
        }
        any
    }

    /// Begins again where an attempt led to, with the joints that it moved taken at the end of the span.
    pub(super) fn close_again(&mut self, outcome: Outcome) {
        self.joints_at_end.iter_mut().zip(outcome.joints_at_end).for_each(|(end, moved)| *end |= moved);
        self.start_from(outcome.next);
    }

    /// The same, but from half way between the guess of this attempt and where it led to.
    pub(super) fn close_halfway(&mut self, mut outcome: Outcome) {
        for (end, guess) in outcome.next.bodies.iter_mut().zip(&self.guess) {
            if let (BodyState::Rigid(end), BodyState::Rigid(guess)) = (end, guess) {
                *end = end.halfway(guess);
            }
        }
        self.close_again(outcome);
    }

    /// The next attempt starts from the forces of this end, and takes it as its guess.
    pub(super) fn start_from(&mut self, end: State) {
        (self.contact_forces, self.joint_forces, self.guess) = (end.contacts, end.joints, end.bodies);
    }
}

/// Where an attempt leads to.
pub(super) struct Outcome {
    /// The state at the end.
    pub(super) next: State,
    pub(super) report: SpanReport,
    /// Which joints moved by the rule "end".
    pub(super) joints_at_end: Vec<bool>,
    /// Largest error of a joint.
    pub(super) gap: Gap,
    /// Energy that was gained or lost besides the work of contacts, J.
    pub(super) energy_error: f64,
    /// How to solve again for the bodies concerned.
    pub(super) again: Vec<Option<Again>>,
    /// Which bodies of the model are in a group whose energy has grown.
    pub(super) gains: Vec<bool>,
    /// For each body of the model the energy error that is let pass, J; infinite for those that are not asked.
    pub(super) allowed: Vec<f64>,
    /// Whether there are bodies that are carried, by a carrier or by each other, and move by the trapezoid: their rows
    /// turn with them.
    pub(super) carried: bool,
    /// Which bodies of the model are on a carrier and move by the rule "end"; empty if there are no carriers.
    pub(super) ends: Vec<bool>,
    /// What the contacts of an impact did.
    pub(super) exchanges: Vec<ContactExchange>,
}
