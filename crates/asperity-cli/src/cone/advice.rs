//! What a law reads of the surfaces and was not given, and what was given and the law does not read: both draw a figure
//! that looks right and is not what was meant.

use asperity_friction::Side;
use asperity_friction::model::{Combine, FrictionModel};
use serde::Deserialize;

use super::law_text::{Layer, layers, leaves};
use super::pair::{Pair, Surface};
use super::pair_file::{FACET_KEYS, SURFACE_KEYS};

const GRAIN: [&str; 2] = ["structure", "structure_deg"];
const SIDES: [(Side, &str, &str); 2] = [(Side::A, "a", "A"), (Side::B, "b", "B")];

/// Lines for standard error, each "warning: ..." or "note: ...".
pub(crate) fn advice(pair: &Pair) -> Vec<String> {
    let layers = layers(&pair.model, [pair.a.material, pair.b.material]);
    let mut lines: Vec<String> = layers.last().and_then(|law| missing(law, pair)).into_iter().collect();
    for (side, name, _) in SIDES {
        lines.extend(ignored(pair, side).iter().map(|own| format!("warning: {} {name}.{}: ignored", own.why, own.key)));
    }
    lines
}

fn surface(pair: &Pair, side: Side) -> &Surface {
    match side {
        Side::A => &pair.a,
        Side::B => &pair.b,
    }
}

/// The keys of a surface that a law without another one inside reads.
pub(crate) fn reads(law: &Layer, side: Side) -> Vec<&'static str> {
    let name = if side == Side::A { "a" } else { "b" };
    match law.kind.as_str() {
        "coulomb" if law.number("mu").is_none() => vec!["mu"],
        "anisotropic" | "lagged" if law.text("axes") == Some(&format!("on_{name}")) => {
            [&GRAIN[..], &["tangent_deg"], &combined(law)].concat()
        }
        "measured" if law.text("on") == Some(name) => vec!["tangent_deg"],
        "coulomb" | "measured" => Vec::new(),
        "anisotropic" | "lagged" | "scaled" => combined(law),
        "matchstick" => [&GRAIN[..], &combined(law)].concat(),
        "tensor_rule" | "tensor_cone" => vec!["tensor", "tangent_deg"],
        "facets" => {
            // The box may lie along the grain.
            let grain = if law.text("axes") == Some("structure") { &GRAIN[..] } else { &[] };
            [&FACET_KEYS[..], grain, &["salience", "tangent_deg"], &combined(law)].concat()
        }
        // A law that this list does not know may read anything.
        _ => SURFACE_KEYS.to_vec(),
    }
}

/// Whether a law, or one inside it, reads a key of a surface. A table turns laws around for materials in the other order.
pub(crate) fn read_by(model: &FrictionModel, side: Side, key: &str) -> bool {
    let leaves = leaves(model);
    let layers = layers(model, [0, 0]);
    let table = layers.iter().any(|layer| layer.kind == "pair_table");
    let sides = if table { &[Side::A, Side::B][..] } else { std::slice::from_ref(&side) };
    let scaled = layers.iter().filter(|layer| layer.kind == "scaled");
    leaves.iter().chain(scaled).any(|law| sides.iter().any(|side| reads(law, *side).contains(&key)))
}

/// The coefficients of the surfaces that a law combines: where it has the name of a rule in place of a number.
fn combined(law: &Layer) -> Vec<&'static str> {
    let data = &law.data;
    let coefficients = match law.kind.as_str() {
        "anisotropic" | "lagged" => vec![(&data["mu"][0], "mu_t"), (&data["mu"][1], "mu_b")],
        "facets" => vec![(&data["mu0"], "mu")],
        "scaled" => vec![(&data["strength"], "mu")],
        _ => {
            let spin = &data["spin"];
            let torques = [(&spin["isotropic"], "mu_tau"), (&spin["parallel"], "mu_tau")];
            [(&data["mu"], "mu"), (&data["mu_t"], "mu_t"), (&data["mu_b"], "mu_b")].into_iter().chain(torques).collect()
        }
    };
    let mut keys: Vec<&str> = coefficients.iter().filter(|(given, _)| given.is_string()).map(|(_, key)| *key).collect();
    // A surface that has no coefficient along or across its grain has `mu` there.
    if keys.iter().any(|key| ["mu_t", "mu_b"].contains(key)) {
        keys.push("mu");
    }
    keys
}

/// A key of a surface that is given and that no law reads.
struct Ignored {
    key: &'static str,
    /// What does not read it.
    why: String,
}

fn ignored(pair: &Pair, side: Side) -> Vec<Ignored> {
    let (leaves, layers) = (leaves(&pair.model), layers(&pair.model, [pair.a.material, pair.b.material]));
    let table = layers.iter().any(|l| l.kind == "pair_table");
    let read = |key: &str| if key == "material" { table } else { read_by(&pair.model, side, key) };
    let why = |key: &str| match (&leaves[..], key) {
        ([law], "mu") if law.kind == "coulomb" => {
            format!("law coulomb has mu = {} of its own and does not read", law.number("mu").unwrap_or(0.0))
        }
        ([law], _) => format!("law {} does not read", law.kind),
        _ => "no law of the table reads".into(),
    };
    surface(pair, side)
        .given
        .iter()
        .copied()
        .filter(|key| !read(key))
        .map(|key| Ignored { key, why: why(key) })
        .collect()
}

/// What the law needs and does not have, and what it does instead.
fn missing(law: &Layer, pair: &Pair) -> Option<String> {
    let lacks = |keys: &[&str]| SIDES.map(|(side, ..)| !surface(pair, side).has(keys));
    let kind = &law.kind;
    match kind.as_str() {
        "coulomb" if law.number("mu").is_none() => coulomb(law, lacks(&["mu"])),
        "matchstick" => matchstick(law, lacks(&GRAIN)),
        "tensor_rule" | "tensor_cone" => tensors(law, lacks(&["tensor"])),
        "anisotropic" | "lagged" => {
            let reads = |(side, ..): &(Side, _, _)| reads(law, *side).contains(&"structure_deg");
            let (side, key, name) = SIDES.into_iter().find(reads)?;
            let axes = !surface(pair, side).has(&[&GRAIN[..], &["tangent_deg"]].concat());
            axes.then(|| {
                format!(
                    "warning: law {kind} reads {key}.structure_deg; it is not given: {name}'s structure is taken along t"
                )
            })
        }
        "facets" if lacks(&FACET_KEYS) == [true, true] => {
            let mu0 = law.number("mu0").unwrap_or(0.0);
            let what = if mu0 == 0.0 { "no friction".into() } else { format!("only mu0 = {mu0} resists") };
            Some(format!("warning: law facets reads normals, slopes or gaussian of a and b; none is given: {what}"))
        }
        _ => None,
    }
}

fn coulomb(law: &Layer, lacks: [bool; 2]) -> Option<String> {
    let combine = Combine::deserialize(&law.data["combine"]).unwrap_or_default();
    let start = "warning: law coulomb without mu reads a.mu and b.mu;";
    let absent = match lacks {
        [true, true] => return Some(format!("{start} neither is given: no friction")),
        [true, false] => "a.mu",
        [false, true] => "b.mu",
        [false, false] => return None,
    };
    // What two surfaces with coefficient 1 and 0 become tells whether anything is left.
    let what = if combine.apply(1.0, 0.0) == 0.0 { "no friction" } else { "it counts as 0" };
    Some(format!("{start} {absent} is not given: {what}"))
}

fn matchstick(law: &Layer, lacks: [bool; 2]) -> Option<String> {
    let isotropic = || format!("isotropic friction with mu = {}", law.number("mu").unwrap_or(0.0));
    let (absent, other) = match lacks {
        [true, true] => {
            let start = "warning: law matchstick reads a.structure_deg and b.structure_deg (the grain, or structure);";
            return Some(format!("{start} neither is given: {}", isotropic()));
        }
        [true, false] => ("A", "B"),
        [false, true] => ("B", "A"),
        [false, false] => return None,
    };
    Some(match law.text("missing") {
        Some("isotropic") => format!("note: {absent} has no structure: {}", isotropic()),
        _ => format!("note: {absent} has no structure: {other}'s alone decides"),
    })
}

fn tensors(law: &Layer, lacks: [bool; 2]) -> Option<String> {
    let start = format!("warning: law {} reads a.tensor and b.tensor;", law.kind);
    let (absent, other) = match lacks {
        [true, true] => return Some(format!("{start} neither is given: no friction")),
        [true, false] => ("a", "B"),
        [false, true] => ("b", "A"),
        [false, false] => return None,
    };
    match law.data["composition"]["additive"]["kappa"].as_f64() {
        Some(1.0) => Some(format!("note: {absent}.tensor is not given: {other}'s alone decides")),
        Some(kappa) => {
            Some(format!("{start} {absent}.tensor is not given: {other}'s alone counts, times kappa = {kappa}"))
        }
        None => Some(format!("{start} {absent}.tensor is not given: no friction")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity_friction::model::MODELS;

    #[test]
    fn every_law_that_wraps_none_is_known() {
        for model in MODELS.iter().flat_map(|m| (m.examples)()) {
            for law in leaves(&model) {
                let known = SIDES.iter().all(|(side, ..)| reads(&law, *side).len() < SURFACE_KEYS.len());
                assert!(known, "say in `reads` what law {} reads", law.kind);
            }
        }
    }
}
