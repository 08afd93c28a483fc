//! The facets around the contacts of a step, for laws that look at them.

use asperity_friction::model::Model as _;

use super::{Contact, PlacedBody};
use crate::body::Body;
use crate::patch::{PatchContact, PatchSide, PatchStore, WantedPatch};
use crate::world::Model;

/// Samples the patches of the contacts whose law wants facets and of whose bodies one has a map.
pub(crate) fn sample_patches(model: &Model, placed: &[PlacedBody], contacts: &[Contact], store: &mut PatchStore) {
    if model.bodies.iter().all(|body| body.surface.facets.is_none()) {
        return store.clear();
    }
    store.fill(contacts.len(), |k| patch(model, placed, &contacts[k]));
}

fn patch<'m>(model: &'m Model, placed: &[PlacedBody], contact: &Contact) -> Option<WantedPatch<'m>> {
    let [a, b] = contact.pair.map(|i| &model.bodies[i as usize].surface);
    if a.facets.is_none() && b.facets.is_none() {
        return None;
    }
    let window = model.interaction(contact.pair).law.patch()?;
    let [at_a, at_b] = contact.pair.map(|i| placed[i as usize].pose);
    let a = PatchSide { pose: at_a, skin: a.skin.as_ref()?, map: a.facets.as_ref() };
    let b = PatchSide { pose: at_b, skin: b.skin.as_ref()?, map: b.facets.as_ref() };
    let contact = PatchContact { point: contact.point, frame: contact.frame, gap: contact.gap, a, b };
    Some(WantedPatch { window, contact })
}

/// A body that deforms and another one, whose law looks at facets although those of the first cannot be sampled.
pub(crate) fn unsampled(model: &Model) -> Option<[&Body; 2]> {
    let deforms = model.bodies.iter().enumerate().filter(|(_, body)| body.mesh().is_some());
    deforms.into_iter().find_map(|(i, own)| {
        let other = model.bodies.iter().enumerate().find(|(j, other)| {
            let mapped = own.surface.facets.is_some() || other.surface.facets.is_some();
            *j != i && mapped && model.interaction([i as u32, *j as u32]).law.patch().is_some()
        })?;
        Some([own, other.1])
    })
}
