//! The friction laws of contacts: what a friction model is told about each.

use std::borrow::Cow;
use std::ops::Range;

use asperity_friction::{ContactState, FrictionError, Tangential};
use asperity_solve::problem::ProblemError;
use asperity_solve::solver::ModelContact;
use glam::DVec2;
use rayon::prelude::*;

use super::{Contact, KeyedLaws, LawStore, PlacedBody};
use crate::patch::PatchStore;
use crate::world::{ContactMemory, Model};

/// What the laws of contacts are made from.
#[derive(Clone, Copy)]
pub(crate) struct LawSite<'a, 'p> {
    pub(crate) model: &'a Model,
    /// Where the bodies are, and how they move.
    pub(crate) placed: &'p [PlacedBody],
    /// Length of the step.
    pub(crate) h: f64,
    /// Time at its start.
    pub(crate) time: f64,
    /// At how many places along the way that a contact slides in the step coefficients that vary are read: their mean
    /// counts. One place is the middle of the way.
    pub(crate) samples: usize,
}

/// Contacts from which threads are worth waking, and how many of them one thread takes at a time.
const MANY: usize = 1000;
const CHUNK: usize = 128;

/// What `one` says of each number below `count`, in a list that was empty, or the error of the smallest number that has one: the number of
/// threads changes nothing.
fn in_order<T: Send, E: Send>(
    count: usize,
    mut all: Vec<T>,
    one: impl Fn(usize) -> Result<T, E> + Send + Sync,
) -> Result<Vec<T>, E> {
    // Room for all at once: what is said of a contact is large, and growing a list of it would copy it again and again.
    let some = |range: Range<usize>, mut list: Vec<T>| {
        list.reserve(range.len());
        for number in range {
            list.push(one(number)?);
        }
        Ok(list)
    };
    if count < MANY || rayon::current_num_threads() == 1 {
        return some(0..count, all);
    }
    let chunk = |k: usize| some(k * CHUNK..((k + 1) * CHUNK).min(count), Vec::new());
    let chunks: Vec<Result<Vec<T>, E>> = (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
    all.reserve(count);
    for list in chunks {
        all.append(&mut list?);
    }
    Ok(all)
}

/// Why a contact has no law.
#[derive(Debug)]
pub(crate) enum LawFault {
    /// The surface of a body, by its number, has no answer for a place.
    Surface { body: usize, error: FrictionError },
    /// The model of a contact, by its number, has no answer.
    Model { contact: usize, error: FrictionError },
    /// What came out makes no problem.
    Problem(ProblemError),
}

impl<'a> LawSite<'a, '_> {
    /// The laws of the contacts, for the slip at the start and the load of the last step, `remembered`. `slips` are
    /// those without friction, for laws that look
    /// at them. `old` laws are reused where nothing has changed, and written over otherwise.
    pub(crate) fn laws(
        &self,
        contacts: &[Contact],
        remembered: &[Option<&ContactMemory>],
        patches: &'a PatchStore,
        slips: &[DVec2],
        mut old: LawStore,
    ) -> Result<KeyedLaws<'a>, LawFault> {
        let state_of = |number: usize| {
            let contact = &contacts[number];
            let mut state = self.contact_state(contact, remembered[number])?;
            if let Some([on_a, on_b]) = patches.slopes(number) {
                (state.a.facets, state.b.facets) = (on_a.facets(), on_b.facets());
            }
            state.frictionless_slip = slips.get(number).copied().unwrap_or_default();
            let model = Cow::Borrowed(&self.model.interaction(contact.pair).law);
            Ok(ModelContact { model, state, share: contact.share.unwrap_or(1.0) })
        };
        let states = in_order(contacts.len(), old.contacts(), state_of)?;
        old.laws(states, self.h, patches).map_err(|error| match error {
            ProblemError::Friction { contact, error } => LawFault::Model { contact, error },
            error => LawFault::Problem(error),
        })
    }

    /// What a friction model is told about a contact, but for its facets.
    fn contact_state(&self, contact: &Contact, memory: Option<&ContactMemory>) -> Result<ContactState<'a>, LawFault> {
        let normal = contact.frame.normal();
        let sample = |side: usize, outward| {
            let body = contact.pair[side] as usize;
            let surface = &self.model.bodies[body].surface;
            if !surface.varies() {
                return Ok(surface.anywhere());
            }
            let site = contact.anchors[side].site(&self.placed[body], contact.point, outward);
            let site = site.moving(contact.way_over(side, self.h));
            surface.sample_along(&site, self.time, self.samples).map_err(|error| LawFault::Surface { body, error })
        };
        let mut state = ContactState::new(contact.frame, sample(0, -normal)?, sample(1, normal)?);
        state.slip = Tangential::planar(DVec2::new(contact.before.y, contact.before.z));
        state.normal_force = memory.map_or(0.0, |m| m.force.dot(normal).max(0.0)) / contact.share.unwrap_or(1.0);
        Ok(state)
    }
}
