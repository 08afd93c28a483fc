//! `asperity scenes extract`: writes the scenes that come with the program to a folder, to read and to change.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::embedded::{self, FILES};
use crate::error::CliError;
use crate::output::{self, counted};

/// Shown below `asperity scenes --help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  asperity list scenes                      names and titles
  asperity run matchstick/arch              runs one by its name, from anywhere
  asperity scenes extract my-scenes         all of them as files, with images and meshes
  asperity run my-scenes/matchstick/arch.toml";

/// What to do with the scenes.
#[derive(Args)]
pub(crate) struct ScenesArgs {
    #[command(subcommand)]
    command: ScenesCommand,
}

#[derive(Subcommand)]
enum ScenesCommand {
    /// Write all scenes, with their images and meshes, to a folder that is new or empty.
    Extract {
        /// The folder.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// Writes the scenes.
pub(crate) fn run(args: &ScenesArgs) -> Result<(), CliError> {
    let ScenesCommand::Extract { folder } = &args.command;
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let reason = "is not empty: what it holds would be mixed with the scenes; choose another folder";
        return Err(CliError::Input(format!("'{}' {reason}", folder.display())));
    }
    embedded::write(folder)?;
    let scenes = counted(embedded::names().count() as u64, "scene", "scenes");
    output::say(&format!("wrote {scenes} ({} files) to {}\n", FILES.len(), folder.display()))
}
