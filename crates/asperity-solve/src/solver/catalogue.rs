//! How solvers are made by name: the file of each has its entries, and [`super::SOLVERS`] lists them.

use super::ContactSolver;

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
    pub(super) fn sweeps(&self) -> Option<usize> {
        self.iterations.or((self.budget == Budget::Step).then_some(STEP_SWEEPS))
    }
}

/// The solver with its limit of iterations, if there is one.
pub(super) fn with<S: ContactSolver + 'static>(
    mut solver: S,
    limit: Option<usize>,
    set: impl Fn(&mut S, usize),
) -> Box<dyn ContactSolver> {
    if let Some(limit) = limit {
        set(&mut solver, limit);
    }
    Box::new(solver)
}
