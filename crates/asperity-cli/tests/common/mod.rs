//! Drives the built program in a folder of its own.
// Each test binary uses a part of it.
#![allow(dead_code)]

pub(crate) mod problem;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A scratch folder, removed at the end.
pub(crate) struct Bench {
    folder: PathBuf,
}

impl Bench {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("asperity-cli-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> &Self {
        fs::write(self.path(name), text).unwrap();
        self
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Names of the files and folders, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_asperity")).args(arguments).current_dir(&self.folder).output().unwrap()
    }

    /// Runs the program, which must succeed in silence on standard error; answers with what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let (out, aside) = self.ok_aside(arguments);
        assert_eq!(aside, "", "{arguments:?}");
        out
    }

    /// The same, with standard error.
    pub(crate) fn ok_aside(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        let aside = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {aside}");
        (String::from_utf8(output.stdout).unwrap(), aside)
    }

    /// Runs the program, which must find that some solves did not reach their error, and say so; answers with what it printed.
    #[allow(dead_code)]
    pub(crate) fn unsolved(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let aside = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {aside}");
        assert!(aside.contains("did not reach"), "{arguments:?}: {aside}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the program, which must end with this status; answers with what it printed to both outputs.
    pub(crate) fn ends(&self, status: i32, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        let aside = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {aside}");
        (String::from_utf8(output.stdout).unwrap(), aside)
    }

    /// Runs the program, which must refuse with status 2, print nothing and write nothing; answers with the message.
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let before = self.names();
        let output = self.run(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.starts_with("error: "), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{message}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(self.names(), before, "{arguments:?} left something behind");
        message
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A row of a table: the name of the curve, and numbers.
pub(crate) type Row = (String, Vec<f64>);

/// Header and rows of a CSV file without quotes.
pub(crate) fn csv(text: &str) -> (Vec<String>, Vec<Row>) {
    let mut lines = text.lines();
    let header = lines.next().expect("a header").split(',').map(String::from).collect();
    let rows = lines
        .map(|line| {
            let (name, numbers) = line.split_once(',').expect("a name and numbers");
            (name.to_owned(), numbers.split(',').map(|n| n.parse().expect("a number")).collect())
        })
        .collect();
    (header, rows)
}

/// Asserts that two numbers agree.
#[track_caller]
pub(crate) fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}
