//! The figure of facets: distances over their number, both logarithmic, with lines of first and second order beside them.
//!
//! A polygon with n corners around a smooth convex curve is off by O(1/n²), and so is the dissipation: places along the motion are as well. The force on a sliding body is at a corner, though,
//! and corners are O(1/n) apart: across the motion, places are off by that.

use super::outcome::Outcome;
use crate::figure::{Axis, Color, Curve, Dash, Figure, Panel, palette};

/// Draws the distances of each scene over the number of facets.
pub(super) fn figure(outcomes: &[Outcome]) -> Figure {
    let mut curves: Vec<Curve> = Vec::new();
    for (k, group) in outcomes.chunk_by(|a, b| a.scene == b.scene).enumerate() {
        for (part, what) in ["distance", "along the motion"].into_iter().enumerate() {
            let points: Vec<[f64; 2]> = group.iter().filter_map(|outcome| point(outcome, part)).collect();
            if !points.is_empty() {
                let label = format!("{}, {what}", group[0].scene);
                let dash = [Dash::Solid, Dash::Dotted][part];
                curves.push(Curve { markers: true, dash, ..Curve::line(label, points, palette(k)) });
            }
        }
    }
    let all = || curves.iter().flat_map(|curve| curve.points.iter());
    let bounds = |k: usize| all().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[k]), h.max(p[k])));
    let ((left, right), (low, high)) = (bounds(0), bounds(1));
    if high.is_finite() {
        for (order, label) in [(1.0, "1/n"), (2.0, "1/n²")] {
            let line = vec![[left, high], [right, high - order * (right - left)]];
            curves.push(Curve { dash: Dash::Dashed, width: 1.0, ..Curve::line(label, line, Color::INK) });
        }
    }
    let panel = Panel {
        x: Axis::log10("facets n", left - 0.05, right + 0.05),
        y: Axis::log10("part of the path", low - 0.3, high + 0.3),
        curves,
        legend: true,
        ..Panel::default()
    };
    Figure {
        title: "Polygons in the place of round friction sets".into(),
        caption: Some(
            "Distance of the end places from those of the exact sets, as a fraction of the longest path.".into(),
        ),
        panels: vec![panel],
        panel_width: 560.0,
        ..Figure::default()
    }
}

/// Logarithms of the facets and of the distance, or of its part along the motion; zero has none.
fn point(outcome: &Outcome, part: usize) -> Option<[f64; 2]> {
    let facets: f64 = outcome.solver.split_once(':')?.1.parse().ok()?;
    let distance = [outcome.distance, outcome.along][part].filter(|d| *d > 0.0)?;
    Some([facets.log10(), distance.log10()])
}
