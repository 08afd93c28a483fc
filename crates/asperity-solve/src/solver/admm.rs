//! Alternating directions: a factorisation, then a linear solve and a projection an iteration.
//!
//! With S the blocks' scales, K the cones, z a copy of r that stays in them and ξ the multiplier of r = z:
//!
//!   (W + C + δ S) r = δ S z + ξ − b − s,   z ← P_K(r − ξ/(δ S)),   ξ ← ξ + δ S (z − r),   s = (h(−ξ_T), 0)
//!
//! At a fixed point r = z and ξ = u + s is de Saxcé's velocity, in the dual cone and orthogonal to r. With s held fixed
//! this is the method of multipliers for a convex problem; letting s follow is Acary and Cadoux's iteration folded into
//! it. Each iteration costs a fraction of a Newton step. With a small δ, loads that are shared by many contacts are
//! found in few of them, but what slides takes some 1/δ; with a large one it is the other way round. So it begins with
//! a small δ, and where it is not getting on δ is raised tenfold, for a new factorisation; ξ and z stay what they are.
//!
//! Takes every set.

use asperity_friction::ContactLaw;
use asperity_friction::set::{ConePoint, ConvexSet};

use super::system::{System, Terms};
use super::{ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop, check_sets};
use crate::problem::residual::tangential;
use crate::problem::{ContactProblem, ProblemError, RowKind};

/// Alternating directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Admm {
    /// First δ, relative to the scale of each block.
    pub shift: f64,
    /// Most iterations.
    pub iterations: usize,
    /// Iterations in which the best residual must halve; else δ is raised.
    pub patience: usize,
    /// How often; then it stops.
    pub raises: usize,
}

impl Default for Admm {
    fn default() -> Self {
        Self { shift: 1e-3, iterations: 5000, patience: 50, raises: 3 }
    }
}

/// z ← P_K(y) of one block, in place.
fn project(kind: &RowKind, law: Option<&ContactLaw>, y: &mut [f64]) {
    match (kind, law) {
        (RowKind::Bilateral, _) => {}
        (RowKind::Bounded { lower, upper }, _) => {
            y.iter_mut().enumerate().for_each(|(k, y)| *y = y.clamp(lower[k], upper[k]));
        }
        (RowKind::Contact, Some(ContactLaw::Set(set))) if y.len() > 1 => {
            let ConePoint { load: n, force: t } = set.project_cone(y[0], tangential(y));
            y[0] = n;
            let t = t.to_array();
            y[1..].iter_mut().zip(t).for_each(|(y, t)| *y = t);
        }
        (RowKind::Contact, _) => y[0] = y[0].max(0.0),
    }
}

/// The iteration: the factored system and the iterates.
struct Alternation<'a> {
    problem: &'a ContactProblem,
    system: System,
    terms: Terms,
    /// δ S, row by row.
    weights: Vec<f64>,
    z: Vec<f64>,
    xi: Vec<f64>,
    r: Vec<f64>,
}

impl<'a> Alternation<'a> {
    /// From z = `start`, with these δ S; `None` if the system cannot be factored.
    fn new(problem: &'a ContactProblem, weights: Vec<f64>, start: &[f64]) -> Option<Self> {
        let rows = start.len();
        let (system, terms) = (System::new(problem, true)?, Terms::new(problem));
        // ξ from nothing: divided by a small δ, what is wrong with a first guess of the multiplier would be amplified.
        let (z, xi, r) = (start.to_vec(), vec![0.0; rows], vec![0.0; rows]);
        let mut new = Self { problem, system, terms, weights, z, xi, r };
        new.factor().then_some(new)
    }

    /// Factors W + C + δ S; whether it could. A = δ S, B = 1.
    fn factor(&mut self) -> bool {
        let Self { problem, weights, terms, .. } = self;
        for i in 0..problem.blocks() {
            for (k, row) in problem.range(i).enumerate() {
                if *problem.kind(i) == RowKind::Contact {
                    (terms.contacts[i].a[k][k], terms.contacts[i].b[k][k]) = (weights[row], 1.0);
                }
                terms.rows[row] = [weights[row], 1.0];
            }
        }
        self.system.factor(problem, terms)
    }

    /// Raises δ tenfold; whether the system could be factored.
    fn raise(&mut self) -> bool {
        self.weights.iter_mut().for_each(|w| *w *= 10.0);
        self.factor()
    }

    /// One iteration: r, z and ξ in turn.
    fn iterate(&mut self, laws: &[ContactLaw]) {
        let Self { problem, system, weights, z, xi, r, .. } = self;
        for k in 0..r.len() {
            r[k] = weights[k] * z[k] + xi[k] - problem.bias()[k];
        }
        for i in 0..problem.blocks() {
            let range = problem.range(i);
            if *problem.kind(i) == RowKind::Contact
                && range.len() > 1
                && let ContactLaw::Set(set) = &laws[problem.law_of(i)]
            {
                let first = range.start;
                r[first] -= set.support(-tangential(&xi[range]));
            }
        }
        system.solve(problem, r);
        for k in 0..r.len() {
            z[k] = r[k] - xi[k] / weights[k];
        }
        for i in 0..problem.blocks() {
            project(problem.kind(i), laws.get(problem.law_of(i)), &mut z[problem.range(i)]);
        }
        for k in 0..r.len() {
            xi[k] += weights[k] * (z[k] - r[k]);
        }
    }
}

impl ContactSolver for Admm {
    fn name(&self) -> &'static str {
        "admm"
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        check_sets(self.name(), laws.laws(), |_| None)?;
        if !(self.shift > 0.0 && self.shift.is_finite()) {
            return Err(ProblemError::Setting { name: "shift", value: self.shift, expected: "finite and positive" });
        }
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        if progress.solved() {
            return Ok(progress.finish(Status::Solved, 0, solution));
        }
        let of_row = (0..problem.blocks()).flat_map(|i| problem.range(i).map(move |_| i));
        let weights = of_row.map(|i| self.shift * progress.scales[i]).collect();
        let Some(mut alternation) = Alternation::new(problem, weights, &progress.solution.r) else {
            return Ok(progress.finish(Status::Stalled, 0, solution));
        };
        let mut raises = 0;
        let (mut mark, mut since) = (progress.best.worst(), 0);
        let mut status = Status::Iterations;
        let mut done = 0;
        while done < self.iterations && !progress.solved() {
            done += 1;
            alternation.iterate(laws.laws());
            progress.offer(laws, &alternation.z);
            since += 1;
            if progress.best.worst() <= 0.5 * mark {
                (mark, since) = (progress.best.worst(), 0);
            } else if since >= self.patience {
                if raises == self.raises || !alternation.raise() {
                    status = Status::Stalled;
                    break;
                }
                raises += 1;
                since = 0;
            }
            if progress.out_of_time() {
                status = Status::Time;
                break;
            }
        }
        Ok(progress.finish(status, done, solution))
    }
}
