//! The contacts of a step: found where it begins, seen again at every guess, and where it ends those that were missed.

use super::guess::Guess;
use super::rows::StepContact;
use crate::contact::{Contact, Detector, MOST_ROWS, find_elastic, follow};
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
    found: Vec<Contact>,
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
        let closing = RECOVERY * model.gravity.length() * h * h;
        let own = |contact: &Contact| {
            let floor = if contact.gap < 0.0 { (contact.gap + closing).min(0.0) } else { 0.0 };
            StepContact { contact: *contact, floor, guessed: 0.0, r: [0.0; MOST_ROWS] }
        };
        self.find(model, guess, h).iter().map(own).collect()
    }

    /// Brings contacts up to date with a guess. Those that are not found there keep what they were. Tangents stay as they
    /// are, as far as normals let them: impulses are known in their frame, and a tangent that depended on the normal
    /// alone would jump somewhere.
    pub(super) fn update(&mut self, model: &Model, guess: &Guess, h: f64, contacts: &mut [StepContact]) {
        let found = self.find(model, guess, h);
        for own in contacts {
            let again = || Some(found[found.binary_search_by_key(&own.contact.name(), Contact::name).ok()?]);
            if let Some(now) = follow(model, &guess.placed, &own.contact).or_else(again) {
                let frame = now.frame.with_tangent_near(own.contact.frame.t());
                own.contact = Contact { frame, before: own.contact.before, ..now };
                own.guessed = normal_rate(&own.contact, guess);
            }
        }
    }

    /// Adds contacts that overlap at a guess and are not known; whether there are any.
    pub(super) fn add_missed(&mut self, model: &Model, guess: &Guess, h: f64, contacts: &mut Vec<StepContact>) -> bool {
        let known = contacts.len();
        let found = self.find(model, guess, h);
        for contact in found.iter().filter(|contact| contact.gap < 0.0) {
            let reach = contact.pair.map(|body| model.bodies[body as usize].reach());
            let slack = SLACK * reach[0].min(reach[1]);
            let name = contact.name();
            let is_new = contacts[..known].binary_search_by_key(&name, |own| own.contact.name()).is_err();
            if is_new && contact.gap < -slack {
                let guessed = normal_rate(contact, guess);
                contacts.push(StepContact { contact: *contact, floor: 0.0, guessed, r: [0.0; MOST_ROWS] });
            }
        }
        let any = contacts.len() > known;
        if any {
            contacts.sort_by_key(|own| own.contact.name());
        }
        any
    }
}

/// Relative normal velocity of the bodies at a guess.
fn normal_rate(contact: &Contact, guess: &Guess) -> f64 {
    contact.normal_velocity(contact.pair.map(|body| &guess.placed[body as usize]))
}
