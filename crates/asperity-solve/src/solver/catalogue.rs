//! Every solver by name, with its default settings: what `asperity solve` offers, `asperity list` shows and the tests
//! run over.

use super::forms::Form;
use super::{Admm, Auto, ContactSolver, Newton, Pivoting, ProjectedGaussSeidel, ProxGaussSeidel, Proximal, Staggered};

/// A solver and its name.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    /// That of [`ContactSolver::name`].
    pub name: &'static str,
    /// What it does, and what it does not take.
    pub summary: &'static str,
    /// With its default settings, except for those that are given.
    pub make: fn(&SolverOptions) -> Box<dyn ContactSolver>,
}

/// How many iterations a solver is given where no number is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// For one problem: as many as may help.
    #[default]
    Problem,
    /// For one of the many problems of a run: where a solver has not got there by then, more seldom help.
    Step,
}

/// What a solver is made with. Each takes what it has use for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverOptions {
    /// Most iterations: sweeps, steps, rounds, whatever the solver counts.
    pub iterations: Option<usize>,
    /// Facets of the polygons that replace sets ([`Capabilities::facets`](super::Capabilities::facets)).
    pub facets: Option<usize>,
    /// The iterations where no number is given.
    pub budget: Budget,
}

/// Most sweeps of a solver that does nothing else, in a time step.
const STEP_SWEEPS: usize = 1000;

impl SolverOptions {
    /// Most sweeps, if there is a limit besides the solver's own.
    fn sweeps(&self) -> Option<usize> {
        self.iterations.or((self.budget == Budget::Step).then_some(STEP_SWEEPS))
    }

    /// `auto` of this budget.
    fn auto(&self) -> Auto {
        match self.budget {
            Budget::Problem => Auto::default(),
            Budget::Step => Auto::of_steps(),
        }
    }

    /// Polygons with so many facets.
    fn polygons(&self) -> Pivoting {
        let usual = Pivoting::default();
        Pivoting { facets: self.facets.unwrap_or(usual.facets), ..usual }
    }
}

/// All solvers, the default first.
#[rustfmt::skip]
pub const SOLVERS: &[SolverEntry] = &[
    SolverEntry { name: "auto", summary: "Newton, sweeps, alternating directions, proximal points, island by island: the default", make: |o| with(o.auto(), o.iterations, |s, n| s.last_sweeps = n) },
    SolverEntry { name: "prox_gauss_seidel", summary: "sweeps, contact by contact", make: |o| with(ProxGaussSeidel::default(), o.sweeps(), |s, n| s.sweeps = n) },
    SolverEntry { name: "prox_gauss_seidel_steps", summary: "the same with one PROX step a contact: the cheapest sweep, for piles and little time", make: |o| with(ProxGaussSeidel::steps(), o.sweeps(), |s, n| s.sweeps = n) },
    SolverEntry { name: "projected_gauss_seidel", summary: "sweeps, row by row, on boxes; sets only", make: |o| with(ProjectedGaussSeidel::default(), o.sweeps(), |s, n| s.sweeps = n) },
    SolverEntry { name: "newton", summary: "nonsmooth Newton, Alart and Curnier's equations", make: |o| with(Newton::default(), o.iterations, |s, n| s.iterations = n) },
    SolverEntry { name: "newton_fischer_burmeister", summary: "the same by Fischer and Burmeister's function; sets made of ellipsoids", make: |o| with(Newton::of(Form::FischerBurmeister), o.iterations, |s, n| s.iterations = n) },
    SolverEntry { name: "newton_implicit", summary: "the same by the sets' implicit functions; sets made of ellipsoids", make: |o| with(Newton::of(Form::Implicit), o.iterations, |s, n| s.iterations = n) },
    SolverEntry { name: "proximal", summary: "proximal points around Newton", make: |o| with(Proximal::default(), o.iterations, |s, n| s.iterations = n) },
    SolverEntry { name: "admm", summary: "alternating directions, few factorisations; sets only", make: |o| with(Admm::default(), o.iterations, |s, n| s.iterations = n) },
    SolverEntry { name: "staggered", summary: "normal and friction impulses in turns; sets only", make: |o| with(Staggered::default(), o.iterations, |s, n| s.rounds = n) },
    SolverEntry { name: "staggered_polar", summary: "the same, friction in polar coordinates; disks only", make: |o| with(Staggered::polar(), o.iterations, |s, n| s.rounds = n) },
    SolverEntry { name: "pivoting", summary: "polygonal friction as an LCP, by Lemke; sets without spin, small islands", make: |o| with(o.polygons(), o.iterations, |s, n| s.rounds = n) },
    SolverEntry { name: "pivoting_boxes", summary: "boxes with limits that are refined, by block pivoting; sets only, small islands", make: |o| with(Pivoting::boxes(), o.iterations, |s, n| s.rounds = n) },
];

/// The solver with its limit of iterations, if there is one.
fn with<S: ContactSolver + 'static>(
    mut solver: S,
    limit: Option<usize>,
    set: impl Fn(&mut S, usize),
) -> Box<dyn ContactSolver> {
    if let Some(limit) = limit {
        set(&mut solver, limit);
    }
    Box::new(solver)
}
