//! The table of outcomes for people.

use std::fmt::Write as _;
use std::path::Path;

use asperity::record::{Accuracy, Expectation, Summary};
use asperity_friction::number::short as number;

use crate::output::counted;

/// The run in a line, then a line for each expectation; with colours for a terminal.
pub(super) fn table(title: &str, summary: &Summary, folder: &Path, colors: bool) -> String {
    let (totals, timings) = (&summary.totals, &summary.timings);
    let per_step = 1e3 * timings.total / (totals.steps.max(1)) as f64;
    let mut text = format!(
        "{title}: {} to t = {} s in {:.2} s ({per_step:.3} ms a step), at most {}{}; {}\n",
        counted(totals.steps as u64, "step", "steps"),
        number(totals.time),
        timings.total,
        counted(totals.most_contacts as u64, "contact", "contacts"),
        above_tolerance(summary),
        folder.display()
    );
    let rows: Vec<[String; 3]> = summary.expectations.iter().map(cells).collect();
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let (name, value, bounds) = (width(0), width(1), width(2));
    for (row, expectation) in rows.iter().zip(&summary.expectations) {
        let line =
            format!("  {:name$}  {:>value$}  {:bounds$}  {}", row[0], row[1], row[2], verdict(expectation, colors));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Green or bold red on terminals (ECMA-48). A figure, of which nothing is expected, has no verdict.
fn verdict(expectation: &Expectation, colors: bool) -> &'static str {
    match (expectation, colors) {
        (Expectation { lower: None, upper: None, .. }, _) => "",
        (Expectation { pass: true, .. }, false) => "ok",
        (Expectation { pass: true, .. }, true) => "\x1b[32mok\x1b[0m",
        (_, false) => "MISSED",
        (_, true) => "\x1b[1;31mMISSED\x1b[0m",
    }
}

fn cells(expectation: &Expectation) -> [String; 3] {
    let bounds = match (expectation.lower, expectation.upper) {
        (Some(lower), Some(upper)) => format!("expected {} to {}", number(lower), number(upper)),
        (Some(lower), None) => format!("expected at least {}", number(lower)),
        (None, Some(upper)) => format!("expected at most {}", number(upper)),
        (None, None) => "measured".into(),
    };
    let value = expectation.value.map_or_else(|| "never".into(), number);
    [expectation.name.clone(), value, bounds]
}

/// The steps that were accepted although the solver did not reach its tolerance; nothing if there are none.
fn above_tolerance(summary: &Summary) -> String {
    let Accuracy { tolerance, limit, worst_residual, steps_above_tolerance } = summary.accuracy;
    match steps_above_tolerance {
        0 => String::new(),
        steps => format!(
            ", {} above the tolerance of {tolerance:e} (worst residual {worst_residual:.1e}, limit {limit:e})",
            counted(steps as u64, "step", "steps")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_was_missed() {
        let expectations = vec![
            Expectation::new("downhill", Some(2.7775), Some(2.7), Some(2.8)),
            Expectation::new("reaches the wall", None, None, Some(1.0)),
            Expectation::new("speed", Some(0.5), None, None),
        ];
        let summary = Summary::new("slope", None, expectations);
        let text = table("slope", &summary, Path::new("out/slope"), false);
        assert!(text.contains("2.7775  expected 2.7 to 2.8  ok"), "{text}");
        assert!(text.contains("never  expected at most 1   MISSED"), "{text}");
        assert!(text.ends_with("0.5  measured\n") && !text.contains('\x1b'), "{text}");
        let colored = table("slope", &summary, Path::new("out/slope"), true);
        let plain =
            ["\x1b[32m", "\x1b[1;31m", "\x1b[0m"].iter().fold(colored.clone(), |text, code| text.replace(code, ""));
        assert!(plain == text && colored.contains("\x1b[1;31mMISSED\x1b[0m\n"), "{colored}");
    }
}
