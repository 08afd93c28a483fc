//! Flags and help of `asperity solve`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use asperity_solve::solver::{SOLVERS, SolverEntry};
use clap::Args;

use super::solvers;
use crate::error::CliError;
use crate::figure::Format;

/// Shown below `asperity solve --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity solve problem.dat                     a line of results
  asperity solve problems                        every .dat, .hdf5, .h5 and .json file of a folder
  asperity solve *.dat *.hdf5 --csv results.csv  the results of many, also as CSV
  asperity solve problem.dat --solver newton --tol 1e-10 --max-time 5
  asperity solve *.dat --solver auto,newton      both on every file
  asperity solve *.dat --compare --repeat 5 --profile profile.svg
                                                 every solver, and a picture of who is fast
  asperity solve *.dat --json                    an object a line and solve, for programs
  asperity solve *.dat --solutions impulses      impulses/problem.dat.r.csv and so on

Files are recognised by what they hold: Siconos text (dense, sparse blocks, sparse), FCLIB HDF5,
local (W, q, mu) or global (M, H, f, w, mu), or snapshots as JSON, with any rows and laws and
where to start. The solution of the former has, in each contact, impulses r = (N, T1, T2)
with |r_T| <= mu r_N that obey Coulomb's law.

Errors: `error` is the one that Siconos reports, relative to the largest of |q|, |r| and |u|;
`scaled` is the same with each contact in a unit of its own. Both are computed again
from r alone. Solved means that both are at most the tolerance.

Objects of --json: file, solver, contacts, islands, solved, error, scaled_error, iterations,
seconds (of the solve alone), status. --csv has the same columns. A solver that refuses a
problem has the reason as its status, and no errors.

Exit status: 0 if every solve reached the tolerance, 1 if some did not, 2 for bad input;
then nothing is solved or written. More: docs/solve.md.";

/// What to solve, how, and where the results go.
#[derive(Args)]
pub(crate) struct SolveArgs {
    /// Problems, as Siconos text, FCLIB HDF5 or snapshots (JSON), or folders of them.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[arg(long, help = solvers::help(), default_value = "auto", value_name = "NAME", value_delimiter = ',', value_parser = solvers::parse, help_heading = "Solving")]
    solver: Vec<&'static SolverEntry>,
    /// Solve each file with every solver.
    #[arg(long, conflicts_with = "solver", help_heading = "Solving")]
    compare: bool,
    /// Largest error of a solution.
    #[arg(long, default_value = "1e-8", value_name = "ERROR", value_parser = tolerance, help_heading = "Solving")]
    pub(crate) tol: f64,
    /// Longest time for each solve.
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = seconds, help_heading = "Solving")]
    pub(crate) max_time: Duration,
    /// Solve N times and tell the shortest time; what is not solved is not tried again.
    #[arg(long, default_value = "1", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Solving")]
    pub(crate) repeat: u32,
    /// Print an object a line and solve instead of the table.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write the results as CSV; - prints them instead of the table.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw how often each solver is the fastest, or nearly so, .svg or .png; several with commas, or repeated.
    /// Needs more than one solver.
    #[arg(long, value_name = "FILE", value_delimiter = ',', help_heading = "Output")]
    pub(crate) profile: Vec<PathBuf>,
    /// Write the impulses to DIR/FILE.r.csv, with the contact's id and the direction of each. With several
    /// solvers those of the smallest error.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) solutions: Option<PathBuf>,
    /// Show neither the table nor the progress bar.
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|t: &f64| t.is_finite() && *t > 0.0).ok_or("expected a positive number".into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let parsed = text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    parsed.ok_or("expected a number of seconds, 0 or more".into())
}

/// What goes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Table,
    Json,
    Csv,
    Nothing,
}

impl SolveArgs {
    /// The solvers asked for, each once.
    pub(crate) fn solvers(&self) -> Vec<&'static SolverEntry> {
        if self.compare {
            return SOLVERS.iter().collect();
        }
        let mut chosen: Vec<&'static SolverEntry> = Vec::with_capacity(self.solver.len());
        for entry in &self.solver {
            if !chosen.iter().any(|other| other.name == entry.name) {
                chosen.push(entry);
            }
        }
        chosen
    }

    /// What goes to standard output.
    pub(crate) fn shown(&self) -> Result<Shown, CliError> {
        match (self.json, self.csv.as_deref() == Some(Path::new("-"))) {
            (true, true) => Err(CliError::Input("--json and --csv - both want standard output".into())),
            (true, false) => Ok(Shown::Json),
            (false, true) => Ok(Shown::Csv),
            (false, false) => Ok(if self.quiet { Shown::Nothing } else { Shown::Table }),
        }
    }

    /// Refuses profiles that cannot be drawn, before anything is solved.
    pub(crate) fn check_profile(&self) -> Result<(), CliError> {
        for path in &self.profile {
            Format::of(path)?;
        }
        if self.profile.is_empty() || self.solvers().len() > 1 {
            return Ok(());
        }
        let hint = "give --compare, or several with --solver A,B";
        Err(CliError::Input(format!("--profile compares solvers, and there is only one: {hint}")))
    }
}
