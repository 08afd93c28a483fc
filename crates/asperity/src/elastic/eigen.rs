//! Eigenvalues of small symmetric matrices, by Jacobi's method: rotations in the planes of two axes, each of which
//! makes one entry off the diagonal zero, swept over all entries until none is left. Accurate to rounding for every
//! matrix.

/// A symmetric N × N matrix, by rows.
pub(crate) type Square<const N: usize> = [[f64; N]; N];

/// A = Q diag(values) Qᵀ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eigen<const N: usize> {
    /// Eigenvalues in no order.
    pub(crate) values: [f64; N],
    /// Row k is the unit eigenvector of value k.
    pub(crate) vectors: Square<N>,
}

/// Jacobi's method converges quadratically; ten sweeps are many.
const SWEEPS: usize = 40;

/// Eigenvalues and eigenvectors.
pub(crate) fn eigen<const N: usize>(mut a: Square<N>) -> Eigen<N> {
    let mut vectors = [[0.0; N]; N];
    for (k, row) in vectors.iter_mut().enumerate() {
        row[k] = 1.0;
    }
    for _ in 0..SWEEPS {
        let mut turned = false;
        for p in 0..N {
            for q in p + 1..N {
                turned |= rotate(&mut a, &mut vectors, p, q);
            }
        }
        if !turned {
            break;
        }
    }
    Eigen { values: std::array::from_fn(|k| a[k][k]), vectors }
}

/// Makes entry (p, q) zero; false if it is negligible beside the diagonal.
fn rotate<const N: usize>(a: &mut Square<N>, vectors: &mut Square<N>, p: usize, q: usize) -> bool {
    let off = a[p][q];
    let negligible = f64::EPSILON * f64::EPSILON * (a[p][p] * a[q][q]).abs();
    // Not <=: NaN must end the loop too.
    let visible = off * off > negligible.max(f64::MIN_POSITIVE);
    if !visible {
        return false;
    }
    let zeta = (a[q][q] - a[p][p]) / (2.0 * off);
    let t = if zeta >= 0.0 { 1.0 } else { -1.0 } / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = c * t;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    for k in 0..N {
        (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
        (vectors[p][k], vectors[q][k]) = (c * vectors[p][k] - s * vectors[q][k], s * vectors[p][k] + c * vectors[q][k]);
    }
    true
}

/// The nearest positive semidefinite matrix: negative eigenvalues become zero. A matrix without any comes back as it
/// is.
pub(crate) fn clamp<const N: usize>(a: Square<N>) -> Square<N> {
    let Eigen { values, vectors } = eigen(a);
    if values.iter().all(|value| *value >= 0.0) {
        return a;
    }
    let mut out = [[0.0; N]; N];
    for (value, vector) in values.iter().zip(&vectors).filter(|(value, _)| **value > 0.0) {
        for i in 0..N {
            for j in 0..N {
                out[i][j] += value * vector[i] * vector[j];
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Square, clamp, eigen};
    use proptest::prelude::*;

    fn symmetric<const N: usize>(entries: &[f64]) -> Square<N> {
        std::array::from_fn(|i| std::array::from_fn(|j| entries[i.min(j) * N + i.max(j)]))
    }

    #[test]
    fn a_matrix_with_known_values() {
        // Second differences of a string with fixed ends: 2 − 2 cos(kπ/(N + 1)).
        let a: Square<6> = std::array::from_fn(|i| {
            std::array::from_fn(|j| match i.abs_diff(j) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            })
        });
        let mut values = eigen(a).values;
        values.sort_by(f64::total_cmp);
        for (k, value) in values.iter().enumerate() {
            let exact = 2.0 - 2.0 * (std::f64::consts::PI * (k as f64 + 1.0) / 7.0).cos();
            assert!((value - exact).abs() < 1e-14, "{value} {exact}");
        }
        assert_eq!(clamp(a), a);
    }

    proptest! {
        #[test]
        fn vectors_diagonalise(entries in prop::collection::vec(-1.0..1.0_f64, 36)) {
            let a = symmetric::<6>(&entries);
            let eigen = eigen(a);
            for k in 0..6 {
                let vector = eigen.vectors[k];
                for (row, x) in a.iter().zip(vector) {
                    let product: f64 = row.iter().zip(vector).map(|(a, x)| a * x).sum();
                    prop_assert!((product - eigen.values[k] * x).abs() < 1e-13);
                }
            }
            // What was cut off is negative semidefinite and orthogonal to the rest: the projection onto the cone.
            let positive = clamp(a);
            let mut product = 0.0;
            for i in 0..6 {
                for j in 0..6 {
                    product += positive[i][j] * (a[i][j] - positive[i][j]);
                }
            }
            prop_assert!(product.abs() < 1e-12);
        }
    }
}
