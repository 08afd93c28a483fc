//! Arithmetic of small dense blocks, row by row: what a factorisation spends its time on. Sums are kept in registers, a
//! tile at a time.

use super::super::gauss::{self, AtLeast};

/// A pivot smaller than this, relative to the largest entry of the block, is replaced.
const SMALL_PIVOT: f64 = 1e-14;

/// Rows and columns of a product that are summed at a time, in registers.
const TILE: (usize, usize) = (3, 4);

/// c −= a b, all row by row: a has `inner` columns, b and c have `columns`.
#[inline]
pub(super) fn subtract_product(inner: usize, columns: usize, c: &mut [f64], a: &[f64], b: &[f64]) {
    if let (3, 3, Ok(c), Ok(a), Ok(b)) =
        (inner, columns, <&mut [f64; 9]>::try_from(&mut *c), <&[f64; 9]>::try_from(a), <&[f64; 9]>::try_from(b))
    {
        for i in 0..3 {
            for j in 0..3 {
                c[3 * i + j] -= a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
            }
        }
        return;
    }
    let rows = a.len() / inner;
    let whole = rows - rows % TILE.0;
    let (top, bottom) = c.split_at_mut(whole * columns);
    for (c, a) in top.chunks_exact_mut(TILE.0 * columns).zip(a.chunks_exact(TILE.0 * inner)) {
        subtract_rows::<{ TILE.0 }>(inner, columns, c, a, b);
    }
    for (c, a) in bottom.chunks_exact_mut(columns).zip(a[whole * inner..].chunks_exact(inner)) {
        subtract_rows::<1>(inner, columns, c, a, b);
    }
}

/// The same for R rows.
#[inline]
fn subtract_rows<const R: usize>(inner: usize, columns: usize, c: &mut [f64], a: &[f64], b: &[f64]) {
    let whole = columns - columns % TILE.1;
    for first in (0..whole).step_by(TILE.1) {
        let mut sum = [[0.0; TILE.1]; R];
        for (k, b) in b.chunks_exact(columns).enumerate() {
            let Some(b) = b[first..].first_chunk::<{ TILE.1 }>() else { return };
            for (row, sum) in sum.iter_mut().enumerate() {
                let factor = a[row * inner + k];
                for j in 0..TILE.1 {
                    sum[j] += factor * b[j];
                }
            }
        }
        for (c, sum) in c.chunks_exact_mut(columns).zip(&sum) {
            c[first..].iter_mut().zip(sum).for_each(|(c, s)| *c -= s);
        }
    }
    for j in whole..columns {
        let mut sum = [0.0; R];
        for (k, b) in b.chunks_exact(columns).enumerate() {
            sum.iter_mut().enumerate().for_each(|(row, s)| *s += a[row * inner + k] * b[j]);
        }
        c.chunks_exact_mut(columns).zip(&sum).for_each(|(c, s)| c[j] -= s);
    }
}

/// block ← block · d, where d is n × n.
#[inline]
pub(super) fn multiply_right(n: usize, block: &mut [f64], d: &[f64], scratch: &mut [f64]) {
    for row in block.chunks_exact_mut(n) {
        let old = &mut scratch[..n];
        old.iter_mut().zip(&*row).for_each(|(o, x)| *o = -x);
        row.fill(0.0);
        subtract_product(n, n, row, old, d);
    }
}

/// y −= a x, where a has as many rows as y.
#[inline]
pub(super) fn subtract_times(a: &[f64], x: &[f64], y: &mut [f64]) {
    for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y -= row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}

/// Inverts a small matrix in place; whether it is finite. Pivots that vanish are replaced by small ones.
pub(super) fn invert(n: usize, a: &mut [f64], scratch: &mut [f64]) -> bool {
    let inverse = &mut scratch[..n * n];
    let largest = a[..n * n].iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if !largest.is_finite() {
        return false;
    }
    let pivots = AtLeast((SMALL_PIVOT * largest).max(f64::MIN_POSITIVE));
    gauss::invert(n, n, &pivots, a, inverse);
    a.copy_from_slice(inverse);
    true
}
