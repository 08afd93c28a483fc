//! Solves stored elastic contact problems and measures each against one Cholesky factorisation of its matrix.
use asperity_solve::problem::{Cholesky, Dynamics, SelectedInverse, SolveRoom, Symbolic, files, to_contact_problem};
use asperity_solve::solver::{ContactSolver, Frozen, Hybrid, Solution, Stop};
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1) {
        let t = Instant::now();
        let stored = files::read(std::path::Path::new(&path)).unwrap();
        let read = t.elapsed().as_secs_f64();
        let t = Instant::now();
        let posed = to_contact_problem(&stored).unwrap();
        let built = t.elapsed().as_secs_f64();
        let Dynamics::Factor(factor) = posed.problem.dynamics() else {
            println!("{path}: bodies");
            continue;
        };
        let t = Instant::now();
        let symbolic = Symbolic::new(factor.symbolic().pattern().clone()).unwrap();
        let analysed = t.elapsed().as_secs_f64();
        let mut cholesky = Cholesky::new(symbolic.clone()).unwrap();
        let mut numeric = f64::INFINITY;
        for _ in 0..3 {
            let t = Instant::now();
            cholesky.factor(factor.values()).unwrap();
            numeric = numeric.min(t.elapsed().as_secs_f64());
        }
        let mut x = vec![1.0; factor.dofs()];
        let mut room = SolveRoom::new(&symbolic);
        let mut solve = f64::INFINITY;
        for _ in 0..5 {
            let t = Instant::now();
            cholesky.solve(&mut x, &mut room);
            solve = solve.min(t.elapsed().as_secs_f64());
        }
        let t = Instant::now();
        std::hint::black_box(SelectedInverse::new(&cholesky));
        let inverse = t.elapsed().as_secs_f64();
        let mut solution = Solution::zero(&posed.problem);
        let t = Instant::now();
        let report = Hybrid::default()
            .solve(&posed.problem, &mut Frozen(posed.laws.clone()), Stop::default(), &mut solution)
            .unwrap();
        let solved = t.elapsed().as_secs_f64();
        let name = path.rsplit('/').next().unwrap();
        println!(
            "{name:34} dofs {:5} nnz(L) {:.2}M read {:.0} build {:.0} analyse {:.1} factor {:.2} solve {:.3} inverse {:.1} ms | {} {} it, raw {:.1e} scaled {:.1e}, {:.0} ms = {:.1} factorisations",
            factor.dofs(),
            symbolic.factor_values() as f64 / 1e6,
            1e3 * read,
            1e3 * built,
            1e3 * analysed,
            1e3 * numeric,
            1e3 * solve,
            1e3 * inverse,
            report.status,
            report.iterations,
            report.residual.raw,
            report.residual.scaled,
            1e3 * solved,
            solved / numeric
        );
    }
}
