//! Three synthetic contact patches (Andrews et al. 2021, figure 8): the paper's 16 directions and box beside the exact
//! set. Without friction of smooth surfaces, μ0 = 0.

use asperity_friction::model::{FacetForm, Facets};
use glam::{DVec2, DVec3};

use super::Preset;
use crate::cone::draw::{Look, angle_panel, limit_panel};
use crate::cone::flags::LawFlags;
use crate::cone::pair::{Pair, SurfaceFacets};
use crate::cone::slopes::{self, PATCH};
use crate::cone::survey::Survey;
use crate::cone::table::Table;
use crate::cone::{Drawing, summary, survey_of};
use crate::error::CliError;
use crate::figure::{Axis, Color, Curve, Dash, Figure, Panel, palette};

pub(super) const PRESET: Preset = Preset {
    name: "facets",
    summary: "three synthetic patches of facets: 16 directions, box and exact set side by side",
    flags: &[],
    draw,
};

/// A row of the figure.
struct Patch {
    name: &'static str,
    a: Vec<DVec2>,
    b: Vec<DVec2>,
}

/// The rows. A sawtooth meets its own cast, as two combed surfaces would: A's normals are opposite to B's.
fn patches() -> [Patch; 3] {
    let teeth = slopes::sawtooth(0.6, 3.0);
    [
        Patch { name: "isotropic", a: slopes::gaussian([1.0, 1.0], 1), b: slopes::gaussian([1.0, 1.0], 2) },
        Patch { name: "anisotropic", a: slopes::gaussian([0.1, 1.0], 3), b: slopes::gaussian([0.1, 1.0], 4) },
        Patch { name: "sawtooth", a: teeth.iter().map(|p| -*p).collect(), b: teeth },
    ]
}

/// The columns, as the paper names them first.
const FORMS: [(&str, FacetForm); 3] = [
    ("16 directions", FacetForm::Polar { n: 16 }),
    ("box", FacetForm::Box),
    ("exact", FacetForm::Exact { merge: 0.0 }),
];

fn draw(_: &LawFlags, samples: usize) -> Result<Drawing, CliError> {
    let mut panels = Vec::new();
    let mut surveys = Vec::new();
    for patch in patches() {
        let row = FORMS
            .iter()
            .map(|(form_name, form)| {
                let model = Facets { form: *form, ..Facets::default() };
                let mut pair = Pair::new(format!("{} {form_name}", patch.name), model);
                pair.a.facets = SurfaceFacets::Patch(patch.a.clone());
                pair.b.facets = SurfaceFacets::Patch(patch.b.clone());
                survey_of(&pair, samples)
            })
            .collect::<Result<Vec<Survey>, _>>()?;
        panels.push(normal_map(&patch));
        panels.extend(row_panels(&row));
        surveys.extend(row);
    }
    let figure = Figure {
        title: "Facet friction of synthetic contact patches".into(),
        caption: Some(
            "Rows: Gaussian slopes with σ = (1, 1) and σ = (0.1, 1), and a sawtooth along b; A has another such patch, for \
             the sawtooth the cast of B's. Columns: normals of B; the hull of μ(d) d in 16 directions and the axis-aligned \
             box, both of the paper, over the exact set (dashed); the exact set, a zonotope. The exact set alone resists with \
             the mean over the facets in every direction (last column): the hull resists along the ridges of the sawtooth, \
             where no facet does, and the box resists too much off the axes."
                .into(),
        ),
        panels,
        columns: 5,
        panel_width: 300.0,
        shared_legend: true,
    };
    Ok(Drawing {
        figure,
        table: Table::of_surveys(&surveys),
        text: summary::table(&surveys.iter().collect::<Vec<_>>()) + "\n",
        advice: Vec::new(),
    })
}

/// Limit curves beside each other over the same ranges, then all coefficients over the angle.
fn row_panels(row: &[Survey]) -> Vec<Panel> {
    let reach = row.iter().flat_map(|s| &s.outline).map(|f| f.abs().max_element()).fold(0.0, f64::max);
    let range = Some((-1.1 * reach, 1.1 * reach));
    let exact = &row[2];
    let mut panels: Vec<Panel> = row
        .iter()
        .enumerate()
        .map(|(i, survey)| {
            // Below, so that a set that is the exact one shows.
            let mut looks = vec![Look::line(exact, "", color_of(2), Dash::Dashed)];
            looks.push(Look::filled(survey, "", color_of(i)));
            let mut panel = limit_panel(&looks);
            panel.title = ["16 directions", "box", "exact set"][i].into();
            panel.x = Axis { range, ..Axis::new("force along t, per load") };
            panel.y = Axis { range, ..Axis::new("force along b, per load") };
            panel
        })
        .collect();
    let looks = [
        Look::line(exact, "exact set", color_of(2), Dash::Solid),
        Look::line(&row[1], "box", color_of(1), Dash::Dashed),
        Look::line(&row[0], "hull of 16 directions", color_of(0), Dash::Solid),
    ];
    panels.push(angle_panel(&looks));
    panels
}

/// The colour of a column.
fn color_of(i: usize) -> Color {
    palette([1, 4, 0][i])
}

/// The normal map of B, a coloured square for each texel.
fn normal_map(patch: &Patch) -> Panel {
    let square = |(i, p): (usize, &DVec2)| {
        texel([(i % PATCH) as f64, (i / PATCH) as f64], DVec3::new(p.x, p.y, 1.0).normalize())
    };
    let range = Some((0.0, PATCH as f64));
    Panel {
        title: format!("{}: normals of B", patch.name),
        x: Axis { range, ..Axis::new("texel along t") },
        y: Axis { range, ..Axis::new("texel along b") },
        equal_aspect: true,
        curves: patch.b.iter().enumerate().map(square).collect(),
        ..Panel::default()
    }
}

fn texel([x, y]: [f64; 2], normal: DVec3) -> Curve {
    let channel = |c: f64| (127.5 * (c + 1.0)).round() as u32;
    let rgb = channel(normal.x) << 16 | channel(normal.y) << 8 | channel(normal.z);
    let corners = vec![[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]];
    let color = Color::hex(rgb);
    Curve { fill: Some(color), width: 0.8, ..Curve::outline("", corners, color) }
}
