//! The friction problem of staggered projections: minimise ½ xᵀW x + qᵀx over x_i ∈ load_i·F_i, the loads fixed.
//!
//! x are the tangential impulses of all contacts. Moments are measured as forces at the arm at which the contact's
//! block resists both alike, so that distances do not depend on the unit of length. A minimum is where the natural map
//!
//!   e_i = x_i − P_i(x_i − (W x + q)_i/D_i),   P_i the projection onto load_i·F_i,
//!
//! is zero, D_i a bound on the eigenvalues of the contact's own block. Its size, each contact in units of √D_i, is the
//! error.

use asperity_friction::ContactLaw;
use asperity_friction::Tangential;
use asperity_friction::set::{ConvexSet, FrictionSet};

use super::super::linear::least_scale;
use super::super::reduced::{Reduced, SparseRows};
use crate::problem::{ContactProblem, RowKind};

/// The tangential rows of one contact.
pub(super) struct Patch {
    /// First of them in x.
    pub(super) start: usize,
    /// How many: 2, 3 or 5.
    pub(super) rows: usize,
    /// Row of the normal impulse in the reduced problem.
    pub(super) normal: usize,
    /// Number of the law.
    pub(super) law: usize,
    /// D.
    pub(super) scale: f64,
    /// One over the arm of moments.
    inverse_arm: f64,
    /// F, with moments as forces.
    pub(super) set: FrictionSet,
    /// Normal impulse.
    pub(super) load: f64,
}

impl Patch {
    /// The entries of x that belong to this contact.
    #[inline]
    pub(super) fn of(&self, x: &[f64]) -> Tangential {
        let mut c = [0.0; 5];
        c[..self.rows].copy_from_slice(&x[self.start..self.start + self.rows]);
        Tangential::from_array(c)
    }

    /// Writes the entries of x that belong to this contact.
    #[inline]
    pub(super) fn write(&self, value: Tangential, x: &mut [f64]) {
        x[self.start..self.start + self.rows].copy_from_slice(&value.to_array()[..self.rows]);
    }
}

/// A pull towards a point: δ and the point. It makes redundant contacts regular.
#[derive(Clone, Copy)]
pub(super) struct Near<'a> {
    pub(super) shift: f64,
    pub(super) center: &'a [f64],
}

impl Near<'_> {
    /// No pull.
    pub(super) const NOTHING: Self = Self { shift: 0.0, center: &[] };
}

/// W, the contacts, and where the rows are in the reduced problem.
pub(super) struct FrictionProblem {
    pub(super) w: SparseRows,
    pub(super) patches: Vec<Patch>,
    /// Row of the reduced problem of each row of x.
    rows: Vec<usize>,
    /// Factor from impulses to x.
    unit: Vec<f64>,
    /// Size of the free velocities.
    bias_size: f64,
}

/// How impulses changed, in units of √D.
pub(super) struct Given {
    /// Length of the change.
    pub(super) change: f64,
    /// Length of the new ones.
    pub(super) size: f64,
}

impl FrictionProblem {
    /// Of the contacts with friction rows.
    pub(super) fn new(problem: &ContactProblem, reduced: &Reduced<'_>, laws: &[ContactLaw]) -> Self {
        let (mut patches, mut rows, mut unit) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..problem.blocks() {
            let count = problem.w().range(i).len();
            if *problem.kind(i) != RowKind::Contact || count == 1 {
                continue;
            }
            let (normal, law) = (reduced.starts[i], problem.law_of(i));
            let Some(set) = laws[law].set().cloned() else { continue };
            let mean = |rows: std::ops::Range<usize>| {
                rows.clone().map(|k| reduced.w.get(normal + k, normal + k)).sum::<f64>() / rows.len() as f64
            };
            let ratio = if count > 3 { (mean(3..count) / mean(1..3)).sqrt() } else { 1.0 };
            let inverse_arm = if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 };
            let (start, own) = (rows.len(), count - 1);
            rows.extend(normal + 1..normal + count);
            unit.extend((0..own).map(|k| if k < 2 { 1.0 } else { inverse_arm }));
            patches.push(Patch { start, rows: own, normal, law, scale: 1.0, inverse_arm, set, load: 0.0 });
        }
        let w = reduced.w.part(&rows, |a, b| 1.0 / (unit[a] * unit[b]));
        for patch in &mut patches {
            let own = patch.start..patch.start + patch.rows;
            // The largest row sum of a block bounds its eigenvalues.
            let sum = |i: usize| own.clone().map(|j| w.get(i, j).abs()).sum::<f64>();
            patch.scale = own.clone().map(sum).fold(0.0, f64::max);
        }
        let top = patches.iter().fold(0.0f64, |m, p| m.max(p.scale));
        let floor = least_scale(top, 1.0);
        patches.iter_mut().for_each(|p| p.scale = p.scale.max(floor));
        let squares = |p: &Patch| {
            let own = p.start..p.start + p.rows;
            own.map(|k| (reduced.bias[rows[k]] / unit[k]).powi(2)).sum::<f64>() / p.scale
        };
        let bias_size = patches.iter().map(squares).sum::<f64>().sqrt();
        Self { w, patches, rows, unit, bias_size }
    }

    /// Takes the sets of the laws, which have been checked.
    pub(super) fn set_laws(&mut self, laws: &[ContactLaw]) {
        for patch in &mut self.patches {
            if let Some(set) = laws[patch.law].set() {
                patch.set.clone_from(set);
                patch.set.scale_moments(patch.inverse_arm);
            }
        }
    }

    /// Takes the loads, x and q from the impulses of the reduced problem.
    pub(super) fn take(&mut self, reduced: &Reduced<'_>, impulses: &[f64], x: &mut [f64], q: &mut [f64]) {
        let mut normal = impulses.to_vec();
        self.rows.iter().for_each(|row| normal[*row] = 0.0);
        for (k, row) in self.rows.iter().enumerate() {
            x[k] = impulses[*row] * self.unit[k];
            q[k] = (reduced.bias[*row] + reduced.w.dot(*row, &normal)) / self.unit[k];
        }
        for patch in &mut self.patches {
            patch.load = impulses[patch.normal].max(0.0);
            patch.write(patch.set.project(patch.load, patch.of(x)), x);
        }
    }

    /// Writes x to the impulses of the reduced problem, and measures how much they change.
    pub(super) fn give(&self, x: &[f64], impulses: &mut [f64]) -> Given {
        let (mut change, mut size) = (0.0, 0.0);
        for patch in &self.patches {
            for k in patch.start..patch.start + patch.rows {
                let old = impulses[self.rows[k]] * self.unit[k];
                change += (x[k] - old) * (x[k] - old) * patch.scale;
                size += x[k] * x[k] * patch.scale;
                impulses[self.rows[k]] = x[k] / self.unit[k];
            }
        }
        Given { change: change.sqrt(), size: size.sqrt() }
    }

    /// The gradient W x + q + δD(x − center), the natural map, and its size.
    pub(super) fn natural_map(&self, q: &[f64], x: &[f64], near: Near<'_>, gradient: &mut [f64], e: &mut [f64]) -> f64 {
        self.gradient(q, x, near, gradient);
        let mut sum = 0.0;
        for patch in &self.patches {
            let here = patch.of(x);
            let step = patch.of(gradient) * (1.0 / (patch.scale * (1.0 + near.shift)));
            let apart = here - patch.set.project(patch.load, here - step);
            patch.write(apart, e);
            sum += apart.dot(apart) * patch.scale;
        }
        sum.sqrt()
    }

    /// W x + q + δD(x − center).
    pub(super) fn gradient(&self, q: &[f64], x: &[f64], near: Near<'_>, gradient: &mut [f64]) {
        self.w.times_add(x, q, gradient);
        if near.shift > 0.0 {
            for patch in &self.patches {
                for k in patch.start..patch.start + patch.rows {
                    gradient[k] += near.shift * patch.scale * (x[k] - near.center[k]);
                }
            }
        }
    }

    /// Size of x and of the free velocities in the units of the error. Not of q: what the normal impulses do to the
    /// slip may be far larger than either.
    pub(super) fn size(&self, x: &[f64]) -> f64 {
        let forces: f64 = self.patches.iter().map(|p| p.of(x).dot(p.of(x)) * p.scale).sum();
        forces.sqrt().max(self.bias_size).max(f64::MIN_POSITIVE)
    }
}
