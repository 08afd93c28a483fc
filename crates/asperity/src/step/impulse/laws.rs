//! The friction laws of the contacts of a span, and the problem with them.

use std::time::Instant;

use asperity_solve::problem::ContactProblem;
use asperity_solve::solver::{LawSource, ModelLaws, Solution};
use glam::DVec2;

use super::bound::ContactBound;
use super::rows::Assembled;
use super::setup::Setup;
use crate::contact::{Contact, KeyedLaws, LawKey, LawSite, LawStore, recall};
use crate::patch::PatchStore;
use crate::step::StepError;
use crate::step::joint_rows::JointRow;
use crate::world::ContactMemory;

/// A problem, its laws and its start.
pub(super) struct SpanProblem<'a> {
    pub(super) problem: ContactProblem,
    pub(super) laws: ModelLaws<'a>,
    /// What they were made from.
    pub(super) law_keys: Vec<LawKey>,
    pub(super) start: Solution,
    /// Of the rows of the contacts.
    pub(super) bounds: Vec<ContactBound>,
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
        let (model, placed, h) = (self.model, self.placed, self.span.duration());
        let site = LawSite { model, placed, h, time: self.time, samples: 1 };
        let laws = site.laws(contacts, remembered, patches, slips, old);
        laws.map_err(|fault| StepError::of_law(fault, self.model, contacts, self.time))
    }
}
