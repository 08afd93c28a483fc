//! The friction laws of the contacts of a span, and the problem with them.

use std::borrow::Cow;
use std::time::Instant;

use asperity_friction::{ContactState, FrictionError, Tangential};
use asperity_solve::problem::{ContactProblem, ProblemError};
use asperity_solve::solver::{LawSource, ModelContact, ModelLaws, Solution};
use glam::DVec2;

use super::joints::JointRow;
use super::rows::{Assembled, NormalBound};
use super::setup::Setup;
use crate::contact::{Contact, KeyedLaws, LawKey, LawStore, recall};
use crate::patch::PatchStore;
use crate::step::StepError;
use crate::world::ContactMemory;

/// A problem, its laws and its start.
pub(super) struct SpanProblem<'a> {
    pub(super) problem: ContactProblem,
    pub(super) laws: ModelLaws<'a>,
    /// What they were made from.
    pub(super) law_keys: Vec<LawKey>,
    pub(super) start: Solution,
    /// Of the normal rows of the contacts.
    pub(super) bounds: Vec<NormalBound>,
    /// The rows of joints, which come after those of the contacts.
    pub(super) joints: Vec<JointRow>,
    /// Time that surfaces and laws took.
    pub(super) law_seconds: f64,
}

impl<'a> Setup<'a> {
    /// The problem of these contacts and joints. `old` laws are reused where nothing has changed, and written over
    /// otherwise.
    pub(super) fn problem(
        &self,
        contacts: &[Contact],
        patches: &'a PatchStore,
        old: LawStore,
        joints: Vec<JointRow>,
    ) -> Result<SpanProblem<'a>, StepError> {
        // A solve, though a short one: its time is not that of the laws.
        let remembered = recall(contacts, self.memory);
        let slips = self.frictionless_slips(contacts, &remembered, &joints)?;
        let began = Instant::now();
        let KeyedLaws { laws, keys } = self.laws(contacts, &remembered, patches, &slips, old)?;
        let law_seconds = began.elapsed().as_secs_f64();
        let Assembled { problem, start, bounds } =
            self.assemble(contacts, &remembered, &joints, |i| laws.laws()[i].rows() + 1)?;
        let start = Solution { r: start, u: Vec::new() };
        Ok(SpanProblem { problem, laws, law_keys: keys, start, bounds, joints, law_seconds })
    }

    /// The laws of the contacts, for the slip at the start and the load of the last step.
    fn laws(
        &self,
        contacts: &[Contact],
        remembered: &[Option<&ContactMemory>],
        patches: &'a PatchStore,
        slips: &[DVec2],
        old: LawStore,
    ) -> Result<KeyedLaws<'a>, StepError> {
        let mut states = Vec::with_capacity(contacts.len());
        for (number, (contact, memory)) in contacts.iter().zip(remembered).enumerate() {
            let mut state = self.contact_state(contact, *memory).map_err(|error| self.refused(contact, error))?;
            if let Some([on_a, on_b]) = patches.slopes(number) {
                (state.a.facets, state.b.facets) = (on_a.facets(), on_b.facets());
            }
            state.frictionless_slip = slips.get(number).copied().unwrap_or_default();
            let model = Cow::Borrowed(&self.model.interaction(contact.pair).law);
            states.push(ModelContact { model, state });
        }
        old.laws(states, self.span.duration(), patches).map_err(|error| match error {
            ProblemError::Friction { contact, error } => self.refused(&contacts[contact], error),
            error => self.failed(error),
        })
    }

    /// What a friction model is told about a contact, but for its facets.
    fn contact_state(
        &self,
        contact: &Contact,
        memory: Option<&ContactMemory>,
    ) -> Result<ContactState<'a>, FrictionError> {
        let normal = contact.frame.normal();
        let sample = |side: usize, outward| {
            let body = contact.pair[side] as usize;
            let surface = &self.model.bodies[body].surface;
            if !surface.has_directions() {
                return Ok(surface.anywhere(self.time));
            }
            let site = contact.anchors[side].site(&self.placed[body], contact.point, outward);
            surface.sample(&site, self.time)
        };
        let mut state = ContactState::new(contact.frame, sample(0, -normal)?, sample(1, normal)?);
        state.slip = Tangential::planar(DVec2::new(contact.before.y, contact.before.z));
        state.normal_force = memory.map_or(0.0, |m| m.force.dot(normal).max(0.0));
        Ok(state)
    }

    /// A law that has no answer for a contact, as an error of the step.
    fn refused(&self, contact: &Contact, error: FrictionError) -> StepError {
        let [a, b] = contact.pair.map(|i| self.model.bodies[i as usize].name.clone());
        StepError::Law { t: self.time, a, b, error: Box::new(error) }
    }
}
