//! The problems of all files, or everything that is wrong with them.

use std::path::{Path, PathBuf};

use asperity_friction::ContactLaw;
use asperity_solve::problem::files::{self, StoredProblem};
use asperity_solve::problem::{ContactProblem, Posed, to_contact_problem};

use super::progress::Progress;
use crate::error::CliError;

/// Which files of a folder are problems.
const EXTENSIONS: [&str; 4] = ["dat", "hdf5", "h5", "json"];

/// A problem and where it came from.
pub(crate) struct Problem {
    /// Where it was read from.
    pub(crate) path: PathBuf,
    /// The same as text.
    pub(crate) file: String,
    /// Its name without folders.
    pub(crate) name: String,
    /// u = W r + b.
    pub(crate) problem: ContactProblem,
    /// The law of each contact.
    pub(crate) laws: Vec<ContactLaw>,
    /// Where solvers start.
    pub(crate) start: Vec<f64>,
    /// What its contacts are called, as in `contacts.csv` of the run; empty if the file does not say.
    pub(crate) names: Vec<String>,
    /// How many groups of contacts do not act on each other.
    pub(crate) islands: usize,
}

/// Reads all files, and those of folders. If any is refused, all that are refused are named.
pub(crate) fn read_all(paths: &[PathBuf], progress: &Progress) -> Result<Vec<Problem>, CliError> {
    let files: Vec<Result<PathBuf, String>> = paths.iter().flat_map(|path| files_of(path)).collect();
    progress.begin(files.len());
    let (mut problems, mut refusals) = (Vec::with_capacity(files.len()), Vec::new());
    for file in files {
        if let Ok(path) = &file {
            progress.name(format!("reading {}", path.display()));
        }
        match file.and_then(read) {
            Ok(problem) => problems.push(problem),
            Err(refusal) => refusals.push(refusal),
        }
        progress.advance();
    }
    match &refusals[..] {
        [] => Ok(problems),
        [one] => Err(CliError::Input(one.clone())),
        many => Err(CliError::Input(format!("{} files are refused\n  {}", many.len(), many.join("\n  ")))),
    }
}

/// A file itself, or the problems in a folder, sorted by name.
fn files_of(path: &Path) -> Vec<Result<PathBuf, String>> {
    if !path.is_dir() {
        return vec![Ok(path.to_owned())];
    }
    let refusal = |reason: String| vec![Err(format!("{}: {reason}", path.display()))];
    let entries = match std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(error) => return refusal(error.to_string()),
    };
    let is_problem = |file: &PathBuf| {
        let extension = file.extension().map(|e| e.to_string_lossy().to_lowercase());
        extension.is_some_and(|e| EXTENSIONS.contains(&e.as_str())) && !file.is_dir()
    };
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).filter(is_problem).collect();
    files.sort();
    if files.is_empty() {
        return refusal(format!("a folder without problems (files that end in .{})", EXTENSIONS.join(", .")));
    }
    files.into_iter().map(Ok).collect()
}

fn read(path: PathBuf) -> Result<Problem, String> {
    let file = path.display().to_string();
    let stored = files::read(&path).map_err(|error| error.to_string() + unmatched(&path))?;
    let Posed { problem, laws, start } = to_contact_problem(&stored).map_err(|error| format!("{file}: {error}"))?;
    let names = match &stored {
        StoredProblem::Snapshot(snapshot) => snapshot.names().to_vec(),
        StoredProblem::Local(_) | StoredProblem::Global(_) => Vec::new(),
    };
    let name = path.file_name().map_or_else(|| file.clone(), |name| name.to_string_lossy().into_owned());
    let islands = problem.islands().len();
    Ok(Problem { path, file, name, problem, laws, start, names, islands })
}

/// What to say of a pattern that the shell found no file for, or was kept from expanding.
fn unmatched(path: &Path) -> &'static str {
    let pattern = path.to_string_lossy().contains(['*', '?', '[']);
    if pattern && !path.exists() { " (the shell expands patterns; it left this one as it is)" } else { "" }
}
