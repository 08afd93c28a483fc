//! `asperity run`: runs scenes, writes what they leave behind, and says whether they showed what they must.

mod args;
mod progress;
mod table;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use asperity::record::{Summary, write_file};
use asperity::run::{Checkpoint, FileSettings, Run, write};
use asperity::scene::{Document, Scene};

pub(crate) use args::{EXAMPLES, RunArgs, overrides, variants};
pub(crate) use progress::Progress;

use crate::error::CliError;
use crate::output;
use crate::scenes;

/// How the worst of all runs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Shown,
    Missed,
    Failed,
}

/// A scene to run: its text, its name and where its files go.
struct Job {
    scene: Scene,
    /// What a checkpoint knows the scene by.
    identity: String,
    title: String,
    folder: PathBuf,
}

/// Runs the scenes. All are read before the first is run.
pub(crate) fn run(args: &RunArgs) -> Result<(), CliError> {
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global();
        pool.map_err(|error| CliError::Output(format!("cannot start {threads} threads: {error}")))?;
    }
    let jobs = jobs(args)?;
    output::refuse_repeated(jobs.iter().map(|job| job.folder.as_path()))?;
    let mut worst = Outcome::Shown;
    let (count, mut missed) = (jobs.len(), Vec::new());
    for job in jobs {
        let title = job.title.clone();
        let outcome = run_one(args, job)?;
        if outcome != Outcome::Shown {
            missed.push(title);
        }
        worst = worst.max(outcome);
    }
    let list = missed.join(", ");
    match worst {
        Outcome::Shown => Ok(()),
        Outcome::Missed => {
            Err(CliError::Output(format!("{} of {count} runs missed what was expected: {list}", missed.len())))
        }
        Outcome::Failed => Err(CliError::Failed(format!(
            "{} of {count} runs failed or missed what was expected: {list}",
            missed.len()
        ))),
    }
}

/// Every scene with every variant that was asked for.
fn jobs(args: &RunArgs) -> Result<Vec<Job>, CliError> {
    let mut jobs = Vec::new();
    let set = args.overrides()?;
    let several = args.scenes.len() > 1;
    for name in &args.scenes {
        let path = scenes::find(name)?;
        let document = Document::read(&path).map_err(|error| CliError::Input(error.to_string()))?;
        let variants = args.variants(&document)?;
        let many = variants.len() > 1;
        for variant in variants {
            let scene = document.scene(variant.as_deref(), &set).map_err(|error| CliError::Input(error.to_string()))?;
            let title = match &variant {
                Some(variant) => format!("{}[{variant}]", scene.name),
                None => scene.name.clone(),
            };
            let identity = format!("{variant:?}\n{set:?}\n{}", document.text());
            let folder = match &args.out {
                Some(out) => {
                    let mut folder = out.clone();
                    if several {
                        folder.push(&scene.name);
                    }
                    if many {
                        folder.push(variant.as_deref().unwrap_or("default"));
                    }
                    folder
                }
                None => {
                    let folder = Path::new("out").join(&scene.name);
                    variant.as_deref().map_or(folder.clone(), |variant| folder.join(variant))
                }
            };
            jobs.push(Job { scene, identity, title, folder });
        }
    }
    Ok(jobs)
}

/// Runs a scene to its end and writes its files.
fn run_one(args: &RunArgs, job: Job) -> Result<Outcome, CliError> {
    let Job { scene, identity, title, folder } = job;
    let failed = |error: String| CliError::Failed(format!("{title}: {error}"));
    let (mut run, mut checkpoint) = if args.resume && Checkpoint::exists(&folder) {
        Checkpoint::resume(&folder, &identity, scene).map_err(|error| CliError::Input(format!("{title}: {error}")))?
    } else {
        let run = Run::new(scene).map_err(|error| failed(error.to_string()))?;
        let checkpoint = Checkpoint::begin(&folder, &identity).map_err(|error| CliError::Output(error.to_string()))?;
        (run, checkpoint)
    };
    let progress = Progress::new(args.quiet || args.json, &title, run.progress());
    run.stepper().keep_problems(args.dump.is_some());
    let every = Duration::from_secs_f64(args.checkpoint.max(0.0));
    let mut saved = Instant::now();
    let mut stopped = None;
    while !run.is_done() {
        if let Err(error) = run.step() {
            stopped = Some(error.to_string());
            break;
        }
        dump(args, &mut run, &title)?;
        progress.show(&run);
        if saved.elapsed() >= every {
            checkpoint.write(&run).map_err(|error| CliError::Output(error.to_string()))?;
            saved = Instant::now();
        }
    }
    if let (Some(reason), 0) = (&stopped, run.progress().0) {
        // Nothing has happened: there is nothing to look at, and files of a run before stay as they are.
        drop(progress);
        checkpoint.remove().map_err(|error| CliError::Output(error.to_string()))?;
        // Only if it is empty.
        let _ = std::fs::remove_dir(&folder);
        output::say_aside(&format!("{title}: failed in its first step, no files written: {reason}\n"))?;
        return Ok(Outcome::Failed);
    }
    progress.writing();
    if let Some(reason) = &stopped {
        // The last good state stays, for whoever wants to look at it.
        checkpoint.write(&run).map_err(|error| CliError::Output(format!("{title}: {reason}; then: {error}")))?;
    }
    let files = FileSettings { pictures: !args.no_pictures, glb: !args.no_pictures };
    write(&run, &folder, files).map_err(|error| CliError::Output(error.to_string()))?;
    drop(progress);
    let summary = run.summary();
    say(args, &title, &summary, &folder, stopped.as_deref())?;
    match stopped {
        Some(_) => Ok(Outcome::Failed),
        None => {
            checkpoint.remove().map_err(|error| CliError::Output(error.to_string()))?;
            Ok(if summary.pass { Outcome::Shown } else { Outcome::Missed })
        }
    }
}

/// Writes the contact problem of the last step, if asked for.
fn dump(args: &RunArgs, run: &mut Run, title: &str) -> Result<(), CliError> {
    let Some(folder) = &args.dump else { return Ok(()) };
    let (step, _) = run.progress();
    if !step.is_multiple_of(args.dump_every.get()) {
        return Ok(());
    }
    let Some(problem) = run.stepper().problem().filter(|problem| problem.contacts() > 0) else { return Ok(()) };
    let path = folder.join(format!("{}-{step:06}.json", title.replace(['[', ']', '/'], "-")));
    write_file(path, problem.to_json().as_bytes()).map_err(|error| CliError::Output(error.to_string()))
}

fn say(args: &RunArgs, title: &str, summary: &Summary, folder: &Path, stopped: Option<&str>) -> Result<(), CliError> {
    if args.json {
        let line =
            serde_json::to_string(summary).map_err(|error| CliError::Output(format!("cannot write JSON: {error}")))?;
        return output::say(&(line + "\n"));
    }
    if let Some(reason) = stopped {
        output::say_aside(&format!("{title}: stopped: {reason}\n"))?;
    }
    if args.quiet {
        return Ok(());
    }
    output::say(&table::table(title, summary, folder))
}
