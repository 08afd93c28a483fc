//! The table of results for people. Its widths are known before the first result, so that rows are shown as they come.

use std::fmt::Write as _;

use asperity_solve::solver::SolverEntry;

use super::input::Problem;
use super::profile::Profile;
use super::record::Record;

/// Widths of the columns that depend on the problems.
pub(crate) struct Table {
    file: usize,
    solver: usize,
}

impl Table {
    /// For these problems and solvers.
    pub(crate) fn new(problems: &[Problem], solvers: &[&SolverEntry]) -> Self {
        let widest = |lengths: &mut dyn Iterator<Item = usize>, title: &str| lengths.fold(title.len(), usize::max);
        Self {
            file: widest(&mut problems.iter().map(|p| p.name.chars().count()), "file"),
            solver: widest(&mut solvers.iter().map(|s| s.name.len()), "solver"),
        }
    }

    /// The first line.
    pub(crate) fn header(&self) -> String {
        let titles = ["contacts", "islands", "status", "error", "scaled", "iterations", "ms"].map(String::from);
        self.line("file", "solver", titles)
    }

    /// The line of one solve; `name` is the file without folders. A refusal has the reason in place of figures.
    pub(crate) fn row(&self, name: &str, record: &Record) -> String {
        let number = |error: Option<f64>| error.map_or_else(String::new, |e| format!("{e:.1e}"));
        let cells = [
            record.contacts.to_string(),
            record.islands.to_string(),
            record.status.clone(),
            number(record.error),
            number(record.scaled_error),
            if record.refused() { String::new() } else { record.iterations.to_string() },
            if record.refused() { String::new() } else { milliseconds(record.seconds) },
        ];
        self.line(name, record.solver, cells)
    }

    fn line(&self, file: &str, solver: &str, cells: [String; 7]) -> String {
        let (wide, narrow) = (self.file, self.solver);
        let [contacts, islands, status, error, scaled, iterations, ms] = cells;
        let line = format!(
            "{file:wide$}  {contacts:>8}  {islands:>7}  {solver:narrow$}  {status:17}  {error:>8}  {scaled:>8}  \
             {iterations:>10}  {ms:>9}"
        );
        line.trim_end().to_owned() + "\n"
    }
}

/// Three digits, or whole milliseconds.
fn milliseconds(seconds: f64) -> String {
    let ms = 1e3 * seconds;
    let decimals = match ms {
        _ if ms < 1.0 => 3,
        _ if ms < 10.0 => 2,
        _ if ms < 100.0 => 1,
        _ => 0,
    };
    format!("{ms:.decimals$}")
}

/// How many each solver solved and refused, and its time; of several solvers also how often it was the fastest.
pub(crate) fn summary(records: &[Record], solvers: &[&SolverEntry], profiles: &[Profile]) -> String {
    let mut text = String::from("\n");
    for (solver, profile) in solvers.iter().zip(profiles) {
        let mine: Vec<&Record> = records.iter().filter(|r| r.solver == solver.name).collect();
        let ms = milliseconds(mine.iter().map(|r| r.seconds).sum());
        let _ = write!(text, "{}: {} of {} solved, {ms} ms", solver.name, profile.solved(), mine.len());
        let refused = mine.iter().filter(|r| r.refused()).count();
        if refused > 0 {
            let _ = write!(text, ", {refused} refused");
        }
        if solvers.len() > 1 {
            let _ = write!(text, ", the fastest on {}", profile.count(1.0));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn times_have_three_digits() {
        let times = [1.234e-5, 1.234e-3, 1.234e-2, 1.234, 12.34].map(milliseconds);
        assert_eq!(times, ["0.012", "1.23", "12.3", "1234", "12340"]);
    }
}
