//! The squared distance of two elements as a function of their points, with gradient and Hessian.
//!
//! A vertex, an edge or a triangle against another has the way r = Σ w_i(β) x_i from B to A, linear in the parameters β of
//! the nearest points: none for two points, one along a line, two in a plane or between two lines. The squared distance
//! is the least D = min_β |r|². With u_j = ∂w/∂β_j and ∂r/∂β_j = Σ u_ji x_i, all of which are orthogonal to r at the least,
//!
//! ∂D/∂x_i = 2 w_i r,   ∂²D/∂x² = f_xx − f_xβ f_ββ⁻¹ f_βx   of   f(x, β) = |r|².
//!
//! Parameters are chosen so that ∂r/∂β_j = e_j are orthonormal. With n = r/d, d = √D, a_j = w ⊗ e_j and c_j = u_j ⊗ n this is
//!
//! ∂²D/∂x² = 2 (w ⊗ n)(w ⊗ n)ᵀ − 2 Σ_j [ d (a_j c_jᵀ + c_j a_jᵀ) + d² c_j c_jᵀ ] + 2 Σ_k (w ⊗ t_k)(w ⊗ t_k)ᵀ,
//!
//! t_k the directions across r that no parameter moves along. One formula for all kinds of pairs; it has rank five at most,
//! in a basis that splits into (span of w, u_1, u_2) ⊗ n and w ⊗ e_1, w ⊗ e_2 ([`super::spectrum`] makes use of it).

use glam::DVec3;

use super::blocks::{Blocks, outer};
use super::feet::{Feet, placed};
use super::local::Local;

/// The nearest points of two elements, and how they move with the points of the elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Signed weights of the points: those of A add up to 1, those of B to −1; zero for points that do not matter.
    pub weights: [f64; 4],
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// Distance, m.
    pub distance: f64,
    /// Orthonormal directions across the normal: the first [`Self::free`] are those that the nearest points move along.
    pub across: [DVec3; 2],
    /// Change of the weights as the nearest points move along these directions, 1/m; zero for the others.
    pub rates: [[f64; 4]; 2],
    /// How many parameters the nearest points have.
    pub free: usize,
}

/// Two unit vectors across a unit vector.
fn tangents(n: DVec3) -> [DVec3; 2] {
    let other = if n.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
    let first = n.cross(other).normalize();
    [first, n.cross(first)]
}

/// The first of two points is A.
pub fn point_point(a: DVec3, b: DVec3) -> Nearest {
    let Feet { weights, way, .. } = Feet::point_point(a, b);
    let normal = way.normalize_or(DVec3::Z);
    Nearest { weights, normal, distance: way.length(), across: tangents(normal), rates: [[0.0; 4]; 2], free: 0 }
}

/// A point, and the line through two others.
pub fn point_line(p: DVec3, a: DVec3, b: DVec3) -> Nearest {
    let Feet { weights, way, .. } = Feet::point_line(p, a, b);
    let edge = b - a;
    let rate = 1.0 / edge.length();
    let along = edge * rate;
    let normal = way.normalize_or(tangents(along)[0]);
    // The way shrinks along the line as the foot moves on: ∂r/∂t = −edge.
    let across = [-along, along.cross(normal)];
    Nearest { weights, normal, distance: way.length(), across, rates: [[0.0, rate, -rate, 0.0], [0.0; 4]], free: 1 }
}

/// Two parameters with their derivatives of way and weights, in the plane across the normal.
struct Plane {
    ways: [DVec3; 2],
    rates: [[f64; 4]; 2],
}

/// The nearest points with two parameters; `offset` is any vector from B to A.
fn planar(weights: [f64; 4], offset: DVec3, Plane { ways: [first, second], rates: [one, two] }: Plane) -> Nearest {
    let normal = first.cross(second).normalize_or_zero();
    let height = normal.dot(offset);
    let normal = if height < 0.0 { -normal } else { normal };
    // Gram and Schmidt, on the ways and on the weights alike.
    let length = first.length();
    let e1 = first / length;
    let u1 = one.map(|x| x / length);
    let mixed = second.dot(e1);
    let rest = second - e1 * mixed;
    let width = rest.length();
    let e2 = rest / width;
    let u2 = std::array::from_fn(|i| (two[i] - mixed * u1[i]) / width);
    Nearest { weights, normal, distance: height.abs(), across: [e1, e2], rates: [u1, u2], free: 2 }
}

/// A point, and the plane through three others.
pub fn point_plane(p: DVec3, corners: [DVec3; 3]) -> Nearest {
    let [a, b, c] = corners;
    let rates = [[0.0, 1.0, -1.0, 0.0], [0.0, 1.0, 0.0, -1.0]];
    planar(Feet::point_plane(p, corners).weights, p - a, Plane { ways: [a - b, a - c], rates })
}

/// The lines through two pairs of points, which are not parallel.
pub fn line_line(first: [DVec3; 2], second: [DVec3; 2]) -> Nearest {
    let ([a, b], [c, d]) = (first, second);
    let rates = [[-1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0]];
    planar(Feet::line_line(first, second).weights, a - c, Plane { ways: [b - a, c - d], rates })
}

impl Nearest {
    /// The same with its points at other places of a list of four: point k of this is point `at[k]` of that.
    pub(super) fn placed(&self, at: &[usize]) -> Self {
        Self { weights: placed(&self.weights, at), rates: self.rates.map(|own| placed(&own, at)), ..*self }
    }

    /// The same with A and B exchanged: the way is the negative one.
    pub(super) fn reversed(&self) -> Self {
        Self { weights: self.weights.map(|w| -w), normal: -self.normal, ..*self }
    }

    /// D = d², m².
    #[inline]
    pub fn square(&self) -> f64 {
        self.distance * self.distance
    }

    /// ∂D/∂x_i = 2 w_i r, m.
    #[inline]
    pub fn gradient(&self) -> [DVec3; 4] {
        self.weights.map(|w| self.normal * (2.0 * w * self.distance))
    }

    /// ∂²D/∂x².
    pub fn hessian(&self) -> Local {
        self.composed(1.0, 0.0)
    }

    /// ∂²f(D)/∂x² = f' ∂²D + f'' ∂D ∂Dᵀ of a function of the squared distance with these derivatives.
    pub fn composed(&self, slope: f64, bend: f64) -> Local {
        self.blocks(slope, bend).expanded(self.normal, &self.weights)
    }

    /// What [`Self::composed`] is made of.
    pub(super) fn blocks(&self, slope: f64, bend: f64) -> Blocks {
        let Self { weights: w, distance: d, across, rates, free, .. } = self;
        let (twice, head) = (2.0 * slope, 4.0 * d * d * bend + 2.0 * slope);
        let mut out = Blocks::ZERO;
        for i in 0..4 {
            for j in 0..=i {
                let both = rates[0][i] * rates[0][j] + rates[1][i] * rates[1][j];
                out.along[i][j] = head * w[i] * w[j] - twice * d * d * both;
            }
            out.mixed[i] = (across[0] * rates[0][i] + across[1] * rates[1][i]) * (-twice * d);
        }
        for e in &across[*free..] {
            out.across += outer(*e, *e) * twice;
        }
        out
    }
}
