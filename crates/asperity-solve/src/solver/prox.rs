//! PROX steps of one contact or one row: the impulse that answers a trial impulse r − ρ u, ρ the r-factor.
//!
//!   load = (r_N − ρ_N u_N)⁺,   r_T ← P(load, r_T − ρ_T u_T),   P the law's answer; for a set the projection onto load·F;
//!   r ← clamp(r − u/w, lower, upper) for a row with bounds.
//!
//! An r-factor is one over an eigenvalue of the contact's own block of W. What is here is shared by the solvers of one
//! contact ([`super::local`], [`super::local_n`]) and the equations of Newton's method ([`super::forms`]).

use asperity_friction::set::{ConvexSet, FrictionSet};
use asperity_friction::{ContactLaw, Tangential};

/// A contact whose neighbours are held fixed.
pub(super) trait LocalContact {
    /// A number for each of its rows.
    type Vector;

    /// The impulse that solves it, from the guess `r` with velocities `u`; `set` is the set of its law.
    fn solve(&self, law: &ContactLaw, set: &FrictionSet, r: &Self::Vector, u: &Self::Vector) -> Self::Vector;

    /// PROX steps of any law from `r` with velocities `u`.
    fn prox(&self, law: &ContactLaw, how: ProxSteps, r: &Self::Vector, u: &Self::Vector) -> Settled<Self::Vector>;
}

/// Where PROX steps got to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled<R> {
    /// The impulse.
    pub(super) r: R,
    /// How far the last step moved it, as a force.
    pub(super) moved: f64,
}

/// How long PROX steps go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProxSteps {
    /// Most of them.
    pub(super) steps: usize,
    /// Multiplies the r-factors.
    pub(super) factor: f64,
}

impl ProxSteps {
    /// Until settled, more or less: few are needed once the neighbours have settled.
    pub(super) const SETTLE: Self = Self { steps: 30, factor: 1.0 };

    /// Where nothing else helps.
    pub(super) const LAST_RESORT: Self = Self { steps: 100, factor: 1.0 };
}

/// The r-factor of rows with this eigenvalue: zero where nothing moves.
#[inline]
pub(super) fn factor(eigenvalue: f64) -> f64 {
    if eigenvalue > 0.0 { 1.0 / eigenvalue } else { 0.0 }
}

/// The r-factor of tangential rows: where nothing moves along them, that of the normal row. Their velocities are then
/// given, and any factor leads to the impulse that brakes them most.
#[inline]
pub(super) fn tangential_factor(eigenvalue: f64, normal: f64) -> f64 {
    if eigenvalue > 0.0 { 1.0 / eigenvalue } else { normal }
}

/// Bounds of an impulse; may be infinite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Interval {
    /// All numbers.
    pub(super) const UNBOUNDED: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// Zero and above.
    pub(super) const POSITIVE: Self = Self { lower: 0.0, upper: f64::INFINITY };
}

/// The impulse of one row within its bounds, from `r` with the velocity `u` and its own entry `w` of W; where nothing
/// moves it, the bound that its velocity asks for, and `None` if that is infinite: there is no solution then.
#[inline]
pub(super) fn relaxed_row(r: f64, u: f64, w: f64, Interval { lower, upper }: Interval) -> Option<f64> {
    if w > 0.0 {
        return Some((r - u / w).clamp(lower, upper));
    }
    let asked = match u {
        _ if u < 0.0 => upper,
        _ if u > 0.0 => lower,
        _ => r.clamp(lower, upper),
    };
    asked.is_finite().then_some(asked)
}

/// A step this small, relative to the load, is round-off.
pub(super) const STILL: f64 = 1e-14;

/// One PROX step of any law: the tangential impulse for the load and the trial impulse r_T − ρ u_T.
#[inline]
pub(super) fn respond(law: &ContactLaw, load: f64, trial: Tangential) -> Tangential {
    match law {
        ContactLaw::Set(set) => set.project(load, trial),
        ContactLaw::Slip(rule) => Tangential::planar(rule.resolve(load, trial.plane)),
        ContactLaw::TwoSet(two) => Tangential::planar(two.resolve(load, trial.plane)),
    }
}
