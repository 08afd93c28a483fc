//! Stored problems: both formats read, the text one written, and every malformed file refused with its place.

mod archive;
mod fclib;
mod global_text;
mod snapshot;
mod stored;
mod text;

use asperity_solve::problem::files::{Fault, LocalProblem, StoredProblem, read_bytes};

/// Reads bytes that must hold a local problem.
fn local(bytes: &[u8]) -> LocalProblem {
    match read_bytes("test", bytes).unwrap() {
        StoredProblem::Local(problem) => problem,
        other => panic!("{} contacts, not of a local problem", other.contacts()),
    }
}

/// Reads bytes that must be refused, under the given name.
fn fault(bytes: &[u8]) -> Fault {
    let error = read_bytes("bad.dat", bytes).unwrap_err();
    assert!(error.to_string().starts_with("bad.dat: "), "{error}");
    *error.fault
}
