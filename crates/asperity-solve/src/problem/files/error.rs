//! Why a stored problem was refused, and where in its file.

use std::{fmt, io};

use thiserror::Error;

/// A refused file: which one, where in it, and why. The message says all of it, so there is no source beneath.
#[derive(Debug, Error)]
#[error("{file}: {fault}")]
pub struct FileError {
    /// The file as the caller named it.
    pub file: String,
    /// Where, and why.
    pub fault: Box<Fault>,
}

/// What is wrong inside a file, before the file's name is known.
#[derive(Debug, Error)]
#[error("{place}{reason}")]
pub struct Fault {
    /// Where in the file.
    pub place: Place,
    /// Why it is refused.
    pub reason: Reason,
}

impl Fault {
    pub(super) fn whole(reason: Reason) -> Box<Self> {
        Box::new(Self { place: Place::Whole, reason })
    }

    #[cfg(feature = "hdf5")]
    pub(super) fn hdf5(path: &str, index: Option<usize>, reason: Reason) -> Box<Self> {
        Box::new(Self { place: Place::Hdf5 { path: path.to_owned(), index }, reason })
    }
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    Whole,
    /// A token of a text file; all three numbers start at 1.
    Text {
        /// Line.
        line: usize,
        /// Column, in bytes.
        column: usize,
        /// Number of the token in the file.
        token: usize,
        /// What the token stands for, such as `q[4]`.
        item: String,
    },
    /// A place in a JSON document; both numbers start at 1.
    Json {
        /// Line.
        line: usize,
        /// Column, in bytes.
        column: usize,
    },
    /// An object of an HDF5 file, or one element of it (from 0).
    Hdf5 {
        /// Absolute path of the object.
        path: String,
        /// The element at fault.
        index: Option<usize>,
    },
}

/// As a prefix: ends with a colon and a space unless it is empty.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Text { line, column, token, item } => {
                write!(f, "line {line}, column {column} (token {token}, {item}): ")
            }
            Self::Json { line, column } => write!(f, "line {line}, column {column}: "),
            Self::Hdf5 { path, index: Some(index) } => write!(f, "{path}[{index}]: "),
            Self::Hdf5 { path, index: None } => write!(f, "{path}: "),
        }
    }
}

/// Why a file is refused.
#[derive(Debug, Error)]
pub enum Reason {
    /// The operating system refused.
    #[error("{0}")]
    Io(io::Error),
    /// Not one of the formats.
    #[error("not a stored contact problem: {0}")]
    Unrecognised(&'static str),
    /// The file ends before the problem does.
    #[error("the file ends here: it is truncated")]
    Truncated,
    /// A token that should be a real number.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// A token or value that should be a count or an index.
    #[error("`{0}` is not a count (a whole number, 0 or more)")]
    NotACount(String),
    /// Another word than the format has in this place.
    #[error("`{found}` is found where `{expected}` is expected")]
    Word {
        /// The token in the file.
        found: String,
        /// What the format asks for.
        expected: String,
    },
    /// Infinite or not a number.
    #[error("{0} is not finite")]
    NotFinite(f64),
    /// A negative friction coefficient.
    #[error("the friction coefficient {0} is negative")]
    NegativeFriction(f64),
    /// Two parts of the file contradict each other.
    #[error("found {found}, but {expected} {why}")]
    Mismatch {
        /// The value in the file.
        found: i64,
        /// What the rest of the file asks for.
        expected: String,
        /// Which part asks for it.
        why: &'static str,
    },
    /// An index beyond its range.
    #[error("the index {index} is out of range: it must be at least 0 and below {limit}")]
    OutOfRange {
        /// The index in the file.
        index: i64,
        /// One more than the largest index allowed.
        limit: usize,
    },
    /// More data declared than the file can hold: truncated, or a size that would exhaust the memory.
    #[error("declares {declared} {unit}, but the file has room for {room} at most")]
    TooLarge {
        /// What the file declares.
        declared: u64,
        /// The most its length allows.
        room: u64,
        /// Of what.
        unit: &'static str,
    },
    /// A problem that is not in 3D.
    #[error("the space dimension is {0}, and only 3 is supported")]
    Dimension(i64),
    /// A feature of the format that Asperity does not read.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// An HDF5 object that FCLIB requires.
    #[error("missing")]
    Missing,
    /// An HDF5 dataset of the wrong type.
    #[error("holds {found}, and {expected} is expected")]
    Type {
        /// The HDF5 type.
        found: String,
        /// What the format asks for.
        expected: &'static str,
    },
    /// JSON that is not a snapshot of a problem.
    #[error("{0}")]
    Json(String),
    /// The HDF5 structure itself is damaged.
    #[error("damaged HDF5: {0}")]
    Hdf5(String),
}
