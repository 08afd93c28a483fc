//! The figure of a material: limit curve, coefficient by direction, slopes.

use std::f64::consts::TAU;

use asperity::material::Statistics;
use asperity_friction::set::ConvexSet;
use asperity_friction::{ContactLaw, Tangential};
use glam::DVec2;

use super::source::Source;
use crate::figure::{Axis, Curve, Figure, Panel, palette};

/// Points of a closed curve.
const POINTS: u32 = 360;
/// Classes of a distribution.
const CLASSES: usize = 60;

pub(super) fn figure(source: &Source, partner: Option<&Source>, statistics: &Statistics, law: &ContactLaw) -> Figure {
    let directions = || (0..POINTS).map(|k| DVec2::from_angle(TAU * f64::from(k) / f64::from(POINTS)));
    let limit = match law.set() {
        Some(set) => directions().map(|d| set.support_point(Tangential::planar(d)).plane.to_array()).collect(),
        None => Vec::new(),
    };
    let polar = directions().map(|d| (d * law.coefficient(d)).to_array()).collect();
    let plane = |title: &str, x: &str, y: &str, points: Vec<[f64; 2]>, fill: bool| {
        let curve = Curve::outline("", points, palette(0));
        let fill = fill.then(|| palette(0).with_opacity(0.12));
        Panel {
            title: title.into(),
            x: Axis::new(x),
            y: Axis::new(y),
            equal_aspect: true,
            origin_cross: true,
            curves: vec![Curve { label: None, fill, ..curve }],
            ..Panel::default()
        }
    };
    let against = partner.map_or_else(|| "a smooth partner".to_owned(), |partner| partner.name.clone());
    let ra = statistics.ra.map_or_else(String::new, |ra| format!("Ra {:.4} mm; ", 1e3 * ra));
    let caption = format!(
        "{ra}slopes deviate by {:.4} along u and {:.4} along v; the steepest facet has {:.1}°. Forces act on the partner, which slides \
         along d over the material; u is to the right, v up. Salience is 1 on both.",
        statistics.deviation.x,
        statistics.deviation.y,
        statistics.steepest.to_degrees(),
    );
    Figure {
        title: format!("{} under {against}", source.name),
        caption: Some(caption),
        columns: 3,
        panels: vec![
            plane("limit curve", "force along u, per load", "force along v, per load", limit, true),
            plane("coefficient against sliding along d", "μ(d) d along u", "μ(d) d along v", polar, false),
            distribution(&source.relief.slopes),
        ],
        panel_width: 360.0,
        ..Figure::default()
    }
}

/// How many facets have which slope.
fn distribution(slopes: &[DVec2]) -> Panel {
    let most = slopes.iter().map(|p| p.abs().max_element()).fold(1e-9, f64::max);
    let curve = |label: &str, part: fn(&DVec2) -> f64, color| {
        let mut counts = [0.0f64; CLASSES];
        for p in slopes {
            let at = (0.5 * (part(p) / most + 1.0) * CLASSES as f64) as usize;
            counts[at.min(CLASSES - 1)] += 100.0 / slopes.len() as f64;
        }
        let middle = |k: usize| (2.0 * (k as f64 + 0.5) / CLASSES as f64 - 1.0) * most;
        Curve::line(label, counts.iter().enumerate().map(|(k, c)| [middle(k), *c]).collect(), color)
    };
    Panel {
        title: "slopes of the facets".into(),
        x: Axis::new("slope"),
        y: Axis::new("facets [%]"),
        curves: vec![curve("along u", |p| p.x, palette(0)), curve("along v", |p| p.y, palette(1))],
        legend: true,
        ..Panel::default()
    }
}
