//! `asperity new`: writes a commented scene to start from.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::CliError;
use crate::output::{self, Output};

/// Shown below `asperity new --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity new slide            slide.toml: a box on a plank, with grain; every line explained
  asperity run slide.toml       runs it; pictures and tables go to out/slide
  asperity check slide.toml     says what is wrong after an edit

Exit status: 0 when it is written, 1 when it cannot be, 2 if there is such a file already.";

/// The scene that is written.
const TEMPLATE: &str = include_str!("template.toml");

/// What to call it.
#[derive(Args)]
pub(crate) struct NewArgs {
    /// The file; `.toml` is added if it has no ending.
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

/// Writes the scene, unless there is such a file already.
pub(crate) fn run(args: &NewArgs) -> Result<(), CliError> {
    let path = file(&args.name)?;
    if path.exists() {
        return Err(CliError::Input(format!("'{}' is there already; choose another name", path.display())));
    }
    output::write_files(&[Output { path: path.clone(), bytes: TEMPLATE.as_bytes().to_vec() }])?;
    let shown = path.display();
    output::say(&format!("wrote {shown}; try: asperity run {shown}\n"))
}

/// The path of a scene with this name.
fn file(name: &Path) -> Result<PathBuf, CliError> {
    match name.extension() {
        _ if name.file_name().is_none() => Err(CliError::Input(format!("'{}' is no name of a file", name.display()))),
        None => Ok(name.with_extension("toml")),
        Some(ending) if ending == "toml" => Ok(name.to_owned()),
        Some(_) => Err(CliError::Input(format!("'{}': the name of a scene ends in .toml", name.display()))),
    }
}
