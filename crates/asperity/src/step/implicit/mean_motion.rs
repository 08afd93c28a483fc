//! Positions of the second order for the mean motion of bodies.
//!
//! Backward Euler moves a body under a constant acceleration a too far, by ½ a h² in every step: 1 % of the way after a
//! second of steps of 10 ms. Nothing but the mean motion is concerned, and for that the trapezoid, x⁺ = x + h (V +
//! V⁺)/2, is exact: the whole body is moved back by ½ h (V⁺ − V), V the velocity of its centre of mass. Its shape, its
//! velocities and so its energy of strain and motion stay what they are.
//!
//! It is done where no contact notices: the body is not pinned; each contact that presses slides (one that sticks shall
//! stay where it is), and the shift lies in its plane; no gap closes. Two bodies that touch are shifted if all this
//! holds with their relative shift.
//!
//! Energy. A step of backward Euler with impulses r, R their sum on the body, changes the energy by
//! Σ r·u⁺ − ½ M |ΔV|² − (the same of the rest of the motion), u⁺ the velocities of the contacts. The shift lifts the
//! body in the field of gravity by ½ h M g·ΔV = ½ ΔV·(M ΔV − R), which leaves Σ r·u⁺ − ½ ΔV·R. Bodies where that is
//! above zero, as at a blow that turns friction round, are not shifted.

use glam::DVec3;

use super::guess::Guess;
use super::rows::StepContact;
use crate::body::{BodyState, Elastic, MeshState};
use crate::contact::Contact;
use crate::world::{Model, State};

/// Slip above which a contact slides, m/s: about what solvers leave of a contact that sticks. Where it leaves more,
/// the shift is as small.
const SLIDING: f64 = 1e-8;

/// Fraction of a shift along a normal that counts as none: fast bodies leave a solver with normal velocities of 1e-8 of
/// their speed, and a gap that is wrong by so little is put right in the next step.
const IN_PLANE: f64 = 1e-5;

/// A shift along a normal that is no more than what the solver leaves over, m.
const LEFT_OVER: f64 = 1e-11;

/// Shifts the bodies of a guess, the end of a step of length h from `state`.
pub(super) fn correct(model: &Model, state: &State, contacts: &[StepContact], h: f64, guess: &mut Guess) {
    let mut shifts: Vec<Option<DVec3>> = (0..model.bodies.len()).map(|i| shift(model, state, guess, i, h)).collect();
    // Joints hold bodies where they are.
    for body in model.joints.iter().flat_map(|joint| joint.bodies()).flatten() {
        shifts[body as usize] = None;
    }
    let of = |shifts: &[Option<DVec3>], body: u32| shifts[body as usize].unwrap_or(DVec3::ZERO);
    loop {
        let before = shifts.iter().flatten().count();
        for own in contacts {
            let [a, b] = own.contact.pair;
            let relative = of(&shifts, a) - of(&shifts, b);
            if !is_unnoticed(&own.contact, own.r[0], relative, guess) {
                (shifts[a as usize], shifts[b as usize]) = (None, None);
            }
        }
        let gains = gains(model, contacts, &shifts, h, guess);
        for (shift, gain) in shifts.iter_mut().zip(gains) {
            if gain > 0.0 {
                *shift = None;
            }
        }
        // A body that stays changes the relative shift of what touches it.
        if shifts.iter().flatten().count() == before {
            break;
        }
    }
    for (at, shift) in guess.bodies.iter_mut().zip(&shifts) {
        let Some(shift) = shift else { continue };
        match at {
            BodyState::Rigid(at) => at.centre += *shift,
            BodyState::Mesh(at) => {
                let positions = at.positions.iter().map(|x| *x + *shift).collect();
                *at = MeshState { frame: at.frame, positions, velocities: at.velocities.clone() }.into();
            }
        }
    }
}

/// −½ h (V⁺ − V) of a body that forces move; `None` if it is pinned.
fn shift(model: &Model, state: &State, guess: &Guess, i: usize, h: f64) -> Option<DVec3> {
    let body = &model.bodies[i];
    let change = match (&state.bodies[i], &guess.bodies[i]) {
        (BodyState::Rigid(start), BodyState::Rigid(end)) if body.inertia().is_some() => end.velocity - start.velocity,
        (BodyState::Mesh(start), BodyState::Mesh(end)) => {
            let elastic = body.elastic().filter(|elastic| !elastic.has_pins())?;
            mean_velocity(elastic, &end.velocities) - mean_velocity(elastic, &start.velocities)
        }
        _ => return None,
    };
    Some(change * (-0.5 * h))
}

/// Velocity of the centre of mass.
pub(super) fn mean_velocity(elastic: &Elastic, velocities: &[DVec3]) -> DVec3 {
    let momentum: DVec3 = elastic.masses().iter().zip(velocities).map(|(mass, v)| *v * *mass).sum();
    momentum / elastic.mass()
}

/// Σ r·u⁺ − ½ ΔV·R of each body, with a shift of −½ h ΔV. Two bodies that forces move share the first term.
fn gains(model: &Model, contacts: &[StepContact], shifts: &[Option<DVec3>], h: f64, guess: &Guess) -> Vec<f64> {
    let mut gains = vec![0.0; shifts.len()];
    for own in contacts.iter().filter(|own| own.r[0] > 0.0) {
        let pair = own.contact.pair.map(|body| body as usize);
        let u = own.contact.velocity(pair.map(|body| &guess.placed[body]));
        let work = own.r[0] * u.x + own.r[1] * u.y + own.r[2] * u.z;
        let impulse: DVec3 = (0..3).map(|k| own.contact.axis(k) * own.r[k]).sum();
        let both = pair.iter().all(|body| model.bodies[*body].is_dynamic());
        for (body, sign) in pair.into_iter().zip([1.0, -1.0]) {
            let shift = shifts[body].unwrap_or(DVec3::ZERO);
            gains[body] += sign * impulse.dot(shift) / h + if both { 0.5 * work } else { work };
        }
    }
    gains
}

/// Whether a contact with this normal impulse is as good after a relative shift of its bodies.
fn is_unnoticed(contact: &Contact, pressed: f64, shift: DVec3, guess: &Guess) -> bool {
    if shift == DVec3::ZERO {
        return true;
    }
    let normal = shift.dot(contact.frame.normal());
    if pressed <= 0.0 {
        return contact.gap + normal >= 0.0 || normal >= 0.0;
    }
    let slip = contact.velocity(contact.pair.map(|body| &guess.placed[body as usize]));
    slip.y.hypot(slip.z) > SLIDING && normal.abs() <= IN_PLANE * shift.length() + LEFT_OVER
}
