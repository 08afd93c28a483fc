//! Worlds whose elastic surfaces pass through each other where they start: no stepper can tell on which side of each
//! other they belong.

use super::Refusal;
use crate::body::Body;
use crate::contact::ElasticSurfaces;
use crate::geometry::surface::Crossings;
use crate::world::Model;

/// The first two elements of elastic bodies that cross where they start.
pub(super) fn crossing(model: &Model) -> Option<Refusal> {
    let mut surfaces = ElasticSurfaces::new(model)?;
    let start: Vec<_> = model.bodies.iter().filter_map(Body::elastic).flat_map(|own| own.start()).copied().collect();
    let set = surfaces.set();
    let found = *Crossings::new(set.triangles()).find(&start, 1).first()?;
    let [edge, triangle] = [found.edge[0], set.triangles()[found.triangle as usize][0]].map(|i| set.surface(i));
    let local = found.edge.map(|vertex| vertex - set.first(edge) as u32);
    let number = found.triangle - set.first_triangle(triangle) as u32;
    let names: Vec<&Body> = model.bodies.iter().filter(|body| body.elastic().is_some()).collect();
    let [a, b] = [edge, triangle].map(|surface| names[surface].name.clone());
    Some(Refusal::Crossing { a, edge: local, b, triangle: number })
}
