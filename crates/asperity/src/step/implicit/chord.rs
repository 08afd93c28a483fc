//! One factor for many steps.
//!
//! Newton's method with a matrix of earlier on (the chord method) converges linearly, by as much as the matrix is out
//! of date. Bodies deform little in a step, so one factor serves for tens or hundreds of steps, and a step costs a few
//! triangular solves. What the matrix was made for is part of the state ([`Linearised`]): a run that is resumed makes
//! the same factor again, and so gets to the same bytes.

use asperity_solve::problem::{Cholesky, CholeskyError, SolveRoom, Symbolic};

use super::dynamics::{Plan, Start};
use super::guess::Guess;
use crate::world::{Linearised, Model, State};

/// A factor of A, and what it was made for.
pub(super) struct Chord {
    cholesky: Cholesky,
    room: SolveRoom,
    made_for: Option<Linearised>,
    hessians: Vec<f64>,
}

impl Chord {
    pub(super) fn new(plan: &Plan) -> Result<Self, CholeskyError> {
        let symbolic = Symbolic::new(plan.pattern().clone())?;
        let room = SolveRoom::new(&symbolic);
        let cholesky = Cholesky::new(symbolic)?;
        Ok(Self { cholesky, room, made_for: None, hessians: Vec::new() })
    }

    /// What it was made for, if it was made.
    pub(super) fn made_for(&self) -> Option<&Linearised> {
        self.made_for.as_ref()
    }

    /// Makes the factor of A where bodies are like this, unless it is that already. Hessians of elements are projected: A as it
    /// is often has no factor where cloth buckles, and a method that converges linearly gains little from it.
    pub(super) fn make(&mut self, model: &Model, plan: &Plan, at: &Linearised) -> Result<(), CholeskyError> {
        if self.made_for.as_ref() == Some(at) {
            return Ok(());
        }
        self.made_for = None;
        let state = State { bodies: at.bodies.clone(), ..State::default() };
        let start = Start::new(model, &state, plan, at.h);
        let guess = Guess::unplaced(at.bodies.clone(), Vec::new());
        let Self { cholesky, hessians, .. } = self;
        cholesky.factor(&start.matrix(&guess, &[], true, hessians))?;
        self.made_for = Some(at.clone());
        Ok(())
    }

    /// x ← A⁻¹ x, with the factor that was made last.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.cholesky.solve(x, &mut self.room);
    }
}
