//! Parts bodies that overlap where a span ends, at the cost of energy that the span has lost.
//!
//! Contacts are linear in a span, so that bodies which turn can overlap at its end: by less than [`super::missed`] looks
//! at, or because its passes are used up. To push them apart by velocities would add energy. Here bodies are moved and
//! nothing else changes: by the least Δq, in the norm of the masses, that leaves no contact deeper than it may be,
//!
//!   g + J Δq ≥ −s,   Δq = M⁻¹ Jᵀ λ,   0 ≤ λ ⊥ g + s + J M⁻¹ Jᵀ λ ≥ 0,
//!
//! with s a little more than the springs of contacts give way. A pair that overlapped at the start of the span already may
//! keep [`KEPT`] of that: old overlaps shrink step by step and do not jump.
//!
//! To lift bodies takes the energy −Σ m g·Δx. No more is spent than kinetic, potential and elastic energy have fallen by in
//! the span; where it is more, Δq is scaled down. An impact loses far more than the way out of an overlap costs, so that
//! overlaps vanish in the step in which they arise. Bodies with joints stay where they are, and so do those that touch
//! nothing fixed, not even by way of others: to move them would change their angular momentum.

use asperity_friction::ContactLaw;
use asperity_solve::problem::{Bodies, ContactProblem, Groups, InverseMass, Link, ProblemError, RowKind};
use asperity_solve::solver::{ContactSolver as _, Frozen, ProxGaussSeidel, Solution, Stop};
use glam::{DQuat, DVec3};

use super::span::Span;
use crate::body::BodyState;
use crate::contact::Contact;
use crate::step::StepError;
use crate::world::{Model, State};

/// Overlap that is let be, relative to the smaller body's reach.
const LEFT: f64 = 2e-6;
/// The fraction of an overlap at the start that a pair may keep.
const KEPT: f64 = 0.5;
/// Contacts with gaps up to this many times the deepest overlap take part: bodies must not be pushed into others.
const NEAR: f64 = 4.0;
/// Sweeps of the solve: what they leave is seen in the next step.
const SWEEPS: usize = 200;

/// What the contacts at the end of a span are parted with.
pub(super) struct Parting<'a> {
    pub(super) model: &'a Model,
    pub(super) span: Span,
    /// The contacts at the start, sorted by name, and those at the end.
    pub(super) starts: &'a [Contact],
    pub(super) ends: &'a [Contact],
    /// By how much the springs of rigid contacts give way at most, m.
    pub(super) sprung: f64,
}

impl Parting<'_> {
    /// Parts the bodies of `next`, the state at the end of a span that began with `start`; whether any was moved.
    pub(super) fn part(&self, start: &State, next: &mut State) -> Result<bool, StepError> {
        if self.span.is_impact() || !self.ends.iter().any(|contact| contact.gap < -2.0 * self.allowed(contact)) {
            return Ok(false);
        }
        let budget = self.energy(start) - self.energy(next);
        if budget <= 0.0 {
            return Ok(false);
        }
        let failed = |error| StepError::Problem { t: start.time, error: Box::new(error) };
        let moved = self.displacements(next).map_err(failed)?;
        let lifted = |own: &Displacement| {
            let mass = self.model.bodies[own.body].inertia().map_or(0.0, |inertia| inertia.mass());
            -mass * self.model.gravity.dot(own.shift)
        };
        let cost: f64 = moved.iter().map(lifted).sum();
        let scale = if cost > budget { budget / cost } else { 1.0 };
        for own in &moved {
            if let BodyState::Rigid(at) = &mut next.bodies[own.body] {
                let turn = DQuat::from_scaled_axis(scale * own.turn);
                at.centre += scale * own.shift;
                at.rotation = (turn * at.rotation).normalize();
                // The same rates in the frame of the body: its kinetic energy stays.
                at.angular_velocity = turn * at.angular_velocity;
            }
        }
        Ok(!moved.is_empty())
    }

    fn energy(&self, state: &State) -> f64 {
        self.model.kinetic_energy(state) + self.model.potential_energy(state) + self.model.elastic_energy(state)
    }

    /// How deep a contact may be; infinite for contacts that give way.
    fn allowed(&self, contact: &Contact) -> f64 {
        if self.model.interaction(contact.pair).spring.is_some() {
            return f64::INFINITY;
        }
        let [a, b] = contact.pair.map(|body| self.model.bodies[body as usize].reach());
        let from = self.starts.partition_point(|other| other.pair < contact.pair);
        let start = self.starts[from..].iter().take_while(|other| other.pair == contact.pair);
        let deepest = start.filter(|other| other.bound.is_none()).map(|other| -other.gap).fold(0.0, f64::max);
        (LEFT * a.min(b)).max(self.sprung).max(KEPT * deepest)
    }

    /// Whether a joint holds a body.
    fn is_jointed(&self, body: u32) -> bool {
        self.model.joints.iter().any(|joint| joint.bodies().contains(&Some(body)))
    }

    /// Which bodies may be moved: those without joints that touch something that may not, or others that do.
    fn grounded(&self) -> Vec<bool> {
        let count = self.model.bodies.len();
        let free = |body: u32| self.model.bodies[body as usize].inertia().is_some() && !self.is_jointed(body);
        let (mut joined, mut held) = (Groups::new(count), Vec::new());
        for contact in self.ends.iter().filter(|contact| contact.gap <= 0.0) {
            match contact.pair.map(free) {
                [true, true] => joined.join(contact.pair[0] as usize, contact.pair[1] as usize),
                [true, false] => held.push(contact.pair[0] as usize),
                [false, true] => held.push(contact.pair[1] as usize),
                [false, false] => {}
            }
        }
        let mut grounded = vec![false; count];
        for body in held {
            grounded[joined.of(body)] = true;
        }
        (0..count).map(|body| free(body as u32) && grounded[joined.of(body)]).collect()
    }

    /// How far each body is to be moved.
    fn displacements(&self, next: &State) -> Result<Vec<Displacement>, ProblemError> {
        let grounded = self.grounded();
        let mut numbers = vec![None; self.model.bodies.len()];
        let (mut masses, mut moved) = (Vec::new(), Vec::new());
        for (i, body) in self.model.bodies.iter().enumerate() {
            let (Some(inertia), BodyState::Rigid(at)) = (body.inertia(), &next.bodies[i]) else { continue };
            if grounded[i] {
                numbers[i] = Some(moved.len());
                masses.push(InverseMass::Rigid(1.0 / inertia.mass(), inertia.inverse_in_world(at.rotation)));
                moved.push(Displacement { body: i, shift: DVec3::ZERO, turn: DVec3::ZERO });
            }
        }
        let deepest = self.ends.iter().map(|contact| -contact.gap).fold(0.0, f64::max);
        let mut bodies = Bodies::new(masses)?;
        let mut bias = Vec::new();
        for contact in self.ends.iter().filter(|contact| contact.gap < NEAR * deepest) {
            let allowed = self.allowed(contact);
            let mut links = Vec::new();
            for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                let number = numbers[contact.pair[side] as usize];
                if let (Some(number), Some(row)) = (number, contact.rigid_row(side, 0)) {
                    let [linear, angular] = [row.linear, row.angular].map(|part| (sign * part).to_array());
                    links.push((number, [linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]]));
                }
            }
            if links.is_empty() || allowed.is_infinite() {
                continue;
            }
            let links: Vec<Link> = links.iter().map(|(body, row)| Link { body: *body, jacobian: row }).collect();
            bodies.push(1, &links)?;
            bias.push(contact.gap + allowed);
        }
        if bias.is_empty() {
            return Ok(Vec::new());
        }
        let count = bias.len();
        let problem = ContactProblem::new(bodies, bias, vec![RowKind::Contact; count])?;
        let mut solution = Solution::zero(&problem);
        let solver = ProxGaussSeidel { sweeps: SWEEPS, ..ProxGaussSeidel::default() };
        solver.solve(&problem, &mut Frozen(vec![ContactLaw::default(); count]), Stop::default(), &mut solution)?;
        let shifts = problem.dynamics().velocities(&vec![0.0; 6 * moved.len()], &solution.r)?;
        for (own, shift) in moved.iter_mut().zip(shifts.chunks_exact(6)) {
            (own.shift, own.turn) = (DVec3::from_slice(&shift[..3]), DVec3::from_slice(&shift[3..]));
        }
        moved.retain(|own| own.shift != DVec3::ZERO || own.turn != DVec3::ZERO);
        Ok(moved)
    }
}

/// How far a body is moved and turned.
struct Displacement {
    body: usize,
    shift: DVec3,
    turn: DVec3,
}
