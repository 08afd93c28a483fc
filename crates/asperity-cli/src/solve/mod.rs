//! `asperity solve`: solves stored contact problems and says how well.
//!
//! All files are read before any is solved, so that bad input costs no time and leaves nothing behind; results are printed
//! one by one as they come, files are written at the end, all or none.

mod args;
mod input;
mod profile;
mod profile_figure;
mod progress;
mod record;
mod solution;
mod solvers;
mod table;

use std::path::{Path, PathBuf};

use asperity_solve::solver::{SolverEntry, Stop};

use crate::error::CliError;
use crate::output::{self, Output};
use args::Shown;
pub(crate) use args::{EXAMPLES, SolveArgs};
use input::Problem;
use profile::Profile;
use progress::Progress;
use record::{Record, Solved};
use table::Table;

/// All that was solved.
struct Results {
    /// One for each problem and solver.
    records: Vec<Record>,
    /// The best impulses of each problem; `None` if no solver took it.
    solutions: Vec<Option<Vec<f64>>>,
}

/// Solves the problems.
pub(crate) fn run(args: &SolveArgs) -> Result<(), CliError> {
    let (shown, solvers) = (args.shown()?, args.solvers());
    args.check_profile()?;
    let progress = Progress::new(args.quiet, shown);
    let problems = input::read_all(&args.files, &progress)?;
    let solution_paths = solution_paths(args.solutions.as_deref(), &problems)?;
    let csv_path = args.csv.as_deref().filter(|_| shown != Shown::Csv);
    output::refuse_repeated(csv_path.into_iter().chain(args.profile.iter().chain(&solution_paths).map(AsRef::as_ref)))?;

    let Results { records, solutions } = solve_all(args, &problems, &solvers, shown, &progress)?;
    drop(progress);

    let profiles = Profile::of_records(&records, &solvers);
    if shown == Shown::Table {
        output::say(&table::summary(&records, &solvers, &profiles))?;
    }
    let mut outputs = Vec::new();
    if let Some(path) = csv_path {
        outputs.push(Output { path: path.to_owned(), bytes: record::to_csv(&records).into_bytes() });
    }
    for path in &args.profile {
        let figure = profile_figure::figure(&profiles, &solvers, problems.len(), args.tol, args.repeat);
        outputs.push(Output { bytes: figure.render(path)?, path: path.clone() });
    }
    // What every solver refused has no impulses.
    for ((path, problem), r) in solution_paths.into_iter().zip(&problems).zip(&solutions) {
        outputs.extend(r.as_ref().map(|r| Output { path, bytes: solution::table(problem, r).into_bytes() }));
    }
    output::write_files(&outputs)?;

    let failed = records.iter().filter(|r| !r.solved).count();
    if failed == 0 {
        return Ok(());
    }
    let (of, refused) = (records.len(), records.iter().filter(|r| r.refused()).count());
    let refused = if refused > 0 { format!(" ({refused} refused)") } else { String::new() };
    Err(CliError::Output(format!("{failed} of {of} solves did not reach an error of {:e}{refused}", args.tol)))
}

/// Solves every problem with every solver, prints the results as they come.
fn solve_all(
    args: &SolveArgs,
    problems: &[Problem],
    solvers: &[&'static SolverEntry],
    shown: Shown,
    progress: &Progress,
) -> Result<Results, CliError> {
    let stop = Stop { tolerance: args.tol, time: args.max_time, ..Stop::default() };
    let total = problems.len() * solvers.len();
    let table = Table::new(problems, solvers);
    match shown {
        Shown::Table => progress.say(&table.header())?,
        Shown::Csv => progress.say(record::CSV_HEADER)?,
        Shown::Json | Shown::Nothing => {}
    }
    let (mut records, mut solutions) = (Vec::with_capacity(total), Vec::with_capacity(problems.len()));
    progress.begin(total);
    for problem in problems {
        let mut best: Option<(f64, Vec<f64>)> = None;
        for entry in solvers {
            progress.name(format!("{}: {}", entry.name, problem.name));
            let Solved { record, impulses } = record::solve(problem, entry, stop, args.repeat);
            progress.advance();
            match shown {
                Shown::Table => progress.say(&table.row(&problem.name, &record))?,
                Shown::Json => progress.say(&record.to_json()?)?,
                Shown::Csv => progress.say(&record.to_csv())?,
                Shown::Nothing => {}
            }
            if let Some(r) = impulses
                && best.as_ref().is_none_or(|(least, _)| record.worst() < *least)
            {
                best = Some((record.worst(), r));
            }
            records.push(record);
        }
        solutions.push(best.map(|(_, r)| r));
    }
    Ok(Results { records, solutions })
}

/// Where the impulses go, one path a problem; two files of one name would go to the same place.
fn solution_paths(folder: Option<&Path>, problems: &[Problem]) -> Result<Vec<PathBuf>, CliError> {
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let mut paths: Vec<PathBuf> = Vec::with_capacity(problems.len());
    for problem in problems {
        let mut name = problem.path.file_name().unwrap_or(problem.path.as_os_str()).to_owned();
        name.push(".r.csv");
        let path = folder.join(name);
        if paths.contains(&path) {
            let (file, path) = (&problem.file, path.display());
            return Err(CliError::Input(format!("{file}: another file of that name goes to '{path}' too")));
        }
        paths.push(path);
    }
    Ok(paths)
}
