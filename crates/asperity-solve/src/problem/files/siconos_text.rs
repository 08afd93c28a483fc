//! The text files of Siconos (`.dat`): whitespace-separated numbers.
//!
//! `d nc storage n0 n1`, the matrix, q (n1 values), μ (nc values); what follows is ignored. d = 3.
//! * storage 0, dense: n0 and n1 again, then the values column by column;
//! * storage 1, sparse blocks: number of blocks, block rows, block columns, where each block row ends, where each block
//!   column ends, length of the row pointers, number of column indices, row pointers, column indices; then for each
//!   block its number and its 9 values, column by column.

use super::Csc;
use super::error::{Fault, Reason};
use super::tokens::{Item, Tokens};
use super::{CONTACT_ROWS, LocalProblem};

/// Values of a block.
const BLOCK: usize = CONTACT_ROWS * CONTACT_ROWS;

/// Reads a local problem.
pub(super) fn read(bytes: &[u8]) -> Result<LocalProblem, Box<Fault>> {
    let mut tokens = Tokens::new(bytes);
    let dimension = Item("dimension", None);
    match tokens.count(dimension)? {
        CONTACT_ROWS => {}
        other => return Err(tokens.fault(dimension, Reason::Dimension(other as i64))),
    }
    let contacts_item = Item("contacts", None);
    let contacts = tokens.count(contacts_item)?;
    let size = CONTACT_ROWS * contacts;
    // q and μ alone take four values a contact.
    tokens.room_for(contacts_item, 4 * contacts as u64)?;

    let storage_item = Item("storage", None);
    let storage = tokens.count(storage_item)?;
    if storage > 1 {
        let what = format!("storage {storage}; 0 (dense) and 1 (sparse blocks) are");
        return Err(tokens.fault(storage_item, Reason::Unsupported(what)));
    }
    matrix_size(&mut tokens, size)?;
    let w = if storage == 0 { read_dense(&mut tokens, size)? } else { read_blocks(&mut tokens, contacts)? };
    let q = tokens.reals("q", size)?;
    let mu = read_friction(&mut tokens, contacts)?;
    Ok(LocalProblem { w, q, mu, guesses: Vec::new() })
}

fn matrix_size(tokens: &mut Tokens<'_>, size: usize) -> Result<(), Box<Fault>> {
    let why = "rows and columns are expected, three a contact";
    tokens.exactly(Item("matrix rows", None), size, why)?;
    tokens.exactly(Item("matrix columns", None), size, why)
}

fn read_dense(tokens: &mut Tokens<'_>, size: usize) -> Result<Csc, Box<Fault>> {
    matrix_size(tokens, size)?;
    let item = |k| Item("matrix", k);
    tokens.room_for(item(None), size as u64 * size as u64)?;
    let mut triplets = Vec::new();
    for j in 0..size {
        for i in 0..size {
            let value = tokens.real(item(Some(j * size + i)))?;
            if value != 0.0 {
                triplets.push((i, j, value));
            }
        }
    }
    Ok(Csc::from_triplets(size, size, &triplets).expect("indices run below the size"))
}

fn read_blocks(tokens: &mut Tokens<'_>, contacts: usize) -> Result<Csc, Box<Fault>> {
    let blocks_item = Item("blocks", None);
    let blocks = tokens.count(blocks_item)?;
    // A block takes its column index, its number and its values.
    tokens.room_for(blocks_item, (BLOCK as u64 + 2) * blocks as u64)?;
    let one_a_contact = "is expected, one a contact";
    tokens.exactly(Item("block rows", None), contacts, one_a_contact)?;
    tokens.exactly(Item("block columns", None), contacts, one_a_contact)?;
    for name in ["row end", "column end"] {
        for k in 0..contacts {
            let why = "is expected: every block is 3 by 3";
            tokens.exactly(Item(name, Some(k)), CONTACT_ROWS * (k + 1), why)?;
        }
    }
    let pointers = read_row_pointers(tokens, contacts, blocks)?;
    let columns =
        (0..blocks).map(|k| tokens.index(Item("column index", Some(k)), contacts)).collect::<Result<Vec<_>, _>>()?;

    let mut triplets = Vec::with_capacity(BLOCK * blocks);
    for (row, stored) in pointers.windows(2).enumerate() {
        for (k, &column) in columns.iter().enumerate().take(stored[1]).skip(stored[0]) {
            tokens.exactly(Item("block number", Some(k)), k, "is expected: the blocks are numbered in order")?;
            for entry in 0..BLOCK {
                let value = tokens.real(Item("block values", Some(k * BLOCK + entry)))?;
                let (i, j) = (entry % CONTACT_ROWS, entry / CONTACT_ROWS);
                triplets.push((CONTACT_ROWS * row + i, CONTACT_ROWS * column + j, value));
            }
        }
    }
    let size = CONTACT_ROWS * contacts;
    let matrix = Csc::from_triplets(size, size, &triplets).expect("columns were checked, and rows run below the size");
    match matrix.overflow() {
        Some(value) => Err(tokens.fault(Item("sum of equal blocks", None), Reason::NotFinite(value))),
        None => Ok(matrix),
    }
}

/// Reads both lengths and the row pointers: 0 first, never falling, the number of blocks last.
fn read_row_pointers(tokens: &mut Tokens<'_>, contacts: usize, blocks: usize) -> Result<Vec<usize>, Box<Fault>> {
    // Siconos leaves out the pointers of empty last rows.
    let length_item = Item("row pointers", None);
    let length = tokens.count(length_item)?;
    if length == 0 || length > contacts + 1 {
        let why = "are expected, one more than the block rows";
        return Err(tokens.mismatch(length_item, length, format!("1 to {}", contacts + 1), why));
    }
    tokens.exactly(Item("column indices", None), blocks, "is expected, the number of blocks")?;
    let mut pointers: Vec<usize> = Vec::with_capacity(length);
    for k in 0..length {
        let item = Item("row pointer", Some(k));
        let pointer = tokens.count(item)?;
        let lowest = if k + 1 == length { blocks } else { pointers.last().copied().unwrap_or(0) };
        let highest = if k == 0 { 0 } else { blocks };
        if pointer < lowest || pointer > highest {
            let why = "is expected: row pointers rise from 0 to the number of blocks";
            return Err(tokens.mismatch(item, pointer, format!("{lowest} to {highest}"), why));
        }
        pointers.push(pointer);
    }
    Ok(pointers)
}

fn read_friction(tokens: &mut Tokens<'_>, contacts: usize) -> Result<Vec<f64>, Box<Fault>> {
    let read_one = |k| {
        let item = Item("mu", Some(k));
        let mu = tokens.real(item)?;
        if mu < 0.0 { Err(tokens.fault(item, Reason::NegativeFriction(mu))) } else { Ok(mu) }
    };
    (0..contacts).map(read_one).collect()
}
