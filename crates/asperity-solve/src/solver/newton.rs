//! Nonsmooth Newton: the equations of all contacts at once.
//!
//! Each block has equations F(r, u) = 0 with dF = A dr + B du: a contact those of the chosen [`Form`]; a bilateral row
//! F = ρ u, a bounded one F = r − clamp(r − ρ u). With u = (W + C) r + b the Jacobian is A + B (W + C), A and B block
//! diagonal. Steps are shortened until the norm of F, each block in its own unit, falls.
//!
//! Redundant contacts make W singular, and the Jacobian with it: where all of them stick, impulses that hold each other
//! in balance change no velocity. So the Jacobian is that of a problem with more compliance, A + B (W + C + δ S), S the
//! blocks' scales, while F is that of the problem itself: a step is then short along what is not determined, and the
//! solution the same. δ falls by ten when ten steps have halved the residual, and rises by ten when not.
//! [`super::Proximal`], which solves each damped problem to its end, is surer where friction is large.

use asperity_friction::ContactLaw;

use super::forms::{Form, Weights};
use super::prox::factor;
use super::system::{System, Terms};
use super::{ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop};
use crate::problem::{ContactProblem, ProblemError, RowKind};

/// Newton's method with a line search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// The equations of a contact.
    pub form: Form,
    /// Most iterations.
    pub iterations: usize,
}

impl Default for Newton {
    fn default() -> Self {
        Self { form: Form::AlartCurnier, iterations: 2000 }
    }
}

impl Newton {
    /// With these equations.
    pub fn of(form: Form) -> Self {
        Self { form, ..Self::default() }
    }
}

/// The equations of a problem, and the factors of their Jacobian.
pub(super) struct Equations {
    form: Form,
    system: System,
    /// For each block, from its diagonal block of W; for blocks that are not contacts only `normal` is used.
    weights: Vec<Weights>,
    /// Times this, velocities weigh more against impulses than the blocks' own parts of W say.
    pub(super) stiffness: f64,
    f: Vec<f64>,
    u: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    terms: Terms,
}

/// How an inner solve ended.
pub(super) struct Inner {
    pub(super) converged: bool,
    pub(super) iterations: usize,
}

/// Halvings of a step before it is taken as it is.
const HALVINGS: usize = 8;

/// δ of the Jacobian: at the start, and the bounds that it is kept in.
const FIRST_DAMPING: f64 = 1e-8;
const LEAST_DAMPING: f64 = 1e-12;
const MOST_DAMPING: f64 = 1e-2;

/// So many steps that did not reduce F, one after the other, end an inner solve.
const FUTILE: usize = 3;

impl Equations {
    /// `compliant` says that all problems to be solved have a positive compliance.
    pub(super) fn new(problem: &ContactProblem, form: Form, compliant: bool) -> Option<Self> {
        let largest = problem.scales().iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let weights = |i: usize| {
            let (block, n) = (problem.diagonal(i), problem.range(i).len());
            let weights = match problem.kind(i) {
                RowKind::Contact => Weights::of_block(block, n),
                _ => {
                    let own = (0..n).map(|k| block[k * n + k]).fold(0.0, f64::max);
                    Weights { normal: factor(own), tangential: 0.0, inverse_arm: 1.0 }
                }
            };
            // What nothing moves is measured like the others: a weight of its own would be zero, and norms no numbers.
            Weights { normal: if weights.normal > 0.0 { weights.normal } else { 1.0 / largest }, ..weights }
        };
        let rows = problem.rows();
        Some(Self {
            form,
            system: System::new(problem, compliant)?,
            weights: (0..problem.blocks()).map(weights).collect(),
            stiffness: 1.0,
            f: vec![0.0; rows],
            u: vec![0.0; rows],
            step: vec![0.0; rows],
            trial: vec![0.0; rows],
            terms: Terms::new(problem),
        })
    }

    fn stiff(&self, i: usize) -> Weights {
        let w = self.weights[i];
        Weights { normal: w.normal * self.stiffness, tangential: w.tangential * self.stiffness, ..w }
    }

    /// F at r and u, and its norm in the blocks' units; with `jacobian`, A and B too. Without, those of before are
    /// kept.
    fn evaluate(&mut self, problem: &ContactProblem, laws: &[ContactLaw], r: &[f64], jacobian: bool) -> f64 {
        let mut sum = 0.0;
        for i in 0..problem.blocks() {
            let range = problem.range(i);
            let (first, n) = (range.start, range.len());
            let weights = self.stiff(i);
            let (rb, ub) = (&r[range.clone()], &self.u[range.clone()]);
            let out = &mut self.f[range];
            if *problem.kind(i) == RowKind::Contact {
                let law = &laws[problem.law_of(i)];
                let rows = &mut self.terms.contacts[i];
                if self.form.write(law, &weights, rb, ub, jacobian, rows) {
                    out.copy_from_slice(&rows.f[..n]);
                }
            } else {
                for k in 0..n {
                    let Clamped { value, free } = clamped(problem.kind(i), k, rb[k] - weights.normal * ub[k]);
                    out[k] = rb[k] - value;
                    if jacobian {
                        self.terms.rows[first + k] = if free { [0.0, weights.normal] } else { [1.0, 0.0] };
                    }
                }
            }
            // Impulses squared times the diagonal block of W: energies.
            sum += out.iter().map(|x| x * x).sum::<f64>() / self.weights[i].normal;
        }
        sum.sqrt()
    }

    /// Newton's method from `r`, until the norm of F is below `tolerance` times the size of impulses and velocities.
    /// The problem is that of the pattern, or a shifted one.
    pub(super) fn solve(
        &mut self,
        problem: &ContactProblem,
        laws: &[ContactLaw],
        r: &mut [f64],
        tolerance: f64,
        iterations: usize,
    ) -> Inner {
        self.solve_damped(problem, problem, laws, r, tolerance, iterations)
    }

    /// The same with the Jacobian of another problem, `damped`: one with more compliance.
    fn solve_damped(
        &mut self,
        problem: &ContactProblem,
        damped: &ContactProblem,
        laws: &[ContactLaw],
        r: &mut [f64],
        tolerance: f64,
        iterations: usize,
    ) -> Inner {
        let mut futile = 0;
        for iteration in 0..iterations {
            problem.velocities(r, &mut self.u);
            let error = self.evaluate(problem, laws, r, true);
            if error <= tolerance * self.size(problem, r) {
                return Inner { converged: true, iterations: iteration };
            }
            if !self.system.factor(damped, &self.terms) || futile == FUTILE {
                return Inner { converged: false, iterations: iteration };
            }
            self.step.copy_from_slice(&self.f);
            self.system.solve(damped, &mut self.step);
            if !self.step.iter().all(|x| x.is_finite()) {
                return Inner { converged: false, iterations: iteration };
            }
            let mut length = 1.0;
            let mut trial = std::mem::take(&mut self.trial);
            futile += 1;
            for _ in 0..HALVINGS {
                for (t, (r, step)) in trial.iter_mut().zip(r.iter().zip(&self.step)) {
                    *t = r - length * step;
                }
                problem.velocities(&trial, &mut self.u);
                let next = self.evaluate(problem, laws, &trial, false);
                if next <= (1.0 - 1e-4 * length) * error {
                    futile = 0;
                    break;
                }
                length *= 0.5;
            }
            // Where nothing helps, a short step all the same: it changes the active set.
            r.copy_from_slice(&trial);
            self.trial = trial;
        }
        Inner { converged: false, iterations }
    }

    /// Size of impulses and velocities in the blocks' units.
    fn size(&self, problem: &ContactProblem, r: &[f64]) -> f64 {
        let (mut impulses, mut speeds) = (0.0, 0.0);
        for (i, weights) in self.weights.iter().enumerate() {
            for k in problem.range(i) {
                let (r, u, b) = (r[k], self.u[k], problem.bias()[k]);
                impulses += r * r / weights.normal;
                speeds += (u * u).max(b * b) * weights.normal;
            }
        }
        f64::max(impulses, speeds).sqrt().max(f64::MIN_POSITIVE)
    }
}

/// A trial impulse, clamped to its bounds.
struct Clamped {
    value: f64,
    /// Whether the trial is between them.
    free: bool,
}

/// The trial impulse of row k of a block that is not a contact, clamped.
fn clamped(kind: &RowKind, k: usize, trial: f64) -> Clamped {
    match kind {
        RowKind::Bounded { lower, upper } => {
            Clamped { value: trial.clamp(lower[k], upper[k]), free: trial > lower[k] && trial < upper[k] }
        }
        _ => Clamped { value: trial, free: true },
    }
}

impl ContactSolver for Newton {
    fn name(&self) -> &'static str {
        match self.form {
            Form::AlartCurnier => "newton",
            Form::FischerBurmeister => "newton_fischer_burmeister",
            Form::Implicit => "newton_implicit",
        }
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        for (contact, law) in laws.laws().iter().enumerate() {
            if let Some(law) = self.form.refuses(law) {
                return Err(ProblemError::Refused { contact, solver: self.name(), law });
            }
        }
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        let mut r = progress.solution.r.clone();
        let mut done = 0;
        let mut status = Status::Iterations;
        let mut equations = if progress.solved() { None } else { Equations::new(problem, self.form, false) };
        let (scales, origin) = (progress.scales.clone(), vec![0.0; problem.rows()]);
        let mut damped = problem.clone();
        let (mut damping, mut last) = (FIRST_DAMPING, progress.best.worst());
        while let Some(equations) = &mut equations
            && done < self.iterations
            && !progress.solved()
        {
            let left = 10.min(self.iterations - done);
            damped.shift(problem, damping, &scales, &origin);
            let inner = equations.solve_damped(problem, &damped, laws.laws(), &mut r, 0.1 * stop.tolerance, left);
            done += inner.iterations.max(1);
            let found = progress.offer(laws, &r).worst();
            damping = (damping * if found < 0.5 * last { 0.1 } else { 10.0 }).clamp(LEAST_DAMPING, MOST_DAMPING);
            last = found;
            if progress.out_of_time() {
                status = Status::Time;
                break;
            }
            if inner.converged && !progress.solved() && inner.iterations == 0 {
                status = Status::Stalled;
                break;
            }
        }
        Ok(progress.finish(status, done, solution))
    }
}
