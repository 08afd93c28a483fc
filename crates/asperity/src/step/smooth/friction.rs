//! Friction: the contact problem over the masses that corrects the velocities of the elastic step.
//!
//! With v* and the impulses r* = (r_N*, r_T) of the elastic step, r_T the friction of the step before, or zero without
//! forwarding, it is
//!
//!   v⁺ = v* + M⁻¹ Jᵀ (r⁺ − r*),     u = J v⁺,
//!
//! and the law of each contact between r⁺ and u (Larionov et al. 2021, equations 22 to 27; their predictor z is the impulse
//! that makes u = W (r − z) of this, but for the normal part of W⁻¹ J v*, which they leave out: it is zero where the masses do
//! not couple normals and tangents, and otherwise needed for the law to hold exactly). M is diagonal, so W = J M⁻¹ Jᵀ is sparse.
//! Any contact solver solves it: `staggered_polar` is the method of the paper. [`Corrector::Elastic`](crate::step::Corrector) has A = M + h D + h² K
//! at v* in the place of M: elastic forces answer in the same step.
//!
//! Contacts whose gap stays wider than [`SmoothSettings::prune`](crate::step::SmoothSettings) times the size of the bodies take no part.

use asperity_solve::problem::{Bodies, ContactProblem, DofBlock, Dynamics, Link, ProblemError, RowKind};

use super::contacts::SmoothContact;
use super::rows::Rows;
use crate::step::filter::Masses;

/// The contact problem of a step, and the velocities without its impulses.
pub(super) struct Friction {
    pub(super) problem: ContactProblem,
    /// v* − M⁻¹ Jᵀ r*.
    pub(super) free: Vec<f64>,
    /// r*, row by row.
    pub(super) impulses: Vec<f64>,
}

/// Whether a contact takes part: it pressed or rubbed, or its gap at the end, h times its rate above the least, is no wider
/// than `nearest`.
pub(super) fn takes_part(own: &SmoothContact, rate: f64, h: f64, nearest: f64) -> bool {
    own.r.iter().any(|r| *r != 0.0) || h * (rate - own.bound) <= nearest
}

impl Friction {
    /// From the velocities v* that the impulses of the contacts are part of, and what answers to impulses.
    pub(super) fn new(
        dynamics: Dynamics,
        contacts: &[SmoothContact],
        rows: &Rows,
        predicted: &[f64],
    ) -> Result<Self, ProblemError> {
        let impulses: Vec<f64> =
            contacts.iter().enumerate().flat_map(|(i, own)| &own.r[..rows.range(i).len()]).copied().collect();
        let back: Vec<f64> = impulses.iter().map(|r| -r).collect();
        let free = dynamics.velocities(predicted, &back)?;
        let mut bias = rows.velocities(&free);
        contacts.iter().enumerate().for_each(|(i, own)| bias[rows.range(i).start] -= own.bound);
        let kinds = vec![RowKind::Contact; contacts.len()];
        Ok(Self { problem: ContactProblem::new(dynamics, bias, kinds)?.with_local_scales(), free, impulses })
    }
}

/// The masses, and the rows that act on them.
pub(super) fn over_masses(masses: &Masses, rows: &Rows) -> Result<Bodies, ProblemError> {
    let mut bodies = Bodies::new(masses.list.clone())?;
    for i in 0..rows.jacobian.blocks() {
        push(&mut bodies, masses, rows.jacobian.block(i), rows.range(i).len())?;
    }
    Ok(bodies)
}

/// Adds the rows of a contact. Degrees of freedom of one mass are beside each other, and all of them are there.
fn push(bodies: &mut Bodies, masses: &Masses, block: DofBlock, rows: usize) -> Result<(), ProblemError> {
    let width = block.dofs.len();
    let groups = || block.dofs.chunk_by(|a, b| masses.number(*a) == masses.number(*b));
    let mut values = Vec::with_capacity(rows * width);
    let mut first = 0;
    for group in groups() {
        for row in 0..rows {
            values.extend_from_slice(&block.values[row * width + first..][..group.len()]);
        }
        first += group.len();
    }
    let mut rest = &values[..];
    let mut links = Vec::new();
    for group in groups() {
        let (own, after) = rest.split_at(rows * group.len());
        links.push(Link { body: masses.number(group[0]), jacobian: own });
        rest = after;
    }
    bodies.push(rows, &links)
}
