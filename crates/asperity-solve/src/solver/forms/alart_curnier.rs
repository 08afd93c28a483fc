//! Alart and Curnier's equations (1991), for any set:
//!
//!   F_N = r_N − (r_N − ρ_N u_N)⁺,   F_T = r_T − P(load, r_T − ρ_T u_T),   load = (r_N − ρ_N u_N)⁺,
//!
//! P the projection onto load·F, whose derivatives every set knows. Piecewise as smooth as the set is.

use super::{ForceSet, FormRows, Weights};

/// Writes F, and with `jacobian` A and B too, of a contact with `r.len()` rows into rows that are zero.
#[inline]
pub(in crate::solver) fn write(
    set: Option<&ForceSet<'_>>,
    weights: &Weights,
    r: &[f64],
    u: &[f64],
    jacobian: bool,
    rows: &mut FormRows,
) {
    let n = r.len();
    let trial = r[0] - weights.normal * u[0];
    let load = trial.max(0.0);
    let pressed = trial > 0.0;
    rows.f[0] = r[0] - load;
    if jacobian {
        (rows.a[0][0], rows.b[0][0]) = if pressed { (0.0, weights.normal) } else { (1.0, 0.0) };
    }
    let Some(set) = set else { return };
    let trial = weights.trial(1.0, r, u);
    let p = set.project(load, trial).to_array();
    for k in 1..n {
        rows.f[k] = r[k] * weights.unit(k) - p[k - 1];
    }
    if !jacobian {
        return;
    }
    if !pressed {
        for k in 1..n {
            rows.a[k][k] = weights.unit(k);
        }
        return;
    }
    let d = set.derivative(load, trial);
    for i in 1..n {
        for j in 1..n {
            let moved = d.by_force[i - 1][j - 1];
            let identity = if i == j { 1.0 } else { 0.0 };
            rows.a[i][j] = (identity - moved) * weights.unit(j);
            rows.b[i][j] = weights.tangential * moved / weights.unit(j);
        }
        rows.a[i][0] = -d.by_load[i - 1];
        rows.b[i][0] = weights.normal * d.by_load[i - 1];
    }
}
