//! One solve and what came out, for programs: JSON and CSV.

use std::time::Instant;

use asperity_solve::problem::residual;
use asperity_solve::solver::{Frozen, Solution, SolverEntry, SolverOptions, Status, Stop};
use serde::Serialize;

use super::input::Problem;
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
    /// As Siconos measures it; none if the solver refused.
    pub(crate) error: Option<f64>,
    /// Each contact in its own unit.
    pub(crate) scaled_error: Option<f64>,
    pub(crate) iterations: usize,
    /// Of the solve alone; of a refusal until then.
    pub(crate) seconds: f64,
    pub(crate) status: String,
}

/// A solve: how it went, and what was found.
pub(crate) struct Solved {
    pub(crate) record: Record,
    /// `None` if the solver refused the problem.
    pub(crate) impulses: Option<Vec<f64>>,
}

/// How the status of a refusal begins; the reason follows.
const REFUSED: &str = "refused: ";

/// Solves a problem `repeat` times, and measures the result again from its impulses; answers with those too, unless the
/// solver refuses the problem: other solvers and other files go on. The time is the shortest; what is not solved is not
/// tried again.
pub(crate) fn solve(problem: &Problem, entry: &SolverEntry, stop: Stop, repeat: u32) -> Solved {
    let mut solved = solve_once(problem, entry, stop);
    for _ in 1..repeat {
        if !solved.record.solved {
            break;
        }
        let again = solve_once(problem, entry, stop).record;
        if again.solved {
            solved.record.seconds = solved.record.seconds.min(again.seconds);
        }
    }
    solved
}

fn solve_once(problem: &Problem, entry: &SolverEntry, stop: Stop) -> Solved {
    let mut laws = Frozen(problem.laws.clone());
    let mut solution = Solution { r: problem.start.clone(), ..Solution::zero(&problem.problem) };
    let solver = (entry.make)(&SolverOptions::default());
    // The whole call: what a solver prepares is part of solving.
    let began = Instant::now();
    let outcome = solver.solve(&problem.problem, &mut laws, stop, &mut solution);
    let seconds = began.elapsed().as_secs_f64();
    let mut record = Record {
        file: problem.file.clone(),
        solver: entry.name,
        contacts: problem.problem.contacts(),
        islands: problem.islands,
        solved: false,
        error: None,
        scaled_error: None,
        iterations: 0,
        seconds,
        status: String::new(),
    };
    let report = match outcome {
        Ok(report) => report,
        Err(reason) => {
            record.status = format!("{REFUSED}{reason}");
            return Solved { record, impulses: None };
        }
    };
    let r = solution.r;
    let mut u = vec![0.0; r.len()];
    problem.problem.velocities(&r, &mut u);
    let found = residual(&problem.problem, &problem.laws, problem.problem.scales(), &r, &u);
    (record.error, record.scaled_error) = (Some(found.raw), Some(found.scaled));
    record.solved = found.worst() <= stop.tolerance;
    record.iterations = report.iterations;
    record.status = match report.status {
        _ if record.solved => Status::Solved.to_string(),
        Status::Solved => "inaccurate".into(),
        other => other.to_string(),
    };
    Solved { record, impulses: Some(r) }
}

impl Record {
    /// Whether the solver refused the problem.
    pub(crate) fn refused(&self) -> bool {
        self.status.starts_with(REFUSED)
    }

    /// The larger error; infinite if there is none.
    pub(crate) fn worst(&self) -> f64 {
        let known = |error: Option<f64>| error.filter(|e| !e.is_nan()).unwrap_or(f64::INFINITY);
        known(self.error).max(known(self.scaled_error))
    }

    /// As one line of JSON.
    pub(crate) fn to_json(&self) -> Result<String, CliError> {
        let text = serde_json::to_string(self);
        text.map(|t| t + "\n").map_err(|error| CliError::Output(format!("cannot write JSON: {error}")))
    }

    /// As one line of CSV (RFC 4180, ended with a line feed); numbers read back to the same bits.
    pub(crate) fn to_csv(&self) -> String {
        let Self { solver, contacts, islands, solved, iterations, seconds, .. } = self;
        let (file, status) = (quoted(&self.file), quoted(&self.status));
        let number = |error: Option<f64>| error.map_or_else(String::new, |e| format!("{e:e}"));
        let (error, scaled) = (number(self.error), number(self.scaled_error));
        format!("{file},{solver},{contacts},{islands},{solved},{error},{scaled},{iterations},{seconds:e},{status}\n")
    }
}

/// All results as CSV.
pub(crate) fn to_csv(records: &[Record]) -> String {
    records.iter().fold(String::from(CSV_HEADER), |text, record| text + &record.to_csv())
}

/// Text as a field of CSV.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
