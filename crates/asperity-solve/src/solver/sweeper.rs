//! One sweep of blocked Gauss-Seidel: contact after contact, each relaxed for the others' current impulses.
//!
//! How a contact is relaxed is a choice ([`Local`]): solved exactly ([`super::local`], [`super::local_n`]), or moved by
//! PROX steps with r-factors of its own block, constant or adaptive (Erleben et al. 2020, algorithm 2). Laws that are
//! not sets take PROX steps in all cases. Bilateral and bounded blocks are relaxed row by row.

use asperity_friction::ContactLaw;
use glam::DVec3;

use super::local::Contact3;
use super::local_n::ContactN;
use super::prox::{Interval, LocalContact, ProxSteps, relaxed_row};
use crate::problem::{ContactProblem, ProblemError, RowKind};

/// How the contacts of a sweep are relaxed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Local {
    /// Newton's method on each contact, so far that the next visit finds rounding alone. As a rule the fewest sweeps;
    /// laws that are not sets take PROX steps until settled.
    Exact,
    /// PROX steps with the r-factors 1/W_NN and one over the largest eigenvalue of W_TT: the cheapest sweep.
    Prox {
        /// Steps a visit.
        steps: usize,
    },
    /// One PROX step a visit, with a factor on both r-factors that each contact adapts: it grows while the contact
    /// moves less and less, and shrinks when it moves more.
    AdaptiveProx(AdaptiveFactor),
}

/// How the r-factors of a contact adapt. In algorithm 2 of the paper there is one factor for all contacts, which only
/// shrinks, and a sweep that moves more than the last is undone. Here each contact has its own, which may grow again,
/// and nothing is undone, since the neighbours have moved on. How far a contact moves goes up and down with its
/// neighbours, so the sums over some visits are compared; each move is divided by the factor that made it, so that a
/// larger factor does not look like a larger error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveFactor {
    /// Visits between changes: at least 1.
    pub visits: usize,
    /// Multiplies the factor when the contact moved more: between 0 and 1.
    pub shrink: f64,
    /// Multiplies it when the contact moved less: at least 1. With less than 1/shrink the factor falls where there is
    /// no trend.
    pub grow: f64,
    /// Smallest factor: positive, at most 1.
    pub least: f64,
    /// Largest factor: at least 1, below 2, from where on the steps of a single contact do not converge.
    pub most: f64,
}

impl Default for AdaptiveFactor {
    /// Tried on stored problems of boxes, capsules, bricks and rocks: never more sweeps than a constant factor of one,
    /// and two thirds of them as a rule.
    fn default() -> Self {
        Self { visits: 8, shrink: 0.9, grow: 1.1, least: 0.5, most: 1.6 }
    }
}

impl Local {
    /// Refuses numbers that make no sense.
    pub(super) fn validate(&self) -> Result<(), ProblemError> {
        let check = |name, value: f64, fits: bool, expected| {
            if fits { Ok(()) } else { Err(ProblemError::Setting { name, value, expected }) }
        };
        match self {
            Self::Exact => Ok(()),
            Self::Prox { steps } => check("steps", *steps as f64, *steps > 0, "at least 1"),
            Self::AdaptiveProx(a) => {
                check("visits", a.visits as f64, a.visits > 0, "at least 1")?;
                check("shrink", a.shrink, a.shrink > 0.0 && a.shrink < 1.0, "between 0 and 1")?;
                check("grow", a.grow, a.grow >= 1.0 && a.grow.is_finite(), "finite and at least 1")?;
                check("least", a.least, a.least > 0.0 && a.least <= 1.0, "positive and at most 1")?;
                check("most", a.most, a.most >= 1.0 && a.most < 2.0, "at least 1 and below 2")
            }
        }
    }
}

/// What a sweep needs of a block, made once.
enum SweptBlock {
    /// Rows that are clamped one by one: their diagonal block of W.
    Rows(Box<[f64]>),
    Contact3(Contact3),
    ContactN(Box<ContactN>),
}

/// The factor of a contact, and how far it moved.
#[derive(Clone, Copy)]
struct StepFactor {
    value: f64,
    /// Sum of the visits before.
    before: f64,
    /// Sum so far, and visits.
    sum: f64,
    visits: usize,
}

impl StepFactor {
    const START: Self = Self { value: 1.0, before: f64::INFINITY, sum: 0.0, visits: 0 };

    fn adapt(&mut self, how: &AdaptiveFactor, moved: f64) {
        self.sum += moved / self.value;
        self.visits += 1;
        if self.visits < how.visits {
            return;
        }
        let times = if self.sum > self.before { how.shrink } else { how.grow };
        let value = (self.value * times).clamp(how.least, how.most);
        *self = Self { value, before: self.sum, sum: 0.0, visits: 0 };
    }
}

/// Sweeps over a problem.
pub(super) struct Sweeper<'a> {
    problem: &'a ContactProblem,
    local: Local,
    blocks: Vec<SweptBlock>,
    /// For each block the number of its law.
    laws: Vec<usize>,
    /// One a block, if factors adapt.
    factors: Vec<StepFactor>,
    /// What the problem wants carried along.
    state: Vec<f64>,
    /// Room for the velocities of a block, and for the change of its impulses.
    velocity: Vec<f64>,
    change: Vec<f64>,
}

impl<'a> Sweeper<'a> {
    /// Ready to sweep from the impulses `r`; they must not change but by sweeps.
    pub(super) fn new(problem: &'a ContactProblem, local: Local, r: &[f64]) -> Self {
        let laws = (0..problem.blocks()).map(|i| problem.law_of(i)).collect();
        Self::with_laws(problem, local, r, laws)
    }

    /// The same with the numbers of the laws of all blocks.
    pub(super) fn with_laws(problem: &'a ContactProblem, local: Local, r: &[f64], laws: Vec<usize>) -> Self {
        let make = |i: usize| {
            let (diagonal, n) = (problem.diagonal(i), problem.range(i).len());
            match problem.kind(i) {
                RowKind::Contact if n == 3 => SweptBlock::Contact3(Contact3::new(diagonal)),
                RowKind::Contact if n > 3 => SweptBlock::ContactN(Box::new(ContactN::new(diagonal, n))),
                _ => SweptBlock::Rows(diagonal.into()),
            }
        };
        let largest = (0..problem.blocks()).map(|i| problem.range(i).len()).max().unwrap_or(0);
        let adaptive = if matches!(local, Local::AdaptiveProx(_)) { problem.blocks() } else { 0 };
        Self {
            problem,
            local,
            blocks: (0..problem.blocks()).map(make).collect(),
            factors: vec![StepFactor::START; adaptive],
            laws,
            state: problem.sweep_state(r),
            velocity: vec![0.0; largest],
            change: vec![0.0; largest],
        }
    }

    /// Goes on from other impulses.
    pub(super) fn restart(&mut self, r: &[f64]) {
        self.state = self.problem.sweep_state(r);
    }

    /// What the impulses add to the velocities of the bodies, M⁻¹ Jᵀ r, where the problem is one over bodies.
    pub(super) fn velocities_mut(&mut self) -> &mut [f64] {
        &mut self.state
    }

    /// One sweep over all blocks, in order.
    pub(super) fn sweep(&mut self, laws: &[ContactLaw], r: &mut [f64]) {
        for i in 0..self.problem.blocks() {
            self.relax(i, laws, r);
        }
    }

    fn relax(&mut self, i: usize, laws: &[ContactLaw], r: &mut [f64]) {
        let range = self.problem.range(i);
        let n = range.len();
        // Most contacts of a pile are open, and stay so.
        if let SweptBlock::Contact3(_) = self.blocks[i]
            && r[range.clone()] == [0.0; 3]
            && self.problem.first_velocity(i, r, &self.state).is_some_and(|u| u >= 0.0)
        {
            return;
        }
        let u = &mut self.velocity[..n];
        self.problem.block_velocity(i, r, &self.state, u);
        let block = &mut r[range];
        let change = &mut self.change[..n];
        change.copy_from_slice(block);
        match &self.blocks[i] {
            SweptBlock::Contact3(contact) => {
                let (old, u) = (DVec3::from_slice(block), DVec3::from_slice(u));
                let law = &laws[self.laws[i]];
                relaxed(contact, self.local, law, self.factors.get_mut(i), &old, &u).write_to_slice(block);
            }
            SweptBlock::ContactN(contact) => {
                let (mut old, mut speeds) = ([0.0; 6], [0.0; 6]);
                old[..n].copy_from_slice(block);
                speeds[..n].copy_from_slice(u);
                let law = &laws[self.laws[i]];
                let new = relaxed(&**contact, self.local, law, self.factors.get_mut(i), &old, &speeds);
                block.copy_from_slice(&new[..n]);
            }
            SweptBlock::Rows(diagonal) => match self.problem.kind(i) {
                RowKind::Bilateral => clamp_rows(diagonal, u, block, |_| Interval::UNBOUNDED),
                RowKind::Bounded { lower, upper } => {
                    clamp_rows(diagonal, u, block, |k| Interval { lower: lower[k], upper: upper[k] });
                }
                RowKind::Contact => clamp_rows(diagonal, u, block, |_| Interval::POSITIVE),
            },
        }
        change.iter_mut().zip(&*block).for_each(|(c, new)| *c = new - *c);
        self.problem.block_changed(i, change, &mut self.state);
    }
}

/// The impulse of a contact, relaxed once.
#[inline]
fn relaxed<C: LocalContact>(
    contact: &C,
    local: Local,
    law: &ContactLaw,
    factor: Option<&mut StepFactor>,
    r: &C::Vector,
    u: &C::Vector,
) -> C::Vector {
    match (local, factor, law) {
        (Local::AdaptiveProx(how), Some(factor), _) => {
            let step = contact.prox(law, ProxSteps { steps: 1, factor: factor.value }, r, u);
            factor.adapt(&how, step.moved);
            step.r
        }
        (Local::Prox { steps }, ..) => contact.prox(law, ProxSteps { steps, factor: 1.0 }, r, u).r,
        (_, _, ContactLaw::Set(set)) => contact.solve(law, set, r, u),
        _ => contact.prox(law, ProxSteps::SETTLE, r, u).r,
    }
}

/// Row by row ([`relaxed_row`]), with u kept up to date.
fn clamp_rows(diagonal: &[f64], u: &mut [f64], r: &mut [f64], bounds: impl Fn(usize) -> Interval) {
    let n = r.len();
    for k in 0..n {
        let Some(new) = relaxed_row(r[k], u[k], diagonal[k * n + k], bounds(k)) else { continue };
        let change = new - r[k];
        r[k] += change;
        for j in 0..n {
            u[j] += diagonal[j * n + k] * change;
        }
    }
}
