//! The figure of performance profiles: step lines over the ratio τ, whose axis is logarithmic.

use asperity_solve::solver::SolverEntry;

use super::profile::Profile;
use crate::figure::{Axis, Curve, Dash, Figure, Panel, palette};

/// The axis ends at the last jump, times this, so that it is seen.
const MARGIN: f64 = 1.25;
/// It shows a factor of two at least.
const LEAST_END: f64 = 2.0;

/// Widths of the lines, the first to the last.
const WIDEST: f64 = 3.6;
const NARROWEST: f64 = 1.6;

/// Draws the profiles of `solvers`; `runs` is how often each problem was solved.
pub(crate) fn figure(
    profiles: &[Profile],
    solvers: &[&SolverEntry],
    problems: usize,
    tolerance: f64,
    runs: u32,
) -> Figure {
    let last = profiles.iter().filter_map(Profile::largest).fold(1.0, f64::max);
    let end = LEAST_END.max(MARGIN * last);
    let curve = |(i, (profile, solver)): (usize, (&Profile, &&SolverEntry))| {
        let corners = profile.corners(end).into_iter().map(|[tau, share]| [tau.log10(), share]).collect();
        let label = format!("{} ({} of {problems})", solver.name, profile.solved());
        // Where lines coincide, the dashes of the upper one and the width of the lower one show both.
        let dash = [Dash::Solid, Dash::Dashed, Dash::Dotted][i % 3];
        let width = WIDEST - (WIDEST - NARROWEST) * i as f64 / (solvers.len() - 1).max(1) as f64;
        Curve { dash, width, ..Curve::line(label, corners, palette(i)) }
    };
    let curves = profiles.iter().zip(solvers).enumerate().map(curve).collect();
    let panel = Panel {
        x: Axis::log10("time relative to the fastest solver, τ", 0.0, end.log10()),
        // A line at 1 stays clear of the frame, as one at 0 does.
        y: Axis { range: Some((-0.02, 1.02)), ..Axis::new("share of problems solved") },
        curves,
        legend: true,
        ..Panel::default()
    };
    let plural = if problems == 1 { "" } else { "s" };
    let timing = if runs > 1 { format!(", the shortest of {runs} times") } else { String::new() };
    Figure {
        title: format!("Performance profile: {problems} problem{plural}"),
        caption: Some(format!(
            "For each solver, the share of all problems that it solves to an error of {tolerance:e} within τ times the time \
             of the fastest solver on that problem{timing}. Left end: how often it is the fastest. Right end: how many it \
             solves."
        )),
        panels: vec![panel],
        panel_width: 560.0,
        ..Figure::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity_solve::solver::SOLVERS;

    fn drawn(times: &[Vec<Option<f64>>]) -> Figure {
        let solvers: Vec<&SolverEntry> = SOLVERS.iter().take(2).collect();
        figure(&Profile::of_times(times, 2), &solvers, times.len(), 1e-8, 3)
    }

    #[test]
    fn curves_lie_on_a_logarithmic_axis_that_holds_them_all() {
        let found = drawn(&[vec![Some(1.0), Some(80.0)], vec![Some(2.0), None]]);
        let panel = &found.panels[0];
        assert_eq!(panel.x.range, Some((0.0, 2.0)));
        assert_eq!(panel.curves[0].points, [[0.0, 1.0], [2.0, 1.0]]);
        assert_eq!(panel.curves[1].points, [[0.0, 0.0], [80f64.log10(), 0.0], [80f64.log10(), 0.5], [2.0, 0.5]]);
        assert_eq!(panel.curves[1].label.as_deref(), Some("prox_gauss_seidel (1 of 2)"));
    }

    #[test]
    fn solvers_that_solve_nothing_are_drawn_too() {
        let found = drawn(&[vec![None, None]]);
        assert_eq!(found.panels[0].x.range, Some((0.0, 2f64.log10())));
        let svg = found.to_svg();
        assert!(svg.contains("auto (0 of 1)") && svg.contains("1 problem<") && !svg.contains("NaN"), "{svg}");
    }
}
