//! A solved contact problem: impulses, and the velocities that they lead to.

use asperity_friction::ContactLaw;
use asperity_solve::problem::{ContactProblem, ProblemError};
use glam::DVec3;

use super::bound::ContactBound;
use super::exchange::{ContactExchange, Exchange};
use super::free::FreeBodies;
use super::setup::Setup;
use crate::body::Twist;
use crate::contact::{Contact, ContactImpulse, ContactRecord, LawView, MOST_ROWS};
use crate::step::joint_rows::JointRow;
use crate::step::solving::Answer;

impl Setup<'_> {
    /// What the contacts of a solved problem did, in full. `laws` are those that it ended with.
    pub(super) fn records(&self, solved: &Solved, laws: &[ContactLaw]) -> Vec<ContactRecord> {
        let record = |(i, (contact, law)): (usize, (&Contact, &ContactLaw))| {
            let name = self.model.interaction(contact.pair).law.name();
            let r = solved.impulse(i);
            ContactRecord::new(contact, LawView { law, name }, r, &solved.slip(i)[..r.len()])
        };
        solved.contacts.iter().zip(laws).enumerate().map(record).collect()
    }
}

/// A solved problem.
#[derive(Clone, Copy)]
pub(super) struct Solved<'a> {
    pub(super) problem: &'a ContactProblem,
    /// The contacts that it was solved with.
    pub(super) contacts: &'a [Contact],
    /// Of the rows of the contacts.
    pub(super) bounds: &'a [ContactBound],
    /// The rows of joints, after those of the contacts.
    pub(super) joints: &'a [JointRow],
    /// Which joints must move by the rule "end".
    pub(super) joints_at_end: &'a [bool],
    /// Which bodies of the model are on a carrier and must move by the rule "end".
    pub(super) ends: &'a [bool],
    pub(super) answer: &'a Answer,
}

impl Solved<'_> {
    /// Impulses of a contact.
    pub(super) fn impulse(&self, i: usize) -> &[f64] {
        &self.answer.solution.r[self.problem.range(i)]
    }

    /// The contacts with a normal impulse, by number.
    pub(super) fn pressed(&self) -> impl Iterator<Item = usize> {
        (0..self.contacts.len()).filter(|i| self.impulse(*i)[0] > 0.0)
    }

    /// Goes through `contacts`, of which those that are in the problem are its contacts in their order, with the number of
    /// each in the problem; whether `changes` answers with true for any.
    pub(super) fn mark(&self, contacts: &mut [Contact], mut changes: impl FnMut(usize, &mut Contact) -> bool) -> bool {
        let mut any = false;
        let mut listed = contacts.iter_mut().filter(|contact| contact.in_problem);
        for (i, own) in self.contacts.iter().enumerate() {
            let Some(contact) = listed.find(|contact| contact.name() == own.name()) else { return any };
            any |= changes(i, contact);
        }
        any
    }

    /// Impulses of the rows of joints.
    pub(super) fn joint_impulses(&self) -> &[f64] {
        let r = &self.answer.solution.r;
        &r[r.len() - self.joints.len()..]
    }

    /// J v⁺ + C r − β of the rows of joints.
    pub(super) fn joint_rates(&self) -> &[f64] {
        let u = &self.answer.solution.u;
        &u[u.len() - self.joints.len()..]
    }

    /// Velocities at a contact at the end, as its law sees them: the normal one without β and compliance, the slip
    /// without the shear.
    pub(super) fn slip(&self, i: usize) -> [f64; MOST_ROWS] {
        let range = self.problem.range(i);
        let (mut u, bound) = ([0.0; MOST_ROWS], self.bounds[i].normal);
        u[..range.len()].copy_from_slice(&self.answer.solution.u[range.clone()]);
        u[0] += bound.beta - bound.compliance * self.answer.solution.r[range.start];
        u
    }

    /// Velocities at a contact at the end.
    pub(super) fn after(&self, i: usize) -> [f64; MOST_ROWS] {
        let mut u = self.slip(i);
        for (k, r) in self.impulse(i).iter().enumerate().skip(1) {
            u[k] -= self.bounds[i].shear.rate(k, *r);
        }
        u
    }

    /// Velocities of the free bodies at the end.
    pub(super) fn velocities(&self, free: &FreeBodies) -> Result<Vec<Twist>, ProblemError> {
        let mut unforced = Vec::with_capacity(6 * free.list().len());
        for Twist { velocity, angular_velocity } in free.list().iter().map(|own| own.twist) {
            unforced.extend_from_slice(&velocity.to_array());
            unforced.extend_from_slice(&angular_velocity.to_array());
        }
        let after = self.problem.dynamics().velocities(&unforced, &self.answer.solution.r)?;
        let twist = |own: &[f64]| Twist {
            velocity: DVec3::from_slice(&own[..3]),
            angular_velocity: DVec3::from_slice(&own[3..]),
        };
        Ok(after.chunks_exact(6).map(twist).collect())
    }

    /// What each contact of an impact did: ΔT = Σ r·(u⁻ + u⁺)/2, since nothing else acts.
    pub(super) fn exchanges(&self, setup: &Setup) -> Vec<ContactExchange> {
        let exchange = |i: usize| {
            let (contact, r, after) = (&self.contacts[i], self.impulse(i), self.after(i));
            let [a, b] = contact.pair.map(|body| &setup.placed[body as usize]);
            let turning = contact.anchors[0].angular_velocity(a) - contact.anchors[1].angular_velocity(b);
            let mut own = Exchange::default();
            for (k, r) in r.iter().enumerate() {
                let before = if k < 3 { contact.before[k] } else { contact.axis(k).dot(turning) };
                own.change += 0.5 * r * (before + after[k]);
                own.size += 0.5 * r.abs() * (before.abs() + after[k].abs());
            }
            let e = setup.model.interaction(contact.pair).restitution;
            own.share = e * e;
            own.returnable = 0.5 * e * e * r[0] * (-contact.before.x).max(0.0);
            ContactExchange { pair: contact.pair, exchange: own }
        };
        self.pressed().map(exchange).collect()
    }

    /// What the contacts did that act.
    pub(super) fn impulses(&self) -> Vec<ContactImpulse> {
        let mut impulses = Vec::with_capacity(self.contacts.len());
        let impulse = |i: usize| ContactImpulse::new(&self.contacts[i], self.impulse(i), &self.slip(i));
        impulses.extend(self.pressed().map(impulse));
        impulses
    }
}
