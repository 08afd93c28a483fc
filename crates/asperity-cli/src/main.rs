//! The program `asperity`: author, inspect and solve frictional contact.
//!
//! Exit status: 0 when all went well, 1 when a result could not be found or written or is not as expected, 2 for bad input, 3
//! when a simulation failed, 128 plus the number of the signal when one stopped it.

mod advice;
mod bench;
mod check;
mod cone;
mod error;
mod field;
mod list;
mod manual;
mod material;
mod matter_table;
mod new;
mod output;
mod potential;
mod run;
mod scenes;
mod solve;
mod stop;

use std::process::ExitCode;

use asperity::figure;
use clap::{CommandFactory, Parser, Subcommand};

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
    /// Draw the friction of a material pair: limit curve, coefficient by direction, force for a slip.
    #[command(after_help = cone::EXAMPLES)]
    Cone(Box<cone::ConeArgs>),
    /// Run scenes and check their expected outcomes.
    #[command(after_help = run::EXAMPLES)]
    Run(Box<run::RunArgs>),
    /// Run scenes with several solvers and compare what comes out.
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::BenchArgs),
    /// Check scenes without running them; print their JSON schema.
    #[command(after_help = check::EXAMPLES)]
    Check(check::CheckArgs),
    /// Draw the structure field of a body, and bake it into a texture.
    #[command(after_help = field::EXAMPLES)]
    Field(field::FieldArgs),
    /// List what can be named: friction sets and laws, solvers, time steppers, shapes, joints, measures, presets, scenes.
    #[command(after_help = list::EXAMPLES)]
    List(list::ListArgs),
    /// Show the statistics of a facet map, and its friction against a partner.
    #[command(after_help = material::EXAMPLES)]
    Material(material::MaterialArgs),
    /// Write a commented scene to start from.
    #[command(after_help = new::EXAMPLES)]
    New(new::NewArgs),
    /// Draw the smooth potential around a surface or a point cloud, and measure how near its zero surface is.
    #[command(after_help = potential::EXAMPLES)]
    Potential(potential::PotentialArgs),
    /// Write the scenes that come with the program to a folder.
    #[command(after_help = scenes::extract::EXAMPLES)]
    Scenes(scenes::extract::ScenesArgs),
    /// Solve stored contact problems (Siconos text, FCLIB HDF5, snapshots) and report the accuracy.
    #[command(after_help = solve::EXAMPLES)]
    Solve(solve::SolveArgs),
    /// Print completions for a shell.
    #[command(after_help = manual::COMPLETIONS)]
    Completions(manual::CompletionsArgs),
    /// Write man pages to a folder.
    #[command(after_help = manual::MAN)]
    Man(manual::ManArgs),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Cone(args) => cone::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Field(args) => field::run(&args),
        Command::List(args) => list::run(&args),
        Command::Material(args) => material::run(&args),
        Command::New(args) => new::run(&args),
        Command::Potential(args) => potential::run(&args),
        Command::Scenes(args) => scenes::extract::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Completions(args) => manual::completions(&args, Cli::command()),
        Command::Man(args) => manual::man(&args, Cli::command()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

/// Says what is wrong, and answers with the exit status.
fn fail(error: &CliError) -> ExitCode {
    // A closed standard error leaves nobody to tell.
    let kind = if matches!(error, CliError::Stopped { .. }) { "" } else { "error: " };
    let _ = output::say_aside(&format!("{kind}{error}\n"));
    ExitCode::from(error.exit_status())
}
