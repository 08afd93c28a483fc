//! A step of rigid and elastic bodies as if nothing touched: what the filter stepper begins with.
//!
//! It is F(v⁺) = 0 ([`super::dynamics`]) by Newton's method: A (v_{k+1} − v_k) = −F(v_k). Contacts come afterwards and correct what
//! is found here, so it is enough to get F below a thousandth of the size of its terms.

use std::sync::Arc;

use asperity_solve::problem::{Cholesky, CholeskyError, SolveRoom, Symbolic};

use super::dofs::{BodyDofs, Setting};
use super::dynamics::{Imbalance, Plan, Start};
use super::guess::Guess;
use super::solve::PROJECTED;
use crate::body::BodyState;
use crate::contact::PlacedBody;
use crate::step::StepError;
use crate::world::{Model, State};

/// Imbalance at which the iteration ends, relative to the size of its terms.
const ENOUGH: f64 = 1e-3;

/// How often a step of the iteration is halved.
const HALVINGS: usize = 6;

/// Moves bodies without contacts, and keeps what is the same in all steps.
#[derive(Default)]
pub(in crate::step) struct FreeStep {
    pub(super) plan: Option<Plan>,
    pub(super) cholesky: Option<(Cholesky, SolveRoom)>,
    /// The order of elimination of the last problem with constraints.
    pub(super) symbolic: Option<Arc<Symbolic>>,
    pub(super) hessians: Vec<f64>,
}

/// What moves, from where, and for how long.
#[derive(Clone, Copy)]
pub(in crate::step) struct Span<'a> {
    pub(in crate::step) model: &'a Model,
    pub(in crate::step) state: &'a State,
    pub(in crate::step) h: f64,
}

/// Where the degrees of freedom of a body are.
pub(in crate::step) enum Freedom<'a> {
    /// Its motion is given.
    Given,
    /// A rigid body: the first of its six.
    Rigid(usize),
    /// Vertex by vertex the first of three; `None` for a pinned one.
    Vertices(&'a [Option<u32>]),
}

impl FreeStep {
    /// Where the degrees of freedom of a body are, after the first [`Self::solve`].
    pub(in crate::step) fn freedom(&self, body: usize) -> Freedom<'_> {
        match self.plan.as_ref().map(|plan| &plan.dofs.bodies[body]) {
            Some(BodyDofs::Rigid(first)) => Freedom::Rigid(*first),
            Some(BodyDofs::Elastic(own)) => Freedom::Vertices(own),
            Some(BodyDofs::Given) | None => Freedom::Given,
        }
    }

    /// How many degrees of freedom there are, after they were numbered.
    pub(in crate::step) fn dofs(&self) -> usize {
        self.plan.as_ref().map_or(0, |plan| plan.dofs.count)
    }

    /// The velocities of the degrees of freedom at the end of a step without contacts, in no more than so many iterations.
    pub(in crate::step) fn solve(
        &mut self,
        Span { model, state, h }: Span,
        iterations: usize,
    ) -> Result<Vec<f64>, StepError> {
        let failed = |error: CholeskyError| StepError::Problem { t: state.time, error: Box::new(error.into()) };
        let plan = self.plan.take().filter(|plan| plan.fits(model)).unwrap_or_else(|| {
            self.cholesky = None;
            Plan::new(model)
        });
        if plan.dofs.count == 0 {
            self.plan = Some(plan);
            return Ok(Vec::new());
        }
        if self.cholesky.is_none() {
            let symbolic = Symbolic::new(plan.pattern().clone()).map_err(failed)?;
            let room = SolveRoom::new(&symbolic);
            self.cholesky = Some((Cholesky::new(symbolic).map_err(failed)?, room));
        }
        let start = Start::new(model, state, &plan, h);
        let mut guess = Guess::first(start.setting());
        let mut imbalance = start.imbalance(&guess);
        for _ in 0..iterations.max(1) {
            let to = self.improved(&start, &guess, &imbalance).map_err(failed)?;
            (guess, imbalance) = shortened(&start, guess, &imbalance, to);
            if is_small(&imbalance) {
                break;
            }
        }
        let v = guess.v;
        self.plan = Some(plan);
        Ok(v)
    }

    /// One step of Newton's method. Where A is not positive definite it is moved towards the one with projected Hessians.
    fn improved(&mut self, start: &Start, guess: &Guess, imbalance: &Imbalance) -> Result<Vec<f64>, CholeskyError> {
        let Some((cholesky, room)) = &mut self.cholesky else { return Ok(guess.v.clone()) };
        let exact = start.matrix(guess, &[], false, &mut self.hessians);
        let mut projected = Vec::new();
        let mut made = Ok(());
        for share in PROJECTED {
            if share > 0.0 && projected.is_empty() {
                projected = start.matrix(guess, &[], true, &mut self.hessians);
            }
            made = if share == 0.0 {
                cholesky.factor(&exact)
            } else {
                let mixed: Vec<f64> = exact
                    .iter()
                    .zip(&projected)
                    .map(|(value, projected)| value + share * (projected - value))
                    .collect();
                cholesky.factor(&mixed)
            };
            if made.is_ok() {
                break;
            }
        }
        made?;
        let mut change: Vec<f64> = imbalance.force.iter().map(|force| -force).collect();
        cholesky.solve(&mut change, room);
        change.iter_mut().zip(&guess.v).for_each(|(change, v)| *change += v);
        Ok(change)
    }

    /// The bodies as contacts see them where these velocities lead.
    pub(in crate::step) fn placed(&self, Span { model, state, h }: Span, v: Vec<f64>) -> Vec<PlacedBody> {
        let Some(plan) = &self.plan else { return Vec::new() };
        let setting = Setting { model, state, dofs: &plan.dofs, h };
        let first = Guess::first(setting);
        Guess::after(setting, &first.bodies, v).placed
    }

    /// Where these velocities lead.
    pub(in crate::step) fn end(&self, Span { model, state, h }: Span, v: Vec<f64>) -> Vec<BodyState> {
        let Some(plan) = &self.plan else { return state.bodies.clone() };
        let setting = Setting { model, state, dofs: &plan.dofs, h };
        let first = Guess::first(setting);
        Guess::after(setting, &first.bodies, v).bodies
    }
}

/// The step to these velocities, halved until F does not grow; as it is after [`HALVINGS`].
fn shortened(start: &Start, from: Guess, before: &Imbalance, mut to: Vec<f64>) -> (Guess, Imbalance) {
    let square = |list: &[f64]| list.iter().map(|x| x * x).sum::<f64>();
    // Forces below the tolerance of the iteration are rounding.
    let most = square(&before.force).max(ENOUGH * ENOUGH * square(&before.size));
    for _ in 0..HALVINGS {
        let guess = Guess::after(start.setting(), &from.bodies, to);
        let imbalance = start.imbalance(&guess);
        if square(&imbalance.force) <= most {
            return (guess, imbalance);
        }
        to = guess.v.iter().zip(&from.v).map(|(to, from)| 0.5 * (to + from)).collect();
    }
    let guess = Guess::after(start.setting(), &from.bodies, to);
    let imbalance = start.imbalance(&guess);
    (guess, imbalance)
}

/// Whether F is small beside its terms.
fn is_small(Imbalance { force, size }: &Imbalance) -> bool {
    let [error, terms] = [force, size].map(|list| list.iter().map(|x| x * x).sum::<f64>());
    error <= ENOUGH * ENOUGH * terms
}
