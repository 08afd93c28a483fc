//! Projection onto the cone K = { (s, f) : f ∈ s F } of any set, by a search for the load.
//!
//! The nearest point minimises ½(s − n)² + ½ dist²(f, sF) over s ≥ 0. With p(s) the projection of f onto sF, the
//! derivative of the second term is −h_F(f − p(s)), since f − p is an outward normal of sF at p. So s is the root of
//!
//!   g(s) = s − n − h_F(f − p(s)),
//!
//! which increases (g' ≥ 1), and the solution is 0 when g(0) = −n − h_F(f) ≥ 0, that is, in the polar cone.
//!
//! **Derivative.** Let D = ∂p/∂f and c = ∂p/∂s at the solution s > 0, and σ = p/s, the support point of f − p. Since p is
//! homogeneous of degree one and D (f − p) = 0, c = (I − D) σ. Differentiating g(s) = 0 and (s, p(s, f)) by (n, f) gives
//!
//!   P' = [ 1, cᵀ ; c, c cᵀ ] / (1 + σ·c) + [ 0, 0 ; 0, D ],
//!
//! symmetric, with eigenvalues in [0, 1]. Inside the cone P' = I, in the polar cone P' = 0.

use super::{ConePoint, ConvexSet};
use crate::tangential::Tangential;

/// Most rows of a cone: the load, t, b, spin, roll_t, roll_b.
pub const CONE_ROWS: usize = 6;

/// Where the projection onto the cone ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConePlace {
    /// In the polar cone: the projection is zero.
    Polar,
    /// Outside both cones: the projection is on the boundary of K.
    Boundary,
    /// Inside: the projection is the point itself.
    Inside,
}

/// The projection onto the cone, and an element of its generalised Jacobian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConeProjection {
    /// The nearest point.
    pub point: ConePoint,
    /// Where it is.
    pub place: ConePlace,
    /// P' over (load, t, b, spin, roll_t, roll_b), row by row; zero in the rows that the set does not have.
    pub derivative: [[f64; CONE_ROWS]; CONE_ROWS],
}

impl ConeProjection {
    /// The point is zero, and so is the derivative.
    const POLAR: Self = Self {
        point: ConePoint { load: 0.0, force: Tangential::ZERO },
        place: ConePlace::Polar,
        derivative: [[0.0; CONE_ROWS]; CONE_ROWS],
    };

    /// The point itself; the derivative is the identity over the load and the rows of the set.
    fn inside(point: ConePoint, rows: usize) -> Self {
        let mut derivative = [[0.0; CONE_ROWS]; CONE_ROWS];
        (0..=rows).for_each(|k| derivative[k][k] = 1.0);
        Self { point, place: ConePlace::Inside, derivative }
    }
}

/// The projection of (n, f) onto the cone of `set`, with its derivative.
pub(super) fn differentiate<S: ConvexSet + ?Sized>(set: &S, n: f64, f: Tangential) -> ConeProjection {
    let point = set.project_cone(n, f);
    let ConePoint { load: s, force: p } = point;
    if s.is_nan() || s <= 0.0 {
        return ConeProjection::POLAR;
    }
    let rows = set.rows();
    if s <= n && p.to_array()[..rows] == f.to_array()[..rows] {
        return ConeProjection::inside(point, rows);
    }
    let by = set.derivative(s, f);
    let (c, sigma) = (by.by_load, p.to_array().map(|p| p / s));
    let slope = 1.0 + sigma.iter().zip(c).map(|(sigma, c)| sigma * c).sum::<f64>();
    let mut derivative = [[0.0; CONE_ROWS]; CONE_ROWS];
    derivative[0][0] = 1.0 / slope;
    for i in 0..CONE_ROWS - 1 {
        derivative[0][i + 1] = c[i] / slope;
        derivative[i + 1][0] = c[i] / slope;
        for j in 0..CONE_ROWS - 1 {
            // The mean with the transposed entry: symmetric to the last bit.
            let own = 0.5 * (by.by_force[i][j] + by.by_force[j][i]);
            derivative[i + 1][j + 1] = own + c[i] * c[j] / slope;
        }
    }
    ConeProjection { point, place: ConePlace::Boundary, derivative }
}

/// The point of the cone of `set` nearest to (n, f).
pub(super) fn project_by_load<S: ConvexSet + ?Sized>(set: &S, n: f64, f: Tangential) -> ConePoint {
    project_with(set, n, f, |_| None)
}

/// The same for a set that knows the load, given one that is too large, or does not.
pub(super) fn project_with<S: ConvexSet + ?Sized>(
    set: &S,
    n: f64,
    f: Tangential,
    load: impl Fn(f64) -> Option<f64>,
) -> ConePoint {
    let gap = |s: f64| s - n - set.support(f - set.project(s, f));
    let low = n.max(0.0);
    let g_low = gap(low);
    if g_low >= 0.0 {
        return ConePoint { load: low, force: set.project(low, f) };
    }
    // h_F(f - p) <= radius |f - p| <= radius |f|, so g is not negative there.
    let high = low + set.radius() * f.length();
    let s = load(high).unwrap_or_else(|| increasing_root(gap, low, g_low, high));
    ConePoint { load: s, force: set.project(s, f) }
}

/// Root of an increasing function with g(low) = g_low ≤ 0 ≤ g(high), by false position in the form of Anderson and
/// Björck (the value at an end that stays is reduced, so that the next step moves it), with a bisection whenever two
/// steps do not halve the bracket. Stops at the resolution of the numbers.
fn increasing_root(g: impl Fn(f64) -> f64, low: f64, g_low: f64, high: f64) -> f64 {
    let (mut a, mut ga) = (low, g_low);
    let (mut b, mut gb) = (high, g(high));
    if gb <= 0.0 {
        return b;
    }
    let mut best = if -ga < gb { (a, -ga) } else { (b, gb) };
    let mut previous_below = None;
    let mut last_width = b - a;
    for iteration in 0..200 {
        let width = b - a;
        if best.1 == 0.0 || width <= 2.0 * f64::EPSILON * b.abs().max(a.abs()) {
            break;
        }
        let check = iteration % 2 == 1;
        let bisect = check && width > 0.5 * last_width;
        if check {
            last_width = width;
        }
        let mut c = if bisect { 0.5 * (a + b) } else { a - ga * (b - a) / (gb - ga) };
        if !(c > a && c < b) {
            c = 0.5 * (a + b);
        }
        let gc = g(c);
        if gc.abs() < best.1 {
            best = (c, gc.abs());
        }
        let below = gc < 0.0;
        let (replaced, kept) = if below { (&mut ga, &mut gb) } else { (&mut gb, &mut ga) };
        if previous_below == Some(below) {
            let m = 1.0 - gc / *replaced;
            *kept *= if m > 0.0 { m } else { 0.5 };
        }
        *replaced = gc;
        if below {
            a = c;
        } else {
            b = c;
        }
        previous_below = Some(below);
    }
    best.0
}
