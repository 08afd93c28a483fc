//! Springs of contacts that bear far more than the weight of their own bodies.
//!
//! The compliance of a normal row is c = ε w, with w = 1/m of the body that is harder to move: that body's own weight
//! presses the contact in by about ε g h². A gram under a ton bears a million times its weight, and would sink by ε g h² M/m
//! into the floor. So a contact with the normal impulse r has
//!
//!   c = ε min(w, k g h / r),   k = 100 (`rows.rs`),
//!
//! and is pressed in by c r h ≤ k ε g h² at most: 1 µm at h = 0.01 s. r is the impulse of the step before. Where a first
//! solve presses a contact more than twice as far, its impulse is noted and the span is solved again.

use super::setup::Setup;
use super::solved::Solved;
use crate::contact::Contact;

/// Notes the contacts that a solve presses in too far; whether there are any.
pub(super) fn note(setup: &Setup, solved: &Solved, contacts: &mut [Contact]) -> bool {
    let borne = setup.borne();
    if setup.span.is_impact() || borne == 0.0 {
        return false;
    }
    solved.mark(contacts, |i, contact| {
        let r = solved.impulse(i)[0];
        let stated = setup.model.interaction(contact.pair).spring.is_some();
        let sinks = !stated && solved.bounds[i].normal.compliance * r > 2.0 * borne && r > 2.0 * contact.load;
        if sinks {
            contact.load = r;
        }
        sinks
    })
}
