//! `asperity material`: the statistics of a facet map, and its friction against a partner.

mod draw;
mod source;

use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use asperity::material::{MATERIALS, Statistics};
use asperity_friction::model::{FacetForm, Facets, FrictionModel};
use asperity_friction::{ContactFrame, ContactLaw, ContactState, FacetSlopes, SurfaceSample};
use clap::Args;
use glam::{DVec2, DVec3};

use self::source::Source;
use crate::error::CliError;
use crate::output::{self, Output};

/// Shown below `asperity material --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity material                                   lists the procedural materials
  asperity material oak                               numbers, and out/oak.svg
  asperity material sawtooth --set height=0.002       with another height
  asperity material gaussian --set ra=1e-3 --on plaster   against a partner
  asperity material bark.png --height 0.002 --size 0.1    an image of heights, 10 cm wide
  asperity material brick.png                         a normal map
  asperity material oak --maps oak                    also oak-normal.png and oak-height.png

Coefficients are those of a surface that slides over the material, for salience 1 on both sides.
Exit status: 0 when all is written, 1 when a file cannot be written, 2 for bad input. See docs/materials.md.";

/// Which material, and what to make of it.
#[derive(Args)]
pub(crate) struct MaterialArgs {
    /// A material by name, or a PNG image of normals or heights. Without it, the names are listed.
    #[arg(value_name = "MATERIAL")]
    material: Option<String>,
    /// The partner: a material or an image; smooth without it.
    #[arg(long, value_name = "MATERIAL")]
    on: Option<String>,
    /// Sets a parameter of the material: a key and a TOML value.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// How much higher white is than black, in metres: the image is one of heights.
    #[arg(long, value_name = "METRES")]
    height: Option<f64>,
    /// How large an image is, in metres.
    #[arg(long, value_name = "METRES", default_value_t = 1.0)]
    size: f64,
    /// Friction of smooth surfaces, to which that of the facets is added. The default is that of the published experiments.
    #[arg(long, value_name = "MU", default_value_t = 0.2)]
    mu0: f64,
    /// The figure, .svg or .png; out/NAME.svg without it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also writes PREFIX-normal.png and PREFIX-height.png, 16 bits.
    #[arg(long, value_name = "PREFIX")]
    maps: Option<String>,
}

/// Directions of the table, in a full circle.
const DIRECTIONS: u32 = 8;

/// Prints and draws the properties of the material. All files are complete before the first is written.
pub(crate) fn run(args: &MaterialArgs) -> Result<(), CliError> {
    let Some(name) = &args.material else { return output::say(&listed()) };
    let source = Source::read(name, &args.set, args.height, args.size)?;
    let partner = args.on.as_ref().map(|name| Source::read(name, &[], None, args.size)).transpose()?;
    let path = args.out.clone().unwrap_or_else(|| Path::new("out").join(format!("{}.svg", source.stem())));
    let maps = args.maps.iter().map(|prefix| PathBuf::from(format!("{prefix}-normal.png")));
    output::refuse_unwritable(std::iter::once(path.clone()).chain(maps))?;
    let statistics = Statistics::new(&source.relief);
    let law = law(args.mu0, &source, partner.as_ref())?;
    let figure = draw::figure(&source, partner.as_ref(), &statistics, &law);
    let mut files = vec![Output { bytes: figure.render(&path)?, path }];
    if let Some(prefix) = &args.maps {
        let failed = |error: asperity::body::surface::TextureError| CliError::Output(error.to_string());
        let normal = source.relief.normal_png().map_err(failed)?;
        files.push(Output { path: PathBuf::from(format!("{prefix}-normal.png")), bytes: normal });
        if let Some(height) = source.relief.height_png() {
            let bytes = height.map_err(failed)?.bytes;
            files.push(Output { path: PathBuf::from(format!("{prefix}-height.png")), bytes });
        }
    }
    output::write_files(&files)?;
    let written: Vec<String> = files.iter().map(|file| file.path.display().to_string()).collect();
    output::say(&format!("{}wrote {}\n", told(&source, &statistics, &law, args.mu0), written.join(", ")))
}

fn listed() -> String {
    let mut text = String::new();
    for (name, doc) in MATERIALS {
        let _ = writeln!(text, "{name:10} {doc}");
    }
    text
}

/// The law of the whole relief as B, t along u and b along v, under the partner as A. A's skin is seen from its back: its u is along t, its
/// v against b.
fn law(mu0: f64, source: &Source, partner: Option<&Source>) -> Result<ContactLaw, CliError> {
    let below = &source.relief.slopes;
    let above: Vec<DVec2> =
        partner.map_or_else(Vec::new, |p| p.relief.slopes.iter().map(|p| DVec2::new(p.x, -p.y)).collect());
    let input = |error: asperity_friction::FrictionError| CliError::Input(error.to_string());
    let sample = |slopes| SurfaceSample { facets: slopes, ..SurfaceSample::default() };
    let upper = if above.is_empty() { FacetSlopes::Flat } else { FacetSlopes::Patch(&above) };
    let frame = ContactFrame::new(DVec3::Y, DVec3::X).map_err(input)?;
    let state = ContactState::new(frame, sample(upper), sample(FacetSlopes::Patch(below)));
    let model = Facets { mu0: mu0.into(), form: FacetForm::Exact { merge: 1e-4 }, ..Facets::default() };
    FrictionModel::from(model).law(&state).map_err(input)
}

fn told(source: &Source, statistics: &Statistics, law: &ContactLaw, mu0: f64) -> String {
    let relief = &source.relief;
    let mut text = format!(
        "{}: {} x {} texels, {:.4} x {:.4} m\n",
        source.name, relief.width, relief.height, relief.size.x, relief.size.y
    );
    match statistics.ra {
        Some(ra) => {
            let _ = writeln!(text, "roughness Ra     {:.4} mm", 1e3 * ra);
        }
        None => text.push_str("roughness Ra     unknown: a normal map has no heights\n"),
    }
    // Rounding noise would be shown as -0.0000.
    let near = |x: f64| if x.abs() < 5e-5 { 0.0 } else { x };
    let (d, m) = (statistics.deviation, DVec2::new(near(statistics.mean.x), near(statistics.mean.y)));
    let _ = writeln!(text, "slope deviation  {:.4} along u, {:.4} along v", d.x, d.y);
    let _ = writeln!(text, "mean slope       {:.4} along u, {:.4} along v", m.x, m.y);
    let _ = writeln!(text, "steepest facet   {:.1} degrees", statistics.steepest.to_degrees());
    let _ = writeln!(text, "smooth surfaces  {mu0} (mu0, part of all coefficients below; --mu0 sets it)");
    text.push_str("sliding along    coefficient\n");
    for k in 0..DIRECTIONS {
        let angle = TAU * f64::from(k) / f64::from(DIRECTIONS);
        let _ =
            writeln!(text, "{:>6.0} degrees   {:.4}", angle.to_degrees(), law.coefficient(DVec2::from_angle(angle)));
    }
    text
}
