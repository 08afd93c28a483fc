//! One matrix for many solves.
//!
//! Newton's method with a matrix of earlier on (the chord method) converges linearly, by as much as the matrix is out
//! of date. Bodies deform little in a step, so one factor serves for tens or hundreds of steps, and a step costs a few
//! triangular solves. Large matrices are first tried without factors, by conjugate gradients: cloth that is limp is
//! solved with in a few tens of products, and where it crumples the matrix is out of date after a step. Where that
//! takes too many iterations the matrix is factored.
//!
//! What the matrix was made for is part of the state ([`Linearised`]): a run that is resumed makes the same matrix
//! again, and so gets to the same bytes.

use asperity_solve::problem::{
    Accuracy, Cholesky, CholeskyError, ConjugateGradients, SolveRoom, Symbolic, SymmetricPattern,
};

use super::dynamics::{Plan, Start};
use super::guess::Guess;
use crate::world::{Linearised, Model, State};

/// Degrees of freedom from which conjugate gradients are tried. The factors of smaller matrices stay in the cache.
const LARGE: usize = 6000;

/// How exact a system is solved: the error of the chord method itself is of this size.
const ACCURACY: Accuracy = Accuracy { tolerance: 0.03, iterations: 80 };

/// A matrix serves as long as no more than so many solves with it are left to go, at the rate of those of the step so
/// far. A new factor costs about as much as forty solves with it, and a new matrix less than a solve by conjugate
/// gradients.
const PATIENCE_FACTORED: f64 = 12.0;
const PATIENCE: f64 = 2.0;

/// The matrix A, and what it was made for.
pub(super) struct Chord {
    pattern: SymmetricPattern,
    matrix: Vec<f64>,
    /// `None` for small ones.
    gradients: Option<ConjugateGradients>,
    factors: Option<Factors>,
    made_for: Option<Linearised>,
    hessians: Vec<f64>,
}

struct Factors {
    cholesky: Cholesky,
    room: SolveRoom,
}

impl Chord {
    pub(super) fn new(plan: &Plan) -> Self {
        let pattern = plan.pattern().clone();
        let gradients = (pattern.size() >= LARGE).then(|| ConjugateGradients::new(&pattern)).flatten();
        Self { pattern, matrix: Vec::new(), gradients, factors: None, made_for: None, hessians: Vec::new() }
    }

    /// What it was made for, if it was made.
    pub(super) fn made_for(&self) -> Option<&Linearised> {
        self.made_for.as_ref()
    }

    /// So many solves may be left to go.
    pub(super) fn patience(&self) -> f64 {
        if self.is_factored() { PATIENCE_FACTORED } else { PATIENCE }
    }

    fn is_factored(&self) -> bool {
        self.made_for.as_ref().is_some_and(|own| own.factored)
    }

    /// Makes A where bodies are like this, unless it is that already, with factors if it had them there. Hessians of
    /// elements are projected: A as it is often has no factor where cloth buckles, and a method that converges linearly
    /// gains little from it.
    pub(super) fn make(&mut self, model: &Model, plan: &Plan, at: &Linearised) -> Result<(), CholeskyError> {
        if self.made_for.as_ref() == Some(at) {
            return Ok(());
        }
        let state = State { bodies: at.bodies.clone(), ..State::default() };
        let start = Start::new(model, &state, plan, at.h);
        let guess = Guess::unplaced(at.bodies.clone(), Vec::new());
        self.matrix = start.matrix(&guess, &[], true, &mut self.hessians);
        self.made_for = Some(Linearised { factored: false, ..at.clone() });
        let iterates = !at.factored && self.gradients.as_mut().is_some_and(|own| own.prepare(&self.matrix));
        if iterates { Ok(()) } else { self.factor() }
    }

    fn factor(&mut self) -> Result<(), CholeskyError> {
        let mut made_for = self.made_for.take();
        let mut factors = match self.factors.take() {
            Some(factors) => factors,
            None => {
                let symbolic = Symbolic::new(self.pattern.clone())?;
                Factors { room: SolveRoom::new(&symbolic), cholesky: Cholesky::new(symbolic)? }
            }
        };
        factors.cholesky.factor(&self.matrix)?;
        self.factors = Some(factors);
        made_for.iter_mut().for_each(|own| own.factored = true);
        self.made_for = made_for;
        Ok(())
    }

    /// x ← A⁻¹ x, with the matrix that was made last.
    pub(super) fn solve(&mut self, x: &mut [f64]) -> Result<(), CholeskyError> {
        if !self.is_factored() {
            let Self { pattern, matrix, gradients, .. } = self;
            if gradients.as_mut().is_some_and(|own| own.solve(pattern, matrix, ACCURACY, x).is_some()) {
                return Ok(());
            }
            self.factor()?;
        }
        if let Some(Factors { cholesky, room }) = &mut self.factors {
            cholesky.solve(x, room);
        }
        Ok(())
    }
}
