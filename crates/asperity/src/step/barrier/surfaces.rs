//! The surfaces of all bodies as one mesh: cloth, the boundaries of solids, the skins of shapes, moving meshes; and planes.
//!
//! A rigid body is seen through the triangles of its skin, with the corners of a crease welded; a half-space is an exact plane that
//! vertices are kept above. Two elements of one rigid body never collide, nor do two of bodies that are both given.

use glam::DVec3;

use super::iterate::{BodyAt, Iterate};
use super::outline::{faces, outline};
use crate::barrier::{Barrier, BarrierPotential, Collision, CollisionMesh, Plane, StencilKind};
use crate::geometry::Shape;
use crate::geometry::proximity::PairKind;
use crate::geometry::surface::{Candidate, SurfaceParts, SurfaceSet};
use crate::step::implicit::{FreeStep, Freedom};
use crate::world::Model;

/// Angle between the triangles of an edge below which it is flat.
const FLAT_EDGE: f64 = 1e-6;

/// How a vertex moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Coordinates {
    /// Its motion is given.
    Given,
    /// A free vertex: the first of its three degrees of freedom.
    Free(usize),
    /// A point of a rigid body: the first of its six.
    Rigid(usize),
}

/// A vertex of the set.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceVertex {
    /// Number of its body.
    pub(super) body: u32,
    /// Its number in the mesh of a body that deforms.
    pub(super) index: u32,
    /// Where it is on a rigid body, from the centre of mass.
    pub(super) rest: DVec3,
    pub(super) moves: Coordinates,
}

/// A half-space.
#[derive(Clone, Copy, Debug)]
struct PlaneBody {
    body: u32,
    normal: DVec3,
}

/// A triangle of the mesh.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    corners: [u32; 3],
    number: u32,
}

/// Everything that can be touched.
pub(super) struct Surfaces {
    pub(super) set: SurfaceSet,
    pub(super) mesh: CollisionMesh,
    pub(super) vertices: Vec<SurfaceVertex>,
    /// First triangle of each body in the mesh.
    pub(super) first_triangle: Vec<u32>,
    planes: Vec<PlaneBody>,
    /// Triangles by their corners, sorted.
    numbers: Vec<Numbered>,
    /// Vertices that can move, with offsets.
    pub(super) mobile: Vec<u32>,
    pub(super) offsets: Vec<f64>,
    /// Whether a body keeps its form.
    pub(super) rigid: Vec<bool>,
    /// Whether an edge lies in a flat face of a rigid body.
    flat: Vec<bool>,
    /// The flat face that each triangle is part of: the number of its first triangle.
    pub(super) face: Vec<u32>,
    pub(super) potential: BarrierPotential,
    /// Factor of the barrier where it is not adapted.
    pub(super) fixed_stiffness: f64,
}

impl Surfaces {
    /// Of a model whose degrees of freedom are numbered, with a barrier of this range and stiffness.
    pub(super) fn new(model: &Model, free: &FreeStep, dhat: f64, stiffness: f64) -> Self {
        let mut own = Self {
            set: SurfaceSet::new(&[]),
            mesh: CollisionMesh::default(),
            vertices: Vec::new(),
            first_triangle: Vec::new(),
            planes: Vec::new(),
            numbers: Vec::new(),
            mobile: Vec::new(),
            offsets: model.bodies.iter().map(|body| body.elastic().map_or(0.0, |own| own.offset())).collect(),
            rigid: model.bodies.iter().map(|body| body.mesh().is_none()).collect(),
            flat: Vec::new(),
            face: Vec::new(),
            potential: BarrierPotential { barrier: Barrier::ClampedLog, dhat, dmin: 0.0, stiffness },
            fixed_stiffness: stiffness,
        };
        let (mut parts, mut triangles) = (Vec::new(), Vec::new());
        for (number, body) in model.bodies.iter().enumerate() {
            own.first_triangle.push(triangles.len() as u32);
            if let Some(Shape::HalfSpace(half)) = body.shape() {
                own.planes.push(PlaneBody { body: number as u32, normal: half.normal });
                continue;
            }
            let first = own.vertices.len() as u32;
            let (rest, corners) = outline(body);
            let freedom = free.freedom(number);
            let moves = |index: usize| match freedom {
                Freedom::Given => Coordinates::Given,
                Freedom::Rigid(dof) => Coordinates::Rigid(dof),
                Freedom::Vertices(list) => {
                    list[index].map_or(Coordinates::Given, |dof| Coordinates::Free(dof as usize))
                }
            };
            let body = number as u32;
            let vertex = |(index, rest): (usize, &DVec3)| SurfaceVertex {
                body,
                index: index as u32,
                rest: *rest,
                moves: moves(index),
            };
            own.vertices.extend(rest.iter().enumerate().map(vertex));
            triangles.extend(corners.iter().map(|list: &[u32; 3]| list.map(|corner| corner + first)));
            let held = own.vertices[first as usize..].iter().map(|own| own.moves == Coordinates::Given).collect();
            parts.push(SurfaceParts { rest, triangles: corners, offset: 0.0, held, rigid: own.rigid[number] });
        }
        own.set = SurfaceSet::new(&parts);
        let rest = own.vertices.iter().map(|own| own.rest).collect();
        // Triangles of bodies name their own vertices: the mesh is one.
        own.mesh = CollisionMesh::of_triangles(rest, triangles).unwrap_or_default();
        let numbered = |(number, corners): (usize, &[u32; 3])| Numbered { corners: *corners, number: number as u32 };
        own.numbers = own.mesh.faces().iter().enumerate().map(numbered).collect();
        own.numbers.sort_by_key(|own| own.corners);
        own.flat = (0..own.mesh.edges().len() as u32).map(|edge| own.is_flat_edge(edge)).collect();
        own.face = faces(&own.mesh, &own.flat);
        let mut on_surface = vec![false; own.vertices.len()];
        own.mesh.faces().iter().flatten().for_each(|corner| on_surface[*corner as usize] = true);
        let moves = |i: &usize| on_surface[*i] && own.vertices[*i].moves != Coordinates::Given;
        own.mobile = (0..own.vertices.len()).filter(moves).map(|i| i as u32).collect();
        own
    }

    /// Whether the two triangles of an edge of a rigid body lie in one plane.
    fn is_flat_edge(&self, edge: u32) -> bool {
        let [a, b] = self.mesh.edges()[edge as usize];
        let [p, q] = [a, b].map(|i| self.vertices[i as usize].rest);
        let normal = |corner: &u32| (q - p).cross(self.vertices[*corner as usize].rest - p).normalize_or_zero();
        match self.mesh.opposite(edge) {
            [c, d] if self.rigid[self.body(a) as usize] => (normal(c) + normal(d)).length() < FLAT_EDGE,
            _ => false,
        }
    }

    /// Where all vertices are.
    pub(super) fn positions(&self, at: &Iterate) -> Vec<DVec3> {
        let place = |own: &SurfaceVertex| match &at.bodies[own.body as usize] {
            BodyAt::Mesh(positions) => positions[own.index as usize],
            BodyAt::Rigid { centre, rotation } => *centre + *rotation * own.rest,
        };
        self.vertices.iter().map(place).collect()
    }

    /// The planes.
    pub(super) fn planes(&self, at: &Iterate) -> Vec<Plane> {
        let place = |own: &PlaneBody| match &at.bodies[own.body as usize] {
            BodyAt::Rigid { centre, rotation } => {
                let normal = *rotation * own.normal;
                Plane { normal, offset: normal.dot(*centre) }
            }
            BodyAt::Mesh(_) => Plane { normal: own.normal, offset: f64::NEG_INFINITY },
        };
        self.planes.iter().map(place).collect()
    }

    /// The body of a plane.
    pub(super) fn plane_body(&self, plane: u32) -> u32 {
        self.planes[plane as usize].body
    }

    /// The least distance of two bodies, m.
    pub(super) fn least(&self, a: u32, b: u32) -> f64 {
        self.offsets[a as usize] + self.offsets[b as usize]
    }

    pub(super) fn body(&self, vertex: u32) -> u32 {
        self.vertices[vertex as usize].body
    }

    /// The least distance of the elements of a candidate; `None` for those of one rigid body.
    pub(super) fn least_of(&self, candidate: &Candidate) -> Option<f64> {
        let [a, b] = [candidate.vertices[0], candidate.vertices[candidate.kind.first_of_b()]].map(|i| self.body(i));
        let apart = a != b || !self.rigid[a as usize];
        apart.then(|| self.least(a, b))
    }

    /// Whether an edge or the vertex of a candidate lies in a flat face of a rigid body. What touches there touches the face, or is touched by a
    /// corner or a sharp edge: how a flat face is cut into triangles must not matter.
    pub(super) fn is_flat(&self, candidate: &Candidate) -> bool {
        let [a, b, c, d] = candidate.vertices;
        match candidate.kind {
            PairKind::EdgeEdge => self.in_flat_face(a, b) || self.in_flat_face(c, d),
            PairKind::VertexTriangle => self.is_flat_vertex(a),
        }
    }

    /// Whether an edge lies in a flat face of a rigid body.
    pub(super) fn in_flat_face(&self, a: u32, b: u32) -> bool {
        self.mesh.edge(a, b).is_some_and(|edge| self.flat[edge as usize])
    }

    /// Whether a vertex lies inside a flat face of a rigid body.
    pub(super) fn is_flat_vertex(&self, vertex: u32) -> bool {
        let around = self.mesh.incident(vertex);
        !around.is_empty() && around.iter().all(|own| self.flat[own.edge as usize])
    }

    /// The potential of a collision: that of its bodies' offsets.
    pub(super) fn potential_of(&self, collision: &Collision) -> BarrierPotential {
        let a = self.body(collision.vertices[0]);
        let b = match collision.kind {
            StencilKind::PlaneVertex => self.plane_body(collision.plane),
            StencilKind::EdgeEdge => self.body(collision.vertices[2]),
            _ => self.body(collision.vertices[1]),
        };
        BarrierPotential { dmin: self.least(a, b), ..self.potential }
    }

    pub(super) fn largest_offset(&self) -> f64 {
        2.0 * self.offsets.iter().copied().fold(0.0, f64::max)
    }

    /// Number of a triangle in its body, by its corners in the mesh.
    pub(super) fn triangle(&self, body: u32, corners: [u32; 3]) -> u32 {
        let known = self.numbers.binary_search_by_key(&corners, |own| own.corners);
        known.map_or(0, |i| self.numbers[i].number - self.first_triangle[body as usize])
    }
}
