//! Puts the scenes of the repository, with their images and meshes, into the program: a list of names and bytes for `src/scenes/embedded.rs`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").canonicalize()?;
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut code = String::from("[\n");
    for file in files {
        let name: Vec<_> =
            file.strip_prefix(&root).unwrap_or(&file).iter().map(|part| part.to_string_lossy()).collect();
        let _ = writeln!(code, "    EmbeddedFile {{ name: {:?}, bytes: include_bytes!({file:?}) }},", name.join("/"));
    }
    code.push_str("]\n");
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(io::ErrorKind::NotFound)?;
    fs::write(out.join("scenes.rs"), code)
}

/// Everything below a folder but the scripts that made it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending != "py") {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}
