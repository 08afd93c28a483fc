//! A frictional contact problem in impulses: u = (W + C) r + b, with a law for each row block. W comes from the
//! dynamics ([`Dynamics`]), C ≥ 0 is a compliance for each row: zero for rigid contact.
//!
//! Row blocks are of three kinds:
//!
//! * contact: rows (n, t, b), (n, t, b, spin) or (n, t, b, spin, roll_t, roll_b), or the normal alone. With F the set of the
//!   contact's law, K the cone over it and h its support, the solution has
//!   K ∋ r ⟂ u + (h(−u_T), 0) ∈ K* (de Saxcé): no penetration, maximum dissipation, r_T in r_N·F;
//! * bilateral: u = 0, r free (joints);
//! * bounded: lower ≤ r ≤ upper row by row; u ≥ 0 at the lower bound, u ≤ 0 at the upper one, u = 0 between (motors, brakes).

use std::sync::{Arc, OnceLock};

use asperity_friction::ContactLaw;

use super::dynamics::{BlockMatrix, Dynamics, Factor};
use super::error::ProblemError;
use super::groups::Groups;
use super::scale;
use super::sparse::Place;

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

/// u = (W + C) r + b over row blocks: W by the dynamics, C the compliance.
///
/// Cheap to clone: the dynamics are shared.
#[derive(Clone, Debug)]
pub struct ContactProblem {
    dynamics: Arc<Dynamics>,
    /// W, once a solver has asked for its blocks.
    formed: Arc<OnceLock<BlockMatrix>>,
    bias: Vec<f64>,
    compliance: Vec<f64>,
    /// The diagonal blocks of W + C, one after the other, once they have been asked for.
    diagonal: OnceLock<Vec<f64>>,
    /// The scales, once they have been asked for.
    scales: OnceLock<Arc<[f64]>>,
    /// First value of each diagonal block.
    offsets: Arc<[usize]>,
    kinds: Arc<[RowKind]>,
    /// Number of the law of each block, for contacts.
    law_of: Arc<[usize]>,
    contacts: usize,
}

impl ContactProblem {
    /// From the dynamics, the bias and what each block demands; without compliance.
    pub fn new(dynamics: impl Into<Dynamics>, bias: Vec<f64>, kinds: Vec<RowKind>) -> Result<Self, ProblemError> {
        let dynamics = dynamics.into();
        let starts = dynamics.starts();
        let (blocks, rows) = (starts.len() - 1, starts[starts.len() - 1]);
        if bias.len() != rows || kinds.len() != blocks {
            return Err(ProblemError::Size { rows, blocks, bias: bias.len(), kinds: kinds.len() });
        }
        if let Some(row) = bias.iter().position(|b| !b.is_finite()) {
            return Err(ProblemError::NotFinite { what: "bias", row, value: bias[row] });
        }
        for (i, kind) in kinds.iter().enumerate() {
            let rows = starts[i + 1] - starts[i];
            match kind {
                RowKind::Bilateral => {}
                RowKind::Bounded { lower, upper } => {
                    let fits = lower.len() == rows && upper.len() == rows;
                    // An impulse between them must be finite.
                    let holds = |(l, u): (&f64, &f64)| l <= u && *l < f64::INFINITY && *u > f64::NEG_INFINITY;
                    if !fits || !lower.iter().zip(upper).all(holds) {
                        return Err(ProblemError::Bounds { block: i });
                    }
                }
                RowKind::Contact if ![1, 3, 4, 6].contains(&rows) => {
                    return Err(ProblemError::ContactRows { block: i, rows });
                }
                RowKind::Contact => {}
            }
            if let Dynamics::Delassus(w) = &dynamics
                && let Some(bad) = w.row(i).flat_map(|b| b.values.iter()).find(|v| !v.is_finite())
            {
                return Err(ProblemError::NotFinite { what: "W", row: starts[i], value: *bad });
            }
        }
        Ok(Self::assemble(dynamics, bias, vec![0.0; rows], kinds))
    }

    /// From parts that fit together.
    fn assemble(dynamics: Dynamics, bias: Vec<f64>, compliance: Vec<f64>, kinds: Vec<RowKind>) -> Self {
        let starts = dynamics.starts();
        let mut offsets = vec![0];
        offsets.extend(starts.windows(2).scan(0, |sum, s| {
            *sum += (s[1] - s[0]) * (s[1] - s[0]);
            Some(*sum)
        }));
        let (mut law_of, mut contacts) = (Vec::with_capacity(kinds.len()), 0);
        for kind in &kinds {
            law_of.push(contacts);
            contacts += usize::from(*kind == RowKind::Contact);
        }
        Self {
            dynamics: Arc::new(dynamics),
            formed: Arc::default(),
            bias,
            compliance,
            diagonal: OnceLock::new(),
            scales: OnceLock::new(),
            offsets: offsets.into(),
            kinds: kinds.into(),
            law_of: law_of.into(),
            contacts,
        }
    }

    /// The same, measured with other units: those that the blocks feel with all degrees of freedom held but their own. Where W is not formed, finding the exact
    /// ones ([`ContactProblem::scales`]) costs more than a factorisation, in every step. Other dynamics than a factor keep the exact ones.
    pub fn with_local_scales(self) -> Self {
        let Dynamics::Factor(factor) = &*self.dynamics else { return self };
        let (pattern, values) = (factor.symbolic().pattern(), factor.values());
        let mass = |place: Place| pattern.slot(place).map_or(0.0, |slot| values[slot]);
        let unit = |i: usize| {
            let mut own = factor.rows().local_compliance(i, mass).unwrap_or_default();
            let rows = self.range(i);
            // A block that touches nothing has its compliance alone.
            own.resize(rows.len() * rows.len(), 0.0);
            for (k, row) in rows.clone().enumerate() {
                own[k * rows.len() + k] += self.compliance[row];
            }
            scale::largest_eigenvalue(&own, rows.len())
        };
        let scales: Arc<[f64]> = scale::positive((0..self.blocks()).map(unit).collect()).into();
        Self { scales: OnceLock::from(scales), ..self }
    }

    /// The diagonal blocks of W + C.
    fn diagonals(&self) -> &Vec<f64> {
        self.diagonal.get_or_init(|| {
            let mut diagonal = vec![0.0; self.offsets[self.blocks()]];
            self.dynamics.add_diagonal(&self.offsets, &mut diagonal);
            self.add_to_diagonal(&self.compliance, &mut diagonal);
            diagonal
        })
    }

    /// The same problem with a compliance for each row: u = (W + C) r + b.
    pub fn with_compliance(mut self, compliance: Vec<f64>) -> Result<Self, ProblemError> {
        if compliance.len() != self.rows() {
            let (blocks, kinds) = (self.blocks(), self.kinds.len());
            return Err(ProblemError::Size { rows: self.rows(), blocks, bias: compliance.len(), kinds });
        }
        if let Some(row) = compliance.iter().position(|c| !c.is_finite() || *c < 0.0) {
            return Err(ProblemError::Compliance { row, value: compliance[row] });
        }
        if let Some(mut diagonal) = self.diagonal.take() {
            let change: Vec<f64> = compliance.iter().zip(&self.compliance).map(|(new, old)| new - old).collect();
            self.add_to_diagonal(&change, &mut diagonal);
            self.diagonal = OnceLock::from(diagonal);
        }
        self.scales = OnceLock::new();
        self.compliance = compliance;
        Ok(self)
    }

    fn add_to_diagonal(&self, change: &[f64], diagonal: &mut [f64]) {
        for i in 0..self.blocks() {
            let (n, first) = (self.range(i).len(), self.offsets[i]);
            for (k, row) in self.range(i).enumerate() {
                diagonal[first + k * (n + 1)] += change[row];
            }
        }
    }

    /// Makes this, a clone of `base`, the problem with compliance C + δ S and bias b − δ S c: S the scales of the
    /// blocks, c the centre of a proximal step.
    pub(crate) fn shift(&mut self, base: &Self, delta: f64, scales: &[f64], center: &[f64]) {
        let mut diagonal = self.diagonal.take().unwrap_or_default();
        diagonal.clone_from(base.diagonals());
        self.scales = OnceLock::new();
        for (i, scale) in scales.iter().enumerate() {
            let (n, first) = (self.range(i).len(), self.offsets[i]);
            for (k, row) in self.range(i).enumerate() {
                let extra = delta * scale;
                self.compliance[row] = base.compliance[row] + extra;
                self.bias[row] = base.bias[row] - extra * center[row];
                diagonal[first + k * (n + 1)] += extra;
            }
        }
        self.diagonal = OnceLock::from(diagonal);
    }

    /// The dynamics.
    pub fn dynamics(&self) -> &Dynamics {
        &self.dynamics
    }

    /// W, without the compliance; formed when it is first asked for.
    pub fn w(&self) -> &BlockMatrix {
        match &*self.dynamics {
            Dynamics::Delassus(w) => w,
            other => self.formed.get_or_init(|| other.form()),
        }
    }

    /// Whether the blocks of W are at hand.
    pub fn is_formed(&self) -> bool {
        matches!(&*self.dynamics, Dynamics::Delassus(_)) || self.formed.get().is_some()
    }

    /// The dynamics, if systems are best solved over degrees of freedom: a sparse mass matrix, W not formed, and no row block
    /// longer than a contact with spin and rolling.
    pub(crate) fn sparse_dynamics(&self) -> Option<&Factor> {
        match &*self.dynamics {
            Dynamics::Factor(factor) if !self.is_formed() && self.dynamics.has_short_blocks() => Some(factor),
            _ => None,
        }
    }

    /// The bias b.
    pub fn bias(&self) -> &[f64] {
        &self.bias
    }

    /// The compliance, row by row.
    pub fn compliance(&self) -> &[f64] {
        &self.compliance
    }

    /// How many row blocks there are.
    pub fn blocks(&self) -> usize {
        self.kinds.len()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.bias.len()
    }

    /// The rows of block i.
    #[inline]
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        let starts = self.dynamics.starts();
        starts[i]..starts[i + 1]
    }

    /// The diagonal block i of W + C, row by row.
    #[inline]
    pub fn diagonal(&self, i: usize) -> &[f64] {
        &self.diagonals()[self.offsets[i]..self.offsets[i + 1]]
    }

    /// The unit of each row block: the largest eigenvalue of its diagonal block, or a small positive number where that
    /// is zero.
    pub fn scales(&self) -> &Arc<[f64]> {
        let largest = |i: usize| scale::largest_eigenvalue(self.diagonal(i), self.range(i).len());
        self.scales.get_or_init(|| scale::positive((0..self.blocks()).map(largest).collect()).into())
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

    /// u = (W + C) r + b.
    pub fn velocities(&self, r: &[f64], u: &mut [f64]) {
        for (u, ((b, c), r)) in u.iter_mut().zip(self.bias.iter().zip(&self.compliance).zip(r)) {
            *u = b + c * r;
        }
        match &*self.dynamics {
            // Where W is formed, that is the shorter way.
            Dynamics::Factor(_) if self.is_formed() => {
                (0..self.blocks()).for_each(|i| self.w().add_row(i, r, &mut u[self.range(i)]));
            }
            dynamics => dynamics.apply(r, u),
        }
    }

    /// What a sweep carries along besides r: the generalised velocities M⁻¹ Jᵀ r of matrix-free dynamics, else nothing.
    pub(crate) fn sweep_state(&self, r: &[f64]) -> Vec<f64> {
        self.dynamics.bodies().map_or_else(Vec::new, |bodies| bodies.response(r))
    }

    /// The velocity of block i, with what [`ContactProblem::sweep_state`] gave, kept up to date.
    #[inline]
    pub(crate) fn block_velocity(&self, i: usize, r: &[f64], state: &[f64], u: &mut [f64]) {
        for (u, k) in u.iter_mut().zip(self.range(i)) {
            *u = self.bias[k] + self.compliance[k] * r[k];
        }
        match self.dynamics.bodies() {
            Some(bodies) => bodies.add_velocity(i, state, u),
            None => self.w().add_row(i, r, u),
        }
    }

    /// The velocity of the first row of block i, likewise, where that costs less than all of them.
    #[inline]
    pub(crate) fn first_velocity(&self, i: usize, r: &[f64], state: &[f64]) -> Option<f64> {
        let bodies = self.dynamics.bodies()?;
        let k = self.range(i).start;
        let mut u = [self.bias[k] + self.compliance[k] * r[k]];
        bodies.add_velocity(i, state, &mut u);
        Some(u[0])
    }

    /// Tells the state that the impulses of block i have changed by `change`.
    #[inline]
    pub(crate) fn block_changed(&self, i: usize, change: &[f64], state: &mut [f64]) {
        if let Some(bodies) = self.dynamics.bodies() {
            bodies.add_response(i, change, state);
        }
    }

    /// Refuses laws that do not fit the contacts: too few, or with more rows than the contact has.
    pub fn check_laws(&self, laws: &[ContactLaw]) -> Result<(), ProblemError> {
        if laws.len() != self.contacts {
            return Err(ProblemError::Laws { laws: laws.len(), contacts: self.contacts });
        }
        for i in 0..self.blocks() {
            if self.kinds[i] == RowKind::Contact {
                let (rows, needed) = (self.range(i).len(), laws[self.law_of[i]].rows() + 1);
                if rows > 1 && needed > rows {
                    return Err(ProblemError::LawRows { block: i, rows, needed });
                }
            }
        }
        Ok(())
    }

    /// The problem of some blocks alone, with the coupling to all others dropped. `blocks` increase.
    pub fn part(&self, blocks: &[usize]) -> Self {
        let pick = |from: &[f64]| blocks.iter().flat_map(|i| from[self.range(*i)].iter().copied()).collect();
        let kinds = blocks.iter().map(|&i| self.kinds[i].clone()).collect();
        let dynamics = match &*self.dynamics {
            Dynamics::Bodies(bodies) => bodies.part(blocks).into(),
            // Where W is formed, its blocks are at hand.
            Dynamics::Factor(factor)
                if !self.is_formed()
                    && let Some(part) = factor.part(blocks) =>
            {
                part.into()
            }
            _ => self.w().part(blocks).into(),
        };
        Self::assemble(dynamics, pick(&self.bias), pick(&self.compliance), kinds)
    }

    /// The groups of blocks that do not act on each other, each in increasing order, by their first block.
    pub fn islands(&self) -> Vec<Vec<usize>> {
        let mut groups = Groups::new(self.dynamics.nodes());
        self.dynamics.couplings(|a, b| groups.join(a, b));
        let mut islands: Vec<Vec<usize>> = Vec::new();
        let mut number = vec![usize::MAX; self.blocks()];
        for i in 0..self.blocks() {
            let r = groups.of(i);
            if number[r] == usize::MAX {
                number[r] = islands.len();
                islands.push(Vec::new());
            }
            islands[number[r]].push(i);
        }
        islands
    }
}
