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
//! **Rolling on an edge.** The point of contact of a disk moves round its rim. The passes are repeated until the rows have
//! settled: a pass with rows that are off by δ ends with velocities J⁺ v⁺ that are off by δ |v|, which the next step would
//! take for an impact, and an impact takes away energy of first order in h. The trapezoid leaves the gap off by a term of third order in h in each
//! step; these add up to one of second order that goes up and down with the motion. Where it is an open gap, the demand
//! J v⁺ ≥ −g/h would let the disk fall through all of it within a step and be stopped. So a contact that pressed in the step before closes
//! [`CLOSING`] of its gap in a step.
//!
//! **What is gained.** The work r·J̄ (v + v⁺)/2 and r·(J v + J⁺ v⁺)/2, which is never positive, differ by
//! ¼ r·(J⁺ − J)(v⁺ − v), of third order in h and of either sign. Where a body turns far in a step, the passes need not make
//! that small: they may go round, or lead from one position rule to the other. So a group whose energy has grown all the same is
//! solved once more in the way that cannot gain any: with the rows of the start, and by the rule "end". That way loses energy of first
//! order in h. A rim that rolls gains a little in every other step, and would be stopped by it: there all velocities of the group
//! are made smaller by one factor, so that what rolls still does. The momentum that this takes is not in the impulses of the contacts:
//! relative to the momentum that passes through the body, it is reported as `splitting`.
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
use glam::{DVec2, DVec3};

use super::recoil::RETURNED;
use crate::body::{Inertia, RigidState};
use crate::contact::{Contact, PlacedBody, recall};
use crate::world::{ContactMemory, Model};

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
/// The same where a rim rolls.
pub(super) const ROLLING_PASSES: usize = 8;
/// Rows have settled when the velocities that a pass was solved for are met at its end to this fraction of the speeds there
/// and to this many m/s: far less than what the next step takes for an impact (`groups.rs`).
const SETTLED: f64 = 1e-8;
const SETTLED_SPEED: f64 = 1e-9;
/// Which fraction of an open gap may close in a step at a contact that pressed before.
const CLOSING: f64 = 0.1;
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
    kinetic: f64,
    scale: f64,
    /// What lifts the bodies by their radius of gyration, J.
    lift: f64,
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
        self.kinetic += kinetic;
        let lift = inertia.lift(model.gravity);
        self.scale += kinetic + FLOOR * lift;
        self.lift += lift;
    }

    /// Whether the energy has grown, by more than springs of contacts may give back and `idle`, what the solver leaves
    /// over, J.
    pub(super) fn gains(&self, idle: f64) -> bool {
        self.change > RETURNED * self.lift + EXACT * self.scale + idle
    }

    /// The factor of all velocities with which the energy has not grown; 1 if it has grown by more than the kinetic
    /// energy: velocities are not to blame then.
    pub(super) fn braked(&self, idle: f64) -> f64 {
        let slows = self.gains(idle) && self.change < self.kinetic;
        if slows { (1.0 - self.change / self.kinetic).sqrt() } else { 1.0 }
    }

    /// The energy error that is let pass, J; infinite for a group that rests, of which nothing was taken in.
    pub(super) fn allowed(&self, work: Option<f64>, idle: f64) -> f64 {
        let rests = self.scale <= 0.0;
        if rests { f64::INFINITY } else { (EXACT * self.scale + idle).max(PART * work.map_or(0.0, f64::abs)) }
    }

    /// Energy error in J: |ΔE − W| for the trapezoid, with W the work of the contacts, and ΔE for the rule "end", under
    /// which contacts can only take energy away. `None` where it is below its tolerance; `idle` is what the solver
    /// leaves over.
    pub(super) fn error(&self, work: Option<f64>, idle: f64) -> Option<EnergyError> {
        let error = work.map_or(self.change, |work| (self.change - work).abs());
        (error > self.allowed(work, idle))
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

/// What turning the rows has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turned {
    /// No row was turned, and no body is solved with another inertia.
    Nothing,
    /// The rows are those that the last pass was solved with, but for what does not matter.
    Settled,
    /// There is something to solve again.
    Changed,
}

/// Puts the rows of contacts of bodies that ask for it between `starts` and `ends`, the contacts at the start and at
/// the end of the last pass, where the bodies are `at_end`. `pressed` are the forces of the step before. All
/// are sorted by pair and feature.
pub(super) fn turn(
    contacts: &mut [Contact],
    [starts, ends]: [&[Contact]; 2],
    pressed: &[ContactMemory],
    at_end: EndBodies,
    bodies: &[Option<Again>],
) -> Turned {
    let of = |list: &[Contact], contact: &Contact| {
        list.binary_search_by_key(&contact.name(), Contact::name).ok().map(|i| list[i])
    };
    let mut turned = if bodies.contains(&Some(Again::Start)) { Turned::Changed } else { Turned::Nothing };
    let pressed: Vec<bool> = recall(contacts, pressed).iter().map(Option::is_some).collect();
    for (contact, pressed) in contacts.iter_mut().zip(pressed).filter(|(contact, _)| contact.bound.is_none()) {
        if !contact.pair.iter().any(|body| bodies[*body as usize] == Some(Again::Between)) {
            continue;
        }
        let (Some(start), Some(end)) = (of(starts, contact), of(ends, contact)) else { continue };
        if let Some(row) = between(&start, &end, at_end) {
            if !settled(contact, &row, at_end) {
                turned = Turned::Changed;
            } else if turned == Turned::Nothing {
                turned = Turned::Settled;
            }
            let closing = if pressed && row.rim { CLOSING } else { 1.0 };
            *contact = Contact { in_problem: contact.in_problem, closing, ..row };
        }
    }
    turned
}

/// Whether two rows of a contact give the same velocity at the end, but for what does not matter.
fn settled(old: &Contact, new: &Contact, at_end: EndBodies) -> bool {
    let bodies = new.pair.map(|body| &at_end.mean[body as usize]);
    let seen = |row: &Contact| {
        let u = row.velocity(bodies) + DVec3::from_slice(&row.shift[..3]);
        (u.x, row.frame.to_world(DVec2::new(u.y, u.z)))
    };
    let ((n_old, slip_old), (n_new, slip_new)) = (seen(old), seen(new));
    (n_new - n_old).abs() + slip_new.distance(slip_old) <= settled_speed(new.speed)
}

/// The velocity that may be left over at a contact with this speed, m/s.
pub(super) fn settled_speed(speed: f64) -> f64 {
    SETTLED_SPEED + SETTLED * speed
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
