//! Lagged contacts: where two elements touch, in which plane they slide, and how hard they are pressed, held fixed for a while.
//!
//! The slip of a collision is τ = Bᵀ Σ w_i v_i with the weights w of the nearest points and a basis B of the plane across the normal. The
//! bases are those of the IPC Toolkit:
//!
//! | elements | first axis | second axis |
//! | --- | --- | --- |
//! | two vertices, p = b − a | the longer of x × p, y × p | p × first |
//! | vertex p and edge | along the edge | edge × (p − its first end) |
//! | two edges | along the first | (first × second) × first |
//! | vertex and triangle | along its first side | normal × side |
//! | vertex and plane | any | normal × first |

use glam::{DVec2, DVec3};

use super::collision::{Collision, Plane, StencilKind};
use super::mollifier;
use super::potential::BarrierPotential;

/// A collision as friction sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lagged {
    /// Which elements.
    pub kind: StencilKind,
    /// Their vertices; `u32::MAX` beyond their number.
    pub vertices: [u32; 4],
    /// Signed weights of the nearest points.
    pub weights: [f64; 4],
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// Two orthonormal directions across the normal.
    pub basis: [DVec3; 2],
    /// Normal force without the weight of the collision, N or N/m².
    pub force: f64,
    /// Weight of the collision.
    pub weight: f64,
}

/// Whether edges that are nearly parallel, and whose barrier is mollified, rub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParallelEdges {
    /// They do not, as in the IPC Toolkit. What they carry is then without friction.
    Smooth,
    /// They do, with the force that the mollified barrier has along the way between the nearest points.
    Rub,
}

impl Lagged {
    /// Of a collision; `None` for edges that are nearly parallel and are not to rub.
    pub fn new(
        collision: &Collision,
        points: &[DVec3; 4],
        planes: &[Plane],
        potential: &BarrierPotential,
        parallel: ParallelEdges,
    ) -> Option<Self> {
        let nearest = collision.nearest(points, planes);
        let molly = match collision.mollified(points) {
            None => 1.0,
            Some(_) if parallel == ParallelEdges::Smooth => return None,
            Some(eps) => mollifier::value(points, eps),
        };
        let basis = match collision.mollified(points) {
            Some(_) => around(nearest.normal),
            None => basis(collision.kind, *points, nearest.normal),
        };
        let force = molly * potential.force(nearest.distance);
        let Collision { kind, vertices, weight, .. } = *collision;
        Some(Self { kind, vertices, weights: nearest.weights, normal: nearest.normal, basis, force, weight })
    }

    /// Normal force, N.
    #[inline]
    pub fn load(&self) -> f64 {
        self.force * self.weight
    }

    /// Its vertices.
    #[inline]
    pub fn list(&self) -> &[u32] {
        &self.vertices[..self.kind.count()]
    }

    /// Σ w_i v_i: velocity of A's point relative to B's.
    #[inline]
    pub fn blend(&self, of: impl Fn(u32) -> DVec3) -> DVec3 {
        self.list().iter().zip(self.weights).map(|(vertex, weight)| of(*vertex) * weight).sum()
    }

    /// A vector in the plane of the basis.
    #[inline]
    pub fn plane(&self, v: DVec3) -> DVec2 {
        DVec2::new(self.basis[0].dot(v), self.basis[1].dot(v))
    }

    /// A vector of the plane in the world.
    #[inline]
    pub fn world(&self, v: DVec2) -> DVec3 {
        self.basis[0] * v.x + self.basis[1] * v.y
    }

    /// Parameters of the nearest point: along an edge, in a triangle, along both edges.
    pub fn parameters(&self) -> [f64; 2] {
        let w = &self.weights;
        match self.kind {
            StencilKind::VertexVertex | StencilKind::PlaneVertex => [0.0; 2],
            StencilKind::EdgeVertex => [-w[2], 0.0],
            StencilKind::EdgeEdge => [w[1], -w[3]],
            StencilKind::FaceVertex => [-w[2], -w[3]],
        }
    }

    /// A coefficient given at vertices, interpolated on both sides: A's, then B's. A plane has no vertices: it is as rough as what touches it.
    pub fn sides(&self, at: &[f64]) -> [f64; 2] {
        let mut sides = [0.0; 2];
        for (k, (vertex, weight)) in self.list().iter().zip(self.weights).enumerate() {
            let of_b = match self.kind {
                StencilKind::EdgeEdge => k >= 2,
                _ => k >= 1,
            };
            sides[usize::from(of_b)] += weight.abs() * at[*vertex as usize];
        }
        if self.kind == StencilKind::PlaneVertex { [sides[0]; 2] } else { sides }
    }
}

/// What bases are made of: a vector, or one that knows its change as well ([`super::jacobian`]).
pub(super) trait Arrow: Copy {
    /// A vector that does not change.
    fn fixed(at: DVec3) -> Self;
    /// The vector itself.
    fn at(self) -> DVec3;
    fn minus(self, other: Self) -> Self;
    fn cross(self, other: Self) -> Self;
    /// The unit vector; another where it has no length.
    fn unit_or(self, other: Self) -> Self;
}

impl Arrow for DVec3 {
    fn fixed(at: DVec3) -> Self {
        at
    }

    fn at(self) -> DVec3 {
        self
    }

    fn minus(self, other: Self) -> Self {
        self - other
    }

    fn cross(self, other: Self) -> Self {
        DVec3::cross(self, other)
    }

    fn unit_or(self, other: Self) -> Self {
        self.normalize_or(other)
    }
}

/// A basis of the plane across a unit vector.
fn around<V: Arrow>(normal: V) -> [V; 2] {
    let [on_x, on_y] = [DVec3::X, DVec3::Y].map(|axis| V::fixed(axis).cross(normal));
    let longer = if on_x.at().length_squared() > on_y.at().length_squared() { on_x } else { on_y };
    let first = longer.unit_or(on_x);
    [first, normal.cross(first)]
}

/// The basis of a collision, by the table above.
pub(super) fn basis<V: Arrow>(kind: StencilKind, [a, b, c, d]: [V; 4], normal: DVec3) -> [V; 2] {
    let (first, second) = match kind {
        // The way goes from the first vertex to the second, against the normal.
        StencilKind::VertexVertex => return around(b.minus(a).unit_or(V::fixed(-normal))),
        StencilKind::PlaneVertex => return around(V::fixed(normal)),
        StencilKind::EdgeVertex => (c.minus(b), c.minus(b).cross(a.minus(b))),
        StencilKind::EdgeEdge => {
            let first = b.minus(a);
            (first, first.cross(d.minus(c)).cross(first))
        }
        StencilKind::FaceVertex => {
            let side = c.minus(b);
            (side, side.cross(d.minus(b)).cross(side))
        }
    };
    let first = first.unit_or(V::fixed(DVec3::X));
    [first, second.unit_or(V::fixed(normal).cross(first))]
}
