//! Steps in which nothing is lagged: Newton's method on the equations of a step, with the friction of the place itself.
//!
//! R(x) = ∇E₀(x) + F(x) = 0, E₀ all potentials but friction, F friction with loads, planes and laws of x. F has no potential, so that
//! nothing is minimised here, and R' is not symmetric:
//!
//! R' ≈ H + C,
//!
//! H the Hessian with friction held fixed, C what loads, planes and nearest points change ([`super::coupling`]). Laws are those of x in every
//! iteration, but not differentiated: they change little while bodies settle. (H + C) p = −R is solved by GMRES with
//! the factor of H. Loads that friction wedges against each other are solved together here, where lagged ones swing (Larionov et al. 2024
//! find that lagging, and not smoothing, spoils the thresholds of friction).
//!
//! A step goes as far as continuous detection allows, and as far as the next correction with the same matrix, (H + C) q = −R(x + α p), is
//! smaller: |q| ≤ (1 − α/4) |p| (the natural monotonicity test of Deuflhard 2004, which does not depend on units of forces).

use asperity_solve::problem::Gmres;

use super::coupling::Couplings;
use super::derivatives::Derivatives;
use super::energy::Energy;
use super::friction::Rubbing;
use super::lagging::Lagging;
use super::matrix::Matrix;
use super::newton::{Newton, NewtonError, Wanted};
use super::place::Here;
use super::surfaces::Surfaces;
use crate::barrier::Projection;
use crate::step::StepError;
use crate::step::report::StepLog;

/// Most Newton steps.
const ITERATIONS: usize = 60;

/// Halvings of a step before the method gives up.
const HALVINGS: usize = 8;

/// Steps of GMRES, and by what the preconditioned residual falls.
const GMRES_STEPS: usize = 60;
const GMRES_TOLERANCE: f64 = 1e-8;
/// What it may leave at most where its steps are used up: beyond that a correction says nothing of how far a place is off.
const GMRES_LEFT: f64 = 1e-2;

/// What the method works with.
pub(super) struct Coupled<'a, 'b> {
    pub(super) energy: &'a mut Energy<'b>,
    pub(super) surfaces: &'a mut Surfaces,
    pub(super) matrix: &'a mut Matrix,
    pub(super) log: &'a mut StepLog,
}

/// A place with the friction and the derivatives of there.
struct Placed {
    here: Here,
    rubbing: Vec<Rubbing>,
    derivatives: Derivatives,
}

/// Where the method ended.
pub(super) struct Solved {
    pub(super) here: Here,
    pub(super) fresh: Vec<Rubbing>,
    /// Speed of the last Newton step, m/s.
    pub(super) speed: f64,
}

impl Coupled<'_, '_> {
    /// The place that solves the step, from one that lagged loads have come to; `None` if the method does not converge.
    pub(super) fn solve(&mut self, start: &Here, wanted: Wanted) -> Result<Option<Solved>, StepError> {
        let mut gmres = Gmres::new(self.energy.free.dofs(), GMRES_STEPS);
        let mut now = self.placed(start.clone())?;
        for _ in 0..ITERATIONS {
            self.energy.rubbing = now.rubbing;
            self.log.effort.iterations += 1;
            let own = match self.newton().factored(&now.here, now.derivatives) {
                Ok(own) => own,
                Err(NewtonError::Matrix(_)) => return Ok(None),
                Err(error) => return Err(self.failed(error)),
            };
            let couplings = Couplings::new(self.energy, &now.here, self.surfaces);
            let couplings = couplings.map_err(|fault| self.failed(fault.into()))?;
            let Some(p) = self.correction(&couplings, &own.gradient, &mut gmres) else { return Ok(None) };
            let speed = self.newton().speed(&p);
            if speed <= wanted.speed {
                let fresh = std::mem::take(&mut self.energy.rubbing);
                return Ok(Some(Solved { here: now.here, fresh, speed }));
            }
            match self.shorter(&now.here, &couplings, &p, &mut gmres)? {
                Some(next) => now = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    fn newton(&mut self) -> Newton<'_> {
        Newton { energy: self.energy, surfaces: self.surfaces, matrix: self.matrix }
    }

    fn failed(&self, error: NewtonError) -> StepError {
        error.of_step(self.energy.span, &self.energy.rubbing)
    }

    /// A place with the friction of there; it becomes that of the step.
    fn placed(&mut self, here: Here) -> Result<Placed, StepError> {
        let lagging = Lagging { at: &here, end: &here, goal: Some(self.energy.ends.goal), whole: true };
        self.energy.rubbing = self.energy.lag(self.surfaces, lagging, self.log)?;
        let own = self.energy.derivatives(&here, self.surfaces, self.matrix, Projection::Whole);
        let derivatives = own.map_err(|fault| self.failed(fault.into()))?;
        Ok(Placed { here, rubbing: self.energy.rubbing.clone(), derivatives })
    }

    /// −(H + C)⁻¹ R, H as it was factored last; `None` if that is not found.
    fn correction(&mut self, couplings: &Couplings, residual: &[f64], gmres: &mut Gmres) -> Option<Vec<f64>> {
        let mut right: Vec<f64> = residual.iter().map(|r| -r).collect();
        self.matrix.solve(&mut right);
        let mut apply = |x: &[f64], out: &mut [f64]| {
            out.fill(0.0);
            couplings.add_times(x, out);
            self.matrix.solve(out);
            out.iter_mut().zip(x).for_each(|(out, x)| *out += x);
        };
        let mut p = vec![0.0; right.len()];
        gmres.solve(&right, GMRES_TOLERANCE, &mut p, &mut apply);
        let mut left = vec![0.0; right.len()];
        apply(&p, &mut left);
        let square = |sum: f64, x: f64| sum + x * x;
        let off = left.iter().zip(&right).map(|(a, b)| a - b).fold(0.0, square);
        let size = right.iter().copied().fold(0.0, square);
        (off <= GMRES_LEFT * GMRES_LEFT * size).then_some(p)
    }

    /// The first place along p, by halves, whose next correction is smaller.
    fn shorter(
        &mut self,
        from: &Here,
        couplings: &Couplings,
        p: &[f64],
        gmres: &mut Gmres,
    ) -> Result<Option<Placed>, StepError> {
        let speed = self.newton().speed(p);
        let mut fraction = self.newton().bounded(&from.at, p, 1.0);
        for _ in 0..HALVINGS {
            let here = self.newton().at(&from.at, p, fraction);
            let next = self.placed(here)?;
            let q = self.correction(couplings, &next.derivatives.gradient, gmres);
            if q.is_some_and(|q| self.newton().speed(&q) <= (1.0 - 0.25 * fraction) * speed) {
                return Ok(Some(next));
            }
            fraction *= 0.5;
        }
        Ok(None)
    }
}
