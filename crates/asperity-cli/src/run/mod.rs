//! `asperity run`: runs scenes, writes what they leave behind, and checks their expected outcomes.

mod args;
mod job;
mod progress;
mod table;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use asperity::record::{ShapeFrames, Summary, shape_frames, write_file};
use asperity::run::{
    Checkpoint, CheckpointError, FileSettings, Finished, Resumed, Run, accepts, departures, finished, write,
};
use asperity_friction::number::short;

pub(crate) use args::{EXAMPLES, RunArgs, overrides, variants};
pub(crate) use progress::Progress;

use crate::advice::advice;
use crate::error::CliError;
use crate::output::{self, counted};
use crate::stop::{Stop, resuming_command};
use job::{Job, Jobs, jobs};

/// How the worst of all runs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Shown,
    Missed,
    Failed,
    /// By a signal; with the exit status.
    Stopped(u8),
}

/// Runs the scenes. All are read and accepted by their steppers, and all folders tried, before the first is run.
pub(crate) fn run(args: &RunArgs) -> Result<(), CliError> {
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
        pool.map_err(|error| CliError::Output(format!("cannot start {threads} threads: {error}")))?;
    }
    let every = Duration::try_from_secs_f64(args.checkpoint)
        .map_err(|error| CliError::Input(format!("--checkpoint {}: {error}", args.checkpoint)))?;
    let Jobs { jobs, left_out } = jobs(args)?;
    for job in &jobs {
        accepts(&job.scene).map_err(|error| CliError::Input(format!("{}: {error}", job.title)))?;
    }
    output::refuse_repeated(jobs.iter().map(|job| job.folder.as_path()))?;
    let dump = args.dump.iter().flat_map(|folder| jobs.iter().map(|job| dump_path(folder, &job.stem, 0)));
    output::refuse_unwritable(jobs.iter().map(|job| job.folder.join("summary.json")).chain(dump))?;
    let stop = Stop::listen()?;
    let mut worst = Outcome::Shown;
    let (count, mut missed) = (jobs.len(), Vec::new());
    for (done, job) in jobs.into_iter().enumerate() {
        let title = job.title.clone();
        let outcome = match stop.asked() {
            Some(status) => Outcome::Stopped(status),
            None => run_one(args, job, every, &stop)?,
        };
        if let Outcome::Stopped(status) = outcome {
            return Err(stopped(status, &title, done, count));
        }
        if outcome != Outcome::Shown {
            missed.push(title);
        }
        worst = worst.max(outcome);
    }
    if !args.quiet && !args.json {
        output::say(&left_out)?;
    }
    judged(worst, &missed, count)
}

/// What to say after a signal.
fn stopped(status: u8, title: &str, done: usize, count: usize) -> CliError {
    let several = if count > 1 { format!(" ({done} of {count} runs were done)") } else { String::new() };
    let command = resuming_command();
    CliError::Stopped { status, message: format!("{title}: stopped by a signal{several}. To go on: {command}") }
}

/// The exit status of all runs together.
fn judged(worst: Outcome, missed: &[String], count: usize) -> Result<(), CliError> {
    let (runs, list) = (counted(count as u64, "run", "runs"), missed.join(", "));
    match worst {
        Outcome::Missed => {
            Err(CliError::Output(format!("{} of {runs} missed what was expected: {list}", missed.len())))
        }
        Outcome::Failed => {
            Err(CliError::Failed(format!("{} of {runs} failed or missed what was expected: {list}", missed.len())))
        }
        Outcome::Shown | Outcome::Stopped(_) => Ok(()),
    }
}

/// Why the steps of a run ended.
enum End {
    Done,
    /// A step failed, for this reason.
    Failed(String),
    /// A signal; with the exit status.
    Stopped(u8),
}

/// Runs a scene to its end and writes its files.
fn run_one(args: &RunArgs, job: Job, every: Duration, stop: &Stop) -> Result<Outcome, CliError> {
    let Job { scene, identity, title, stem, folder } = job;
    let failed = |error: String| CliError::Failed(format!("{title}: {error}"));
    let written = |error: CheckpointError| CliError::Output(format!("{title}: {error}"));
    let files = FileSettings { pictures: !args.no_pictures, glb: !args.no_pictures, vtk: args.vtk };
    let Resumed { mut run, mut checkpoint } = if args.resume && Checkpoint::exists(&folder) {
        Checkpoint::resume(&folder, &identity, scene).map_err(|error| CliError::Input(format!("{title}: {error}")))?
    } else {
        if args.resume
            && let Some(before) = finished(&folder, &identity, &scene, files)
        {
            return skip(args, &title, &folder, &before);
        }
        let mut run = Run::new(scene).map_err(|error| failed(error.to_string()))?;
        let checkpoint = Checkpoint::begin(&folder, &identity, &mut run).map_err(written)?;
        Resumed { run, checkpoint }
    };
    run.identify(&identity);
    if !args.quiet {
        // `check` tells the notes, too.
        let lines = advice(run.scene());
        let warnings = lines.iter().filter(|line| line.starts_with("warning"));
        output::say_aside(&warnings.map(|line| format!("{title}: {line}\n")).collect::<String>())?;
    }
    let progress = Progress::new(args.quiet || args.json, &title, run.progress());
    let end = steps(args, &mut run, &mut checkpoint, every, stop, |run| {
        progress.show(run);
        dump(args, run, &stem)
    })?;
    let reason = match end {
        End::Stopped(status) => {
            checkpoint.write(&run).map_err(written)?;
            return Ok(Outcome::Stopped(status));
        }
        End::Failed(reason) if run.progress().0 == 0 => {
            drop(progress);
            return fail_at_once(&title, &reason, &checkpoint, &folder);
        }
        End::Failed(reason) => {
            // The last good state stays, for whoever wants to look at it.
            checkpoint.write(&run).map_err(|error| CliError::Output(format!("{title}: {reason}; then: {error}")))?;
            Some(reason)
        }
        End::Done => None,
    };
    progress.writing();
    write(&run, &folder, files, &mut |drawn| progress.drawing(drawn))
        .map_err(|error| CliError::Output(error.to_string()))?;
    drop(progress);
    if files.glb && run.scene().output.glb {
        say_shapes(args, &title, &run)?;
    }
    if !args.quiet {
        say_departures(&title, &run)?;
    }
    let summary = run.summary().map_err(|error| CliError::Output(format!("{title}: {error}")))?;
    say(args, &title, &summary, &folder, reason.as_deref())?;
    if reason.is_some() {
        return Ok(Outcome::Failed);
    }
    checkpoint.remove().map_err(written)?;
    Ok(if summary.pass { Outcome::Shown } else { Outcome::Missed })
}

/// A run that was finished before counts as it ended then.
fn skip(args: &RunArgs, title: &str, folder: &Path, before: &Finished) -> Result<Outcome, CliError> {
    if args.json {
        // The file has a line for each value; no string of JSON has a line break in it.
        output::say(&(before.summary.lines().map(str::trim_start).collect::<String>() + "\n"))?;
    } else if !args.quiet {
        output::say(&format!("{title}: was finished before, not run again; {}\n", folder.display()))?;
    }
    Ok(if before.pass { Outcome::Shown } else { Outcome::Missed })
}

/// Makes steps until the run is done, a step fails or a signal comes; `after` is called after each. Writes a checkpoint now and then.
fn steps(
    args: &RunArgs,
    run: &mut Run,
    checkpoint: &mut Checkpoint,
    every: Duration,
    stop: &Stop,
    mut after: impl FnMut(&mut Run) -> Result<(), CliError>,
) -> Result<End, CliError> {
    run.stepper().keep_problems(args.dump.is_some());
    let mut saved = Instant::now();
    while !run.is_done() {
        if let Err(error) = run.step() {
            return Ok(End::Failed(error.to_string()));
        }
        after(run)?;
        if let Some(status) = stop.asked().filter(|_| !run.is_done()) {
            return Ok(End::Stopped(status));
        }
        if saved.elapsed() >= every {
            checkpoint.write(run).map_err(|error| CliError::Output(error.to_string()))?;
            saved = Instant::now();
        }
    }
    Ok(End::Done)
}

/// After a failure in the first step. Nothing has happened: there is nothing to look at, and files of a run before stay as they are.
fn fail_at_once(title: &str, reason: &str, checkpoint: &Checkpoint, folder: &Path) -> Result<Outcome, CliError> {
    checkpoint.remove().map_err(|error| CliError::Output(error.to_string()))?;
    // Only if it is empty.
    let _ = std::fs::remove_dir(folder);
    output::say_aside(&format!("{title}: failed in its first step, no files written: {reason}\n"))?;
    Ok(Outcome::Failed)
}

/// The file of the contact problem of a step.
fn dump_path(folder: &Path, stem: &str, step: u64) -> PathBuf {
    folder.join(format!("{stem}-{step:06}.json"))
}

/// Says how many frames of bodies that deform the glTF file has, if these are not all.
fn say_shapes(args: &RunArgs, title: &str, run: &Run) -> Result<(), CliError> {
    match shape_frames(run.recording()) {
        Some(ShapeFrames { kept, of }) if kept < of && !args.quiet => output::say_aside(&format!(
            "{title}: scene.glb has the shapes of bodies that deform in {kept} of {of} frames; --vtk writes all of them\n"
        )),
        _ => Ok(()),
    }
}

/// Says which bodies have fallen out of the scene.
fn say_departures(title: &str, run: &Run) -> Result<(), CliError> {
    let gone = departures(run);
    let Some(first) = gone.first() else { return Ok(()) };
    let count = counted(gone.len() as u64, "body", "bodies");
    let verb = if gone.len() == 1 { "is" } else { "are" };
    let which = if gone.len() == 1 { "" } else { " as the first" };
    output::say_aside(&format!(
        "{title}: note: {count} {verb} below all that is fixed and will fall for ever: `{}`{which} from t = {} s on\n",
        first.name,
        short(first.time)
    ))
}

/// Writes the contact problem of the last step, if asked for.
fn dump(args: &RunArgs, run: &mut Run, stem: &str) -> Result<(), CliError> {
    let Some(folder) = &args.dump else { return Ok(()) };
    let (step, _) = run.progress();
    if !step.is_multiple_of(args.dump_every.get()) {
        return Ok(());
    }
    let Some(problem) = run.stepper().problem().filter(|problem| problem.contacts() > 0) else { return Ok(()) };
    write_file(dump_path(folder, stem, step), problem.to_json().as_bytes())
        .map_err(|error| CliError::Output(error.to_string()))
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
    output::say(&table::table(title, summary, folder, output::has_colors()))
}
