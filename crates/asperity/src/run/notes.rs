//! What the legend of a picture says: how much friction there is along the grain and across it, and on facets. And whether the grain of a body acts at all: pictures show what does.
//!
//! What bodies can meet with depends on their materials: these are looked at, not all pairs of bodies.

use asperity_friction::model::{Coefficient, Coulomb, FrictionModel, Matchstick};

use crate::body::Body;
use crate::body::surface::SurfaceField;
use crate::run::relief_notes::relief_notes;
use crate::scene::Scene;
use crate::world::{Interaction, Model};

/// Most notes of a kind: more would hide the picture.
const MOST: usize = 3;

/// The bodies of a material.
#[derive(Clone, Copy, Debug)]
struct MaterialUse {
    material: u32,
    bodies: usize,
    /// Whether some of them move by forces, have grain, have facets.
    moves: bool,
    grain: bool,
    facets: bool,
    /// Whether one of them can touch itself.
    deforms: bool,
    /// The first of them, by its number in the model.
    first: usize,
}

impl MaterialUse {
    /// Whether its bodies can touch each other or themselves.
    fn meets_itself(&self) -> bool {
        self.bodies > 1 || self.deforms
    }
}

fn uses(model: &Model) -> Vec<MaterialUse> {
    let mut found: Vec<MaterialUse> = Vec::new();
    for (first, body) in model.bodies.iter().enumerate() {
        let material = body.surface.material;
        let known = found.iter().position(|own| own.material == material).unwrap_or_else(|| {
            let [moves, grain, facets, deforms] = [false; 4];
            found.push(MaterialUse { material, bodies: 0, moves, grain, facets, deforms, first });
            found.len() - 1
        });
        let own = &mut found[known];
        own.bodies += 1;
        own.moves |= body.is_dynamic();
        own.grain |= body.surface.structure.is_some();
        own.facets |= body.surface.facets.is_some();
        own.deforms |= body.elastic().is_some();
    }
    found
}

/// A line of the legend, and two bodies that it is about.
struct Note {
    text: String,
    bodies: [usize; 2],
}

/// The notes that materials which can meet give, each once.
fn notes(model: &Model, of: impl Fn(&Interaction, [&MaterialUse; 2]) -> Option<String>) -> Vec<String> {
    pair_notes(model, of).into_iter().map(|note| note.text).collect()
}

/// The same, with two bodies for each.
fn pair_notes(model: &Model, of: impl Fn(&Interaction, [&MaterialUse; 2]) -> Option<String>) -> Vec<Note> {
    let uses = uses(model);
    let mut notes: Vec<Note> = Vec::new();
    for (i, a) in uses.iter().enumerate() {
        let meets = |(j, b): &(usize, &MaterialUse)| (a.moves || b.moves) && (*j > i || a.meets_itself());
        for (_, b) in uses.iter().enumerate().skip(i).filter(meets) {
            if let Some(text) = of(model.interactions.of(a.material, b.material), [a, b])
                && notes.iter().all(|note| note.text != text)
            {
                notes.push(Note { text, bodies: [a.first, b.first] });
            }
        }
    }
    notes.truncate(MOST);
    notes
}

/// All that the legend says.
pub(super) fn legend(scene: &Scene) -> Vec<String> {
    let reliefs = if scene.output.show.relief { relief_notes(scene) } else { Vec::new() };
    let friction = [plain_notes(scene), grain_notes(scene), tensor_notes(scene), facet_notes(scene), reliefs];
    [friction.concat(), change_notes(scene), spring_notes(scene)].concat()
}

/// One line for each coefficient that is the same in all directions and places; where there are several, or two bodies only, with the bodies
/// that it is about.
fn plain_notes(scene: &Scene) -> Vec<String> {
    let found = plain_pair_notes(&scene.model);
    let several = found.len() > 1;
    let named = |Note { text, bodies }: Note| match &scene.model.bodies[..] {
        [a, b] => format!("{text}: {}, {}", a.name, b.name),
        all if several => format!("{text}: {}, {}", all[bodies[0]].name, all[bodies[1]].name),
        _ => text,
    };
    found.into_iter().map(named).collect()
}

fn plain_pair_notes(model: &Model) -> Vec<Note> {
    pair_notes(model, |own, _| match &own.law {
        FrictionModel::Coulomb(Coulomb { mu: Some(mu), .. }) => Some(format!("friction {mu} in all directions")),
        FrictionModel::StaticKinetic(own) => {
            let mu = plain(&own.law)?;
            Some(format!("friction {} at rest, {} sliding", short(mu), short(mu * own.kinetic)))
        }
        FrictionModel::RollingResistance(own) => {
            let mu = plain(&own.law)?;
            Some(format!("friction {}, load {} mm ahead of what rolls", short(mu), short(1e3 * own.rho)))
        }
        _ => None,
    })
}

/// The coefficient of a law that is the same in all directions and places.
fn plain(law: &FrictionModel) -> Option<f64> {
    match law {
        FrictionModel::Coulomb(own) => own.mu,
        _ => None,
    }
}

/// A number without the digits that rounding adds.
fn short(x: f64) -> f64 {
    (x * 1e9).round() / 1e9
}

/// One line for each stiffness of contacts that give way.
fn spring_notes(scene: &Scene) -> Vec<String> {
    notes(&scene.model, |own, _| {
        let spring = own.spring?;
        let sheared = spring.shear_stiffness.map_or_else(String::new, |k| format!(", {k:e} N/m sheared"));
        Some(format!("contact points give way: {:e} N/m pressed{sheared}", spring.stiffness))
    })
}

/// One line for the times at which grain changes.
fn change_notes(scene: &Scene) -> Vec<String> {
    let mut times: Vec<f64> = Vec::new();
    for body in &scene.model.bodies {
        if let Some(SurfaceField::Timeline(timeline)) = &body.surface.structure {
            times.extend(timeline.times().skip(1));
        }
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    let all: Vec<String> = times.iter().take(MOST).map(f64::to_string).collect();
    let more = if times.len() > MOST { ", ..." } else { "" };
    if all.is_empty() { Vec::new() } else { vec![format!("grain changes at t = {}{more} s", all.join(", "))] }
}

/// One line for each pair of coefficients along and across the grain that bodies of the scene can meet with.
fn grain_notes(scene: &Scene) -> Vec<String> {
    if !scene.output.show.grain {
        return Vec::new();
    }
    notes(&scene.model, |own, [a, b]| match &own.law {
        // Coefficients that surfaces bring along vary from place to place.
        FrictionModel::Matchstick(Matchstick {
            mu_t: Coefficient::Fixed(mu_t),
            mu_b: Coefficient::Fixed(mu_b),
            ..
        }) if mu_t != mu_b && (a.grain || b.grain) => Some(format!("grain: friction {mu_t} along, {mu_b} across")),
        _ => None,
    })
}

/// One line for each body with a friction tensor, where a law reads it: its part of the friction along its streaks and
/// across it, or forward and backward.
fn tensor_notes(scene: &Scene) -> Vec<String> {
    let note = |body: &Body| {
        let (plus, minus) = body.surface.coefficients.tensor.rows();
        let [[along, twist], [turn, across]] = plus;
        let text = if plus == [[0.0; 2]; 2] && minus == plus {
            return None;
        } else if plus != minus {
            format!("tensor {along} forward, {} backward along its streaks", minus[0][0])
        } else if twist != 0.0 || turn != 0.0 {
            format!("tensor [[{along}, {twist}], [{turn}, {across}]]")
        } else if along == across {
            format!("tensor {along} in all directions")
        } else {
            format!("tensor {along} along its streaks, {across} across")
        };
        Some(format!("{}: {text}", body.name))
    };
    let acts = tensors_act(&scene.model);
    let bodies = scene.model.bodies.iter().zip(acts).filter(|(_, acts)| *acts);
    bodies.filter_map(|(body, _)| note(body)).take(MOST).collect()
}

/// Whether a law reads the tensor of each body.
pub(super) fn tensors_act(model: &Model) -> Vec<bool> {
    let reads = |law: &FrictionModel| matches!(law, FrictionModel::TensorRule(_) | FrictionModel::TensorCone(_));
    let law = |own: &MaterialUse, other: &MaterialUse| &model.interactions.of(own.material, other.material).law;
    let uses = uses(model);
    let read = |body: &Body| {
        let own = uses.iter().find(|own| own.material == body.surface.material);
        own.is_some_and(|own| uses.iter().any(|other| (own.moves || other.moves) && reads(law(own, other))))
    };
    model.bodies.iter().map(read).collect()
}

/// One line for each coefficient of smooth surfaces to which facets of the scene add theirs.
fn facet_notes(scene: &Scene) -> Vec<String> {
    if !scene.output.show.relief {
        return Vec::new();
    }
    notes(&scene.model, |own, [a, b]| match &own.law {
        FrictionModel::Facets(facets) if a.facets || b.facets => match facets.mu0 {
            Coefficient::Fixed(mu0) => Some(format!("relief: friction {mu0} where flat")),
            _ => None,
        },
        _ => None,
    })
}

/// Whether the grain of each body makes a difference to a law by which it can meet another one. All laws are taken to ask for it but Coulomb's, and Matchstick with one coefficient for all directions.
/// A body that meets nobody is shown as it was authored.
pub(super) fn grain_acts(model: &Model) -> Vec<bool> {
    let uses = uses(model);
    let asks = |law: &FrictionModel| match law {
        FrictionModel::Coulomb(_) => false,
        FrictionModel::Matchstick(Matchstick { mu, mu_t, mu_b, spin, .. }) => {
            mu != mu_t || mu != mu_b || spin.is_some()
        }
        _ => true,
    };
    let acts = |body: &Body| {
        let own = body.surface.material;
        let meets =
            |other: &&MaterialUse| (body.is_dynamic() || other.moves) && (other.material != own || other.bodies > 1);
        let mut laws =
            uses.iter().filter(meets).map(|other| &model.interactions.of(own, other.material).law).peekable();
        laws.peek().is_none() || laws.any(asks)
    };
    model.bodies.iter().map(acts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Document;

    /// A tensor is named where a law reads it, and not where none does.
    #[test]
    fn tensors_that_act_are_named() {
        let text = r#"
            title = "A box on a plane with a tensor"
            time = { dt = 0.01, end = 0.1 }
            pair_default.law = { kind = "tensor_rule" }
            [body.plane]
            shape = { kind = "half_space" }
            motion = "static"
            tensor = { plus = [[2, 0], [0, 2]], minus = [[0.05, 0], [0, 0.05]] }
            [body.box]
            shape = { kind = "box", size = [1, 1, 1] }
            position = [0, 0.5, 0]
            tensor = [[0.1, 0], [0, 0.4]]
        "#;
        let scene = |set: &[(String, String)]| Document::parse(text, "x.toml").unwrap().scene(None, set).unwrap();
        let expected = [
            "plane: tensor 2 forward, 0.05 backward along its streaks",
            "box: tensor 0.1 along its streaks, 0.4 across",
        ];
        assert_eq!(tensor_notes(&scene(&[])), expected);
        let coulomb = scene(&[("pair_default.law".into(), "{ kind = \"coulomb\", mu = 0.3 }".into())]);
        assert!(tensor_notes(&coulomb).is_empty());
        assert_eq!(plain_notes(&coulomb), ["friction 0.3 in all directions: plane, box"]);
    }

    /// Several coefficients are told apart by bodies; a pair of bodies that is not there has no line.
    #[test]
    fn several_coefficients_name_their_bodies() {
        let text = r#"
            title = "A finger on a glass on a table"
            time = { dt = 0.01, end = 0.1 }
            material = { skin = {}, glass = {}, wood = {} }
            pair_default.law = { kind = "coulomb", mu = 0.5 }
            [[pair]]
            materials = ["skin", "glass"]
            law = { kind = "coulomb", mu = 0.9 }
            [body.table]
            shape = { kind = "half_space" }
            motion = "static"
            material = "wood"
            [body.glass]
            shape = { kind = "sphere", radius = 0.1 }
            position = [0, 0.1, 0]
            material = "glass"
            [body.finger]
            shape = { kind = "sphere", radius = 0.1 }
            position = [0, 0.4, 0]
            material = "skin"
        "#;
        let scene = Document::parse(text, "x.toml").unwrap().scene(None, &[]).unwrap();
        let expected =
            ["friction 0.5 in all directions: table, glass", "friction 0.9 in all directions: glass, finger"];
        assert_eq!(plain_notes(&scene), expected);
    }

    /// Wood on wood has grain that acts; on ice its coefficients are the same in all directions.
    #[test]
    fn grain_acts_where_a_law_tells_directions_apart() {
        let text = r#"
            title = "Three boxes"
            time = { dt = 0.01, end = 0.1 }
            material = { wood = {}, ice = {} }
            [[pair]]
            materials = ["wood", "wood"]
            law = { kind = "matchstick", mu = 0.5, mu_t = 0.2, mu_b = 0.8 }
            [[pair]]
            materials = ["wood", "ice"]
            law = { kind = "matchstick", mu = 0.1, mu_t = 0.1, mu_b = 0.1 }
            [body.rink]
            shape = { kind = "half_space" }
            motion = "static"
            material = "ice"
            structure = [1, 0, 0]
            [body.log]
            shape = { kind = "sphere", radius = 0.1 }
            position = [0, 0.1, 0]
            array = { count = [2, 1, 1], spacing = [1, 0, 0] }
            material = "wood"
            structure = [1, 0, 0]
        "#;
        let scene = |set: &[(String, String)]| Document::parse(text, "x.toml").unwrap().scene(None, set).unwrap();
        let two = scene(&[]);
        assert_eq!(grain_acts(&two.model), [false, true, true]);
        assert_eq!(grain_notes(&two), ["grain: friction 0.2 along, 0.8 across"]);
        let one = scene(&[("body.log.array.count".into(), "[1, 1, 1]".into())]);
        assert_eq!(grain_acts(&one.model), [false, false], "one log has no other to meet");
    }
}
