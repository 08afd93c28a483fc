//! The scenes that come with the program: found by name in a folder `scenes`, or inside the program ([`embedded`]).

mod embedded;
pub(crate) mod extract;

use std::fs;
use std::path::{Path, PathBuf};

use asperity::nearest::did_you_mean;
use asperity::scene::Document;

use crate::error::CliError;

/// The folders `scenes` at or above the working directory and the program itself, the nearest first.
fn folders() -> Vec<PathBuf> {
    let places = [std::env::current_dir().ok(), std::env::current_exe().ok()];
    let mut found: Vec<PathBuf> = Vec::new();
    for place in places.into_iter().flatten() {
        let folder = place.ancestors().map(|above| above.join("scenes")).find(|folder| folder.is_dir());
        found.extend(folder.filter(|folder| !found.contains(folder)));
    }
    found
}

/// A scene: its name (`folder/file`) and its path.
pub(crate) struct Found {
    /// As `asperity run` takes it.
    pub(crate) name: String,
    /// The file.
    pub(crate) path: PathBuf,
}

/// All scenes by name: those of the nearest folder, and those of the program that have other names.
pub(crate) fn all() -> Result<Vec<Found>, CliError> {
    let mut found = Vec::new();
    if let Some(folder) = folders().first() {
        collect(folder, folder, &mut found);
    }
    let missing: Vec<&str> = embedded::names().filter(|name| !found.iter().any(|own| own.name == *name)).collect();
    if !missing.is_empty() {
        let folder = embedded::folder()?;
        let path = |name: &str| folder.join(name).with_extension("toml");
        found.extend(missing.iter().map(|name| Found { name: (*name).to_owned(), path: path(name) }));
    }
    found.sort_by(|a: &Found, b| a.name.cmp(&b.name));
    Ok(found)
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Found>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            let name = path.strip_prefix(root).unwrap_or(&path).with_extension("");
            found.push(Found { name: name.to_string_lossy().replace('\\', "/"), path });
        }
    }
}

/// The title of a scene, or what is wrong with it.
pub(crate) fn title(path: &Path) -> String {
    let title = Document::read(path).and_then(|document| document.scene(None, &[]).map(|scene| scene.title));
    title.unwrap_or_else(|_| "cannot be read: see `asperity check`".into())
}

/// The file of a scene: a path, or a name of one that comes with the program.
pub(crate) fn find(name: &str) -> Result<PathBuf, CliError> {
    let path = Path::new(name);
    if path.is_file() {
        return Ok(path.to_owned());
    }
    let known = all()?;
    if let Some(scene) = known.iter().find(|scene| scene.name == name || scene.name.rsplit('/').next() == Some(name)) {
        return Ok(scene.path.clone());
    }
    let hint = did_you_mean(name, known.iter().map(|scene| scene.name.as_str()));
    let list = "; `asperity list scenes` shows those that come with the program";
    Err(CliError::Input(format!("'{name}': no such file, and no scene of that name{hint}{list}")))
}
