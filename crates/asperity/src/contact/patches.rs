//! The facets around the contacts of a step, for laws that look at them.
//!
//! A body that deforms is flat and smooth around a contact: what the facets of another body are sampled against is its tangent plane there.

use std::sync::{Arc, LazyLock};

use asperity_friction::model::Model as _;
use glam::{DQuat, DVec3};

use super::{Contact, PlacedBody};
use crate::body::Body;
use crate::body::surface::Surface;
use crate::geometry::{HalfSpace, Pose, Shape, SkinLookup};
use crate::patch::{PatchContact, PatchSide, PatchStore, WantedPatch};
use crate::world::Model;

/// The plane y = 0.
static FLAT: LazyLock<Arc<SkinLookup>> =
    LazyLock::new(|| Arc::new(SkinLookup::new(&Shape::HalfSpace(HalfSpace { normal: DVec3::Y }))));

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
    let normal = contact.frame.normal();
    let side = |of: usize, pose: Pose, surface: &'m Surface| match &placed[contact.pair[of] as usize].mesh {
        Some(_) => {
            let sign = if of == 0 { 1.0 } else { -1.0 };
            let position = contact.point + normal * (0.5 * sign * contact.gap);
            let rotation = DQuat::from_rotation_arc(DVec3::Y, -normal * sign);
            Some(PatchSide { pose: Pose { position, rotation }, skin: &FLAT, map: None })
        }
        None => Some(PatchSide { pose, skin: surface.skin.as_ref()?, map: surface.facets.as_ref() }),
    };
    let (a, b) = (side(0, at_a, a)?, side(1, at_b, b)?);
    let contact = PatchContact { point: contact.point, frame: contact.frame, gap: contact.gap, a, b };
    Some(WantedPatch { window, contact })
}

/// A body that deforms and has a map of facets, which cannot be sampled, and another one with which its law looks at them.
pub(crate) fn unsampled(model: &Model) -> Option<[&Body; 2]> {
    let mapped = |body: &Body| body.mesh().is_some() && body.surface.facets.is_some();
    let deforms = model.bodies.iter().enumerate().filter(|(_, body)| mapped(body));
    deforms.into_iter().find_map(|(i, own)| {
        let other = model
            .bodies
            .iter()
            .enumerate()
            .find(|(j, _)| *j != i && model.interaction([i as u32, *j as u32]).law.patch().is_some())?;
        Some([own, other.1])
    })
}
