//! Fischer and Burmeister's function over the second-order cone (Fukushima, Luo and Tseng 2002), for sets made of
//! ellipsoids.
//!
//! In the coordinates of [`super::ellipsoids`] the cone over an ellipsoid is Lorentz's, x_0 ≥ |x̄|, its own dual. With
//!
//!   x = (r_N, f_i/μ_i),   y = ρ (u_N + h(−u_T), μ_i u_i)
//!
//! (the velocity as de Saxcé changes it) the law is x ∈ K, y ∈ K, x·y = 0, and that is
//!
//!   φ(x, y) = x + y − (x² + y²)^{1/2} = 0
//!
//! in the Jordan algebra of the cone, x² = (|x|², 2 x_0 x̄). Its root has the eigenvalues s₁ ≤ s₂ along (1, ∓ŵ)/2, ŵ
//! the direction of x_0 x̄ + y_0 ȳ, and s₁² = |x̄ − x_0 ŵ|² + |ȳ − y_0 ŵ|², s₂² = |x̄ + x_0 ŵ|² + |ȳ + y_0 ŵ|²: sums of
//! squares, where w_0 ∓ |w̄| would cancel. The derivatives are 1 − L_z⁻¹ L_x and 1 − L_z⁻¹ L_y, with L_x y = (x·y, x_0
//! ȳ + y_0 x̄).
//!
//! **One row**: the cone is a half-line, and φ the function of two numbers.
//!
//! **Rolling**: the set is a product of two ellipsoids, and the cone over it is not a second-order cone. The first has
//! φ = 0 as above, which makes r_N and u_N complementary. The second then needs the vector part of its own φ alone: φ̄
//! = 0 means z_0 (x̄ + ȳ) = x_0 x̄ + y_0 ȳ, so that x̄ and ȳ are parallel; on that line the eigenvalues leave no
//! solution but φ = 0.

use super::ellipsoids::{AXES, Ellipsoid, Ellipsoids};
use super::{FormRows, Weights};

/// 1 − 1/√2: both slopes of φ at the origin, in the middle of its generalised Jacobian.
pub(super) const AT_ORIGIN: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// A function of two numbers: its value and its slopes.
pub(super) struct Sloped {
    pub(super) value: f64,
    pub(super) slopes: [f64; 2],
}

/// a + b − √(a² + b²).
#[inline]
pub(super) fn fischer_burmeister(a: f64, b: f64) -> Sloped {
    let root = a.hypot(b);
    if root == 0.0 {
        return Sloped { value: 0.0, slopes: [AT_ORIGIN; 2] };
    }
    // Where one is much the larger, the difference would cancel.
    let value = if a + b > 0.0 { 2.0 * a * b / (a + b + root) } else { a + b - root };
    let slope = |along: f64, across: f64| {
        if along > 0.0 { across * across / (root * (root + along)) } else { 1.0 - along / root }
    };
    Sloped { value, slopes: [slope(a, b), slope(b, a)] }
}

/// Most components of a vector of the cone.
const SIZE: usize = AXES + 1;

/// φ and its derivatives by x and y, row by row.
struct Phi {
    value: [f64; SIZE],
    by_x: [[f64; SIZE]; SIZE],
    by_y: [[f64; SIZE]; SIZE],
}

/// φ(x, y) over the cone, with as many dimensions as x and y have; the others are zero.
fn phi(x: [f64; SIZE], y: [f64; SIZE], jacobian: bool) -> Phi {
    let mut phi = Phi { value: [0.0; SIZE], by_x: [[0.0; SIZE]; SIZE], by_y: [[0.0; SIZE]; SIZE] };
    let mut direction = [0.0; AXES];
    for i in 0..AXES {
        direction[i] = x[0] * x[i + 1] + y[0] * y[i + 1];
    }
    let length = direction.iter().map(|d| d * d).sum::<f64>().sqrt();
    if length > 0.0 {
        direction = direction.map(|d| d / length);
    } else {
        direction = [1.0, 0.0, 0.0];
    }
    // x̄ ∓ x_0 ŵ.
    let beside = |v: &[f64; SIZE], sign: f64| [0, 1, 2].map(|i| v[i + 1] + sign * v[0] * direction[i]);
    let squared = |p: &[f64; AXES]| p.iter().map(|c| c * c).sum::<f64>();
    let (low, high) = ([beside(&x, -1.0), beside(&y, -1.0)], [beside(&x, 1.0), beside(&y, 1.0)]);
    let small = (squared(&low[0]) + squared(&low[1])).sqrt();
    let large = (squared(&high[0]) + squared(&high[1])).sqrt();
    let mean = 0.5 * (small + large);
    phi.value[0] = x[0] + y[0] - mean;
    for i in 0..AXES {
        phi.value[i + 1] = x[i + 1] + y[i + 1] - 0.5 * (large - small) * direction[i];
    }
    if jacobian {
        let root = |side: usize| Root { direction, low: low[side], high: high[side], small, large };
        root(0).subtract_derivative(&x, &mut phi.by_x);
        root(1).subtract_derivative(&y, &mut phi.by_y);
    }
    phi
}

/// What the derivative of (x² + y²)^½ by one of x and y needs: ŵ, the vector beside the axis on either side, v̄ ∓ v_0
/// ŵ, and the eigenvalues s₁ and s₂.
struct Root {
    direction: [f64; AXES],
    low: [f64; AXES],
    high: [f64; AXES],
    small: f64,
    large: f64,
}

impl Root {
    /// Puts 1 − L_z⁻¹ L_v into `by`, which is zero.
    fn subtract_derivative(&self, v: &[f64; SIZE], by: &mut [[f64; SIZE]; SIZE]) {
        let Self { direction, low, high, small, large } = self;
        let mean = 0.5 * (small + large);
        for (i, row) in by.iter_mut().enumerate() {
            row[i] = if mean == 0.0 { AT_ORIGIN } else { 1.0 };
        }
        if mean == 0.0 {
            return;
        }
        // L_z⁻¹ L_v by the eigenvectors of L_z: (1, ŵ) with s₂, (1, −ŵ) with s₁, and what is across ŵ with their mean.
        for (p, eigenvalue, sign) in [(high, *large, 1.0), (low, *small, -1.0)] {
            // At the boundary of the cone the term is a vector no longer than one, of any direction: zero is among
            // them.
            if eigenvalue == 0.0 {
                continue;
            }
            let mut row = [0.0; SIZE];
            for i in 0..AXES {
                row[0] += sign * direction[i] * p[i] / eigenvalue;
                row[i + 1] = p[i] / eigenvalue;
            }
            for j in 0..SIZE {
                by[0][j] -= 0.5 * row[j];
                for i in 0..AXES {
                    by[i + 1][j] -= 0.5 * sign * direction[i] * row[j];
                }
            }
        }
        let along: f64 = (0..AXES).map(|i| direction[i] * v[i + 1]).sum();
        for i in 0..AXES {
            by[i + 1][0] -= (v[i + 1] - along * direction[i]) / mean;
            for j in 0..AXES {
                let across = if i == j { 1.0 } else { 0.0 } - direction[i] * direction[j];
                by[i + 1][j + 1] -= v[0] * across / mean;
            }
        }
    }
}

/// Writes the equations of one ellipsoid; with `normal` that of the normal row too.
fn write_part(
    part: &Ellipsoid,
    weights: &Weights,
    r: &[f64],
    u: &[f64],
    normal: bool,
    jacobian: bool,
    rows: &mut FormRows,
) {
    // One weight for all rows: scaling them apart would leave the cone.
    let rho = weights.normal;
    let (f, v) = part.coordinates(rho, r, u);
    let slip = v.iter().map(|c| c * c).sum::<f64>().sqrt();
    let x = [r[0], f[0], f[1], f[2]];
    let y = [rho * u[0] + slip, v[0], v[1], v[2]];
    let phi = phi(x, y, jacobian);
    let mut equations = [(usize::MAX, 0); SIZE];
    if normal {
        equations[0] = (0, 0);
    }
    for i in (0..AXES).filter(|i| part.extends(*i)) {
        equations[i + 1] = (part.row(i), i + 1);
    }
    for (row, i) in equations {
        if row == usize::MAX {
            continue;
        }
        rows.f[row] = phi.value[i];
        if !jacobian {
            continue;
        }
        rows.a[row][0] += phi.by_x[i][0];
        rows.b[row][0] += rho * phi.by_y[i][0];
        for j in (0..AXES).filter(|j| part.extends(*j)) {
            // y_0 grows with the slip.
            let towards = if slip > 0.0 { v[j] / slip } else { 0.0 };
            part.add(rows, row, j, rho, phi.by_x[i][j + 1], phi.by_y[i][j + 1] + phi.by_y[i][0] * towards);
        }
    }
    part.write_flat(weights, r, jacobian, rows);
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
    let Some(set) = set else {
        write_normal(weights, r, u, jacobian, rows);
        return;
    };
    if (0..AXES).any(|i| set.sliding.extends(i)) {
        write_part(&set.sliding, weights, r, u, true, jacobian, rows);
    } else {
        write_normal(weights, r, u, jacobian, rows);
        set.sliding.write_flat(weights, r, jacobian, rows);
    }
    if let Some(rolling) = &set.rolling {
        write_part(rolling, weights, r, u, false, jacobian, rows);
    }
    set.write_absent(weights, r, jacobian, rows);
}

/// The normal row alone: φ(r_N, ρ_N u_N) of two numbers.
pub(super) fn write_normal(weights: &Weights, r: &[f64], u: &[f64], jacobian: bool, rows: &mut FormRows) {
    let Sloped { value, slopes: [by_r, by_u] } = fischer_burmeister(r[0], weights.normal * u[0]);
    rows.f[0] = value;
    if jacobian {
        (rows.a[0][0], rows.b[0][0]) = (by_r, weights.normal * by_u);
    }
}
