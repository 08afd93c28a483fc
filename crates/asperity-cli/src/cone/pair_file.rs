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
//! structure_deg = 0           # grain, as an angle in the contact plane; or structure = [x, y, z]
//! tangent_deg = 0             # first axis of the surface's own frame
//! mu = 0.4                    # for laws that combine the coefficients of the surfaces
//! material = 1                # for pair tables
//! salience = 1                # strength of the facets
//! tensor = [[0.2, 0], [0, 1]] # or { plus = [[..], [..]], minus = [[..], [..]] }
//! slopes = [[0.1, 0.5]]       # facets: slopes in the contact plane; or slopes_csv = "file";
//!                             # or gaussian = { sigma = [0.1, 1], angle_deg = 0 }
//!
//! [slip]                      # optional: the slip whose force is asked for
//! velocity = [0.1, 0]         # m/s along t and b; or direction_deg and speed
//! spin = 0                    # rad/s about the normal
//! load = 1                    # N
//! ```

use std::path::Path;

use asperity_friction::model::FrictionModel;
use asperity_friction::tensor::SurfaceTensor;
use asperity_friction::{FrictionError, Symmetric2, Tangential};
use glam::{DVec2, DVec3};

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
        Some(_) => root.get("law")?.ok_or_else(|| missing_law(path))?,
        None => return Err(missing_law(path)),
    };
    let name = path.file_stem().map_or_else(|| "pair".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let mut pair = Pair::new(name, model);
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let sides = [root.section("a")?, root.section("b")?];
    if let Some(section) = &sides[0] {
        pair.a = surface(section, folder)?;
    }
    if let Some(section) = &sides[1] {
        pair.b = surface(section, folder)?;
    }
    if let Some(section) = root.section("slip")? {
        slip(&section, &mut pair)?;
    }
    match pair.check() {
        Ok(()) => Ok(pair),
        Err(error) => Err(locate(&document, &root, &sides, &pair, &error)),
    }
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

fn surface(section: &Section, folder: &Path) -> Result<Surface, CliError> {
    section.only(&[
        "structure",
        "structure_deg",
        "tangent_deg",
        "mu",
        "salience",
        "material",
        "tensor",
        "slopes",
        "slopes_csv",
        "gaussian",
    ])?;
    section.at_most_one(&["structure", "structure_deg"])?;
    section.at_most_one(&["slopes", "slopes_csv", "gaussian"])?;
    let plain = Surface::default();
    let structure = match section.numbers::<f64>("structure_deg")? {
        Some(angle) => direction(angle).extend(0.0),
        None => section.numbers::<[f64; 3]>("structure")?.map_or(plain.structure, DVec3::from_array),
    };
    Ok(Surface {
        material: section.get("material")?.unwrap_or(plain.material),
        tangent: section.numbers::<f64>("tangent_deg")?.map_or(plain.tangent, |a| direction(a).extend(0.0)),
        structure,
        mu: section.not_negative("mu")?.unwrap_or(plain.mu),
        salience: section.not_negative("salience")?.unwrap_or(plain.salience),
        tensor: tensor(section)?,
        facets: facets(section, folder)?,
    })
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
            let Some(plus) = inner.numbers::<Rows>("plus")? else {
                return Err(section.refuse("tensor", "`plus` is missing"));
            };
            (plus, inner.numbers::<Rows>("minus")?.unwrap_or(plus))
        }
        _ => section.numbers::<Rows>("tensor")?.map(|rows| (rows, rows)).unwrap_or_default(),
    };
    SurfaceTensor::asymmetric(plus, minus).map_err(|error| section.refuse("tensor", error.to_string()))
}

fn facets(section: &Section, folder: &Path) -> Result<SurfaceFacets, CliError> {
    if let Some(slopes) = section.numbers::<Vec<[f64; 2]>>("slopes")? {
        if slopes.is_empty() {
            return Err(section.refuse_value("slopes", "expected at least one slope"));
        }
        return Ok(SurfaceFacets::Patch(slopes.into_iter().map(DVec2::from_array).collect()));
    }
    if let Some(file) = section.get::<String>("slopes_csv")? {
        let slopes = slopes::read(&folder.join(file));
        return slopes.map(SurfaceFacets::Patch).map_err(|error| section.refuse("slopes_csv", error.to_string()));
    }
    let Some(inner) = section.section("gaussian")? else { return Ok(SurfaceFacets::Flat) };
    inner.only(&["sigma", "angle_deg"])?;
    let Some(sigma) = inner.numbers::<[f64; 2]>("sigma")? else {
        return Err(section.refuse("gaussian", "`sigma` is missing: two standard deviations of the slopes"));
    };
    if sigma.iter().any(|s| *s < 0.0) {
        return Err(inner.refuse_value("sigma", "must not be negative"));
    }
    let axis = direction(inner.numbers::<f64>("angle_deg")?.unwrap_or(0.0));
    Ok(SurfaceFacets::Gaussian(Symmetric2::from_eigen(sigma.map(|s| s * s), axis)))
}

fn slip(section: &Section, pair: &mut Pair) -> Result<(), CliError> {
    section.only(&["velocity", "direction_deg", "speed", "spin", "load"])?;
    section.at_most_one(&["velocity", "direction_deg"])?;
    section.at_most_one(&["velocity", "speed"])?;
    pair.load = section.not_negative("load")?.unwrap_or(pair.load);
    pair.speed = section.not_negative("speed")?.unwrap_or(pair.speed);
    let plane = match section.numbers::<[f64; 2]>("velocity")? {
        Some(velocity) => Some(DVec2::from_array(velocity)),
        None => section.numbers::<f64>("direction_deg")?.map(|angle| direction(angle) * pair.speed),
    };
    let spin = section.numbers::<f64>("spin")?;
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
