//! Singular values of a 3 × 3 matrix with rotations on both sides: F = U diag(σ) Vᵀ, det U = det V = 1.
//!
//! One-sided Jacobi (Hestenes): columns of F are turned against each other, F V, until they are orthogonal; their
//! lengths are then the singular values. Small ones are found to full accuracy, which the eigenvalues of FᵀF are not.
//! The values are sorted, σ₀ ≥ σ₁ ≥ |σ₂|, and σ₂ has the sign of det F: it is negative where an element is inverted.

use glam::{DMat3, DVec3};

/// F = `u` diag(`values`) `v`ᵀ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Svd {
    /// A rotation.
    pub(super) u: DMat3,
    /// σ₀ ≥ σ₁ ≥ |σ₂|.
    pub(super) values: [f64; 3],
    /// A rotation.
    pub(super) v: DMat3,
}

/// Cosine between two columns below which they count as orthogonal.
const ORTHOGONAL: f64 = 1e-16;
/// Jacobi's method converges quadratically: six sweeps are the most that was seen.
const SWEEPS: usize = 20;
/// A singular value is zero, and its direction arbitrary, below this fraction of the largest.
const ZERO: f64 = 1e-15;

impl Svd {
    pub(super) fn new(f: DMat3) -> Self {
        let mut columns = [f.x_axis, f.y_axis, f.z_axis];
        let mut axes = [DVec3::X, DVec3::Y, DVec3::Z];
        for _ in 0..SWEEPS {
            let turned = [(0, 1), (0, 2), (1, 2)].map(|(p, q)| turn(&mut columns, &mut axes, p, q));
            if turned == [false; 3] {
                break;
            }
        }
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| columns[b].length_squared().total_cmp(&columns[a].length_squared()));
        let [first, second, third] = order;
        // The third axis by the cross product: an odd order would make V a reflection.
        let v = DMat3::from_cols(axes[first], axes[second], axes[first].cross(axes[second]));
        let turned = f * v.z_axis;

        let u0 = columns[first].try_normalize().unwrap_or(DVec3::X);
        let size = columns[first].length();
        let across = columns[second] - u0 * u0.dot(columns[second]);
        let u1 = if across.length() > ZERO * size {
            across.normalize()
        } else {
            // Any direction will do, but one that lies across the third column keeps its length.
            let rest = columns[third] - u0 * u0.dot(columns[third]);
            if rest.length() > ZERO * size { rest.cross(u0).normalize() } else { u0.any_orthonormal_vector() }
        };
        let u2 = u0.cross(u1);
        Self {
            u: DMat3::from_cols(u0, u1, u2),
            values: [u0.dot(columns[first]), u1.dot(columns[second]), u2.dot(turned)],
            v,
        }
    }

    /// The rotation nearest to F: U Vᵀ.
    pub(super) fn rotation(&self) -> DMat3 {
        self.u * self.v.transpose()
    }
}

/// Makes columns p and q orthogonal by a rotation; false if they are already.
fn turn(columns: &mut [DVec3; 3], axes: &mut [DVec3; 3], p: usize, q: usize) -> bool {
    let (a, b) = (columns[p], columns[q]);
    let cross = a.dot(b);
    // Not <=: NaN must end the loop too.
    let oblique = cross.abs() > ORTHOGONAL * a.length() * b.length() && cross.abs() > f64::MIN_POSITIVE;
    if !oblique {
        return false;
    }
    let zeta = (b.length_squared() - a.length_squared()) / (2.0 * cross);
    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = c * t;
    (columns[p], columns[q]) = (c * a - s * b, s * a + c * b);
    let (a, b) = (axes[p], axes[q]);
    (axes[p], axes[q]) = (c * a - s * b, s * a + c * b);
    true
}

#[cfg(test)]
mod tests {
    use super::Svd;
    use glam::{DMat3, DVec3};
    use proptest::prelude::*;

    fn assert_svd(f: DMat3) {
        let Svd { u, values, v } = Svd::new(f);
        let size = f.to_cols_array().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (q, name) in [(u, "u"), (v, "v")] {
            let defect = q.transpose() * q - DMat3::IDENTITY;
            assert!(defect.to_cols_array().iter().all(|d| d.abs() < 1e-14), "{name} of {f} is oblique");
            assert!((q.determinant() - 1.0).abs() < 1e-14);
        }
        let back = u * DMat3::from_diagonal(DVec3::from_array(values)) * v.transpose();
        let error = (back - f).to_cols_array().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(error <= 1e-14 * size, "{f}: {error:e}");
        assert!(values[0] >= values[1] - 1e-15 * size && values[1] >= values[2].abs() - 1e-15 * size, "{values:?}");
    }

    #[test]
    fn degenerate_and_reflected_matrices() {
        let flat = DMat3::from_cols(DVec3::X, DVec3::Y, DVec3::ZERO);
        let line = DMat3::from_cols(DVec3::ONE, 2.0 * DVec3::ONE, -DVec3::ONE);
        let mirror = DMat3::from_diagonal(DVec3::new(1.0, -1.0, 1.0));
        let graded = DMat3::from_diagonal(DVec3::new(1e-9, 1.0, 1e-5));
        for f in [DMat3::ZERO, DMat3::IDENTITY, -DMat3::IDENTITY, flat, line, mirror, graded] {
            assert_svd(f);
        }
        assert_eq!(Svd::new(mirror).values, [1.0, 1.0, -1.0]);
        for (value, exact) in Svd::new(graded).values.iter().zip([1.0, 1e-5, 1e-9]) {
            assert!((value - exact).abs() < 1e-15 * exact, "{value}");
        }
    }

    proptest! {
        #[test]
        fn random_matrices(entries in prop::array::uniform9(-2.0..2.0_f64), flatten in 0.0..1.0_f64) {
            let mut f = DMat3::from_cols_array(&entries);
            f.z_axis = f.x_axis.lerp(f.z_axis, flatten.powi(20));
            assert_svd(f);
        }
    }
}
