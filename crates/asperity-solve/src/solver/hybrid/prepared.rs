//! What both stages work on: the cones, the system over the degrees of freedom, the units of the blocks, and the iterate.
//!
//! With v the change of the generalised velocities: A v = Jᵀ r, u = J v + b + C r. All vectors over rows have moments
//! measured as forces.

use asperity_friction::ContactLaw;

use super::super::system::{BlockDiagonal, DofSystem};
use super::cones::Cones;
use crate::problem::{ContactProblem, ProblemError, largest_eigenvalue};

/// Units below this fraction of the largest are those of rows that (almost) nothing moves: they take the median.
const LEAST_UNIT: f64 = 1e-12;

/// The problem, prepared.
pub(super) struct Prepared<'a> {
    pub(super) problem: &'a ContactProblem,
    pub(super) cones: Cones<'a>,
    pub(super) system: DofSystem,
    /// b, with moments measured as forces.
    pub(super) bias: Vec<f64>,
    /// C, likewise.
    pub(super) compliance: Vec<f64>,
    /// The unit U of each block: the largest eigenvalue of the compliance that it feels with all other degrees of
    /// freedom held.
    pub(super) units: Vec<f64>,
    /// The largest compliance of each block.
    pub(super) softest: Vec<f64>,
    /// Impulses are divided by it, and velocities multiplied, so that moments are forces.
    row_factors: Vec<f64>,
    /// Factorisations so far.
    pub(super) factorisations: usize,
    /// Room for vectors over the rows and over the blocks.
    room: Room,
}

struct Room {
    scale: Vec<f64>,
    shift: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    dofs: Vec<f64>,
    product: Vec<f64>,
}

/// A point of the iteration.
#[derive(Clone, Debug)]
pub(super) struct Iterate {
    /// Change of the generalised velocities.
    pub(super) v: Vec<f64>,
    /// Impulses, admissible.
    pub(super) r: Vec<f64>,
    /// What the shifted velocity u + s would have to be for r to be the projection of R r − (u + s): a pair with r.
    pub(super) y: Vec<f64>,
}

/// The natural map of an iterate and the size of its terms, in the blocks' units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    pub(super) error: f64,
    pub(super) size: f64,
}

impl Measure {
    pub(super) fn relative(self) -> f64 {
        self.error / self.size
    }
}

impl<'a> Prepared<'a> {
    pub(super) fn new(problem: &'a ContactProblem, laws: &[ContactLaw]) -> Result<Self, ProblemError> {
        let cones = Cones::new(problem, laws);
        let row_factors = cones.row_factors();
        let system = DofSystem::new(problem, &row_factors)?;
        let bias = problem.bias().iter().zip(&row_factors).map(|(b, f)| b * f).collect();
        let compliance: Vec<f64> = problem.compliance().iter().zip(&row_factors).map(|(c, f)| c * f * f).collect();
        let softest = (0..problem.blocks()).map(|i| compliance[problem.range(i)].iter().fold(0.0, |m, c| c.max(m)));
        let softest = softest.collect();
        let units = units(problem, &system);
        let (blocks, rows, dofs) = (problem.blocks(), problem.rows(), system.dofs());
        let room = Room {
            scale: vec![0.0; blocks],
            shift: vec![0.0; blocks],
            z: vec![0.0; rows],
            p: vec![0.0; rows],
            dofs: vec![0.0; dofs],
            product: vec![0.0; dofs],
        };
        Ok(Self { problem, cones, system, bias, compliance, units, softest, row_factors, factorisations: 0, room })
    }

    /// The start: r as given, in the problem's units, and v = 0.
    pub(super) fn start(&self, r: &[f64]) -> Iterate {
        let r = r.iter().zip(&self.row_factors).map(|(r, f)| r / f).collect();
        Iterate { v: vec![0.0; self.system.dofs()], r, y: vec![0.0; self.problem.rows()] }
    }

    /// Impulses in the problem's units.
    pub(super) fn impulses(&self, r: &[f64], out: &mut [f64]) {
        for (out, (r, f)) in out.iter_mut().zip(r.iter().zip(&self.row_factors)) {
            *out = r * f;
        }
    }

    /// Velocities from the problem's units.
    pub(super) fn scaled_velocities(&self, u: &[f64]) -> Vec<f64> {
        u.iter().zip(&self.row_factors).map(|(u, f)| u * f).collect()
    }

    /// Velocities in the problem's units.
    pub(super) fn velocities(&self, u: &[f64], out: &mut [f64]) {
        for (out, (u, f)) in out.iter_mut().zip(u.iter().zip(&self.row_factors)) {
            *out = u / f;
        }
    }

    /// Factors A + Jᵀ E J; whether it could.
    pub(super) fn factor(&mut self, e: &BlockDiagonal) -> bool {
        self.factorisations += 1;
        self.system.factor(e)
    }

    /// The natural map at u and r, |√U r − P(√U r − (u + s)/√U)|, and the size of √U r and u/√U.
    pub(super) fn natural(&mut self, u: &[f64], r: &[f64]) -> Measure {
        let Self { problem, cones, units, room, .. } = self;
        let Room { scale, shift, z, p, .. } = room;
        scale.iter_mut().zip(units.iter()).for_each(|(scale, unit)| *scale = unit.sqrt());
        cones.shifts(u, shift);
        let (mut impulses, mut speeds) = (0.0, 0.0);
        for (i, (scale, shift)) in scale.iter().zip(shift.iter()).enumerate() {
            let range = problem.range(i);
            for k in range.clone() {
                let (impulse, speed) = (r[k] * scale, u[k] / scale);
                z[k] = impulse - speed;
                impulses += impulse * impulse;
                speeds += speed * speed;
            }
            z[range.start] -= shift / scale;
        }
        cones.project(scale, z, p);
        let mut error = 0.0;
        for (i, scale) in scale.iter().enumerate() {
            for k in problem.range(i) {
                let e = r[k] * scale - p[k];
                error += e * e;
            }
        }
        let size = f64::max(impulses, speeds).sqrt().max(f64::MIN_POSITIVE);
        Measure { error: error.sqrt(), size }
    }

    /// |A v − Jᵀ r|, each degree of freedom in its own unit √A_jj.
    pub(super) fn imbalance(&mut self, v: &[f64], r: &[f64]) -> f64 {
        let Room { dofs, product, .. } = &mut self.room;
        product.fill(0.0);
        self.system.rows().add_response(r, product);
        self.system.mass_times(v, dofs);
        dofs.iter_mut().zip(product.iter()).for_each(|(g, h)| *g -= h);
        dof_norm(&self.system, dofs)
    }
}

/// |g|, each degree of freedom in its own unit √A_jj.
pub(super) fn dof_norm(system: &DofSystem, g: &[f64]) -> f64 {
    g.iter().enumerate().map(|(dof, g)| g * g / system.mass_diagonal(dof)).sum::<f64>().sqrt()
}

/// The unit of each block.
fn units(problem: &ContactProblem, system: &DofSystem) -> Vec<f64> {
    let largest =
        |i: usize| system.local_compliance(i).map_or(0.0, |block| largest_eigenvalue(&block, problem.range(i).len()));
    let mut units: Vec<f64> = (0..problem.blocks()).map(largest).collect();
    let top = units.iter().copied().fold(0.0, f64::max);
    let mut regular: Vec<f64> = units.iter().copied().filter(|unit| *unit > LEAST_UNIT * top).collect();
    regular.sort_unstable_by(f64::total_cmp);
    let median = regular.get(regular.len() / 2).copied().unwrap_or(1.0);
    units.iter_mut().filter(|unit| **unit <= LEAST_UNIT * top).for_each(|unit| *unit = median);
    units
}
