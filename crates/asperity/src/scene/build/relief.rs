//! Maps of facets: from images or generators.

use asperity_friction::field::Wrap;
use glam::DVec2;

use super::field::Site;
use crate::body::surface::{Pixels, read_pixels};
use crate::material::{Material, ridges};
use crate::patch::{FacetMap, Filter, Green, Salience};
use crate::table::{Fault, View};

/// The keys that give a body facets.
const KEYS: [&str; 3] = ["normal_map", "height_map", "relief"];

/// Whether a body of the scene has facets.
pub(super) fn any(scene: &View) -> bool {
    let bodies = scene.names("body").iter().filter_map(|entry| entry.node.table());
    bodies.into_iter().any(|body| KEYS.iter().any(|key| body.get(key).is_some_and(|node| node.table().is_some())))
}

/// The facets of a body; none if it has none.
pub(super) fn read(view: &View, site: &Site) -> Result<Option<FacetMap>, Fault> {
    // "none" is no table.
    let mut given = KEYS.iter().filter_map(|key| Some((*key, view.view(key)?)));
    let Some((key, inner)) = given.next() else { return Ok(None) };
    if let Some((second, _)) = given.next() {
        return Err(view.fault(second, format!("excludes `{}`: give one of them", view.path_of(key))));
    }
    site.needs_coordinates(view, key)?;
    let map = match key {
        "normal_map" => normals(&inner, site)?,
        "height_map" => heights(&inner, site)?,
        _ if inner.text("material") == Some("ridges") => return embossed(&inner, site).map(Some),
        _ => made(&inner)?,
    };
    Ok(Some(masked(map, &inner, site)?))
}

fn image(view: &View, key: &str, site: &Site) -> Result<Pixels, Fault> {
    let file = view.text(key).unwrap_or_default();
    read_pixels(&site.folder.join(file)).map_err(|error| view.fault(key, error))
}

fn normals(view: &View, site: &Site) -> Result<FacetMap, Fault> {
    let image = image(view, "file", site)?;
    let Some(colors) = image.normals() else {
        return Err(view.fault("file", "is a grey image: normals are red, green and blue (of heights, use height_map)"));
    };
    let green = if view.text("green") == Some("down") { Green::Down } else { Green::Up };
    let strength = view.number("strength").unwrap_or(1.0);
    let map = FacetMap::from_normals(image.width, image.height, &colors, green, strength);
    placed(map.map_err(|error| view.fault("file", error))?, view)
}

fn heights(view: &View, site: &Site) -> Result<FacetMap, Fault> {
    let image = image(view, "file", site)?;
    let Some(grey) = image.grey() else {
        return Err(view.fault("file", "is an image in colour: heights are grey (of normals, use normal_map)"));
    };
    let height = view.number("height").unwrap_or(0.0);
    let heights: Vec<f64> = grey.iter().map(|g| g * height).collect();
    let map = FacetMap::from_heights(image.width, image.height, &heights, [wrap(view); 2]);
    placed(map.map_err(|error| view.fault("file", error))?, view)
}

fn made(view: &View) -> Result<FacetMap, Fault> {
    // Keys that all reliefs have are not the material's own.
    let mut json = view.own_json();
    if let Some(table) = json.as_object_mut() {
        table.remove("strength");
        table.remove("mask");
    }
    let material: Material = serde_json::from_value(json).map_err(|error| view.own_fault(error))?;
    let relief = material.make().map_err(|error| view.own_fault(error))?;
    relief.map(view.number("strength").unwrap_or(1.0)).map_err(|error| view.own_fault(error))
}

/// Ridges around what an image shows.
fn embossed(view: &View, site: &Site) -> Result<FacetMap, Fault> {
    let image = image(view, "mask", site)?;
    let Some(grey) = image.grey() else {
        return Err(view.fault("mask", "is an image in colour: a mask is grey"));
    };
    let size = both(view, "size").unwrap_or(DVec2::ONE);
    let height = view.number("height").unwrap_or(1e-3);
    let edge = view.number("edge").unwrap_or(height.abs());
    let relief = ridges(image.width, image.height, &grey, size, height, edge, wrap(view))
        .map_err(|error| view.own_fault(error))?;
    let map = relief.map(view.number("strength").unwrap_or(1.0)).map_err(|error| view.own_fault(error))?;
    Ok(wrapped(map, view))
}

/// A number along each axis, or one for both.
fn both(view: &View, key: &str) -> Option<DVec2> {
    let node = view.node(key)?;
    node.numbers::<2>().map(DVec2::from_array).or(node.number().map(DVec2::splat))
}

/// What is beyond the image.
fn wrap(view: &View) -> Wrap {
    if view.text("wrap") == Some("clamp") { Wrap::Clamp } else { Wrap::Repeat }
}

fn wrapped(mut map: FacetMap, view: &View) -> FacetMap {
    map.set_wrap([wrap(view); 2]);
    map
}

/// With the tiles, the wrapping and the filter that the table says.
fn placed(map: FacetMap, view: &View) -> Result<FacetMap, Fault> {
    view.at_most_one(&["tiles", "size"])?;
    let map = match (both(view, "tiles"), both(view, "size")) {
        (_, Some(size)) => map.sized(size).map_err(|error| view.fault("size", error))?,
        (Some(tiles), None) => map.tiled(tiles).map_err(|error| view.fault("tiles", error))?,
        (None, None) => map,
    };
    let mut map = wrapped(map, view);
    if view.text("filter") == Some("nearest") {
        map.set_filter(Filter::Nearest);
    }
    Ok(map)
}

fn masked(map: FacetMap, view: &View, site: &Site) -> Result<FacetMap, Fault> {
    let salience = match view.text("mask") {
        None => return Ok(map),
        Some("edges") => Salience::Edges,
        Some(_) => {
            let image = image(view, "mask", site)?;
            let Some(values) = image.grey() else {
                return Err(view.fault("mask", "is an image in colour: a mask is grey"));
            };
            Salience::Image { width: image.width, height: image.height, values }
        }
    };
    map.with_salience(&salience).map_err(|error| view.fault("mask", error))
}
