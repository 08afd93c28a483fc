//! The contact solver of a run.

use asperity_solve::solver::{Auto, ContactSolver, SOLVERS};

use crate::scene::SolverChoice;

/// Most sweeps of `auto` after Newton's method: where both have failed, more of them seldom help, and a run has many steps.
const LAST_SWEEPS: usize = 2000;

/// The solver that a scene chose; the reader has checked the name.
pub(super) fn chosen(choice: &SolverChoice) -> Box<dyn ContactSolver> {
    let usual = Auto { last_sweeps: choice.iterations.unwrap_or(LAST_SWEEPS), ..Auto::default() };
    match SOLVERS.iter().find(|entry| entry.name == choice.kind) {
        Some(entry) if entry.name != usual.name() => (entry.make)(choice.iterations),
        _ => Box::new(usual),
    }
}
