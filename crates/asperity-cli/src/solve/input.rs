//! The problems of all files, or everything that is wrong with them.

use std::path::{Path, PathBuf};

use asperity_friction::ContactLaw;
use asperity_solve::problem::{ContactProblem, files, scales, to_contact_problem};

use crate::error::CliError;

/// A problem and where it came from.
pub(crate) struct Problem {
    /// The file as the user named it.
    pub(crate) file: String,
    /// Its name without folders.
    pub(crate) name: String,
    /// u = W r + b.
    pub(crate) problem: ContactProblem,
    /// The law of each contact.
    pub(crate) laws: Vec<ContactLaw>,
    /// The unit of each contact, for the scaled error.
    pub(crate) scales: Vec<f64>,
    /// How many groups of contacts do not act on each other.
    pub(crate) islands: usize,
}

/// Reads all files. If any is refused, all that are refused are named.
pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<Problem>, CliError> {
    let (mut problems, mut refusals) = (Vec::with_capacity(paths.len()), Vec::new());
    for path in paths {
        match read(path) {
            Ok(problem) => problems.push(problem),
            Err(refusal) => refusals.push(refusal),
        }
    }
    match &refusals[..] {
        [] => Ok(problems),
        [one] => Err(CliError::Input(one.clone())),
        many => Err(CliError::Input(format!("{} files are refused\n  {}", many.len(), many.join("\n  ")))),
    }
}

fn read(path: &Path) -> Result<Problem, String> {
    let file = path.display().to_string();
    let stored = files::read(path).map_err(|error| error.to_string())?;
    let (problem, laws) = to_contact_problem(&stored).map_err(|error| format!("{file}: {error}"))?;
    let name = path.file_name().map_or_else(|| file.clone(), |name| name.to_string_lossy().into_owned());
    let (scales, islands) = (scales(&problem), problem.islands().len());
    Ok(Problem { file, name, problem, laws, scales, islands })
}
