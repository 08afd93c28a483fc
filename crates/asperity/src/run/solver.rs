//! The contact solver of a run, from the catalogue of solvers.

use std::time::Duration;

use asperity_solve::solver::{Budget, ContactSolver, SOLVERS, SolverOptions};

use crate::scene::{SolverChoice, StepperChoice};
use crate::step::StepperSettings;

/// Largest residual of a step with a solver whose iterations are few: the scene asks for what they give.
const LIMITED: f64 = 0.3;

/// The settings that a scene chose.
pub(super) fn settings(choice: &SolverChoice, stepper: &StepperChoice) -> StepperSettings {
    let few = choice.iterations.is_some() || chosen(choice).capabilities().sweeps;
    let usual = StepperSettings::default();
    StepperSettings {
        tolerance: choice.tolerance,
        limit: choice.limit.unwrap_or(if few { LIMITED } else { usual.limit }),
        time: Duration::from_secs_f64(choice.time_limit),
        passes: choice.passes,
        iterations: stepper.iterations,
        smooth: stepper.smooth,
        barrier: stepper.barrier,
        impact: stepper.impact,
        order: stepper.order,
    }
}

/// The solver that a scene chose; the reader has checked the name.
pub(super) fn chosen(choice: &SolverChoice) -> Box<dyn ContactSolver> {
    let entry = SOLVERS.iter().find(|entry| entry.name == choice.kind).unwrap_or(&SOLVERS[0]);
    let (iterations, facets) = (choice.iterations, Some(choice.facets));
    (entry.make)(&SolverOptions { iterations, facets, budget: Budget::Step })
}
