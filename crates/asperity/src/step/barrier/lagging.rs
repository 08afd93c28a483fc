//! Bringing friction up to date, and by how much that changes it.
//!
//! Normal forces are part of the potential; what is lagged is friction alone: its loads, planes and laws. Where it is brought up to date at the
//! place that a solve came to, the dynamics are left with
//!
//! δ = |F(up to date) − F(lagged)|_1/Σ λ,
//!
//! F the friction forces on the degrees of freedom (torques over the reach of their bodies). That is what a further lag would have
//! to mend, whatever changed: a load, a normal, a law, or which elements touch.

use std::time::Instant;

use asperity_solve::solver::LawSource as _;
use glam::DVec3;

use super::energy::Energy;
use super::friction::{Rubbing, lag};
use super::iterate::Iterate;
use super::place::Here;
use super::slip::{SlipPotential, ToolkitSlip, toolkit_ratio};
use super::surfaces::Surfaces;
use crate::contact::{Contact, LawFault, LawSite, LawStore, place, sample_patches};
use crate::patch::PatchStore;
use crate::step::StepError;
use crate::step::implicit::{Freedom, Span};
use crate::step::report::StepLog;
use crate::world::{ContactMemory, State};

/// A slip that is so many times smaller is none for a curve of the speed, and keeps its direction.
const AT_REST: f64 = 1e-9;

/// Where friction is lagged.
#[derive(Clone, Copy)]
pub(super) struct Lagging<'a> {
    /// Where collisions and loads are looked at.
    pub(super) at: &'a Here,
    /// Where the step is thought to end.
    pub(super) end: &'a Here,
    /// The goal of the step, if the slip is that of a step that ends here; `None` for that of the start.
    pub(super) goal: Option<&'a Iterate>,
    /// Whether all of the step is between its start and that end.
    pub(super) whole: bool,
}

impl Energy<'_> {
    /// The contacts at a place with their laws; the slip is that of the start, or of a step that ends here.
    pub(super) fn lag(
        &self,
        surfaces: &Surfaces,
        lagging: Lagging,
        log: &mut StepLog,
    ) -> Result<Vec<Rubbing>, StepError> {
        let began = Instant::now();
        let (Span { model, state, h }, ends) = (self.span, self.ends);
        let Lagging { at: here, end, goal, .. } = lagging;
        let mut placed = Vec::new();
        match goal {
            None => place(model, state, h, &mut placed),
            Some(goal) => {
                let bodies = here.at.arrive(self.span, goal, self.base);
                place(model, &State { time: state.time, bodies, ..State::default() }, h, &mut placed);
            }
        }
        let mut list = lag(surfaces, here, end, &placed, ends);
        // Slip without the turn of both surfaces; of the start, if bodies can go on as they move.
        if lagging.whole {
            for own in &mut list {
                let slip = own.slip(&end.positions, ends);
                own.contact.before = DVec3::new(own.contact.before.x, slip.x, slip.y);
            }
        }
        if let SlipPotential::Toolkit { scaling } = ends.friction {
            list.iter_mut().for_each(|own| self.as_toolkit(own, scaling));
        }
        let contacts: Vec<Contact> = list.iter().map(|own| own.contact).collect();
        let loads: Vec<ContactMemory> = list.iter().map(Rubbing::memory).collect();
        let mut patches = PatchStore::default();
        sample_patches(model, &placed, &contacts, &mut patches);
        let site = LawSite { model, placed: &placed, h, time: state.time, samples: 1 };
        let remembered: Vec<Option<&ContactMemory>> = loads.iter().map(Some).collect();
        let laws = site
            .laws(&contacts, &remembered, &patches, &[], LawStore::default())
            .map_err(|fault| StepError::of_law(fault, model, &contacts, state.time))?;
        for (own, law) in list.iter_mut().zip(laws.laws.laws()) {
            own.law = law.clone();
        }
        log.effort.seconds.law += began.elapsed().as_secs_f64();
        Ok(list)
    }

    /// Gives a contact the potential of the IPC Toolkit. Its law is then asked for at rest, in the direction of the slip: the curve has the
    /// rest.
    fn as_toolkit(&self, own: &mut Rubbing, scaling: [f64; 2]) {
        let kinetic = toolkit_ratio(&self.span.model.interaction(own.contact.pair).law);
        own.toolkit = kinetic.map(|kinetic| ToolkitSlip { kinetic, scaling, axes: own.axes });
        let DVec3 { x, y, z } = own.contact.before;
        own.contact.before = DVec3::new(x, y * AT_REST, z * AT_REST);
    }

    /// δ: what friction that is up to date at a place leaves in the dynamics, relative to the sum of its loads.
    pub(super) fn unlagged(&self, now: &[Rubbing], here: &Here, surfaces: &Surfaces) -> Result<f64, LawFault> {
        let mut off = self.friction(now, here, surfaces)?;
        let used = self.friction(&self.rubbing, here, surfaces)?;
        off.iter_mut().zip(&used).for_each(|(now, used)| *now -= used);
        let size = |dof: usize| DVec3::from_slice(&off[dof..]).length();
        let own = |(number, body): (usize, &crate::body::Body)| match self.free.freedom(number) {
            Freedom::Given => 0.0,
            Freedom::Rigid(dof) => size(dof) + size(dof + 3) / body.reach(),
            Freedom::Vertices(dofs) => dofs.iter().flatten().map(|dof| size(*dof as usize)).sum(),
        };
        let sum: f64 = self.span.model.bodies.iter().enumerate().map(own).sum();
        let loads: f64 = now.iter().chain(&self.rubbing).map(|own| 0.5 * own.lagged.load()).sum();
        Ok(if loads > 0.0 { sum / loads } else { 0.0 })
    }
}
