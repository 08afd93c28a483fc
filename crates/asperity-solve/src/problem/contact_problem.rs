//! A frictional contact problem in impulses: u = W r + b, with a law for each row block.
//!
//! Row blocks are of three kinds:
//!
//! * contact: rows (n, t, b), (n, t, b, spin) or (n, t, b, spin, roll_t, roll_b), or the normal alone. With F the set of the
//!   contact's law, K the cone over it and h its support, the solution has
//!   K ∋ r ⟂ u + (h(−u_T), 0) ∈ K* (de Saxcé): no penetration, maximum dissipation, r_T in r_N·F;
//! * bilateral: u = 0, r free (joints);
//! * bounded: lower ≤ r ≤ upper row by row; u ≥ 0 at the lower bound, u ≤ 0 at the upper one, u = 0 between (motors, brakes).

use asperity_friction::ContactLaw;

use super::block_matrix::BlockMatrix;
use super::error::ProblemError;

/// What a row block demands.
#[derive(Clone, Debug, PartialEq)]
pub enum RowKind {
    /// u = 0.
    Bilateral,
    /// Bounds of each row's impulse.
    Bounded {
        /// Lower bounds, one a row; may be −∞.
        lower: Vec<f64>,
        /// Upper bounds, one a row; may be ∞.
        upper: Vec<f64>,
    },
    /// A contact; its law is in the list of laws, at the number of the contact.
    Contact,
}

/// u = W r + b over row blocks.
#[derive(Clone, Debug)]
pub struct ContactProblem {
    w: BlockMatrix,
    bias: Vec<f64>,
    kinds: Vec<RowKind>,
    /// Number of the law of each block, for contacts.
    law_of: Vec<usize>,
    contacts: usize,
}

impl ContactProblem {
    /// From the operator, the bias and what each block demands.
    pub fn new(w: BlockMatrix, bias: Vec<f64>, kinds: Vec<RowKind>) -> Result<Self, ProblemError> {
        if bias.len() != w.rows() || kinds.len() != w.blocks() {
            return Err(ProblemError::Size {
                rows: w.rows(),
                blocks: w.blocks(),
                bias: bias.len(),
                kinds: kinds.len(),
            });
        }
        if let Some(row) = bias.iter().position(|b| !b.is_finite()) {
            return Err(ProblemError::NotFinite { what: "bias", row, value: bias[row] });
        }
        let (mut law_of, mut contacts) = (Vec::with_capacity(kinds.len()), 0);
        for (i, kind) in kinds.iter().enumerate() {
            let rows = w.range(i).len();
            law_of.push(contacts);
            match kind {
                RowKind::Bilateral => {}
                RowKind::Bounded { lower, upper } => {
                    let fits = lower.len() == rows && upper.len() == rows;
                    if !fits || lower.iter().zip(upper).any(|(l, u)| l.partial_cmp(u).is_none_or(|o| o.is_gt())) {
                        return Err(ProblemError::Bounds { block: i });
                    }
                }
                RowKind::Contact => {
                    if ![1, 3, 4, 6].contains(&rows) {
                        return Err(ProblemError::ContactRows { block: i, rows });
                    }
                    contacts += 1;
                }
            }
            if let Some(bad) = w.row(i).flat_map(|b| b.values.iter()).find(|v| !v.is_finite()) {
                return Err(ProblemError::NotFinite { what: "W", row: w.start(i), value: *bad });
            }
        }
        Ok(Self { w, bias, kinds, law_of, contacts })
    }

    /// The operator W.
    pub fn w(&self) -> &BlockMatrix {
        &self.w
    }

    /// The bias b.
    pub fn bias(&self) -> &[f64] {
        &self.bias
    }

    /// How many row blocks there are.
    pub fn blocks(&self) -> usize {
        self.kinds.len()
    }

    /// How many contacts there are: so many laws are needed.
    pub fn contacts(&self) -> usize {
        self.contacts
    }

    /// What block i demands.
    #[inline]
    pub fn kind(&self, i: usize) -> &RowKind {
        &self.kinds[i]
    }

    /// The number of the law of block i, if it is a contact.
    #[inline]
    pub fn law_of(&self, i: usize) -> usize {
        self.law_of[i]
    }

    /// u = W r + b.
    pub fn velocities(&self, r: &[f64], u: &mut [f64]) {
        u.copy_from_slice(&self.bias);
        for i in 0..self.blocks() {
            self.w.add_row(i, r, &mut u[self.w.range(i)]);
        }
    }

    /// Refuses laws that do not fit the contacts: too few, or with more rows than the contact has.
    pub fn check_laws(&self, laws: &[ContactLaw]) -> Result<(), ProblemError> {
        if laws.len() != self.contacts {
            return Err(ProblemError::Laws { laws: laws.len(), contacts: self.contacts });
        }
        for i in 0..self.blocks() {
            if self.kinds[i] == RowKind::Contact {
                let (rows, needed) = (self.w.range(i).len(), laws[self.law_of[i]].rows() + 1);
                if rows > 1 && needed > rows {
                    return Err(ProblemError::LawRows { block: i, rows, needed });
                }
            }
        }
        Ok(())
    }

    /// The problem of some blocks alone, with the coupling to all others dropped. `blocks` increase.
    pub fn part(&self, blocks: &[usize]) -> Self {
        let mut starts = vec![0];
        let mut place = vec![usize::MAX; self.blocks()];
        let mut bias = Vec::new();
        for (k, &i) in blocks.iter().enumerate() {
            place[i] = k;
            bias.extend_from_slice(&self.bias[self.w.range(i)]);
            starts.push(bias.len());
        }
        let entries = blocks.iter().enumerate().flat_map(|(k, &i)| {
            let first = starts[k];
            let (starts, place) = (&starts, &place);
            self.w.row(i).filter(move |b| place[b.column] != usize::MAX).flat_map(move |b| {
                let height = self.w.range(i).len();
                let width = b.values.len() / height;
                let column = starts[place[b.column]];
                b.values.iter().enumerate().map(move |(n, v)| (first + n / width, column + n % width, *v))
            })
        });
        let w = BlockMatrix::from_entries(&starts, entries);
        let kinds: Vec<RowKind> = blocks.iter().map(|&i| self.kinds[i].clone()).collect();
        let (mut law_of, mut contacts) = (Vec::new(), 0);
        for kind in &kinds {
            law_of.push(contacts);
            contacts += usize::from(*kind == RowKind::Contact);
        }
        Self { w, bias, kinds, law_of, contacts }
    }

    /// The groups of blocks that do not act on each other, each in increasing order, by their first block.
    pub fn islands(&self) -> Vec<Vec<usize>> {
        let mut root: Vec<usize> = (0..self.blocks()).collect();
        fn find(root: &mut [usize], mut i: usize) -> usize {
            while root[i] != i {
                root[i] = root[root[i]];
                i = root[i];
            }
            i
        }
        for i in 0..self.blocks() {
            for block in self.w.row(i) {
                if block.values.iter().any(|v| *v != 0.0) {
                    let (a, b) = (find(&mut root, i), find(&mut root, block.column));
                    root[a.max(b)] = a.min(b);
                }
            }
        }
        let mut islands: Vec<Vec<usize>> = Vec::new();
        let mut number = vec![usize::MAX; self.blocks()];
        for i in 0..self.blocks() {
            let r = find(&mut root, i);
            if number[r] == usize::MAX {
                number[r] = islands.len();
                islands.push(Vec::new());
            }
            islands[number[r]].push(i);
        }
        islands
    }
}
