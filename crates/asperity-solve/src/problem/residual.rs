//! One residual for all laws: the natural map on the cone.
//!
//! For a contact, e = r − P_K(r − ũ) with ũ = u + (h_F(−u_T), 0): zero exactly at a solution (de Saxcé). A bilateral row has
//! e = u, a bounded one e = r − clamp(r − u). Slip rules and two-set laws have no cone: there e_N = r_N − (r_N − u_N)⁺ and
//! e_T = r_T − p(load, r_T − u_T), p the impulse that the law answers with where r_T − u_T would stop the slip (`resolve`), at the
//! load (r_N − u_N)⁺; for a set p is the projection onto load·F, whose zeros are the same. Then
//!
//! * **raw**: ‖e‖ / max(‖b‖, ‖r‖, ‖u‖), undivided if that is at most machine epsilon. For disks it is the error that Siconos
//!   reports. It mixes units: where impulses and velocities differ by orders of magnitude it hides errors.
//! * **scaled**: the same with each block in units of its own, r √λ and u/√λ, λ the largest eigenvalue of the block's part of
//!   W: both are then square roots of energies. A cone does not change under this scaling. ‖r‖ counts up to 10⁴ times
//!   max(‖b‖, ‖u‖): where a problem has no solution, as for a body between walls that close, impulses can grow without
//!   bound, and any error is small beside them.

use asperity_friction::set::ConvexSet;
use asperity_friction::{ContactLaw, Tangential};

use super::contact_problem::{ContactProblem, RowKind};

/// Both measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// As Siconos measures it, on disks.
    pub raw: f64,
    /// Each block in its own unit.
    pub scaled: f64,
}

impl Residual {
    /// The larger of the two; not a number if one is none, so that it is below no tolerance.
    pub fn worst(&self) -> f64 {
        if self.raw > self.scaled || self.raw.is_nan() { self.raw } else { self.scaled }
    }
}

/// The tangential part of a contact's rows.
#[inline]
pub(crate) fn tangential(rows: &[f64]) -> Tangential {
    let mut c = [0.0; 5];
    c[..rows.len() - 1].copy_from_slice(&rows[1..]);
    Tangential::from_array(c)
}

/// Largest eigenvalue of the diagonal block of each row block, or a small positive number where there is none.
pub(super) fn scales(problem: &ContactProblem) -> Vec<f64> {
    let largest = |i: usize| largest_eigenvalue(problem.diagonal(i), problem.range(i).len());
    let all: Vec<f64> = (0..problem.blocks()).map(largest).collect();
    let top = all.iter().fold(0.0f64, |m, v| m.max(*v));
    let floor = if top > 0.0 { 1e-12 * top } else { 1.0 };
    all.into_iter().map(|v| v.max(floor)).collect()
}

/// Largest eigenvalue of the symmetric part of a small matrix, by Jacobi's rotations: there is no start that could be
/// orthogonal to what is looked for.
fn largest_eigenvalue(block: &[f64], n: usize) -> f64 {
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

/// The same for three rows: m + 2 p cos(acos(d)/3), with m the mean of the diagonal, p² a sixth of ‖A − m‖² and d half the
/// determinant of (A − m)/p.
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

/// Impulses count for so many times the velocities, each in its own unit. In stored problems of the field they are 0.02 to 10
/// times as large.
const MOST_IMPULSES: f64 = 1e4;

/// The residual of `r`, with `u` = W r + b.
pub fn residual(problem: &ContactProblem, laws: &[ContactLaw], scales: &[f64], r: &[f64], u: &[f64]) -> Residual {
    let (mut raw, mut scaled) = ([0.0f64; 4], [0.0f64; 4]);
    for (i, scale) in scales.iter().enumerate() {
        let range = problem.range(i);
        let (rb, ub, bb) = (&r[range.clone()], &u[range.clone()], &problem.bias()[range]);
        let unit = scale.sqrt();
        for (sums, k) in [(&mut raw, 1.0), (&mut scaled, unit)] {
            sums[0] += block_error(problem.kind(i), laws.get(problem.law_of(i)), rb, ub, k);
            for (r, (u, b)) in rb.iter().zip(ub.iter().zip(bb)) {
                sums[1] += (r * k) * (r * k);
                sums[2] += (u / k) * (u / k);
                sums[3] += (b / k) * (b / k);
            }
        }
    }
    let relative = |error: f64, size: f64| if size > f64::EPSILON { error / size } else { error };
    let [[error, impulses, velocities, bias], scaled] = [raw, scaled].map(|sums| sums.map(f64::sqrt));
    let raw = relative(error, impulses.max(velocities).max(bias));
    let [error, impulses, velocities, bias] = scaled;
    let speeds = velocities.max(bias);
    Residual { raw, scaled: relative(error, impulses.min(MOST_IMPULSES * speeds).max(speeds)) }
}

/// ‖e‖² of one block, with r k and u/k for r and u.
fn block_error(kind: &RowKind, law: Option<&ContactLaw>, r: &[f64], u: &[f64], k: f64) -> f64 {
    match kind {
        RowKind::Bilateral => u.iter().map(|u| (u / k) * (u / k)).sum(),
        RowKind::Bounded { lower, upper } => (0..r.len())
            .map(|i| {
                let (r, u) = (r[i] * k, u[i] / k);
                let e = r - (r - u).clamp(lower[i] * k, upper[i] * k);
                e * e
            })
            .sum(),
        RowKind::Contact => {
            // An open contact: u + (h, 0) is in K*, so its negative projects to zero.
            if u[0] >= 0.0 && r.iter().all(|r| *r == 0.0) {
                return 0.0;
            }
            let (rn, un) = (r[0] * k, u[0] / k);
            if r.len() == 1 {
                let e = rn - (rn - un).max(0.0);
                return e * e;
            }
            let Some(law) = law else { return 0.0 };
            let (rt, ut) = (tangential(r) * k, tangential(u) * (1.0 / k));
            match law {
                ContactLaw::Set(set) => {
                    let (pn, pt) = set.project_cone(rn - un - set.support(-ut), rt - ut);
                    let (en, et) = (rn - pn, rt - pt);
                    en * en + et.dot(et)
                }
                // No sets, so no cone to project onto: the impulse that the law answers with when r_T − u_T would stop the
                // slip, at the load r_N − u_N.
                ContactLaw::Slip(_) | ContactLaw::TwoSet(_) => {
                    let load = (rn - un).max(0.0);
                    let trial = rt.plane - ut.plane;
                    let answer = match law {
                        ContactLaw::Slip(rule) => rule.resolve(load, trial),
                        ContactLaw::TwoSet(two) => two.resolve(load, trial),
                        ContactLaw::Set(_) => trial,
                    };
                    let (en, et) = (rn - load, rt.plane - answer);
                    en * en + et.length_squared()
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Residual, largest_eigenvalue};

    #[test]
    fn what_is_no_number_is_below_no_tolerance() {
        for (raw, scaled) in [(f64::NAN, 0.0), (0.0, f64::NAN), (f64::NAN, f64::NAN)] {
            assert!(Residual { raw, scaled }.worst().is_nan());
        }
        assert_eq!(Residual { raw: 1.0, scaled: 2.0 }.worst(), 2.0);
        assert_eq!(Residual { raw: 3.0, scaled: 2.0 }.worst(), 3.0);
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
