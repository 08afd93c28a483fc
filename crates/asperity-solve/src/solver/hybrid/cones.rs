//! The admissible impulses of all row blocks, in scaled variables: projections, their derivatives, de Saxcé's shift.
//!
//! A block's impulses and velocities are measured in a unit of its own, r̂ = √R r and û = u/√R with one number R > 0 a
//! block, and moments as forces at an arm. A cone does not change under this scaling, bounds are multiplied by √R.

use asperity_friction::ContactLaw;
use asperity_friction::set::{ConePlace, ConvexSet, Disk, FrictionSet};

use super::super::forms::Weights;
use super::super::system::BlockDiagonal;
use crate::problem::residual::tangential;
use crate::problem::{ContactProblem, RowKind};

/// The laws of a problem as sets, with moments measured as forces.
pub(super) struct Cones<'a> {
    problem: &'a ContactProblem,
    /// One over the arm of each block's moments.
    inverse_arms: Vec<f64>,
    /// A set for each contact.
    sets: Vec<FrictionSet>,
}

impl<'a> Cones<'a> {
    /// For these laws, which must be sets.
    pub(super) fn new(problem: &'a ContactProblem, laws: &[ContactLaw]) -> Self {
        let arm = |i: usize| match problem.range(i).len() {
            n @ 4.. if *problem.kind(i) == RowKind::Contact => Weights::of_block(problem.diagonal(i), n).inverse_arm,
            _ => 1.0,
        };
        let inverse_arms = (0..problem.blocks()).map(arm).collect();
        let mut cones = Self { problem, inverse_arms, sets: Vec::new() };
        cones.set_laws(laws);
        cones
    }

    /// Takes over laws that have changed.
    pub(super) fn set_laws(&mut self, laws: &[ContactLaw]) {
        self.sets.clear();
        for i in (0..self.problem.blocks()).filter(|i| *self.problem.kind(*i) == RowKind::Contact) {
            let mut set = match &laws[self.problem.law_of(i)] {
                ContactLaw::Set(set) => set.clone(),
                ContactLaw::Slip(_) | ContactLaw::TwoSet(_) => FrictionSet::from(Disk::default()),
            };
            if set.rows() > 2 {
                set.scale_moments(self.inverse_arms[i]);
            }
            self.sets.push(set);
        }
    }

    /// Row by row: what a velocity is multiplied by, and an impulse divided by, so that moments become forces.
    pub(super) fn row_factors(&self) -> Vec<f64> {
        let rows = |i: usize| (0..self.problem.range(i).len()).map(move |k| (i, k));
        let factor = |(i, k): (usize, usize)| if k < 3 { 1.0 } else { 1.0 / self.inverse_arms[i] };
        (0..self.problem.blocks()).flat_map(rows).map(factor).collect()
    }

    /// The set of block i, if it is a contact with friction.
    fn set(&self, i: usize) -> Option<&FrictionSet> {
        let contact = *self.problem.kind(i) == RowKind::Contact && self.problem.range(i).len() > 1;
        contact.then(|| &self.sets[self.problem.law_of(i)])
    }

    /// p = P(z) in units of `scale` = √R, one a block.
    pub(super) fn project(&self, scale: &[f64], z: &[f64], p: &mut [f64]) {
        for (i, scale) in scale.iter().enumerate() {
            let range = self.problem.range(i);
            let (z, p) = (&z[range.clone()], &mut p[range]);
            if let Some(set) = self.set(i) {
                let nearest = set.project_cone(z[0], tangential(z));
                p[0] = nearest.load;
                p[1..].iter_mut().zip(nearest.force.to_array()).for_each(|(p, force)| *p = force);
            } else {
                self.project_row_by_row(i, *scale, z, p);
            }
        }
    }

    /// The same for blocks without friction.
    fn project_row_by_row(&self, i: usize, scale: f64, z: &[f64], p: &mut [f64]) {
        match self.problem.kind(i) {
            RowKind::Bilateral => p.copy_from_slice(z),
            RowKind::Bounded { lower, upper } => {
                for (k, (p, z)) in p.iter_mut().zip(z).enumerate() {
                    *p = z.clamp(lower[k] * scale, upper[k] * scale);
                }
            }
            RowKind::Contact => p[0] = z[0].max(0.0),
        }
    }

    /// E = P'(z)/R, and whether each block sticks: whether P' is the identity there.
    pub(super) fn differentiate(&self, scale: &[f64], z: &[f64], e: &mut BlockDiagonal, sticks: &mut [bool]) {
        for (i, sticks) in sticks.iter_mut().enumerate() {
            let z = &z[self.problem.range(i)];
            let (n, weight) = (z.len(), 1.0 / (scale[i] * scale[i]));
            let out = e.block_mut(i);
            if let Some(set) = self.set(i) {
                let found = set.cone_projection(z[0], tangential(z));
                *sticks = found.place == ConePlace::Inside;
                for (out, row) in out.chunks_exact_mut(n).zip(&found.derivative) {
                    out.iter_mut().zip(row).for_each(|(out, d)| *out = weight * d);
                }
                continue;
            }
            let free = |k: usize| match self.problem.kind(i) {
                RowKind::Bilateral => true,
                RowKind::Bounded { lower, upper } => z[k] > lower[k] * scale[i] && z[k] < upper[k] * scale[i],
                RowKind::Contact => z[k] > 0.0,
            };
            out.fill(0.0);
            (0..n).filter(|k| free(*k)).for_each(|k| out[k * (n + 1)] = weight);
            *sticks = (0..n).all(free);
        }
    }

    /// De Saxcé's shift s = h(−u_T) of each block, which is added to its normal velocity; zero without friction.
    pub(super) fn shifts(&self, u: &[f64], s: &mut [f64]) {
        for (i, s) in s.iter_mut().enumerate() {
            *s = self.set(i).map_or(0.0, |set| set.support(-tangential(&u[self.problem.range(i)])));
        }
    }

    /// The derivative of the shift of block i by its tangential velocities, times a change of them.
    pub(super) fn shift_change(&self, i: usize, u: &[f64], change: &[f64]) -> f64 {
        let range = self.problem.range(i);
        self.set(i).map_or(0.0, |set| {
            let most = set.support_point(-tangential(&u[range.clone()]));
            -most.dot(tangential(&change[range]))
        })
    }
}
