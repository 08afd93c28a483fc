//! The unit of each row block: λ, the largest eigenvalue of the symmetric part of its diagonal block of W + C.
//!
//! With it r √λ and u/√λ are square roots of energies in every block, so that blocks of different bodies can be
//! compared.

/// Smallest unit of a block relative to the largest one: blocks that (almost) nothing moves have no unit of their own.
const SMALLEST: f64 = 1e-12;

/// The units of all blocks, from the largest eigenvalue of each: positive numbers. Blocks below the smallest unit take
/// that; if nothing moves at all, every unit is one.
pub(super) fn positive(eigenvalues: Vec<f64>) -> Vec<f64> {
    let top = eigenvalues.iter().fold(0.0f64, |m, v| m.max(*v));
    let floor = if top > 0.0 { SMALLEST * top } else { 1.0 };
    eigenvalues.into_iter().map(|v| v.max(floor)).collect()
}

/// Largest eigenvalue of the symmetric part of a small matrix, by Jacobi's rotations: there is no start that could be
/// orthogonal to what is looked for.
pub(crate) fn largest_eigenvalue(block: &[f64], n: usize) -> f64 {
    if n > 6 {
        // Large blocks are joints, whose unit need not be exact: the largest row sum bounds the eigenvalue.
        return block.chunks_exact(n).map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max);
    }
    if let (3, Some(block)) = (n, block.first_chunk::<9>()) {
        return largest_of_three(block);
    }
    let mut a = [[0.0; 6]; 6];
    for i in 0..n {
        for j in 0..n {
            a[i][j] = 0.5 * (block[i * n + j] + block[j * n + i]);
        }
    }
    // Quadratic convergence: a handful of sweeps leave nothing off the diagonal.
    for _ in 0..12 {
        let mut off = 0.0f64;
        for p in 0..n {
            for q in p + 1..n {
                off = off.max(a[p][q].abs());
                rotate_away(&mut a, n, p, q);
            }
        }
        if off == 0.0 {
            break;
        }
    }
    (0..n).map(|i| a[i][i]).fold(0.0, f64::max)
}

/// The same for three rows: m + 2 p cos(acos(d)/3), with m the mean of the diagonal, p² a sixth of ‖A − m‖² and d half
/// the determinant of (A − m)/p.
fn largest_of_three(block: &[f64; 9]) -> f64 {
    let half = |i: usize, j: usize| 0.5 * (block[i] + block[j]);
    let (x, y, z) = (half(1, 3), half(2, 6), half(5, 7));
    let mean = (block[0] + block[4] + block[8]) / 3.0;
    let (a, b, c) = (block[0] - mean, block[4] - mean, block[8] - mean);
    let p = ((a * a + b * b + c * c + 2.0 * (x * x + y * y + z * z)) / 6.0).sqrt();
    if p == 0.0 {
        return mean.max(0.0);
    }
    let determinant = a * (b * c - z * z) - x * (x * c - z * y) + y * (x * z - b * y);
    let angle = (0.5 * determinant / (p * p * p)).clamp(-1.0, 1.0).acos() / 3.0;
    (mean + 2.0 * p * angle.cos()).max(0.0)
}

/// The rotation of rows and columns p and q that makes the entry (p, q) zero.
fn rotate_away(a: &mut [[f64; 6]; 6], n: usize, p: usize, q: usize) {
    if a[p][q].abs() <= f64::EPSILON * (a[p][p] * a[q][q]).abs().sqrt() {
        a[p][q] = 0.0;
        a[q][p] = 0.0;
        return;
    }
    let theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut().take(n) {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (c * x - s * y, s * x + c * y);
    }
    let (row_p, row_q) = (a[p], a[q]);
    for (k, (x, y)) in row_p.into_iter().zip(row_q).enumerate().take(n) {
        (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
    }
}

#[cfg(test)]
mod tests {
    use super::{largest_eigenvalue, positive};

    #[test]
    fn every_unit_is_positive() {
        assert_eq!(positive(vec![2.0, 0.0, 1e-20]), [2.0, 2e-12, 2e-12]);
        assert_eq!(positive(vec![0.0, 0.0]), [1.0, 1.0]);
    }

    #[test]
    fn the_largest_eigenvalue_is_found_wherever_its_vector_points() {
        // Eigenvector (1, -1, 0): orthogonal to a start of ones, which the second eigenvector (1, 1, 0) is not.
        let block = [1.5, -0.5, 0.0, -0.5, 1.5, 0.0, 0.0, 0.0, 0.3];
        assert!((largest_eigenvalue(&block, 3) - 2.0).abs() < 1e-15);
        assert!((largest_eigenvalue(&[1.0, -1.0, -1.0, 1.0], 2) - 2.0).abs() < 1e-15);
        assert_eq!(largest_eigenvalue(&[7.0], 1), 7.0);
        assert_eq!(largest_eigenvalue(&[0.0; 9], 3), 0.0);
        // Turned by rotations about two axes: the eigenvalues stay, also where two of them are equal.
        for [l, m, n] in [[3.0, 2.0, 1.0], [2.0, 2.0, 0.5], [2.0, 0.5, 0.5], [1e-9, 1e-10, 0.0], [4.0, 4.0, 4.0]] {
            let turn = glam::DMat3::from_rotation_x(0.7) * glam::DMat3::from_rotation_y(-1.1);
            let block = turn * glam::DMat3::from_diagonal([m, l, n].into()) * turn.transpose();
            let found = largest_eigenvalue(&block.to_cols_array(), 3);
            assert!((found - l).abs() < 1e-8 * l, "{found} for {l}");
        }
        // v vᵀ plus the identity, in six dimensions: 1 + |v|².
        let v = [1.0, -2.0, 0.5, 3.0, -1.0, 0.25];
        let size: f64 = v.iter().map(|x| x * x).sum();
        let mut block = [0.0; 36];
        for i in 0..6 {
            for j in 0..6 {
                block[6 * i + j] = v[i] * v[j] + if i == j { 1.0 } else { 0.0 };
            }
        }
        assert!((largest_eigenvalue(&block, 6) - 1.0 - size).abs() < 1e-13);
        // Above six rows a bound: here of the identity, exactly.
        let identity: Vec<f64> = (0..64).map(|k| if k % 9 == 0 { 1.0 } else { 0.0 }).collect();
        assert_eq!(largest_eigenvalue(&identity, 8), 1.0);
    }
}
