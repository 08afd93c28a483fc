//! Writing the text files of Siconos, in their sparse-block form (see `siconos_text` for the format).

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{CONTACT_ROWS, Csc, LocalProblem};
use crate::problem::MatrixEntry;

/// The 9 values of a block, column by column.
type ContactBlock = [f64; CONTACT_ROWS * CONTACT_ROWS];

/// Blocks by block row, then block column.
type Blocks = BTreeMap<(usize, usize), ContactBlock>;

/// Writes a local problem as Siconos text, in sparse blocks. Reading it gives the same numbers, bit for bit; the format
/// has no place for the guesses, nor for zeros stored in W.
///
/// A problem whose sizes contradict each other is refused with [`io::ErrorKind::InvalidInput`].
pub fn write_siconos_text(problem: &LocalProblem, mut out: impl Write) -> io::Result<()> {
    let contacts = problem.mu.len();
    let size = CONTACT_ROWS * contacts;
    let w = &problem.w;
    if (w.rows, w.cols, problem.q.len()) != (size, size, size) {
        let (rows, cols, q) = (w.rows, w.cols, problem.q.len());
        let message = format!("{contacts} contacts have {size} rows, but W is {rows} by {cols} and q has {q} values");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }

    let blocks = blocks_by_row(w);
    writeln!(out, "{CONTACT_ROWS}\n{contacts}\n1\n{size}\n{size}")?;
    write_blocks(&mut out, contacts, &blocks)?;
    write_reals(&mut out, &problem.q)?;
    write_reals(&mut out, &problem.mu)
}

/// Writes the number of blocks, and, unless it is 0, their layout and values.
fn write_blocks(out: &mut impl Write, contacts: usize, blocks: &Blocks) -> io::Result<()> {
    writeln!(out, "{}", blocks.len())?;
    if blocks.is_empty() {
        return Ok(());
    }
    writeln!(out, "{contacts}\n{contacts}")?;
    for _rows_then_columns in 0..2 {
        write_line(out, (1..=contacts).map(|k| CONTACT_ROWS * k))?;
    }
    writeln!(out, "{}\n{}", contacts + 1, blocks.len())?;
    write_line(out, row_pointers(contacts, blocks))?;
    write_line(out, blocks.keys().map(|&(_, column)| column))?;
    for (k, block) in blocks.values().enumerate() {
        writeln!(out, "{k}")?;
        write_reals(out, block)?;
    }
    Ok(())
}

/// The blocks with at least one stored value, by block row, then block column.
fn blocks_by_row(w: &Csc) -> Blocks {
    let mut blocks = Blocks::new();
    for MatrixEntry { row, column, value } in w.iter() {
        let block = blocks.entry((row / CONTACT_ROWS, column / CONTACT_ROWS)).or_default();
        block[(column % CONTACT_ROWS) * CONTACT_ROWS + row % CONTACT_ROWS] = value;
    }
    blocks
}

fn row_pointers(contacts: usize, blocks: &Blocks) -> impl Iterator<Item = usize> {
    let mut pointers = vec![0; contacts + 1];
    for &(row, _) in blocks.keys() {
        pointers[row + 1] += 1;
    }
    pointers.into_iter().scan(0, |sum, in_row| {
        *sum += in_row;
        Some(*sum)
    })
}

fn write_line(out: &mut impl Write, counts: impl Iterator<Item = usize>) -> io::Result<()> {
    for count in counts {
        write!(out, "{count}\t")?;
    }
    writeln!(out)
}

/// One value a line. `{:e}` writes the fewest digits (17 at most) that read back as the same number.
fn write_reals(out: &mut impl Write, values: &[f64]) -> io::Result<()> {
    values.iter().try_for_each(|value| writeln!(out, "{value:e}"))
}
