//! Parts bodies that overlap where a span ends, at the cost of energy that the span has lost.
//!
//! Contacts are linear in a span, so that bodies which turn can overlap at its end: by less than [`super::missed`] looks
//! at, or because its passes are used up. To push them apart by velocities would add energy. Here bodies are moved and
//! nothing else changes: by the least Δq, in the norm of the masses, that leaves no contact deeper than it may be,
//!
//!   g + J Δq ≥ −s,   Δq = M⁻¹ Jᵀ λ,   0 ≤ λ ⊥ g + s + J M⁻¹ Jᵀ λ ≥ 0,
//!
//! with s what the springs of contacts may give way. A pair that overlapped at the start of the span already may keep
//! [`KEPT`] of that, so that bodies do not jump.
//!
//! To lift bodies takes the energy −Σ m g·Δx. No more is spent than the energy of the whole world has fallen by in the span;
//! where it is more, Δq is scaled down. An impact loses far more than the way out of an overlap costs, so that
//! overlaps vanish in the step in which they arise. Bodies with joints stay where they are, and so do those in contacts with a
//! stiffness, and those that touch nothing fixed, not even by way of others: to move these would change their angular
//! momentum.

use asperity_friction::ContactLaw;
use asperity_solve::problem::{Bodies, ContactProblem, Groups, InverseMass, Link, ProblemError, RowKind};
use asperity_solve::solver::{ContactSolver as _, Frozen, ProxGaussSeidel, Solution, Stop};
use glam::{DQuat, DVec3};

use super::missed::least_gap;
use super::span::Span;
use super::spring::spring_energy;
use crate::body::BodyState;
use crate::contact::Contact;
use crate::step::StepError;
use crate::world::{Model, State};

/// Overlap that is let be, relative to the smaller body's reach.
const LEFT: f64 = 2e-6;
/// The fraction of an overlap at the start that a pair may keep.
const KEPT: f64 = 0.5;
/// Contacts with gaps up to this much touch, m: what rolls opens its contacts by less.
const TOUCHING: f64 = 1e-9;
/// Bodies are parted from overlaps that are deeper than those that rest may have by this factor.
const DEEP: f64 = 1.05;
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
    /// Residual that the displacements are solved to.
    pub(super) tolerance: f64,
}

impl Parting<'_> {
    /// Parts the bodies of `next`, the state at the end of a span that began with `start`; whether any was moved.
    pub(super) fn part(&self, start: &State, next: &mut State) -> Result<bool, StepError> {
        if self.span.is_impact() || !self.ends.iter().any(|contact| contact.gap < -DEEP * self.rest(contact)) {
            return Ok(false);
        }
        let budget = (self.energy(start, self.starts) - self.energy(next, self.ends)).max(0.0);
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

    fn energy(&self, state: &State, contacts: &[Contact]) -> f64 {
        let stored = self.model.elastic_energy(state) + spring_energy(self.model, contacts, &state.contacts);
        self.model.kinetic_energy(state) + self.model.potential_energy(state) + stored
    }

    /// How deep a contact may be; infinite for contacts that give way.
    fn allowed(&self, contact: &Contact) -> f64 {
        self.rest(contact).max(-KEPT * least_gap(contact.pair, self.starts))
    }

    /// How deep a contact that rests may be.
    fn rest(&self, contact: &Contact) -> f64 {
        if self.model.interaction(contact.pair).spring.is_some() {
            return f64::INFINITY;
        }
        let [a, b] = contact.pair.map(|body| self.model.bodies[body as usize].reach());
        (LEFT * a.min(b)).max(self.sprung)
    }

    /// Whether a joint holds a body.
    fn is_jointed(&self, body: u32) -> bool {
        self.model.joints.iter().any(|joint| joint.bodies().contains(&Some(body)))
    }

    /// Which bodies may be moved: those without joints and springs that touch something that forces do not move, or others
    /// that do.
    fn grounded(&self) -> Vec<bool> {
        let count = self.model.bodies.len();
        let mut free: Vec<bool> = self.model.bodies.iter().map(|body| body.inertia().is_some()).collect();
        let dynamic = free.clone();
        for body in (0..count).filter(|body| self.is_jointed(*body as u32)) {
            free[body] = false;
        }
        let touching = || self.ends.iter().filter(|contact| contact.gap <= self.rest(contact).min(TOUCHING));
        for contact in touching().filter(|contact| self.model.interaction(contact.pair).spring.is_some()) {
            contact.pair.iter().for_each(|body| free[*body as usize] = false);
        }
        let (mut joined, mut held) = (Groups::new(count), Vec::new());
        for [a, b] in touching().map(|contact| contact.pair.map(|body| body as usize)) {
            match [free[a], free[b]] {
                [true, true] => joined.join(a, b),
                [true, false] if !dynamic[b] => held.push(a),
                [false, true] if !dynamic[a] => held.push(b),
                _ => {}
            }
        }
        let mut grounded = vec![false; count];
        for body in held {
            grounded[joined.of(body)] = true;
        }
        (0..count).map(|body| free[body] && grounded[joined.of(body)]).collect()
    }

    /// How far each body is to be moved.
    fn displacements(&self, next: &State) -> Result<Vec<Displacement>, ProblemError> {
        let grounded = self.grounded();
        let mut numbers = vec![None; self.model.bodies.len()];
        let (mut masses, mut moved) = (Vec::new(), Vec::new());
        for (i, body) in self.model.bodies.iter().enumerate() {
            if let (Some(inertia), BodyState::Rigid(at), true) = (body.inertia(), &next.bodies[i], grounded[i]) {
                numbers[i] = Some(moved.len());
                masses.push(InverseMass::Rigid(1.0 / inertia.mass(), inertia.inverse_in_world(at.rotation)));
                moved.push(Displacement { body: i, shift: DVec3::ZERO, turn: DVec3::ZERO });
            }
        }
        let Some(problem) = self.problem(masses, &numbers)? else { return Ok(Vec::new()) };
        let mut solution = Solution::zero(&problem);
        let solver = ProxGaussSeidel { sweeps: SWEEPS, ..ProxGaussSeidel::default() };
        let laws = vec![ContactLaw::default(); problem.blocks()];
        solver.solve(
            &problem,
            &mut Frozen(laws),
            Stop { tolerance: self.tolerance, ..Stop::default() },
            &mut solution,
        )?;
        let shifts = problem.dynamics().velocities(&vec![0.0; 6 * moved.len()], &solution.r)?;
        for (own, shift) in moved.iter_mut().zip(shifts.chunks_exact(6)) {
            (own.shift, own.turn) = (DVec3::from_slice(&shift[..3]), DVec3::from_slice(&shift[3..]));
        }
        moved.retain(|own| own.shift != DVec3::ZERO || own.turn != DVec3::ZERO);
        Ok(moved)
    }

    /// g + s + J M⁻¹ Jᵀ λ of the contacts that take part, one row each; `None` if there are none. `numbers` are the places
    /// of the bodies that may be moved in the list of masses.
    fn problem(
        &self,
        masses: Vec<InverseMass>,
        numbers: &[Option<usize>],
    ) -> Result<Option<ContactProblem>, ProblemError> {
        let deepest = self.ends.iter().map(|contact| -contact.gap).fold(0.0, f64::max);
        let (mut bodies, mut bias) = (Bodies::new(masses)?, Vec::new());
        for contact in self.ends.iter().filter(|contact| contact.gap < NEAR * deepest) {
            let allowed = self.allowed(contact);
            let row = |side: usize, sign: f64| {
                let (number, row) = (numbers[contact.pair[side] as usize]?, contact.rigid_row(side, 0)?);
                let [v, w] = [sign * row.linear, sign * row.angular];
                Some((number, [v.x, v.y, v.z, w.x, w.y, w.z]))
            };
            let rows: Vec<(usize, [f64; 6])> = [row(0, 1.0), row(1, -1.0)].into_iter().flatten().collect();
            if !rows.is_empty() && allowed.is_finite() {
                let links: Vec<Link> = rows.iter().map(|(body, row)| Link { body: *body, jacobian: row }).collect();
                bodies.push(1, &links)?;
                bias.push(contact.gap + allowed);
            }
        }
        let kinds = vec![RowKind::Contact; bias.len()];
        if bias.is_empty() { Ok(None) } else { ContactProblem::new(bodies, bias, kinds).map(Some) }
    }
}

/// How far a body is moved and turned.
struct Displacement {
    body: usize,
    shift: DVec3,
    turn: DVec3,
}
