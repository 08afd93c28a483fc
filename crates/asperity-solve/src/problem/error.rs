//! What can be wrong with a contact problem.

use asperity_friction::FrictionError;

/// A problem or its laws that do not make sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// Sizes that do not fit together.
    #[error("there are {rows} rows in {blocks} blocks, but {bias} biases and {kinds} kinds")]
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
    /// A number that is NaN or infinite.
    #[error("{what} in row {row} is {value}: must be finite")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// The row.
        row: usize,
        /// The value.
        value: f64,
    },
    /// An inverse mass that is negative, not finite or of the wrong size.
    #[error("body {body}: its inverse mass must be finite, not negative, and as large as it has degrees of freedom")]
    InverseMass {
        /// The body.
        body: usize,
    },
    /// A row block that acts on a body that is not there, or with a Jacobian of the wrong size.
    #[error("block {block}: a Jacobian of {values} values does not fit body {body}, or there is no such body")]
    Link {
        /// The row block.
        block: usize,
        /// The body.
        body: usize,
        /// Values given.
        values: usize,
    },
    /// M and H that do not fit each other or the rows.
    #[error("M is {} x {}, H is {} x {}, for {rows} rows: they do not fit", mass.0, mass.1, h.0, h.1)]
    Shapes {
        /// Rows and columns of M.
        mass: (usize, usize),
        /// Rows and columns of H.
        h: (usize, usize),
        /// Rows of the problem.
        rows: usize,
    },
    /// Generalised velocities were asked of dynamics without degrees of freedom.
    #[error("only W is known: there are no degrees of freedom, and no velocities of them")]
    NoFreedoms,
    /// Velocities or impulses that are not as many as the dynamics have.
    #[error("{free} velocities for {dofs} degrees of freedom, {impulses} impulses for {rows} rows: they do not fit")]
    Freedoms {
        /// Velocities given.
        free: usize,
        /// Degrees of freedom.
        dofs: usize,
        /// Impulses given.
        impulses: usize,
        /// Rows of the problem.
        rows: usize,
    },
    /// A compliance that is negative or not finite.
    #[error("compliance of row {row} is {value}: must be finite and not negative")]
    Compliance {
        /// The row.
        row: usize,
        /// The value.
        value: f64,
    },
    /// A friction model that does not answer for a contact.
    #[error("contact {contact}: {error}")]
    Friction {
        /// Number of the contact.
        contact: usize,
        /// What is wrong.
        error: FrictionError,
    },
    /// A start that is not one impulse a row.
    #[error("the start has {given} impulses for {rows} rows")]
    Start {
        /// Impulses given.
        given: usize,
        /// Rows of the problem.
        rows: usize,
    },
    /// Stored starts or entries that do not make a matrix.
    #[error("the stored rows and entries of {what} do not fit together")]
    Layout {
        /// Which matrix.
        what: &'static str,
    },
    /// M is not symmetric.
    #[error("M is not symmetric: entry ({row}, {column}) is {value}, entry ({column}, {row}) is {other}")]
    NotSymmetric {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Its value.
        value: f64,
        /// The value at the transposed place.
        other: f64,
    },
    /// M is not positive definite.
    #[error("M is not positive definite: the pivot of degree of freedom {row} is not positive")]
    NotPositive {
        /// The degree of freedom.
        row: usize,
    },
    /// The factors of M do not fit into memory.
    #[error("the factors of M, with {rows} degrees of freedom, do not fit into memory")]
    Memory {
        /// Degrees of freedom.
        rows: usize,
    },
    /// M has no inverse.
    #[error("M is singular to working precision")]
    SingularMass,
    /// Bounds that are not one a row or not in order.
    #[error("block {block}: bounds must be one a row, lower ≤ upper, with a finite impulse between them")]
    Bounds {
        /// The block.
        block: usize,
    },
    /// A block without rows, or with more than can be stored.
    #[error("block {block}: cannot have {rows} rows")]
    BlockRows {
        /// The block.
        block: usize,
        /// Its rows.
        rows: usize,
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
    /// An island that is larger than the solver's settings allow.
    #[error("{solver} does not take an island with {rows} complementarity rows: its setting `rows` allows {most}")]
    TooLarge {
        /// The solver.
        solver: &'static str,
        /// Rows of the island.
        rows: usize,
        /// Most that are allowed.
        most: usize,
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
