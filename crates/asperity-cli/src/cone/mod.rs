//! `asperity cone`: draws what a material pair does, and says it in numbers.

mod document;
mod draw;
mod flags;
mod pair;
mod pair_file;
pub(crate) mod preset;
mod slopes;
mod summary;
mod survey;
mod table;

use std::path::{Path, PathBuf};

use asperity_friction::Tangential;
use clap::Args;

use crate::error::CliError;
use crate::figure::{Figure, Format};
use crate::output::{self, Output};
use flags::LawFlags;
use pair::Pair;
use survey::Survey;
use table::Table;

/// Shown below `asperity cone --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity cone pair.toml
  asperity cone pair.toml --slip-deg 30 --out cone.svg,cone.png --csv cone.csv
  asperity cone --law coulomb --mu 0.5
  asperity cone --law matchstick --mu 0.2 --mu-t 0.2 --mu-b 3 --grain-a-deg 0 --grain-b-deg 30
  asperity cone --preset facets --out facets.png
  asperity cone --preset                       (lists the presets)

A pair as TOML; `asperity list laws --examples` shows the parameters of every law:
  [law]
  kind = \"matchstick\"
  mu = 0.5
  mu_t = 0.2
  mu_b = 1.0
  [a]                        # the surface on which the forces act
  structure_deg = 0
  [b]                        # the other one
  structure_deg = 30
  [slip]                     # optional
  velocity = [0.1, 0.1]      # of A over B, m/s along t and b
  load = 2.0                 # N
Keys of [a] and [b]: structure or structure_deg; tangent_deg, mu, material, salience;
tensor; slopes, slopes_csv or gaussian = { sigma = [0.1, 1], angle_deg = 0 }.
Keys of [slip]: velocity, or direction_deg and speed; spin, load.

The contact normal is n = +z, from B to A; t = +x, b = +y. Forces act on A and are per
unit load; A slides over B.

Columns of the table: curve; angle_deg; the largest force along that angle at which the
contact sticks (limit_t, limit_b); the coefficient against sliding of A along it; and the
friction force while it does (force_t, force_b).";

/// What to draw, and where to.
#[derive(Args)]
pub(crate) struct ConeArgs {
    /// The material pair; without it, flags or a preset.
    #[arg(value_name = "PAIR.toml", conflicts_with_all = ["preset", "law", "mu", "mu_t", "mu_b", "grain_a_deg", "grain_b_deg"])]
    pair: Option<PathBuf>,
    /// A ready-made figure; without a name, lists them.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["law", "slip_deg", "speed"])]
    preset: Option<String>,
    #[command(flatten)]
    law: LawFlags,
    /// Figure to write, .svg or .png; several with commas, or repeated [default: out/cone-NAME.svg, none with --csv -].
    #[arg(long, short, value_name = "FILE", value_delimiter = ',', help_heading = "Output")]
    out: Vec<PathBuf>,
    /// Table to write; - is standard output.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,
    /// Directions, evenly spread from 0 degrees.
    #[arg(long, value_name = "N", default_value_t = 360, value_parser = clap::value_parser!(u32).range(8..=36_000), help_heading = "Output")]
    samples: u32,
    /// Draws the force while A slides in this direction.
    #[arg(long, value_name = "ANGLE", allow_negative_numbers = true, help_heading = "Slip")]
    slip_deg: Option<f64>,
    /// Slip speed in m/s, for laws that depend on it [default: 1, or the file's].
    #[arg(long, value_name = "V", allow_negative_numbers = true, help_heading = "Slip")]
    speed: Option<f64>,
}

/// A figure, its numbers, and what to say of it.
pub(crate) struct Drawing {
    /// Part of the default file name.
    pub(crate) name: String,
    pub(crate) figure: Figure,
    pub(crate) table: Table,
    pub(crate) text: String,
}

/// Draws, writes, says.
pub(crate) fn run(args: &ConeArgs) -> Result<(), CliError> {
    // Before anything is computed.
    for path in &args.out {
        Format::of(path)?;
    }
    if args.preset.as_deref() == Some("") {
        return output::say(&preset::list());
    }
    let drawing = draw(args)?;
    let mut outputs = Vec::new();
    let default = PathBuf::from(format!("out/cone-{}.svg", drawing.name));
    let to_stdout = args.csv.as_deref() == Some(Path::new("-"));
    let paths = if args.out.is_empty() && !to_stdout { vec![default] } else { args.out.clone() };
    for path in paths {
        outputs.push(Output { bytes: drawing.figure.render(&path)?, path });
    }
    if let Some(path) = args.csv.as_ref().filter(|_| !to_stdout) {
        outputs.push(Output { path: path.clone(), bytes: drawing.table.to_csv().into_bytes() });
    }
    if args.out.is_empty() && !to_stdout {
        std::fs::create_dir_all("out").map_err(|e| CliError::Output(format!("cannot make the folder 'out': {e}")))?;
    }
    output::write_files(&outputs)?;
    let mut text = drawing.text;
    for output in &outputs {
        text.push_str(&format!("wrote {}\n", output.path.display()));
    }
    if to_stdout {
        output::say_aside(&text)?;
        return output::say(&drawing.table.to_csv());
    }
    output::say(&text)
}

fn draw(args: &ConeArgs) -> Result<Drawing, CliError> {
    let samples = args.samples as usize;
    if let Some(name) = &args.preset {
        return preset::draw(name, &args.law, samples);
    }
    let mut pair = match &args.pair {
        Some(path) => pair_file::read(path)?,
        None if args.law.any() => args.law.pair()?,
        None => return Err(CliError::Input("nothing to draw: give PAIR.toml, --law or --preset (see --help)".into())),
    };
    apply_slip(args, &mut pair)?;
    draw_pair(&pair, samples)
}

/// The slip of the flags, which go before those of the file.
fn apply_slip(args: &ConeArgs, pair: &mut Pair) -> Result<(), CliError> {
    if let Some(speed) = args.speed {
        if !(speed.is_finite() && speed > 0.0) {
            return Err(CliError::Input(format!("--speed {speed}: must be finite and positive")));
        }
        pair.speed = speed;
        if let Some(slip) = &mut pair.slip {
            slip.plane = slip.plane.normalize_or_zero() * speed;
        }
    }
    if let Some(angle) = args.slip_deg {
        let d = pair::direction(flags::finite("--slip-deg", angle)?);
        let spin = pair.slip.map_or(0.0, |s| s.spin);
        pair.slip = Some(Tangential { spin, ..Tangential::planar(d * pair.speed) });
    }
    Ok(())
}

fn draw_pair(pair: &Pair, samples: usize) -> Result<Drawing, CliError> {
    let survey = survey_of(pair, samples)?;
    Ok(Drawing {
        name: survey.name.clone(),
        figure: draw::pair_figure(&survey),
        table: Table::of_surveys([&survey]),
        text: format!("{}\n{}", summary::table(&[&survey]), summary::details(&survey)),
    })
}

/// The survey of a pair, or what is wrong with the pair.
fn survey_of(pair: &Pair, samples: usize) -> Result<Survey, CliError> {
    Survey::of(pair, samples).map_err(|error| CliError::Input(format!("{}: {error}", pair.name)))
}
