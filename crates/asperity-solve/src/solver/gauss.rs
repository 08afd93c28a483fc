//! Gauss's elimination on small dense matrices, with row exchanges: inverses ([`invert`]) and single right-hand sides
//! ([`solve`]).
//!
//! The two are not one routine because they are not one computation: an inverse is found by Gauss and Jordan with
//! scaled pivot rows, in 2 n³ operations; one solution by triangular elimination in 2 n³/3. Results would round
//! differently if one took the place of the other.

/// Which of two equally large pivots is taken, and what is done with a pivot that vanishes.
pub(super) trait PivotRule {
    /// Whether a candidate of this size is better than the best before it.
    fn is_better(candidate: f64, best: f64) -> bool;

    /// The pivot to divide by; `None` if the matrix counts as singular.
    fn admit(&self, pivot: f64) -> Option<f64>;
}

/// Pivots as they are: the first of the largest; zero, infinite and NaN ones are refused.
pub(super) struct Regular;

impl PivotRule for Regular {
    #[inline]
    fn is_better(candidate: f64, best: f64) -> bool {
        candidate > best
    }

    #[inline]
    fn admit(&self, pivot: f64) -> Option<f64> {
        (pivot.abs() > 0.0 && pivot.is_finite()).then_some(pivot)
    }
}

/// The last of the largest; smaller ones than this are replaced by it, with their sign.
pub(super) struct AtLeast(pub(super) f64);

impl PivotRule for AtLeast {
    #[inline]
    fn is_better(candidate: f64, best: f64) -> bool {
        candidate.total_cmp(&best).is_ge()
    }

    #[inline]
    fn admit(&self, pivot: f64) -> Option<f64> {
        Some(if pivot.abs() < self.0 { self.0.copysign(pivot) } else { pivot })
    }
}

/// The row of the pivot of column k, from row k on; rows have `width` values.
#[inline(always)]
fn pivot_row<P: PivotRule>(n: usize, width: usize, k: usize, a: &[f64]) -> usize {
    let size = |i: usize| a[i * width + k].abs();
    (k + 1..n).fold(k, |best, i| if P::is_better(size(i), size(best)) { i } else { best })
}

/// Exchanges two rows of `width` values.
#[inline(always)]
fn swap_rows(width: usize, i: usize, j: usize, a: &mut [f64]) {
    if i != j {
        (0..width).for_each(|c| a.swap(i * width + c, j * width + c));
    }
}

/// Row i −= factor · row k.
#[inline(always)]
fn subtract_row(width: usize, i: usize, factor: f64, k: usize, a: &mut [f64]) {
    let (low, high) = a.split_at_mut(i.max(k) * width);
    let (first, second) = (&mut low[i.min(k) * width..][..width], &mut high[..width]);
    let (own, pivot) = if i < k { (first, second) } else { (second, first) };
    own.iter_mut().zip(&*pivot).for_each(|(x, p)| *x -= factor * p);
}

/// Puts the inverse of the leading n × n block of `a` into `inverse`; both have rows of `width` ≥ n values, and `a` is
/// used up. Whether there is one. Inlined, so that a caller's constant `width` is known to the compiler.
#[inline(always)]
pub(super) fn invert<P: PivotRule>(n: usize, width: usize, pivots: &P, a: &mut [f64], inverse: &mut [f64]) -> bool {
    inverse.fill(0.0);
    (0..n).for_each(|k| inverse[k * width + k] = 1.0);
    for k in 0..n {
        let best = pivot_row::<P>(n, width, k, a);
        swap_rows(width, k, best, a);
        swap_rows(width, k, best, inverse);
        let Some(pivot) = pivots.admit(a[k * width + k]) else { return false };
        a[k * width + k] = pivot;
        let scale = 1.0 / pivot;
        for matrix in [&mut *a, &mut *inverse] {
            matrix[k * width..(k + 1) * width].iter_mut().for_each(|x| *x *= scale);
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[i * width + k];
            if factor != 0.0 {
                subtract_row(width, i, factor, k, a);
                subtract_row(width, i, factor, k, inverse);
            }
        }
    }
    true
}

/// Solves A x = b in place for the leading n × n part; `a` is used up. False if A is singular or not finite.
#[inline]
pub(super) fn solve<const N: usize>(n: usize, a: &mut [[f64; N]; N], b: &mut [f64; N]) -> bool {
    for k in 0..n {
        let pivot = pivot_row::<Regular>(n, N, k, a.as_flattened());
        a.swap(k, pivot);
        b.swap(k, pivot);
        let (top, inverse) = (a[k], 1.0 / a[k][k]);
        if !inverse.is_finite() {
            return false;
        }
        for i in k + 1..n {
            let factor = a[i][k] * inverse;
            for j in k + 1..n {
                a[i][j] -= factor * top[j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - rest) / a[k][k];
    }
    b[..n].iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that need exchanges: the first pivot is zero, and two candidates are equally large.
    const A: [[f64; 4]; 4] =
        [[0.0, 2.0, 1.0, 0.5], [3.0, -1.0, 0.25, 2.0], [-3.0, 0.5, 4.0, 1.0], [1.0, 1.0, -2.0, 0.125]];

    #[test]
    fn inverses_and_solutions_give_the_identity() {
        for n in 2..=4 {
            for replaced in [false, true] {
                let (mut a, mut inverse) = (A, [[f64::NAN; 4]; 4]);
                let (used, out) = (a.as_flattened_mut(), inverse.as_flattened_mut());
                let fine =
                    if replaced { invert(n, 4, &AtLeast(1e-14), used, out) } else { invert(n, 4, &Regular, used, out) };
                assert!(fine);
                for j in 0..n {
                    let (mut a, mut x) = (A, [0.0; 4]);
                    x[j] = 1.0;
                    assert!(solve(n, &mut a, &mut x));
                    for i in 0..n {
                        assert!((x[i] - inverse[i][j]).abs() < 1e-14, "{n}: {i}, {j}");
                        let product: f64 = (0..n).map(|k| A[i][k] * inverse[k][j]).sum();
                        assert!((product - f64::from(u8::from(i == j))).abs() < 1e-14);
                    }
                }
            }
        }
    }

    #[test]
    fn singular_matrices_are_refused_or_their_pivots_replaced() {
        let singular = [[1.0, 2.0], [2.0, 4.0]];
        let (mut a, mut inverse, mut b) = (singular, [[0.0; 2]; 2], [1.0, 1.0]);
        assert!(!invert(2, 2, &Regular, a.as_flattened_mut(), inverse.as_flattened_mut()));
        assert!(!solve(2, &mut { singular }, &mut b));
        let mut a = singular;
        assert!(invert(2, 2, &AtLeast(1e-8), a.as_flattened_mut(), inverse.as_flattened_mut()));
        assert!(inverse.as_flattened().iter().all(|x| x.is_finite() && x.abs() < 1e9));
    }
}
