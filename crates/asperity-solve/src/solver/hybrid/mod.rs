//! Alternating directions, then proximal Newton steps, over the degrees of freedom: W is never formed.
//!
//! The first stage ([`alternating`]) makes one to three factorisations of A + Jᵀ R⁻¹ J, A the mass (or iteration) matrix,
//! and many cheap iterations with them; it gets most problems to any accuracy. Where it would take too long, as on fine
//! meshes with stiff materials where much sticks and much slides, the second stage ([`proximal`]) takes over from its
//! pair of impulses and velocities.
//!
//! The unit of a block's weight R decides how fast all this is: the largest eigenvalue of J_i A_cc⁻¹ J_iᵀ, c the degrees
//! of freedom that the block touches. It measures what the stiffest motions feel. One number serves all rows of a block:
//! different ones for normal and tangential rows would deform the cone.
//!
//! Takes every law, joints, bounded rows and compliance; laws that depend on load or slip are brought up to date at every
//! look. Slip rules and two-set laws have no cones: problems that have them are solved by [`super::Proximal`], Newton's method
//! on their own equations, over degrees of freedom too. A problem that is given by W alone has none; there the two methods
//! are those over its rows, [`Admm`] and [`super::Proximal`].

mod alternating;
mod cones;
mod prepared;
mod proximal;
mod search;

use asperity_friction::ContactLaw;

use super::catalogue::{SolverEntry, with};
use super::{Admm, ContactSolver, LawSource, Progress, Solution, SolveReport, Status, Stop, refresh};
use crate::problem::{ContactProblem, ProblemError};
use alternating::{Alternating, Ended, Verdict};
use prepared::{Iterate, Prepared};

/// How it is made by name.
pub(super) const ENTRY: SolverEntry = SolverEntry {
    name: "hybrid",
    summary: "alternating directions, then proximal Newton, over degrees of freedom: W is never formed",
    make: |o| with(Hybrid::default(), o.iterations, |s, n| s.alternations = n),
};

/// Alternating directions, then proximal Newton steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hybrid {
    /// Most alternating directions.
    pub alternations: usize,
    /// Most factorisations of the second stage.
    pub factorisations: usize,
}

impl Default for Hybrid {
    fn default() -> Self {
        Self { alternations: 2000, factorisations: 300 }
    }
}

/// Alternating directions over rows, where only W is known, before the proximal points.
const ROW_ALTERNATIONS: usize = 60;

/// Newton steps of the proximal points for each factorisation of the second stage: there each costs one.
const NEWTON_STEPS: usize = 10;

/// What is asked of the residual inside, relative to the tolerance.
const INNER: f64 = 0.3;

/// Looks at an iterate that seems converged: measures it from its impulses alone, and brings the laws up to date.
struct Check<'a, 'b> {
    progress: &'b mut Progress<'a>,
    laws: &'b mut dyn LawSource,
    r: Vec<f64>,
    u: Vec<f64>,
}

impl Check<'_, '_> {
    fn verdict(&mut self, prepared: &mut Prepared<'_>, at: &Iterate, u: &[f64]) -> Verdict {
        prepared.impulses(&at.r, &mut self.r);
        self.progress.offer(self.laws, &self.r);
        if self.progress.solved() {
            return Verdict::Solved;
        }
        if self.laws.depends() {
            prepared.velocities(u, &mut self.u);
            refresh(self.progress.problem, self.laws, &self.r, &self.u);
            prepared.cones.set_laws(self.laws.laws());
        }
        if self.progress.out_of_time() { Verdict::Stop } else { Verdict::Continue }
    }
}

impl Hybrid {
    /// What takes the place of the second stage where the cones or the degrees of freedom are missing.
    fn proximal_points(&self) -> super::Proximal {
        super::Proximal { iterations: NEWTON_STEPS * self.factorisations, ..super::Proximal::default() }
    }

    /// Both methods over the rows.
    fn solve_over_rows(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        let began = Some(stop.began.unwrap_or_else(std::time::Instant::now));
        let stop = Stop { began, ..stop };
        let iterations = ROW_ALTERNATIONS.min(self.alternations);
        let report = Admm { iterations, raises: 0, ..Admm::default() }.solve(problem, laws, stop, solution)?;
        if matches!(report.status, Status::Solved | Status::Time) {
            return Ok(report);
        }
        let mut all = self.proximal_points().solve(problem, laws, Stop { start: None, ..stop }, solution)?;
        all.iterations += report.iterations;
        all.seconds += report.seconds;
        Ok(all)
    }
}

impl ContactSolver for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError> {
        if !laws.laws().iter().all(|law| matches!(law, ContactLaw::Set(_))) {
            return self.proximal_points().solve(problem, laws, stop, solution);
        }
        if problem.dynamics().dofs().is_none() {
            return self.solve_over_rows(problem, laws, stop, solution);
        }
        let warm = solution.r.iter().any(|r| *r != 0.0);
        let mut progress = Progress::begin(problem, laws, stop, solution)?;
        if progress.solved() {
            return Ok(progress.finish(Status::Solved, 0, solution));
        }
        let mut prepared = Prepared::new(problem, laws.laws())?;
        let mut at = prepared.start(&progress.solution.r);
        let mut stage = Alternating::new(&prepared, 1.0);
        if warm {
            let u = prepared.scaled_velocities(&progress.solution.u);
            stage.warm(&mut prepared, &u, &mut at);
        }
        let mut tolerance = INNER * stop.tolerance;
        let mut done = 0;
        let rows = problem.rows();
        let mut check = Check { progress: &mut progress, laws, r: vec![0.0; rows], u: vec![0.0; rows] };
        let mut ended =
            stage.run(&mut prepared, &mut at, self.alternations, &mut tolerance, &mut done, |prepared, at, u| {
                check.verdict(prepared, at, u)
            });
        if ended == Ended::Slow {
            let mut stage = proximal::Proximal::new(&prepared, stage.epsilon);
            ended = stage.run(&mut prepared, &mut at, self.factorisations, &mut tolerance, |prepared, at, u| {
                check.verdict(prepared, at, u)
            });
            done += stage.steps;
        }
        // What was not solved is offered all the same: it may be the best there is.
        let mut r = vec![0.0; rows];
        prepared.impulses(&at.r, &mut r);
        if !progress.solved() {
            progress.offer(laws, &r);
        }
        let status = match ended {
            Ended::Stopped => Status::Time,
            Ended::Slow => Status::Iterations,
            Ended::Solved | Ended::Singular => Status::Stalled,
        };
        Ok(progress.finish(status, done, solution))
    }
}
