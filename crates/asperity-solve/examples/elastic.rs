//! Stored problems of elastic bodies beside one Cholesky factorisation of their matrix. `bench/elastic` makes a table of it.
//!
//!     elastic FILE...    prints a line of CSV for each file
//!
//! Times are the shortest of three, in milliseconds. `warm` starts from the first guess of the file, the impulses of the time
//! step before. `bytes` is the most in use during a solve beyond what the problem takes, over the bytes of the factor.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use asperity_solve::problem::files::{self, StoredProblem};
use asperity_solve::problem::{Cholesky, Dynamics, Posed, SolveRoom, to_contact_problem};
use asperity_solve::solver::{Auto, ContactSolver, Frozen, Solution, SolveReport, Stop};

/// Counts the bytes that are in use, and the most there were.
struct Counting;
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: passes everything on to the system's allocator, and counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const REPEATS: usize = 3;

/// The shortest time of some calls, in milliseconds, and the last result.
fn shortest<T>(mut call: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..REPEATS {
        let began = Instant::now();
        last = Some(call());
        best = best.min(1e3 * began.elapsed().as_secs_f64());
    }
    (best, last.expect("called at least once"))
}

/// Solves a problem built anew, so that nothing is known from the solve before.
fn solve(stored: &StoredProblem, start: &[f64]) -> Result<(f64, SolveReport), Box<dyn Error>> {
    let mut best = f64::INFINITY;
    let mut report = None;
    for _ in 0..REPEATS {
        let Posed { problem, laws, .. } = to_contact_problem(stored)?;
        let mut solution = Solution { r: start.to_vec(), u: Vec::new() };
        let began = Instant::now();
        report = Some(Auto::default().solve(&problem, &mut Frozen(laws), Stop::default(), &mut solution)?);
        best = best.min(1e3 * began.elapsed().as_secs_f64());
    }
    Ok((best, report.expect("solved at least once")))
}

fn measure(path: &str) -> Result<String, Box<dyn Error>> {
    let stored = files::read(Path::new(path))?;
    let (building, posed) = shortest(|| to_contact_problem(&stored));
    let posed = posed?;
    let Dynamics::Factor(factor) = posed.problem.dynamics() else {
        return Err(format!("{path}: not a problem of elastic bodies").into());
    };
    let mut cholesky = Cholesky::new(factor.symbolic().clone())?;
    let (factoring, done) = shortest(|| cholesky.factor(factor.values()));
    done?;
    let (mut x, mut room) = (vec![1.0; factor.dofs()], SolveRoom::new(factor.symbolic()));
    let (solving, ()) = shortest(|| cholesky.solve(&mut x, &mut room));
    drop(cholesky);
    let factor_bytes = 8 * factor.symbolic().factor_values();
    let before = IN_USE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let mut solution = Solution::zero(&posed.problem);
    Auto::default().solve(&posed.problem, &mut Frozen(posed.laws.clone()), Stop::default(), &mut solution)?;
    let bytes = (MOST.load(Ordering::Relaxed) - before + factor_bytes) as f64 / factor_bytes as f64;
    let (cold, report) = solve(&stored, &[])?;
    let guess = match &stored {
        StoredProblem::Global(global) => global.guesses.first().map(|guess| guess.r.clone()),
        _ => None,
    };
    let warm = guess.map(|guess| solve(&stored, &guess)).transpose()?;
    let (warm, warm_iterations) = warm.map_or((f64::NAN, 0), |(time, report)| (time, report.iterations));
    let name = Path::new(path).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(format!(
        "{name},{},{},{building:.2},{factoring:.3},{solving:.4},{},{},{:.1e},{:.1e},{cold:.2},{:.1},{warm_iterations},{warm:.2},{bytes:.2}",
        factor.dofs(),
        posed.problem.contacts(),
        report.status,
        report.iterations,
        report.residual.raw,
        report.residual.scaled,
        cold / factoring,
    ))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "problem,dofs,contacts,build_ms,factor_ms,solve_ms,status,iterations,raw,scaled,cold_ms,cold_over_factor,warm_iterations,warm_ms,bytes_over_factor"
    );
    for path in std::env::args().skip(1) {
        println!("{}", measure(&path)?);
    }
    Ok(())
}
