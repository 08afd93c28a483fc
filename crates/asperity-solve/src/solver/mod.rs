//! Contact solvers. A solver sees a problem and the laws of its contacts, never friction models; it declares which laws
//! it takes and refuses the others.
//!
//! ```
//! use asperity_friction::set::Disk;
//! use asperity_solve::problem::{BlockMatrix, ContactProblem, RowKind};
//! use asperity_solve::solver::{ContactSolver, Frozen, Newton, ProxGaussSeidel, Solution, Status, Stop};
//!
//! // A unit mass falls with 1 m/s and slides with 2 m/s; mu 0.3.
//! let w = BlockMatrix::from_entries(&[0, 3], (0..3).map(|i| (i, i, 1.0)));
//! let problem = ContactProblem::new(w, vec![-1.0, 2.0, 0.0], vec![RowKind::Contact])?;
//! let mut laws = Frozen(vec![Disk::new(0.3)?.into()]);
//!
//! // Any solver, through the same trait: they agree on the impulse.
//! let solvers: [Box<dyn ContactSolver>; 2] = [Box::new(Newton::default()), Box::new(ProxGaussSeidel::default())];
//! for solver in solvers {
//!     let mut solution = Solution::zero(&problem);
//!     let report = solver.solve(&problem, &mut laws, Stop::default(), &mut solution)?;
//!     assert_eq!(report.status, Status::Solved);
//!     assert!((solution.r[0] - 1.0).abs() < 1e-7 && (solution.r[1] + 0.3).abs() < 1e-7);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod admm;
mod anderson;
mod auto;
mod block_lu;
mod boxed;
mod catalogue;
mod clock;
pub mod forms;
mod gauss;
mod hybrid;
mod linear;
mod local;
mod local_n;
mod model_laws;
mod newton;
mod parts;
mod pivoting;
mod projected_gauss_seidel;
mod prox;
mod prox_gauss_seidel;
mod proximal;
mod reduced;
mod staggered;
mod stepping;
mod sweeper;
mod system;

use std::sync::Arc;
use std::time::{Duration, Instant};

use asperity_friction::set::FrictionSet;
use asperity_friction::{ContactLaw, Tangential};

pub use admm::Admm;
pub use auto::Auto;
pub use catalogue::{Budget, SolverEntry, SolverOptions};
pub use hybrid::Hybrid;
pub use model_laws::{LawStorage, ModelContact, ModelLaws};
pub use newton::Newton;
pub use pivoting::{FacetSide, Pivoting, PivotingVariant};
pub use projected_gauss_seidel::ProjectedGaussSeidel;
pub use prox_gauss_seidel::ProxGaussSeidel;
pub use proximal::Proximal;
pub use staggered::{FrictionForm, Staggered};
pub use stepping::StepSolve;
pub use sweeper::{AdaptiveFactor, Local};

use self::clock::Clock;
use crate::problem::{ContactProblem, ProblemError, Residual, residual};

/// All solvers, the default first. To add one: a file with its entry, its `mod` above, and its name here.
pub const SOLVERS: &[SolverEntry] = &[
    auto::ENTRY,
    prox_gauss_seidel::ENTRY,
    prox_gauss_seidel::STEPS_ENTRY,
    projected_gauss_seidel::ENTRY,
    newton::ENTRY,
    newton::FISCHER_BURMEISTER_ENTRY,
    newton::IMPLICIT_ENTRY,
    proximal::ENTRY,
    hybrid::ENTRY,
    admm::ENTRY,
    staggered::ENTRY,
    staggered::POLAR_ENTRY,
    pivoting::ENTRY,
    pivoting::BOXES_ENTRY,
];

/// How a solver asks for the law of a contact again, given its current impulse and slip.
pub trait LawSource: Sync {
    /// The current laws, one a contact.
    fn laws(&self) -> &[ContactLaw];

    /// Brings the law of a contact up to date; whether it changed. `load` is the normal impulse.
    fn refresh(&mut self, contact: usize, load: f64, impulse: Tangential, slip: Tangential) -> bool;

    /// A source of its own for some contacts, numbered from 0 in this order, with the laws as they are now: islands are
    /// solved at the same time, each with its own. What it learns is not handed back; the laws of the whole are brought
    /// up to date at the solution.
    fn part(&self, contacts: &[usize]) -> Box<dyn LawSource + Send + '_>;

    /// Whether a law depends on the slip or on the load. If not, `refresh` changes nothing.
    fn depends(&self) -> bool {
        false
    }
}

/// Laws that do not depend on the solution.
#[derive(Clone, Debug)]
pub struct Frozen(pub Vec<ContactLaw>);

impl LawSource for Frozen {
    fn laws(&self) -> &[ContactLaw] {
        &self.0
    }

    fn refresh(&mut self, _contact: usize, _load: f64, _impulse: Tangential, _slip: Tangential) -> bool {
        false
    }

    fn part(&self, contacts: &[usize]) -> Box<dyn LawSource + Send + '_> {
        Box::new(Self(contacts.iter().map(|c| self.0[*c].clone()).collect()))
    }
}

/// Impulses and the velocities they lead to. What is in `r` at the start is where the solver starts: an impulse a row,
/// or nothing for zero. What is in `u` is read with [`Stop::start`] only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// Impulses, one a row.
    pub r: Vec<f64>,
    /// Velocities u = W r + b.
    pub u: Vec<f64>,
}

impl Solution {
    /// No impulses.
    pub fn zero(problem: &ContactProblem) -> Self {
        Self { r: vec![0.0; problem.rows()], u: problem.bias().to_vec() }
    }
}

/// When to stop. Both residuals, raw and scaled, must be below the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Largest residual of a solution.
    pub tolerance: f64,
    /// Longest time to spend. It can only fail a solve ([`Status::Time`]), never change a result: budgets are
    /// iterations.
    pub time: Duration,
    /// When the time began to run; `None` for when the solver is called.
    pub began: Option<Instant>,
    /// Residual of the start, where the caller has just measured it, with velocities and laws brought up to date: it is
    /// not measured again.
    pub start: Option<Residual>,
}

impl Default for Stop {
    fn default() -> Self {
        Self { tolerance: 1e-8, time: Duration::from_secs(60), began: None, start: None }
    }
}

impl Stop {
    fn validate(&self) -> Result<(), ProblemError> {
        if self.tolerance.is_finite() && self.tolerance > 0.0 {
            return Ok(());
        }
        Err(ProblemError::Setting { name: "tolerance", value: self.tolerance, expected: "finite and positive" })
    }
}

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The residual is below the tolerance.
    Solved,
    /// So many iterations as were allowed.
    Iterations,
    /// No more progress.
    Stalled,
    /// Simpler laws in place of some (facets, boxes) are solved exactly: the residual, of the laws themselves, is their
    /// error.
    Approximated,
    /// The time is up. The residual may be below the tolerance, but where the clock strikes depends on the machine:
    /// this is a failure, never a solution.
    Time,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Solved => "solved",
            Self::Iterations => "out of iterations",
            Self::Stalled => "stalled",
            Self::Approximated => "approximated laws",
            Self::Time => "out of time",
        })
    }
}

/// What came out. The solution holds the best iterate, solved or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// Why the solver stopped.
    pub status: Status,
    /// Residual of the solution, with the laws refreshed at it.
    pub residual: Residual,
    /// Iterations, in the solver's own sense.
    pub iterations: usize,
    /// Time spent.
    pub seconds: f64,
}

/// What can be asked of a solver before it is used: nothing that a caller does depends on its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// It does nothing but sweep: contacts that do not act cost next to nothing, and it ends after a number of sweeps,
    /// settled or not.
    pub sweeps: bool,
    /// Islands with joints and contacts may be solved by Newton's method before it is asked. A solver that was chosen
    /// for its own method has the contacts to itself: then only islands of joints alone are.
    pub shares_contacts: bool,
    /// It replaces sets by polygons with a number of facets that can be chosen.
    pub facets: bool,
}

/// Solves contact problems.
pub trait ContactSolver: Send + Sync {
    /// Name on the command line: for people, never to decide by.
    fn name(&self) -> &'static str;

    /// What can be asked of it.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    /// Whether it does nothing but sweep ([`Capabilities::sweeps`]).
    fn sweeps(&self) -> bool {
        self.capabilities().sweeps
    }

    /// Solves the problem, from the impulses in `solution`. Not converging is a status; an error is for input that
    /// makes no sense or laws that the solver does not take.
    fn solve(
        &self,
        problem: &ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        solution: &mut Solution,
    ) -> Result<SolveReport, ProblemError>;
}

/// Refuses what a solver does not take: laws that are not sets, and sets for which `refuses` has a reason.
fn check_sets(
    solver: &'static str,
    laws: &[ContactLaw],
    refuses: impl Fn(&FrictionSet) -> Option<&'static str>,
) -> Result<(), ProblemError> {
    for (contact, law) in laws.iter().enumerate() {
        let reason = match law {
            ContactLaw::Set(set) => refuses(set),
            ContactLaw::TwoSet(_) => Some("a two-set law"),
            ContactLaw::Slip(_) => Some("a slip rule"),
        };
        if let Some(law) = reason {
            return Err(ProblemError::Refused { contact, solver, law });
        }
    }
    Ok(())
}

/// What every solver carries along: the best iterate so far, the clock, the scales.
struct Progress<'a> {
    problem: &'a ContactProblem,
    scales: Arc<[f64]>,
    stop: Stop,
    clock: Clock,
    best: Residual,
    solution: Solution,
    /// Room for velocities.
    room: Vec<f64>,
}

impl<'a> Progress<'a> {
    /// Checks the input and measures the start.
    fn begin(
        problem: &'a ContactProblem,
        laws: &mut dyn LawSource,
        stop: Stop,
        start: &Solution,
    ) -> Result<Self, ProblemError> {
        stop.validate()?;
        problem.check_laws(laws.laws())?;
        let mut solution = Solution::zero(problem);
        if !start.r.is_empty() {
            let (given, rows) = (start.r.len(), solution.r.len());
            if given != rows {
                return Err(ProblemError::Start { given, rows });
            }
            if let Some(row) = start.r.iter().position(|r| !r.is_finite()) {
                return Err(ProblemError::NotFinite { what: "the start", row, value: start.r[row] });
            }
            solution.r.copy_from_slice(&start.r);
        }
        let scales = problem.scales().clone();
        let none = Residual { raw: f64::INFINITY, scaled: f64::INFINITY };
        let clock = Clock::new(&stop);
        let mut progress = Self { problem, scales, stop, clock, best: none, solution, room: Vec::new() };
        let whole = start.r.len() == problem.rows() && start.u.len() == problem.rows();
        if let Some(known) = stop.start.filter(|known| whole && known.worst() >= 0.0) {
            progress.best = known;
            progress.solution.u.copy_from_slice(&start.u);
            debug_assert_eq!(known, residual(problem, laws.laws(), &progress.scales, &start.r, &start.u));
        } else {
            let r = progress.solution.r.clone();
            progress.offer(laws, &r);
        }
        Ok(progress)
    }

    /// Refreshes the laws at `r`, measures it and keeps it if it is the best so far.
    fn offer(&mut self, laws: &mut dyn LawSource, r: &[f64]) -> Residual {
        let mut u = std::mem::take(&mut self.room);
        u.resize(r.len(), 0.0);
        self.problem.velocities(r, &mut u);
        refresh(self.problem, laws, r, &u);
        let found = residual(self.problem, laws.laws(), &self.scales, r, &u);
        if found.worst() < self.best.worst() {
            self.best = found;
            self.solution.r.copy_from_slice(r);
            std::mem::swap(&mut self.solution.u, &mut u);
        }
        self.room = u;
        found
    }

    /// Forgets the best iterate: the next one offered counts, whatever its residual.
    fn forget(&mut self) {
        self.best = Residual { raw: f64::INFINITY, scaled: f64::INFINITY };
    }

    fn solved(&self) -> bool {
        self.best.worst() <= self.stop.tolerance
    }

    /// Whether the time is up before a solution was found. Then it stays so ([`clock`]).
    fn out_of_time(&self) -> bool {
        !self.solved() && self.clock.is_up()
    }

    /// When a solver that is asked for help is to stop: to this tolerance, and with what is left of the time.
    fn inner_stop(&self, tolerance: f64) -> Stop {
        Stop { tolerance, time: self.stop.time, began: Some(self.clock.began), start: None }
    }

    /// Hands the best iterate over.
    fn finish(self, status: Status, iterations: usize, solution: &mut Solution) -> SolveReport {
        let status = if status == Status::Time || self.clock.has_struck() {
            Status::Time
        } else if self.solved() {
            Status::Solved
        } else {
            status
        };
        *solution = self.solution;
        SolveReport { status, residual: self.best, iterations, seconds: self.clock.began.elapsed().as_secs_f64() }
    }
}

/// Brings every law up to date; whether any changed.
pub fn refresh(problem: &ContactProblem, laws: &mut dyn LawSource, r: &[f64], u: &[f64]) -> bool {
    let mut changed = false;
    for i in 0..problem.blocks() {
        let range = problem.range(i);
        if *problem.kind(i) == crate::problem::RowKind::Contact && range.len() > 1 {
            let (rb, ub) = (&r[range.clone()], &u[range]);
            let (impulse, slip) = (crate::problem::residual::tangential(rb), crate::problem::residual::tangential(ub));
            changed |= laws.refresh(problem.law_of(i), rb[0].max(0.0), impulse, slip);
        }
    }
    changed
}
