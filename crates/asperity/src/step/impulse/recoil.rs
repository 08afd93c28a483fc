//! Springs of contacts that would throw bodies apart.
//!
//! An overlap is a compressed spring that may push apart with β = c r', r' the impulse of the step before (`rows.rs`).
//! At rest the impulse is r = r' again, and nothing moves. After a blow, or where a load goes over to another contact,
//! r is smaller than r': the contact parts with u_n⁺ = c (r' − r), and r u_n⁺ is energy that bodies gain. It is the
//! energy that pressed the contact in, but the step that pressed it in counts it as lost. So where it is more than a
//! trace, r' is replaced by the r that came out, and the span is solved again: to first order the overlap then stays,
//! and no energy is given back.

use super::setup::Setup;
use super::solved::Solved;
use crate::contact::Contact;

/// Energy that a contact may give back in a span, as a fraction of what lifts its bodies by their radius of gyration.
pub(super) const RETURNED: f64 = 1e-10;

/// Notes the contacts that give back too much; whether there are any.
pub(super) fn note(setup: &Setup, solved: &Solved, contacts: &mut [Contact]) -> bool {
    if setup.span.is_impact() || setup.model.gravity.length() == 0.0 {
        return false;
    }
    let lift = |body: u32| setup.model.bodies[body as usize].inertia().map_or(0.0, |own| own.lift(setup.model.gravity));
    solved.mark(contacts, |i, contact| {
        let (r, bound) = (solved.impulse(i)[0], solved.bounds[i].normal);
        let given = r * (bound.beta - bound.compliance * r);
        let rigid = contact.bound.is_none() && setup.model.interaction(contact.pair).spring.is_none();
        let recoils =
            given > 0.0 && rigid && r < contact.recoil && given > RETURNED * contact.pair.map(lift).iter().sum::<f64>();
        if recoils {
            contact.recoil = r;
        }
        recoils
    })
}
