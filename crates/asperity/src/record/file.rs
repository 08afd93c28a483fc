//! Files that appear complete or not at all: written beside their place first, renamed into it at the end.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::error::RecordError;

/// A file that is being written. Dropped before [`PendingFile::finish`], it leaves nothing behind.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    temporary: PathBuf,
    /// None once it is finished.
    writer: Option<BufWriter<File>>,
}

impl PendingFile {
    /// Begins a file; folders that are missing are made.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, RecordError> {
        let path = path.into();
        match stage(&path) {
            Ok(Staged { temporary, file }) => Ok(Self { path, temporary, writer: Some(BufWriter::new(file)) }),
            Err(source) => Err(RecordError::Write { path, source }),
        }
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file into its place, replacing what was there.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let placed = writer
            .into_inner()
            .map_err(|error| error.into_error())
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&self.temporary, &self.path));
        placed.map_err(|source| {
            discard(&self.temporary);
            self.refusal(source)
        })
    }

    /// An error of the system, with the path.
    pub(super) fn refusal(&self, source: io::Error) -> RecordError {
        RecordError::Write { path: self.path.clone(), source }
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // Close it first: some systems do not remove open files. What is still in the buffer is not wanted.
            drop(writer.into_parts());
            discard(&self.temporary);
        }
    }
}

/// Writes a whole file, or nothing.
pub fn write_file(path: impl Into<PathBuf>, bytes: &[u8]) -> Result<(), RecordError> {
    let mut file = PendingFile::create(path)?;
    file.write_all(bytes).map_err(|source| file.refusal(source))?;
    file.finish()
}

/// A file beside the place that it is for.
struct Staged {
    temporary: PathBuf,
    file: File,
}

/// Opens a hidden neighbour of the place.
fn stage(path: &Path) -> io::Result<Staged> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut hidden = OsString::from(".");
    hidden.push(name);
    // The process id keeps two runs that write the same file from sharing a half-written one.
    hidden.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(hidden);
    File::create(&temporary).map(|file| Staged { temporary, file })
}

/// Best effort: the error that led here is the one worth reporting.
fn discard(temporary: &Path) {
    let _ = fs::remove_file(temporary);
}

#[cfg(test)]
mod tests {
    use super::super::test_bodies::Scratch;
    use super::*;

    #[test]
    fn the_file_appears_at_the_end_and_alone() {
        let scratch = Scratch::new("whole");
        let path = scratch.path("deep/er/a.txt");
        let mut file = PendingFile::create(&path).unwrap();
        file.write_all(b"content").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"content");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn an_unfinished_file_leaves_the_old_one_and_nothing_else() {
        let scratch = Scratch::new("half");
        let path = scratch.path("a.txt");
        write_file(&path, b"old").unwrap();
        let mut file = PendingFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(scratch.path("")).unwrap().count(), 1);
    }

    #[test]
    fn a_place_that_cannot_be_is_named() {
        let scratch = Scratch::new("taken");
        fs::create_dir_all(scratch.path("folder")).unwrap();
        let error = write_file(scratch.path("folder"), b"").unwrap_err();
        assert!(error.to_string().contains("folder"), "{error}");
        write_file(scratch.path("file"), b"").unwrap();
        assert!(write_file(scratch.path("file/inner"), b"").is_err());
    }
}
