//! Contact solvers by name.

use asperity_solve::solver::{
    Admm, Auto, ContactSolver, Newton, Pivoting, ProjectedGaussSeidel, ProxGaussSeidel, Proximal, Staggered,
};

use crate::scene::SolverChoice;

/// Most sweeps of `auto` after Newton's method: where both have failed, more of them seldom help, and a run has many steps.
const LAST_SWEEPS: usize = 2000;

/// A name that no solver has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no solver is called '{0}'")]
pub struct UnknownSolver(pub String);

/// The solver of that name, with this limit of iterations or its own.
pub fn solver(kind: &str, iterations: Option<usize>) -> Result<Box<dyn ContactSolver + Send + Sync>, UnknownSolver> {
    fn limited(own: &mut usize, limit: Option<usize>) {
        *own = limit.unwrap_or(*own);
    }
    let mut prox = ProxGaussSeidel::default();
    let mut projected = ProjectedGaussSeidel::default();
    let mut newton = Newton::default();
    let mut proximal = Proximal::default();
    let mut admm = Admm::default();
    let mut staggered = Staggered::default();
    limited(&mut prox.sweeps, iterations);
    limited(&mut projected.sweeps, iterations);
    limited(&mut newton.iterations, iterations);
    limited(&mut proximal.iterations, iterations);
    limited(&mut admm.iterations, iterations);
    limited(&mut staggered.rounds, iterations);
    Ok(match kind {
        "auto" => Box::new(Auto { last_sweeps: iterations.unwrap_or(LAST_SWEEPS), ..Auto::default() }),
        "prox_gauss_seidel" => Box::new(prox),
        "projected_gauss_seidel" => Box::new(projected),
        "newton" => Box::new(newton),
        "proximal" => Box::new(proximal),
        "admm" => Box::new(admm),
        "staggered" => Box::new(staggered),
        "pivoting" => Box::new(Pivoting::default()),
        _ => return Err(UnknownSolver(kind.to_owned())),
    })
}

/// The solver that a scene chose; the reader has checked the name.
pub(super) fn chosen(choice: &SolverChoice) -> Box<dyn ContactSolver + Send + Sync> {
    solver(&choice.kind, choice.iterations)
        .unwrap_or_else(|_| Box::new(Auto { last_sweeps: LAST_SWEEPS, ..Auto::default() }))
}
