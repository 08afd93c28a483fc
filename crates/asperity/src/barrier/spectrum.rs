//! The positive semidefinite part of the Hessian of a function of a squared distance, in closed form up to a 5 × 5 matrix.
//!
//! The Hessian of f(D) ([`Nearest::composed`](super::Nearest::composed)) acts on the space spanned by (w, u_1, u_2) ⊗ n and
//! w ⊗ e_1, w ⊗ e_2 alone. In an orthonormal basis of it the Hessian is a symmetric 5 × 5 matrix
//!
//! M = h ω ωᵀ − 2f' Σ_j [ d (|w| ε_j υ_jᵀ + υ_j |w| ε_jᵀ) + d² υ_j υ_jᵀ ] + 2f' Σ_k |w|² ε_k ε_kᵀ,   h = 4 D f'' + 2 f',
//!
//! where ω, υ_j are the coordinates of w, u_j in their span and ε_j the last two axes. Its eigenvalues are those of the
//! 12 × 12 matrix that are not zero, so that clamping them is the exact projection.

use glam::DVec3;

use super::local::Local;
use super::nearest::Nearest;
use crate::elastic::eigen::{Eigen, eigen};

/// A direction that is shorter than this fraction of what it is made from is rounding.
const NOTHING: f64 = 1e-13;

/// An orthonormal basis of three vectors over four points, and their coordinates in it.
struct Span {
    basis: [[f64; 4]; 3],
    /// Row k: coordinates of vector k; zero above the diagonal.
    coordinates: [[f64; 3]; 3],
}

fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

impl Span {
    /// Gram and Schmidt; vectors without a direction of their own have a zero one.
    fn of(vectors: [[f64; 4]; 3]) -> Self {
        let mut own = Self { basis: [[0.0; 4]; 3], coordinates: [[0.0; 3]; 3] };
        for (k, vector) in vectors.iter().enumerate() {
            let mut rest = *vector;
            for j in 0..k {
                let along = dot(&rest, &own.basis[j]);
                own.coordinates[k][j] = along;
                rest = std::array::from_fn(|i| rest[i] - along * own.basis[j][i]);
            }
            let length = dot(&rest, &rest).sqrt();
            if length > NOTHING * dot(vector, vector).sqrt() {
                own.coordinates[k][k] = length;
                own.basis[k] = rest.map(|x| x / length);
            }
        }
        own
    }
}

/// The positive semidefinite part of ∂²f(D)/∂x² for a function with these derivatives by D.
pub fn composed_positive(nearest: &Nearest, slope: f64, bend: f64) -> Local {
    let Nearest { weights, normal, distance: d, across, rates, free } = nearest;
    let (twice, head) = (2.0 * slope, 4.0 * d * d * bend + 2.0 * slope);
    let length = dot(weights, weights).sqrt();
    // Rates times the distance are numbers without a unit, like the weights.
    let Span { basis, coordinates } = Span::of([*weights, rates[0].map(|u| u * d), rates[1].map(|u| u * d)]);
    let mut m = [[0.0; 5]; 5];
    m[0][0] = head * coordinates[0][0] * coordinates[0][0];
    for k in 0..2 {
        let axis = 3 + k;
        if k >= *free {
            m[axis][axis] = twice * length * length;
            continue;
        }
        let u = &coordinates[k + 1];
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] -= twice * u[i] * u[j];
            }
            m[axis][i] = -twice * length * u[i];
            m[i][axis] = m[axis][i];
        }
    }
    let Eigen { values, vectors } = eigen(m);
    let mut out = Local::ZERO;
    for (value, vector) in values.iter().zip(&vectors).filter(|(value, _)| **value > 0.0) {
        let tangential = (across[0] * vector[3] + across[1] * vector[4]) / length;
        let whole: [DVec3; 4] = std::array::from_fn(|i| {
            let along: f64 = (0..3).map(|k| vector[k] * basis[k][i]).sum();
            *normal * along + tangential * weights[i]
        });
        out.add_outer(*value, &whole);
    }
    out
}
