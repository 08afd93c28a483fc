//! The contact problem of a step: rows, bias and laws from touches; then the rows of joints ([`joints`]).
//!
//! Rows of a contact at the point p with frame (n, t, b): velocities of p along n, t, b, then the spin n·ω and the rolling t·ω,
//! b·ω, relative, as many as the law speaks of. With arms a = p − centre, row n of body A is (n, a × n), of body B the negative.
//!
//! The normal row demands u_n + c r_n ≥ β:
//! - gap g ≥ 0: β = −g/h, so that the contact may just close within the step;
//! - overlap: β = min(−g/h, c r'), r' the last impulse: the contact's spring is carried on, and gives back no more than it took;
//! - a contact that a first solve has missed ([`Touch::bound`]): the bound it comes with;
//! - an impact: β = e |u_n|, and c = 0.
//!
//! c = ε w is the compliance that makes normal impulses unique: of all that balance a body, those with the least Σ w r_n²; w is the part
//! of W_nn of the body that is harder to move, so that a heavy body does not sink into a light one. It acts
//! as a spring k = 1/(c h), which at rest is pressed in by about ε h² g for the weight of one body: 0.01 µm at h = 0.01 s.

use std::borrow::Cow;
use std::time::Instant;

use asperity_friction::{ContactState, Tangential};
use asperity_solve::problem::{Bodies, ContactProblem, InverseMass, Link, ProblemError, RowKind};
use asperity_solve::solver::{LawSource, ModelLaws, Solution};
use glam::{DMat3, DQuat, DVec2, DVec3};

use super::detect::{Placed, Touch};
use super::joints::{self, JointRow};
use super::law_store::{LawKey, LawStore};
use crate::patch::PatchStore;
use crate::step::StepError;
use crate::world::{ContactMemory, Model};

/// A dynamic body within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    /// Number of the body.
    pub(super) body: u32,
    /// Orientation at the end of the step without contacts.
    pub(super) end: DQuat,
    pub(super) inverse_mass: f64,
    pub(super) inverse_inertia: DMat3,
    /// Angular velocity that the momentum at the start has at the end.
    pub(super) turning: DVec3,
    /// Velocities at the end of the step without contacts.
    pub(super) velocity: DVec3,
    pub(super) angular_velocity: DVec3,
}

/// What kind of problem: a span of time, or an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    /// A step of this length.
    Step(f64),
    /// An impact; approach speeds below `rest` do not bounce.
    Impact {
        /// That speed.
        rest: f64,
    },
}

impl Span {
    /// The time that passes.
    pub(super) fn length(self) -> f64 {
        if let Self::Step(h) = self { h } else { 0.0 }
    }

    /// What an impulse is divided by to be a force: impulses of an impact have no duration, laws that ask for forces get those of a second.
    fn duration(self) -> f64 {
        if let Self::Step(h) = self { h } else { 1.0 }
    }

    /// The speed that gravity adds; in an impact, that of the step it happens in.
    pub(super) fn gained(self, gravity: f64) -> f64 {
        match self {
            Self::Step(h) => h * gravity,
            Self::Impact { rest } => rest,
        }
    }
}

/// A problem, its laws and its start.
pub(super) struct Rows<'a> {
    pub(super) problem: ContactProblem,
    pub(super) laws: ModelLaws<'a>,
    /// What they were made from.
    pub(super) law_keys: Vec<LawKey>,
    pub(super) start: Solution,
    /// β of each contact, and its compliance.
    pub(super) bounds: Vec<(f64, f64)>,
    /// The rows of joints, which come after those of the contacts.
    pub(super) joints: Vec<JointRow>,
    /// Time that surfaces and laws took.
    pub(super) law_seconds: f64,
}

/// A problem without its laws, where the solver starts, and β and compliance of each contact.
pub(super) struct Assembled {
    pub(super) problem: ContactProblem,
    pub(super) start: Vec<f64>,
    bounds: Vec<(f64, f64)>,
}

/// What the rows are made of.
pub(super) struct Parts<'a> {
    pub(super) model: &'a Model,
    pub(super) placed: &'a [Placed],
    pub(super) free: &'a [Free],
    /// Number of each body among the free ones, `u32::MAX` for those that are not.
    pub(super) number: &'a [u32],
    /// Forces of the step before.
    pub(super) memory: &'a [ContactMemory],
    /// Forces that the solver starts from.
    pub(super) start: &'a [ContactMemory],
    /// The same of joints, row by row; empty if there are none.
    pub(super) start_joints: &'a [f64],
    pub(super) compliance: f64,
    pub(super) time: f64,
}

impl<'a> Parts<'a> {
    /// The laws of the contacts, for the slip at the start and the load of the last step.
    fn laws(
        &self,
        touches: &[Touch],
        patches: &'a PatchStore,
        remembered: &[Option<&ContactMemory>],
        slips: &[DVec2],
        (h, old): (f64, LawStore),
    ) -> Result<(ModelLaws<'a>, Vec<LawKey>), StepError> {
        let bodies = &self.model.bodies;
        let refused = |touch: &Touch, error| {
            let [a, b] = touch.pair.map(|i| bodies[i as usize].name.clone());
            StepError::Law { t: self.time, a, b, error: Box::new(error) }
        };
        let mut contacts = Vec::with_capacity(touches.len());
        for (number, (touch, memory)) in touches.iter().zip(remembered).enumerate() {
            let [a, b] = touch.pair.map(|i| &bodies[i as usize].surface);
            let [at_a, at_b] = touch.pair.map(|i| &self.placed[i as usize].pose);
            let normal = touch.frame.normal();
            let on_a = a.sample(at_a, touch.point, -normal, self.time).map_err(|e| refused(touch, e))?;
            let on_b = b.sample(at_b, touch.point, normal, self.time).map_err(|e| refused(touch, e))?;
            let mut state: ContactState<'a> = ContactState::new(touch.frame, on_a, on_b);
            if let Some([on_a, on_b]) = patches.slopes(number) {
                (state.a.facets, state.b.facets) = (on_a.facets(), on_b.facets());
            }
            state.slip = Tangential::planar(DVec2::new(touch.before.y, touch.before.z));
            state.normal_force = memory.map_or(0.0, |m| m.force.dot(normal).max(0.0));
            state.frictionless_slip = slips.get(number).copied().unwrap_or_default();
            contacts.push((Cow::Borrowed(&self.model.interaction(touch.pair).law), state));
        }
        old.laws(contacts, h, patches).map_err(|error| match error {
            ProblemError::Friction { contact, error } => refused(&touches[contact], error),
            error => StepError::Problem { t: self.time, error: Box::new(error) },
        })
    }

    /// The problem of these touches and joints; `old` laws are written over.
    pub(super) fn rows(
        &self,
        touches: &[Touch],
        (patches, old): (&'a PatchStore, LawStore),
        joints: Vec<JointRow>,
        span: Span,
    ) -> Result<Rows<'a>, StepError> {
        let remembered = recall(touches, self.memory);
        // A solve, though a short one: its time is not that of the laws.
        let slips = self.frictionless_slips(touches, &joints, span)?;
        let began = Instant::now();
        let (laws, law_keys) = self.laws(touches, patches, &remembered, &slips, (span.duration(), old))?;
        let law_seconds = began.elapsed().as_secs_f64();
        let made = self.assemble(touches, &joints, span, |i| laws.laws()[i].rows() + 1)?;
        let Assembled { problem, start, bounds } = made;
        Ok(Rows { problem, laws, law_keys, start: Solution { r: start, u: Vec::new() }, bounds, joints, law_seconds })
    }

    /// The problem of these touches and joints, for laws of so many rows.
    pub(super) fn assemble(
        &self,
        touches: &[Touch],
        joints: &[JointRow],
        span: Span,
        rows_of: impl Fn(usize) -> usize,
    ) -> Result<Assembled, StepError> {
        let remembered = recall(touches, self.memory);
        let started = recall(touches, self.start);
        let h = span.duration();
        let masses = self.free.iter().map(|f| InverseMass::Rigid(f.inverse_mass, f.inverse_inertia)).collect();
        let failed = |error: ProblemError| StepError::Problem { t: self.time, error: Box::new(error) };
        let mut bodies = Bodies::new(masses).map_err(failed)?;
        let count = (0..touches.len()).map(&rows_of).sum::<usize>() + joints.len();
        bodies.reserve(touches.len() + joints.len(), count);
        let [mut bias, mut compliance, mut start] = [0; 3].map(|_| Vec::with_capacity(count));
        let mut bounds = Vec::with_capacity(touches.len());
        for (i, (touch, (memory, first))) in touches.iter().zip(remembered.iter().zip(&started)).enumerate() {
            let count = rows_of(i);
            let (mut links, mut jacobians) = ([0; 2], [[0.0; 36]; 2]);
            let (mut linked, mut w_nn) = (0, f64::INFINITY);
            let mut speeds = touch.shift;
            for ((body, arm), sign) in touch.pair.iter().zip(touch.arms).zip([1.0, -1.0]) {
                let at = &self.placed[*body as usize];
                let free = self.free.get(self.number[*body as usize] as usize);
                let (v, w) = free.map_or((at.velocity, at.angular_velocity), |f| (f.velocity, f.angular_velocity));
                for (k, speed) in speeds.iter_mut().enumerate().take(count) {
                    let (linear, angular) = row(touch, arm, k);
                    *speed += sign * (linear.dot(v) + angular.dot(w));
                    if free.is_some() {
                        let out = &mut jacobians[linked][6 * k..6 * k + 6];
                        (sign * linear).write_to_slice(&mut out[..3]);
                        (sign * angular).write_to_slice(&mut out[3..]);
                    }
                }
                if let Some(f) = free {
                    let (n, turn) = row(touch, arm, 0);
                    w_nn = w_nn.min(f.inverse_mass * n.length_squared() + turn.dot(f.inverse_inertia * turn));
                    links[linked] = self.number[*body as usize] as usize;
                    linked += 1;
                }
            }
            bodies.push(count, &links_of(&links, &jacobians, count)[..linked]).map_err(failed)?;
            let c = if matches!(span, Span::Step(_)) { self.compliance * w_nn } else { 0.0 };
            let (force, torque) = first.map_or((DVec3::ZERO, DVec3::ZERO), |m| (m.force, m.torque));
            let pressed = memory.map_or(0.0, |m| m.force.dot(touch.frame.normal()));
            let beta = self.bound(touch, span, c * pressed * h);
            bounds.push((beta, c));
            for (k, speed) in speeds.iter().enumerate().take(count) {
                bias.push(if k == 0 { speed - beta } else { *speed });
                compliance.push(if k == 0 { c } else { 0.0 });
                let axis = axis(touch, k);
                let carried = if k < 3 { force } else { torque };
                start.push(if matches!(span, Span::Step(_)) { carried.dot(axis) * h } else { 0.0 });
            }
        }
        let mut kinds = vec![RowKind::Contact; touches.len()];
        for block in joints::blocks(joints) {
            self.push_joint(&joints[block.clone()], &mut bodies).map_err(failed)?;
            for (k, row) in joints[block.clone()].iter().enumerate() {
                bias.push(self.free_rate(row) - row.beta);
                compliance.push(row.compliance);
                let force = self.start_joints.get(block.start + k).copied().unwrap_or(0.0);
                let carried = if matches!(span, Span::Step(_)) { force * h } else { 0.0 };
                start.push(carried.clamp(row.bounds[0], row.bounds[1]));
            }
            let bound = |k: usize| joints[block.clone()].iter().map(|row| row.bounds[k]).collect();
            let free = joints[block.clone()].iter().all(JointRow::is_free);
            kinds.push(if free { RowKind::Bilateral } else { RowKind::Bounded { lower: bound(0), upper: bound(1) } });
        }
        let problem =
            ContactProblem::new(bodies, bias, kinds).and_then(|p| p.with_compliance(compliance)).map_err(failed)?;
        Ok(Assembled { problem, start, bounds })
    }

    /// J v of a joint's row without impulses.
    fn free_rate(&self, row: &JointRow) -> f64 {
        let speed = |body: Option<u32>| match body {
            None => (DVec3::ZERO, DVec3::ZERO),
            Some(i) => match self.free.get(self.number[i as usize] as usize) {
                Some(own) => (own.velocity, own.angular_velocity),
                None => (self.placed[i as usize].velocity, self.placed[i as usize].angular_velocity),
            },
        };
        row.row.rate(self.model.joints[row.joint].bodies().map(speed))
    }

    /// Adds the rows of a block of a joint.
    fn push_joint(&self, rows: &[JointRow], bodies: &mut Bodies) -> Result<(), ProblemError> {
        let (mut links, mut jacobians) = ([0; 2], [[0.0; 36]; 2]);
        let mut linked = 0;
        for (side, body) in self.model.joints[rows[0].joint].bodies().into_iter().enumerate() {
            let Some(number) = body.map(|i| self.number[i as usize]).filter(|n| *n != u32::MAX) else { continue };
            let sign = if side == 0 { 1.0 } else { -1.0 };
            for (out, JointRow { row, .. }) in jacobians[linked].chunks_exact_mut(6).zip(rows) {
                (sign * row.linear).write_to_slice(&mut out[..3]);
                row.angular[side].write_to_slice(&mut out[3..]);
            }
            links[linked] = number as usize;
            linked += 1;
        }
        bodies.push(rows.len(), &links_of(&links, &jacobians, rows.len())[..linked])
    }

    /// β of a contact; `sprung` is c r of the last step.
    pub(super) fn bound(&self, touch: &Touch, span: Span, sprung: f64) -> f64 {
        match span {
            Span::Step(h) if touch.gap >= 0.0 => touch.bound.unwrap_or(-touch.gap / h),
            Span::Step(h) => touch.bound.unwrap_or_else(|| (-touch.gap / h).min(sprung.max(0.0))),
            Span::Impact { rest } if touch.before.x < -rest => {
                -touch.before.x * self.model.interaction(touch.pair).restitution
            }
            Span::Impact { .. } => 0.0,
        }
    }
}

/// The first rows of the Jacobians of two bodies.
fn links_of<'a>(bodies: &[usize; 2], jacobians: &'a [[f64; 36]; 2], rows: usize) -> [Link<'a>; 2] {
    [0, 1].map(|side| Link { body: bodies[side], jacobian: &jacobians[side][..6 * rows] })
}

/// Direction of row k: n, t, b, n, t, b.
pub(super) fn axis(touch: &Touch, k: usize) -> DVec3 {
    match k % 3 {
        0 => touch.frame.normal(),
        1 => touch.frame.t(),
        _ => touch.frame.b(),
    }
}

/// Row k for body A: what it takes of the velocity and of the angular velocity.
fn row(touch: &Touch, arm: DVec3, k: usize) -> (DVec3, DVec3) {
    let axis = axis(touch, k);
    if k < 3 { (axis, arm.cross(axis)) } else { (DVec3::ZERO, axis) }
}

/// What is remembered of each touch. Both lists are sorted by pair and feature.
pub(super) fn recall<'m>(touches: &[Touch], memory: &'m [ContactMemory]) -> Vec<Option<&'m ContactMemory>> {
    let mut next = 0;
    let find = |touch: &Touch| {
        let key = (touch.pair, touch.feature);
        while memory.get(next).is_some_and(|m| (m.pair, m.feature) < key) {
            next += 1;
        }
        memory.get(next).filter(|m| (m.pair, m.feature) == key)
    };
    touches.iter().map(find).collect()
}
