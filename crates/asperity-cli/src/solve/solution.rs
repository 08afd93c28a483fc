//! The impulses of a problem as a table.
//!
//! A line for each row of the problem: `id` is the contact's name where the file has one, which is the `id` of `contacts.csv` of the run that
//! dumped it, else its number from 0; joints and motors have the number of their block behind a word. `row` is the direction. Numbers
//! read back to the same bits.

use std::fmt::Write;

use asperity_solve::problem::RowKind;

use super::input::Problem;
use super::record::quoted;

/// First line of the table.
const HEADER: &str = "id,row,impulse\n";

/// Directions of the rows of a contact.
const DIRECTIONS: [&str; 6] = ["n", "t", "b", "spin", "roll_t", "roll_b"];

/// The table of impulses r.
pub(crate) fn table(problem: &Problem, r: &[f64]) -> String {
    let (posed, mut text) = (&problem.problem, HEADER.to_owned());
    for block in 0..posed.blocks() {
        let id = id(problem, block);
        for (k, row) in posed.range(block).enumerate() {
            // Adding zero turns -0 into 0.
            let impulse = r[row] + 0.0;
            let _ = match posed.kind(block) {
                RowKind::Contact => writeln!(text, "{id},{},{impulse:?}", DIRECTIONS[k]),
                RowKind::Bilateral | RowKind::Bounded { .. } => writeln!(text, "{id},{k},{impulse:?}"),
            };
        }
    }
    text
}

/// What a block is called.
fn id(problem: &Problem, block: usize) -> String {
    match problem.problem.kind(block) {
        RowKind::Contact => {
            let number = problem.problem.law_of(block);
            problem.names.get(number).map_or_else(|| number.to_string(), |name| quoted(name))
        }
        RowKind::Bilateral => format!("joint {block}"),
        RowKind::Bounded { .. } => format!("bounded {block}"),
    }
}
