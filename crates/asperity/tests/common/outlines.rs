//! The surfaces of all bodies of a world, rigid ones too, as the barrier stepper sees them: to be asked by exact predicates whether they
//! cross, and by all pairs of their elements how far they are apart. It shares nothing with the detection of contacts.

use asperity::body::{Body, BodyState};
use asperity::geometry::Shape;
use asperity::geometry::proximity::{edge_edge, vertex_triangle};
use asperity::geometry::surface::{Crossing, Crossings};
use asperity::world::{Model, State};
use glam::DVec3;

/// Triangles of all bodies but half-spaces, and the body of each vertex.
pub(crate) struct Outlines {
    triangles: Vec<[u32; 3]>,
    /// Body of each vertex.
    body: Vec<usize>,
    /// Vertices of the skins of rigid bodies, in their own frames; none for bodies that deform.
    skins: Vec<Vec<DVec3>>,
    crossings: Crossings,
}

/// Vertices and triangles of a shape in its own frame, round ones as the stepper sees them: 48 segments. Empty for a half-space.
fn skin(body: &Body) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    match body.shape() {
        None | Some(Shape::HalfSpace(_)) => (Vec::new(), Vec::new()),
        Some(shape) => {
            let skin = shape.skin(if matches!(shape, Shape::Box(_)) { 8 } else { 48 });
            (skin.positions, skin.triangles)
        }
    }
}

/// Vertices and triangles of a body where it is now.
fn outline(model: &Model, state: &State, number: usize) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (body, at) = (&model.bodies[number], &state.bodies[number]);
    if let (Some(mesh), Some(at)) = (body.mesh(), at.mesh()) {
        return (at.positions.clone(), mesh.data().triangles.clone());
    }
    let (positions, triangles) = skin(body);
    let pose = at.frame().pose(body);
    (positions.iter().map(|p| pose.apply(*p)).collect(), triangles)
}

impl Outlines {
    pub(crate) fn new(model: &Model, state: &State) -> Self {
        let (mut triangles, mut body) = (Vec::new(), Vec::new());
        for number in 0..model.bodies.len() {
            let (positions, own) = outline(model, state, number);
            let first = body.len() as u32;
            triangles.extend(own.iter().map(|corners| corners.map(|i| i + first)));
            body.resize(body.len() + positions.len(), number);
        }
        let own = |(body, at): (&Body, &BodyState)| if at.mesh().is_some() { Vec::new() } else { skin(body).0 };
        let skins = model.bodies.iter().zip(&state.bodies).map(own).collect();
        Self { crossings: Crossings::new(&triangles), triangles, body, skins }
    }

    fn positions(&self, model: &Model, state: &State) -> Vec<DVec3> {
        let mut positions = Vec::with_capacity(self.body.len());
        for ((body, at), skin) in model.bodies.iter().zip(&state.bodies).zip(&self.skins) {
            let pose = at.frame().pose(body);
            positions.extend(at.mesh().into_iter().flat_map(|mesh| &mesh.positions));
            positions.extend(skin.iter().map(|p| pose.apply(*p)));
        }
        positions
    }

    /// Edges that cross triangles, but for those of one rigid body and of two that are both given.
    pub(crate) fn crossings(&self, model: &Model, state: &State) -> Vec<Crossing> {
        let counts = |own: &Crossing| {
            let [a, b] =
                [own.edge[0], self.triangles[own.triangle as usize][0]].map(|vertex| self.body[vertex as usize]);
            let moves = [a, b].iter().any(|body| model.bodies[*body].is_dynamic());
            moves && (a != b || model.bodies[a].mesh().is_some())
        };
        self.crossings.find(&self.positions(model, state), usize::MAX).into_iter().filter(counts).collect()
    }

    /// Least y of a vertex of a body that moves.
    #[allow(dead_code, reason = "not every test asks for it")]
    pub(crate) fn lowest(&self, model: &Model, state: &State) -> f64 {
        let at = self.positions(model, state);
        let moving = at.iter().zip(&self.body).filter(|(_, body)| model.bodies[**body].is_dynamic());
        moving.map(|(x, _)| x.y).fold(f64::INFINITY, f64::min)
    }

    /// Least height of a vertex of a body that moves above a half-space; infinite where there is none.
    #[allow(dead_code, reason = "not every test asks for it")]
    pub(crate) fn least_height(&self, model: &Model, state: &State) -> f64 {
        let mut least = f64::INFINITY;
        let positions = self.positions(model, state);
        for (ground, at) in model.bodies.iter().zip(&state.bodies) {
            let Some(Shape::HalfSpace(plane)) = ground.shape() else { continue };
            let pose = at.frame().pose(ground);
            let normal = pose.apply(plane.normal) - pose.apply(DVec3::ZERO);
            let moving = positions.iter().zip(&self.body).filter(|(_, body)| model.bodies[**body].is_dynamic());
            let heights = moving.map(|(x, _)| normal.dot(*x - pose.apply(DVec3::ZERO)));
            least = heights.fold(least, f64::min);
        }
        least
    }
}

/// The distance of two bodies that are not half-spaces: the least of all pairs of a vertex and a triangle, and of two edges.
#[allow(dead_code, reason = "not every test asks for it")]
pub(crate) fn distance(model: &Model, state: &State, a: usize, b: usize) -> f64 {
    let [one, other] = [a, b].map(|number| outline(model, state, number));
    let edges = |triangles: &[[u32; 3]]| -> Vec<[usize; 2]> {
        let sides = triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        sides.filter(|[a, b]| a < b).map(|ends| ends.map(|i| i as usize)).collect()
    };
    let mut least = f64::INFINITY;
    for ((points, _), (corners, triangles)) in [(&one, &other), (&other, &one)] {
        for x in points {
            for [a, b, c] in triangles.iter().map(|t| t.map(|i| corners[i as usize])) {
                least = least.min(vertex_triangle(&[*x, a, b, c]).distance());
            }
        }
    }
    for [a, b] in edges(&one.1) {
        for [c, d] in edges(&other.1) {
            least = least.min(edge_edge(&[one.0[a], one.0[b], other.0[c], other.0[d]]).distance());
        }
    }
    least
}
