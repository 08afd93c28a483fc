//! The angle of a hinge, two triangles on one edge, and its derivatives.
//!
//! Vertices x₀, x₁ on the edge, x₂ and x₃ opposite. With e = x₁ − x₀, a = x₂ − x₀, b = x₃ − x₀, l = |e| and the normals
//! N = e × a, M = b × e (twice the areas long), θ = atan2((e/l)·(N × M), N·M): zero where the hinge is flat, π and −π
//! where it is folded. With p = N/|N|² and q = M/|M|²,
//!
//! ```text
//! ∂θ/∂a = −l p,   ∂θ/∂b = −l q,   ∂θ/∂e = (a·e/l) p + (b·e/l) q
//! dp = (1 − 2nnᵀ)/|N|² dN,   dN = de × a + e × da,   dM = db × e + b × de
//! ```
//!
//! and the second derivatives follow by the product rule (compare Tamstorf and Grinspun 2013). Derivatives by x₀ are
//! minus the sum of the three. They grow without bound where a triangle loses its area, as the angle has no value
//! there: |N|² and |M|² are kept above a least value.

use glam::{DMat3, DVec3};

use crate::elastic::matrix::{cross_matrix, outer};

/// A hinge as it is now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hinge {
    e: DVec3,
    a: DVec3,
    b: DVec3,
    /// |e|.
    length: f64,
    first: Side,
    second: Side,
}

/// One triangle of it.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// N, twice the area long.
    normal: DVec3,
    /// |N|², kept above its least value.
    square: f64,
}

impl Side {
    fn new(normal: DVec3, least: f64) -> Self {
        Self { normal, square: normal.length_squared().max(least) }
    }

    /// N/|N|².
    fn slope(&self) -> DVec3 {
        self.normal / self.square
    }

    /// Derivative of the slope by N.
    fn slope_by_normal(&self) -> DMat3 {
        let identity = DMat3::from_diagonal(DVec3::splat(1.0 / self.square));
        identity - outer(self.normal * (2.0 / (self.square * self.square)), self.normal)
    }
}

/// Derivatives of the angle by x₁, x₂, x₃: block [r][c] has the rows of x_{r+1} and the columns of x_{c+1}.
pub(super) type AngleHessian = [[DMat3; 3]; 3];

impl Hinge {
    /// Of these places; `least` is the smallest |N|² that is divided by, in m⁴.
    pub(super) fn new(x: [DVec3; 4], least: f64) -> Self {
        let (e, a, b) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        Self {
            e,
            a,
            b,
            length: e.length().max(f64::MIN_POSITIVE),
            first: Side::new(e.cross(a), least),
            second: Side::new(b.cross(e), least),
        }
    }

    /// θ.
    pub(super) fn angle(&self) -> f64 {
        let (n, m) = (self.first.normal, self.second.normal);
        (self.e.dot(n.cross(m)) / self.length).atan2(n.dot(m))
    }

    /// Derivatives of θ by the four places.
    pub(super) fn gradient(&self) -> [DVec3; 4] {
        let (p, q) = (self.first.slope(), self.second.slope());
        let by_e = (self.a.dot(self.e) * p + self.b.dot(self.e) * q) / self.length;
        let (by_a, by_b) = (-self.length * p, -self.length * q);
        [-(by_e + by_a + by_b), by_e, by_a, by_b]
    }

    /// Second derivatives of θ.
    pub(super) fn hessian(&self) -> AngleHessian {
        let Self { e, a, b, length, first, second } = self;
        let unit = *e / *length;
        let (p, q) = (first.slope(), second.slope());
        let (dp, dq) = (first.slope_by_normal(), second.slope_by_normal());
        // Derivatives of p by e and a, of q by e and b.
        let (p_by_e, p_by_a) = (-(dp * cross_matrix(*a)), dp * cross_matrix(*e));
        let (q_by_e, q_by_b) = (dq * cross_matrix(*b), -(dq * cross_matrix(*e)));
        // a·e/l, and its derivative by e; the same with b.
        let along = [a.dot(unit), b.dot(unit)];
        let by_e = [(*a - along[0] * unit) / *length, (*b - along[1] * unit) / *length];

        let ee = outer(p, by_e[0]) + along[0] * p_by_e + outer(q, by_e[1]) + along[1] * q_by_e;
        let ae = -(outer(p, unit) + *length * p_by_e);
        let be = -(outer(q, unit) + *length * q_by_e);
        let aa = -*length * p_by_a;
        let bb = -*length * q_by_b;
        [[ee, ae.transpose(), be.transpose()], [ae, aa, DMat3::ZERO], [be, DMat3::ZERO, bb]]
    }
}
