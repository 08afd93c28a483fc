//! The contact problem of a span: rows and bias of contacts, then of joints ([`super::joints`]).
//!
//! Rows of a contact at the point p with frame (n, t, b): velocities of p along n, t, b, then the spin n·ω and the
//! rolling t·ω, b·ω, relative, as many as the law speaks of. With arms a = p − centre, row n of body A is (n, a × n),
//! of body B the negative.
//!
//! The normal row demands u_n + c r_n ≥ β:
//! - gap g ≥ 0: β = −g/h, so that the contact may just close within the step; a fraction of that for a contact that rolls
//!   ([`super::midway`]);
//! - overlap: β = min(−g/h, c r'), r' the last impulse. An overlap is a compressed spring: it may push apart with at
//!   most c r', its compression at r', and with less where that would throw bodies apart (`recoil.rs`);
//! - a contact that a first solve has missed ([`Contact::bound`]): the bound it comes with;
//! - an impact: β = s e |u_n|, and c = 0; s = 1, or less where energy would grow ([`super::bounce`]);
//! - materials with a stiffness: c and β of their spring ([`super::spring`]).
//!
//! c = ε w is the compliance that makes normal impulses unique: of all that balance a body, those with the least
//! Σ w r_n². w is the contribution to W_nn of the body that is harder to move, so that a heavy body does not sink into
//! a light one. It acts as a spring k = 1/(c h²), which at rest is pressed in by about ε h² g for the weight of one
//! body: 0.01 µm at h = 0.01 s. A contact that bears far more than that is made stiffer (`loaded.rs`). The points of a flat
//! contact whose law depends on the load are springs of one foundation, even in the plane: w = 1/(4 m α) where a point
//! stands for the fraction α of it (`contact/share.rs`), so that cutting the contact into more points changes nothing.

use asperity_solve::problem::{Bodies, ContactProblem, InverseMass, Link, ProblemError, RowKind};
use glam::DVec3;

use super::bound::{ContactBound, NormalBound};
use super::setup::Setup;
use super::span::Span;
use crate::contact::{Contact, FLAT, MOST_ROWS, recall};
use crate::step::StepError;
use crate::step::joint_rows::{self, JointRow};
use crate::world::ContactMemory;

/// k: how many times ε g h² a contact may be pressed in.
const BORNE: f64 = 100.0;

/// k ε g h, m/s: c r of the most that a contact may be pressed in by, over h.
pub(super) fn borne(compliance: f64, span: Span, gravity: f64) -> f64 {
    BORNE * compliance * span.gained(gravity)
}

/// A problem without its laws, where the solver starts, and the bounds of the contacts.
pub(super) struct Assembled {
    pub(super) problem: ContactProblem,
    pub(super) start: Vec<f64>,
    pub(super) bounds: Vec<ContactBound>,
}

/// What has been gathered of a problem.
struct Builder {
    bodies: Bodies,
    bias: Vec<f64>,
    compliance: Vec<f64>,
    start: Vec<f64>,
    kinds: Vec<RowKind>,
    bounds: Vec<ContactBound>,
    /// Written over for each block of rows.
    block: Block,
}

/// The Jacobians of a block of rows, for the bodies among its two that forces move.
struct Block {
    links: [usize; 2],
    jacobians: [[f64; 6 * MOST_ROWS]; 2],
    linked: usize,
}

impl Block {
    #[inline]
    fn new() -> Self {
        Self { links: [0; 2], jacobians: [[0.0; 6 * MOST_ROWS]; 2], linked: 0 }
    }

    /// Row k of the body that is added next.
    #[inline]
    fn write(&mut self, k: usize, linear: DVec3, angular: DVec3) {
        let out = &mut self.jacobians[self.linked][6 * k..6 * k + 6];
        linear.write_to_slice(&mut out[..3]);
        angular.write_to_slice(&mut out[3..]);
    }

    /// Begins another block.
    fn clear(&mut self) {
        self.linked = 0;
    }

    /// Adds the body whose rows were written.
    fn link(&mut self, number: usize) {
        self.links[self.linked] = number;
        self.linked += 1;
    }

    fn push(&self, rows: usize, bodies: &mut Bodies) -> Result<(), ProblemError> {
        let link = |side: usize| Link { body: self.links[side], jacobian: &self.jacobians[side][..6 * rows] };
        bodies.push(rows, &[link(0), link(1)][..self.linked])
    }
}

impl Setup<'_> {
    /// A problem that makes no sense, as an error of the step.
    pub(super) fn failed(&self, error: ProblemError) -> StepError {
        StepError::Problem { t: self.time, error: Box::new(error) }
    }

    /// The problem of these contacts and joints, for laws of so many rows; `remembered` are the forces of the contacts
    /// in the step before.
    pub(super) fn assemble(
        &self,
        contacts: &[Contact],
        remembered: &[Option<&ContactMemory>],
        joints: &[JointRow],
        rows_of: impl Fn(usize) -> usize,
    ) -> Result<Assembled, StepError> {
        self.build(contacts, remembered, joints, rows_of).map_err(|error| self.failed(error))
    }

    fn build(
        &self,
        contacts: &[Contact],
        remembered: &[Option<&ContactMemory>],
        joints: &[JointRow],
        rows_of: impl Fn(usize) -> usize,
    ) -> Result<Assembled, ProblemError> {
        let count = (0..contacts.len()).map(&rows_of).sum::<usize>() + joints.len();
        let masses = self.free.list().iter().map(|f| InverseMass::Rigid(f.inverse_mass, f.inverse_inertia)).collect();
        let mut builder = Builder {
            bodies: Bodies::new(masses)?,
            bias: Vec::with_capacity(count),
            compliance: Vec::with_capacity(count),
            start: Vec::with_capacity(count),
            kinds: vec![RowKind::Contact; contacts.len()],
            bounds: Vec::with_capacity(contacts.len()),
            block: Block::new(),
        };
        builder.bodies.reserve(contacts.len() + joints.len(), count);
        let started = recall(contacts, self.start.contacts);
        for (i, contact) in contacts.iter().enumerate() {
            self.add_contact(contact, rows_of(i), remembered[i], started[i], &mut builder)?;
        }
        for block in joint_rows::blocks(joints) {
            let forces = self.start.joints.get(block.start..).unwrap_or_default();
            self.add_joint(&joints[block], forces, &mut builder)?;
        }
        let Builder { bodies, bias, compliance, start, kinds, bounds, .. } = builder;
        let problem = ContactProblem::new(bodies, bias, kinds)?.with_compliance(compliance)?;
        Ok(Assembled { problem, start, bounds })
    }

    /// Adds the rows of a contact; `memory` is its force in the last step, `first` the one that the solver starts from.
    fn add_contact(
        &self,
        contact: &Contact,
        rows: usize,
        memory: Option<&ContactMemory>,
        first: Option<&ContactMemory>,
        out: &mut Builder,
    ) -> Result<(), ProblemError> {
        out.block.clear();
        // The lesser contribution of the two bodies to W_nn.
        let mut w_nn = f64::INFINITY;
        let mut speeds = contact.shift;
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let body = contact.pair[side];
            let Some(own) = self.free.get(body) else {
                let at = &self.placed[body as usize];
                speeds.iter_mut().enumerate().take(rows).for_each(|(k, u)| *u += sign * contact.rate(side, k, at));
                continue;
            };
            for (k, speed) in speeds.iter_mut().enumerate().take(rows) {
                let Some(row) = contact.rigid_row(side, k) else { continue };
                *speed += sign * row.rate(own.twist.velocity, own.twist.angular_velocity);
                out.block.write(k, sign * row.linear, sign * row.angular);
            }
            if let (Some(normal), Some(number)) = (contact.rigid_row(side, 0), self.free.number(body)) {
                let turning = normal.angular.dot(own.inverse_inertia * normal.angular);
                w_nn = w_nn.min(own.inverse_mass * normal.linear.length_squared() + turning);
                out.block.link(number);
            }
        }
        out.block.push(rows, &mut out.bodies)?;
        let h = self.span.duration();
        let own = memory.map_or(0.0, |m| m.force.dot(contact.frame.normal()));
        let pressed = contact.share.map_or(own, |share| own.max(share * self.flat_load(contact)));
        let NormalBound { beta, compliance } = self.spring_bound(contact).unwrap_or_else(|| {
            let w = contact.share.map_or(w_nn, |share| self.foundation(contact) / share);
            let compliance = self.normal_compliance(contact, w, pressed * h);
            NormalBound { beta: self.normal_bound(contact, compliance * (pressed * h).min(contact.recoil)), compliance }
        });
        let shear = self.shear(contact, memory);
        out.bounds.push(ContactBound { normal: NormalBound { beta, compliance }, shear });
        let (force, torque) = first.map_or((DVec3::ZERO, DVec3::ZERO), |m| (m.force, m.torque));
        for (k, speed) in speeds.iter().enumerate().take(rows) {
            out.bias.push(if k == 0 { speed + contact.defect - beta } else { speed + shear.rate(k, 0.0) });
            out.compliance.push(match k {
                0 => compliance,
                1 | 2 => shear.compliance,
                _ => 0.0,
            });
            let carried = if k < 3 { force } else { torque };
            out.start.push(if self.span.is_impact() { 0.0 } else { carried.dot(contact.axis(k)) * h });
        }
        Ok(())
    }

    /// Adds a block of rows of a joint; `forces` begins with those that the solver starts from.
    fn add_joint(&self, rows: &[JointRow], forces: &[f64], out: &mut Builder) -> Result<(), ProblemError> {
        out.block.clear();
        for (side, body) in self.model.joints[rows[0].joint].bodies().into_iter().enumerate() {
            let Some(number) = body.and_then(|i| self.free.number(i)) else { continue };
            let sign = if side == 0 { 1.0 } else { -1.0 };
            for (k, JointRow { row, .. }) in rows.iter().enumerate() {
                out.block.write(k, sign * row.linear, row.angular[side]);
            }
            out.block.link(number);
        }
        out.block.push(rows.len(), &mut out.bodies)?;
        for (k, row) in rows.iter().enumerate() {
            out.bias.push(self.unforced_rate(row) - row.beta);
            out.compliance.push(row.compliance);
            let force = forces.get(k).copied().unwrap_or(0.0);
            let carried = if self.span.is_impact() { 0.0 } else { force * self.span.duration() };
            out.start.push(carried.clamp(row.bounds[0], row.bounds[1]));
        }
        let bound = |k: usize| rows.iter().map(|row| row.bounds[k]).collect();
        let free = rows.iter().all(JointRow::is_free);
        out.kinds.push(if free { RowKind::Bilateral } else { RowKind::Bounded { lower: bound(0), upper: bound(1) } });
        Ok(())
    }

    /// J v of a joint's row without impulses.
    fn unforced_rate(&self, row: &JointRow) -> f64 {
        let twist = |body: Option<u32>| body.map(|i| self.unforced(i)).unwrap_or_default();
        row.row.rate(self.model.joints[row.joint].bodies().map(|body| {
            let own = twist(body);
            (own.velocity, own.angular_velocity)
        }))
    }

    /// The normal force in the step before of the whole flat contact that a contact is a point of: points come and go, and a
    /// new one carries its share at once.
    fn flat_load(&self, contact: &Contact) -> f64 {
        let first = self.memory.partition_point(|m| m.pair < contact.pair);
        let pair = self.memory[first..].iter().take_while(|m| m.pair == contact.pair);
        let normal = contact.frame.normal();
        pair.filter(|m| m.normal.dot(normal) > FLAT).map(|m| m.force.dot(normal)).sum()
    }

    /// w of a flat contact as a whole, times what a point of four stands for: 1/m of the heavier body.
    fn foundation(&self, contact: &Contact) -> f64 {
        let lightness = contact.pair.iter().filter_map(|body| self.free.get(*body)).map(|own| own.inverse_mass);
        0.25 * lightness.fold(f64::INFINITY, f64::min)
    }

    /// c r of the most that a contact may be pressed in by, over h: k ε g h, m/s.
    pub(super) fn borne(&self) -> f64 {
        borne(self.compliance, self.span, self.model.gravity.length())
    }

    /// c of a contact; `pressed` is its impulse in the step before.
    fn normal_compliance(&self, contact: &Contact, w_nn: f64, pressed: f64) -> f64 {
        if self.span.is_impact() {
            return 0.0;
        }
        let (usual, load, borne) = (self.compliance * w_nn, pressed.max(contact.load), self.borne());
        if borne > 0.0 && usual * load > borne { borne / load } else { usual }
    }

    /// β of a contact; `sprung` is c r of the last step.
    pub(super) fn normal_bound(&self, contact: &Contact, sprung: f64) -> f64 {
        if let Some(own) = self.spring_bound(contact) {
            return own.beta;
        }
        match self.span {
            Span::Step(h) if contact.gap >= 0.0 => contact.bound.unwrap_or(-contact.closing * contact.gap / h),
            Span::Step(h) => contact.bound.unwrap_or_else(|| (-contact.gap / h).min(sprung.max(0.0))),
            Span::Impact { bounce_speed } if contact.approaches_faster_than(bounce_speed) => {
                let [a, b] = contact.pair.map(|body| self.returned.get(body as usize).copied().unwrap_or(1.0));
                -contact.before.x * self.model.interaction(contact.pair).restitution * a.min(b)
            }
            Span::Impact { .. } => 0.0,
        }
    }
}
