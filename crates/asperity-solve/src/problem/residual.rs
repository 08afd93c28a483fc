//! One residual for all laws: the natural map on the cone.
//!
//! For a contact, e = r − P_K(r − ũ) with ũ = u + (h_F(−u_T), 0): zero exactly at a solution (de Saxcé). A bilateral
//! row has e = u, a bounded one e = r − clamp(r − u). Slip rules and two-set laws have no cone: there e_N = r_N − (r_N
//! − u_N)⁺ and e_T = r_T − p(load, r_T − u_T), p the impulse that the law answers with where r_T − u_T would stop the
//! slip (`resolve`), at the load (r_N − u_N)⁺; for a set p is the projection onto load·F, whose zeros are the same.
//! Then
//!
//! * **raw**: ‖e‖ / max(‖b‖, ‖r‖, ‖u‖), undivided if that is at most machine epsilon. For disks it is the error that
//!   Siconos reports. It mixes units: where impulses and velocities differ by orders of magnitude it hides errors.
//! * **scaled**: the same with each block in units of its own, r √λ and u/√λ, λ the largest eigenvalue of the block's
//!   diagonal block of W: both are then square roots of energies. A cone does not change under this scaling. ‖r‖ counts
//!   up to 10⁴ times max(‖b‖, ‖u‖): where a problem has no solution, as for a body between walls that close, impulses
//!   can grow without bound, and any error is small beside them.

use asperity_friction::set::{ConePoint, ConvexSet};
use asperity_friction::{ContactLaw, Tangential};

use super::contact_problem::{ContactProblem, RowKind};

/// Both measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// As Siconos measures it, on disks.
    pub raw: f64,
    /// Each block in its own unit.
    pub scaled: f64,
}

impl Residual {
    /// max(raw, scaled); NaN if either is NaN, so that the comparison with any tolerance fails.
    pub fn worst(&self) -> f64 {
        if self.raw > self.scaled || self.raw.is_nan() { self.raw } else { self.scaled }
    }
}

/// The tangential rows of a contact.
#[inline]
pub(crate) fn tangential(rows: &[f64]) -> Tangential {
    let mut c = [0.0; 5];
    c[..rows.len() - 1].copy_from_slice(&rows[1..]);
    Tangential::from_array(c)
}

/// Impulses count for so many times the velocities, each in its own unit. In stored problems of the field they are 0.02
/// to 10 times as large.
const MOST_IMPULSES: f64 = 1e4;

/// The residual of `r`, with `u` = W r + b.
pub fn residual(problem: &ContactProblem, laws: &[ContactLaw], scales: &[f64], r: &[f64], u: &[f64]) -> Residual {
    let (mut raw, mut scaled) = ([0.0f64; 4], [0.0f64; 4]);
    for (i, scale) in scales.iter().enumerate() {
        let range = problem.range(i);
        let (rb, ub, bb) = (&r[range.clone()], &u[range.clone()], &problem.bias()[range]);
        let unit = scale.sqrt();
        for (sums, k) in [(&mut raw, 1.0), (&mut scaled, unit)] {
            sums[0] += block_error(problem.kind(i), laws.get(problem.law_of(i)), rb, ub, k);
            for (row, (r, (u, b))) in rb.iter().zip(ub.iter().zip(bb)).enumerate() {
                sums[1] += (r * k) * (r * k);
                let [u, b] = [u, b].map(|speed| speed.abs().min(reach(problem.kind(i), row, *scale)) / k);
                sums[2] += u * u;
                sums[3] += b * b;
            }
        }
    }
    let relative = |error: f64, size: f64| if size > f64::EPSILON { error / size } else { error };
    let [[error, impulses, velocities, bias], scaled] = [raw, scaled].map(|sums| sums.map(f64::sqrt));
    let raw = relative(error, impulses.max(velocities).max(bias));
    let [error, impulses, velocities, bias] = scaled;
    let speeds = velocities.max(bias);
    Residual { raw, scaled: relative(error, impulses.min(MOST_IMPULSES * speeds).max(speeds)) }
}

/// The largest velocity of a row that counts for the size of velocities: what the impulses of a bounded row can change
/// it by, W_ii taken as the block's unit. The 1000 m/s that a weak motor is set to, and never reaches, are no measure of
/// the velocities that must be right.
fn reach(kind: &RowKind, row: usize, scale: f64) -> f64 {
    match kind {
        RowKind::Bounded { lower, upper } => scale * lower[row].abs().max(upper[row].abs()),
        RowKind::Bilateral | RowKind::Contact => f64::INFINITY,
    }
}

/// ‖e‖² of one block, with r k and u/k for r and u.
fn block_error(kind: &RowKind, law: Option<&ContactLaw>, r: &[f64], u: &[f64], k: f64) -> f64 {
    match kind {
        RowKind::Bilateral => u.iter().map(|u| (u / k) * (u / k)).sum(),
        RowKind::Bounded { lower, upper } => (0..r.len())
            .map(|i| {
                let (r, u) = (r[i] * k, u[i] / k);
                let e = r - (r - u).clamp(lower[i] * k, upper[i] * k);
                e * e
            })
            .sum(),
        RowKind::Contact => {
            // An open contact: u + (h, 0) is in K*, so its negative projects to zero.
            if u[0] >= 0.0 && r.iter().all(|r| *r == 0.0) {
                return 0.0;
            }
            let (rn, un) = (r[0] * k, u[0] / k);
            if r.len() == 1 {
                let e = rn - (rn - un).max(0.0);
                return e * e;
            }
            let Some(law) = law else { return 0.0 };
            let (rt, ut) = (tangential(r) * k, tangential(u) * (1.0 / k));
            match law {
                ContactLaw::Set(set) => {
                    let ConePoint { load: pn, force: pt } = set.project_cone(rn - un - set.support(-ut), rt - ut);
                    let (en, et) = (rn - pn, rt - pt);
                    en * en + et.dot(et)
                }
                // No sets, so no cone to project onto: the impulse that the law answers with when r_T − u_T would stop
                // the slip, at the load r_N − u_N.
                ContactLaw::Slip(_) | ContactLaw::TwoSet(_) => {
                    let load = (rn - un).max(0.0);
                    let trial = rt.plane - ut.plane;
                    let answer = match law {
                        ContactLaw::Slip(rule) => rule.resolve(load, trial),
                        ContactLaw::TwoSet(two) => two.resolve(load, trial),
                        ContactLaw::Set(_) => trial,
                    };
                    let (en, et) = (rn - load, rt.plane - answer);
                    en * en + et.length_squared()
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Residual, reach};
    use crate::problem::RowKind;

    /// A motor counts with what its impulses can do, not with the speed that it is set to.
    #[test]
    fn the_speed_of_a_weak_motor_is_no_measure() {
        let motor = RowKind::Bounded { lower: vec![-0.5], upper: vec![0.25] };
        assert_eq!(reach(&motor, 0, 2.0), 1.0);
        assert_eq!(reach(&RowKind::Bilateral, 0, 2.0), f64::INFINITY);
    }

    #[test]
    fn what_is_no_number_is_below_no_tolerance() {
        for (raw, scaled) in [(f64::NAN, 0.0), (0.0, f64::NAN), (f64::NAN, f64::NAN)] {
            assert!(Residual { raw, scaled }.worst().is_nan());
        }
        assert_eq!(Residual { raw: 1.0, scaled: 2.0 }.worst(), 2.0);
        assert_eq!(Residual { raw: 3.0, scaled: 2.0 }.worst(), 3.0);
    }
}
