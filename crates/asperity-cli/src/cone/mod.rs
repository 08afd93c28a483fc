//! `asperity cone`: draws what a material pair does, and says it in numbers.

pub(crate) mod advice;
mod dependence;
mod document;
mod draw;
mod flags;
pub(crate) mod law_text;
mod line;
mod number;
mod outline;
mod overrides;
mod pair;
mod pair_file;
pub(crate) mod preset;
mod slopes;
mod summary;
mod survey;
mod table;

use std::path::{Path, PathBuf};

use asperity::record::file_name;
use clap::Args;

use crate::error::CliError;
use crate::figure::{Figure, Format};
use crate::output::{self, Output};
use flags::{LawFlags, SlipFlags};
use pair::Pair;
use survey::Survey;
use table::Table;

/// Shown below `asperity cone --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity cone pair.toml
  asperity cone pair.toml --slip-deg 30 --out cone.svg,cone.png --csv cone.csv
  asperity cone --law coulomb --mu 0.5
  asperity cone --law matchstick --mu 0.2 --mu-t 0.2 --mu-b 3 --structure-a-deg 0 --structure-b-deg 30
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
Every key of every law, of [a], [b] and [slip]: docs/pair-files.md.
Flags go before what the file says; --mu, --mu-t, --mu-b and the structure angles where its law
has them.

The contact normal is n = +z, from B to A; t = +x, b = +y. Forces act on A and are per
unit load; A slides over B.

Columns of the table: curve; angle_deg; the largest force along that angle at which the
contact sticks (limit_t, limit_b); the coefficient against sliding of A along it; and the
friction force while it does (force_t, force_b).";

/// What to draw, and where to.
#[derive(Args)]
pub(crate) struct ConeArgs {
    /// The material pair; without it, flags or a preset.
    #[arg(value_name = "PAIR.toml", conflicts_with_all = ["preset", "law"])]
    pair: Option<PathBuf>,
    /// A ready-made figure; without a name, lists them.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["law", "slip_deg", "speed", "load"])]
    preset: Option<String>,
    #[command(flatten)]
    law: LawFlags,
    /// Figure to write, .svg or .png; several with commas, or repeated [default: out/NAME.svg with the name of the file, out/law-NAME.svg or out/preset-NAME.svg; none with --csv -].
    #[arg(long, short, value_name = "FILE", value_delimiter = ',', help_heading = "Output")]
    out: Vec<PathBuf>,
    /// Table to write; - is standard output.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,
    /// Directions, evenly spread from 0 degrees; 8 to 36000.
    #[arg(long, value_name = "N", default_value_t = 360, value_parser = clap::value_parser!(u32).range(8..=36_000), help_heading = "Output")]
    samples: u32,
    #[command(flatten)]
    slip: SlipFlags,
}

/// A figure, its numbers, and what to say of it.
pub(crate) struct Drawing {
    pub(crate) figure: Figure,
    pub(crate) table: Table,
    pub(crate) text: String,
    /// Lines for standard error: what is missing, what is ignored.
    pub(crate) advice: Vec<String>,
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
    let default = PathBuf::from(format!("out/{}.svg", default_name(args)));
    let to_stdout = args.csv.as_deref() == Some(Path::new("-"));
    let paths = if args.out.is_empty() && !to_stdout { vec![default] } else { args.out.clone() };
    // What the default is called is checked when the pair is read.
    output::refuse_unwritable(args.out.iter().chain(args.csv.as_ref().filter(|_| !to_stdout)).cloned())?;
    let drawing = draw(args)?;
    let mut outputs = Vec::new();
    for path in paths {
        outputs.push(Output { bytes: drawing.figure.render(&path)?, path });
    }
    if let Some(path) = args.csv.as_ref().filter(|_| !to_stdout) {
        outputs.push(Output { path: path.clone(), bytes: drawing.table.to_csv().into_bytes() });
    }
    output::write_files(&outputs)?;
    for line in &drawing.advice {
        output::say_aside(&format!("{line}\n"))?;
    }
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

/// Of the figure, when no name is given: a file, a law and a preset of the same name do not overwrite each other.
fn default_name(args: &ConeArgs) -> String {
    match (&args.preset, &args.law.law, &args.pair) {
        (Some(preset), ..) => format!("preset-{preset}"),
        (_, Some(law), _) => format!("law-{}", law.replace('-', "_")),
        (_, _, Some(path)) => file_name(&pair_file::stem(path)),
        _ => "pair".into(),
    }
}

fn draw(args: &ConeArgs) -> Result<Drawing, CliError> {
    let samples = args.samples as usize;
    if let Some(name) = &args.preset {
        return preset::draw(name, &args.law, samples);
    }
    let mut pair = match &args.pair {
        Some(path) => {
            let mut pair = pair_file::read(path)?;
            overrides::apply_law(&args.law, &mut pair)?;
            pair
        }
        None if args.law.any() => args.law.pair()?,
        None => return Err(CliError::Input("nothing to draw: give PAIR.toml, --law or --preset (see --help)".into())),
    };
    overrides::apply_slip(&args.slip, &mut pair)?;
    draw_pair(&pair, samples)
}

fn draw_pair(pair: &Pair, samples: usize) -> Result<Drawing, CliError> {
    let survey = survey_of(pair, samples)?;
    Ok(Drawing {
        figure: draw::pair_figure(&survey),
        table: Table::of_surveys([&survey]),
        text: format!("{}\n{}", summary::table(&[&survey]), summary::details(&survey)),
        advice: advice::advice(pair),
    })
}

/// The survey of a pair, or what is wrong with the pair.
fn survey_of(pair: &Pair, samples: usize) -> Result<Survey, CliError> {
    Survey::of(pair, samples).map_err(|error| CliError::Input(format!("{}: {error}", pair.name)))
}
