//! Factors that serve for more than one solve.
//!
//! Bodies deform little from one Newton iteration to the next, and often from step to step. The last factors are then a preconditioner with
//! which one to three conjugate gradients solve to a ten-thousandth of the tolerance of the step ([`Factor::kept`]), and these cost less than factors. What the factors of a
//! step were made for is part of the state ([`Linearised`]): a run that is resumed makes the same ones again, and gets to the same bytes. That needs
//! a matrix that depends on the bodies and the length of the step alone, without damping and joints, and its own pattern:
//! other factors are kept within the step only.

use std::sync::Arc;

use asperity_solve::problem::{DofRows, Factor, ProblemError, Symbolic};

use super::definite::factored;
use super::dynamics::{Plan, Start};
use super::guess::Guess;
use super::pull::Pull;
use crate::world::{Linearised, Model, State};

/// Residual of linear solves relative to the tolerance of a step, and its bounds.
const EXACTER: f64 = 1e-4;
const MOST_EXACT: f64 = 1e-12;
const LEAST_EXACT: f64 = 1e-8;

/// The last factors.
#[derive(Default)]
pub(super) struct Kept {
    /// The order of elimination of the last problem: the next one has it too, while the same vertices touch.
    symbolic: Option<Arc<Symbolic>>,
    factor: Option<Factor>,
    /// What they were made for, if they may serve the next step.
    made_for: Option<Linearised>,
}

impl Kept {
    /// Has the factors that a step of length h begins with: those of the state, if it has some.
    pub(super) fn begin(&mut self, model: &Model, state: &State, plan: &Plan, h: f64) -> Result<(), ProblemError> {
        let of_state = state.linearised.as_ref().filter(|own| own.h == h);
        if of_state.is_some() && of_state == self.made_for.as_ref() && self.factor.is_some() {
            return Ok(());
        }
        (self.factor, self.made_for) = (None, None);
        let Some(own) = of_state else { return Ok(()) };
        let at = State { bodies: own.bodies.clone(), ..State::default() };
        let (start, mut hessians) = (Start::new(model, &at, plan, h), Vec::new());
        let guess = Guess::unplaced(own.bodies.clone(), Vec::new());
        let exact = start.matrix(&guess, &[], false, &mut hessians);
        let projected = || start.matrix(&guess, &[], true, &mut hessians);
        let made = factored(exact, projected, |matrix| self.factor(plan, matrix, &DofRows::empty()))?;
        (self.factor, self.made_for) = (Some(made.factor), Some(own.clone()));
        Ok(())
    }

    /// Forgets the factors, but not their order of elimination: the next step makes its own.
    pub(super) fn forget(&mut self) {
        (self.factor, self.made_for) = (None, None);
    }

    /// What the factors were made for, if the next step may begin with them.
    pub(super) fn linearised(&self) -> Option<Linearised> {
        self.made_for.clone()
    }

    /// The last factors for another matrix, if they are good enough for steps of this tolerance; x becomes A⁻¹ x.
    pub(super) fn serve(
        &self,
        plan: &Plan,
        matrix: &[f64],
        rows: &DofRows,
        tolerance: f64,
        x: &mut [f64],
    ) -> Option<Factor> {
        let exact = (EXACTER * tolerance).clamp(MOST_EXACT, LEAST_EXACT);
        self.factor.as_ref()?.kept(plan.pattern(), matrix, rows, exact, x)
    }

    /// Factors of a matrix, in the order of elimination of the last ones if it fits.
    pub(super) fn factor(&mut self, plan: &Plan, matrix: &[f64], rows: &DofRows) -> Result<Factor, ProblemError> {
        let factor = Factor::assembled(plan.pattern(), matrix, rows.clone(), self.symbolic.as_ref())?;
        self.symbolic = Some(factor.symbolic().clone());
        Ok(factor)
    }

    /// Keeps factors for this step alone.
    pub(super) fn keep_in_step(&mut self, factor: &Factor) {
        (self.factor, self.made_for) = (Some(factor.clone()), None);
    }

    /// Keeps the factors that were made at a guess.
    pub(super) fn keep(&mut self, start: &Start, guess: &Guess, pulls: &[Pull], factor: &Factor) {
        let own_pattern = factor.symbolic().pattern() == start.plan.pattern();
        let lasting = pulls.is_empty() && !start.is_damped() && own_pattern;
        self.made_for = lasting.then(|| Linearised { h: start.h, bodies: guess.bodies.clone(), factored: true });
        self.factor = Some(factor.clone());
    }
}
