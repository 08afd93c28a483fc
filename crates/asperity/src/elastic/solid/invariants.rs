//! Energies over two invariants of F: ψ = a(I) + b(J), I = F:F = Σ σ², J = det F = σ₀σ₁σ₂.
//!
//! ```text
//! P = 2a' F + b' C                          C = ∂J/∂F, columns C_j = F_{j+1} × F_{j+2}
//! ∂²ψ = 2a' 1 + 4a'' F⊗F + b'' C⊗C + b' ∂C/∂F
//! ```
//!
//! In principal stretches: ψ_ii = 2a' + 4a'' σ_i² + b'' C_i², ψ_ij = 4a'' σ_iσ_j + b'' C_iC_j + b' σ_k with C_i =
//! σ_jσ_k, and (ψ_i ± ψ_j)/(σ_i ± σ_j) = 2a' ± b' σ_k: no quotient is left, so that equal stretches are no special
//! case. For the stable neo-Hookean energy this is the eigensystem of Smith, de Goes and Kim (2018), section 4.

use glam::{DMat3, DVec3};

use crate::elastic::continuum::{Columns, Tangent};
use crate::elastic::matrix::{cross_matrix, outer};
use crate::elastic::principal::Principal;

/// Derivatives of ψ by its invariants.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByInvariants {
    /// a'(I).
    pub(super) by_i: f64,
    /// a''(I).
    pub(super) by_i_twice: f64,
    /// b'(J).
    pub(super) by_j: f64,
    /// b''(J).
    pub(super) by_j_twice: f64,
}

/// I = F:F.
#[inline]
pub(super) fn squares(f: &Columns<3>) -> f64 {
    f[0].length_squared() + f[1].length_squared() + f[2].length_squared()
}

/// J = det F.
#[inline]
pub(super) fn determinant(f: &Columns<3>) -> f64 {
    f[0].dot(f[1].cross(f[2]))
}

/// ∂J/∂F.
#[inline]
pub(super) fn cofactor(f: &Columns<3>) -> Columns<3> {
    [f[1].cross(f[2]), f[2].cross(f[0]), f[0].cross(f[1])]
}

impl ByInvariants {
    pub(super) fn stress(&self, f: &Columns<3>) -> Columns<3> {
        let c = cofactor(f);
        std::array::from_fn(|j| 2.0 * self.by_i * f[j] + self.by_j * c[j])
    }

    pub(super) fn tangent(&self, f: &Columns<3>) -> Tangent<3> {
        let c = cofactor(f);
        let mut tangent: Tangent<3> = std::array::from_fn(|j| {
            std::array::from_fn(|l| outer(4.0 * self.by_i_twice * f[j], f[l]) + outer(self.by_j_twice * c[j], c[l]))
        });
        for (j, row) in tangent.iter_mut().enumerate() {
            let (next, last) = ((j + 1) % 3, (j + 2) % 3);
            row[j] += DMat3::from_diagonal(DVec3::splat(2.0 * self.by_i));
            // C_j = F_next × F_last.
            row[next] -= self.by_j * cross_matrix(f[last]);
            row[last] += self.by_j * cross_matrix(f[next]);
        }
        tangent
    }

    pub(super) fn principal(&self, stretches: [f64; 3]) -> Principal {
        let s = stretches;
        let c = [s[1] * s[2], s[2] * s[0], s[0] * s[1]];
        let second = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let shared = 4.0 * self.by_i_twice * s[i] * s[j] + self.by_j_twice * c[i] * c[j];
                shared + if i == j { 2.0 * self.by_i } else { self.by_j * s[3 - i - j] }
            })
        });
        Principal {
            second,
            twist: s.map(|s| 2.0 * self.by_i + self.by_j * s),
            flip: s.map(|s| 2.0 * self.by_i - self.by_j * s),
        }
    }
}
