//! The tables of a comparison: Markdown for people, CSV for programs.

use std::fmt::Write as _;

use super::outcome::Outcome;

/// Scenes by solvers: distances, times, then the runs with problems. `outcomes` are grouped by scene, the reference first.
pub(super) fn markdown(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "Distance from the run of the reference (first column), as a fraction of the longest path or of the radius of the largest body:\n\n",
    );
    matrix(&mut text, outcomes, distance);
    if outcomes.iter().any(|outcome| outcome.solver.contains(':')) {
        text.push_str("\nIts part along the motion of the reference:\n\n");
        matrix(&mut text, outcomes, |outcome| outcome.along.map_or_else(|| "-".into(), |along| format!("{along:.0e}")));
    }
    text.push_str("\nMilliseconds a step; in brackets for runs that were stopped:\n\n");
    matrix(&mut text, outcomes, |outcome| match outcome.stopped {
        Some(_) => format!("({:.3})", outcome.milliseconds),
        None => format!("{:.3}", outcome.milliseconds),
    });
    text.push_str("\nWorst residual of a step:\n\n");
    matrix(&mut text, outcomes, |outcome| format!("{:.0e}", outcome.worst_residual));
    let notes: Vec<String> = outcomes.iter().filter_map(note).collect();
    if !notes.is_empty() {
        let _ = write!(
            text,
            "\nRuns that stopped early, missed an expectation or left steps unsolved:\n\n{}",
            notes.concat()
        );
    }
    text
}

fn distance(outcome: &Outcome) -> String {
    let verdict = format!("{}/{}", outcome.held, outcome.expected);
    match (&outcome.stopped, outcome.distance) {
        (Some(_), _) => "stopped".into(),
        (None, None) => verdict,
        (None, Some(distance)) if outcome.held == outcome.expected => format!("{distance:.0e}"),
        (None, Some(distance)) => format!("{distance:.0e} ({verdict})"),
    }
}

/// What was missed, not solved or stopped.
fn note(outcome: &Outcome) -> Option<String> {
    let mut faults = Vec::new();
    if let Some(reason) = &outcome.stopped {
        faults.push(format!("stopped {reason}"));
    } else if !outcome.missed.is_empty() {
        faults.push(format!("missed {}", outcome.missed.join(", ")));
    }
    if outcome.unsolved > 0 {
        faults.push(format!("{} of {} steps above the tolerance", outcome.unsolved, outcome.steps));
    }
    (!faults.is_empty()).then(|| format!("- {}, {}: {}\n", outcome.scene, outcome.solver, faults.join("; ")))
}

fn matrix(text: &mut String, outcomes: &[Outcome], cell: impl Fn(&Outcome) -> String) {
    let Some(first) = outcomes.first() else { return };
    let solvers: Vec<&Outcome> = outcomes.iter().take_while(|outcome| outcome.scene == first.scene).collect();
    let names: Vec<&str> = solvers.iter().map(|outcome| outcome.solver.as_str()).collect();
    let _ = writeln!(text, "| scene | {} |\n| --- |{}", names.join(" | "), " --- |".repeat(names.len()));
    for row in outcomes.chunk_by(|a, b| a.scene == b.scene) {
        let cells: Vec<String> = row.iter().map(&cell).collect();
        let _ = writeln!(text, "| {} | {} |", row[0].scene, cells.join(" | "));
    }
}

/// One line a run.
pub(super) fn csv(outcomes: &[Outcome]) -> String {
    let mut text =
        String::from("scene,solver,distance,along,held,expected,ms_per_step,steps,worst_residual,unsolved,stopped\n");
    for o in outcomes {
        let [distance, along] = [o.distance, o.along].map(|d| d.map_or_else(String::new, |d| format!("{d:e}")));
        let stopped = o.stopped.as_deref().unwrap_or("").replace('"', "'");
        let _ = writeln!(
            text,
            "\"{}\",{},{distance},{along},{},{},{:.4},{},{:e},{},\"{stopped}\"",
            o.scene, o.solver, o.held, o.expected, o.milliseconds, o.steps, o.worst_residual, o.unsolved
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(solver: &str, distance: Option<f64>, stopped: Option<&str>) -> Outcome {
        Outcome {
            scene: "slope".into(),
            solver: solver.into(),
            distance,
            along: distance.map(|d| 0.5 * d),
            held: 1,
            expected: 2,
            missed: vec!["downhill".into()],
            milliseconds: 0.5,
            steps: 10,
            worst_residual: 1e-9,
            unsolved: 3,
            stopped: stopped.map(Into::into),
        }
    }

    #[test]
    fn tables_say_what_is_near_and_what_went_wrong() {
        let all = [
            outcome("auto", None, None),
            outcome("newton", Some(2e-3), None),
            outcome("slow", None, Some("at t = 1 s: why")),
        ];
        let text = markdown(&all);
        assert!(text.contains("| scene | auto | newton | slow |\n| --- | --- | --- | --- |"), "{text}");
        assert!(text.contains("| slope | 1/2 | 2e-3 (1/2) | stopped |"), "{text}");
        assert!(text.contains("- slope, newton: missed downhill; 3 of 10 steps above the tolerance"), "{text}");
        assert!(text.contains("- slope, slow: stopped at t = 1 s: why"), "{text}");
        let rows = csv(&all);
        assert_eq!(rows.lines().count(), 4);
        assert!(rows.lines().nth(2).unwrap().starts_with("\"slope\",newton,2e-3,1e-3,1,2,0.5000,10,1e-9,3,"), "{rows}");
    }
}
