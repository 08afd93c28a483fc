//! `asperity completions` and `asperity man`: what shells and `man` know about the program, made from its own list of arguments.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::error::CliError;
use crate::output::{self, Output, counted};

/// Shown below `asperity completions --help`.
pub(crate) const COMPLETIONS: &str = "\
Examples:
  asperity completions bash > ~/.local/share/bash-completion/completions/asperity
  asperity completions zsh > ~/.zfunc/_asperity
  asperity completions fish > ~/.config/fish/completions/asperity.fish";

/// Shown below `asperity man --help`.
pub(crate) const MAN: &str = "\
Examples:
  asperity man ~/.local/share/man/man1      then: man asperity-run";

/// Which shell.
#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Where to.
#[derive(Args)]
pub(crate) struct ManArgs {
    /// The folder; files that are there already are replaced.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs, mut command: Command) -> Result<(), CliError> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "asperity", &mut text);
    output::say(&String::from_utf8_lossy(&text))
}

/// Writes a page for the program and for each of its commands.
pub(crate) fn man(args: &ManArgs, mut command: Command) -> Result<(), CliError> {
    command.build();
    let mut files = Vec::new();
    pages(&command, args, &mut files)?;
    output::write_files(&files)?;
    let pages = counted(files.len() as u64, "page", "pages");
    output::say(&format!("wrote {pages} to {}\n", args.folder.display()))
}

/// The page of a command, and those of the commands below it.
fn pages(command: &Command, args: &ManArgs, files: &mut Vec<Output>) -> Result<(), CliError> {
    let page = clap_mangen::Man::new(command.clone());
    let (path, mut bytes) = (args.folder.join(page.get_filename()), Vec::new());
    page.render(&mut bytes).map_err(|error| CliError::Output(format!("cannot write '{}': {error}", path.display())))?;
    files.push(Output { path, bytes });
    command.get_subcommands().filter(|below| below.get_name() != "help").try_for_each(|below| pages(below, args, files))
}
