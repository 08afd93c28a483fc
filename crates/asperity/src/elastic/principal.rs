//! Second derivatives of an isotropic energy by its principal stretches, and their projection.
//!
//! With F = U diag(σ) Vᵀ an isotropic energy is ψ(σ), and the nine eigen-directions of ∂²ψ/∂F² are known but for a 3 ×
//! 3 matrix (Stomakhin et al. 2012; Smith, de Goes and Kim 2019): for each pair i, j with k the third index,
//!
//! ```text
//! stretch  u_i v_iᵀ                        matrix ψ_ij = ∂²ψ/∂σ_i∂σ_j
//! twist    (u_i v_jᵀ − u_j v_iᵀ)/√2        eigenvalue (ψ_i + ψ_j)/(σ_i + σ_j)
//! flip     (u_i v_jᵀ + u_j v_iᵀ)/√2        eigenvalue (ψ_i − ψ_j)/(σ_i − σ_j)
//! ```
//!
//! The three spaces are orthogonal. So the nearest positive semidefinite matrix has the six eigenvalues cut off at zero
//! and the 3 × 3 matrix projected.

use glam::DMat3;

use super::continuum::Tangent;
use super::eigen::clamp;
use super::matrix::outer;
use super::svd::Svd;

/// ∂²ψ/∂F² in the frames of the singular value decomposition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Principal {
    /// ψ_ij.
    pub(super) second: [[f64; 3]; 3],
    /// (ψ_i + ψ_j)/(σ_i + σ_j), by the third index k.
    pub(super) twist: [f64; 3],
    /// (ψ_i − ψ_j)/(σ_i − σ_j), by the third index k.
    pub(super) flip: [f64; 3],
}

impl Principal {
    /// The nearest positive semidefinite one.
    pub(super) fn projected(&self) -> Self {
        let cut = |value: f64| value.max(0.0);
        Self { second: clamp(self.second), twist: self.twist.map(cut), flip: self.flip.map(cut) }
    }

    /// ∂²ψ/∂F² in the coordinates of F.
    pub(super) fn tangent(&self, svd: &Svd) -> Tangent<3> {
        let u = [svd.u.x_axis, svd.u.y_axis, svd.u.z_axis];
        let v = [svd.v.x_axis, svd.v.y_axis, svd.v.z_axis].map(|axis| axis.to_array());
        let mut tangent: Tangent<3> = [[DMat3::ZERO; 3]; 3];
        for j in 0..3 {
            for l in 0..3 {
                let block = &mut tangent[j][l];
                for a in 0..3 {
                    for b in 0..3 {
                        let stretch = self.second[a][b] * v[a][j] * v[b][l];
                        // Twist and flip of this pair: half their sum on u_a v_b ⊗ u_a v_b, half their difference
                        // across.
                        let turn = if a == b { 0.0 } else { 0.5 * self.across(a, b) * v[b][j] * v[a][l] };
                        *block += outer((stretch + turn) * u[a], u[b]);
                        if a != b {
                            *block += outer(0.5 * self.along(a, b) * v[b][j] * v[b][l] * u[a], u[a]);
                        }
                    }
                }
            }
        }
        tangent
    }

    /// flip + twist of a pair.
    fn along(&self, a: usize, b: usize) -> f64 {
        self.flip[3 - a - b] + self.twist[3 - a - b]
    }

    /// flip − twist of a pair.
    fn across(&self, a: usize, b: usize) -> f64 {
        self.flip[3 - a - b] - self.twist[3 - a - b]
    }
}
