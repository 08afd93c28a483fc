//! The contact solver of a run.

use asperity_solve::solver::{Auto, ContactSolver, Pivoting, SOLVERS, SolverEntry};

use crate::scene::SolverChoice;
use crate::step::{ImpulseSettings, StepperSettings};

/// Most Newton steps of `auto`, and sweeps after them: where both have failed, more of them seldom help, and a run has many steps.
const NEWTON_STEPS: usize = 300;
const LAST_SWEEPS: usize = 2000;

/// Most sweeps of a solver that does nothing else.
const SWEEPS: usize = 1000;

/// Largest residual of a step with a solver whose iterations are few: the scene asks for what they give.
const LIMITED: f64 = 0.3;

/// The solver of this name.
fn entry(choice: &SolverChoice) -> Option<&'static SolverEntry> {
    SOLVERS.iter().find(|entry| entry.name == choice.kind)
}

/// The most iterations that the scene asks for, by itself or by the kind of its solver.
fn iterations(choice: &SolverChoice) -> Option<usize> {
    let sweeps = entry(choice).is_some_and(|entry| (entry.make)(None).sweeps());
    choice.iterations.or(sweeps.then_some(SWEEPS))
}

/// The settings that a scene chose.
pub(super) fn settings(choice: &SolverChoice) -> StepperSettings {
    let usual = if iterations(choice).is_some() { LIMITED } else { ImpulseSettings::default().limit };
    StepperSettings { tolerance: choice.tolerance, limit: choice.limit.unwrap_or(usual), passes: choice.passes }
}

/// The solver that a scene chose; the reader has checked the name.
pub(super) fn chosen(choice: &SolverChoice) -> Box<dyn ContactSolver> {
    let last_sweeps = choice.iterations.unwrap_or(LAST_SWEEPS);
    let usual = Auto { newton_steps: NEWTON_STEPS, last_sweeps, ..Auto::default() };
    let polygons = Pivoting::default();
    match entry(choice) {
        Some(entry) if entry.name == polygons.name() => Box::new(Pivoting {
            facets: choice.facets,
            rounds: choice.iterations.unwrap_or(polygons.rounds),
            ..polygons
        }),
        Some(entry) if entry.name != usual.name() => (entry.make)(iterations(choice)),
        _ => Box::new(usual),
    }
}
