//! The material pair as TOML.
//!
//! ```toml
//! [law]                       # any law of `asperity list laws`
//! kind = "matchstick"
//! mu = 0.5
//! mu_t = 0.2
//! mu_b = 1.0
//!
//! [a]                         # the surface on which the forces act; [b] is the other one
//! structure_deg = 0           # grain (structure), as an angle in the contact plane; or structure = [x, y, z]
//! tangent_deg = 0             # first axis of the surface's own frame
//! mu = 0.4                    # for laws that combine the coefficients of the surfaces; along and across the grain mu_t and
//!                             # mu_b, and of the drilling torque mu_tau
//! material = 1                # for pair tables
//! salience = 1                # strength of the facets
//! tensor = [[0.2, 0], [0, 1]] # or { plus = [[..], [..]], minus = [[..], [..]] }
//! slopes = [[0.1, 0.5]]       # facets: slopes in the contact plane; or normals = [[x, y, z]] in the surface's frame;
//!                             # or slopes_csv or normals_csv = "file"; or gaussian = { sigma = [0.1, 1], angle_deg = 0 }
//!
//! [slip]                      # optional: the slip whose force is asked for
//! velocity = [0.1, 0]         # m/s along t and b; or direction_deg and speed
//! spin = 0                    # rad/s about the normal
//! load = 1                    # N
//! ```
//!
//! `docs/pair-files.md` tells every key.

use std::path::Path;

use asperity_friction::model::FrictionModel;
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{FrictionError, Side, Symmetric2, Tangential};
use glam::{DMat2, DVec2, DVec3};

use super::document::{Document, Section};
use super::pair::{Pair, Surface, SurfaceFacets, direction};
use super::slopes;
use crate::error::CliError;

/// Reads a pair and checks that it has a law.
pub(crate) fn read(path: &Path) -> Result<Pair, CliError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| CliError::Input(format!("cannot read '{}': {error}", path.display())))?;
    let document = Document::parse(path, &text)?;
    let root = document.root();
    root.only(&["law", "a", "b", "slip"])?;
    let model: FrictionModel = match root.section("law")? {
        Some(_) => root.law("law")?.ok_or_else(|| missing_law(path))?,
        None => return Err(missing_law(path)),
    };
    let mut pair = Pair::new(stem(path), model);
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let sides = [root.section("a")?, root.section("b")?];
    if let Some(section) = &sides[0] {
        pair.a = surface(section, folder, Side::A)?;
    }
    if let Some(section) = &sides[1] {
        pair.b = surface(section, folder, Side::B)?;
    }
    if let Some(section) = root.section("slip")? {
        slip(&section, &mut pair)?;
    }
    match pair.check() {
        Ok(()) => Ok(pair),
        Err(error) => Err(locate(&document, &root, &sides, &pair, &error)),
    }
}

/// The name of a file without its ending.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "pair".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn missing_law(path: &Path) -> CliError {
    let example = "[law]\nkind = \"coulomb\"\nmu = 0.5";
    CliError::Input(format!("{}: the table [law] is missing; for example\n{example}", path.display()))
}

/// Points to the tensor that drives, or to the law.
fn locate(
    document: &Document,
    root: &Section,
    sides: &[Option<Section>; 2],
    pair: &Pair,
    error: &FrictionError,
) -> CliError {
    if matches!(error, FrictionError::Drives { .. }) {
        for (section, tensor) in sides.iter().zip([pair.a.tensor, pair.b.tensor]) {
            if let (Some(section), Err(own)) = (section, tensor.check()) {
                return section.refuse_value("tensor", own.to_string());
            }
        }
    }
    document.error(&root.span_of("law"), format!("law {}: {error}", pair.model.name()))
}

/// The keys of `[a]` and `[b]`.
pub(crate) const SURFACE_KEYS: [&str; 15] = [
    "structure",
    "structure_deg",
    "tangent_deg",
    "mu",
    "mu_t",
    "mu_b",
    "mu_tau",
    "salience",
    "material",
    "tensor",
    "normals",
    "normals_csv",
    "slopes",
    "slopes_csv",
    "gaussian",
];

/// Those that say what the facets are, each in its own way.
pub(crate) const FACET_KEYS: [&str; 5] = ["normals", "normals_csv", "slopes", "slopes_csv", "gaussian"];

/// The keys of `[slip]`.
pub(crate) const SLIP_KEYS: [&str; 5] = ["velocity", "direction_deg", "speed", "spin", "load"];

fn surface(section: &Section, folder: &Path, side: Side) -> Result<Surface, CliError> {
    section.only(&SURFACE_KEYS)?;
    section.at_most_one(&["structure", "structure_deg"])?;
    section.at_most_one(&FACET_KEYS)?;
    let plain = Surface::default();
    let structure = match section.get::<f64>("structure_deg")? {
        Some(angle) => direction(angle).extend(0.0),
        None => section.get::<[f64; 3]>("structure")?.map_or(plain.structure, DVec3::from_array),
    };
    let mut surface = Surface {
        material: section.get("material")?.unwrap_or(plain.material),
        tangent: section.get::<f64>("tangent_deg")?.map_or(plain.tangent, |a| direction(a).extend(0.0)),
        structure,
        mu: section.not_negative("mu")?.unwrap_or(plain.mu),
        mu_t: section.not_negative("mu_t")?,
        mu_b: section.not_negative("mu_b")?,
        mu_tau: section.not_negative("mu_tau")?.unwrap_or(plain.mu_tau),
        salience: section.not_negative("salience")?.unwrap_or(plain.salience),
        tensor: tensor(section)?,
        facets: SurfaceFacets::Flat,
        given: SURFACE_KEYS.into_iter().filter(|key| section.has(key)).collect(),
    };
    let axes = surface.axes(side).map_err(|error| section.refuse("tangent_deg", error.to_string()))?;
    surface.facets = facets(section, folder, axes)?;
    Ok(surface)
}

/// Rows of one matrix, or a table of two.
fn tensor(section: &Section) -> Result<SurfaceTensor, CliError> {
    if !section.has("tensor") {
        return Ok(SurfaceTensor::ZERO);
    }
    type Rows = [[f64; 2]; 2];
    let (plus, minus) = match section.section("tensor") {
        Ok(Some(inner)) => {
            inner.only(&["plus", "minus"])?;
            let Some(plus) = inner.get::<Rows>("plus")? else {
                return Err(section.refuse("tensor", "`plus` is missing"));
            };
            (plus, inner.get::<Rows>("minus")?.unwrap_or(plus))
        }
        Ok(None) | Err(_) => section.get::<Rows>("tensor")?.map(|rows| (rows, rows)).unwrap_or_default(),
    };
    SurfaceTensor::asymmetric(plus, minus).map_err(|error| section.refuse("tensor", error.to_string()))
}

fn facets(section: &Section, folder: &Path, axes: DMat2) -> Result<SurfaceFacets, CliError> {
    for (key, file) in [("slopes", false), ("slopes_csv", true)] {
        if let Some(slopes) = rows::<2>(section, key, file, folder)? {
            return Ok(SurfaceFacets::Patch(slopes.into_iter().map(DVec2::from_array).collect()));
        }
    }
    for (key, file) in [("normals", false), ("normals_csv", true)] {
        if let Some(normals) = rows::<3>(section, key, file, folder)? {
            let inward = |m: [f64; 3]| {
                let reason = "must point outward, its third component (along the normal) above zero";
                section.refuse(key, format!("[{}, {}, {}]: {reason}", m[0], m[1], m[2]))
            };
            return slopes::of_normals(&normals, axes).map(SurfaceFacets::Patch).map_err(inward);
        }
    }
    let Some(inner) = section.section("gaussian")? else { return Ok(SurfaceFacets::Flat) };
    inner.only(&["sigma", "angle_deg"])?;
    let Some(sigma) = inner.get::<[f64; 2]>("sigma")? else {
        return Err(section.refuse("gaussian", "`sigma` is missing: two standard deviations of the slopes"));
    };
    if sigma.iter().any(|s| *s < 0.0) {
        return Err(inner.refuse_value("sigma", "must not be negative"));
    }
    let axis = direction(inner.get::<f64>("angle_deg")?.unwrap_or(0.0));
    Ok(SurfaceFacets::Gaussian(Symmetric2::from_eigen(sigma.map(|s| s * s), axis)))
}

/// Rows of numbers, given in place or in a file.
fn rows<const N: usize>(
    section: &Section,
    key: &str,
    file: bool,
    folder: &Path,
) -> Result<Option<Vec<[f64; N]>>, CliError> {
    if file {
        let Some(name) = section.get::<String>(key)? else { return Ok(None) };
        return slopes::read(&folder.join(name)).map(Some).map_err(|error| section.refuse(key, error.to_string()));
    }
    // Someone who pastes a normal map.
    let hint = |error: CliError| match error {
        CliError::Input(message) if N == 2 && message.ends_with("list of 3 values") => {
            CliError::Input(format!("{message}; normals go into `normals = [[x, y, z], ...]`"))
        }
        other => other,
    };
    match section.get::<Vec<[f64; N]>>(key).map_err(hint)? {
        Some(rows) if rows.is_empty() => Err(section.refuse_value(key, "expected at least one row")),
        rows => Ok(rows),
    }
}

fn slip(section: &Section, pair: &mut Pair) -> Result<(), CliError> {
    section.only(&SLIP_KEYS)?;
    section.at_most_one(&["velocity", "direction_deg"])?;
    section.at_most_one(&["velocity", "speed"])?;
    pair.load = section.not_negative("load")?.unwrap_or(pair.load);
    pair.speed = section.not_negative("speed")?.unwrap_or(pair.speed);
    let plane = match section.get::<[f64; 2]>("velocity")? {
        Some(velocity) => Some(DVec2::from_array(velocity)),
        None => section.get::<f64>("direction_deg")?.map(|angle| direction(angle) * pair.speed),
    };
    let spin = section.get::<f64>("spin")?;
    if plane == Some(DVec2::ZERO) && spin.unwrap_or(0.0) == 0.0 {
        let key = if section.has("velocity") { "velocity" } else { "speed" };
        return Err(section.refuse_value(key, "must not be zero: at rest friction has no one force"));
    }
    if let Some(velocity) = plane.filter(|v| *v != DVec2::ZERO) {
        pair.speed = velocity.length();
    }
    if plane.is_some() || spin.is_some() {
        let spin = spin.unwrap_or(0.0);
        pair.slip = Some(Tangential { spin, ..Tangential::planar(plane.unwrap_or(DVec2::ZERO)) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity_friction::model::MODELS;

    const REFERENCE: &str = include_str!("../../../../docs/pair-files.md");

    /// The rows of the tables below a heading, each starting with its key.
    fn keys_below(heading: &str) -> Vec<&'static str> {
        let (_, section) = REFERENCE.split_once(&format!("\n{heading}")).unwrap_or_else(|| panic!("no {heading}"));
        let section = section.split("\n#").next().unwrap_or_default();
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
    }

    #[test]
    fn the_reference_tells_every_key_and_no_other() {
        assert_eq!(sorted(keys_below("## Surfaces")), sorted(SURFACE_KEYS.to_vec()));
        assert_eq!(sorted(keys_below("## Slip")), sorted(SLIP_KEYS.to_vec()));
        for entry in MODELS {
            let told = sorted(keys_below(&format!("### `{}`\n", entry.name)));
            let examples = (entry.examples)().iter().map(|e| serde_json::to_value(e).unwrap()).collect::<Vec<_>>();
            let known = examples.iter().flat_map(|e| e.as_object().unwrap().keys()).filter(|key| *key != "kind");
            let mut known = sorted(known.map(String::as_str).collect());
            known.dedup();
            assert_eq!(told, known, "{}", entry.name);
        }
    }

    fn sorted(mut keys: Vec<&str>) -> Vec<&str> {
        keys.sort_unstable();
        keys
    }
}
