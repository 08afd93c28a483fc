//! Staggered projections: normal impulses for fixed friction, friction for fixed normal impulses, in turns.
//!
//! With r_N the normal impulses (and the bounded rows) and r_T the tangential ones,
//!
//!   r_T ← argmin ½ r_TᵀW_TT r_T + r_Tᵀ(b_T + W_TN r_N)  over  r_N F,      (26a)
//!   r_N ← argmin ½ r_NᵀW_NN r_N + r_Nᵀ(b_N + W_NT r_T)  over  r_N ≥ 0,     (26b)
//!
//! (Kaufman et al. 2008; Larionov et al. 2021, section 5.5.2). Each is a convex problem. A fixed point solves both at
//! once, and so the contact problem: complementary normal velocities, and friction of maximum dissipation at the loads
//! themselves. That the turns converge is not guaranteed: an error of the loads comes back multiplied by how much it
//! changes friction and how much that changes the loads, less than one for small coefficients and low piles. Otherwise
//! they are slow or diverge; the status says so, with the best iterate. Anderson's acceleration ([`super::anderson`]) foresees
//! where the turns lead: tens instead of thousands, and often where the plain ones would not get at all.
//!
//! The first normal impulses are those for the friction of the start (the last step's, "friction forwarding"). The
//! paper's predictor leaves out the normal part of the velocity; ours does not, for then a fixed point is exact.
//!
//! The normal step is solved by block pivoting ([`super::boxed`]). The friction step has two forms: by projections, for
//! every set ([`projection`]), and in polar coordinates, as in the paper, for disks ([`polar`]). Bilateral rows are
//! solved for first ([`super::reduced`]), so that both steps keep them.

mod friction;
mod normal;
#[cfg(test)]
mod oracle;
mod polar;
mod projection;

use super::catalogue::{SolverEntry, with};
use asperity_friction::ContactLaw;
use asperity_friction::set::FrictionSet;

use self::friction::{FrictionProblem, Given};
use self::normal::NormalRows;
use self::polar::Polar;
use self::projection::Projection;
use super::anderson::Anderson;
use super::boxed::Boxed;
use super::reduced::Reduced;
use super::{ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop, check_sets};
use crate::problem::{ContactProblem, ProblemError};

/// As accurate as inner problems can be solved.
const LEAST_ACCURACY: f64 = 1e-15;
/// Friction impulses that change by less than this fraction of their size have settled to rounding.
const SETTLED: f64 = 1e-12;

/// How the friction step is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionForm {
    /// By projections onto the sets: every set.
    Projection,
    /// In polar coordinates: disks.
    Polar,
}

/// How it is made by name.
pub(super) const ENTRY: SolverEntry = SolverEntry {
    name: "staggered",
    summary: "normal and friction impulses in turns; sets only",
    make: |o| with(Staggered::default(), o.iterations, |s, n| s.rounds = n),
};

/// How it is made by name.
pub(super) const POLAR_ENTRY: SolverEntry = SolverEntry {
    name: "staggered_polar",
    summary: "the same, friction in polar coordinates; disks only",
    make: |o| with(Staggered::polar(), o.iterations, |s, n| s.rounds = n),
};

/// Staggered projections: normal impulses and friction in turns, each exact for the other. Not guaranteed to converge;
/// what it converges to is a solution.
///
/// Takes every set; in the polar form disks. Slip rules and two-set laws are refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Staggered {
    /// How the friction step is solved.
    pub form: FrictionForm,
    /// Relative change of the friction impulses at which the turns have settled, solved or not. The paper has 1e-4.
    pub epsilon: f64,
    /// Most turns.
    pub rounds: usize,
    /// Turns that are remembered to foresee where they lead (Anderson); zero for the plain turns of the paper.
    pub memory: usize,
}

impl Default for Staggered {
    fn default() -> Self {
        Self { form: FrictionForm::Projection, epsilon: 1e-13, rounds: 1000, memory: 10 }
    }
}

impl Staggered {
    /// With the paper's form of the friction step.
    pub fn polar() -> Self {
        Self { form: FrictionForm::Polar, ..Self::default() }
    }

    fn validate(&self) -> Result<(), ProblemError> {
        if self.epsilon.is_finite() && self.epsilon >= 0.0 {
            return Ok(());
        }
        Err(ProblemError::Setting { name: "epsilon", value: self.epsilon, expected: "finite, not negative" })
    }

    /// Refuses laws that are not sets, or in the polar form not disks.
    fn check(&self, problem: &ContactProblem, laws: &[ContactLaw]) -> Result<(), ProblemError> {
        problem.check_laws(laws)?;
        check_sets(self.name(), laws, |set| {
            let taken = self.form == FrictionForm::Projection || matches!(set, FrictionSet::Disk(_));
            (!taken).then_some("a set that is not a disk")
        })
    }
}

/// The friction step in its form, with what it keeps from round to round.
enum FrictionSolver {
    Projection(Projection),
    Polar(Polar),
}

impl FrictionSolver {
    fn new(form: FrictionForm, friction: &FrictionProblem) -> Self {
        let count = friction.w.rows();
        match form {
            FrictionForm::Projection => Self::Projection(Projection::new(count)),
            FrictionForm::Polar => Self::Polar(Polar::new(friction.patches.len(), count)),
        }
    }

    /// Solves from x, as far as it gets: the residual of the whole tells.
    fn solve(
        &mut self,
        friction: &FrictionProblem,
        q: &[f64],
        x: &mut [f64],
        accuracy: f64,
        time_is_up: &dyn Fn() -> bool,
    ) {
        match self {
            Self::Projection(projection) => projection.solve(friction, q, x, accuracy, time_is_up),
            Self::Polar(polar) => polar.solve(friction, q, x, accuracy, time_is_up),
        };
    }
}

impl ContactSolver for Staggered {
    fn name(&self) -> &'static str {
        match self.form {
            FrictionForm::Projection => "staggered",
            FrictionForm::Polar => "staggered_polar",
        }
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        self.validate()?;
        self.check(problem, laws.laws())?;
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        if progress.solved() {
            return Ok(progress.finish(Status::Solved, 0, solution));
        }
        let reduced = Reduced::new(problem);
        let normal = NormalRows::new(problem, &reduced);
        let matrix = normal.matrix(&reduced);
        let mut boxed = Boxed::new(&matrix);
        let mut friction = FrictionProblem::new(problem, &reduced, laws.laws());
        let count = friction.w.rows();
        let mut friction_solver = FrictionSolver::new(self.form, &friction);
        let (mut x, mut q) = (vec![0.0; count], vec![0.0; count]);
        let mut impulses = reduced.restrict(&progress.solution.r);
        let mut r = vec![0.0; problem.w().rows()];
        let mut anderson = Anderson::new(self.memory);
        // Inner problems are solved a little more accurately than the whole is asked for.
        let mut accuracy = (0.01 * stop.tolerance).max(LEAST_ACCURACY);
        normal.solve(&reduced, &mut boxed, &mut impulses, accuracy, &|| progress.out_of_time());
        let (mut done, mut status) = (0, Status::Iterations);
        while done < self.rounds {
            self.check(problem, laws.laws())?;
            friction.set_laws(laws.laws());
            let mut next = normal.loads(&impulses);
            let time_is_up = || progress.out_of_time();
            friction.take(&reduced, &impulses, &mut x, &mut q);
            friction_solver.solve(&friction, &q, &mut x, accuracy, &time_is_up);
            let Given { change, size } = friction.give(&x, &mut impulses);
            normal.solve(&reduced, &mut boxed, &mut impulses, accuracy, &time_is_up);
            done += 1;
            reduced.recover(&impulses, &mut r);
            progress.offer(laws, &r);
            if progress.solved() {
                break;
            }
            if progress.out_of_time() {
                status = Status::Time;
                break;
            }
            if change <= self.epsilon * size {
                if change > SETTLED * size || accuracy <= LEAST_ACCURACY {
                    status = Status::Stalled;
                    break;
                }
                // Settled to rounding, but not solved: perhaps the inner problems are not accurate enough.
                accuracy = (0.01 * accuracy).max(LEAST_ACCURACY);
            }
            anderson.advance(&mut next, &normal.loads(&impulses));
            normal.set_loads(&next, &mut impulses);
        }
        Ok(progress.finish(status, done, solution))
    }
}
