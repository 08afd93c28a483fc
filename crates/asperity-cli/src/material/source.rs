//! Where a relief comes from: a generator or an image.

use std::path::Path;

use asperity::body::surface::read_pixels;
use asperity::material::{MATERIALS, Material, Relief};
use asperity::nearest::did_you_mean;
use asperity::patch::{FacetMap, Filter, Green};
use asperity::record::file_name;
use glam::DVec2;

use crate::error::CliError;

/// A relief and its name.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) relief: Relief,
}

impl Source {
    /// A material by name with parameters set, or an image of this size in metres.
    pub(super) fn read(name: &str, set: &[String], height: Option<f64>, size: f64) -> Result<Self, CliError> {
        let path = Path::new(name);
        let image = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
        let relief = if image {
            if let Some(given) = set.first() {
                return Err(CliError::Input(format!("--set {given}: an image has no parameters")));
            }
            read_image(path, height, size)?
        } else {
            if height.is_some() {
                return Err(CliError::Input(
                    "--height: for images of heights only; --set height=… for a material".into(),
                ));
            }
            made(name, set)?
        };
        Ok(Self { name: name.to_owned(), relief })
    }

    /// Name of its files.
    pub(super) fn stem(&self) -> String {
        let stem = Path::new(&self.name).file_stem();
        file_name(&stem.map_or_else(|| self.name.as_str().into(), |stem| stem.to_string_lossy()))
    }
}

fn made(name: &str, set: &[String]) -> Result<Relief, CliError> {
    let Some(material) = Material::named(name) else {
        let hint = did_you_mean(name, MATERIALS.iter().map(|(name, _)| *name));
        return Err(CliError::Input(format!("there is no material {name}{hint}; `asperity material` lists them")));
    };
    let refused = |error: &dyn std::fmt::Display| CliError::Input(format!("material {name}: {error}"));
    let mut data = serde_json::to_value(&material).map_err(|error| refused(&error))?;
    for given in set {
        let wrong = || CliError::Input(format!("--set {given}: expected KEY=VALUE, such as ra=1e-4"));
        let (key, value) = given.split_once('=').ok_or_else(wrong)?;
        let table: toml::Table = format!("value = {value}").parse().map_err(|_| wrong())?;
        let value = serde_json::to_value(&table["value"]).map_err(|_| wrong())?;
        let Some(slot) = data.get_mut(key).filter(|_| key != "material") else {
            let keys: Vec<&str> = data.as_object().into_iter().flat_map(|t| t.keys()).map(String::as_str).collect();
            let keys: Vec<&str> = keys.into_iter().filter(|k| *k != "material").collect();
            let hint = did_you_mean(key, keys.iter().copied());
            return Err(CliError::Input(format!(
                "--set {given}: {name} has no {key}{hint} (it has {})",
                keys.join(", ")
            )));
        };
        *slot = value;
    }
    let material: Material = serde_json::from_value(data).map_err(|error| refused(&error))?;
    material.make().map_err(|error| refused(&error))
}

fn read_image(path: &Path, height: Option<f64>, size: f64) -> Result<Relief, CliError> {
    let input = |error: &dyn std::fmt::Display| CliError::Input(format!("'{}': {error}", path.display()));
    let plain = |error: &dyn std::fmt::Display| CliError::Input(error.to_string());
    if !(1e-6..=1e6).contains(&size) {
        return Err(CliError::Input(format!("--size {size}: expected from 1e-6 to 1e6 m")));
    }
    let image = read_pixels(path).map_err(|error| plain(&error))?;
    let size = DVec2::splat(size);
    if let Some(height) = height {
        if !(height.is_finite() && height.abs() <= 1e6) {
            return Err(CliError::Input(format!("--height {height}: expected a length in metres")));
        }
        let grey = image
            .grey()
            .ok_or_else(|| input(&"is in colour: heights are grey; leave out --height for a normal map"))?;
        return Ok(Relief::from_heights(image.width, image.height, size, grey.iter().map(|g| g * height).collect()));
    }
    let colors = image.normals().ok_or_else(|| input(&"is grey: of heights, say --height"))?;
    let mut map =
        FacetMap::from_normals(image.width, image.height, &colors, Green::Up, 1.0).map_err(|error| input(&error))?;
    map.set_filter(Filter::Nearest);
    let (w, h) = (image.width as usize, image.height as usize);
    let texel = |k: usize| {
        let (i, j) = ((k % w) as f64, (k / w) as f64);
        map.at(DVec2::new((i + 0.5) / w as f64, 1.0 - (j + 0.5) / h as f64)).numbers
    };
    Ok(Relief::from_texels(image.width, image.height, size, texel))
}
