//! `asperity solve`: solves stored contact problems and says how well.
//!
//! All files are read before any is solved, so that bad input costs no time and leaves nothing behind; results are printed
//! one by one as they come, files are written at the end, all or none.

mod input;
mod record;
mod solvers;
mod table;

use std::io::{IsTerminal, stderr, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

use asperity_solve::solver::Stop;
use clap::Args;

use crate::error::CliError;
use crate::output::{self, Output};
use input::Problem;
use record::Record;
use solvers::{Entry, SOLVERS};
use table::Table;

/// Shown below `asperity solve --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity solve problem.dat                     a line of results
  asperity solve *.dat *.hdf5 --csv results.csv  the same for many, and as CSV
  asperity solve problem.dat --solver newton --tol 1e-10 --max-time 5
  asperity solve *.dat --compare                 every solver on every file
  asperity solve *.dat --json                    an object a line and solve, for programs
  asperity solve *.dat --solutions impulses      impulses/problem.dat.r.csv and so on

Files are recognised by what they hold: Siconos text (dense or sparse blocks) or FCLIB
HDF5, local (W, q, mu) or global (M, H, f, w, mu). The solution has, in each contact,
impulses r = (N, T1, T2) with |r_T| <= mu r_N that obey Coulomb's law.

Errors: `error` is the one that Siconos reports, relative to the largest of |q|, |r| and |u|;
`scaled` is the same with each contact in a unit of its own. Both are computed again
from r alone. Solved means that both are at most the tolerance.

Exit status: 0 if every solve reached the tolerance, 1 if some did not, 2 for bad input;
then nothing is solved or written.";

/// What to solve, how, and where the results go.
#[derive(Args)]
pub(crate) struct SolveArgs {
    /// Problems, as Siconos text or FCLIB HDF5.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// auto, prox_gauss_seidel, newton or proximal.
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = solvers::parse)]
    solver: &'static Entry,
    /// Largest error of a solution.
    #[arg(long, default_value = "1e-8", value_name = "ERROR", value_parser = tolerance)]
    tol: f64,
    /// Longest time for each solve.
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = seconds)]
    max_time: Duration,
    /// Solve each file with every solver.
    #[arg(long, conflicts_with = "solver")]
    compare: bool,
    /// Print an object a line and solve instead of the table.
    #[arg(long)]
    json: bool,
    /// Write the results as CSV; - prints them instead of the table.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the impulses to DIR/FILE.r.csv, a number a line: N, T1, T2 of each contact. With --compare those of
    /// the solver with the smallest error.
    #[arg(long, value_name = "DIR")]
    solutions: Option<PathBuf>,
}

fn tolerance(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|t: &f64| t.is_finite() && *t > 0.0).ok_or("expected a positive number".into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let parsed = text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    parsed.ok_or("expected a number of seconds, 0 or more".into())
}

/// What goes to standard output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Table,
    Json,
    Csv,
}

/// Solves the problems.
pub(crate) fn run(args: &SolveArgs) -> Result<(), CliError> {
    let csv_shown = args.csv.as_deref() == Some(Path::new("-"));
    let shown = match (args.json, csv_shown) {
        (true, true) => return Err(CliError::Input("--json and --csv - both want standard output".into())),
        (true, false) => Shown::Json,
        (false, true) => Shown::Csv,
        (false, false) => Shown::Table,
    };
    let solution_paths = solution_paths(args)?;
    let problems = input::read_all(&args.files)?;
    let (records, solutions) = solve_all(args, &problems, shown)?;

    let csv_file = args.csv.as_ref().filter(|_| !csv_shown);
    let csv = csv_file.map(|path| Output { path: path.clone(), bytes: record::to_csv(&records).into_bytes() });
    let impulses = solution_paths.into_iter().zip(&solutions);
    let impulses = impulses.map(|(path, r)| Output { path, bytes: record::numbers(r).into_bytes() });
    output::write_files(&csv.into_iter().chain(impulses).collect::<Vec<_>>())?;

    let failed = records.iter().filter(|r| !r.solved).count();
    if failed == 0 {
        return Ok(());
    }
    let of = records.len();
    Err(CliError::Output(format!("{failed} of {of} solves did not reach an error of {:e}", args.tol)))
}

/// Solves every problem with every solver asked for, prints the results as they come; answers with them and with the
/// best impulses of each problem.
fn solve_all(args: &SolveArgs, problems: &[Problem], shown: Shown) -> Result<(Vec<Record>, Vec<Vec<f64>>), CliError> {
    let chosen: Vec<&Entry> = if args.compare { SOLVERS.iter().collect() } else { vec![args.solver] };
    let stop = Stop { tolerance: args.tol, time: args.max_time };
    let total = problems.len() * chosen.len();
    let table = Table::new(problems, &chosen);
    match shown {
        Shown::Table => output::say(&table.header())?,
        Shown::Csv => output::say(record::CSV_HEADER)?,
        Shown::Json => {}
    }
    let (mut records, mut solutions) = (Vec::with_capacity(total), Vec::with_capacity(problems.len()));
    for problem in problems {
        let mut best: Option<(f64, Vec<f64>)> = None;
        for entry in &chosen {
            note(&format!("[{}/{total}] {}, {}", records.len() + 1, problem.name, entry.name));
            let (record, r) = record::solve(problem, entry, stop)?;
            note("");
            output::say(&match shown {
                Shown::Table => table.row(&problem.name, &record),
                Shown::Json => record.to_json()?,
                Shown::Csv => record.to_csv(),
            })?;
            let error = record.error.max(record.scaled_error);
            if best.as_ref().is_none_or(|(least, _)| error < *least) {
                best = Some((error, r));
            }
            records.push(record);
        }
        solutions.extend(best.map(|(_, r)| r));
    }
    if shown == Shown::Table {
        output::say(&table::summary(&records, &chosen))?;
    }
    Ok((records, solutions))
}

/// What is being done, in place of the last note, if somebody is there to see it.
fn note(text: &str) {
    if stdout().is_terminal() && stderr().is_terminal() {
        // Nothing depends on it.
        let _ = output::say_aside(&format!("\r\x1b[K{text}"));
    }
}

/// Where the impulses go, one path a file; two files of one name would go to the same place.
fn solution_paths(args: &SolveArgs) -> Result<Vec<PathBuf>, CliError> {
    let Some(folder) = &args.solutions else { return Ok(Vec::new()) };
    let mut paths: Vec<PathBuf> = Vec::with_capacity(args.files.len());
    for file in &args.files {
        let mut name = file.file_name().unwrap_or(file.as_os_str()).to_owned();
        name.push(".r.csv");
        let path = folder.join(name);
        if paths.contains(&path) {
            let (file, path) = (file.display(), path.display());
            return Err(CliError::Input(format!("{file}: another file of that name goes to '{path}' too")));
        }
        paths.push(path);
    }
    Ok(paths)
}
