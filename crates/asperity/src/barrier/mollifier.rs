//! The mollifier of nearly parallel edges (Li et al. 2020, equation 24).
//!
//! The nearest points of parallel edges are not unique and jump; so the barrier of two edges is multiplied with
//!
//! m(c) = (2 − c/ε) c/ε below ε, 1 above,   c = |e_a × e_b|²,
//!
//! which is zero for parallel edges and once continuously differentiable. ε = 10⁻³ |e_a|² |e_b|² at rest. Edges that are
//! parallel are kept apart by their ends and the triangles beside them.
//!
//! c = |e_a|²|e_b|² − (e_a·e_b)² is a polynomial in e_a = x_1 − x_0 and e_b = x_3 − x_2: with A = |e_a|², B = |e_b|², G = e_a·e_b,
//! ∂c/∂e_a = 2 (B e_a − G e_b), ∂²c/∂e_a² = 2 (B I − e_b e_bᵀ), ∂²c/∂e_a∂e_b = 4 e_a e_bᵀ − 2 e_b e_aᵀ − 2 G I, and the same with a and b exchanged.

use glam::{DMat3, DVec3};

use super::local::Local;

/// A function of four points with its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smooth {
    /// Value.
    pub value: f64,
    /// Derivative by each point.
    pub gradient: [DVec3; 4],
    /// Second derivatives.
    pub hessian: Local,
}

/// ε from the edges at rest.
#[inline]
pub fn threshold([a, b, c, d]: &[DVec3; 4]) -> f64 {
    1e-3 * (*b - *a).length_squared() * (*d - *c).length_squared()
}

/// c = |e_a × e_b|².
#[inline]
pub fn cross_square([a, b, c, d]: &[DVec3; 4]) -> f64 {
    (*b - *a).cross(*d - *c).length_squared()
}

/// m of two edges.
pub fn value(points: &[DVec3; 4], eps: f64) -> f64 {
    let x = cross_square(points) / eps;
    if x < 1.0 { (2.0 - x) * x } else { 1.0 }
}

/// m of two edges with its derivatives.
pub fn smooth(points: &[DVec3; 4], eps: f64) -> Smooth {
    let x = cross_square(points) / eps;
    if x >= 1.0 {
        return Smooth { value: 1.0, gradient: [DVec3::ZERO; 4], hessian: Local::ZERO };
    }
    let (slope, bend) = (2.0 * (1.0 - x) / eps, -2.0 / (eps * eps));
    let [a, b] = [points[1] - points[0], points[3] - points[2]];
    let mixed = a.dot(b);
    let by_a = 2.0 * (a * b.length_squared() - b * mixed);
    let by_b = 2.0 * (b * a.length_squared() - a * mixed);
    let of_c = [-by_a, by_a, -by_b, by_b];
    let outer = |p: DVec3, q: DVec3| DMat3::from_cols(p * q.x, p * q.y, p * q.z);
    let aa = (DMat3::from_diagonal(DVec3::splat(b.length_squared())) - outer(b, b)) * 2.0;
    let bb = (DMat3::from_diagonal(DVec3::splat(a.length_squared())) - outer(a, a)) * 2.0;
    // Rows of b, columns of a.
    let ba = outer(b, a) * 4.0 - outer(a, b) * 2.0 - DMat3::from_diagonal(DVec3::splat(2.0 * mixed));
    let sign = |i: usize| if i.is_multiple_of(2) { -1.0 } else { 1.0 };
    let mut hessian = Local::symmetric(|i, j| {
        let block = match (i / 2, j / 2) {
            (0, 0) => aa,
            (1, 1) => bb,
            _ => ba,
        };
        block * (slope * sign(i) * sign(j))
    });
    hessian.add_outer(bend, &of_c);
    Smooth { value: (2.0 - x) * x, gradient: of_c.map(|g| g * slope), hessian }
}
