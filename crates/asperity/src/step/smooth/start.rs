//! Which worlds the smooth stepper takes.

use super::contacts::Contacts;
use super::fields::Fields;
use crate::body::{Body, ElasticKind};
use crate::contact::{ElasticSurfaces, PlacedBody};
use crate::step::Refusal;
use crate::step::start::{touchable, without_joints_and_bounces};
use crate::world::Model;

/// How deep in a potential a vertex may start, as a fraction of the radius of influence: beyond the surface of the samples
/// on the other side their gradients point the other way.
const DEEPEST: f64 = 0.25;

/// Refuses worlds that cannot be moved.
pub(super) fn accepts(model: &Model) -> Result<(), Refusal> {
    touchable(model)?;
    without_joints_and_bounces(model)?;
    let cloths: Vec<&Body> = model.bodies.iter().filter(|body| is_cloth(body)).collect();
    if let [a, b, ..] = cloths[..] {
        return Err(Refusal::Sheets { a: a.name.clone(), b: b.name.clone() });
    }
    Fields::check(model)
}

fn is_cloth(body: &Body) -> bool {
    body.elastic().is_some_and(|own| own.kind() == ElasticKind::Cloth)
}

/// A cloth with a thickness that touches itself where the bodies are.
pub(super) fn folded<'a>(
    model: &'a Model,
    placed: &[PlacedBody],
    surfaces: &mut Option<ElasticSurfaces>,
) -> Option<&'a Body> {
    let thick = |body: &Body| is_cloth(body) && body.elastic().is_some_and(|own| own.offset() > 0.0);
    if !model.bodies.iter().any(thick) {
        return None;
    }
    if !surfaces.as_ref().is_some_and(|surfaces| surfaces.fits(model)) {
        *surfaces = ElasticSurfaces::new(model);
    }
    let mut found = Vec::new();
    surfaces.as_mut()?.find(placed, 0.0, &mut found);
    let folds = found.iter().filter(|own| own.gap < 0.0 && own.pair[0] == own.pair[1]);
    folds.filter_map(|own| model.bodies.get(own.pair[0] as usize)).find(|body| thick(body))
}

/// The first point that starts too deep inside of a potential.
pub(super) fn inside(model: &Model, contacts: &Contacts, fields: &Fields) -> Option<Refusal> {
    fields.list.iter().find_map(|field| {
        let allowed = -DEEPEST * field.potential.reach();
        let deep = contacts.deepest(model, field).filter(|deep| deep.gap < allowed)?;
        let [body, other] = [deep.body, field.body].map(|i| model.bodies[i as usize].name.clone());
        Some(Refusal::Inside { body, point: deep.name.to_string(), other, depth: -deep.gap })
    })
}
