//! Hessians of functions of a distance, in the few numbers that they are made of.
//!
//! With the normal n and the weights w of the nearest points every such matrix is a sum of terms λ v vᵀ with v_i = a_i n + w_i t, t across n.
//! So its 3 × 3 block of the points i and j is
//!
//! A_ij n nᵀ + w_j n q_iᵀ + w_i q_j nᵀ + w_i w_j T,   A = Σ λ a aᵀ, q_i = Σ λ a_i t, T = Σ λ t tᵀ.

use glam::{DMat3, DVec3};

use super::local::Local;

/// A symmetric matrix over four points that acts along a normal and, by their weights, across it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// A; entries on and below the diagonal count.
    pub(super) along: [[f64; 4]; 4],
    /// q.
    pub(super) mixed: [DVec3; 4],
    /// T.
    pub(super) across: DMat3,
}

/// a bᵀ.
#[inline]
pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

impl Blocks {
    pub(super) const ZERO: Self = Self { along: [[0.0; 4]; 4], mixed: [DVec3::ZERO; 4], across: DMat3::ZERO };

    /// Adds c v vᵀ, v_i = a_i n + w_i t.
    #[inline]
    pub(super) fn add(&mut self, c: f64, a: &[f64; 4], t: DVec3) {
        let scaled = t * c;
        for i in 0..4 {
            for (j, other) in a[..=i].iter().enumerate() {
                self.along[i][j] += c * a[i] * other;
            }
            self.mixed[i] += scaled * a[i];
        }
        self.across += outer(scaled, t);
    }

    /// The matrix.
    #[inline]
    pub(super) fn expanded(&self, normal: DVec3, weights: &[f64; 4]) -> Local {
        let columns: [DMat3; 4] = std::array::from_fn(|j| outer(self.mixed[j], normal) + self.across * weights[j]);
        Local::symmetric(|i, j| {
            columns[j] * weights[i] + outer(normal, normal * self.along[i][j] + self.mixed[i] * weights[j])
        })
    }
}
