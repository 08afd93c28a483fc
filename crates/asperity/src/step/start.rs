//! Worlds that no stepper can move: meshes that nothing stops, facets that cannot be sampled, and elastic surfaces that pass through each
//! other where they start, of which no stepper can tell on which side of each other they belong.

use super::Refusal;
use crate::body::Body;
use crate::contact::{ElasticSurfaces, unsampled, unstoppable};
use crate::geometry::surface::{Crossing, Crossings};
use crate::world::Model;

/// How far an end of an edge may be off a plane that it touches, relative to the length of the edge.
const TOUCH: f64 = 1e-9;

/// Refuses bodies whose contacts or facets are not to be had.
pub(super) fn touchable(model: &Model) -> Result<(), Refusal> {
    if let Some([a, b]) = unstoppable(model) {
        return Err(Refusal::Meshes { a: a.name.clone(), b: b.name.clone() });
    }
    if let Some([a, b]) = unsampled(model) {
        return Err(Refusal::Facets { a: a.name.clone(), b: b.name.clone() });
    }
    Ok(())
}

/// Refuses contacts that bounce or have springs, which only one stepper has.
pub(super) fn without_bounces_and_springs(model: &Model) -> Result<(), Refusal> {
    if let Some([a, b]) = model.bouncing() {
        return Err(Refusal::Bounce { a: a.name.clone(), b: b.name.clone() });
    }
    if let Some([a, b]) = model.sprung() {
        return Err(Refusal::Spring { a: a.name.clone(), b: b.name.clone() });
    }
    Ok(())
}

/// Refuses joints, bounces and springs, which steppers that correct an elastic step do not have.
pub(super) fn without_joints_and_bounces(model: &Model) -> Result<(), Refusal> {
    if let Some(joint) = model.joints.first() {
        return Err(Refusal::Joint { joint: joint.name.clone() });
    }
    without_bounces_and_springs(model)
}

/// The first two elements of elastic bodies that cross where they start.
pub(super) fn crossing(model: &Model) -> Option<Refusal> {
    let mut surfaces = ElasticSurfaces::new(model)?;
    let start: Vec<_> = model.bodies.iter().filter_map(Body::elastic).flat_map(|own| own.start()).copied().collect();
    let set = surfaces.set();
    let all = Crossings::new(set.triangles()).find(&start, usize::MAX);
    // Solids that stand on each other touch: there an edge crosses where both of its ends are off the plane.
    let crosses = |own: &&Crossing| {
        if set.thickness(own.edge[0], set.triangles()[own.triangle as usize][0]) > 0.0 {
            return true;
        }
        let [a, b, c] = set.triangles()[own.triangle as usize].map(|i| start[i as usize]);
        let [p, q] = own.edge.map(|i| start[i as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        [p, q].iter().all(|end| normal.dot(*end - a).abs() > TOUCH * (q - p).length())
    };
    let found = all.iter().find(crosses)?;
    let [edge, triangle] = [found.edge[0], set.triangles()[found.triangle as usize][0]].map(|i| set.surface(i));
    let local = found.edge.map(|vertex| vertex - set.first(edge) as u32);
    let number = found.triangle - set.first_triangle(triangle) as u32;
    let names: Vec<&Body> = model.bodies.iter().filter(|body| body.elastic().is_some()).collect();
    let [a, b] = [edge, triangle].map(|surface| names[surface].name.clone());
    Some(Refusal::Crossing { a, edge: local, b, triangle: number })
}
