//! What the legend of a picture says about the grain: how much friction there is along it and across it.

use asperity_friction::model::{Coefficient, FrictionModel, Matchstick};

use crate::scene::Scene;

/// Most notes: more would hide the picture.
const MOST: usize = 3;

/// One line for each pair of coefficients along and across the grain that bodies of the scene can meet with.
pub(super) fn grain_notes(scene: &Scene) -> Vec<String> {
    if !scene.output.show.grain {
        return Vec::new();
    }
    let model = &scene.model;
    let mut notes: Vec<String> = Vec::new();
    for (i, a) in model.bodies.iter().enumerate() {
        for b in &model.bodies[i..] {
            if a.surface.structure.is_none() && b.surface.structure.is_none() {
                continue;
            }
            let law = &model.interactions.of(a.surface.material, b.surface.material).law;
            let Some(Matchstick { mu_t, mu_b, .. }) = matchstick(law) else { continue };
            // Coefficients that surfaces bring along vary from place to place.
            let (Coefficient::Fixed(mu_t), Coefficient::Fixed(mu_b)) = (mu_t, mu_b) else { continue };
            if mu_t == mu_b {
                continue;
            }
            let note = format!("grain: friction {mu_t} along, {mu_b} across");
            if !notes.contains(&note) {
                notes.push(note);
            }
            if notes.len() == MOST {
                return notes;
            }
        }
    }
    notes
}

/// The Matchstick law of a pair, if that is what it is.
fn matchstick(law: &FrictionModel) -> Option<&Matchstick> {
    match law {
        FrictionModel::Matchstick(law) => Some(law),
        _ => None,
    }
}
