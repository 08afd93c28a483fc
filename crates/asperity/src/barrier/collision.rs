//! A collision: two elements nearer than the barrier reaches, with the weight of their potential.

use glam::DVec3;

use super::feet::Feet;
use super::mollifier;
use super::nearest::{Nearest, point_line, point_plane, point_point};
use super::region::{EdgesRegion, edges_feet, edges_nearest};

/// Which elements collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StencilKind {
    /// Two vertices.
    VertexVertex,
    /// A vertex, and the two ends of an edge.
    EdgeVertex,
    /// The ends of an edge, and those of another.
    EdgeEdge,
    /// A vertex, and the corners of a triangle.
    FaceVertex,
    /// A vertex, and a plane that has a number instead of vertices.
    PlaneVertex,
}

impl StencilKind {
    /// How many vertices it has.
    #[inline]
    pub fn count(self) -> usize {
        match self {
            Self::PlaneVertex => 1,
            Self::VertexVertex => 2,
            Self::EdgeVertex => 3,
            Self::EdgeEdge | Self::FaceVertex => 4,
        }
    }
}

/// A half-space that nothing enters: n·x ≥ offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal, outward.
    pub normal: DVec3,
    /// n·x on the plane, m.
    pub offset: f64,
}

impl Plane {
    /// Distance of a point from the plane, negative inside of the half-space, m.
    #[inline]
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// Two elements near to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// Which elements.
    pub kind: StencilKind,
    /// Their vertices; the first one or two are A. Those beyond [`StencilKind::count`] are `u32::MAX`.
    pub vertices: [u32; 4],
    /// The plane, for [`StencilKind::PlaneVertex`].
    pub plane: u32,
    /// Factor of its potential: 1, or an area in m².
    pub weight: f64,
    /// For two edges: which parts of them are nearest, and ε of their mollifier.
    pub edges: Option<Edges>,
}

/// What two edges need beside their vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edges {
    /// Which parts are nearest.
    pub region: EdgesRegion,
    /// ε of the mollifier, m⁴.
    pub eps: f64,
}

impl Collision {
    /// A collision of two or more vertices that are no pair of edges.
    pub fn of_vertices(kind: StencilKind, list: &[u32], weight: f64) -> Self {
        let mut vertices = [u32::MAX; 4];
        vertices[..list.len()].copy_from_slice(list);
        Self { kind, vertices, plane: u32::MAX, weight, edges: None }
    }

    /// A vertex above the plane with this number.
    pub fn above(plane: u32, vertex: u32, weight: f64) -> Self {
        Self { plane, ..Self::of_vertices(StencilKind::PlaneVertex, &[vertex], weight) }
    }

    /// Its vertices.
    #[inline]
    pub fn list(&self) -> &[u32] {
        &self.vertices[..self.kind.count()]
    }

    /// The places of its vertices; zero beyond their number.
    #[inline]
    pub fn points(&self, positions: &[DVec3]) -> [DVec3; 4] {
        self.vertices.map(|vertex| positions.get(vertex as usize).copied().unwrap_or(DVec3::ZERO))
    }

    /// The nearest points of its elements alone: cheaper than [`Self::nearest`].
    #[inline]
    pub fn feet(&self, points: &[DVec3; 4], planes: &[Plane]) -> Feet {
        self.feet_at(|k| points[k], planes)
    }

    /// The same, where point k is `at(k)`.
    #[inline(always)]
    pub(super) fn feet_at(&self, at: impl Fn(usize) -> DVec3, planes: &[Plane]) -> Feet {
        match self.kind {
            StencilKind::VertexVertex => Feet::point_point(at(0), at(1)),
            StencilKind::EdgeVertex => Feet::point_line(at(0), at(1), at(2)),
            StencilKind::FaceVertex => Feet::point_plane(at(0), [at(1), at(2), at(3)]),
            StencilKind::EdgeEdge => match self.region() {
                EdgesRegion { a: None, b: None } => Feet::line_line([at(0), at(1)], [at(2), at(3)]),
                region => edges_feet(&std::array::from_fn(at), region),
            },
            StencilKind::PlaneVertex => {
                let Plane { normal, offset } = planes[self.plane as usize];
                Feet::above(at(0), normal, offset)
            }
        }
    }

    /// Which parts of two edges are nearest: their insides, where nothing else is said.
    #[inline]
    fn region(&self) -> EdgesRegion {
        self.edges.map_or(EdgesRegion { a: None, b: None }, |own| own.region)
    }

    /// The nearest points of its elements, and how they move.
    #[inline]
    pub fn nearest(&self, points: &[DVec3; 4], planes: &[Plane]) -> Nearest {
        let [a, b, c, d] = *points;
        match self.kind {
            StencilKind::VertexVertex => point_point(a, b),
            StencilKind::EdgeVertex => point_line(a, b, c),
            StencilKind::FaceVertex => point_plane(a, [b, c, d]),
            StencilKind::EdgeEdge => edges_nearest(points, self.region()),
            StencilKind::PlaneVertex => above(a, &planes[self.plane as usize]),
        }
    }

    /// Whether the edges are so nearly parallel that the mollifier is below 1.
    #[inline]
    pub fn mollified(&self, points: &[DVec3; 4]) -> Option<f64> {
        self.mollified_at(|k| points[k])
    }

    /// The same, where point k is `at(k)`.
    #[inline(always)]
    pub(super) fn mollified_at(&self, at: impl Fn(usize) -> DVec3) -> Option<f64> {
        let eps = self.edges?.eps;
        (mollifier::cross_square(&std::array::from_fn(at)) < eps).then_some(eps)
    }
}

/// A point above a plane. The nearest point of the plane moves along with it.
fn above(p: DVec3, plane: &Plane) -> Nearest {
    let other = if plane.normal.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
    let first = plane.normal.cross(other).normalize();
    Nearest {
        weights: [1.0, 0.0, 0.0, 0.0],
        normal: plane.normal,
        distance: plane.height(p),
        across: [first, plane.normal.cross(first)],
        rates: [[0.0; 4]; 2],
        free: 2,
    }
}
