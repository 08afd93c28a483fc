//! Arguments of `asperity run`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use asperity::scene::{Document, SOLVERS};
use asperity::step::STEPPERS;
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::error::CliError;

/// Shown below `asperity run --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity run scenes/matchstick/box_on_incline.toml
  asperity run matchstick/box_on_incline --variant all
  asperity run my.toml --set time.dt=0.001 --set 'body.box.structure=[1, 0, 1]'
  asperity run my.toml --solver proximal --out out/proximal --no-pictures
  asperity run long.toml --resume

Exit status: 0 when every expectation holds, 1 when one does not, 2 for bad input, 3 when a simulation failed,
130, 143 or 129 when Ctrl-C, TERM or HUP stopped it at the end of a step: its checkpoint is kept, and --resume goes on from it.
A second signal ends the program at once.
The folder of a run has trajectory.csv, steps.csv, steps.svg, summary.json, scene.glb, filmstrip.png, animation.gif; with --contacts also\ncontacts.csv; with --vtk the folder vtk.";

/// What to run, and how.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// Scenes: files, or names as `asperity list scenes` shows them.
    #[arg(required = true, value_name = "SCENE")]
    pub(super) scenes: Vec<String>,
    /// A variant of the scene; may be repeated; `all` for the scene itself and every variant.
    #[arg(long, value_name = "NAME")]
    variant: Vec<String>,
    /// Sets a key of the scene: a dotted key and a TOML value.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The contact solver, instead of the scene's.
    #[arg(long, value_parser = PossibleValuesParser::new(SOLVERS))]
    solver: Option<String>,
    /// The time stepper, instead of the scene's.
    #[arg(long, value_parser = PossibleValuesParser::new(STEPPERS.iter().map(|entry| entry.name)))]
    stepper: Option<String>,
    /// Where the files go; below it a folder for each scene and variant, if there are several [default: out/SCENE].
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Continues runs that were stopped from their checkpoints, leaves out those that are finished, and begins the others.
    #[arg(long)]
    pub(super) resume: bool,
    /// Seconds between checkpoints.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub(super) checkpoint: f64,
    /// Threads to use, at most 512: changes the time, not the result.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(super) threads: Option<u16>,
    /// Writes tables only: no filmstrip, animation or glTF.
    #[arg(long)]
    pub(super) no_pictures: bool,
    /// Writes a VTK series besides, for ParaView or meshio: the folder `vtk` with a file for each body and frame.
    #[arg(long)]
    pub(super) vtk: bool,
    /// Writes `contacts.csv` besides: what every contact does in every step, the same as `output.contacts = true` in the scene.
    #[arg(long)]
    contacts: bool,
    /// Writes the contact problems of the steps as files that `asperity solve` reads.
    #[arg(long, value_name = "DIR")]
    pub(super) dump: Option<PathBuf>,
    /// Writes the contact problem of every Nth step only.
    #[arg(long, value_name = "N", default_value = "1", requires = "dump")]
    pub(super) dump_every: NonZeroU64,
    /// Prints each run's summary as a line of JSON instead of a table.
    #[arg(long)]
    pub(super) json: bool,
    /// Prints nothing but errors.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl RunArgs {
    /// Keys and values to set.
    pub(super) fn overrides(&self) -> Result<Vec<(String, String)>, CliError> {
        let mut set = overrides(&self.set)?;
        for (key, kind) in [("solver.kind", &self.solver), ("stepper.kind", &self.stepper)] {
            set.extend(kind.iter().map(|kind| (key.to_owned(), format!("\"{kind}\""))));
        }
        set.extend(self.contacts.then(|| ("output.contacts".to_owned(), "true".to_owned())));
        Ok(set)
    }

    /// The variants to run; `None` is the scene itself.
    pub(super) fn variants(&self, document: &Document) -> Result<Vec<Option<String>>, CliError> {
        variants(&self.variant, document)
    }
}

/// `key=value` as two.
pub(crate) fn overrides(set: &[String]) -> Result<Vec<(String, String)>, CliError> {
    let split = |text: &String| {
        let (key, value) = text.split_once('=').ok_or_else(|| {
            CliError::Input(format!("--set {text}: expected a key, '=' and a value, as in time.dt=0.001"))
        })?;
        Ok((key.trim().to_owned(), value.trim().to_owned()))
    };
    set.iter().map(split).collect()
}

/// `all` stands for the scene itself and every variant.
pub(crate) fn variants(asked: &[String], document: &Document) -> Result<Vec<Option<String>>, CliError> {
    if asked.is_empty() {
        return Ok(vec![None]);
    }
    let mut found = Vec::new();
    for name in asked {
        if name == "all" {
            found.push(None);
            found.extend(document.variants().into_iter().map(|name| Some(name.to_owned())));
        } else {
            found.push(Some(name.clone()));
        }
    }
    Ok(found)
}
