//! The potentials of bodies: sampled on meshes that are held or moved as given, on meshes whose vertices move by formulas, and
//! on elastic solids. Analytic shapes have exact ones, and cloth has none, for it has no inside.

use glam::DVec3;

use crate::body::{Body, ElasticKind, Matter};
use crate::contact::PlacedBody;
use crate::geometry::potential::{LocalPotential, PotentialError, PotentialSettings};
use crate::geometry::{Shape, TriangleMesh};
use crate::step::Refusal;
use crate::world::Model;

/// The potential of a body's surface where it is now.
pub(super) struct Field {
    /// Number of the body.
    pub(super) body: u32,
    pub(super) potential: LocalPotential,
    /// Whether it never moves.
    fixed: bool,
}

/// A surface with a hole in its potential.
pub(super) struct Torn<'a> {
    pub(super) body: &'a Body,
    pub(super) error: PotentialError,
}

/// The potentials of all bodies that have one.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) list: Vec<Field>,
}

/// The surface of a body that has a sampled potential.
pub(super) fn sampled(body: &Body) -> Option<&TriangleMesh> {
    match &body.matter {
        Matter::Rigid(rigid) => match &rigid.shape {
            Shape::Mesh(mesh) if body.inertia().is_none() => Some(mesh),
            _ => None,
        },
        Matter::Animated(animated) => Some(animated.mesh()),
        Matter::Elastic(elastic) => (elastic.kind() == ElasticKind::Solid).then(|| elastic.mesh()),
    }
}

/// Where the vertices of a body's surface are.
fn vertices(mesh: &TriangleMesh, at: &PlacedBody) -> Vec<DVec3> {
    match &at.mesh {
        Some(placed) => placed.positions().to_vec(),
        None => mesh.data().vertices.iter().map(|x| at.pose.apply(*x)).collect(),
    }
}

/// Where they start, but for a rigid motion.
fn starts(body: &Body, mesh: &TriangleMesh) -> Vec<DVec3> {
    match &body.matter {
        Matter::Rigid(_) => mesh.data().vertices.clone(),
        Matter::Animated(animated) => animated.positions(0.0),
        Matter::Elastic(elastic) => elastic.start().to_vec(),
    }
}

fn settings(body: &Body) -> PotentialSettings {
    body.surface.potential.unwrap_or_default()
}

impl Fields {
    /// Of bodies at these places. Radii of influence are those of the surfaces as they start.
    pub(super) fn new(model: &Model, placed: &[PlacedBody]) -> Self {
        let field = |(i, (body, at)): (usize, (&Body, &PlacedBody))| {
            let mesh = sampled(body)?;
            let triangles = &mesh.data().triangles;
            let mut potential = settings(body).unchecked(&starts(body, mesh), triangles);
            potential.update(|samples| samples.place(&vertices(mesh, at), triangles));
            Some(Field { body: i as u32, potential, fixed: body.is_static() })
        };
        Self { list: model.bodies.iter().zip(placed).enumerate().filter_map(field).collect() }
    }

    /// Refuses surfaces with holes, where they start.
    pub(super) fn check(model: &Model) -> Result<(), Refusal> {
        for body in &model.bodies {
            let Some(mesh) = sampled(body) else { continue };
            let made = settings(body).of_surface(mesh, &starts(body, mesh));
            made.map_err(|error| Refusal::Potential { body: body.name.clone(), error })?;
        }
        Ok(())
    }

    /// A surface that has stretched so far that no sample reaches a place of it; where the bodies are.
    pub(super) fn torn<'a>(&self, model: &'a Model, placed: &[PlacedBody]) -> Option<Torn<'a>> {
        self.list.iter().find_map(|field| {
            let body = &model.bodies[field.body as usize];
            let (mesh, at) = (sampled(body)?, placed[field.body as usize].mesh.as_ref()?);
            let error = field.potential.check_triangles(at.positions(), &mesh.data().triangles).err()?;
            Some(Torn { body, error })
        })
    }

    /// Whether they are those of a model.
    pub(super) fn fit(&self, model: &Model) -> bool {
        let own = self.list.iter().map(|field| (field.body as usize, field.potential.samples().points.len()));
        let bodies = model.bodies.iter().enumerate();
        own.eq(bodies.filter_map(|(i, body)| Some((i, sampled(body)?.data().triangles.len()))))
    }

    /// Moves the samples to where the bodies are.
    pub(super) fn update(&mut self, model: &Model, placed: &[PlacedBody]) {
        for field in self.list.iter_mut().filter(|field| !field.fixed) {
            let (body, at) = (&model.bodies[field.body as usize], &placed[field.body as usize]);
            let Some(mesh) = sampled(body) else { continue };
            let vertices = vertices(mesh, at);
            field.potential.update(|samples| samples.place(&vertices, &mesh.data().triangles));
        }
    }
}
