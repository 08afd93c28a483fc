//! A barrier as stiff as its forces ask for (Li et al. 2020; [`crate::barrier::stiffness`] has the rule).
//!
//! In the first step κ balances the gradients of barrier and all other energies where the run begins, within bounds that depend on the
//! masses and the size of the world; but it is not less than where it is not adapted: these bounds alone let light bodies come so near that
//! steps become tiny. After every step in which surfaces were very near, and came nearer than in the step before, it is doubled, up to 100
//! times. κ and the least distance are part of the state, so that runs that are resumed get to the same bytes.

use glam::DVec3;

use super::energy::Energy;
use super::matrix::Matrix;
use super::place::Here;
use super::surfaces::Surfaces;
use crate::barrier::Projection;
use crate::barrier::stiffness::{LeastSquares, SCALE, StiffnessRange, StiffnessSetting, updated};
use crate::contact::LawFault;
use crate::world::{Model, Stiffness};

/// Distances that count as very near, relative to the size of the world.
const NEAR: f64 = 1e-9;

/// How much stiffer it gets at most than where it is not adapted.
const MOST: f64 = 100.0;

fn setting(model: &Model, surfaces: &Surfaces, positions: &[DVec3]) -> StiffnessSetting {
    let moving = || surfaces.mobile.iter().map(|vertex| positions[*vertex as usize]);
    let low = moving().fold(DVec3::INFINITY, DVec3::min);
    let size = moving().fold(DVec3::NEG_INFINITY, DVec3::max).distance(low);
    let mass_of = |body: &crate::body::Body| match (body.inertia(), body.elastic()) {
        (Some(inertia), _) => inertia.mass(),
        (None, Some(elastic)) => elastic.masses().iter().sum(),
        (None, None) => 0.0,
    };
    let mass = model.bodies.iter().map(mass_of).sum::<f64>() / surfaces.mobile.len().max(1) as f64;
    let potential = surfaces.potential;
    StiffnessSetting { size, barrier: potential.barrier, dhat: potential.dhat, dmin: 0.0, mass, scale: SCALE }
}

impl Energy<'_> {
    /// κ for the first step of a run.
    pub(super) fn first_stiffness(
        &self,
        start: &Here,
        surfaces: &mut Surfaces,
        matrix: &Matrix,
    ) -> Result<f64, LawFault> {
        surfaces.potential.stiffness = 1.0;
        let whole = self.derivatives(start, surfaces, matrix, Projection::Whole)?.gradient;
        let apart = Here {
            at: start.at.clone(),
            positions: start.positions.clone(),
            planes: start.planes.clone(),
            collisions: Vec::new(),
        };
        let others = self.derivatives(&apart, surfaces, matrix, Projection::Whole)?.gradient;
        let barrier: Vec<f64> = whole.iter().zip(&others).map(|(all, other)| all - other).collect();
        let balanced = setting(self.span.model, surfaces, &start.positions).first(&others, &barrier);
        Ok(balanced.max(surfaces.fixed_stiffness))
    }
}

/// What the next step begins with, after a step that ended here.
pub(super) fn next(model: &Model, surfaces: &Surfaces, end: &Here, before: Option<Stiffness>) -> Stiffness {
    let above = |own: &crate::barrier::Collision| {
        let distance = own.nearest(&own.points(&end.positions), &end.planes).distance;
        distance - surfaces.potential_of(own).dmin
    };
    let least = end.collisions.iter().map(above).fold(f64::INFINITY, f64::min);
    let setting = setting(model, surfaces, &end.positions);
    let squares = LeastSquares { before: before.map_or(f64::INFINITY, |own| own.least).powi(2), now: least.powi(2) };
    let range = setting.range();
    let range = StiffnessRange { largest: range.largest.max(MOST * surfaces.fixed_stiffness), ..range };
    let factor = updated(surfaces.potential.stiffness, range, squares, NEAR * setting.size);
    // JSON has no infinity: nothing is near from the range of the barrier on.
    Stiffness { factor, least: least.min(surfaces.potential.dhat) }
}
