//! Which contacts of a step are in the problem that it solves.
//!
//! A contact passes four gates on its way there:
//! 1. it is found at all, if its gap is smaller than the way that its bodies can go in the step (`contact/detect.rs`);
//! 2. the span may see it: a span before a bounce leaves out contacts that will bounce, an impact those that are open
//!    ([`super::Impulse`]);
//! 3. it can act: this module, before and after each solve;
//! 4. contacts that were not found at the start, and overlap at the end, are added ([`super::missed`]).
//!
//! Most contacts that are found are only near: in a pile that falls, four of five. A contact with u_n⁺ ≥ β (see
//! [`super::rows`]) and no impulse obeys its law, so a solution without it that leaves it so is one with it too. So the
//! step is first solved with the contacts that have acted before and those that the free motion closes or nearly
//! closes; then all the others are looked at, and those that the solution violates are added, until there are none.
//! What comes out solves the problem of all contacts; laws and rows are made for few.

use super::setup::Setup;
use crate::body::Twist;
use crate::contact::{Contact, PlacedBody, recall};

/// Puts contacts into the problem: those with a force in `setup.start`, and those whose free motion ends with
/// u_n < β + slack (m/s). Answers with all that are in it.
pub(super) fn choose(setup: &Setup, contacts: &mut [Contact], slack: f64) -> Vec<Contact> {
    for (contact, known) in recall(contacts, setup.start.contacts).iter().map(Option::is_some).enumerate() {
        contacts[contact].in_problem |= known;
    }
    mark(setup, contacts, setup.free.list().iter().map(|free| free.twist), slack);
    let mut chosen = Vec::with_capacity(contacts.len());
    chosen.extend(contacts.iter().filter(|contact| contact.in_problem));
    chosen
}

/// Puts contacts into the problem that velocities at the end of the step violate: u_n < β − slack. Whether there are
/// any.
pub(super) fn extend(setup: &Setup, contacts: &mut [Contact], after: &[Twist], slack: f64) -> bool {
    mark(setup, contacts, after.iter().copied(), -slack)
}

/// Puts those in with u_n < β + slack when the free bodies move like this; whether there are any new ones.
fn mark(setup: &Setup, contacts: &mut [Contact], velocities: impl Iterator<Item = Twist>, slack: f64) -> bool {
    if contacts.iter().all(|contact| contact.in_problem) {
        return false;
    }
    let mut moving: Vec<PlacedBody> = setup.placed.to_vec();
    for (free, twist) in setup.free.list().iter().zip(velocities) {
        let at = &mut moving[free.body as usize];
        (at.velocity, at.angular_velocity) = (twist.velocity, twist.angular_velocity);
    }
    let mut any = false;
    for contact in contacts.iter_mut().filter(|contact| !contact.in_problem) {
        let bodies = contact.pair.map(|body| &moving[body as usize]);
        // A contact that did not act before has no spring to carry on.
        if contact.normal_velocity(bodies) + contact.shift[0] + contact.defect
            < setup.normal_bound(contact, 0.0) + slack
        {
            (contact.in_problem, any) = (true, true);
        }
    }
    any
}
