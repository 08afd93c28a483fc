//! What is wrong with a scene: the place, the line of the file, and the reason.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::table::{Place, Source};

/// Problems that are printed; the others are counted.
const MOST: usize = 20;
/// Characters of a line that are printed.
const WIDEST: usize = 160;

/// Why a scene cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// At least one, in the order of the text.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The key, the value, and what was expected.
    pub message: String,
    /// Where.
    pub location: Location,
}

/// Where something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the file.
    Text {
        /// The file.
        path: PathBuf,
        /// From one.
        line: usize,
        /// In characters, from one.
        column: usize,
        /// Characters in this line that it is about.
        width: usize,
        /// The line.
        text: String,
    },
    /// In an override.
    Set {
        /// As it was given: `key=value`.
        argument: String,
    },
    /// The file itself.
    File {
        /// The file.
        path: PathBuf,
    },
}

impl Location {
    /// The location of a place.
    pub(super) fn new(place: &Place, path: &Path, text: &str, set: &[(String, String)]) -> Self {
        match place.source {
            Source::Set(index) => {
                let argument = set.get(index).map_or_else(String::new, |(key, value)| format!("{key}={value}"));
                Self::Set { argument }
            }
            Source::File => {
                let mut start = place.span.start.min(text.len());
                while !text.is_char_boundary(start) {
                    start -= 1;
                }
                let before = &text[..start];
                let line_start = before.rfind('\n').map_or(0, |i| i + 1);
                let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
                let marked = text.get(start..place.span.end.clamp(start, line_end)).unwrap_or_default();
                Self::Text {
                    path: path.to_owned(),
                    line: before.matches('\n').count() + 1,
                    column: text[line_start..start].chars().count() + 1,
                    width: marked.trim_end().chars().count().max(1),
                    text: text[line_start..line_end].trim_end().to_owned(),
                }
            }
        }
    }
}

impl SceneError {
    /// One problem of the file itself.
    pub(super) fn file(path: &Path, message: impl Into<String>) -> Self {
        let location = Location::File { path: path.to_owned() };
        Self { problems: vec![Problem { message: message.into(), location }] }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = &self.message;
        match &self.location {
            Location::File { path } => write!(f, "{}: {message}", path.display()),
            Location::Set { argument } => write!(f, "--set {argument}: {message}"),
            Location::Text { path, line, column, width, text } => {
                write!(f, "{}:{line}:{column}: {message}", path.display())?;
                let number = line.to_string();
                let margin = " ".repeat(number.len());
                // A caret below a place far to the right would be off the screen: the line begins later then.
                let skipped = if *column > WIDEST / 2 { column - WIDEST / 2 } else { 0 };
                let mut shown: String = text.chars().skip(skipped).take(WIDEST).collect();
                if skipped > 0 {
                    shown.replace_range(..shown.chars().next().map_or(0, char::len_utf8), "…");
                }
                let lead = (column - 1).saturating_sub(skipped);
                // Tabs stay tabs, so that the caret is below the place whatever their width.
                let blank: String = shown.chars().take(lead).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
                let carets = "^".repeat((*width).min(shown.chars().count().saturating_sub(lead)).max(1));
                write!(f, "\n {number} | {shown}\n {margin} | {blank}{carets}")
            }
        }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().take(MOST).enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        match self.problems.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for SceneError {}
