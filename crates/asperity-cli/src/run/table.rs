//! The table of outcomes for people.

use std::fmt::Write as _;
use std::path::Path;

use asperity::record::{Accuracy, Expectation, Summary};

/// The run in a line, then a line for each expectation.
pub(super) fn table(title: &str, summary: &Summary, folder: &Path) -> String {
    let (totals, timings) = (&summary.totals, &summary.timings);
    let per_step = 1e3 * timings.total / (totals.steps.max(1)) as f64;
    let mut text = format!(
        "{title}: {} steps to t = {} s in {:.2} s ({per_step:.3} ms a step), at most {} contacts{}; {}\n",
        totals.steps,
        number(totals.time),
        timings.total,
        totals.most_contacts,
        above_tolerance(summary),
        folder.display()
    );
    let rows: Vec<[String; 3]> = summary.expectations.iter().map(cells).collect();
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let (name, value, bounds) = (width(0), width(1), width(2));
    for (row, expectation) in rows.iter().zip(&summary.expectations) {
        let verdict = if expectation.pass { "ok" } else { "MISSED" };
        let _ = writeln!(text, "  {:name$}  {:>value$}  {:bounds$}  {verdict}", row[0], row[1], row[2]);
    }
    text
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

/// Six digits.
fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-3..1e6).contains(&size) {
        let decimals = if size >= 1.0 { 5 - size.log10().floor() as i32 } else { 6 }.max(0) as usize;
        let text = format!("{value:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        format!("{value:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits() {
        let shown = [0.0, 1.0, 2.777_515_4, -0.123_456_78, 123_456.7, 1e-9, 2.5e7].map(number);
        assert_eq!(shown, ["0", "1", "2.77752", "-0.123457", "123457", "1.000e-9", "2.500e7"]);
    }

    #[test]
    fn the_table_says_what_was_missed() {
        let expectations = vec![
            Expectation::new("downhill", Some(2.7775), Some(2.7), Some(2.8)),
            Expectation::new("reaches the wall", None, None, Some(1.0)),
        ];
        let text = table("slope", &Summary::new("slope", None, expectations), Path::new("out/slope"));
        assert!(text.contains("2.7775  expected 2.7 to 2.8  ok"), "{text}");
        assert!(text.contains("never  expected at most 1   MISSED"), "{text}");
    }
}

/// The steps that were accepted although the solver did not reach its tolerance; nothing if there are none.
fn above_tolerance(summary: &Summary) -> String {
    let Accuracy { tolerance, limit, worst_residual, steps_above_tolerance } = summary.accuracy;
    match steps_above_tolerance {
        0 => String::new(),
        steps => format!(
            ", {steps} step{} above the tolerance of {tolerance:e} (worst residual {worst_residual:.1e}, limit {limit:e})",
            if steps == 1 { "" } else { "s" }
        ),
    }
}
