//! Alart and Curnier's equations for laws that are not sets: slip rules and two-set laws.
//!
//!   F_N = r_N − (r_N − ρ_N u_N)⁺,   F_T = r_T − p(load, r_T − ρ_T u_T),   load = (r_N − ρ_N u_N)⁺,
//!
//! p the law's answer ([`respond`]): the trial impulse where the contact can stick with it, else the force for the slip
//! that is left. No closed form of its derivatives is at hand, since the answer is searched for: they are central
//! differences, which Newton's method can do with. Both laws act in the plane; other rows carry no impulse.

use asperity_friction::{ContactLaw, Tangential};
use glam::{DMat2, DVec2};

use super::{FormRows, Weights};
use crate::solver::prox::respond;

/// Step of the differences, relative to the size of what is varied: the cube root of round-off.
const STEP: f64 = 6e-6;

/// Writes F, and with `jacobian` A and B too, of a contact with three rows or more into rows that are zero.
pub(super) fn write(law: &ContactLaw, weights: &Weights, r: &[f64], u: &[f64], jacobian: bool, rows: &mut FormRows) {
    let trial_normal = r[0] - weights.normal * u[0];
    let load = trial_normal.max(0.0);
    let pressed = trial_normal > 0.0;
    let trial = DVec2::new(r[1], r[2]) - DVec2::new(u[1], u[2]) * weights.tangential;
    let answer = |trial: DVec2| respond(law, load, Tangential::planar(trial)).plane;
    let p = answer(trial);
    rows.f[0] = r[0] - load;
    rows.f[1] = r[1] - p.x;
    rows.f[2] = r[2] - p.y;
    for (k, r) in r.iter().enumerate().skip(3) {
        rows.f[k] = r * weights.unit(k);
        rows.a[k][k] = weights.unit(k);
    }
    if !jacobian {
        return;
    }
    if !pressed {
        (0..3).for_each(|k| rows.a[k][k] = 1.0);
        return;
    }
    rows.b[0][0] = weights.normal;
    let h = STEP * trial.length().max(load);
    let column = |e: DVec2| (answer(trial + e * h) - answer(trial - e * h)) / (2.0 * h);
    let by_trial = DMat2::from_cols(column(DVec2::X), column(DVec2::Y));
    // The answer is homogeneous in load and trial impulse together.
    let by_load = (p - by_trial * trial) / load;
    for i in 0..2 {
        for j in 0..2 {
            let moved = by_trial.col(j)[i];
            rows.a[1 + i][1 + j] = f64::from(u8::from(i == j)) - moved;
            rows.b[1 + i][1 + j] = weights.tangential * moved;
        }
        rows.a[1 + i][0] = -by_load[i];
        rows.b[1 + i][0] = weights.normal * by_load[i];
    }
}
