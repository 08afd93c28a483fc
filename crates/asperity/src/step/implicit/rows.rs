//! The rows of the contacts at a guess: J over the degrees of freedom, and what is added to J v.
//!
//! A contact with the gap g_k at the guess v_k has, to first order, the gap g_k + h J (v⁺ − v_k) at other velocities.
//! Its normal row demands that this is no less than its floor: J v⁺ ≥ J v_k − (g_k − floor)/h, J v being the relative
//! velocity with all motions that are given. The floor is zero, or, for an overlap that the step begins with, what is
//! left of it after a fall of h² |g|: an overlap is undone gently. There is no compliance on vertices: it would depend
//! on the mesh. Contacts of two rigid bodies have that of the impulse stepper, which makes their normal impulses
//! unique.

use asperity_solve::problem::{DofRows, RowKind};
use glam::DVec3;

use super::dofs::{BodyDofs, Dofs};
use super::guess::Guess;
use crate::contact::{Contact, MOST_ROWS, VertexRow};
use crate::step::joint_rows::{self, JointRow};
use crate::world::Model;

/// Compliance of the normal row between two rigid bodies, relative to its diagonal of W: that of the impulse stepper.
const COMPLIANCE: f64 = 1e-5;

/// A contact of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepContact {
    /// As it is at the guess where it was found last.
    pub(super) contact: Contact,
    /// Least gap at the end of the step, m.
    pub(super) floor: f64,
    /// Relative normal velocity of the guess where it was found last; zero where that is the start of the step.
    pub(super) guessed: f64,
    /// Impulses, row by row: those of the last solve.
    pub(super) r: [f64; MOST_ROWS],
}

/// The rows of all contacts, and then of all joints.
pub(super) struct Rows {
    /// J, contact by contact, then joint by joint.
    pub(super) jacobian: DofRows,
    /// What is added to J v.
    pub(super) given: Vec<f64>,
    pub(super) compliance: Vec<f64>,
    /// What each block demands.
    pub(super) kinds: Vec<RowKind>,
}

/// An entry of the rows of one contact.
struct Entry {
    row: usize,
    dof: usize,
    value: f64,
}

impl Rows {
    /// Of contacts with this many rows each.
    pub(super) fn new(
        model: &Model,
        dofs: &Dofs,
        guess: &Guess,
        contacts: &[StepContact],
        rows_of: impl Fn(usize) -> usize,
        h: f64,
    ) -> Self {
        let kinds = vec![RowKind::Contact; contacts.len()];
        let mut all = Self { jacobian: DofRows::empty(), given: Vec::new(), compliance: Vec::new(), kinds };
        let (mut vertices, mut entries, mut touched, mut block) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (i, own) in contacts.iter().enumerate() {
            entries.clear();
            for row in 0..rows_of(i) {
                let mut known = 0.0;
                for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                    let mut put = |dof: usize, value: f64| entries.push(Entry { row, dof, value: sign * value });
                    known += sign * side_row(dofs, guess, &own.contact, side, row, &mut vertices, &mut put);
                }
                let bound = own.guessed - (own.contact.gap - own.floor) / h;
                all.given.push(if row == 0 { known - bound } else { known });
                all.compliance.push(if row == 0 { normal_compliance(model, &own.contact, guess) } else { 0.0 });
            }
            touched.clear();
            touched.extend(entries.iter().map(|entry| entry.dof));
            touched.sort_unstable();
            touched.dedup();
            block.clear();
            block.resize(rows_of(i) * touched.len(), 0.0);
            for Entry { row, dof, value } in &entries {
                block[row * touched.len() + touched.partition_point(|other| other < dof)] += value;
            }
            all.jacobian.push(rows_of(i), &touched, |row, k| block[row * touched.len() + k]);
        }
        all
    }

    /// Adds the rows of joints.
    pub(super) fn add_joints(&mut self, model: &Model, dofs: &Dofs, guess: &Guess, joints: &[JointRow]) {
        for block in joint_rows::blocks(joints) {
            let rows = &joints[block];
            let bodies = model.joints[rows[0].joint].bodies();
            let first = |side: usize| match bodies[side].map(|body| &dofs.bodies[body as usize]) {
                Some(BodyDofs::Rigid(first)) => Some(*first),
                _ => None,
            };
            let mut sides: Vec<(usize, usize)> = (0..2).filter_map(|side| Some((first(side)?, side))).collect();
            sides.sort_unstable();
            let touched: Vec<usize> = sides.iter().flat_map(|(first, _)| *first..*first + 6).collect();
            let value = |row: usize, k: usize| {
                let (side, JointRow { row, .. }) = (sides[k / 6].1, &rows[row]);
                let sign = if side == 0 { 1.0 } else { -1.0 };
                if k % 6 < 3 { sign * row.linear[k % 6] } else { row.angular[side][k % 6 - 3] }
            };
            self.jacobian.push(rows.len(), &touched, value);
            for row in rows {
                // Bodies whose motion is given.
                let twist = |side: usize| match (bodies[side], first(side)) {
                    (Some(body), None) => {
                        let at = &guess.placed[body as usize];
                        (at.velocity, at.angular_velocity)
                    }
                    _ => (DVec3::ZERO, DVec3::ZERO),
                };
                self.given.push(row.row.rate([twist(0), twist(1)]) - row.beta);
                self.compliance.push(row.compliance);
            }
            let bound = |k: usize| rows.iter().map(|row| row.bounds[k]).collect();
            let free = rows.iter().all(JointRow::is_free);
            self.kinds.push(if free {
                RowKind::Bilateral
            } else {
                RowKind::Bounded { lower: bound(0), upper: bound(1) }
            });
        }
    }

    /// The rows of a block: a contact, or after all contacts a joint.
    pub(super) fn range(&self, block: usize) -> std::ops::Range<usize> {
        self.jacobian.starts()[block]..self.jacobian.starts()[block + 1]
    }

    /// The largest of the rates u at which joints open; those of motors and stops, which may give way, do not count.
    pub(super) fn held_rate(&self, u: &[f64]) -> f64 {
        let held = |i: &usize| self.kinds[*i] == RowKind::Bilateral;
        let rates = (0..self.kinds.len()).filter(held).flat_map(|i| &u[self.range(i)]);
        rates.fold(0.0, |most, u| most.max(u.abs()))
    }

    /// u = J v + what is given.
    pub(super) fn velocities(&self, v: &[f64]) -> Vec<f64> {
        let mut u = vec![0.0; self.given.len()];
        self.jacobian.velocities(v, &mut u);
        u.iter_mut().zip(&self.given).for_each(|(u, given)| *u += given);
        u
    }
}

/// Row k on one side of a contact: its entries by `put`, and the rate that motions which are given contribute.
fn side_row(
    dofs: &Dofs,
    guess: &Guess,
    contact: &Contact,
    side: usize,
    k: usize,
    vertices: &mut Vec<VertexRow>,
    put: &mut impl FnMut(usize, f64),
) -> f64 {
    let body = contact.pair[side] as usize;
    let at = &guess.placed[body];
    match &dofs.bodies[body] {
        BodyDofs::Given => contact.rate(side, k, at),
        BodyDofs::Rigid(first) => {
            let Some(row) = contact.rigid_row(side, k) else { return 0.0 };
            let values = row.linear.to_array().into_iter().chain(row.angular.to_array());
            values.enumerate().for_each(|(i, value)| put(first + i, value));
            0.0
        }
        BodyDofs::Elastic(own) => {
            vertices.clear();
            contact.anchors[side].vertex_rows(contact.axis(k), k, at, vertices);
            let mut known = 0.0;
            for VertexRow { vertex, factor } in vertices.iter() {
                match own[*vertex as usize] {
                    Some(dof) => (0..3).for_each(|i| put(dof as usize + i, factor[i])),
                    None => known += factor.dot(at.mesh.as_ref().map_or(DVec3::ZERO, |m| m.vertex_velocity(*vertex))),
                }
            }
            known
        }
    }
}

/// Compliance of the normal row of a contact: that of the body that is harder to move, if both are rigid.
fn normal_compliance(model: &Model, contact: &Contact, guess: &Guess) -> f64 {
    let [a, b] = contact.pair.map(|i| i as usize);
    if model.bodies[a].mesh().is_some() || model.bodies[b].mesh().is_some() {
        return 0.0;
    }
    let own = |side: usize, body: usize| {
        let (inertia, row) = (model.bodies[body].inertia()?, contact.rigid_row(side, 0)?);
        let inverse = inertia.inverse_in_world(guess.bodies[body].frame().rotation);
        Some(row.linear.length_squared() / inertia.mass() + row.angular.dot(inverse * row.angular))
    };
    let least = [own(0, a), own(1, b)].into_iter().flatten().fold(f64::INFINITY, f64::min);
    if least.is_finite() { COMPLIANCE * least } else { 0.0 }
}
