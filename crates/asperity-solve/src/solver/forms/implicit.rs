//! Sets by their implicit function φ(f, λ) ≤ 0 (Erleben et al. 2020, section 4.2), for sets made of ellipsoids.
//!
//! Maximum dissipation at the load λ = r_N⁺ is u_T + s ∇φ(f) = 0 with 0 ≤ s complementary to −φ(f, λ) ≥ 0: one more
//! unknown s a contact. It is eliminated. In the coordinates of [`super::ellipsoids`] φ = |x|² − λ² and the first
//! equation is y + 2s x = 0. The complementarity is that of the slip h = |y| and of the room b = λ − |x|, whose scale
//! is that of the load where φ is quadratic in it: ψ(h, b) = 0. Both hold exactly where, with γ = |x|,
//!
//!   F_T = [ (γ + ψ) y + (h − ψ) x ] / (γ + h) = 0,   that is, 2s = (h − ψ)/(γ + ψ).
//!
//! For if x and y are not parallel both brackets would have to vanish, and so γ + h; opposite, F_T is −ψ in length; and
//! along each other γ h = ψ (γ − h)/2 is out of reach of ψ. At zero load F_T = x, though ∇φ is zero at the solution.
//!
//! ψ is Fischer and Burmeister's function where there is room; outside, b < 0, it goes on as ψ = b, with the same
//! slope: γ + ψ = λ never turns negative, as it would far outside with the function itself. The normal row is ψ(r_N,
//! ρ_N u_N) = 0 in full.

use super::ellipsoids::{AXES, Ellipsoid, Ellipsoids};
use super::fischer_burmeister::{Sloped, fischer_burmeister, write_normal};
use super::{FormRows, Weights};

/// ψ of a slip h ≥ 0 and a room b.
#[inline]
fn psi(h: f64, b: f64) -> Sloped {
    if b < 0.0 { Sloped { value: b, slopes: [0.0, 1.0] } } else { fischer_burmeister(h, b) }
}

fn length(v: &[f64; AXES]) -> f64 {
    v.iter().map(|c| c * c).sum::<f64>().sqrt()
}

/// Writes the equations of one ellipsoid.
fn write_part(part: &Ellipsoid, weights: &Weights, r: &[f64], u: &[f64], jacobian: bool, rows: &mut FormRows) {
    part.write_flat(weights, r, jacobian, rows);
    let rho = weights.tangential;
    let (x, y) = part.coordinates(rho, r, u);
    let load = r[0].max(0.0);
    let (force, slip) = (length(&x), length(&y));
    let size = force + slip;
    let Sloped { value: psi, slopes: [by_slip, by_room] } = psi(slip, load - force);
    let mut f = [0.0; AXES];
    if size > 0.0 {
        for i in 0..AXES {
            f[i] = ((force + psi) * y[i] + (slip - psi) * x[i]) / size;
        }
    }
    for i in (0..AXES).filter(|i| part.extends(*i)) {
        let row = part.row(i);
        rows.f[row] = f[i];
        if !jacobian {
            continue;
        }
        if size == 0.0 {
            // Near the origin F is y for a positive load, and x for zero load.
            let (by_x, by_y) = if load > 0.0 { (0.0, 1.0) } else { (1.0, 0.0) };
            part.add(rows, row, i, rho, by_x, by_y);
            continue;
        }
        // By γ and h, ψ with them, and by the load.
        let by_psi = (y[i] - x[i]) / size;
        let by_force = (y[i] - f[i]) / size - by_room * by_psi;
        let by_slip = (x[i] - f[i]) / size + by_slip * by_psi;
        if r[0] > 0.0 {
            rows.a[row][0] = by_room * by_psi;
        }
        for j in (0..AXES).filter(|j| part.extends(*j)) {
            let towards = |v: &[f64; AXES], length: f64| if length > 0.0 { v[j] / length } else { 0.0 };
            let same = if i == j { 1.0 } else { 0.0 };
            let by_x = same * (slip - psi) / size + by_force * towards(&x, force);
            let by_y = same * (force + psi) / size + by_slip * towards(&y, slip);
            part.add(rows, row, j, rho, by_x, by_y);
        }
    }
}

/// Writes F, and with `jacobian` A and B too, of a contact with `r.len()` rows into rows that are zero.
pub(super) fn write(
    set: Option<&Ellipsoids>,
    weights: &Weights,
    r: &[f64],
    u: &[f64],
    jacobian: bool,
    rows: &mut FormRows,
) {
    write_normal(weights, r, u, jacobian, rows);
    let Some(set) = set else { return };
    for part in [Some(&set.sliding), set.rolling.as_ref()].into_iter().flatten() {
        write_part(part, weights, r, u, jacobian, rows);
    }
    set.write_absent(weights, r, jacobian, rows);
}
