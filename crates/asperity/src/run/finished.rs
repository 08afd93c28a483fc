//! Runs that are finished: whoever resumes a list of runs need not make them again.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::checkpoint::fingerprint;
use super::files::{FileSettings, names};
use crate::record::Totals;
use crate::scene::Scene;

/// A run that was made before, and whose files are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Whether all expectations were met.
    pub pass: bool,
    /// The text of its `summary.json`.
    pub summary: String,
}

/// What is read of a summary.
#[derive(Deserialize)]
struct Stored {
    fingerprint: Option<String>,
    pass: bool,
    totals: Totals,
}

/// The finished run of a scene in a folder: its summary is of the same scene (`text` is what it was read from, as for a
/// [`Checkpoint`](super::Checkpoint)) and of all steps, and every file is there that is asked for. `None` if there is no such run.
pub fn finished(folder: &Path, text: &str, scene: &Scene, settings: FileSettings) -> Option<Finished> {
    // A summary that cannot be read is that of no finished run: the run is made, and says what is wrong with the folder.
    let summary = fs::read_to_string(folder.join("summary.json")).ok()?;
    let stored: Stored = serde_json::from_str(&summary).ok()?;
    let same = stored.fingerprint.as_deref() == Some(fingerprint(text).as_str());
    let whole = stored.totals.steps as u64 == scene.time.steps();
    let complete = || names(&scene.output, settings).iter().all(|name| folder.join(name).is_file());
    (same && whole && complete()).then_some(Finished { pass: stored.pass, summary })
}
