//! A of a step with constraints, with factors that serve it.
//!
//! A changes little between the iterations of a step, and between its solves. The last factors of the step are a preconditioner for it as
//! long as a few conjugate gradients are enough ([`super::kept`]); then they are made anew.

use asperity_solve::problem::{DofRows, Factor, ProblemError};

use super::definite::{Factored, factored};
use super::dynamics::Start;
use super::free::{FreeStep, Span};
use super::guess::Guess;
use crate::body::BodyState;

/// What A is asked for.
pub(super) struct Asked<'a> {
    pub(super) start: &'a Start<'a>,
    pub(super) guess: &'a Guess,
    pub(super) rows: &'a DofRows,
    /// Of the step.
    pub(super) tolerance: f64,
}

/// A with factors that serve it, and A⁻¹ x.
pub(super) struct Answered {
    pub(super) factor: Factor,
    pub(super) x: Vec<f64>,
}

impl FreeStep {
    /// The dynamics that are linear where a step ends with these bodies, with these rows: A there and factors that serve it, in
    /// a step of this tolerance.
    pub(in crate::step) fn linear(
        &mut self,
        span: Span,
        bodies: Vec<BodyState>,
        rows: &DofRows,
        tolerance: f64,
    ) -> Result<Factor, ProblemError> {
        let plan = self.plan_of(span.model);
        let start = self.start(span, &plan);
        let guess = Guess::unplaced(bodies, Vec::new());
        // Any right-hand side shows whether the factors serve, if it has no zeros.
        let any = |_: &[f64]| (0..plan.dofs.count).map(|i| 1.0 + 0.1 * (i % 7) as f64).collect();
        let made = self.answered(Asked { start: &start, guess: &guess, rows, tolerance }, any);
        self.plan = Some(plan);
        Ok(made?.factor)
    }

    /// A at a guess with factors that serve it, and A⁻¹ x, x being what `right` makes of A. The last factors of the step serve as long
    /// as they are good enough.
    pub(super) fn answered(
        &mut self,
        asked: Asked,
        right: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Result<Answered, ProblemError> {
        let Asked { start, guess, rows, tolerance } = asked;
        let Self { hessians, kept, units, .. } = self;
        let exact = start.matrix(guess, &[], false, hessians);
        let mut x = right(&exact);
        let Factored { factor, matrix } = match kept.serve(start.plan, &exact, rows, tolerance, &mut x) {
            Some(factor) => Factored { factor, matrix: exact },
            None => {
                let factor = |matrix: &[f64]| kept.factor(start.plan, matrix, rows)?.checked();
                let made = factored(exact, || start.matrix(guess, &[], true, hessians), factor)?;
                kept.keep_in_step(&made.factor);
                x = right(&made.matrix);
                made.factor.solve_checked(&mut x)?;
                made
            }
        };
        units.clear();
        units.extend((0..start.plan.dofs.count).map(|dof| start.plan.diagonal(&matrix, dof)));
        Ok(Answered { factor, x })
    }
}
