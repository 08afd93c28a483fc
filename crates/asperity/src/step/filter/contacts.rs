//! The contacts that a step begins with.

use glam::DVec3;

use super::Trial;
use super::masses::velocity;
use crate::contact::{
    Contact, Detector, ElasticSurfaces, MOST_ROWS, PlacedBody, carried, find_edges, find_elastic, place, recall,
};
use crate::step::implicit::{FreeStep, Freedom, Span};
use crate::step::overlap::{least_gap, undone};
use crate::world::ContactMemory;

/// A contact of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterContact {
    pub(super) contact: Contact,
    /// Least normal velocity at the end of the step, m/s.
    pub(super) bound: f64,
    /// Impulses, row by row: where the sweeps start, and what they came to.
    pub(super) r: [f64; MOST_ROWS],
}

/// Finds contacts, and keeps its storage.
#[derive(Default)]
pub(super) struct Contacts {
    rigid: Detector,
    found: Vec<Contact>,
    /// Storage of the list of the last step.
    pub(super) list: Vec<FilterContact>,
    /// The bodies at the start of the step; those whose motion is given move with their mean velocity over it.
    pub(super) placed: Vec<PlacedBody>,
}

impl Contacts {
    /// All contacts that can close in the step, sorted by name. Overlaps are undone gently, no faster than a fall of h²
    /// |g| in the step.
    pub(super) fn find(
        &mut self,
        free: &FreeStep,
        trial: &Trial,
        surfaces: Option<&mut ElasticSurfaces>,
    ) -> Vec<FilterContact> {
        let Span { model, state, h } = trial.span;
        place(model, state, h, &mut self.placed);
        self.rigid.find(model, &self.placed, h);
        self.found.clear();
        self.found.extend_from_slice(self.rigid.contacts());
        find_elastic(model, &self.placed, h, &mut self.found);
        if let Some(surfaces) = surfaces {
            let margin = (2.0 * h * spread(free, trial)).min(surfaces.set().skin());
            surfaces.find(&self.placed, margin, &mut self.found);
            find_edges(model, &self.placed, surfaces, h, &mut self.found);
        }
        self.found.sort_by_key(Contact::name);
        let fall = undone(model.gravity, h);
        let remembered = recall(&self.found, &state.contacts);
        let own = |(contact, known): (&Contact, Option<&ContactMemory>)| {
            let bound = -(contact.gap - least_gap(contact.gap, fall)) / h;
            let r = known.map_or([0.0; MOST_ROWS], |known| carried(contact, known, h));
            FilterContact { contact: *contact, bound, r }
        };
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        list.extend(self.found.iter().zip(remembered).map(own));
        list
    }
}

/// How much faster than the mean a vertex moves, without contacts, m/s.
fn spread(free: &FreeStep, trial: &Trial) -> f64 {
    let each = |visit: &mut dyn FnMut(DVec3)| {
        for body in 0..trial.span.model.bodies.len() {
            if let Freedom::Vertices(own) = free.freedom(body) {
                own.iter().flatten().for_each(|dof| visit(velocity(&trial.free, *dof)));
            }
        }
    };
    let (mut sum, mut count, mut most) = (DVec3::ZERO, 0usize, 0.0f64);
    each(&mut |v| (sum, count) = (sum + v, count + 1));
    let mean = sum / count.max(1) as f64;
    each(&mut |v| most = most.max((v - mean).length_squared()));
    most.sqrt()
}
