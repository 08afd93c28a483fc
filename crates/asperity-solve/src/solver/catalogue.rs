//! Every solver by name, with its default settings: what `asperity solve` offers, `asperity list` shows and the tests run over.

use super::forms::Form;
use super::{Admm, Auto, ContactSolver, Newton, Pivoting, ProjectedGaussSeidel, ProxGaussSeidel, Proximal, Staggered};

/// A solver and its name.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    /// That of [`ContactSolver::name`].
    pub name: &'static str,
    /// What it does, and what it does not take.
    pub summary: &'static str,
    /// With its default settings, but for the most iterations, if given: sweeps, steps, rounds, whatever the solver counts.
    pub make: fn(iterations: Option<usize>) -> Box<dyn ContactSolver>,
}

/// All solvers, the default first.
#[rustfmt::skip]
pub const SOLVERS: &[SolverEntry] = &[
    SolverEntry { name: "auto", summary: "Newton, sweeps, alternating directions, proximal points, island by island: the default", make: |n| with(Auto::default(), n, |s, n| s.last_sweeps = n) },
    SolverEntry { name: "prox_gauss_seidel", summary: "sweeps, contact by contact", make: |n| with(ProxGaussSeidel::default(), n, |s, n| s.sweeps = n) },
    SolverEntry { name: "prox_gauss_seidel_steps", summary: "the same with one PROX step a contact: the cheapest sweep, for piles and little time", make: |n| with(ProxGaussSeidel::steps(), n, |s, n| s.sweeps = n) },
    SolverEntry { name: "projected_gauss_seidel", summary: "sweeps, row by row, on boxes; sets only", make: |n| with(ProjectedGaussSeidel::default(), n, |s, n| s.sweeps = n) },
    SolverEntry { name: "newton", summary: "nonsmooth Newton, Alart and Curnier's equations", make: |n| with(Newton::default(), n, |s, n| s.iterations = n) },
    SolverEntry { name: "newton_fischer_burmeister", summary: "the same by Fischer and Burmeister's function; sets made of ellipsoids", make: |n| with(Newton::of(Form::FischerBurmeister), n, |s, n| s.iterations = n) },
    SolverEntry { name: "newton_implicit", summary: "the same by the sets' implicit functions; sets made of ellipsoids", make: |n| with(Newton::of(Form::Implicit), n, |s, n| s.iterations = n) },
    SolverEntry { name: "proximal", summary: "proximal points around Newton", make: |n| with(Proximal::default(), n, |s, n| s.iterations = n) },
    SolverEntry { name: "admm", summary: "alternating directions, few factorisations; sets only", make: |n| with(Admm::default(), n, |s, n| s.iterations = n) },
    SolverEntry { name: "staggered", summary: "normal and friction impulses in turns; sets only", make: |n| with(Staggered::default(), n, |s, n| s.rounds = n) },
    SolverEntry { name: "staggered_polar", summary: "the same, friction in polar coordinates; disks only", make: |n| with(Staggered::polar(), n, |s, n| s.rounds = n) },
    SolverEntry { name: "pivoting", summary: "polygonal friction as an LCP, by Lemke; sets without spin, small islands", make: |n| with(Pivoting::default(), n, |s, n| s.rounds = n) },
    SolverEntry { name: "pivoting_boxes", summary: "boxes with limits that are refined, by block pivoting; sets only, small islands", make: |n| with(Pivoting::boxes(), n, |s, n| s.rounds = n) },
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
