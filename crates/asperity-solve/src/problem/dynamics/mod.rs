//! How impulses change velocities: W, in the form in which a problem comes.
//!
//! * [`BlockMatrix`]: W itself, formed (the Delassus operator);
//! * [`Bodies`]: W = J M⁻¹ Jᵀ with small inverse masses, never formed: bodies, vertices and the rows that act on them;
//! * [`Factor`]: W = J M⁻¹ Jᵀ with a sparse M and its factors: elastic bodies, implicit integration.
//!
//! A row block is n-ary: it may act on any number of bodies or degrees of freedom.

mod block_matrix;
mod bodies;
mod dof_rows;
mod factor;
mod inverse;

pub use block_matrix::{Block, BlockMatrix};
pub use bodies::{Bodies, InverseMass, Link};
pub use dof_rows::{DofBlock, DofRows};
pub use factor::Factor;
pub(super) use factor::check_symmetric;

use super::ProblemError;

/// Longest row block of systems over bodies: a contact with spin and rolling.
const LONGEST_BLOCK: usize = 6;

/// W in one of its forms.
#[derive(Clone, Debug)]
pub enum Dynamics {
    /// Formed.
    Delassus(BlockMatrix),
    /// Matrix-free, over small inverse masses.
    Bodies(Bodies),
    /// Through the factors of a sparse mass matrix.
    Factor(Factor),
}

impl From<BlockMatrix> for Dynamics {
    fn from(w: BlockMatrix) -> Self {
        Self::Delassus(w)
    }
}

impl From<Bodies> for Dynamics {
    fn from(bodies: Bodies) -> Self {
        Self::Bodies(bodies)
    }
}

impl From<Factor> for Dynamics {
    fn from(factor: Factor) -> Self {
        Self::Factor(factor)
    }
}

impl Dynamics {
    /// First row of each row block, and the number of rows at the end.
    pub fn starts(&self) -> &[usize] {
        match self {
            Self::Delassus(w) => w.starts(),
            Self::Bodies(bodies) => bodies.starts(),
            Self::Factor(factor) => factor.starts(),
        }
    }

    /// The bodies, if W is known through them.
    #[inline]
    pub fn bodies(&self) -> Option<&Bodies> {
        match self {
            Self::Bodies(bodies) => Some(bodies),
            Self::Delassus(_) | Self::Factor(_) => None,
        }
    }

    /// The bodies, if compliant systems are best solved over them: they have no more degrees of freedom than there are
    /// rows, and no row block is longer than `LONGEST_BLOCK`.
    pub fn few_bodies(&self) -> Option<&Bodies> {
        let rows = self.starts()[self.starts().len() - 1];
        self.bodies().filter(|bodies| bodies.dofs_in_all() <= rows && self.has_short_blocks())
    }

    /// Whether no row block is longer than `LONGEST_BLOCK`.
    pub(super) fn has_short_blocks(&self) -> bool {
        self.starts().windows(2).all(|block| block[1] - block[0] <= LONGEST_BLOCK)
    }

    /// u += W r.
    pub fn apply(&self, r: &[f64], u: &mut [f64]) {
        match self {
            Self::Delassus(w) => (0..w.blocks()).for_each(|i| w.add_row(i, r, &mut u[w.range(i)])),
            Self::Bodies(bodies) => {
                let v = bodies.response(r);
                (0..bodies.blocks()).for_each(|i| bodies.add_velocity(i, &v, &mut u[bodies.range(i)]));
            }
            Self::Factor(factor) => factor.apply(r, u),
        }
    }

    /// The change M⁻¹ Jᵀ r of the generalised velocities; `None` if only W is known.
    pub fn response(&self, r: &[f64]) -> Option<Vec<f64>> {
        match self {
            Self::Delassus(_) => None,
            Self::Bodies(bodies) => Some(bodies.response(r)),
            Self::Factor(factor) => Some(factor.response(r)),
        }
    }

    /// Degrees of freedom; `None` if only W is known.
    pub fn dofs(&self) -> Option<usize> {
        match self {
            Self::Delassus(_) => None,
            Self::Bodies(bodies) => Some(bodies.dofs_in_all()),
            Self::Factor(factor) => Some(factor.dofs()),
        }
    }

    /// The generalised velocities v = v₀ + M⁻¹ Jᵀ r after the impulses r, in the order of the degrees of freedom; v₀,
    /// `free`, are those without impulses. Refused where only W is known, or where `free` or `r` has another size than
    /// the dynamics.
    pub fn velocities(&self, free: &[f64], r: &[f64]) -> Result<Vec<f64>, ProblemError> {
        let starts = self.starts();
        let (dofs, rows) = (self.dofs().ok_or(ProblemError::NoFreedoms)?, starts[starts.len() - 1]);
        if (free.len(), r.len()) != (dofs, rows) {
            return Err(ProblemError::Freedoms { free: free.len(), dofs, impulses: r.len(), rows });
        }
        let mut v = self.response(r).ok_or(ProblemError::NoFreedoms)?;
        v.iter_mut().zip(free).for_each(|(v, free)| *v += free);
        Ok(v)
    }

    /// Adds the diagonal blocks of W to `out`, each at its offset, row by row.
    pub(super) fn add_diagonal(&self, offsets: &[usize], out: &mut [f64]) {
        let blocks = self.starts().len() - 1;
        match self {
            Self::Delassus(w) => {
                for i in 0..blocks {
                    out[offsets[i]..offsets[i + 1]].iter_mut().zip(w.diagonal(i)).for_each(|(o, x)| *o += x);
                }
            }
            Self::Bodies(bodies) => {
                (0..blocks).for_each(|i| bodies.add_diagonal(i, &mut out[offsets[i]..offsets[i + 1]]));
            }
            Self::Factor(factor) => factor.add_diagonal(offsets, out),
        }
    }

    /// W, formed.
    pub(super) fn form(&self) -> BlockMatrix {
        match self {
            Self::Delassus(w) => w.clone(),
            Self::Bodies(bodies) => bodies.form(),
            Self::Factor(factor) => factor.form(),
        }
    }

    /// Calls `join(i, k)` for each row block i and each thing k that it acts on or with: equal k are coupled. Numbers
    /// below the number of blocks are row blocks.
    pub(super) fn couplings(&self, mut join: impl FnMut(usize, usize)) {
        let blocks = self.starts().len() - 1;
        match self {
            Self::Delassus(w) => {
                for i in 0..blocks {
                    for block in w.row(i).filter(|b| b.values.iter().any(|v| *v != 0.0)) {
                        join(i, block.column);
                    }
                }
            }
            Self::Bodies(bodies) => {
                for i in 0..blocks {
                    bodies.links(i).for_each(|link| join(i, blocks + link.body));
                }
            }
            Self::Factor(factor) => factor.couplings(join),
        }
    }

    /// How many things [`Dynamics::couplings`] speaks of, row blocks included.
    pub(super) fn nodes(&self) -> usize {
        let blocks = self.starts().len() - 1;
        match self {
            Self::Delassus(_) => blocks,
            Self::Bodies(bodies) => blocks + bodies.bodies(),
            Self::Factor(factor) => blocks + factor.dofs(),
        }
    }
}
