//! The positive semidefinite part of the Hessian of a function of a squared distance.
//!
//! The Hessian of f(D) ([`Nearest::composed`](super::Nearest::composed)) acts on the space spanned by (w, u_1, u_2) ⊗ n and
//! w ⊗ e_1, w ⊗ e_2 alone. The directions e_j are turned in their plane so that d u_1 and d u_2 are orthogonal, of lengths σ_1 ≥ σ_2; with
//! L = |w| and the coordinates ω of w along u_1, u_2 and the rest, the Hessian in an orthonormal basis is
//!
//! M = h ω ωᵀ + s Σ_j [ σ_j² b_j b_jᵀ + L σ_j (b_j ε_jᵀ + ε_j b_jᵀ) ] − s L² Σ_k ε_k ε_kᵀ,   h = 4 D f'' + 2 f', s = −2 f',
//!
//! j over the directions that the nearest points move along, k over the others. Without its first term it falls apart into 2 × 2 matrices, with the
//! eigenvalues s μ of q_j(μ) = μ² − σ_j² μ − L² σ_j²: one negative, p_j, and one positive. The first term couples them: for h, s > 0
//! (a barrier) each of M's negative eigenvalues s μ lies between p_1, p_2 and zero, and they are the negative roots of
//!
//! P(μ) = μ q_1 q_2 − (h/s) [ω_1² μ² q_2 + ω_2² μ² q_1 + ω_3² q_1 q_2],
//!
//! with x_j = ω_j μ/q_j(μ) along b_j, ω_3/μ along b_3 and L σ_j x_j/μ along ε_j for eigenvectors. All roots of P are real, so that Laguerre's
//! method goes from p_j to the next root without a detour. Taking s μ v vᵀ off for the negative ones leaves the exact projection. Where a
//! root is next to one of p_j its vector would be noise: such matrices (and those of functions that are no barriers) go to
//! Jacobi's method.

use glam::DVec3;

use super::blocks::Blocks;
use super::local::Local;
use super::nearest::Nearest;
use crate::elastic::eigen::{Eigen, eigen};

/// A direction that is shorter than this fraction of what it is made from is rounding.
const NOTHING: f64 = 1e-13;

/// The least |q_j(μ)|, as a fraction of the terms it is made of, that a vector may be divided by.
const CLEAR: f64 = 1e-4;

/// Laguerre's method converges with third order: a step below this fraction of the root is the last.
const LAST: f64 = 1e-6;

/// Steps after which it has failed.
const STEPS: usize = 30;

fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

fn combined(x: f64, a: &[f64; 4], y: f64, b: &[f64; 4]) -> [f64; 4] {
    std::array::from_fn(|i| x * a[i] + y * b[i])
}

/// The space that a Hessian acts on.
struct Frame {
    /// b_1, b_2, b_3 over the points; zero for one that does not exist.
    basis: [[f64; 4]; 3],
    /// Coordinates of w in it.
    omega: [f64; 3],
    /// σ_1 ≥ σ_2 ≥ 0.
    sigma: [f64; 2],
    /// The directions across the normal that belong to them.
    across: [DVec3; 2],
    /// L.
    length: f64,
}

/// Symmetric 2 × 2 matrix [[a, b], [b, c]]: cosine and sine of the direction of its larger eigenvalue.
fn larger_direction(a: f64, b: f64, c: f64) -> [f64; 2] {
    let half = 0.5 * (a - c);
    let radius = half.hypot(b);
    let [x, y] = if half >= 0.0 { [half + radius, b] } else { [b, radius - half] };
    let length = (x * x + y * y).sqrt();
    if length > 0.0 { [x / length, y / length] } else { [1.0, 0.0] }
}

impl Frame {
    fn of(nearest: &Nearest) -> Self {
        let Nearest { weights, distance, across: [e1, e2], rates: [u1, u2], .. } = nearest;
        let [c, s] = larger_direction(dot(u1, u1), dot(u1, u2), dot(u2, u2));
        let turned = [combined(c, u1, s, u2), combined(c, u2, -s, u1)];
        let across = [*e1 * c + *e2 * s, *e2 * c - *e1 * s];
        let lengths = turned.map(|u| dot(&u, &u).sqrt());
        let mut own = Self { basis: [[0.0; 4]; 3], omega: [0.0; 3], sigma: [0.0; 2], across, length: 0.0 };
        let mut rest = *weights;
        for k in 0..2 {
            if lengths[k] > NOTHING * lengths[0] {
                own.sigma[k] = lengths[k] * distance;
                own.basis[k] = turned[k].map(|u| u / lengths[k]);
                own.omega[k] = dot(weights, &own.basis[k]);
                rest = combined(1.0, &rest, -own.omega[k], &own.basis[k]);
            }
        }
        own.length = dot(weights, weights).sqrt();
        let left = dot(&rest, &rest).sqrt();
        if left > NOTHING * own.length {
            own.omega[2] = left;
            own.basis[2] = rest.map(|x| x / left);
        }
        own
    }

    /// Adds c v vᵀ for a vector with coordinates along b and ε.
    fn add(&self, c: f64, along: [f64; 3], across: [f64; 2], out: &mut Blocks) {
        let [b1, b2, b3] = &self.basis;
        let a = std::array::from_fn(|i| along[0] * b1[i] + along[1] * b2[i] + along[2] * b3[i]);
        let t = (self.across[0] * across[0] + self.across[1] * across[1]) / self.length;
        out.add(c, &a, t);
    }

    /// p_j.
    fn pole(&self, j: usize) -> f64 {
        let square = self.sigma[j] * self.sigma[j];
        // The root without cancellation: the product of both is −L²σ².
        let positive = 0.5 * (square + (square * square + 4.0 * self.length * self.length * square).sqrt());
        -self.length * self.length * square / positive
    }

    /// q_j's coefficients, from the constant on.
    fn factor(&self, j: usize) -> [f64; 3] {
        let square = self.sigma[j] * self.sigma[j];
        [-self.length * self.length * square, -square, 1.0]
    }

    /// Takes the part with the eigenvalue s μ off; false if its vector is noise.
    fn take_off(&self, s: f64, mu: f64, out: &mut Blocks) -> bool {
        let mut along = [0.0, 0.0, self.omega[2] / mu];
        let mut across = [0.0; 2];
        for j in (0..2).filter(|j| self.sigma[*j] > 0.0) {
            let [constant, slope, _] = self.factor(j);
            let q = constant + mu * (slope + mu);
            let clear = q.abs() > CLEAR * (mu * mu - constant);
            if !clear {
                return false;
            }
            along[j] = self.omega[j] * mu / q;
            across[j] = self.length * self.sigma[j] * along[j] / mu;
        }
        let square: f64 = along.iter().chain(&across).map(|x| x * x).sum();
        self.add(-s * mu / square, along, across, out);
        true
    }

    /// Takes all negative parts of M off its blocks; false if that is better left to Jacobi's method.
    fn clamp(&self, h: f64, s: f64, out: &mut Blocks) -> bool {
        let squares = self.omega.map(|x| x * x);
        if self.sigma[1] > 0.0 {
            // μ q_1 q_2 − (h/s) […], divided by 1 + h/s, from the constant on.
            let ([b0, b1, _], [c0, c1, _]) = (self.factor(0), self.factor(1));
            let product = [b0 * c0, b0 * c1 + b1 * c0, b0 + c0 + b1 * c1, b1 + c1, 1.0];
            let (one, ratio) = (s / (s + h), h / (s + h));
            let [x, y, z] = squares.map(|square| ratio * square);
            let p = [
                -z * product[0],
                one * product[0] - z * product[1],
                one * product[1] - x * c0 - y * b0 - z * product[2],
                one * product[2] - x * c1 - y * b1 - z * product[3],
                one * product[3] - x - y - z,
                one,
            ];
            let Some(first) = next_root(&p, self.pole(0)) else { return false };
            let Some(second) = next_root(&divided(&p, first), self.pole(1)) else { return false };
            let Some(second) = next_root(&p, second) else { return false };
            self.take_off(s, first, out) && self.take_off(s, second, out)
        } else if self.sigma[0] > 0.0 {
            let [b0, b1, _] = self.factor(0);
            let (one, ratio) = (s / (s + h), h / (s + h));
            let [x, z] = [ratio * squares[0], ratio * squares[2]];
            let p = [-z * b0, one * b0 - z * b1, one * b1 - x - z, one];
            next_root(&p, self.pole(0)).is_some_and(|root| self.take_off(s, root, out))
        } else {
            true
        }
    }

    /// M's positive semidefinite part by Jacobi's method.
    fn positive(&self, h: f64, s: f64, free: usize) -> Blocks {
        let mut m = [[0.0; 5]; 5];
        for (row, x) in m.iter_mut().zip(self.omega) {
            row.iter_mut().zip(self.omega).for_each(|(entry, y)| *entry = h * x * y);
        }
        for j in 0..2 {
            if j >= free {
                m[3 + j][3 + j] = -s * self.length * self.length;
                continue;
            }
            m[j][j] += s * self.sigma[j] * self.sigma[j];
            m[j][3 + j] = s * self.length * self.sigma[j];
            m[3 + j][j] = m[j][3 + j];
        }
        let Eigen { values, vectors } = eigen(m);
        let mut out = Blocks::ZERO;
        for (value, v) in values.iter().zip(&vectors).filter(|(value, _)| **value > 0.0) {
            self.add(*value, [v[0], v[1], v[2]], [v[3], v[4]], &mut out);
        }
        out
    }
}

/// The least root of a polynomial with real roots alone, from a place that is not above it, by Laguerre's method.
fn next_root<const N: usize>(p: &[f64; N], start: f64) -> Option<f64> {
    let degree = (N - 1) as f64;
    let mut x = start;
    for _ in 0..STEPS {
        let (mut value, mut slope, mut half_bend) = (p[N - 1], 0.0, 0.0);
        for coefficient in p[..N - 1].iter().rev() {
            half_bend = half_bend * x + slope;
            slope = slope * x + value;
            value = value * x + coefficient;
        }
        let inside = (degree - 1.0) * ((degree - 1.0) * slope * slope - 2.0 * degree * value * half_bend);
        let root = inside.max(0.0).sqrt();
        let step = degree * value / (slope + root.copysign(slope));
        x -= step;
        // Also where it is not a number, which the caller sees by the vector.
        let going_on = step.abs() > LAST * x.abs();
        if !going_on {
            return Some(x);
        }
    }
    None
}

/// A polynomial of degree five divided by μ − root.
fn divided(p: &[f64; 6], root: f64) -> [f64; 5] {
    let mut out = [p[5]; 5];
    for k in (0..4).rev() {
        out[k] = p[k + 1] + root * out[k + 1];
    }
    out
}

/// The positive semidefinite part of ∂²f(D)/∂x² for a function with these derivatives by D.
pub fn composed_positive(nearest: &Nearest, slope: f64, bend: f64) -> Local {
    let Nearest { weights, normal, distance: d, across, free, .. } = nearest;
    let (h, s) = (4.0 * d * d * bend + 2.0 * slope, -2.0 * slope);
    let frame = Frame::of(nearest);
    let barrier = h > 0.0 && s > 0.0;
    if barrier {
        let mut blocks = nearest.blocks(slope, bend);
        // Directions that no parameter moves along have the eigenvalue −s L².
        for e in &across[*free..] {
            blocks.across += super::blocks::outer(*e, *e) * s;
        }
        if frame.clamp(h, s, &mut blocks) {
            return blocks.expanded(*normal, weights);
        }
    }
    frame.positive(h, s, *free).expanded(*normal, weights)
}
