//! Files that are read as a whole: not more than a stated size, and nothing but regular files, so that a mistaken name or a link to an endless
//! device is refused at once instead of filling the memory.
//!
//! ```
//! use asperity::input_file::read_regular;
//!
//! let reason = read_regular(std::path::Path::new("no/such/mesh.obj"), 1 << 20).unwrap_err();
//! assert_eq!(reason, "there is no such file");
//! ```

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The bytes of a regular file of at most `limit` bytes; otherwise the reason, as the end of a sentence that begins with the file's name.
pub fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    // Before it is opened: opening a pipe waits until somebody writes to it.
    let kind = fs::metadata(path).map_err(unreadable)?.file_type();
    if !kind.is_file() {
        let what = if kind.is_dir() { "a folder" } else { "a device or a pipe" };
        return Err(format!("is {what}, not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(format!("is larger than {} MiB, the most that is read", limit >> 20));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_or_no_file_is_refused_by_its_kind() {
        let folder = std::env::temp_dir().join(format!("asperity-input-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        fs::write(&path, vec![7; 1 << 20]).unwrap();
        assert_eq!(read_regular(&path, 1 << 20).unwrap().len(), 1 << 20);
        fs::write(&path, vec![7; (1 << 20) + 1]).unwrap();
        assert_eq!(read_regular(&path, 1 << 20).unwrap_err(), "is larger than 1 MiB, the most that is read");
        assert_eq!(read_regular(&folder, 9).unwrap_err(), "is a folder, not a regular file");
        assert_eq!(read_regular(&folder.join("none"), 9).unwrap_err(), "there is no such file");
        #[cfg(unix)]
        {
            let link = folder.join("endless.obj");
            std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
            assert_eq!(read_regular(&link, 9).unwrap_err(), "is a device or a pipe, not a regular file");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
