//! The state of Newton's method in a step: the guess, its contacts, and where the guess was reached from.

use asperity_solve::problem::{ContactProblem, residual};
use asperity_solve::solver::{LawSource as _, Status, refresh};

use super::dynamics::{Imbalance, Start};
use super::guess::Guess;
use super::pull::Pull;
use super::rows::{Rows, StepContact};
use crate::body::BodyState;
use crate::contact::{Contact, KeyedLaws, MOST_ROWS, PlacedBody, carried, recall};
use crate::world::ContactMemory;

/// How often a step of the iteration is halved before it is taken as it is.
const HALVINGS: usize = 6;

/// How much a step may add to the error where there are joints. Their rows are discrete gradients, and so not the slopes of
/// their gaps: steps that add to the error lead on to the solution all the same, and halves of them do not get there.
const JOINT_GROWTH: f64 = 4.0;

/// Error of a joint that is open by a metre (or a radian): at the usual tolerance of 1e-8 a joint is closed to 1e-9 m.
const OPEN: f64 = 10.0;

/// Velocities that count as large enough to be compared with, times the length of the step and over the size of the
/// bodies: where all is at rest, the rounding of elastic forces is all that is left of the dynamics.
const ROUNDING: f64 = 1e-8;

/// Newton's method within a step.
pub(super) struct Iteration<'a> {
    pub(super) start: Start<'a>,
    pub(super) guess: Guess,
    pub(super) contacts: Vec<StepContact>,
    /// The bodies at the start of the step.
    pub(super) placed: Vec<PlacedBody>,
    /// Impulses of the rows of joints; empty before the first solve, if none are known.
    pub(super) joint_impulses: Vec<f64>,
    /// The solve that led to the guess; `None` before the first, and after contacts were added.
    pub(super) last: Option<Solved>,
    /// Where that solve was linear: a step that makes things worse is taken back towards it.
    from: Option<Point>,
    /// Solves so far, and since contacts were added.
    pub(super) solves: usize,
    /// How often the last step was halved.
    halvings: usize,
}

/// What a linear step came to.
pub(super) struct Solved {
    /// Velocities of the degrees of freedom.
    pub(super) v: Vec<f64>,
    /// Impulses.
    pub(super) r: Vec<f64>,
    pub(super) residual: f64,
    pub(super) status: Status,
    /// The problem; `None` without contacts.
    pub(super) problem: Option<ContactProblem>,
    /// A, in the slots of its pattern.
    pub(super) matrix: Vec<f64>,
}

/// A point that the iteration has left.
struct Point {
    v: Vec<f64>,
    r: Vec<[f64; MOST_ROWS]>,
    joint_impulses: Vec<f64>,
    bodies: Vec<BodyState>,
    error: f64,
}

/// Dynamics, rows and laws at a guess.
pub(super) struct Seen<'a> {
    pub(super) imbalance: Imbalance,
    pub(super) rows: Rows,
    /// What joints give to the bodies.
    pub(super) pulls: Vec<Pull>,
    pub(super) laws: KeyedLaws<'a>,
}

impl<'a> Iteration<'a> {
    /// At the first guess of a step, with the contacts there; their impulses are those of the step before.
    pub(super) fn new(start: Start<'a>, guess: Guess, mut contacts: Vec<StepContact>) -> Self {
        warm_start(&mut contacts, &start.state.contacts, start.h);
        let joint_impulses = start.state.joints.iter().map(|force| force * start.h).collect();
        let placed = guess.placed.clone();
        Self { start, guess, contacts, placed, joint_impulses, last: None, from: None, solves: 0, halvings: 0 }
    }

    /// The contacts as they are at the guess.
    pub(super) fn list(&self) -> Vec<Contact> {
        self.contacts.iter().map(|own| own.contact).collect()
    }

    /// Impulses of all contacts and joints, row by row.
    pub(super) fn impulses(&self, rows: &Rows) -> Vec<f64> {
        let own = |(i, own): (usize, &'_ StepContact)| own.r[..rows.range(i).len()].to_vec();
        let mut all: Vec<f64> = self.contacts.iter().enumerate().flat_map(own).collect();
        all.extend_from_slice(&self.joint_impulses);
        // Rows of joints are the same in all steps, but for those of a first one.
        all.resize(rows.given.len(), 0.0);
        all
    }

    /// How far the velocities and impulses of the guess are from a solution at the guess itself: the larger of the
    /// imbalance of the dynamics and the residual of the contacts. Infinite before the first solve, and where the
    /// energy is not defined.
    pub(super) fn error(&self, seen: &mut Seen) -> f64 {
        let Some(last) = &self.last else { return f64::INFINITY };
        let rows = &seen.rows;
        let r = self.impulses(rows);
        let mut pushed = vec![0.0; self.guess.v.len()];
        rows.jacobian.add_response(&r, &mut pushed);
        let moving = self.start.model.bodies.iter().filter(|body| body.is_dynamic());
        let least = ROUNDING * moving.map(|body| body.reach()).fold(0.0, f64::max) / self.start.h;
        let (mut error, mut size) = (0.0, 0.0);
        for (dof, (force, push)) in seen.imbalance.force.iter().zip(&pushed).enumerate() {
            let unit = self.start.plan.diagonal(&last.matrix, dof);
            let terms = seen.imbalance.size[dof].max(push.abs()).max(least * unit);
            error += (force - push) * (force - push) / unit;
            size += terms * terms / unit;
        }
        let dynamics = if size > 0.0 { (error / size).sqrt() } else { 0.0 };
        if dynamics.is_nan() {
            return f64::INFINITY;
        }
        let Some(problem) = &last.problem else { return dynamics };
        let mut u = rows.velocities(&self.guess.v);
        u.iter_mut().zip(rows.compliance.iter().zip(&r)).for_each(|(u, (c, r))| *u += c * r);
        refresh(problem, &mut seen.laws.laws, &r, &u);
        let open = rows.held_rate(&u) * self.start.h;
        dynamics.max(OPEN * open).max(residual(problem, seen.laws.laws.laws(), problem.scales(), &r, &u).scaled)
    }

    /// Whether the step that led to a guess with this error has to be halved.
    pub(super) fn is_worse(&self, error: f64) -> bool {
        let growth = if self.start.model.joints.is_empty() { 1.0 } else { JOINT_GROWTH };
        let worse = |from: &Point| error.partial_cmp(&(growth * from.error)).is_none_or(|order| order.is_ge());
        self.halvings < HALVINGS && self.from.as_ref().is_some_and(worse)
    }

    /// Goes back half of the way to where the last step began.
    pub(super) fn halve(&mut self) {
        let Some(from) = &self.from else { return };
        self.halvings += 1;
        let v = from.v.iter().zip(&self.guess.v).map(|(a, b)| 0.5 * (a + b)).collect();
        for (own, before) in self.contacts.iter_mut().zip(&from.r) {
            own.r.iter_mut().zip(before).for_each(|(r, before)| *r = 0.5 * (*r + *before));
        }
        for (r, before) in self.joint_impulses.iter_mut().zip(&from.joint_impulses) {
            *r = 0.5 * (*r + *before);
        }
        self.guess = Guess::after(self.start.setting(), &from.bodies, v);
    }

    /// Takes the step to a solution of the problem that is linear at the guess, whose error is this.
    pub(super) fn take(&mut self, solved: Solved, rows: &Rows, error: f64) {
        let r = self.contacts.iter().map(|own| own.r).collect();
        let next = Guess::after(self.start.setting(), &self.guess.bodies, solved.v.clone());
        let left = std::mem::replace(&mut self.guess, next);
        // The first guess is no state that the step could end in: there is no going back to it.
        let joints = rows.jacobian.starts()[self.contacts.len()];
        let joint_impulses = std::mem::replace(&mut self.joint_impulses, solved.r[joints..].to_vec());
        self.from = (!left.at_start).then_some(Point { v: left.v, r, joint_impulses, bodies: left.bodies, error });
        for (i, own) in self.contacts.iter_mut().enumerate() {
            let range = rows.range(i);
            own.r = [0.0; MOST_ROWS];
            own.r[..range.len()].copy_from_slice(&solved.r[range]);
        }
        self.last = Some(solved);
        self.solves += 1;
        self.halvings = 0;
    }

    /// Begins again, with other contacts.
    pub(super) fn restart(&mut self) {
        (self.last, self.from, self.solves, self.halvings) = (None, None, 0, 0);
    }
}

/// Impulses of the step before, as the start of this one.
fn warm_start(contacts: &mut [StepContact], memory: &[ContactMemory], h: f64) {
    let list: Vec<Contact> = contacts.iter().map(|own| own.contact).collect();
    for (own, known) in contacts.iter_mut().zip(recall(&list, memory)) {
        let Some(known) = known else { continue };
        own.r = carried(&own.contact, known, h);
    }
}
