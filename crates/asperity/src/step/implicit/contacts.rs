//! The contacts of a step: found where it begins, seen again at every guess, and where it ends those that were missed.

use glam::DVec3;

use super::guess::Guess;
use super::rows::StepContact;
use crate::body::{Elastic, ElasticKind};
use crate::contact::{
    Contact, Detector, ElasticSurfaces, MOST_ROWS, Near, PlacedBody, SurfaceStep, find_elastic, follow,
};
use crate::step::overlap::{least_gap, undone};
use crate::world::Model;

/// Overlap of a contact that was not in the problem that is let pass, as a fraction of the smaller body's reach.
const SLACK: f64 = 1e-7;

/// How much of an overlap at the start of a step is removed in it, relative to the g h² that a body falls in a step. It
/// must be more than what heavy stacks sink into soft contacts; more than that would add energy where a scene begins with
/// overlaps.
const RECOVERY: f64 = 1e-4;

/// Finds contacts, and keeps its storage.
#[derive(Default)]
pub(super) struct Finder {
    rigid: Detector,
    surfaces: Option<ElasticSurfaces>,
    found: Vec<Contact>,
}

/// Contacts that a step has missed.
pub(super) struct Missed {
    pub(super) contacts: Vec<StepContact>,
    /// Whether elements of elastic surfaces are among them that have passed through each other, or are too near. They
    /// must not be left; small overlaps with rigid bodies may be left to the next step.
    pub(super) surfaces: bool,
}

impl Finder {
    /// All contacts at a guess that the bodies can close in a step of length h, sorted by name.
    fn find(&mut self, model: &Model, guess: &Guess, h: f64) -> &[Contact] {
        self.rigid.find(model, &guess.placed, h);
        self.found.clear();
        self.found.extend_from_slice(self.rigid.contacts());
        find_elastic(model, &guess.placed, h, &mut self.found);
        &self.found
    }

    /// The contacts that a step begins with.
    pub(super) fn first(&mut self, model: &Model, guess: &Guess, h: f64) -> Vec<StepContact> {
        let closing = RECOVERY * undone(model.gravity, h);
        let own = |contact: &Contact| {
            let floor = least_gap(contact.gap, closing);
            StepContact { contact: *contact, floor, guessed: 0.0, r: [0.0; MOST_ROWS] }
        };
        self.find(model, guess, h);
        if !self.surfaces.as_ref().is_some_and(|surfaces| surfaces.fits(model)) {
            let sided = |elastic: &Elastic| elastic.kind() == ElasticKind::Solid || elastic.offset() > 0.0;
            let any = model.bodies.iter().filter_map(|body| body.elastic()).any(sided);
            self.surfaces = any.then(|| ElasticSurfaces::new(model)).flatten();
        }
        if let Some(surfaces) = &mut self.surfaces {
            let near = Near { margin: margin(model, &guess.placed, h), h };
            surfaces.find_sided(model, &guess.placed, near, &mut self.found);
            self.found.sort_by_key(Contact::name);
        }
        self.found.iter().map(own).collect()
    }

    /// Brings contacts up to date with a guess. Those that are not found there keep what they were. Tangents stay as they
    /// are, as far as normals let them: impulses are known in their frame, and a tangent that depended on the normal
    /// alone would jump somewhere.
    pub(super) fn update(
        &mut self,
        model: &Model,
        from: &[PlacedBody],
        guess: &Guess,
        h: f64,
        contacts: &mut [StepContact],
    ) {
        let found = self.find(model, guess, h);
        for own in contacts {
            let again = || Some(found[found.binary_search_by_key(&own.contact.name(), Contact::name).ok()?]);
            if let Some(now) = follow(model, from, &guess.placed, &own.contact).or_else(again) {
                let frame = now.frame.with_tangent_near(own.contact.frame.t());
                own.contact = Contact { frame, before: own.contact.before, ..now };
                own.guessed = normal_rate(&own.contact, guess);
            }
        }
    }

    /// The contacts that overlap at a guess and are not known. The bodies began at `from`.
    pub(super) fn missed(
        &mut self,
        model: &Model,
        from: &[PlacedBody],
        guess: &Guess,
        h: f64,
        contacts: &[StepContact],
    ) -> Missed {
        let is_known = |name| contacts.binary_search_by_key(&name, |own| own.contact.name()).is_ok();
        self.find(model, guess, h);
        self.found.retain(|contact| {
            let reach = contact.pair.map(|body| model.bodies[body as usize].reach());
            contact.gap < -SLACK * reach[0].min(reach[1]) && !is_known(contact.name())
        });
        let overlaps = self.found.len();
        if let Some(surfaces) = &mut self.surfaces {
            let elastic = model.bodies.iter().filter(|body| body.elastic().is_some());
            let slack = SLACK * elastic.map(|body| body.reach()).fold(f64::INFINITY, f64::min);
            let step = SurfaceStep { model, from, to: &guess.placed, slack };
            surfaces.find_missed(step, is_known, &mut self.found);
        }
        let own = |contact: &Contact| {
            let guessed = normal_rate(contact, guess);
            StepContact { contact: *contact, floor: 0.0, guessed, r: [0.0; MOST_ROWS] }
        };
        Missed { contacts: self.found.iter().map(own).collect(), surfaces: self.found.len() > overlaps }
    }
}

/// Gaps between elastic surfaces that a step begins with as contacts: what they can close in it, seen by an observer who
/// moves with the mean of the vertices, but no more than the mean length of an edge. What moves farther is found where
/// the step ends.
fn margin(model: &Model, placed: &[PlacedBody], h: f64) -> f64 {
    let elastic =
        || placed.iter().zip(&model.bodies).filter_map(|(at, body)| Some((at.mesh.as_ref()?, body.elastic()?)));
    let meshes = || elastic().map(|(mesh, _)| mesh);
    let velocities = || meshes().flat_map(|mesh| (0..mesh.positions().len()).map(|i| mesh.vertex_velocity(i as u32)));
    let mean = velocities().sum::<DVec3>() / velocities().count().max(1) as f64;
    let fastest = velocities().map(|v| (v - mean).length()).fold(0.0, f64::max);
    let edge = elastic().map(|(_, elastic)| elastic.mesh().mean_edge()).fold(f64::INFINITY, f64::min);
    (2.0 * h * fastest + h * h * model.gravity.length()).min(edge)
}

/// Relative normal velocity of the bodies at a guess.
fn normal_rate(contact: &Contact, guess: &Guess) -> f64 {
    contact.normal_velocity(contact.pair.map(|body| &guess.placed[body as usize]))
}
