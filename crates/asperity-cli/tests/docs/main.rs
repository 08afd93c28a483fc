//! The documentation against the program: what it names exists, what it quotes runs, what it lists is complete.

mod commands;
mod front;
mod graph;
mod names;
mod source;

use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A file of the repository.
fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All pages: the README, CONTRIBUTING and everything in docs/ but the list of the site's pages, by their paths from the root.
fn pages() -> Vec<PathBuf> {
    let mut pages =
        vec![PathBuf::from("README.md"), PathBuf::from("CONTRIBUTING.md"), PathBuf::from("bench/README.md")];
    let mut folders = vec![PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).expect("docs") {
            let path = folder.join(entry.expect("an entry").file_name());
            if root().join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("SUMMARY.md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}
