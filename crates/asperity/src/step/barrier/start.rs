//! Which worlds the barrier stepper takes, and how stiff its barrier is.

use asperity_friction::model::FrictionModel;
use glam::DVec3;

use super::place::Here;
use super::slip::{SlipPotential, toolkit_ratio};
use super::surfaces::Surfaces;
use crate::body::Body;
use crate::contact::unsampled;
use crate::geometry::surface::Crossings;
use crate::step::implicit::Span;
use crate::step::start::without_joints_and_bounces;
use crate::step::{BarrierSettings, Refusal};
use crate::world::Model;

/// The range of the barrier, relative to the largest body that moves.
const RANGE: f64 = 1e-3;

/// Force of the barrier with κ = 1 at half of its range, over the cube of the range: −2 d b'(d²) at d = d̂/2.
const HALF_FORCE: f64 = 4.329_441_541_679_836;

/// Refuses worlds that cannot be moved.
pub(super) fn accepts(model: &Model, friction: SlipPotential) -> Result<(), Refusal> {
    if let Some([a, b]) = unsampled(model) {
        return Err(Refusal::Facets { a: a.name.clone(), b: b.name.clone() });
    }
    without_joints_and_bounces(model)?;
    let pairs = (0..model.bodies.len()).flat_map(|i| (i..model.bodies.len()).map(move |j| [i, j]));
    for [i, j] in pairs {
        let [a, b] = [&model.bodies[i], &model.bodies[j]];
        let law = &model.interaction([i as u32, j as u32]).law;
        let meet = (a.is_dynamic() || b.is_dynamic()) && (i != j || a.elastic().is_some());
        if meet && !is_set(law) {
            return Err(Refusal::NoPotential { a: a.name.clone(), b: b.name.clone(), law: law.name() });
        }
        if meet && friction != SlipPotential::Sets && toolkit_ratio(law).is_none() {
            return Err(Refusal::NotToolkit { a: a.name.clone(), b: b.name.clone(), law: law.name() });
        }
    }
    Ok(())
}

/// Whether a model answers with sets in the contact plane alone: drilling torque is not smoothed here.
fn is_set(model: &FrictionModel) -> bool {
    match model {
        FrictionModel::TensorRule(_) | FrictionModel::Measured(_) => false,
        FrictionModel::Matchstick(own) => own.spin.is_none(),
        FrictionModel::PairTable(own) => own.laws().all(is_set),
        FrictionModel::StaticKinetic(own) => is_set(&own.law),
        FrictionModel::Stribeck(own) => is_set(&own.law),
        FrictionModel::LoadPower(own) => is_set(&own.law),
        FrictionModel::Scaled(own) => is_set(&own.law),
        FrictionModel::RollingResistance(own) => is_set(&own.law),
        _ => true,
    }
}

/// The range d̂ of the barrier, m.
pub(super) fn range(model: &Model, settings: &BarrierSettings) -> f64 {
    let moving = model.bodies.iter().filter(|body| body.is_dynamic()).map(Body::reach).fold(0.0, f64::max);
    settings.dhat.unwrap_or(RANGE * 2.0 * moving)
}

/// κ: at half of the range a collision carries the weight of a vertex, and stops one that crosses the range in a step. A vertex is the
/// heaviest one of all bodies; a rigid body of mass m has vertices of m/4: it rests on a few.
pub(super) fn stiffness(model: &Model, settings: &BarrierSettings, dhat: f64, h: f64) -> f64 {
    let of_body = |body: &Body| match (body.inertia(), body.elastic()) {
        (Some(inertia), _) => 0.25 * inertia.mass(),
        (None, Some(elastic)) => elastic.masses().iter().copied().fold(0.0, f64::max),
        (None, None) => 0.0,
    };
    let mass = model.bodies.iter().map(of_body).fold(0.0, f64::max);
    let force = mass * (model.gravity.length() + dhat / (h * h));
    settings.stiffness.unwrap_or(force / (HALF_FORCE * dhat.powi(3)))
}

/// Why a world cannot start like this: surfaces that cross, or are no farther apart than their thickness.
pub(super) fn apart(Span { model, .. }: Span, surfaces: &Surfaces, here: &Here) -> Option<Refusal> {
    let name = |vertex: u32| model.bodies[surfaces.vertices[vertex as usize].body as usize].name.clone();
    let body = |vertex: u32| surfaces.vertices[vertex as usize].body;
    let crossings = Crossings::new(surfaces.mesh.faces()).find(&here.positions, usize::MAX);
    // What is given may cross what is given, as a rigid body itself may: neither can give way.
    let real = |edge: u32, corner: u32| {
        let [a, b] = [edge, corner].map(|vertex| &model.bodies[body(vertex) as usize]);
        (a.is_dynamic() || b.is_dynamic()) && (body(edge) != body(corner) || a.mesh().is_some())
    };
    for own in crossings {
        let corner = surfaces.mesh.faces()[own.triangle as usize][0];
        if real(own.edge[0], corner) {
            let edge = own.edge.map(|vertex| surfaces.vertices[vertex as usize].index);
            let triangle = own.triangle - surfaces.first_triangle[body(corner) as usize];
            return Some(Refusal::Crossing { a: name(own.edge[0]), edge, b: name(corner), triangle });
        }
    }
    for own in &here.collisions {
        let distance = own.nearest(&own.points(&here.positions), &here.planes).distance;
        let least = surfaces.potential_of(own).dmin;
        if distance.partial_cmp(&least).is_none_or(|order| order.is_le()) {
            let last = own.list().last().copied().unwrap_or(0);
            let b = if own.plane == u32::MAX {
                name(last)
            } else {
                model.bodies[surfaces.plane_body(own.plane) as usize].name.clone()
            };
            return Some(Refusal::Touching { a: name(own.vertices[0]), b, distance, least });
        }
    }
    None
}

/// Elements of a cloth or solid that are no neighbours, but nearer at rest than the barrier reaches.
pub(super) fn thick(model: &Model, surfaces: &mut Surfaces) -> Option<Refusal> {
    let rest: Vec<DVec3> = surfaces.mesh.rest().to_vec();
    for own in surfaces.collisions_at_rest(&rest) {
        let [a, b] = [own.vertices[0], own.list()[own.list().len() - 1]].map(|i| surfaces.vertices[i as usize].body);
        if a == b {
            let potential = surfaces.potential_of(&own);
            let distance = own.nearest(&own.points(&rest), &[]).distance;
            let body = model.bodies[a as usize].name.clone();
            return Some(Refusal::Thick { body, distance, thickness: potential.dmin, dhat: potential.dhat });
        }
    }
    None
}
