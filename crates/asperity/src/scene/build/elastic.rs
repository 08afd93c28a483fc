//! Cloth and solids from the tables of a scene.

use std::sync::Arc;

use glam::DVec3;

use super::motion::script;
use crate::body::{BodyState, Damping, Elastic, ElasticKind, ElasticParts, Pins, REST_NAMES};
use crate::elastic::{
    Bending, ElasticError, Elasticity, Lame, Membrane, RestAngles, SOLID_ENERGIES, SolidEnergy,
    masses_of_quadratic_tets, masses_of_tets, masses_of_triangles,
};
use crate::expression::Expression;
use crate::geometry::volume::TetMesh;
use crate::geometry::{MeshData, Pose, Shape, TriangleMesh};
use crate::table::{Fault, Node, View, whole};

/// An elastic body: its form at rest, and what it is made of but for its pins.
pub(super) struct Stuff {
    kind: ElasticKind,
    pub(super) mesh: TriangleMesh,
    masses: Vec<f64>,
    elasticity: Elasticity,
    damping: Damping,
    thickness: f64,
}

/// Reads the `matter` of a body with a shape; `density` is that of a solid.
pub(super) fn matter(view: &View, shape: &Shape, density: f64) -> Result<Stuff, Fault> {
    match view.text("kind") {
        Some("cloth") => cloth(view, shape),
        _ => solid(view, shape, density),
    }
}

fn damping(view: &View) -> Damping {
    let number = |key: &str| view.number(key).unwrap_or(0.0);
    Damping { mass: number("damping"), stiffness: number("stiffness_damping") }
}

fn cloth(view: &View, shape: &Shape) -> Result<Stuff, Fault> {
    let Shape::Mesh(mesh) = shape else {
        return Err(view.own_fault(format!("a cloth needs a mesh, such as a `grid`, and this is a {}", shape.name())));
    };
    let failed = |error: ElasticError| view.own_fault(error);
    let data = mesh.data();
    let number = |key: &str| view.number(key);
    let poisson = number("poisson").unwrap_or(0.3);
    let membrane = match (number("stretch"), number("warp"), number("weft"), number("shear")) {
        (Some(stretch), None, None, None) => Membrane::isotropic(stretch, poisson, 1.0),
        (None, Some(warp), Some(weft), Some(shear)) => Membrane::woven(warp, weft, shear, poisson),
        _ => return Err(view.own_fault("expected `stretch`, or all of `warp`, `weft` and `shear`")),
    };
    let membrane = membrane.map_err(failed)?;
    let mut elasticity = Elasticity::new(data.vertices.len());
    elasticity.add_membrane(&data.vertices, &data.uvs, &data.triangles, membrane).map_err(failed)?;
    if let Some(bending) = number("bending").filter(|bending| *bending > 0.0) {
        let bending = Bending::isotropic(bending, RestAngles::Shape).map_err(failed)?;
        elasticity.add_bending(&data.vertices, &data.uvs, &data.triangles, bending).map_err(failed)?;
    }
    let density = number("area_density").unwrap_or(0.2);
    let masses = masses_of_triangles(&data.vertices, &data.triangles, density).map_err(failed)?;
    let thickness = number("thickness").unwrap_or(0.0);
    Ok(Stuff { kind: ElasticKind::Cloth, mesh: mesh.clone(), masses, elasticity, damping: damping(view), thickness })
}

fn solid(view: &View, shape: &Shape, density: f64) -> Result<Stuff, Fault> {
    let failed = |error: ElasticError| view.own_fault(error);
    let lame = Lame::from_young(view.number("young").unwrap_or(1e5), view.number("poisson").unwrap_or(0.4));
    let lame = lame.map_err(failed)?;
    let energy = view.text("energy").and_then(SolidEnergy::named).unwrap_or(SOLID_ENERGIES[0].energy);
    let corners = tetrahedra(view, shape)?;
    let (vertices, triangles, masses, elasticity);
    if view.whole("order") == Some(2) {
        let mesh = corners.quadratic();
        let mut own = Elasticity::new(mesh.vertices.len());
        own.add_quadratic_solid(&mesh.vertices, &mesh.tets, energy, lame).map_err(failed)?;
        masses = masses_of_quadratic_tets(&mesh.vertices, &mesh.tets, density).map_err(failed)?;
        triangles = mesh.boundary_triangles().map_err(|error| view.own_fault(error))?;
        (vertices, elasticity) = (mesh.vertices, own);
    } else {
        let mut own = Elasticity::new(corners.vertices.len());
        own.add_solid(&corners.vertices, &corners.tets, energy, lame).map_err(failed)?;
        masses = masses_of_tets(&corners.vertices, &corners.tets, density).map_err(failed)?;
        triangles = corners.boundary().map_err(|error| view.own_fault(error))?;
        (vertices, elasticity) = (corners.vertices, own);
    }
    let data = MeshData { vertices, triangles, ..MeshData::default() };
    let mesh = TriangleMesh::new(data).map_err(|error| view.own_fault(error))?;
    Ok(Stuff { kind: ElasticKind::Solid, mesh, masses, elasticity, damping: damping(view), thickness: 0.0 })
}

/// The tetrahedra that fill a shape.
fn tetrahedra(view: &View, shape: &Shape) -> Result<TetMesh, Fault> {
    let count = |key: &str, otherwise: u32| view.whole(key).map_or(otherwise, |n| n as u32);
    let refuse = |key: &str| view.has(key).then(|| view.fault(key, format!("has no meaning for a {}", shape.name())));
    let unused: &[&str] = match shape {
        Shape::Box(_) => &["layers", "rings", "cell"],
        Shape::Sphere(_) => &["cells", "rings", "cell"],
        Shape::Mesh(_) => &["cells", "rings", "layers"],
        _ => &["cells", "cell"],
    };
    if let Some(fault) = unused.iter().find_map(|key| refuse(key)) {
        return Err(fault);
    }
    let made = match shape {
        Shape::Box(cuboid) => {
            let cells: Vec<u32> = view.list("cells").iter().filter_map(|node| whole(node)?.try_into().ok()).collect();
            TetMesh::cuboid(2.0 * cuboid.half, if let [x, y, z] = cells[..] { [x, y, z] } else { [4; 3] })
        }
        Shape::Sphere(sphere) => TetMesh::ball(sphere.radius, count("layers", 4)),
        Shape::Cylinder(own) => {
            TetMesh::cylinder(own.radius, 2.0 * own.half_length, count("rings", 3), count("layers", 4))
        }
        Shape::Mesh(surface) => {
            let smallest = shape.aabb(&Pose::IDENTITY);
            let cell = view.number("cell").unwrap_or(0.1 * (smallest.max - smallest.min).max_element());
            surface.closed().map_err(|error| view.own_fault(format!("a solid needs a closed surface: {error}")))?;
            TetMesh::fill_surface(surface, cell)
        }
        _ => {
            let known = "a box, a sphere, a cylinder or a closed mesh";
            return Err(view.own_fault(format!("a solid is made from {known}, and this is a {}", shape.name())));
        }
    };
    made.map_err(|error| view.own_fault(error))
}

/// Where an elastic body is and how it moves when a run begins.
pub(super) struct Beginning {
    pub(super) pose: Pose,
    pub(super) velocity: DVec3,
    pub(super) angular_velocity: DVec3,
    /// Length of the run, s.
    pub(super) end: f64,
}

/// The body with its pins (`view` is that of the body), and its state at the start.
pub(super) fn begin(view: &View, stuff: Stuff, at: &Beginning) -> Result<(Elastic, BodyState), Fault> {
    let Stuff { kind, mesh, masses, elasticity, damping, thickness } = stuff;
    let rest = &mesh.data().vertices;
    let start = starts(view, mesh.data(), at.pose)?;
    let pins = pins(view, rest, at)?;
    let parts =
        ElasticParts { kind, mesh: mesh.clone(), masses, elasticity, damping, thickness, pins, start: start.clone() };
    let elastic = Elastic::new(parts);
    let centre = elastic.centre_of_mass(&elastic.state_of(start.clone(), vec![DVec3::ZERO; start.len()]));
    let moving = |(i, x): (usize, &DVec3)| {
        if elastic.is_pinned(i) { DVec3::ZERO } else { at.velocity + at.angular_velocity.cross(*x - centre) }
    };
    let velocities = start.iter().enumerate().map(moving).collect();
    let state = BodyState::Mesh(Arc::new(elastic.state_of(start, velocities)));
    Ok((elastic, state))
}

/// Where the vertices are at the start, in the world.
fn starts(view: &View, data: &MeshData, pose: Pose) -> Result<Vec<DVec3>, Fault> {
    let [x, y, z] = view.list("start") else { return Ok(data.vertices.iter().map(|x| pose.apply(*x)).collect()) };
    let formula = |node: &Node| {
        let text = node.text().map_or_else(|| format!("({})", node.number().unwrap_or(0.0)), str::to_owned);
        Expression::parse(&text, REST_NAMES).map_err(|error| view.fault("start", error))
    };
    let formulas = [formula(x)?, formula(y)?, formula(z)?];
    let mut all = Vec::with_capacity(data.vertices.len());
    for (i, rest) in data.vertices.iter().enumerate() {
        let uv = data.uvs.get(i).copied().unwrap_or_default();
        let at = DVec3::from_array([0, 1, 2].map(|k| formulas[k].value(&[rest.x, rest.y, rest.z, uv.x, uv.y])));
        if !at.is_finite() {
            return Err(view.fault("start", format!("vertex {i}, {rest} at rest, has no finite position")));
        }
        all.push(pose.apply(at));
    }
    Ok(all)
}

fn pins(view: &View, rest: &[DVec3], at: &Beginning) -> Result<Vec<Pins>, Fault> {
    let mut all: Vec<Pins> = Vec::new();
    for own in view.views("pins") {
        own.at_most_one(&["where", "vertices"])?;
        let vertices: Vec<u32> = match own.text("where") {
            Some(text) => {
                let formula = Expression::parse(text, &["x", "y", "z"]).map_err(|error| own.fault("where", error))?;
                let held = |x: &DVec3| formula.value(&x.to_array()) > 0.0;
                rest.iter().enumerate().filter(|(_, x)| held(x)).map(|(i, _)| i as u32).collect()
            }
            None => own.list("vertices").iter().filter_map(|node| whole(node)?.try_into().ok()).collect(),
        };
        let mut vertices = vertices;
        vertices.sort_unstable();
        vertices.dedup();
        if vertices.is_empty() {
            return Err(own.own_fault(
                "no vertex is pinned: give `where` a formula that is positive at some vertex, or `vertices`",
            ));
        }
        if let Some(bad) = vertices.iter().find(|vertex| **vertex as usize >= rest.len()) {
            return Err(own.fault("vertices", format!("there is no vertex {bad}: the body has {}, from 0", rest.len())));
        }
        let twice = |vertex: &&u32| all.iter().any(|other| other.vertices.binary_search(vertex).is_ok());
        if let Some(bad) = vertices.iter().find(twice) {
            return Err(own.own_fault(format!("vertex {bad} is pinned twice")));
        }
        let bone = own.view("motion").map(|motion| script(&motion, at.pose, at.end)).transpose()?;
        all.push(Pins { vertices, bone });
    }
    Ok(all)
}
