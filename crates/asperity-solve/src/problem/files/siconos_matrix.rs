//! A matrix in the text files of Siconos: `storage rows columns`, then the values in one of three storages.
//!
//! * 0, dense: rows and columns again, then the values column by column;
//! * 1, sparse blocks: number of blocks (if it is 0, nothing follows), block rows, block columns, where each block row ends,
//!   where each block column ends, length of the row pointers, number of column indices, row pointers, column indices; then
//!   for each block its number and its values, column by column;
//! * 2, sparse: the origin (1 triplets, 2 compressed columns), a line that names the version of CSparse, then either
//!   `triplet: R-by-C, nzmax: k nnz: k` and k times `row column : value`, or `R-by-C, nzmax: k nnz: k, 1-norm: x` and for each
//!   column `col j : locations a to b` and b - a + 1 times `row : value` (b = a - 1 for an empty column).

use super::Csc;
use super::error::{Fault, Reason};
use super::tokens::{Item, Tokens};
use crate::problem::MatrixEntry;

/// Rows and columns that a file declares for a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// How the values of a matrix are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Dense,
    Blocks,
    Sparse,
}

/// Reads the storage.
pub(super) fn read_storage(tokens: &mut Tokens<'_>) -> Result<Storage, Box<Fault>> {
    let item = Item("storage", None);
    match tokens.count(item)? {
        0 => Ok(Storage::Dense),
        1 => Ok(Storage::Blocks),
        2 => Ok(Storage::Sparse),
        other => {
            let what = format!("storage {other}; 0 (dense), 1 (sparse blocks) and 2 (sparse) are");
            Err(tokens.fault(item, Reason::Unsupported(what)))
        }
    }
}

/// Reads the values of a matrix, with storage and shape known. The shape must be justified by the length of the file.
pub(super) fn read_values(tokens: &mut Tokens<'_>, storage: Storage, shape: Shape) -> Result<Csc, Box<Fault>> {
    let triplets = match storage {
        Storage::Dense => read_dense(tokens, shape)?,
        Storage::Blocks => read_blocks(tokens, shape)?,
        Storage::Sparse => read_sparse(tokens, shape)?,
    };
    let matrix = Csc::from_triplets(shape.rows, shape.columns, &triplets).expect("indices were checked");
    match matrix.overflow() {
        Some(value) => Err(tokens.fault(Item("sum of equal entries", None), Reason::NotFinite(value))),
        None => Ok(matrix),
    }
}

fn read_dense(tokens: &mut Tokens<'_>, shape: Shape) -> Result<Vec<MatrixEntry>, Box<Fault>> {
    let why = "is expected, as declared before";
    tokens.exactly(Item("matrix rows", None), shape.rows, why)?;
    tokens.exactly(Item("matrix columns", None), shape.columns, why)?;
    let item = |k| Item("matrix", k);
    tokens.room_for(item(None), shape.rows as u64 * shape.columns as u64)?;
    let mut triplets = Vec::new();
    for column in 0..shape.columns {
        for row in 0..shape.rows {
            let value = tokens.real(item(Some(column * shape.rows + row)))?;
            if value != 0.0 {
                triplets.push(MatrixEntry { row, column, value });
            }
        }
    }
    Ok(triplets)
}

fn read_blocks(tokens: &mut Tokens<'_>, shape: Shape) -> Result<Vec<MatrixEntry>, Box<Fault>> {
    let blocks_item = Item("blocks", None);
    let blocks = tokens.count(blocks_item)?;
    if blocks == 0 {
        return Ok(Vec::new());
    }
    // A block takes its column index, its number and at least one value.
    tokens.room_for(blocks_item, 3 * blocks as u64)?;
    let rows = tokens.count(Item("block rows", None))?;
    tokens.room_for(Item("block rows", None), rows as u64)?;
    let columns = tokens.count(Item("block columns", None))?;
    tokens.room_for(Item("block columns", None), columns as u64)?;
    let row_starts = read_ends(tokens, "row end", rows, shape.rows)?;
    let column_starts = read_ends(tokens, "column end", columns, shape.columns)?;
    let pointers = read_row_pointers(tokens, rows, blocks)?;
    let block_columns =
        (0..blocks).map(|k| tokens.index(Item("column index", Some(k)), columns)).collect::<Result<Vec<_>, _>>()?;

    let mut triplets = Vec::new();
    let mut value_number = 0;
    for (row, stored) in pointers.windows(2).enumerate() {
        let height = row_starts[row + 1] - row_starts[row];
        for (k, &column) in block_columns.iter().enumerate().take(stored[1]).skip(stored[0]) {
            tokens.exactly(Item("block number", Some(k)), k, "is expected: the blocks are numbered in order")?;
            let width = column_starts[column + 1] - column_starts[column];
            for entry in 0..height * width {
                let value = tokens.real(Item("block values", Some(value_number)))?;
                value_number += 1;
                triplets.push(MatrixEntry {
                    row: row_starts[row] + entry % height,
                    column: column_starts[column] + entry / height,
                    value,
                });
            }
        }
    }
    Ok(triplets)
}

/// Reads where `count` block rows or columns end: rising, the last one at `size`. Answers with 0 before them.
fn read_ends(tokens: &mut Tokens<'_>, name: &'static str, count: usize, size: usize) -> Result<Vec<usize>, Box<Fault>> {
    let mut starts = vec![0];
    for k in 0..count {
        let item = Item(name, Some(k));
        let end = tokens.count(item)?;
        let lowest = if k + 1 == count { size } else { starts[k] + 1 };
        if end < lowest || end > size || end <= starts[k] {
            let why = "is expected: the ends of the blocks rise up to the size of the matrix";
            return Err(tokens.mismatch(item, end, format!("{lowest} to {size}"), why));
        }
        starts.push(end);
    }
    Ok(starts)
}

/// Reads both lengths and the row pointers: 0 first, never falling, the number of blocks last.
fn read_row_pointers(tokens: &mut Tokens<'_>, rows: usize, blocks: usize) -> Result<Vec<usize>, Box<Fault>> {
    // Siconos leaves out the pointers of empty last rows.
    let length_item = Item("row pointers", None);
    let length = tokens.count(length_item)?;
    if length == 0 || length > rows + 1 {
        let why = "are expected, one more than the block rows";
        return Err(tokens.mismatch(length_item, length, format!("1 to {}", rows + 1), why));
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

fn read_sparse(tokens: &mut Tokens<'_>, shape: Shape) -> Result<Vec<MatrixEntry>, Box<Fault>> {
    let item = Item("origin", None);
    let origin = tokens.count(item)?;
    if origin != 1 && origin != 2 {
        let what = format!("origin {origin} of a sparse matrix; 1 (triplets) and 2 (compressed columns) are");
        return Err(tokens.fault(item, Reason::Unsupported(what)));
    }
    tokens.word(Item("version", None), "CSparse")?;
    tokens.skip_line();
    if origin == 1 {
        tokens.word(Item("sparse header", None), "triplet:")?;
    }
    let stored = read_sparse_header(tokens, shape)?;
    if origin == 1 {
        return read_triplets(tokens, shape, stored);
    }
    tokens.word(Item("sparse header", None), "1-norm:")?;
    tokens.skip_line();
    read_columns(tokens, shape, stored)
}

/// Reads `R-by-C, nzmax: k nnz: k` with or without a comma at the end: how many values are stored.
fn read_sparse_header(tokens: &mut Tokens<'_>, shape: Shape) -> Result<usize, Box<Fault>> {
    let item = Item("sparse header", None);
    tokens.word(item, &format!("{}-by-{},", shape.rows, shape.columns))?;
    tokens.word(item, "nzmax:")?;
    tokens.count(Item("nzmax", None))?;
    tokens.word(item, "nnz:")?;
    let nnz = Item("nnz", None);
    let stored = tokens.count_before_comma(nnz)?;
    // A value takes a row, a colon and itself.
    tokens.room_for(nnz, 3 * stored as u64)?;
    Ok(stored)
}

fn read_triplets(tokens: &mut Tokens<'_>, shape: Shape, stored: usize) -> Result<Vec<MatrixEntry>, Box<Fault>> {
    let mut triplets = Vec::new();
    for k in 0..stored {
        let row = tokens.index(Item("row", Some(k)), shape.rows)?;
        let column = tokens.index(Item("column", Some(k)), shape.columns)?;
        tokens.word(Item("colon", Some(k)), ":")?;
        triplets.push(MatrixEntry { row, column, value: tokens.real(Item("value", Some(k)))? });
    }
    Ok(triplets)
}

fn read_columns(tokens: &mut Tokens<'_>, shape: Shape, stored: usize) -> Result<Vec<MatrixEntry>, Box<Fault>> {
    let mut triplets = Vec::new();
    for column in 0..shape.columns {
        let item = Item("column header", Some(column));
        tokens.word(item, "col")?;
        tokens.exactly(item, column, "is expected: the columns follow one another")?;
        for word in [":", "locations"] {
            tokens.word(item, word)?;
        }
        let first = triplets.len();
        tokens.exactly(item, first, "is expected: the values follow one another")?;
        tokens.word(item, "to")?;
        let end = tokens.count_after_last(item)?;
        if end < first || end > stored {
            let why = "is expected, one after the last value of the column";
            return Err(tokens.mismatch(item, end, format!("{first} to {stored}"), why));
        }
        for k in first..end {
            let row = tokens.index(Item("row", Some(k)), shape.rows)?;
            tokens.word(Item("colon", Some(k)), ":")?;
            triplets.push(MatrixEntry { row, column, value: tokens.real(Item("value", Some(k)))? });
        }
    }
    if triplets.len() == stored {
        Ok(triplets)
    } else {
        let why = "is expected, the number of values in the columns";
        Err(tokens.mismatch(Item("nnz", None), stored, triplets.len().to_string(), why))
    }
}
