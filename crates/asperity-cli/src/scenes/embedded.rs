//! The scenes inside the program, so that an installed one has them anywhere.
//!
//! A scene names its images and meshes by paths beside it, so it is read from files: those of the embedded scenes are written to a folder of the user's cache, named after the version and the bytes, when one of them is asked for.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::error::CliError;
use crate::output::{self, Output};

/// A file of the folder `scenes`.
pub(crate) struct EmbeddedFile {
    /// Its path in the folder, with slashes.
    pub(crate) name: &'static str,
    pub(crate) bytes: &'static [u8],
}

/// All files of the folder `scenes`, by name.
pub(crate) const FILES: &[EmbeddedFile] = &include!(concat!(env!("OUT_DIR"), "/scenes.rs"));

/// The names of the scenes.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|file| file.name.strip_suffix(".toml"))
}

/// A folder that has all files.
pub(super) fn folder() -> Result<PathBuf, CliError> {
    let mut hasher = DefaultHasher::new();
    FILES.iter().for_each(|file| (file.name, file.bytes).hash(&mut hasher));
    let name = format!("scenes-{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
    let folder = cache().join("asperity").join(name);
    write(&folder)?;
    Ok(folder)
}

/// Writes all files that are not there with the same bytes; all of them or none.
pub(super) fn write(folder: &Path) -> Result<usize, CliError> {
    let path = |file: &EmbeddedFile| file.name.split('/').fold(folder.to_owned(), |path, part| path.join(part));
    let missing = |file: &&EmbeddedFile| fs::read(path(file)).ok().is_none_or(|bytes| bytes != file.bytes);
    let file = |file: &EmbeddedFile| Output { path: path(file), bytes: file.bytes.to_vec() };
    let files: Vec<Output> = FILES.iter().filter(missing).map(file).collect();
    output::write_files(&files)?;
    Ok(files.len())
}

/// Where programs keep what they can make again.
fn cache() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home =
        || set("HOME").map(|home| home.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }));
    set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")).or_else(home).unwrap_or_else(std::env::temp_dir)
}
