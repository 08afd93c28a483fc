//! Carriers: bodies whose motion is given and is not an even translation, so that their velocity changes within a span.
//!
//! A span knows three velocities of a carrier: V at its start, V⁺ at its end, both derivatives of the script, and the
//! mean V̄ = ΔX/h. A group that moves by the trapezoid meets the velocity that the carrier has where the span ends:
//!
//!   u⁺ = J v⁺ − V⁺ at the end,   so that v⁺ is that of the carrier at the same time, to second order in h;
//!
//! rows take V̄, and [`Contact::shift`] holds V̄ − V⁺. The gap then moves by h (u + u⁺)/2 + δ, where
//! δ = h (V + V⁺)/2 − ΔX along the normal is what the trapezoid gets wrong of the carrier's own way: [`Contact::defect`]
//! is δ/h, so that the gap does not drift. A group that moves by the rule "end" meets V̄: x⁺ = x + h v⁺ then goes as far
//! as the carrier does.
//!
//! Which rule a group takes is known when its span is solved. It is solved first for the trapezoid, and again for "end"
//! if that is what it takes.

use glam::DVec3;

use super::span::Span;
use crate::body::{BodyState, Twist};
use crate::contact::{Contact, MOST_ROWS, PlacedBody};
use crate::geometry::Pose;
use crate::world::{Model, State};

/// A change of velocity within a span below this fraction of the velocity is none: motions that are given by formulas
/// are differentiated with less error than that.
const EVEN: f64 = 1e-9;

/// A body whose velocity is given and changes within a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carrier {
    body: u32,
    /// Of its origin: at the start, the mean, and at the end.
    start: Twist,
    mean: Twist,
    end: Twist,
    /// Where it is at the start and at the end.
    pub(super) from: Pose,
    pub(super) to: Pose,
}

impl Carrier {
    /// Where a pose gets to that goes along.
    pub(super) fn carried(&self, pose: &Pose) -> Pose {
        let turned = self.to.rotation * self.from.rotation.conjugate();
        let position = self.to.position + turned * (pose.position - self.from.position);
        Pose { position, rotation: (turned * pose.rotation).normalize() }
    }

    /// How a body with its centre of mass here, that goes along, moves at the end.
    pub(super) fn end_twist(&self, centre: DVec3) -> Twist {
        let Twist { velocity, angular_velocity } = self.end;
        Twist { velocity: velocity + angular_velocity.cross(centre - self.to.position), angular_velocity }
    }

    /// Its velocity changes by less than can be told.
    fn is_even(&self) -> bool {
        let speed = self.mean.velocity.length();
        let change =
            (self.end.velocity - self.start.velocity).length() + (self.mean.velocity - self.start.velocity).length();
        self.turn() == 0.0 && change <= EVEN * speed
    }

    fn turn(&self) -> f64 {
        [self.start, self.mean, self.end].iter().map(|twist| twist.angular_velocity.length()).fold(0.0, f64::max)
    }
}

/// The carriers of a span.
#[derive(Clone, Debug, Default)]
pub(super) struct Carriers {
    list: Vec<Carrier>,
}

impl Carriers {
    /// Those of a span from `state`, after which a time `look_ahead` is stepped over. In an impact they have one
    /// velocity.
    pub(super) fn new(model: &Model, state: &State, span: Span, look_ahead: f64) -> Self {
        let (t, h) = (state.time, span.length());
        let window = if h > 0.0 { h } else { look_ahead };
        let mut list = Vec::new();
        for (i, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
            let (Some(script), BodyState::Rigid(_)) = (body.script(), at) else { continue };
            if window == 0.0 {
                continue;
            }
            let [from, to] = [script.pose(t), script.pose(t + h)];
            let start = script.rate(t, window);
            let (mean, end) = if h > 0.0 { (script.velocity(t, h), script.rate(t + h, -h)) } else { (start, start) };
            let own = Carrier { body: i as u32, start, mean, end, from, to };
            if h == 0.0 || !own.is_even() {
                list.push(own);
            }
        }
        Self { list }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The carrier that is this body of the model.
    pub(super) fn get(&self, body: u32) -> Option<&Carrier> {
        self.list.binary_search_by_key(&body, |own| own.body).ok().map(|i| &self.list[i])
    }

    /// The bodies, with the carriers moving as they do at one moment.
    fn moving(&self, placed: &[PlacedBody], twist: impl Fn(&Carrier) -> Twist) -> Vec<PlacedBody> {
        let mut moving = placed.to_vec();
        for own in &self.list {
            let at = &mut moving[own.body as usize];
            let Twist { velocity, angular_velocity } = twist(own);
            (at.velocity, at.angular_velocity) = (velocity, angular_velocity);
        }
        moving
    }

    /// The bodies at the end of an attempt, with the carriers' velocities of that end and, second, with their mean ones,
    /// which rows take.
    pub(super) fn at_end(&self, placed: &[PlacedBody]) -> [Vec<PlacedBody>; 2] {
        [self.moving(placed, |own| own.end), self.moving(placed, |own| own.mean)]
    }

    /// Makes the contacts of carriers meet the velocities that their groups move with. Bodies that `ends` has move by the
    /// rule "end". `placed`, the bodies at the start, gets the mean velocities.
    pub(super) fn meet(&self, contacts: &mut [Contact], placed: &mut Vec<PlacedBody>, h: f64, ends: &[bool]) {
        if self.list.is_empty() {
            return;
        }
        let started = self.moving(placed, |own| own.start);
        *placed = self.moving(placed, |own| own.mean);
        for contact in contacts.iter_mut().filter(|contact| contact.bound.is_none()) {
            if contact.pair.iter().all(|body| self.get(*body).is_none()) {
                continue;
            }
            let at_end = contact.pair.iter().any(|body| ends[*body as usize]);
            let bodies = if at_end { &*placed } else { &started };
            contact.before = contact.velocity(contact.pair.map(|body| &bodies[body as usize]));
            (contact.shift, contact.defect) = ([0.0; MOST_ROWS], 0.0);
            if h > 0.0 && !at_end {
                self.shift(contact, h);
            }
        }
    }

    /// V̄ − V⁺ and δ/h of a contact.
    fn shift(&self, contact: &mut Contact, h: f64) {
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let Some(own) = self.get(contact.pair[side]) else { continue };
            let arm = contact.point - own.from.position;
            let end = own.carried(&Pose { position: contact.point, ..own.from }).position;
            let moved = end - contact.point;
            let velocity = |twist: &Twist, arm| twist.velocity + twist.angular_velocity.cross(arm);
            // At the arm of the start, as the other side: two rigid motions can agree at all contacts of a pair.
            let change = velocity(&own.end, arm) - velocity(&own.mean, arm);
            let turn = own.end.angular_velocity - own.mean.angular_velocity;
            for k in 0..MOST_ROWS {
                contact.shift[k] += sign * contact.axis(k).dot(if k < 3 { change } else { turn });
            }
            let mean = 0.5 * (velocity(&own.start, arm) + velocity(&own.end, end - own.to.position));
            contact.defect -= sign * contact.frame.normal().dot(mean - moved / h);
        }
    }
}
