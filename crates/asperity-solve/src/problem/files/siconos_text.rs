//! The text files of Siconos (`.dat`): whitespace-separated numbers. Both begin with the dimension 3 and the number of
//! contacts nc, and what follows the last coefficient is ignored. Matrices are stored as `siconos_matrix` says.
//!
//! * local (`FrictionContactProblem`): W of 3 nc rows and columns, q (3 nc values), μ (nc values): u = W r + q;
//! * global (`GlobalFrictionContactProblem`, files called GFC3D): M (n rows and columns), H (n rows, 3 nc columns), then q
//!   (n values), b (3 nc values), μ (nc values): M v = H r + q, u = Hᵀ v + b. All terms have the signs of
//!   [`GlobalProblem`], which calls q and b by their names in FCLIB, f and w. So W = Hᵀ M⁻¹ H, and the q of the local problem
//!   is Hᵀ M⁻¹ f + w.
//!
//! The two have no mark that tells them apart. A problem is global if a matrix with as many rows as the first has
//! begins after it: a storage and the number of rows, both written as whole numbers, and enough further tokens for the
//! rest. (A local problem looks like that only if its q begins with these whole numbers and as many ignored tokens
//! follow.)

use super::error::{Fault, Reason};
use super::siconos_matrix::{Shape, read_storage, read_values};
use super::tokens::{Item, Tokens};
use super::{CONTACT_ROWS, GlobalProblem, LocalProblem, StoredProblem};

const ROWS: Item = Item("matrix rows", None);
const COLUMNS: Item = Item("matrix columns", None);

/// Reads a local or a global problem.
pub(super) fn read(bytes: &[u8]) -> Result<StoredProblem, Box<Fault>> {
    let mut tokens = Tokens::new(bytes);
    let dimension = Item("dimension", None);
    match tokens.count(dimension)? {
        CONTACT_ROWS => {}
        other => return Err(tokens.fault(dimension, Reason::Dimension(other as i64))),
    }
    let contacts_item = Item("contacts", None);
    let contacts = tokens.count(contacts_item)?;
    let size = CONTACT_ROWS * contacts;
    // The vectors alone take four values a contact.
    tokens.room_for(contacts_item, 4 * contacts as u64)?;

    let storage = read_storage(&mut tokens)?;
    let rows = tokens.count(ROWS)?;
    let at_rows = tokens.clone();
    tokens.room_for(ROWS, rows as u64)?;
    tokens.exactly(COLUMNS, rows, "is expected: the first matrix is square")?;
    let matrix = read_values(&mut tokens, storage, Shape { rows, columns: rows })?;
    if is_global(&tokens, rows, contacts) {
        let m = matrix;
        tokens.within("H ");
        let storage = read_storage(&mut tokens)?;
        tokens.exactly(ROWS, rows, "is expected, as many as M has")?;
        tokens.exactly(COLUMNS, size, "is expected, three a contact")?;
        let h = read_values(&mut tokens, storage, Shape { rows, columns: size })?;
        tokens.within("");
        let (f, w) = (tokens.reals("q", rows)?, tokens.reals("b", size)?);
        let mu = read_friction(&mut tokens, contacts)?;
        return Ok(StoredProblem::Global(GlobalProblem { m, h, f, w, mu, guesses: Vec::new() }));
    }
    if rows != size {
        let why = "rows and columns are expected, three a contact (or, after the matrix, H with as many rows)";
        return Err(at_rows.mismatch(ROWS, rows, size.to_string(), why));
    }
    let q = tokens.reals("q", size)?;
    let mu = read_friction(&mut tokens, contacts)?;
    Ok(StoredProblem::Local(LocalProblem { w: matrix, q, mu, guesses: Vec::new() }))
}

/// Whether H follows, after a first matrix of so many rows.
fn is_global(tokens: &Tokens<'_>, rows: usize, contacts: usize) -> bool {
    let mut ahead = tokens.clone();
    let storage = ahead.try_count().is_some_and(|storage| storage <= 2);
    let same = ahead.try_count() == Some(rows);
    // The columns of H, q, b and μ: more than a local problem has.
    let rest = 1 + rows + (CONTACT_ROWS + 1) * contacts;
    storage && same && (0..rest).all(|_| ahead.skip())
}

fn read_friction(tokens: &mut Tokens<'_>, contacts: usize) -> Result<Vec<f64>, Box<Fault>> {
    let read_one = |k| {
        let item = Item("mu", Some(k));
        let mu = tokens.real(item)?;
        if mu < 0.0 { Err(tokens.fault(item, Reason::NegativeFriction(mu))) } else { Ok(mu) }
    };
    (0..contacts).map(read_one).collect()
}
