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

use glam::{DMat3, DVec3};

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
    let way = a - b;
    let distance = way.length();
    let normal = way.normalize_or(DVec3::Z);
    Nearest {
        weights: [1.0, -1.0, 0.0, 0.0],
        normal,
        distance,
        across: tangents(normal),
        rates: [[0.0; 4]; 2],
        free: 0,
    }
}

/// A point, and the line through two others.
pub fn point_line(p: DVec3, a: DVec3, b: DVec3) -> Nearest {
    let edge = b - a;
    let length = edge.length();
    let along = edge / length;
    let from_a = p - a;
    let t = from_a.dot(along) / length;
    let foot = from_a - along * from_a.dot(along);
    // Once more: what is left of the component along the line after rounding.
    let way = foot - along * foot.dot(along);
    let distance = way.length();
    let normal = way.normalize_or(tangents(along)[0]);
    let rate = 1.0 / length;
    // The way shrinks along the line as the foot moves on: ∂r/∂t = −edge.
    Nearest {
        weights: [1.0, t - 1.0, -t, 0.0],
        normal,
        distance,
        across: [-along, along.cross(normal)],
        rates: [[0.0, rate, -rate, 0.0], [0.0; 4]],
        free: 1,
    }
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
pub fn point_plane(p: DVec3, [a, b, c]: [DVec3; 3]) -> Nearest {
    let (e1, e2, r) = (b - a, c - a, p - a);
    let normal = e1.cross(e2);
    let square = normal.length_squared();
    let [wb, wc] = [normal.dot(r.cross(e2)) / square, normal.dot(e1.cross(r)) / square];
    let rates = [[0.0, 1.0, -1.0, 0.0], [0.0, 1.0, 0.0, -1.0]];
    planar([1.0, wb + wc - 1.0, -wb, -wc], r, Plane { ways: [-e1, -e2], rates })
}

/// The lines through two pairs of points, which are not parallel.
pub fn line_line([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Nearest {
    let (d1, d2, r) = (b - a, d - c, a - c);
    let cross = d1.cross(d2);
    let square = cross.length_squared();
    // r + s d1 − t d2 is along the cross product.
    let (s, t) = (cross.dot(d2.cross(r)) / square, cross.dot(d1.cross(r)) / square);
    let rates = [[-1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0]];
    planar([1.0 - s, s, t - 1.0, -t], r, Plane { ways: [d1, -d2], rates })
}

impl Nearest {
    /// The same with its points at other places of a list of four: point k of this is point `at[k]` of that.
    pub(super) fn placed(&self, at: &[usize]) -> Self {
        let spread = |own: &[f64; 4]| {
            let mut out = [0.0; 4];
            at.iter().zip(own).for_each(|(to, from)| out[*to] = *from);
            out
        };
        Self { weights: spread(&self.weights), rates: self.rates.map(|own| spread(&own)), ..*self }
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
        let Self { weights: w, normal: n, distance: d, across, rates, free } = self;
        let (twice, head) = (2.0 * slope, 4.0 * d * d * bend + 2.0 * slope);
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        let normals = outer(*n, *n);
        let mixed = across.map(|e| outer(e, *n));
        let fixed = (*free..2).map(|k| outer(across[k], across[k])).fold(DMat3::ZERO, |sum, own| sum + own);
        Local::symmetric(|i, j| {
            let mut along = head * w[i] * w[j];
            let mut block = fixed * (twice * w[i] * w[j]);
            for k in 0..*free {
                let u = &rates[k];
                along -= twice * d * d * u[i] * u[j];
                block -= mixed[k] * (twice * d * w[i] * u[j]) + mixed[k].transpose() * (twice * d * u[i] * w[j]);
            }
            block + normals * along
        })
    }
}
