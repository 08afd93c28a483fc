//! Which contacts of a step can act.
//!
//! Most contacts that are found are only near: in a pile that falls, four of five. A contact with u_n⁺ ≥ β (see [`super::rows`]) and no impulse
//! obeys its law, so a solution without it that leaves it so is one with it too. So the step is first solved with
//! the contacts that have acted before and those that the free motion closes or nearly closes; then all the others are looked at, and
//! those that the solution violates are added, until there are none. What comes out solves the problem of all contacts;
//! laws and rows are made for few.

use super::free::Twist;
use super::setup::Setup;
use crate::contact::{Contact, PlacedBody, recall};

/// Marks the contacts that the solver has impulses to start from for, and those that come within `slack` (m/s) of acting in the free motion.
pub(super) fn choose(setup: &Setup, contacts: &mut [Contact], slack: f64) {
    for (contact, known) in recall(contacts, setup.start.contacts).iter().map(Option::is_some).enumerate() {
        contacts[contact].acting |= known;
    }
    mark(setup, contacts, setup.free.list().iter().map(|free| free.twist), slack);
}

/// Marks the contacts that velocities at the end of the step violate by more than `slack`; whether there are any.
pub(super) fn extend(setup: &Setup, contacts: &mut [Contact], after: &[Twist], slack: f64) -> bool {
    mark(setup, contacts, after.iter().copied(), -slack)
}

/// Marks those with u_n < β + slack when the free bodies move like this; whether there are any new ones.
fn mark(setup: &Setup, contacts: &mut [Contact], velocities: impl Iterator<Item = Twist>, slack: f64) -> bool {
    let mut moving: Vec<PlacedBody> = setup.placed.to_vec();
    for (free, twist) in setup.free.list().iter().zip(velocities) {
        let at = &mut moving[free.body as usize];
        (at.velocity, at.angular_velocity) = (twist.velocity, twist.angular_velocity);
    }
    let mut any = false;
    for contact in contacts.iter_mut().filter(|contact| !contact.acting) {
        let bodies = contact.pair.map(|body| &moving[body as usize]);
        // A contact that did not act before has no spring to carry on.
        if contact.normal_velocity(bodies) + contact.shift[0] < setup.normal_bound(contact, 0.0) + slack {
            (contact.acting, any) = (true, true);
        }
    }
    any
}
