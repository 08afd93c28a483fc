//! Figures of surveys: limit curve, polar coefficient, coefficient over the angle.

use glam::DVec2;

use super::dependence::{Dependence, Quantity};
use super::line::Line;
use super::number::{angle, number, short};
use super::pair::direction;
use super::survey::{Extreme, Survey};
use crate::figure::{Arrow, Axis, Color, Curve, Dash, Figure, Panel, palette};

/// A survey and how its curves look.
pub(crate) struct Look<'a> {
    pub(crate) survey: &'a Survey,
    /// Name in the legend; none when empty.
    pub(crate) label: String,
    pub(crate) color: Color,
    pub(crate) dash: Dash,
    /// Whether the limit curve is filled.
    pub(crate) fill: bool,
}

impl<'a> Look<'a> {
    /// A solid outline, filled.
    pub(crate) fn filled(survey: &'a Survey, label: impl Into<String>, color: Color) -> Self {
        Self { survey, label: label.into(), color, dash: Dash::Solid, fill: true }
    }

    /// An outline only.
    pub(crate) fn line(survey: &'a Survey, label: impl Into<String>, color: Color, dash: Dash) -> Self {
        Self { survey, label: label.into(), color, dash, fill: false }
    }

    fn curve(&self, points: Vec<[f64; 2]>, closed: bool) -> Curve {
        Curve { closed, dash: self.dash, ..Curve::line(self.label.clone(), points, self.color) }
    }
}

/// Points of the plane as the figure takes them.
pub(crate) fn points(plane: &[DVec2]) -> Vec<[f64; 2]> {
    plane.iter().map(|p| p.to_array()).collect()
}

/// A panel of the contact plane.
fn plane(title: &str, x: &str, y: &str) -> Panel {
    Panel {
        title: title.into(),
        x: Axis::new(x),
        y: Axis::new(y),
        equal_aspect: true,
        origin_cross: true,
        ..Panel::default()
    }
}

/// Limit curves: the forces on A at which the contact sticks.
pub(crate) fn limit_panel(looks: &[Look]) -> Panel {
    let mut panel = plane("limit curve", "force on A along t, per load", "force on A along b, per load");
    let fill = |l: &Look| l.fill.then(|| l.color.with_opacity(0.12));
    panel.curves = looks.iter().map(|l| Curve { fill: fill(l), ..l.curve(points(&l.survey.outline), true) }).collect();
    panel
}

/// μ(d) d for every sliding direction d.
pub(crate) fn polar_panel(looks: &[Look]) -> Panel {
    let mut panel = plane("coefficient against sliding along d", "μ(d) d along t", "μ(d) d along b");
    panel.curves = looks
        .iter()
        .map(|l| {
            let polar = l.survey.readings.iter().map(|r| (direction(r.angle_deg) * r.coefficient).to_array());
            l.curve(polar.collect(), true)
        })
        .collect();
    panel
}

/// μ over the angle of the sliding direction.
pub(crate) fn angle_panel(looks: &[Look]) -> Panel {
    let curves: Vec<Curve> = looks
        .iter()
        .map(|l| {
            let readings = &l.survey.readings;
            let over = readings.iter().map(|r| [r.angle_deg, r.coefficient]);
            let last = readings.first().map(|r| [360.0, r.coefficient]);
            l.curve(over.chain(last).collect(), false)
        })
        .collect();
    let top = curves.iter().flat_map(|c| &c.points).map(|p| p[1]).fold(0.0, f64::max);
    Panel {
        title: "coefficient over the angle".into(),
        x: Axis::degrees("sliding direction d, from t towards b [°]", 0.0, 360.0),
        y: from_zero("coefficient μ(d)", top),
        curves,
        ..Panel::default()
    }
}

/// An axis from zero to a little above `top`.
pub(crate) fn from_zero(label: &str, top: f64) -> Axis {
    let range = (top > 0.0 && top.is_finite()).then_some((0.0, 1.08 * top));
    Axis { range, ..Axis::new(label) }
}

/// An arrow from the origin.
pub(crate) fn arrow(to: DVec2, color: Color, label: &str) -> Arrow {
    Arrow { from: [0.0, 0.0], to: to.to_array(), color, label: Some(label.into()), head: true }
}

/// The figure of one pair.
pub(crate) fn pair_figure(survey: &Survey) -> Figure {
    let look = [Look::filled(survey, limit_label(survey), palette(0))];
    let (mut limit, mut polar, mut over) = (limit_panel(&look), polar_panel(&look), angle_panel(&look));
    if let Some(hull) = &survey.hull {
        let curve = Curve::outline("direction set", points(hull), palette(2));
        limit.curves.push(Curve { dash: Dash::Dashed, ..curve });
    }
    if let Some(sliding) = &survey.sliding {
        let label = format!("force while sliding at {} m/s", short(survey.speed));
        limit.curves.push(Curve { dash: Dash::Dashed, ..Curve::outline(label, points(sliding), palette(2)) });
    }
    limit.arrows.extend(structure_lines(survey));
    if survey.slip.is_some() {
        draw_slip(survey, &mut limit, &mut polar, &mut over);
    }
    limit.legend = true;
    for panel in [&mut polar, &mut over] {
        panel.curves[0].label = None;
    }
    let mut panels = vec![limit];
    if survey.dependences.is_empty() {
        panels.push(polar);
    }
    panels.extend(survey.dependences.iter().map(|d| dependence_panel(d, survey.is_isotropic())));
    panels.push(over);
    Figure {
        title: title(survey),
        caption: Some(caption(survey)),
        columns: panels.len(),
        panels,
        panel_width: 360.0,
        ..Figure::default()
    }
}

/// The name of the file, unless it is that of the law, and the law with its parameters.
fn title(survey: &Survey) -> String {
    if survey.law.starts_with(&survey.name) { survey.law.clone() } else { format!("{}: {}", survey.name, survey.law) }
}

/// Thin lines along the structure of A and B, as far as the limit curve reaches.
fn structure_lines(survey: &Survey) -> Vec<Arrow> {
    let size = Some(reach(survey)).filter(|r| *r > 0.0).unwrap_or(1.0);
    let line = |along: DVec2, label: &str, color: Color| Arrow {
        from: (along * -size).to_array(),
        head: false,
        ..arrow(along * size, color, label)
    };
    match survey.structure {
        // Grain has no sense: parallel and opposite are the same line.
        [Some(a), Some(b)] if a.perp_dot(b).abs() < 1e-6 => vec![line(a, "grain A, B", palette(3))],
        [a, b] => {
            let each = [(a, "grain A", palette(3)), (b, "grain B", palette(4))];
            each.into_iter().filter_map(|(along, label, color)| Some(line(along?, label, color))).collect()
        }
    }
}

/// How far the limit curve reaches.
fn reach(survey: &Survey) -> f64 {
    survey.outline.iter().map(|f| f.length()).fold(0.0, f64::max)
}

/// The coefficient along one direction over slip speed or load, and where the other panels are taken.
fn dependence_panel(d: &Dependence, isotropic: bool) -> Panel {
    let (what, unit, label) = match d.on {
        Quantity::Speed => ("slip speed", "m/s", "slip speed [m/s]"),
        Quantity::Load => ("load", "N", "load [N]"),
    };
    let end = d.curve.last().map_or(1.0, |p| p[0]);
    let top = d.curve.iter().map(|p| p[1]).chain([d.here[1]]).fold(0.0, f64::max);
    let along = if isotropic {
        "sliding in any direction".into()
    } else {
        format!("sliding along {}°", angle(super::pair::degrees(d.along)))
    };
    let [x, mu] = d.here;
    let beyond = if x > end { " (beyond the right end)" } else { "" };
    let here = format!("other panels: {} at {} {unit}{beyond}", number(mu), short(x));
    let mark = if x > end { end } else { x };
    let here = Curve { markers: true, ..Curve::line(here, vec![[mark, mu]], palette(1)) };
    Panel {
        title: format!("coefficient over {what}"),
        x: Axis { range: Some((0.0, end)), ..Axis::new(label) },
        y: from_zero("coefficient μ", top),
        curves: vec![Curve::line(along, d.curve.clone(), palette(0)), here],
        legend: true,
        ..Panel::default()
    }
}

fn limit_label(survey: &Survey) -> &'static str {
    match (survey.is_set, survey.hull.is_some()) {
        (true, _) => "sticks within",
        (false, true) => "sticks within (magnitude)",
        (false, false) => "force for every slip direction",
    }
}

fn caption(survey: &Survey) -> String {
    let mut text = if survey.is_isotropic() {
        format!("Coefficient {} in every direction", number(survey.largest.value))
    } else {
        let told = |e: Extreme| format!("{} along {}°", number(e.value), angle(e.angle_deg));
        format!("Coefficient from {} to {}", told(survey.least), told(survey.largest))
    };
    for d in &survey.dependences {
        let unit = if d.on == Quantity::Speed { "m/s" } else { "N" };
        text.push_str(&format!(", at {} {unit}", short(d.here[0])));
    }
    for Line { name, text: value } in survey.moments.lines() {
        text.push_str(&format!("; {name} {value}"));
    }
    text.push_str(". The contact normal points from B to A; t = +x, b = +y. Forces act on A; A slides along d over B.");
    if survey.slip.is_some() {
        text.push_str(
            " Arrows: the slip (its length is arbitrary) and the friction force; at the dotted line forces brake \
             this slip equally.",
        );
    }
    text
}

/// The line of all forces that brake the slip `d` like `force` does: it touches a set where dissipation is largest.
pub(crate) fn power_line(d: DVec2, force: DVec2, half_length: f64) -> Curve {
    let across = d.perp() * half_length;
    let line = Curve::line("brakes equally", points(&[force - across, force + across]), Color::GREY);
    Curve { dash: Dash::Dotted, width: 1.4, ..line }
}

/// Arrows for the slip and its force, and where the slip is in the other panels.
fn draw_slip(survey: &Survey, limit: &mut Panel, polar: &mut Panel, over: &mut Panel) {
    let Some(slip) = survey.slip else { return };
    let Some(d) = slip.slip.plane.try_normalize() else { return };
    let force = if survey.load > 0.0 { slip.force.plane / survey.load } else { DVec2::ZERO };
    let size = reach(survey);
    let (ink, red) = (Color::INK, palette(1));
    limit.curves.push(power_line(d, force, 0.6 * size));
    limit.arrows.push(arrow(d * (0.75 * size), ink, "slip"));
    limit.arrows.push(arrow(force, red, "force"));
    let mu = -force.dot(d);
    polar.arrows.push(arrow(d * mu, red, &format!("{mu:.3}")));
    let angle = super::pair::degrees(d);
    let guide = Curve::line("", vec![[angle, 0.0], [angle, mu]], red);
    over.curves.push(Curve { dash: Dash::Dotted, ..guide });
    over.curves.push(Curve { markers: true, ..Curve::line("", vec![[angle, mu]], red) });
}
