//! The program `asperity`: author, inspect and solve frictional contact.
//!
//! Exit status: 0 when all went well, 1 when a result could not be found or written, 2 for bad input.

mod cone;
mod error;
mod figure;
mod list;
mod output;
mod solve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::CliError;

/// Author, inspect and solve frictional contact.
#[derive(Parser)]
#[command(name = "asperity", version, about, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Draw what a material pair does: limit curve, coefficient by direction, force for a slip.
    #[command(after_help = cone::EXAMPLES)]
    Cone(Box<cone::ConeArgs>),
    /// List the friction sets, the friction laws, the solvers and the presets of `cone`.
    #[command(after_help = list::EXAMPLES)]
    List(list::ListArgs),
    /// Solve stored contact problems (Siconos text, FCLIB HDF5, snapshots) and say how well.
    #[command(after_help = solve::EXAMPLES)]
    Solve(solve::SolveArgs),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Cone(args) => cone::run(&args),
        Command::List(args) => list::run(&args),
        Command::Solve(args) => solve::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

/// Says what is wrong, and answers with the exit status.
fn fail(error: &CliError) -> ExitCode {
    // A closed standard error leaves nobody to tell.
    let _ = output::say_aside(&format!("error: {error}\n"));
    ExitCode::from(error.exit_status())
}
