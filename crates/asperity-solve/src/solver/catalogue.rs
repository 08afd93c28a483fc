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
    /// With its default settings.
    pub make: fn() -> Box<dyn ContactSolver>,
}

/// All solvers, the default first.
#[rustfmt::skip]
pub static SOLVERS: &[SolverEntry] = &[
    SolverEntry { name: "auto", summary: "sweeps, alternating directions, proximal points, island by island: the default", make: || Box::new(Auto::default()) },
    SolverEntry { name: "prox_gauss_seidel", summary: "sweeps, contact by contact", make: || Box::new(ProxGaussSeidel::default()) },
    SolverEntry { name: "projected_gauss_seidel", summary: "sweeps, row by row, on boxes; sets only", make: || Box::new(ProjectedGaussSeidel::default()) },
    SolverEntry { name: "newton", summary: "nonsmooth Newton, Alart and Curnier's equations", make: || Box::new(Newton::default()) },
    SolverEntry { name: "newton_fischer_burmeister", summary: "the same by Fischer and Burmeister's function; sets made of ellipsoids", make: || Box::new(Newton::of(Form::FischerBurmeister)) },
    SolverEntry { name: "newton_implicit", summary: "the same by the sets' implicit functions; sets made of ellipsoids", make: || Box::new(Newton::of(Form::Implicit)) },
    SolverEntry { name: "proximal", summary: "proximal points around Newton", make: || Box::new(Proximal::default()) },
    SolverEntry { name: "admm", summary: "alternating directions, few factorisations; sets only", make: || Box::new(Admm::default()) },
    SolverEntry { name: "staggered", summary: "normal and friction impulses in turns; sets only", make: || Box::new(Staggered::default()) },
    SolverEntry { name: "staggered_polar", summary: "the same, friction in polar coordinates; disks only", make: || Box::new(Staggered::polar()) },
    SolverEntry { name: "pivoting", summary: "polygonal friction as an LCP, by Lemke; sets without spin, small islands", make: || Box::new(Pivoting::default()) },
    SolverEntry { name: "pivoting_boxes", summary: "boxes with limits that are refined, by block pivoting; sets only, small islands", make: || Box::new(Pivoting::boxes()) },
];
