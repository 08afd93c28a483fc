//! The nearest known name to a misspelt one.
//!
//! ```
//! use asperity::nearest::did_you_mean;
//!
//! assert_eq!(did_you_mean("matchstik", ["coulomb", "matchstick"]), "; did you mean `matchstick`?");
//! assert_eq!(did_you_mean("ball", ["box", "sphere"]), "; did you mean `sphere`?");    // what others call it
//! assert_eq!(did_you_mean("zebra", ["coulomb", "matchstick"]), "");
//! ```

/// The candidate that `name` most likely meant; none if all are too far from it.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let spelt = name.to_lowercase().replace('-', "_");
    // One slip in three letters, and two in any short name, is still a misspelling.
    let limit = (spelt.chars().count() / 3).max(2);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&spelt, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// What others call things: a word, and our words for it, the likeliest first.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("ball", &["sphere"]),
    ("cube", &["box"]),
    ("cuboid", &["box"]),
    ("block", &["box"]),
    ("plane", &["half_space", "box"]),
    ("floor", &["half_space", "box"]),
    ("ground", &["half_space", "box"]),
    ("convex", &["hull"]),
    ("convex_hull", &["hull"]),
    ("trimesh", &["mesh"]),
    ("rotate", &["turn", "axis"]),
    ("rotation", &["turn"]),
    ("orientation", &["turn"]),
    ("quaternion", &["turn"]),
    ("euler", &["turn"]),
    ("translate", &["position"]),
    ("translation", &["position"]),
    ("pos", &["position"]),
    ("origin", &["position"]),
    ("friction", &["mu", "law"]),
    ("coefficient", &["mu"]),
    ("static_friction", &["mu", "law"]),
    ("grain", &["structure"]),
    ("fibre", &["structure"]),
    ("fiber", &["structure"]),
    ("direction", &["structure", "axis", "along"]),
    ("weight", &["mass", "density"]),
    ("bounce", &["restitution"]),
    ("bounciness", &["restitution"]),
    ("elasticity", &["restitution"]),
    ("speed", &["velocity"]),
    ("spin", &["angular_velocity"]),
    ("omega", &["angular_velocity"]),
    ("half_extents", &["size"]),
    ("extents", &["size"]),
    ("dimensions", &["size"]),
    ("width", &["size"]),
    ("texture", &["color_map", "normal_map"]),
    ("image", &["color_map", "file"]),
    ("bump_map", &["height_map", "normal_map"]),
    ("displacement_map", &["height_map"]),
    ("colour", &["color"]),
    ("fixed", &["motion", "static"]),
    ("kinematic", &["scripted", "motion"]),
    ("timestep", &["dt"]),
    ("step", &["dt"]),
    ("duration", &["end"]),
    ("revolute", &["hinge"]),
    ("prismatic", &["slider"]),
    ("spherical", &["ball"]),
    ("weld", &["fixed"]),
    ("rope", &["distance"]),
    ("rod", &["distance"]),
    ("pgs", &["projected_gauss_seidel"]),
    ("lcp", &["pivoting"]),
    ("friction_cone", &["coulomb"]),
    ("isotropic", &["coulomb"]),
    ("normalmap", &["facets"]),
];

/// What another word for it is among the candidates.
fn synonym<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let spelt = name.to_lowercase().replace('-', "_");
    let (_, ours) = SYNONYMS.iter().find(|(word, _)| *word == spelt)?;
    ours.iter().find_map(|word| candidates.iter().copied().find(|candidate| candidate == word))
}

/// "; did you mean `x`?", or nothing.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let found = synonym(name, &candidates).or_else(|| nearest(name, candidates.iter().copied()));
    found.map_or_else(String::new, |found| format!("; did you mean `{found}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_recognised_and_strangers_are_not() {
        let names = ["matchstick", "facets", "tensor", "ipc", "mu", "mu_t"];
        assert_eq!(nearest("matchstik", names), Some("matchstick"));
        assert_eq!(nearest("Facet", names), Some("facets"));
        assert_eq!(nearest("mu-t", names), Some("mu_t"));
        assert_eq!(nearest("icp", names), Some("ipc"));
        assert_eq!(nearest("zebra", names), None);
    }

    #[test]
    fn other_words_lead_to_ours_where_these_can_stand() {
        assert_eq!(did_you_mean("Plane", ["sphere", "box", "half_space"]), "; did you mean `half_space`?");
        assert_eq!(did_you_mean("plane", ["sphere", "box"]), "; did you mean `box`?");
        assert_eq!(did_you_mean("plane", ["sphere"]), "");
        assert_eq!(did_you_mean("half-extents", ["radius", "size"]), "; did you mean `size`?");
        for (i, (word, ours)) in SYNONYMS.iter().enumerate() {
            assert!(!ours.is_empty() && SYNONYMS[..i].iter().all(|(other, _)| other != word), "{word} is there twice");
        }
    }
}
