//! What can be wrong with a contact problem.

/// A problem or its laws that do not make sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// Sizes that do not fit together.
    #[error("W has {rows} rows in {blocks} blocks, but there are {bias} biases and {kinds} kinds")]
    Size {
        /// Rows of W.
        rows: usize,
        /// Blocks of W.
        blocks: usize,
        /// Length of the bias.
        bias: usize,
        /// Number of kinds.
        kinds: usize,
    },
    /// A number that is none.
    #[error("{what} in row {row} is {value}: must be finite")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// The row.
        row: usize,
        /// The value.
        value: f64,
    },
    /// Bounds that are not one a row or not in order.
    #[error("block {block}: bounds must be one a row, lower ≤ upper")]
    Bounds {
        /// The block.
        block: usize,
    },
    /// A contact with a number of rows that has no meaning.
    #[error("block {block}: a contact has 1, 3, 4 or 6 rows, not {rows}")]
    ContactRows {
        /// The block.
        block: usize,
        /// Its rows.
        rows: usize,
    },
    /// A number of laws that is not that of the contacts.
    #[error("{laws} laws for {contacts} contacts")]
    Laws {
        /// Given.
        laws: usize,
        /// Needed.
        contacts: usize,
    },
    /// A law that needs more rows than the contact has.
    #[error("block {block}: the law needs {needed} rows, the contact has {rows}")]
    LawRows {
        /// The block.
        block: usize,
        /// Its rows.
        rows: usize,
        /// Rows that the law needs.
        needed: usize,
    },
    /// A law that the solver does not take.
    #[error("contact {contact}: {solver} does not take {law}")]
    Refused {
        /// Number of the contact.
        contact: usize,
        /// The solver.
        solver: &'static str,
        /// What the law is.
        law: &'static str,
    },
    /// A setting out of range.
    #[error("{name} = {value}: must be {expected}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
}
