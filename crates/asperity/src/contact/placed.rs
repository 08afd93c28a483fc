//! Bodies as they are at the start of a step.

use std::sync::Arc;

use glam::{DMat3, DVec3};

use crate::body::surface::{SurfaceSite, Transport};
use crate::body::{AnimatedMesh, Body, BodyState, MeshState, Twist, mean_velocities};
use crate::geometry::{MeshPoint, Pose, Shape, ShapeError, TriangleMesh};
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
    /// The mesh where it is, in the world.
    shape: Shape,
    surface: TriangleMesh,
    rest: TriangleMesh,
    /// Mean velocities of the vertices over the step.
    velocities: Vec<DVec3>,
    /// The largest of them.
    fastest: f64,
    time: f64,
    h: f64,
}

/// A shape at a pose.
pub(crate) struct PlacedShape<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) pose: Pose,
}

/// Meshes of one body at the same time and for the same step are the same.
impl PartialEq for PlacedMesh {
    fn eq(&self, other: &Self) -> bool {
        (self.time, self.h) == (other.time, other.h) && self.surface == other.surface
    }
}

impl PlacedMesh {
    fn new(animated: &AnimatedMesh, at: &MeshState, time: f64, h: f64) -> Result<Self, ShapeError> {
        let surface = animated.mesh().moved(at.positions.clone())?;
        let velocities = if h > 0.0 {
            mean_velocities(&at.positions, &animated.positions(time + h), h)
        } else {
            at.velocities.clone()
        };
        let fastest = velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
        let (shape, rest) = (Shape::Mesh(surface.clone()), animated.mesh().clone());
        Ok(Self { shape, surface, rest, velocities, fastest, time, h })
    }

    /// Speed of its fastest vertex.
    pub(crate) fn fastest(&self) -> f64 {
        self.fastest
    }

    /// The point of it nearest to a point of the world; `None` if that is not finite.
    pub(crate) fn nearest(&self, point: DVec3) -> Option<MeshPoint> {
        self.surface.nearest(point)
    }

    /// Velocity of a point of a triangle.
    pub(crate) fn velocity(&self, triangle: u32, weights: [f64; 3]) -> DVec3 {
        mixed(self.triangle_velocities(triangle), weights)
    }

    /// Angular velocity of a triangle: its normal n turns with ω × n = ṅ, and in its plane it turns with
    /// n·ω = Σ (v_i + v_{i+1})·(x_{i+1} − x_i) / 4A, which is half the circulation of the velocity over the area.
    pub(crate) fn angular_velocity(&self, triangle: u32) -> DVec3 {
        let ([a, b, c], [va, vb, vc]) = (self.surface.corners(triangle as usize), self.triangle_velocities(triangle));
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

    fn triangle_velocities(&self, triangle: u32) -> [DVec3; 3] {
        self.surface.data().triangles[triangle as usize].map(|i| self.velocities[i as usize])
    }

    /// The place of the surface at a point of a triangle, with an outward normal in the world.
    pub(crate) fn site(&self, triangle: u32, weights: [f64; 3], outward: DVec3) -> SurfaceSite {
        let [rest, now] = [&self.rest, &self.surface].map(|mesh| mesh.corners(triangle as usize));
        let axes = |[a, b, c]: [DVec3; 3]| DMat3::from_cols(b - a, c - a, (b - a).cross(c - a).normalize_or_zero());
        let [before, after] = [axes(rest), axes(now)];
        // A mesh at rest has no triangle without an area.
        let gradient = after * before.inverse();
        let side = if outward.dot(after.z_axis) < 0.0 { -1.0 } else { 1.0 };
        let position = mixed(rest, weights);
        SurfaceSite {
            position,
            midway: position,
            normal: before.z_axis * side,
            outward,
            transport: Transport::Gradient(gradient),
        }
    }
}

fn mixed(of: [DVec3; 3], [u, v, w]: [f64; 3]) -> DVec3 {
    of[0] * u + of[1] * v + of[2] * w
}

impl PlacedBody {
    /// What it looks like to others; `None` if a mesh has lost its form.
    #[inline]
    pub(crate) fn shape<'a>(&'a self, body: &'a Body) -> Option<PlacedShape<'a>> {
        match (&self.mesh, body.shape()) {
            (Some(mesh), _) => Some(PlacedShape { shape: &mesh.shape, pose: Pose::IDENTITY }),
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
    let mesh = body.animated().zip(at.mesh()).and_then(|(animated, at)| {
        // Its vertices are a function of time: the same time and step have the same mesh.
        old.filter(|old| (old.time, old.h) == (time, h))
            .or_else(|| PlacedMesh::new(animated, at, time, h).ok().map(Arc::new))
    });
    PlacedBody { pose: frame.pose(body), centre: frame.centre, velocity, angular_velocity, mesh }
}
