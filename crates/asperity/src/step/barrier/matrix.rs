//! The matrix of Newton's method: 3 × 3 blocks over the degrees of freedom, sparse, with a pattern that lasts while the same blocks are coupled.
//!
//! Free vertices have one block row, rigid bodies two (displacement, turn). A point x of a rigid body with the arm r from the centre
//! moves by δ + θ × r, so that its block of a collision's Hessian is carried to the degrees of freedom by [1, −[r]ₓ].

use std::sync::Arc;

use asperity_solve::problem::{Cholesky, CholeskyError, Place, SolveRoom, Symbolic, SymmetricPattern};
use glam::{DMat3, DVec3};

use super::surfaces::Coordinates;
use crate::barrier::Local;
use crate::body::Elastic;
use crate::elastic::{self, Assembly};
use crate::step::implicit::{FreeStep, Freedom};
use crate::world::Model;

/// How a point moves with one block of degrees of freedom.
#[derive(Clone, Copy, Debug)]
struct Lever {
    /// Number of the block: its first degree of freedom over 3.
    block: u32,
    by: DMat3,
}

/// What one point depends on: nothing, one block, or two.
type Levers = smallvec::SmallVec<[Lever; 2]>;

/// [r]ₓ.
pub(super) fn cross_matrix(r: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, r.z, -r.y), DVec3::new(-r.z, 0.0, r.x), DVec3::new(r.y, -r.x, 0.0))
}

fn levers(moves: Coordinates, arm: DVec3) -> Levers {
    let block = |dof: usize, by: DMat3| Lever { block: (dof / 3) as u32, by };
    match moves {
        Coordinates::Given => Levers::new(),
        Coordinates::Free(dof) => [block(dof, DMat3::IDENTITY)].into_iter().collect(),
        Coordinates::Rigid(dof) => {
            [block(dof, DMat3::IDENTITY), block(dof + 3, -cross_matrix(arm))].into_iter().collect()
        }
    }
}

/// A point of a stencil: how it moves, and its arm from the centre of a rigid body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) moves: Coordinates,
    pub(super) arm: DVec3,
}

/// The Hessian of a stencil.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stencil {
    pub(super) points: [Point; 4],
    pub(super) hessian: Local,
}

/// The matrix, and what is kept of it from iteration to iteration.
pub(super) struct Matrix {
    /// Blocks of elastic bodies and rigid bodies alone.
    base: SymmetricPattern,
    assemblies: Vec<Option<Assembly>>,
    /// Blocks that collisions couple, row over column, sorted.
    coupled: Vec<[u32; 2]>,
    pattern: SymmetricPattern,
    /// Slot in the whole pattern of each slot of the base.
    slots: Vec<usize>,
    values: Vec<f64>,
    factor: Option<Factor>,
}

struct Factor {
    cholesky: Cholesky,
    room: SolveRoom,
}

fn places(block: [u32; 2]) -> impl Iterator<Item = Place> + Clone {
    let [row, column] = block.map(|block| 3 * block as usize);
    (0..9).map(move |k| Place { row: row + k % 3, column: column + k / 3 })
}

impl Matrix {
    pub(super) fn new(model: &Model, free: &FreeStep) -> Self {
        let mut all: Vec<Place> = Vec::new();
        for (number, body) in model.bodies.iter().enumerate() {
            match (free.freedom(number), body.elastic()) {
                (Freedom::Rigid(dof), _) => {
                    let turn = (dof / 3 + 1) as u32;
                    all.extend([[turn - 1, turn - 1], [turn, turn]].into_iter().flat_map(places));
                }
                (Freedom::Vertices(dofs), Some(elastic)) => {
                    all.extend(dofs.iter().flatten().flat_map(|dof| places([dof / 3; 2])));
                    all.extend(elastic::places(elastic.elasticity(), dofs));
                }
                _ => (),
            }
        }
        let base = SymmetricPattern::new(free.dofs(), all.iter().copied());
        let assembly = |(number, elastic): (usize, Option<&Elastic>)| match (free.freedom(number), elastic) {
            (Freedom::Vertices(dofs), Some(elastic)) => Assembly::new(&base, elastic.elasticity(), dofs).ok(),
            _ => None,
        };
        let assemblies = model.bodies.iter().map(|body| body.elastic()).enumerate().map(assembly).collect();
        let slots = (0..base.slots()).collect();
        let pattern = base.clone();
        let values = vec![0.0; base.slots()];
        Self { base, assemblies, coupled: Vec::new(), pattern, slots, values, factor: None }
    }

    /// Forgets which blocks were coupled: a step depends on nothing but where it begins, so that resumed runs get to the same bytes.
    pub(super) fn begin(&mut self) {
        self.coupled.clear();
        self.pattern = self.base.clone();
        self.slots = (0..self.base.slots()).collect();
        self.factor = None;
    }

    /// Adds factor times the Hessians of the elements of a body to base values.
    pub(super) fn add_elastic(&self, body: usize, hessians: &[f64], factor: f64, values: &mut [f64]) {
        if let Some(assembly) = &self.assemblies[body] {
            assembly.add(hessians, factor, values);
        }
    }

    /// Room for values of the base.
    pub(super) fn base_values(&self) -> Vec<f64> {
        vec![0.0; self.base.slots()]
    }

    /// The pattern without collisions.
    pub(super) fn base(&self) -> &SymmetricPattern {
        &self.base
    }

    /// Adds a symmetric block on the diagonal of the base.
    pub(super) fn add_diagonal(&self, dof: usize, block: &DMat3, values: &mut [f64]) {
        for column in 0..3 {
            let place = Place { row: dof + column, column: dof + column };
            // Diagonal blocks are in the pattern by its making.
            let Some(slot) = self.base.slot(place) else { continue };
            (column..3).for_each(|row| values[slot + row - column] += block.col(column)[row]);
        }
    }

    /// Makes the matrix of these base values and stencils.
    pub(super) fn fill(&mut self, base: &[f64], stencils: &[Stencil]) {
        let all: Vec<[Levers; 4]> = stencils.iter().map(|own| own.points.map(|p| levers(p.moves, p.arm))).collect();
        self.couple(&all);
        self.values.clear();
        self.values.resize(self.pattern.slots(), 0.0);
        for (slot, value) in self.slots.iter().zip(base) {
            self.values[*slot] += value;
        }
        for (stencil, points) in stencils.iter().zip(&all) {
            for i in 0..4 {
                for j in 0..=i {
                    self.add_points(i == j, stencil.hessian.block(i, j), &points[i], &points[j]);
                }
            }
        }
    }

    fn add_points(&mut self, diagonal: bool, block: &DMat3, first: &Levers, second: &Levers) {
        for a in first {
            for b in second {
                let own = a.by.transpose() * *block * b.by;
                if a.block == b.block {
                    self.add_block([a.block; 2], &if diagonal { own } else { own + own.transpose() });
                } else if a.block > b.block {
                    self.add_block([a.block, b.block], &own);
                } else if !diagonal {
                    self.add_block([b.block, a.block], &own.transpose());
                }
            }
        }
    }

    fn add_block(&mut self, [row, column]: [u32; 2], block: &DMat3) {
        let (row, column) = (3 * row as usize, 3 * column as usize);
        for k in 0..3 {
            let first = if row == column { k } else { 0 };
            let Some(slot) = self.pattern.slot(Place { row: row + first, column: column + k }) else { continue };
            (first..3).for_each(|i| self.values[slot + i - first] += block.col(k)[i]);
        }
    }

    /// Sees to it that the pattern has all blocks that stencils couple.
    fn couple(&mut self, all: &[[Levers; 4]]) {
        let mut needed: Vec<[u32; 2]> = Vec::new();
        for points in all {
            let blocks = || points.iter().flatten().map(|lever| lever.block);
            needed.extend(blocks().flat_map(|a| blocks().filter(move |b| *b < a).map(move |b| [a, b])));
        }
        needed.sort_unstable();
        needed.dedup();
        if needed.iter().all(|own| self.coupled.binary_search(own).is_ok()) {
            return;
        }
        let inner = self.base.places();
        let outer = needed.iter().flat_map(|own| places(*own));
        self.pattern = SymmetricPattern::new(self.base.size(), inner.chain(outer));
        self.slots = self.base.places().map(|place| self.pattern.slot(place).unwrap_or(0)).collect();
        self.coupled = needed;
        self.factor = None;
    }

    /// Makes every entry of the diagonal larger by this fraction.
    pub(super) fn enlarge_diagonal(&mut self, fraction: f64) {
        for dof in 0..self.pattern.size() {
            if let Some(slot) = self.pattern.slot(Place { row: dof, column: dof }) {
                self.values[slot] *= 1.0 + fraction;
            }
        }
    }

    /// Factors the matrix; an error if it is not positive definite.
    pub(super) fn factorise(&mut self) -> Result<(), CholeskyError> {
        let factor = match &mut self.factor {
            Some(factor) => factor,
            None => {
                let symbolic: Arc<Symbolic> = Symbolic::new(self.pattern.clone())?;
                let room = SolveRoom::new(&symbolic);
                self.factor.insert(Factor { cholesky: Cholesky::new(symbolic)?, room })
            }
        };
        factor.cholesky.factor(&self.values)
    }

    /// x becomes A⁻¹ x, A as it was factored last.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        if let Some(factor) = &mut self.factor {
            factor.cholesky.solve(x, &mut factor.room);
        }
    }
}
