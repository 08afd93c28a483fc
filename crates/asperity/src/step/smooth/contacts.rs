//! The contacts of a step.
//!
//! - Vertices of cloth and solids against analytic shapes: their exact signed distance.
//! - Vertices of cloth and solids, and corners of rigid shapes, against sampled potentials ([`super::probes`]). Of two solids
//!   each is kept out of the other's potential, unless only one of them has a `potential` of its own.
//! - Rigid bodies against rigid bodies as in the other steppers.

use glam::DVec3;

use super::fields::{Fields, sampled};
use crate::body::{Body, ElasticKind};
use crate::contact::{
    Anchor, Contact, ContactName, Detector, MOST_ROWS, PlacedBody, carried, find_elastic_where, place, recall,
};
use crate::geometry::potential::Influence;
use crate::step::implicit::Span;
use crate::step::overlap::{least_gap, undone};
use crate::world::ContactMemory;

/// A contact of a step.
#[derive(Clone, Debug)]
pub(super) struct SmoothContact {
    pub(super) contact: Contact,
    /// Least normal velocity at the end of the step, m/s; where contacts are seen at velocities v, what it is above theirs.
    pub(super) bound: f64,
    /// Least gap at the end of the step: zero, or for an overlap what is left of it, m.
    pub(super) floor: f64,
    /// The potential that it is a contact with, if that is sampled on a surface that deforms.
    pub(super) blend: Option<Blend>,
    /// Impulses, row by row: those of the last step, and what they came to.
    pub(super) r: [f64; MOST_ROWS],
}

impl SmoothContact {
    /// The same with its impulses beyond so many rows alone; `None` if there are none.
    pub(super) fn beyond(&self, rows: usize) -> Option<Self> {
        let mut r = self.r;
        r[..rows].fill(0.0);
        r.iter().any(|r| *r != 0.0).then(|| Self { r, ..self.clone() })
    }
}

/// What the samples of a surface that deforms do to a contact.
#[derive(Clone, Debug)]
pub(super) struct Blend {
    /// Which side of the contact has the potential: 0 for A, 1 for B.
    pub(super) side: usize,
    /// 1/|∇Ψ|, and the direction of ∇Ψ.
    pub(super) scale: f64,
    pub(super) outward: DVec3,
    pub(super) influences: Vec<Influence>,
}

/// Finds contacts, and keeps its storage.
#[derive(Default)]
pub(super) struct Contacts {
    rigid: Detector,
    found: Vec<Contact>,
    /// The bodies at the start of the step; those whose motion is given move with their mean velocity over it.
    pub(super) placed: Vec<PlacedBody>,
}

impl Contacts {
    /// Puts the bodies where a step begins.
    pub(super) fn place(&mut self, Span { model, state, h }: Span) {
        place(model, state, h, &mut self.placed);
    }

    /// All contacts that can close in the step, sorted by name, with the impulses that are remembered. Overlaps are undone
    /// gently, no faster than a fall of h² |g| in the step.
    pub(super) fn find(
        &mut self,
        Span { model, h, .. }: Span,
        fields: &Fields,
        memory: &[ContactMemory],
    ) -> Vec<SmoothContact> {
        self.rigid.find(model, &self.placed, h);
        self.found.clear();
        self.found.extend_from_slice(self.rigid.contacts());
        let analytic = |other: &Body| sampled(other).is_none();
        find_elastic_where(model, &self.placed, h, analytic, &mut self.found);
        let corner = |contact: &Contact| {
            let on = |side: usize| {
                let elastic = model.bodies[contact.pair[side] as usize].elastic();
                let face = matches!(contact.anchors[side], Anchor::Triangle { .. });
                face && elastic.is_some_and(|own| own.kind() == ElasticKind::Solid)
            };
            on(0) || on(1)
        };
        let plain = |contact: &Contact| SmoothContact {
            contact: *contact,
            bound: 0.0,
            floor: 0.0,
            blend: None,
            r: [0.0; MOST_ROWS],
        };
        // Corners of shapes are kept out of the potentials of solids instead.
        let mut list: Vec<SmoothContact> = self.found.iter().filter(|own| !corner(own)).map(plain).collect();
        for field in &fields.list {
            self.find_in(model, field, h, &mut list);
        }
        list.sort_by_key(|own| own.contact.name());
        bound(&mut list, undone(model.gravity, h), h);
        warm_start(&mut list, memory, h);
        list
    }
}

/// Gaps stay open; what overlaps comes out by a fall of the step at most.
fn bound(list: &mut [SmoothContact], fall: f64, h: f64) {
    for own in list {
        let gap = own.contact.gap;
        own.floor = least_gap(gap, fall);
        own.bound = -(gap - own.floor) / h;
    }
}

/// What is left at the end of a step of an overlap that it began with.
pub(super) struct Floor {
    name: ContactName,
    gap: f64,
}

impl Floor {
    pub(super) fn of(own: &SmoothContact) -> Self {
        Self { name: own.contact.name(), gap: own.floor }
    }
}

/// Contacts that are seen where a step ends have the floors of where it began; `floors` is sorted by name.
pub(super) fn lower(list: &mut [SmoothContact], floors: &[Floor], h: f64) {
    for own in list {
        let known = floors.binary_search_by_key(&own.contact.name(), |floor| floor.name);
        own.floor = known.map_or(0.0, |i| floors[i].gap);
        own.bound = -(own.contact.gap - own.floor) / h;
    }
}

/// The impulses that the forces of the last step, or of the last solve of this one, are in a step.
fn warm_start(list: &mut [SmoothContact], memory: &[ContactMemory], h: f64) {
    let contacts: Vec<Contact> = list.iter().map(|own| own.contact).collect();
    for (own, known) in list.iter_mut().zip(recall(&contacts, memory)) {
        let Some(known) = known else { continue };
        own.r = carried(&own.contact, known, h);
        own.r[0] = own.r[0].max(0.0);
    }
}
