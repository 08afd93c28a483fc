//! What the legend says about reliefs: how much the facets of each surface add to the friction of smooth ones, and in which direction.
//!
//! A body that slides along −d over facets of slopes p meets (2/π) k mean max(0, p·d) more than on a smooth surface (Andrews et al. 2021), k the
//! salience. The mean is over the whole map; of a map that is mostly flat, as an emblem is, over what is raised.

use std::f64::consts::{FRAC_2_PI, TAU};

use asperity_friction::model::FrictionModel;
use glam::DVec2;

use crate::body::Body;
use crate::patch::{FacetMap, Relief};
use crate::scene::Scene;

/// Most lines.
const MOST: usize = 4;
/// Places of a map on each side, and directions.
const PLACES: usize = 96;
const DIRECTIONS: usize = 180;
/// Slopes below this are flat, and a map that is flat in more than this share of its places is an emblem.
const FLAT: f64 = 0.02;
const MOSTLY: f64 = 0.5;
/// Mean slope of what is raised on an emblem; scratches are less steep.
const EMBLEM: f64 = 0.1;
/// What adds less, or differs by less from direction to direction, is not worth telling.
const LEAST: f64 = 0.005;

/// Bodies with the same relief.
struct Group<'a> {
    map: &'a FacetMap,
    salience: f64,
    names: Vec<&'a str>,
}

/// How much facets add.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Added {
    least: f64,
    most: f64,
    /// Whether most of the map is flat.
    in_places: bool,
}

/// One line for each relief of the scene, with the bodies that have it.
pub(super) fn relief_notes(scene: &Scene) -> Vec<String> {
    let model = &scene.model;
    let facets = |law: &FrictionModel| matches!(law, FrictionModel::Facets(_));
    let materials = || model.bodies.iter().map(|body| body.surface.material);
    let acts = |body: &Body| materials().any(|other| facets(&model.interactions.of(body.surface.material, other).law));
    let mut groups: Vec<Group> = Vec::new();
    for body in model.bodies.iter().filter(|body| acts(body)) {
        let Some(map) = body.surface.facets.as_deref() else { continue };
        let salience = body.surface.coefficients.salience;
        match groups.iter_mut().find(|own| own.salience == salience && own.map == map) {
            Some(own) => own.names.push(&body.name),
            None => groups.push(Group { map, salience, names: vec![&body.name] }),
        }
    }
    let line = |own: &Group| told(&shared_name(&own.names), added(own.map, own.salience)?);
    groups.iter().filter_map(line).take(MOST).collect()
}

/// None for height maps, whose slopes depend on how they are laid on the body.
fn added(map: &FacetMap, salience: f64) -> Option<Added> {
    if map.relief() == Relief::Heights {
        return None;
    }
    let place = |i: usize| DVec2::new((i % PLACES) as f64 + 0.5, (i / PLACES) as f64 + 0.5) / PLACES as f64;
    let slopes: Vec<DVec2> = (0..PLACES * PLACES).map(|i| map.at(place(i))).map(|at| at.numbers * at.weight).collect();
    let raised: Vec<DVec2> = slopes.iter().copied().filter(|slope| slope.length() > FLAT).collect();
    let height = raised.iter().map(|slope| slope.length()).sum::<f64>() / raised.len().max(1) as f64;
    let in_places = (raised.len() as f64) < (1.0 - MOSTLY) * slopes.len() as f64 && height > EMBLEM;
    let over = if in_places { raised } else { slopes };
    let mean = |d: DVec2| over.iter().map(|p| p.dot(d).max(0.0)).sum::<f64>() / over.len().max(1) as f64;
    let all =
        (0..DIRECTIONS).map(|k| FRAC_2_PI * salience * mean(DVec2::from_angle(TAU * k as f64 / DIRECTIONS as f64)));
    let (least, most) = all.fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), x| (least.min(x), most.max(x)));
    Some(Added { least, most, in_places })
}

fn told(name: &str, Added { least, most, in_places }: Added) -> Option<String> {
    if in_places {
        // Ridges of an emblem run in all directions.
        Some(format!("{name}: adds {most:.2} where it is raised"))
    } else if most < LEAST {
        Some(format!("{name}: smooth, adds nothing"))
    } else if most - least < LEAST.max(0.15 * most) {
        Some(format!("{name}: adds {most:.2}"))
    } else {
        Some(format!("{name}: adds {most:.2} across its ridges, {least:.2} along"))
    }
}

/// What the names of bodies begin with in common; the first one's if that says nothing.
fn shared_name(names: &[&str]) -> String {
    let Some((first, rest)) = names.split_first() else { return String::new() };
    let common = |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let length = rest.iter().map(|name| common(first, name)).min().unwrap_or(first.chars().count());
    let shared: String = first.chars().take(length).collect();
    let shared = shared.trim_end_matches(|c: char| !c.is_alphabetic());
    if shared.chars().count() > 1 { shared.to_owned() } else { (*first).to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Document;

    /// A sawtooth with both flanks at 45° has slopes ±1 across its ridges: (2/π) ½. Along them it adds nothing.
    #[test]
    fn a_sawtooth_adds_across_its_ridges_and_not_along() {
        let slopes: Vec<DVec2> = (0..64).map(|i| DVec2::new(if i % 8 < 4 { 1.0 } else { -1.0 }, 0.0)).collect();
        let map = FacetMap::from_slopes(8, 8, &slopes).unwrap();
        let found = added(&map, 1.0).unwrap();
        assert!((found.most - FRAC_2_PI / 2.0).abs() < 0.05 && found.least < 1e-12, "{found:?}");
        assert!(!found.in_places);
        assert_eq!(added(&map, 2.0).unwrap().most, 2.0 * found.most);
    }

    #[test]
    fn an_emblem_is_told_apart_from_a_relief_that_is_everywhere() {
        let slopes: Vec<DVec2> = (0..256).map(|i| DVec2::new(if i % 16 == 3 { 0.5 } else { 0.0 }, 0.0)).collect();
        let found = added(&FacetMap::from_slopes(16, 16, &slopes).unwrap(), 1.0).unwrap();
        assert!(found.in_places && found.most > 0.1, "{found:?}");
    }

    #[test]
    fn bodies_with_one_relief_share_a_line() {
        assert_eq!(shared_name(&["oak_low", "oak_hit", "oak_top[0]"]), "oak");
        assert_eq!(shared_name(&["a", "b"]), "a");
        let text = r#"
            title = "Two rough boxes on a smooth floor"
            time = { dt = 0.01, end = 0.1 }
            pair_default.law = { kind = "facets", mu0 = 0.2, patch = { width = 0.02, resolution = 16 } }
            [body.floor]
            shape = { kind = "half_space" }
            motion = "static"
            [body.oak_low]
            shape = { kind = "box", size = [0.2, 0.2, 0.2] }
            position = [0, 0.1, 0]
            relief = { material = "sawtooth", period = 0.005, height = 0.0015, rise = 0.5 }
            [body.oak_high]
            shape = { kind = "box", size = [0.2, 0.2, 0.2] }
            position = [0, 0.3, 0]
            relief = { material = "sawtooth", period = 0.005, height = 0.0015, rise = 0.5 }
        "#;
        let scene = |set: &[(String, String)]| Document::parse(text, "x.toml").unwrap().scene(None, set).unwrap();
        let notes = relief_notes(&scene(&[]));
        assert_eq!(notes.len(), 1, "{notes:?}");
        // Flanks of 1.5 mm over half of 5 mm: slope 0.6, (2/π) ½ 0.6 = 0.19.
        assert_eq!(notes[0], "oak: adds 0.19 across its ridges, 0.00 along");
        let coulomb = scene(&[("pair_default.law".into(), "{ kind = \"coulomb\", mu = 0.3 }".into())]);
        assert!(relief_notes(&coulomb).is_empty(), "no law looks at facets");
    }
}
