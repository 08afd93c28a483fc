//! Triangular solves with supernodal Cholesky factors, one right-hand side at a time.
//!
//! The rows of a supernode, its own and those below, are gathered into one dense vector, and its columns are dense: the time of a
//! solve is that of reading L twice. The numbers may have double or single precision; with the latter there is half as much to
//! read, and twice as much is computed at a time.

use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

use super::symbolic::{Supernode, Symbolic};

/// Products that are summed at a time, each by itself: independent additions, of which the compiler makes vector
/// instructions.
const LANES: usize = 8;

/// A number of a factor: `f64` or `f32`.
pub trait Number:
    Copy
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + SubAssign
    + std::iter::Sum
{
}

impl Number for f64 {}
impl Number for f32 {}

/// Room for solves with the factors of one pattern.
#[derive(Clone, Debug)]
pub struct SolveRoom<T = f64> {
    /// A right-hand side in the order of elimination.
    x: Vec<T>,
    /// The rows of a supernode.
    local: Vec<T>,
}

impl SolveRoom {
    /// For factors with this symbolic part.
    pub fn new(symbolic: &Symbolic) -> Self {
        Self::of(symbolic)
    }
}

impl<T: Number> SolveRoom<T> {
    pub(super) fn of(symbolic: &Symbolic) -> Self {
        let none = T::default();
        Self { x: vec![none; symbolic.pattern().size()], local: vec![none; symbolic.tallest()] }
    }
}

/// b becomes (L Lᵀ)⁻¹ b, L the factor with these values; `to` and `from` make numbers of b into those of L and back.
pub(super) fn solve<T: Number>(
    symbolic: &Symbolic,
    values: &[T],
    b: &mut [f64],
    SolveRoom { x, local }: &mut SolveRoom<T>,
    to: impl Fn(f64) -> T,
    from: impl Fn(T) -> f64,
) {
    for (x, row) in x.iter_mut().zip(symbolic.order()) {
        *x = to(b[*row]);
    }
    for s in 0..symbolic.supernodes() {
        forward(symbolic.supernode(s), values, x, local);
    }
    for s in (0..symbolic.supernodes()).rev() {
        backward(symbolic.supernode(s), values, x, local);
    }
    for (x, row) in x.iter().zip(symbolic.order()) {
        b[*row] = from(*x);
    }
}

/// a · b in [`LANES`] partial sums.
fn dot<T: Number>(a: &[T], b: &[T]) -> T {
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [T::default(); LANES];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for k in 0..LANES {
            sums[k] += a[k] * b[k];
        }
    }
    let rest: T = a_rest.iter().zip(b_rest).map(|(a, b)| *a * *b).sum();
    let half = |k: usize| (sums[k] + sums[k + 1]) + (sums[k + 2] + sums[k + 3]);
    half(0) + half(4) + rest
}

/// L x = b over the columns of a supernode, and what they take from the rows below.
fn forward<T: Number>(node: Supernode<'_>, values: &[T], x: &mut [T], local: &mut [T]) {
    let (size, height) = (node.end - node.begin, node.height());
    let local = &mut local[..height];
    local[..size].copy_from_slice(&x[node.begin..node.end]);
    local[size..].fill(T::default());
    for k in 0..size {
        let column = &values[node.offset + k * height..][..height];
        let factor = local[k] / column[k];
        local[k] = factor;
        local[k + 1..].iter_mut().zip(&column[k + 1..]).for_each(|(x, l)| *x -= factor * *l);
    }
    x[node.begin..node.end].copy_from_slice(&local[..size]);
    for (row, taken) in node.below.iter().zip(&local[size..]) {
        x[*row] += *taken;
    }
}

/// Lᵀ x = b over the columns of a supernode, with the rows below known.
fn backward<T: Number>(node: Supernode<'_>, values: &[T], x: &mut [T], local: &mut [T]) {
    let (size, height) = (node.end - node.begin, node.height());
    let local = &mut local[..height];
    local[..size].copy_from_slice(&x[node.begin..node.end]);
    for (value, row) in local[size..].iter_mut().zip(node.below) {
        *value = x[*row];
    }
    for k in (0..size).rev() {
        let column = &values[node.offset + k * height..][..height];
        local[k] = (local[k] - dot(&local[k + 1..], &column[k + 1..])) / column[k];
    }
    x[node.begin..node.end].copy_from_slice(&local[..size]);
}
