//! Frictional contact problems stored in files: Siconos text, FCLIB HDF5, and snapshots of any problem as JSON.
//!
//! The problem: u = W r + q, three components a contact (N, T1, T2); r in the cone { |r_T| ≤ μ r_N };
//! (u_N + μ |u_T|, u_T) in its dual, and perpendicular to r. A *local* problem stores W, a *global* one the mass matrix
//! and the contact rows it is made of: M v = H r + f, u = Hᵀ v + w, that is W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + w.
//!
//! The format is decided by the content, never by the name: the field has text files called `x.hdf5.dat`. Everything in
//! a file is checked before it is believed: a malformed one is refused with the place and the reason, without a panic
//! and without an allocation that the length of the file does not justify.
//!
//! ```
//! use asperity_friction::set::Disk;
//! use asperity_solve::problem::files::{Snapshot, read_bytes};
//! use asperity_solve::problem::{BlockMatrix, ContactProblem, RowKind, to_contact_problem};
//!
//! let w = BlockMatrix::from_entries(&[0, 3], (0..3).map(|i| (i, i, 1.0)));
//! let problem = ContactProblem::new(w, vec![-1.0, 2.0, 0.0], vec![RowKind::Contact])?;
//! let text = Snapshot::new(&problem, &[Disk::new(0.3)?.into()], &[]).to_json();
//!
//! // Read back, it is the same problem.
//! let posed = to_contact_problem(&read_bytes("snapshot.json", text.as_bytes())?)?;
//! assert_eq!(posed.problem.bias(), problem.bias());
//!
//! // What is not a problem is refused, with the name of the file and the reason.
//! let error = read_bytes("wrong.dat", b"3 contacts").unwrap_err();
//! assert!(error.to_string().starts_with("wrong.dat"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without the feature `hdf5` the crate does not read FCLIB files, without `json` no snapshots; both are refused by name.

mod error;
#[cfg(feature = "hdf5")]
mod fclib;
#[cfg(feature = "hdf5")]
mod hdf5;
mod siconos_matrix;
mod siconos_text;
mod siconos_write;
mod snapshot;
mod tokens;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use super::sparse::Csc;
pub use error::{Fault, FileError, Place, Reason};
pub use siconos_write::write_siconos_text;
pub use snapshot::Snapshot;

/// Larger files are refused unread: problems of 10 000 contacts take some 100 MB as text, and a device or a pipe given
/// by mistake has no end.
const LARGEST_FILE: u64 = 1 << 30;

/// How an HDF5 file begins.
const HDF5_SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Rows a contact has: N, T1, T2.
const CONTACT_ROWS: usize = 3;

/// A starting point or solution stored beside a problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// Where it is stored: `guesses/1`, `solution`. Stored solutions are often all zeros.
    pub name: String,
    /// Impulses, three a contact.
    pub r: Vec<f64>,
    /// Relative velocities, three a contact; empty if not stored.
    pub u: Vec<f64>,
    /// Generalised velocities; empty if not stored, as in local problems.
    pub v: Vec<f64>,
}

/// A problem reduced to its contacts: u = W r + q.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalProblem {
    /// The Delassus matrix; it may be rank deficient and slightly nonsymmetric.
    pub w: Csc,
    /// The relative velocities without impulses, three a contact.
    pub q: Vec<f64>,
    /// The friction coefficient of each contact.
    pub mu: Vec<f64>,
    /// Stored starting points.
    pub guesses: Vec<Guess>,
}

/// A problem with its dynamics: M v = H r + f, u = Hᵀ v + w.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalProblem {
    /// The mass (or iteration) matrix.
    pub m: Csc,
    /// The contact directions: a row for each degree of freedom, three columns for each contact.
    pub h: Csc,
    /// The generalised impulses without contact.
    pub f: Vec<f64>,
    /// The relative velocities at v = 0, three a contact.
    pub w: Vec<f64>,
    /// The friction coefficient of each contact.
    pub mu: Vec<f64>,
    /// Stored starting points.
    pub guesses: Vec<Guess>,
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub enum StoredProblem {
    /// u = W r + q.
    Local(LocalProblem),
    /// M v = H r + f, u = Hᵀ v + w.
    Global(GlobalProblem),
    /// Any problem, dumped from a run.
    Snapshot(Box<Snapshot>),
}

impl StoredProblem {
    /// The number of contacts.
    pub fn contacts(&self) -> usize {
        match self {
            Self::Local(problem) => problem.mu.len(),
            Self::Global(problem) => problem.mu.len(),
            Self::Snapshot(snapshot) => snapshot.contacts(),
        }
    }
}

/// Reads a stored problem, whichever its format.
///
/// ```no_run
/// use asperity_solve::problem::files::{StoredProblem, read};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let StoredProblem::Local(problem) = read("KaplasTower.dat".as_ref())? else { panic!("a global problem") };
/// println!("{} contacts, {} values in W", problem.mu.len(), problem.w.len());
/// # Ok(())
/// # }
/// ```
pub fn read(path: &Path) -> Result<StoredProblem, FileError> {
    let name = path.display().to_string();
    match read_limited(path) {
        Ok(bytes) => read_bytes(&name, &bytes),
        Err(fault) => Err(FileError { file: name, fault }),
    }
}

/// Reads a stored problem from the bytes of its file; `name` is for the error message.
pub fn read_bytes(name: &str, bytes: &[u8]) -> Result<StoredProblem, FileError> {
    let problem = if is_hdf5(bytes) {
        read_hdf5(bytes)
    } else if bytes.trim_ascii_start().starts_with(b"{") {
        read_json(bytes)
    } else if looks_like_text(bytes) {
        siconos_text::read(bytes)
    } else {
        Err(Fault::whole(Reason::Unrecognised("neither text nor HDF5 nor JSON")))
    };
    problem.map_err(|fault| FileError { file: name.to_owned(), fault })
}

/// Whether the bytes carry the HDF5 signature: at 0, or after a user block of 512, 1024, 2048 ... bytes.
fn is_hdf5(bytes: &[u8]) -> bool {
    let offsets = std::iter::once(0).chain(std::iter::successors(Some(512_usize), |at| at.checked_mul(2)));
    offsets.take_while(|&at| at < bytes.len()).any(|at| bytes[at..].starts_with(HDF5_SIGNATURE))
}

#[cfg(feature = "hdf5")]
fn read_hdf5(bytes: &[u8]) -> Result<StoredProblem, Box<Fault>> {
    fclib::read(bytes)
}

#[cfg(not(feature = "hdf5"))]
fn read_hdf5(_: &[u8]) -> Result<StoredProblem, Box<Fault>> {
    Err(Fault::whole(Reason::Unsupported("HDF5 files in a program built without the feature `hdf5`".into())))
}

#[cfg(feature = "json")]
fn read_json(bytes: &[u8]) -> Result<StoredProblem, Box<Fault>> {
    Snapshot::from_json(bytes).map(|s| StoredProblem::Snapshot(Box::new(s)))
}

#[cfg(not(feature = "json"))]
fn read_json(_: &[u8]) -> Result<StoredProblem, Box<Fault>> {
    Err(Fault::whole(Reason::Unsupported("snapshots in a program built without the feature `json`".into())))
}

fn read_limited(path: &Path) -> Result<Vec<u8>, Box<Fault>> {
    let io = |error| Fault::whole(Reason::Io(error));
    let mut bytes = Vec::new();
    File::open(path).map_err(io)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > LARGEST_FILE {
        let too_large = Reason::Unsupported(format!("files of more than {LARGEST_FILE} bytes"));
        return Err(Fault::whole(too_large));
    }
    Ok(bytes)
}

/// Whether the first bytes can be those of a text file of numbers, so that binary data is not reported as a bad number.
fn looks_like_text(bytes: &[u8]) -> bool {
    bytes.iter().take(256).all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace())
}
