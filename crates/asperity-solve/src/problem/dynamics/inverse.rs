//! The inverse of a sparse symmetric matrix M, by Cholesky factors of M or of a matrix near it.
//!
//! M⁻¹ is applied by conjugate gradients with the factors as preconditioner. With the factors of M itself that is one solve,
//! and a second one as iterative refinement where M is ill-conditioned. A time stepper whose M hardly changes may keep
//! the factors of an earlier one ([`Inverse::kept`]): two or three solves are much cheaper than factors.

use std::sync::{Arc, OnceLock};

use crate::problem::sparse::{Cholesky, SolveRoom, Symbolic};
use crate::problem::{ProblemError, dot};

/// Largest residual of a solution, relative to the right-hand side; a matrix that is singular up to round-off is far
/// above.
const ACCURACY: f64 = 1e-6;

/// Residual of a solve with the factors of M itself, relative to the right-hand side: √Σ r_j²/M_jj, each degree of freedom in
/// its own unit.
const EXACT: f64 = 1e-12;

/// Conjugate gradients with the factors of M itself: the second is iterative refinement.
const REFINED: usize = 2;

/// Conjugate gradients with the factors of another M, when they are tried and when they are in use. Four cost as much as
/// factors.
const TRIED: usize = 3;
const KEPT: usize = 8;

/// Residual that is enough for the factors of another M to stay in use, relative to the one that is asked for.
const ENOUGH: f64 = 100.0;

/// Residual after the first of them from which they are worth going on with.
const PROMISING: f64 = 1e-4;

/// M with its factors, or those of an earlier one.
#[derive(Debug)]
pub(super) struct Inverse {
    /// M in the slots of the pattern of the factors.
    values: Vec<f64>,
    cholesky: Arc<Cholesky>,
    /// Whether the factors are those of M itself.
    is_own: bool,
    /// Residual at which a solve ends.
    exact: f64,
    /// Those of M itself, where they are not, once a solver has asked for what only they can tell.
    late: OnceLock<Option<Cholesky>>,
}

impl Inverse {
    /// Of M, with its own factors.
    pub(super) fn new(values: Vec<f64>, cholesky: Cholesky) -> Self {
        Self { values, cholesky: Arc::new(cholesky), is_own: true, exact: EXACT, late: OnceLock::new() }
    }

    /// Of another M with the factors that are here, solves being as exact as is asked for; x becomes its M⁻¹ x. `None`, and x
    /// as it was, if they are not good enough.
    pub(super) fn kept(&self, values: Vec<f64>, exact: f64, x: &mut [f64]) -> Option<Self> {
        let other = Self { values, cholesky: self.cholesky.clone(), is_own: false, exact, late: OnceLock::new() };
        let right = x.to_vec();
        if other.gradients(&other.cholesky, x, TRIED, PROMISING) <= exact {
            return Some(other);
        }
        x.copy_from_slice(&right);
        None
    }

    pub(super) fn symbolic(&self) -> &Arc<Symbolic> {
        self.cholesky.symbolic()
    }

    /// M.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// x becomes M⁻¹ x; an error where M is singular to working precision.
    pub(super) fn apply_checked(&self, x: &mut [f64]) -> Result<(), ProblemError> {
        let reached = self.apply(x);
        if reached.is_nan() || reached > ACCURACY || !x.iter().all(|x| x.is_finite()) {
            return Err(ProblemError::SingularMass);
        }
        Ok(())
    }

    /// x becomes M⁻¹ x; the residual that was reached. Where the factors of another matrix turn out not to serve, M is factored;
    /// if it is not positive definite, x becomes NaN, which no solver takes for a solution.
    pub(super) fn apply(&self, x: &mut [f64]) -> f64 {
        if self.is_own {
            return self.gradients(&self.cholesky, x, REFINED, f64::INFINITY);
        }
        let right = x.to_vec();
        let reached = self.gradients(&self.cholesky, x, KEPT, f64::INFINITY);
        if reached <= ENOUGH * self.exact {
            return reached;
        }
        x.copy_from_slice(&right);
        match self.late() {
            Some(own) => self.gradients(own, x, REFINED, f64::INFINITY),
            None => {
                x.fill(f64::NAN);
                f64::INFINITY
            }
        }
    }

    /// Factors of M itself, made when they are asked for; those that are there if M is not positive definite, which
    /// [`Self::apply`] then shows.
    pub(super) fn own(&self) -> &Cholesky {
        if self.is_own { &self.cholesky } else { self.late().unwrap_or(&self.cholesky) }
    }

    fn late(&self) -> Option<&Cholesky> {
        let made = || {
            let mut late = Cholesky::new(self.symbolic().clone()).ok()?;
            late.factor(&self.values).ok().map(|()| late)
        };
        self.late.get_or_init(made).as_ref()
    }

    /// √Σ r_j²/M_jj.
    fn size(&self, r: &[f64]) -> f64 {
        let pattern = self.symbolic().pattern();
        r.iter().enumerate().map(|(j, r)| r * r / pattern.diagonal(&self.values, j)).sum::<f64>().sqrt()
    }

    /// x becomes M⁻¹ x, by no more than so many conjugate gradients with these factors; the residual that was reached. Ends where
    /// the residual is above `promising`, and where M turns out not to be positive definite.
    fn gradients(&self, cholesky: &Cholesky, x: &mut [f64], most: usize, promising: f64) -> f64 {
        let values = &self.values;
        let pattern = self.symbolic().pattern();
        let mut room = SolveRoom::new(cholesky.symbolic());
        let mut rest = x.to_vec();
        let right = self.size(&rest);
        x.fill(0.0);
        if right == 0.0 {
            return 0.0;
        }
        let (mut preconditioned, mut direction, mut product) = (rest.clone(), Vec::new(), vec![0.0; x.len()]);
        let (mut reached, mut before) = (f64::INFINITY, 0.0);
        for step in 0..most {
            preconditioned.copy_from_slice(&rest);
            cholesky.solve(&mut preconditioned, &mut room);
            let now = dot(&rest, &preconditioned);
            if step == 0 {
                direction = preconditioned.clone();
            } else {
                let kept = now / before;
                direction.iter_mut().zip(&preconditioned).for_each(|(d, z)| *d = z + kept * *d);
            }
            pattern.multiply(values, &direction, &mut product);
            let curvature = dot(&direction, &product);
            if curvature.is_nan() || curvature <= 0.0 {
                return f64::INFINITY;
            }
            let length = now / curvature;
            x.iter_mut().zip(&direction).for_each(|(x, d)| *x += length * d);
            rest.iter_mut().zip(&product).for_each(|(r, p)| *r -= length * p);
            before = now;
            reached = self.size(&rest) / right;
            if reached <= self.exact || reached > promising {
                break;
            }
        }
        reached
    }
}
