//! `asperity list`: every friction set, friction law, solver, time stepper, shape, joint, measure and preset, and which laws move which bodies, from the catalogues themselves.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use asperity::geometry::SHAPES;
use asperity::joint::JOINTS;
use asperity::measure::MEASURES;
use asperity::step::STEPPERS;
use asperity::table::Tagged;
use asperity_friction::model::MODELS;
use asperity_friction::set::SETS;
use asperity_solve::solver::SOLVERS;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::cone::preset::PRESETS;
use crate::error::CliError;
use crate::matter_table;
use crate::output;
use crate::scenes;

/// Shown below `asperity list --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity list                  everything, one line each
  asperity list laws             what `kind` may be in the [law] of a pair
  asperity list laws --examples  the same, each with parameters to start from
  asperity list solvers          what `asperity solve --solver` may be
  asperity list bodies           which law moves rigid bodies, cloth and solids with which stepper
  asperity list steppers         what `asperity run --stepper` may be
  asperity list sets --json      for programs";

/// What to list.
#[derive(Args)]
pub(crate) struct ListArgs {
    /// Only this catalogue.
    #[arg(value_enum)]
    catalogue: Option<Catalogue>,
    /// As JSON; sets and laws with an example of each.
    #[arg(long)]
    json: bool,
    /// An example of each set and law, as TOML.
    #[arg(long, conflicts_with = "json")]
    examples: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Catalogue {
    /// Convex sets that bound the friction force.
    Sets,
    /// Friction laws: what a pair of surfaces does.
    Laws,
    /// Solvers of contact problems: what `asperity solve --solver` may be.
    Solvers,
    /// Time steppers: what `asperity run --stepper` may be.
    Steppers,
    /// Shapes of bodies: what `kind` may be in the shape of a scene's body.
    Shapes,
    /// Joints: what `kind` may be in a scene's joint.
    Joints,
    /// Measures: what a scene's expectation may be about.
    Measures,
    /// Which law moves which kind of body (rigid, cloth, solid) with which stepper, found out by one step of each; and what is refused.
    Bodies,
    /// Figures that `asperity cone --preset` draws.
    Presets,
    /// Scenes that `asperity run` knows by name.
    Scenes,
}

/// One line of a catalogue.
#[derive(Serialize)]
struct Entry {
    name: String,
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<serde_json::Value>,
    #[serde(skip)]
    toml: Option<String>,
}

impl Entry {
    /// With an example, as far as the formats can say it.
    fn new<T: Serialize>(table: &str, name: &str, summary: &str, examples: &[T]) -> Self {
        let first = examples.first();
        let example = first.and_then(|e| serde_json::to_value(e).ok());
        // In its table, as a file would hold it.
        let toml = first.and_then(|e| toml::to_string(&BTreeMap::from([(table, e)])).ok());
        Self { name: name.to_owned(), summary: summary.to_owned(), example, toml }
    }
}

impl Catalogue {
    const ALL: [Self; 10] = [
        Self::Sets,
        Self::Laws,
        Self::Solvers,
        Self::Steppers,
        Self::Shapes,
        Self::Joints,
        Self::Measures,
        Self::Bodies,
        Self::Presets,
        Self::Scenes,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Sets => "sets",
            Self::Laws => "laws",
            Self::Solvers => "solvers",
            Self::Steppers => "steppers",
            Self::Shapes => "shapes",
            Self::Joints => "joints",
            Self::Measures => "measures",
            Self::Bodies => "bodies",
            Self::Presets => "presets",
            Self::Scenes => "scenes",
        }
    }

    fn entries(self) -> Result<Vec<Entry>, CliError> {
        Ok(match self {
            Self::Sets => SETS.iter().map(|e| Entry::new("set", e.name, e.summary, &(e.examples)())).collect(),
            Self::Laws => MODELS.iter().map(|e| Entry::new("law", e.name, e.summary, &(e.examples)())).collect(),
            Self::Solvers => SOLVERS.iter().map(|s| Entry::new::<()>("", s.name, s.summary, &[])).collect(),
            Self::Steppers => STEPPERS.iter().map(|s| Entry::new::<()>("", s.name, s.summary, &[])).collect(),
            Self::Shapes => tables(&SHAPES),
            Self::Joints => tables(&JOINTS),
            Self::Measures => tables(&MEASURES),
            Self::Bodies => {
                let lines = matter_table::lines()?;
                lines.iter().map(|line| Entry::new::<()>("", &line.name, &line.summary, &[])).collect()
            }
            Self::Presets => PRESETS.iter().map(|p| Entry::new::<()>("", p.name, p.summary, &[])).collect(),
            Self::Scenes => {
                scenes::all()?.iter().map(|s| Entry::new::<()>("", &s.name, &scenes::title(&s.path), &[])).collect()
            }
        })
    }
}

/// What a table of a scene may be.
fn tables(tagged: &Tagged) -> Vec<Entry> {
    tagged.variants.iter().map(|variant| Entry::new::<()>("", variant.name, variant.doc, &[])).collect()
}

/// Prints the catalogues.
pub(crate) fn run(args: &ListArgs) -> Result<(), CliError> {
    let chosen: Vec<Catalogue> =
        Catalogue::ALL.into_iter().filter(|c| args.catalogue.is_none_or(|w| w == *c)).collect();
    output::say(&if args.json { as_json(&chosen)? } else { as_text(&chosen, args.examples)? })
}

fn as_json(catalogues: &[Catalogue]) -> Result<String, CliError> {
    let failed = |error: serde_json::Error| CliError::Output(format!("cannot write JSON: {error}"));
    let mut root = serde_json::Map::new();
    for catalogue in catalogues {
        root.insert(catalogue.name().into(), serde_json::to_value(catalogue.entries()?).map_err(failed)?);
    }
    Ok(serde_json::to_string_pretty(&root).map_err(failed)? + "\n")
}

fn as_text(catalogues: &[Catalogue], examples: bool) -> Result<String, CliError> {
    let lists: Vec<(Catalogue, Vec<Entry>)> =
        catalogues.iter().map(|c| Ok((*c, c.entries()?))).collect::<Result<_, CliError>>()?;
    let width = lists.iter().flat_map(|(_, entries)| entries).map(|e| e.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (i, (catalogue, entries)) in lists.iter().enumerate() {
        let gap = if i > 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}{}", catalogue.name());
        for entry in entries {
            let _ = writeln!(text, "  {:width$}  {}", entry.name, entry.summary);
            for line in entry.toml.iter().filter(|_| examples).flat_map(|t| t.lines()) {
                let _ = writeln!(text, "{}", format!("  {:width$}    {line}", "").trim_end());
            }
        }
    }
    Ok(text)
}
