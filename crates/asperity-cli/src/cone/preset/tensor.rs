//! Friction tensors: the slip rule (Pabst et al. 2009) beside the elliptic cone of the same tensor (Erleben et al. 2020,
//! A.10 and A.11), and a rule whose forward is not its backward.
//!
//! Rule and cone have the same limit curve, L applied to the unit circle; they take different points of it for a slip.

use asperity_friction::FrictionError;
use asperity_friction::Tangential;
use asperity_friction::model::{FrictionModel, TensorComposition, TensorCone, TensorRule};
use asperity_friction::tensor::SurfaceTensor;
use glam::DVec2;

use super::{Preset, refused};
use crate::cone::draw::{Look, angle_panel, arrow, limit_panel, power_line};
use crate::cone::flags::LawFlags;
use crate::cone::pair::{Pair, direction};
use crate::cone::survey::Survey;
use crate::cone::table::Table;
use crate::cone::{Drawing, summary, survey_of};
use crate::error::CliError;
use crate::figure::{Axis, Color, Curve, Dash, Figure, Panel, palette};

pub(super) const PRESET: Preset = Preset {
    name: "tensor",
    summary: "a friction tensor's slip rule beside its cone, and an asymmetric tensor",
    flags: &[],
    draw,
};

/// Principal axes of the tensors, turned from (t, b).
const AXIS_DEG: f64 = 30.0;

fn draw(_: &LawFlags, samples: usize) -> Result<Drawing, CliError> {
    let whole = TensorComposition::Additive { kappa: 1.0 };
    let same = SurfaceTensor::orthotropic(0.2, 1.0, 0.0);
    let skew = SurfaceTensor::asymmetric([[0.2, 0.0], [0.0, 1.0]], [[0.7, 0.0], [0.0, 0.4]]);
    let survey = |name: &str, model: FrictionModel, tensor: &Result<SurfaceTensor, FrictionError>| {
        let mut pair = Pair::new(name, model);
        pair.b.tangent = direction(AXIS_DEG).extend(0.0);
        pair.b.tensor = tensor.clone().map_err(refused("tensor"))?;
        pair.slip = Some(Tangential::planar(direction(AXIS_DEG + 45.0)));
        survey_of(&pair, samples)
    };
    let rule = survey("rule", TensorRule { composition: whole }.into(), &same)?;
    let cone = survey("cone", TensorCone { composition: whole }.into(), &same)?;
    let asymmetric = survey("asymmetric rule", TensorRule { composition: whole }.into(), &skew)?;

    let cone_look = |label: &str| Look::filled(&cone, label, palette(0));
    let both = [cone_look("cone, maximum dissipation"), Look::line(&rule, "rule", palette(1), Dash::Dashed)];
    let alone = [Look::filled(&asymmetric, "asymmetric rule", palette(2))];
    let titled = |mut panel: Panel, title: &str| {
        panel.title = title.into();
        panel
    };
    let mut limit = titled(limit_panel(&both), "diag(0.2, 1): one curve, two laws");
    add_slip(&mut limit);
    add_force(&mut limit, &cone, palette(0), "cone");
    add_force(&mut limit, &rule, palette(1), "rule");
    let mut over = angle_panel(&both);
    mark(&mut over, 0, &cone);
    mark(&mut over, 1, &rule);
    over.legend = true;
    let mut over_alone = angle_panel(&alone);
    mark(&mut over_alone, 0, &asymmetric);
    over_alone.legend = true;
    let mut skewed = titled(limit_panel(&alone), "Q+ = diag(0.2, 1), Q− = diag(0.7, 0.4)");
    add_slip(&mut skewed);
    add_force(&mut skewed, &asymmetric, palette(2), "rule");
    let figure = Figure {
        title: "Friction tensors: slip rule and cone".into(),
        caption: Some(format!(
            "Principal axes at {AXIS_DEG}°. Above: the rule f = −L d and the cone of L share the limit curve, but for a slip \
             at 45° to the axes (grey arrow) the rule resists with 0.60, the cone, which brakes most, with 0.72 (dotted: forces that brake it equally). Below: Q+ \
             acts on the positive, Q− on the negative components of the slip, so that forward differs from backward; there \
             is no elliptic cone."
        )),
        panels: vec![limit, over, turn_panel(&both), skewed, over_alone, turn_panel(&alone)],
        columns: 3,
        shared_legend: true,
        ..Figure::default()
    };
    let surveys = [rule, cone, asymmetric];
    let mut text = summary::table(&surveys.iter().collect::<Vec<_>>());
    for survey in &surveys {
        text.push_str(&format!("\n{}\n{}", survey.name, summary::details(survey)));
    }
    Ok(Drawing { figure, table: Table::of_surveys(&surveys), text: text + "\n", advice: Vec::new() })
}

/// The slip that the arrows are for.
fn add_slip(panel: &mut Panel) {
    panel.arrows.push(arrow(direction(AXIS_DEG + 45.0) * 0.75, Color::GREY, "slip"));
}

/// The force of a law for that slip.
fn add_force(panel: &mut Panel, survey: &Survey, color: Color, label: &str) {
    let force = survey.slip.map_or(DVec2::ZERO, |s| s.force.plane);
    panel.arrows.push(arrow(force, color, label));
    panel.curves.push(power_line(direction(AXIS_DEG + 45.0), force, 0.45));
}

/// A dot at the slip that the arrows show, and its coefficient in the legend of the curve.
fn mark(panel: &mut Panel, index: usize, survey: &Survey) {
    let Some(slip) = survey.slip else { return };
    let (mu, color) = (-slip.power, panel.curves[index].stroke);
    panel.curves[index].label = Some(format!("{}: {mu:.2} at 45° to the axes", survey.name));
    panel.curves.push(Curve { markers: true, ..Curve::line("", vec![[AXIS_DEG + 45.0, mu]], color) });
}

/// The angle between the force and minus the slip, over the sliding direction.
fn turn_panel(looks: &[Look]) -> Panel {
    let curve = |look: &Look| {
        let turn = |angle: f64, force: DVec2| [angle, (-direction(angle)).angle_to(force).to_degrees()];
        let readings = &look.survey.readings;
        let over = readings.iter().map(|r| turn(r.angle_deg, r.force));
        let last = readings.first().map(|r| [360.0, turn(0.0, r.force)[1]]);
        Curve { dash: look.dash, ..Curve::line("", over.chain(last).collect(), look.color) }
    };
    Panel {
        title: "angle from −d to the force".into(),
        x: Axis::degrees("sliding direction d, from t towards b [°]", 0.0, 360.0),
        y: Axis::degrees("angle [°]", -75.0, 75.0),
        curves: looks.iter().map(curve).collect(),
        ..Panel::default()
    }
}
