//! Contacts whose rows turn within a step: where on a body a contact is, and where its normal points to, at the start
//! and at the end.
//!
//! A step is first solved with the rows J of its start. Where a body turns under a contact, a top on its tip or a coin
//! on its rim, J⁺ at the end is another one, and both the demand J v⁺ ≥ −g/h and the direction Jᵀ r of the impulses are
//! off by a term of first order in h. For smooth motion the work of contacts and the change of energy then differ by a
//! term of second order, and the gap gets as large. So such a step is solved again, with
//!
//!   impulses along J̄ = ½ (J + J⁺),   and the demands and laws for J⁺ v⁺ = J̄ v⁺ + s,   s = (J⁺ − J̄) v_k⁺,
//!
//! J⁺ and v_k⁺ from the pass before, and the inertia of the orientation where that pass ended. The matrix stays
//! symmetric. It is the trapezoid for both the gap, Δg = ½ h (J v + J⁺ v⁺), and the impulses; the work r·J̄ (v + v⁺)/2
//! is that of the gap but for a term of third order. A top without friction keeps its energy with an error of h⁴.
//!
//! **When.** A group that moves by the trapezoid ([`super::advance`]), and in which the change of energy is not the
//! work of its contacts: by more than [`EXACT`] of its energy in a step, and [`PART`] of the work. Where friction takes
//! energy away, that is small beside it. Groups with joints are left as they are, and so are all where damping takes
//! energy away. A group on a carrier ([`super::carriers`]), whose energy tells nothing, is solved twice, with J⁺ at the
//! carrier's velocity of the end.
//!
//! **The rule "end"** turns bodies from q to q⁺ with L⁺ = L + δ, and a free turn keeps the energy:
//! ½ L⁺·I(q⁺)⁻¹L⁺ = ½ L⁺·I(q)⁻¹L⁺. So it changes by δ·I(q)⁻¹L⁺ − ½ δ·I(q)⁻¹δ: it cannot grow if the step is solved with
//! the inertia of its start instead of its end. A group that moves by this rule and gains energy is solved again so.

use asperity_friction::ContactFrame;
use glam::DVec3;

use crate::body::{Inertia, RigidState};
use crate::contact::{Contact, PlacedBody};
use crate::world::Model;

/// Error of the energy of a group in a step, as a fraction of its scale, that is let pass: a million steps of it are
/// 1e-6. Velocities that are left over along normals are small then, too: the next step does not take them for an
/// impact.
const EXACT: f64 = 1e-12;
/// The same as a fraction of what contacts take away.
const PART: f64 = 1e-2;
/// The scale of a group's energy is at least this fraction of what lifts its bodies by their radius of gyration: what
/// hardly moves has an energy near zero.
const FLOOR: f64 = 1e-3;
/// Most passes.
pub(super) const PASSES: usize = 4;
/// Cosine of the largest angle that a normal turns by in a smooth step.
const SMOOTH: f64 = 0.9;

/// How to solve a group again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Again {
    /// With rows between start and end.
    Between,
    /// With the inertia of the start.
    Start,
}

/// An error in the energy of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EnergyError {
    pub(super) joules: f64,
    /// How to solve again so that it gets smaller.
    pub(super) again: Again,
}

/// What the energy of a group changes by in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balance {
    change: f64,
    scale: f64,
}

impl Balance {
    /// Takes in a body that moves from one state to another.
    pub(super) fn add(&mut self, model: &Model, inertia: &Inertia, [from, to]: [&RigidState; 2]) {
        let spin = |at: &RigidState| inertia.momentum(at.rotation, at.angular_velocity).dot(at.angular_velocity);
        // Written so that the speed of a body that goes far in a step does not cancel.
        let moved = 0.5 * (to.velocity - from.velocity).dot(to.velocity + from.velocity)
            - model.gravity.dot(to.centre - from.centre);
        self.change += inertia.mass() * moved + 0.5 * (spin(to) - spin(from));
        let kinetic = 0.5 * (inertia.mass() * to.velocity.length_squared() + spin(to));
        self.scale += kinetic + FLOOR * inertia.lift(model.gravity);
    }

    /// Energy error in J: |ΔE − W| for the trapezoid, with W the work of the contacts, and ΔE for the rule "end", under
    /// which contacts can only take energy away. `None` where it is below its tolerance; `idle` is what the solver
    /// leaves over.
    pub(super) fn error(&self, work: Option<f64>, idle: f64) -> Option<EnergyError> {
        let error = work.map_or(self.change, |work| (self.change - work).abs());
        // Nothing was taken in of a group that rests.
        let moves = self.scale > 0.0;
        (moves && error > EXACT * self.scale + idle && error > PART * work.map_or(0.0, f64::abs))
            .then_some(EnergyError { joules: error, again: if work.is_some() { Again::Between } else { Again::Start } })
    }
}

/// The bodies at the end of a pass: with the velocities that they have there, and with those that rows take of bodies
/// whose motion is given.
#[derive(Clone, Copy)]
pub(super) struct EndBodies<'a> {
    pub(super) last: &'a [PlacedBody],
    pub(super) mean: &'a [PlacedBody],
}

/// Puts the rows of contacts of bodies that ask for it between `starts` and `ends`, the contacts at the start and at
/// the end of the last pass, where the bodies are `at_end`. Whether there is anything to solve again. All
/// are sorted by pair and feature.
pub(super) fn turn(
    contacts: &mut [Contact],
    starts: &[Contact],
    ends: &[Contact],
    at_end: EndBodies,
    bodies: &[Option<Again>],
) -> bool {
    let of = |list: &[Contact], contact: &Contact| {
        list.binary_search_by_key(&contact.name(), Contact::name).ok().map(|i| list[i])
    };
    let mut any = bodies.contains(&Some(Again::Start));
    for contact in contacts.iter_mut().filter(|contact| contact.bound.is_none()) {
        if !contact.pair.iter().any(|body| bodies[*body as usize] == Some(Again::Between)) {
            continue;
        }
        let (Some(start), Some(end)) = (of(starts, contact), of(ends, contact)) else { continue };
        if let Some(row) = between(&start, &end, at_end) {
            *contact = Contact { in_problem: contact.in_problem, ..row };
            any = true;
        }
    }
    any
}

/// The row between two: none if the contact has jumped.
fn between(start: &Contact, end: &Contact, at_end: EndBodies) -> Option<Contact> {
    let [from, to] = [start.frame.normal(), end.frame.normal()];
    if from.dot(to) < SMOOTH {
        return None;
    }
    let frame = ContactFrame::from_normal((from + to).normalize()).ok()?;
    let anchors = [0, 1].map(|k| start.anchors[k].mean(&end.anchors[k]));
    let mean = Contact { frame, anchors, ..*start };
    let [a, b] = end.pair.map(|body| &at_end.last[body as usize]);
    let rows = end.pair.map(|body| &at_end.mean[body as usize]);
    // The velocity at the end along the axes of the mean, but its normal part along the normal of the end.
    let last = Contact { frame, ..*end }.velocity([a, b]);
    let shift = DVec3::new(end.normal_velocity([a, b]), last.y, last.z) - mean.velocity(rows);
    let spin = |[a, b]: [&PlacedBody; 2]| end.anchors[0].angular_velocity(a) - end.anchors[1].angular_velocity(b);
    let turning = spin([a, b]);
    // Zero but for carriers, whose velocity at the end is not the mean one that rows take.
    let change = turning - spin(rows);
    let turned = (to - frame.normal()).dot(turning) + frame.normal().dot(change);
    let rolled = [frame.t().dot(change), frame.b().dot(change)];
    Some(Contact { shift: [shift.x, shift.y, shift.z, turned, rolled[0], rolled[1]], ..mean })
}
