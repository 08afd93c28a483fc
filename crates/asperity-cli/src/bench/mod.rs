//! `asperity bench`: runs scenes with several solvers and compares what comes out with the run of the default one.

mod args;
mod facets_figure;
mod outcome;
mod table;

use std::path::{Path, PathBuf};
use std::time::Duration;

use asperity::run::accepts;
use asperity::scene::{Document, Scene};

use args::Choice;
pub(crate) use args::{BenchArgs, EXAMPLES};
use outcome::{Made, Outcome, Task};

use crate::error::CliError;
use crate::output::{self, Output};
use crate::run::{Progress, overrides, variants};
use crate::scenes;
use crate::stop::Stop;

/// A scene with a variant.
struct Job {
    document: Document,
    variant: Option<String>,
    title: String,
}

/// Runs every scene with every solver. All scenes are read, and accepted by their steppers, before the first is run. A scene whose reference fails is left out; the others are
/// run and written all the same.
pub(crate) fn run(args: &BenchArgs) -> Result<(), CliError> {
    let limit = Duration::try_from_secs_f64(args.limit)
        .map_err(|error| CliError::Input(format!("--limit {}: {error}", args.limit)))?;
    let set = overrides(&args.set)?;
    if let Some((key, _)) = set.iter().find(|(key, _)| key == "solver" || key == "solver.kind") {
        return Err(CliError::Input(format!(
            "--set {key}: the solvers of a comparison are those of --solvers and --facets"
        )));
    }
    if let Some(folder) = args.out.as_deref().filter(|folder| folder.exists() && !folder.is_dir()) {
        return Err(CliError::Input(format!("--out {}: is a file, not a folder", folder.display())));
    }
    let jobs = jobs(args)?;
    let choices = args.choices();
    for job in &jobs {
        let reference = scene(job, &Choice::reference(), &set)?;
        accepts(&reference).map_err(|error| CliError::Input(format!("{}: {error}", job.title)))?;
    }
    output::refuse_unwritable(args.out.iter().map(|folder| folder.join("bench.csv")))?;
    let comparison = Comparison { args, set, limit, stop: Stop::listen()? };
    let (mut outcomes, mut failed) = (Vec::new(), Vec::new());
    for job in &jobs {
        if comparison.stop.asked().is_none() {
            failed.extend(comparison.compare(job, &choices, &mut outcomes)?);
        }
    }
    if !outcomes.is_empty() {
        finish(args, &outcomes)?;
    }
    if let Some(status) = comparison.stop.asked() {
        let message = "stopped by a signal: the tables have what was done until then".to_owned();
        return Err(CliError::Stopped { status, message });
    }
    if failed.is_empty() { Ok(()) } else { Err(CliError::Failed(failed.join("\n"))) }
}

/// What all runs of a comparison share.
struct Comparison<'a> {
    args: &'a BenchArgs,
    set: Vec<(String, String)>,
    limit: Duration,
    stop: Stop,
}

impl Comparison<'_> {
    /// Runs a scene with the reference, then with every other solver. What failed, if the reference did.
    fn compare(&self, job: &Job, choices: &[Choice], outcomes: &mut Vec<Outcome>) -> Result<Option<String>, CliError> {
        let mut reference = None;
        for choice in [Choice::reference()].iter().chain(choices) {
            let scene = scene(job, choice, &self.set)?;
            let name = choice.name();
            let title = format!("{} {name}", job.title);
            let progress = Progress::new(self.args.quiet || self.args.json, &title, (0, scene.time.steps()));
            let task = Task { title: &job.title, solver: &name, limit: self.limit, reference: reference.as_ref() };
            let Made { outcome, ends } = task.run(scene, |run| {
                progress.show(run);
                self.stop.asked().is_none()
            });
            drop(progress);
            if self.stop.asked().is_some() {
                return Ok(None);
            }
            if self.args.json {
                say_json(&outcome)?;
            }
            if reference.is_none() {
                let Some(ends) = ends else {
                    let reason = outcome.stopped.as_deref().unwrap_or_default();
                    return Ok(Some(format!("{}: the reference, {name}, stopped {reason}", job.title)));
                };
                reference = Some(ends);
            }
            outcomes.push(outcome);
        }
        Ok(None)
    }
}

/// The scene with a solver.
fn scene(job: &Job, choice: &Choice, set: &[(String, String)]) -> Result<Scene, CliError> {
    let set: Vec<(String, String)> = set.iter().cloned().chain(choice.keys()).collect();
    job.document.scene(job.variant.as_deref(), &set).map_err(|error| CliError::Input(error.to_string()))
}

/// Every scene with every variant that was asked for.
fn jobs(args: &BenchArgs) -> Result<Vec<Job>, CliError> {
    let mut jobs = Vec::new();
    for name in &args.scenes {
        for path in files(name)? {
            let document = Document::read(&path).map_err(|error| CliError::Input(error.to_string()))?;
            let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            for variant in variants(&args.variant, &document)? {
                let title = variant.as_ref().map_or_else(|| stem.clone(), |variant| format!("{stem}[{variant}]"));
                let document = Document::read(&path).map_err(|error| CliError::Input(error.to_string()))?;
                jobs.push(Job { document, variant, title });
            }
        }
    }
    Ok(jobs)
}

/// The scenes of a folder, or the one of this name.
fn files(name: &str) -> Result<Vec<PathBuf>, CliError> {
    let folder = Path::new(name);
    if !folder.is_dir() {
        return Ok(vec![scenes::find(name)?]);
    }
    let unreadable = |error| CliError::Input(format!("cannot read the folder '{name}': {error}"));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(CliError::Input(format!("the folder '{name}' has no scenes (files that end in .toml)")));
    }
    Ok(found)
}

fn say_json(outcome: &Outcome) -> Result<(), CliError> {
    let line =
        serde_json::to_string(outcome).map_err(|error| CliError::Output(format!("cannot write JSON: {error}")))?;
    output::say(&(line + "\n"))
}

/// Writes and prints the tables.
fn finish(args: &BenchArgs, outcomes: &[Outcome]) -> Result<(), CliError> {
    let text = table::markdown(outcomes);
    if let Some(folder) = &args.out {
        let file = |name: &str, bytes: Vec<u8>| Output { path: folder.join(name), bytes };
        let mut files =
            vec![file("bench.md", text.clone().into_bytes()), file("bench.csv", table::csv(outcomes).into_bytes())];
        if !args.facets.is_empty() {
            files.push(file("facets.svg", facets_figure::figure(outcomes).to_svg().into_bytes()));
        }
        output::write_files(&files)?;
    }
    if args.quiet || args.json { Ok(()) } else { output::say(&text) }
}
