//! How elastic forces answer impulses that came after the elastic step.
//!
//! A step without contacts leads to velocities w ([`FreeStep::solve`]). Impulses p over the degrees of freedom change them to
//! v = w + M⁻¹ p, and so the elastic forces: with v the dynamics lack R = F(v) − p ([`super::dynamics`]). One iteration of
//! Newton's method, with the matrix at hand and p held, changes the velocities by −A⁻¹ R.

use asperity_solve::problem::{DofRows, Factor, ProblemError};

use super::answered::{Answered, Asked};
use super::dofs::BodyDofs;
use super::free::{FreeStep, Span, Tried, indefinite};
use super::guess::first_bodies;
use crate::step::StepError;

/// What the dynamics lack.
pub(in crate::step) struct Unanswered {
    /// R = F(v) − p over the degrees of freedom, N s.
    pub(in crate::step) left: Vec<f64>,
    /// Size of the impulses on each body in the step, N s.
    pub(in crate::step) sizes: Vec<f64>,
}

/// Dynamics that are linear at some velocities v: v⁺ = w + A⁻¹ Jᵀ r.
pub(in crate::step) struct LinearStep {
    /// A, and J.
    pub(in crate::step) factor: Factor,
    /// w = v − A⁻¹ F(v).
    pub(in crate::step) velocities: Vec<f64>,
}

impl FreeStep {
    /// The dynamics of the last [`Self::solve`] where they are linear at velocities v, with these rows, in a step of this tolerance.
    pub(in crate::step) fn linear_step(
        &mut self,
        span: Span,
        v: &[f64],
        rows: &DofRows,
        tolerance: f64,
    ) -> Result<LinearStep, ProblemError> {
        let plan = self.plan_of(span.model);
        let start = self.start(span, &plan);
        let Tried { guess, imbalance, .. } = Tried::at(&start, &first_bodies(start.setting()), v.to_vec());
        let right = |_: &[f64]| imbalance.force.iter().map(|force| -force).collect();
        let made = self.answered(Asked { start: &start, guess: &guess, rows, tolerance }, right);
        self.plan = Some(plan);
        let Answered { factor, x: mut velocities } = made?;
        velocities.iter_mut().zip(v).for_each(|(w, v)| *w += v);
        Ok(LinearStep { factor, velocities })
    }

    /// What the dynamics of the last [`Self::solve`] lack at velocities v with impulses p. Rigid bodies have no elastic forces, and
    /// lack nothing.
    pub(in crate::step) fn unanswered(&mut self, span: Span, v: &[f64], push: &[f64]) -> Unanswered {
        let plan = self.plan_of(span.model);
        let start = self.start(span, &plan);
        let mut tried = Tried::at(&start, &first_bodies(start.setting()), v.to_vec());
        tried.imbalance.force.iter_mut().zip(push).for_each(|(force, push)| *force -= push);
        let sizes = tried.sizes(&start);
        for own in &plan.dofs.bodies {
            if let BodyDofs::Rigid(first) = own {
                tried.imbalance.force[*first..first + 6].fill(0.0);
            }
        }
        self.plan = Some(plan);
        Unanswered { left: tried.imbalance.force, sizes }
    }

    /// x ← A⁻¹ x with the matrix of the last [`Self::solve`].
    pub(in crate::step) fn soften(&mut self, span: Span, x: &mut [f64]) -> Result<(), StepError> {
        let Self { chord: Some(chord), plan: Some(plan), .. } = self else { return Ok(()) };
        chord.solve(x).map_err(|error| indefinite(span, &plan.dofs, error))
    }
}
