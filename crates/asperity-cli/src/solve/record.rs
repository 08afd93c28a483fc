//! One solve and what came out, for programs: JSON and CSV.

use std::fmt::Write as _;
use std::time::Instant;

use asperity_solve::problem::residual;
use asperity_solve::solver::{Frozen, Solution, Status, Stop};
use serde::Serialize;

use super::input::Problem;
use super::solvers::Entry;
use crate::error::CliError;

/// The first line of the CSV.
pub(crate) const CSV_HEADER: &str =
    "file,solver,contacts,islands,solved,error,scaled_error,iterations,seconds,status\n";

/// The outcome of one solve.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Record {
    /// The file as the user named it.
    pub(crate) file: String,
    pub(crate) solver: &'static str,
    pub(crate) contacts: usize,
    pub(crate) islands: usize,
    /// Whether both errors are at most the tolerance.
    pub(crate) solved: bool,
    /// As Siconos measures it.
    pub(crate) error: f64,
    /// Each contact in its own unit.
    pub(crate) scaled_error: f64,
    pub(crate) iterations: usize,
    /// Of the solve alone.
    pub(crate) seconds: f64,
    pub(crate) status: String,
}

/// Solves a problem `repeat` times, and measures the result again from its impulses; answers with those too. The time is
/// the shortest; what is not solved is not tried again.
pub(crate) fn solve(problem: &Problem, entry: &Entry, stop: Stop, repeat: u32) -> Result<(Record, Vec<f64>), CliError> {
    let (mut record, r) = solve_once(problem, entry, stop)?;
    for _ in 1..repeat {
        if !record.solved {
            break;
        }
        let (again, _) = solve_once(problem, entry, stop)?;
        if again.solved {
            record.seconds = record.seconds.min(again.seconds);
        }
    }
    Ok((record, r))
}

fn solve_once(problem: &Problem, entry: &Entry, stop: Stop) -> Result<(Record, Vec<f64>), CliError> {
    let mut laws = Frozen(problem.laws.clone());
    let mut solution = Solution::zero(&problem.problem);
    let solver = (entry.make)();
    // The whole call: what a solver prepares is part of solving.
    let began = Instant::now();
    let outcome = solver.solve(&problem.problem, &mut laws, stop, &mut solution);
    let seconds = began.elapsed().as_secs_f64();
    let report = outcome.map_err(|error| CliError::Input(format!("{}: {error}", problem.file)))?;
    let r = solution.r;
    let mut u = vec![0.0; r.len()];
    problem.problem.velocities(&r, &mut u);
    let found = residual(&problem.problem, &problem.laws, &problem.scales, &r, &u);
    // Not `worst`: the maximum of a number and NaN is the number.
    let solved = found.raw <= stop.tolerance && found.scaled <= stop.tolerance;
    let status = match report.status {
        _ if solved => Status::Solved.to_string(),
        Status::Solved => "inaccurate".into(),
        other => other.to_string(),
    };
    let record = Record {
        file: problem.file.clone(),
        solver: entry.name,
        contacts: problem.problem.contacts(),
        islands: problem.islands,
        solved,
        error: found.raw,
        scaled_error: found.scaled,
        iterations: report.iterations,
        seconds,
        status,
    };
    Ok((record, r))
}

impl Record {
    /// As one line of JSON.
    pub(crate) fn to_json(&self) -> Result<String, CliError> {
        let text = serde_json::to_string(self);
        text.map(|t| t + "\n").map_err(|error| CliError::Output(format!("cannot write JSON: {error}")))
    }

    /// As one line of CSV (RFC 4180, ended with a line feed); numbers read back to the same bits.
    pub(crate) fn to_csv(&self) -> String {
        let Self { solver, contacts, islands, solved, error, scaled_error, iterations, seconds, status, .. } = self;
        let file = quoted(&self.file);
        format!(
            "{file},{solver},{contacts},{islands},{solved},{error:e},{scaled_error:e},{iterations},{seconds:e},{status}\n"
        )
    }
}

/// All results as CSV.
pub(crate) fn to_csv(records: &[Record]) -> String {
    records.iter().fold(String::from(CSV_HEADER), |text, record| text + &record.to_csv())
}

/// A number a line, each to be read back to the same bits.
pub(crate) fn numbers(values: &[f64]) -> String {
    let mut text = String::new();
    for value in values {
        // Adding zero turns -0 into 0.
        let _ = writeln!(text, "{:?}", value + 0.0);
    }
    text
}

fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}
