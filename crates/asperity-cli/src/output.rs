//! Results on disk and on the terminal.
//!
//! Files appear complete or not at all, and all of them or none: each is written beside its place first, and only when
//! all are there they are renamed into place. Folders that are missing are made.

use std::collections::HashSet;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use asperity::record::PendingFile;

use crate::error::CliError;

/// A file to write.
pub(crate) struct Output {
    /// Where to.
    pub(crate) path: PathBuf,
    /// What.
    pub(crate) bytes: Vec<u8>,
}

/// How often a long task is told about.
const STILL: Duration = Duration::from_secs(5);

/// Does a task, and says every few seconds on standard error that it is still at it: "reading a.toml: 5 s".
pub(crate) fn still<T>(what: &str, task: impl FnOnce() -> T) -> T {
    let (working, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let began = Instant::now();
            while ended.recv_timeout(STILL) == Err(RecvTimeoutError::Timeout) {
                // Whoever does not listen misses nothing else.
                let _ = say_aside(&format!("{what}: {:.0} s\n", began.elapsed().as_secs_f64()));
            }
        });
        let result = task();
        drop(working);
        result
    })
}

/// Writes all files, or none.
pub(crate) fn write_files(outputs: &[Output]) -> Result<(), CliError> {
    refuse_repeated(outputs.iter().map(|output| output.path.as_path()))?;
    let (mut folders, mut staged) = (Vec::new(), Vec::with_capacity(outputs.len()));
    for output in outputs {
        match make_folders(&output.path, &mut folders).and_then(|()| stage(output)) {
            Ok(pending) => staged.push(pending),
            Err(error) => {
                drop(staged);
                discard(&folders);
                return Err(error);
            }
        }
    }
    let mut staged = staged.into_iter();
    if let Some(error) = staged.find_map(|pending| pending.finish().err()) {
        // Those that were not placed yet are removed with it.
        drop(staged);
        discard(&folders);
        return Err(CliError::Output(error.to_string()));
    }
    Ok(())
}

/// Refuses a path that is there twice: one file would replace the other.
pub(crate) fn refuse_repeated<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), CliError> {
    let mut seen = HashSet::new();
    match paths.into_iter().find(|path| !seen.insert(*path)) {
        Some(path) => Err(CliError::Input(format!("'{}' is asked for twice", path.display()))),
        None => Ok(()),
    }
}

/// Finds out before any work is done whether files can be written, and leaves nothing behind. The error names the first that cannot.
pub(crate) fn refuse_unwritable(files: impl IntoIterator<Item = PathBuf>) -> Result<(), CliError> {
    for file in files {
        let mut folders = Vec::new();
        let made = make_folders(&file, &mut folders);
        let staged =
            made.and_then(|()| PendingFile::create(&file).map_err(|error| CliError::Output(error.to_string())));
        // A pending file that is dropped is removed.
        let staged = staged.map(drop);
        discard(&folders);
        staged?;
    }
    Ok(())
}

/// Makes the folders that a file needs and that are not there, the outermost first, and adds them to `made`.
fn make_folders(file: &Path, made: &mut Vec<PathBuf>) -> Result<(), CliError> {
    let missing = file.ancestors().skip(1).take_while(|f| !f.as_os_str().is_empty() && !f.exists());
    for folder in missing.collect::<Vec<_>>().into_iter().rev() {
        match fs::create_dir(folder) {
            // Another run may have been faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(refusal(file, &error)),
            Ok(()) => made.push(folder.to_owned()),
        }
    }
    Ok(())
}

fn refusal(path: &Path, error: &io::Error) -> CliError {
    CliError::Output(format!("cannot write '{}': {error}", path.display()))
}

/// Writes the file beside its place.
fn stage(output: &Output) -> Result<PendingFile, CliError> {
    let mut pending = PendingFile::create(&output.path).map_err(|error| CliError::Output(error.to_string()))?;
    pending.write_all(&output.bytes).map_err(|error| refusal(&output.path, &error))?;
    Ok(pending)
}

/// Removes folders that were made for nothing, the innermost first. One that is not empty stays. Best effort: the error that led here is the one worth reporting.
fn discard(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        let _ = fs::remove_dir(folder);
    }
}

/// Whether standard output shows colours: it is a terminal, and nobody asked for none (no-color.org).
pub(crate) fn has_colors() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let dumb = set("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && set("NO_COLOR").is_none() && !dumb
}

/// A count with its noun: 1 step, 2 steps.
pub(crate) fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// Prints to standard output. A reader that has gone away (`| head`) is no error.
pub(crate) fn say(text: &str) -> Result<(), CliError> {
    finish(io::stdout().lock(), text)
}

/// Prints to standard error.
pub(crate) fn say_aside(text: &str) -> Result<(), CliError> {
    finish(io::stderr().lock(), text)
}

fn finish(mut stream: impl Write, text: &str) -> Result<(), CliError> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CliError::Output(format!("cannot write to the terminal: {error}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("asperity-output-{}-{name}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    fn file(path: PathBuf) -> Output {
        Output { path, bytes: b"content".to_vec() }
    }

    #[test]
    fn all_files_are_written_and_nothing_else_is_left_behind() {
        let directory = scratch("all");
        write_files(&[file(directory.join("a")), file(directory.join("b"))]).unwrap();
        assert_eq!(fs::read(directory.join("b")).unwrap(), b"content");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 2);
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn one_that_fails_keeps_the_others_from_appearing_and_is_named() {
        let directory = scratch("none");
        let blocked = directory.join("file").join("b");
        fs::write(directory.join("file"), "").unwrap();
        let inner = file(directory.join("new").join("deeper").join("a"));
        let error = write_files(&[inner, file(blocked)]).unwrap_err();
        assert!(error.to_string().contains("file"), "{error}");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1, "folders that were made for nothing are gone");
        fs::remove_file(directory.join("file")).unwrap();

        fs::create_dir(directory.join("taken")).unwrap();
        assert!(write_files(&[file(directory.join("a")), file(directory.join("taken"))]).is_err());
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn missing_folders_are_made() {
        let directory = scratch("folders");
        let deep = directory.join("one").join("two");
        write_files(&[file(deep.join("a")), file(deep.join("b"))]).unwrap();
        assert_eq!(fs::read_dir(&deep).unwrap().count(), 2);
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_written_is_found_and_one_that_can_is_left_as_it_was() {
        let directory = scratch("unwritable");
        fs::write(directory.join("file"), "").unwrap();
        let error = refuse_unwritable([directory.join("new/er/a"), directory.join("file/b/c")]).unwrap_err();
        assert!(error.to_string().contains("file/b"), "{error}");
        refuse_unwritable([directory.join("new/er/a"), directory.join("file")]).unwrap();
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        assert!(refuse_unwritable([directory.clone()]).is_err(), "a folder in the place of the file");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn the_same_file_twice_is_refused() {
        let error = write_files(&[file("x.svg".into()), file("x.svg".into())]).unwrap_err();
        assert!(error.to_string().contains("x.svg") && error.to_string().contains("twice"));
    }
}
