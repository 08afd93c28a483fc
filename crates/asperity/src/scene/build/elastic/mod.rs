//! Cloth and solids from the tables of a scene.

mod cloth;
mod pins;
mod solid;
mod springs;

pub(super) use self::solid::Block;

use std::sync::Arc;

use glam::DVec3;

use crate::body::{BodyState, Damping, Elastic, ElasticKind, ElasticParts, REST_NAMES, Script};
use crate::elastic::Elasticity;
use crate::expression::Expression;
use crate::geometry::volume::TetQuality;
use crate::geometry::{MeshData, Pose, TriangleMesh};
use crate::table::{Fault, Node, View};

/// An elastic body: its form at rest, and what it is made of but for its pins.
pub(super) struct Stuff {
    kind: ElasticKind,
    pub(super) mesh: TriangleMesh,
    masses: Vec<f64>,
    elasticity: Elasticity,
    damping: Damping,
    thickness: f64,
    /// Dihedral angles of a solid.
    quality: Option<TetQuality>,
}

/// Reads the `matter` of a body.
pub(super) fn matter(view: &View, block: &Block) -> Result<Stuff, Fault> {
    match view.text("kind") {
        Some("cloth") => cloth::read(view, block.shape),
        _ => solid::read(view, block),
    }
}

fn damping(view: &View) -> Damping {
    let number = |key: &str| view.number(key).unwrap_or(0.0);
    Damping { mass: number("damping"), stiffness: number("stiffness_damping") }
}

/// Where an elastic body is and how it moves when a run begins.
pub(super) struct Beginning<'a> {
    pub(super) pose: Pose,
    pub(super) velocity: DVec3,
    pub(super) angular_velocity: DVec3,
    /// Length of the run, s.
    pub(super) end: f64,
    /// The motion of a body that is given, by its name; or why there is none.
    pub(super) motion_of: &'a dyn Fn(&str) -> Result<Script, String>,
}

/// The body with its pins (`view` is that of the body), and its state at the start.
pub(super) fn begin(view: &View, stuff: Stuff, at: &Beginning) -> Result<(Elastic, BodyState), Fault> {
    let Stuff { kind, mesh, masses, elasticity, damping, thickness, quality } = stuff;
    let rest = &mesh.data().vertices;
    let start = starts(view, mesh.data(), at.pose)?;
    let pins = pins::read(view, rest, at)?;
    let (mesh, starts) = (mesh.clone(), start.clone());
    let parts = ElasticParts { kind, mesh, masses, elasticity, damping, thickness, pins, start: starts, quality };
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
