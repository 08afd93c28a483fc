//! The Matchstick interpolation (Erleben et al. 2020, figure 2): the cone as the grain directions turn from parallel to
//! crossed.

use asperity_friction::model::Matchstick;

use super::{Preset, refused};
use crate::cone::draw::{Look, angle_panel, from_zero, limit_panel, polar_panel};
use crate::cone::flags::LawFlags;
use crate::cone::pair::{Pair, direction};
use crate::cone::survey::Survey;
use crate::cone::table::Table;
use crate::cone::{Drawing, summary, survey_of};
use crate::error::CliError;
use crate::figure::{Axis, Curve, Dash, Figure, Panel, gradient, palette};

pub(super) const PRESET: Preset = Preset {
    name: "matchstick",
    summary: "the cone as the grains of two surfaces turn from 0 to 90 degrees (--mu, --mu-t, --mu-b change it)",
    flags: &["--mu", "--mu-t", "--mu-b"],
    draw,
};

/// Angles between the grain directions, in degrees.
const ANGLES: [f64; 7] = [0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0];

fn draw(flags: &LawFlags, samples: usize) -> Result<Drawing, CliError> {
    let (mu, mu_t, mu_b) = (flags.mu.unwrap_or(0.5), flags.mu_t.unwrap_or(0.2), flags.mu_b.unwrap_or(1.0));
    let model = Matchstick::new(mu, mu_t, mu_b).map_err(refused("matchstick"))?;
    let survey = |angle: f64| {
        let mut pair = Pair::new(format!("grains {angle} deg apart"), model);
        pair.a.structure = direction(-0.5 * angle).extend(0.0);
        pair.b.structure = direction(0.5 * angle).extend(0.0);
        survey_of(&pair, samples)
    };
    let surveys: Vec<Survey> = ANGLES.iter().map(|a| survey(*a)).collect::<Result<_, _>>()?;
    let look = |(s, angle): (_, &f64)| Look::line(s, format!("θ = {angle}°"), gradient(angle / 90.0), Dash::Solid);
    let looks: Vec<Look> = surveys.iter().zip(&ANGLES).map(look).collect();
    let figure = Figure {
        title: format!("Matchstick interpolation, μ = {mu}, μ_t = {mu_t}, μ_b = {mu_b}"),
        caption: Some(
            "The grain of A lies at −θ/2, that of B at +θ/2 about t. Parallel grains (θ = 0) give the fully anisotropic \
             ellipse, crossed ones the disk; both semi-axes are linear in θ."
                .into(),
        ),
        panels: vec![limit_panel(&looks), polar_panel(&looks), angle_panel(&looks), interpolation(&surveys)],
        columns: 2,
        shared_legend: true,
        ..Figure::default()
    };
    Ok(Drawing {
        figure,
        table: Table::of_surveys(&surveys),
        text: summary::table(&surveys.iter().collect::<Vec<_>>()) + "\n",
        advice: Vec::new(),
    })
}

/// Coefficients along t and b over the angle between the grains.
fn interpolation(surveys: &[Survey]) -> Panel {
    let along = |axis: usize| surveys.iter().zip(&ANGLES).map(|(s, a)| [*a, s.axes[axis]]).collect::<Vec<_>>();
    let curve = |name: &str, axis: usize, color: usize| Curve {
        markers: true,
        ..Curve::line(name, along(axis), palette(color))
    };
    let top = surveys.iter().flat_map(|s| s.axes).fold(0.0, f64::max);
    Panel {
        title: "coefficients over the angle between grains".into(),
        x: Axis::degrees("angle θ between the grains [°]", 0.0, 90.0),
        y: from_zero("coefficient", top),
        curves: vec![curve("along t, between the grains", 0, 0), curve("along b", 1, 1)],
        legend: true,
        ..Panel::default()
    }
}
