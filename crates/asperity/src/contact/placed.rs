//! Bodies as they are at the start of a step.

use std::sync::{Arc, OnceLock};

use glam::{DMat3, DVec3};

use crate::body::surface::{SurfaceSite, Transport};
use crate::body::{AnimatedMesh, Body, BodyState, Elastic, Matter, MeshState, Twist, mean_velocities};
use crate::geometry::{MeshPoint, Pose, Shape, TriangleMesh};
use crate::world::{Model, State};

/// A body as it is at the start of a step, or as it moves at its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlacedBody {
    pub(crate) pose: Pose,
    pub(crate) centre: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) angular_velocity: DVec3,
    /// The vertices, if it deforms. The pose is then the one that is nearest to them.
    pub(crate) mesh: Option<Arc<PlacedMesh>>,
}

/// A mesh that deforms, as it is at the start of a step of length h.
#[derive(Debug)]
pub(crate) struct PlacedMesh {
    rest: TriangleMesh,
    /// Which triangles meet at a vertex; `None` for a mesh whose motion is given, which touches by its triangles.
    elastic: Option<Elastic>,
    positions: Vec<DVec3>,
    /// Mean velocities of the vertices over the step.
    velocities: Vec<DVec3>,
    /// The largest of them.
    fastest: f64,
    time: f64,
    h: f64,
    /// The mesh where it is, in the world, once it has been asked for; `None` if it has lost its form.
    shape: OnceLock<Option<Shape>>,
}

/// How a triangle has been carried from rest to where it is.
struct Carried {
    /// Its unit normal at rest.
    before: DVec3,
    /// Its unit normal now; zero if it has lost its area.
    after: DVec3,
    /// Its deformation gradient; normals go to normals.
    gradient: DMat3,
    /// Its area at rest, m².
    area: f64,
}

/// A shape at a pose.
pub(crate) struct PlacedShape<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) pose: Pose,
}

/// Meshes of one body at the same time and for the same step are the same.
impl PartialEq for PlacedMesh {
    fn eq(&self, other: &Self) -> bool {
        (self.time, self.h) == (other.time, other.h) && self.positions == other.positions
    }
}

impl PlacedMesh {
    /// A mesh whose motion is given.
    pub(crate) fn animated(animated: &AnimatedMesh, at: &MeshState, time: f64, h: f64) -> Self {
        let velocities = if h > 0.0 {
            mean_velocities(&at.positions, &animated.positions(time + h), h)
        } else {
            at.velocities.clone()
        };
        Self::new(animated.mesh().clone(), None, at.positions.clone(), velocities, time, h)
    }

    /// A cloth or a solid with these positions and velocities.
    pub(crate) fn elastic(elastic: &Elastic, at: &MeshState, time: f64, h: f64) -> Self {
        let (positions, velocities) = (at.positions.clone(), at.velocities.clone());
        Self::new(elastic.mesh().clone(), Some(elastic.clone()), positions, velocities, time, h)
    }

    fn new(
        rest: TriangleMesh,
        elastic: Option<Elastic>,
        positions: Vec<DVec3>,
        velocities: Vec<DVec3>,
        time: f64,
        h: f64,
    ) -> Self {
        let fastest = velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
        Self { rest, elastic, positions, velocities, fastest, time, h, shape: OnceLock::new() }
    }

    /// The mesh where it is, in the world.
    fn shape(&self) -> Option<&Shape> {
        let moved = || self.rest.moved(self.positions.clone()).ok().map(Shape::Mesh);
        self.shape.get_or_init(moved).as_ref()
    }

    /// Speed of its fastest vertex.
    pub(crate) fn fastest(&self) -> f64 {
        self.fastest
    }

    /// Where its vertices are.
    pub(crate) fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// The triangles of its surface.
    pub(crate) fn triangles(&self) -> &[[u32; 3]] {
        &self.rest.data().triangles
    }

    /// The point of it nearest to a point of the world; `None` if that is not finite.
    pub(crate) fn nearest(&self, point: DVec3) -> Option<MeshPoint> {
        match self.shape()? {
            Shape::Mesh(surface) => surface.nearest(point),
            _ => None,
        }
    }

    /// Velocity of a point of a triangle.
    pub(crate) fn velocity(&self, triangle: u32, weights: [f64; 3]) -> DVec3 {
        mixed(self.triangle_velocities(triangle), weights)
    }

    /// Velocity of a vertex.
    pub(crate) fn vertex_velocity(&self, vertex: u32) -> DVec3 {
        self.velocities[vertex as usize]
    }

    /// Where the corners of a triangle are.
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles()[triangle as usize].map(|i| self.positions[i as usize])
    }

    /// Whether it is that of a cloth or a solid.
    pub(crate) fn is_elastic(&self) -> bool {
        self.elastic.is_some()
    }

    /// The triangles at a vertex of a cloth or a solid.
    pub(crate) fn triangles_at(&self, vertex: u32) -> &[u32] {
        self.elastic.as_ref().map_or(&[], |elastic| elastic.incidence().of(vertex as usize))
    }

    /// The triangles that have both vertices; of one vertex twice, all triangles at it.
    pub(crate) fn triangles_between(&self, [a, b]: [u32; 2]) -> impl Iterator<Item = u32> {
        let own = self.triangles_at(a).iter().copied();
        own.filter(move |triangle| self.triangles()[*triangle as usize].contains(&b))
    }

    /// Angular velocity of a triangle: its normal n turns with ω × n = ṅ, and in its plane it turns with
    /// n·ω = Σ (v_i + v_{i+1})·(x_{i+1} − x_i) / 4A, which is half the circulation of the velocity over the area.
    pub(crate) fn angular_velocity(&self, triangle: u32) -> DVec3 {
        turning(self.corners(triangle), self.triangle_velocities(triangle))
    }

    fn triangle_velocities(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles()[triangle as usize].map(|i| self.velocities[i as usize])
    }

    /// The place of the surface at a point of a triangle, with an outward normal in the world.
    pub(crate) fn site(&self, triangle: u32, weights: [f64; 3], outward: DVec3) -> SurfaceSite {
        let rest = self.rest.corners(triangle as usize);
        let Carried { before, gradient, after, .. } = self.carried(triangle);
        let side = if outward.dot(after) < 0.0 { -1.0 } else { 1.0 };
        let position = mixed(rest, weights);
        let transport = Transport::Gradient(gradient);
        SurfaceSite { position, midway: position, normal: before * side, outward, transport }
    }

    /// The place of the surface at a vertex: directions are carried by the mean of the deformation gradients of the triangles there, weighted by their
    /// areas at rest.
    pub(crate) fn vertex_site(&self, vertex: u32, outward: DVec3) -> SurfaceSite {
        self.edge_site([vertex; 2], [1.0, 0.0], outward)
    }

    /// The same at a point of an edge, with the triangles that share it.
    pub(crate) fn edge_site(&self, ends: [u32; 2], weights: [f64; 2], outward: DVec3) -> SurfaceSite {
        let (mut normal, mut now, mut gradient, mut total) = (DVec3::ZERO, DVec3::ZERO, DMat3::ZERO, 0.0);
        for triangle in self.triangles_between(ends) {
            let own = self.carried(triangle);
            normal += own.before * own.area;
            now += own.after * own.area;
            gradient += own.gradient * own.area;
            total += own.area;
        }
        let side = if outward.dot(now) < 0.0 { -1.0 } else { 1.0 };
        let [a, b] = ends.map(|vertex| self.rest.data().vertices[vertex as usize]);
        // At a vertex exactly where it is.
        let position = if weights[1] == 0.0 { a } else { a * weights[0] + b * weights[1] };
        let transport = Transport::Gradient(if total > 0.0 { gradient * (1.0 / total) } else { DMat3::IDENTITY });
        let normal = normal.normalize_or(DVec3::Y) * side;
        SurfaceSite { position, midway: position, normal, outward, transport }
    }

    /// How a triangle has been carried from rest.
    fn carried(&self, triangle: u32) -> Carried {
        let axes = |[a, b, c]: [DVec3; 3]| DMat3::from_cols(b - a, c - a, (b - a).cross(c - a).normalize_or_zero());
        let rest = self.rest.corners(triangle as usize);
        let [before, after] = [axes(rest), axes(self.corners(triangle))];
        let area = 0.5 * (rest[1] - rest[0]).cross(rest[2] - rest[0]).length();
        // A mesh at rest has no triangle without an area.
        Carried { before: before.z_axis, after: after.z_axis, gradient: after * before.inverse(), area }
    }
}

/// Angular velocity of a triangle whose corners move like this.
pub(crate) fn turning([a, b, c]: [DVec3; 3], [va, vb, vc]: [DVec3; 3]) -> DVec3 {
    let area = (b - a).cross(c - a);
    let twice = area.length();
    if twice == 0.0 {
        return DVec3::ZERO;
    }
    let normal = area / twice;
    let turning = ((vb - va).cross(c - a) + (b - a).cross(vc - va)) / twice;
    let circulation = (va + vb).dot(b - a) + (vb + vc).dot(c - b) + (vc + va).dot(a - c);
    normal.cross(turning) + normal * (circulation / (2.0 * twice))
}

fn mixed(of: [DVec3; 3], [u, v, w]: [f64; 3]) -> DVec3 {
    of[0] * u + of[1] * v + of[2] * w
}

impl PlacedBody {
    /// What it looks like to others; `None` if a mesh has lost its form.
    #[inline]
    pub(crate) fn shape<'a>(&'a self, body: &'a Body) -> Option<PlacedShape<'a>> {
        match (&self.mesh, body.shape()) {
            // Elastic bodies touch by their vertices and faces, not as shapes.
            (Some(mesh), _) if mesh.elastic.is_some() => None,
            (Some(mesh), _) => Some(PlacedShape { shape: mesh.shape()?, pose: Pose::IDENTITY }),
            (None, Some(shape)) => Some(PlacedShape { shape, pose: self.pose }),
            (None, None) => None,
        }
    }
}

/// Where all bodies are at the start of a step of length h, and how fast. Bodies with a given motion have their mean velocity over the step. `out` may hold
/// the bodies of an earlier call: meshes that are the same are kept.
pub(crate) fn place(model: &Model, state: &State, h: f64, out: &mut Vec<PlacedBody>) {
    out.truncate(model.bodies.len());
    for (i, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
        let old = out.get_mut(i).and_then(|placed| placed.mesh.take());
        let own = placed(body, at, state.time, h, old);
        match out.get_mut(i) {
            Some(place) => *place = own,
            None => out.push(own),
        }
    }
}

fn placed(body: &Body, at: &BodyState, time: f64, h: f64, old: Option<Arc<PlacedMesh>>) -> PlacedBody {
    let frame = at.frame();
    let Twist { velocity, angular_velocity } = match body.script() {
        _ if body.is_static() => Twist::default(),
        Some(script) if h > 0.0 => script.velocity(time, h),
        _ => Twist { velocity: frame.velocity, angular_velocity: frame.angular_velocity },
    };
    let mesh = at.mesh().and_then(|at| match &body.matter {
        Matter::Rigid(_) => None,
        // Its vertices are a function of time: the same time and step have the same mesh.
        Matter::Animated(animated) => old
            .filter(|old| (old.time, old.h) == (time, h))
            .or_else(|| Some(Arc::new(PlacedMesh::animated(animated, at, time, h)))),
        Matter::Elastic(elastic) => Some(Arc::new(PlacedMesh::elastic(elastic, at, time, h))),
    });
    PlacedBody { pose: frame.pose(body), centre: frame.centre, velocity, angular_velocity, mesh }
}
