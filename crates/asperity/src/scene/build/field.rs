//! Fields of surfaces: directions, formulas, images.

use std::path::Path;
use std::sync::Arc;

use asperity_friction::field::{Constant, Field, PerVertex, StructureField, Wrap};
use glam::{DVec2, DVec3};

use crate::body::surface::{Formula, Needs, SurfaceField, Timeline, TimelineKey, read_texture};
use crate::geometry::{Shape, SkinLookup};
use crate::scene::plain;
use crate::scene::plain::Item;
use crate::table::Node;
use crate::table::{Fault, View, whole};

/// Where a field is: the folder of the scene, and the surface it is on.
pub(super) struct Site<'a> {
    pub(super) folder: &'a Path,
    pub(super) shape: &'a Shape,
}

/// How an image lies on the texture coordinates.
pub(super) struct ImagePlacing {
    /// Along u and v.
    pub(super) wrap: [Wrap; 2],
    /// Images along a unit of u and v.
    pub(super) tiles: DVec2,
}

impl ImagePlacing {
    /// The keys `wrap` and `tiles`.
    pub(super) fn read(view: &View) -> Self {
        let wrap = |text: Option<&str>| if text == Some("clamp") { Wrap::Clamp } else { Wrap::Repeat };
        let wrap = match view.list("wrap") {
            [u, v] => [wrap(u.text()), wrap(v.text())],
            _ => [wrap(view.text("wrap")); 2],
        };
        let tiles = view.node("tiles").and_then(|tiles| {
            let several = tiles.numbers::<2>().map(DVec2::from_array);
            several.or(tiles.number().map(DVec2::splat))
        });
        Self { wrap, tiles: tiles.unwrap_or(DVec2::ONE) }
    }
}

impl Site<'_> {
    /// The field below a key; none if there is none.
    pub(super) fn read(&self, view: &View, key: &str) -> Result<Option<SurfaceField>, Fault> {
        let field = if let Some(direction) = view.vector(key) {
            (direction != DVec3::ZERO).then(|| Field::Constant(Constant { direction }).into())
        } else {
            match (view.text(key), view.view(key)) {
                (Some("none"), _) | (None, None) => None,
                (Some("uv"), _) => Some(SurfaceField::Skin),
                (Some(text), _) => Some(formula(view, key, text)?),
                (None, Some(inner)) => Some(self.table(view, key, &inner)?),
            }
        };
        if let Some(field) = &field
            && field.needs() == Needs::Coordinates
            && !self.shape.is_textured()
        {
            return Err(view.fault(key, self.no_coordinates()));
        }
        Ok(field)
    }

    /// Refuses what needs texture coordinates where there are none.
    pub(super) fn needs_coordinates(&self, view: &View, key: &str) -> Result<(), Fault> {
        if self.shape.is_textured() { Ok(()) } else { Err(view.fault(key, self.no_coordinates())) }
    }

    pub(super) fn no_coordinates(&self) -> String {
        format!("needs texture coordinates, and this {} has none: {}", self.shape.name(), advice(self.shape))
    }

    /// The skin, if one of the fields asks for it, or something else does.
    pub(super) fn skin(&self, fields: [&Option<SurfaceField>; 2], wanted: bool) -> Option<Arc<SkinLookup>> {
        let needed = wanted || fields.into_iter().flatten().any(|field| field.needs() > Needs::Place);
        needed.then(|| Arc::new(SkinLookup::new(self.shape)))
    }

    fn table(&self, view: &View, key: &str, inner: &View) -> Result<SurfaceField, Fault> {
        match inner.text("field").unwrap_or_default() {
            "texture" => self.texture(inner),
            "formula" => formula(inner, "direction", inner.text("direction").unwrap_or_default()),
            "timeline" => {
                let mut keys = Vec::new();
                for key in inner.views("keys") {
                    keys.push(TimelineKey { t: key.number("t").unwrap_or(0.0), field: self.read(&key, "structure")? });
                }
                let blend = inner.truth("blend").unwrap_or(false);
                let timeline = Timeline::new(keys, blend).map_err(|error| inner.fault("keys", error))?;
                Ok(SurfaceField::Timeline(Arc::new(timeline)))
            }
            "per_vertex" => self.per_vertex(inner),
            _ => {
                let Some(item) = Item::of(view, key) else { return Err(view.fault(key, "is missing")) };
                let field = plain::field(&item).map_err(|(place, message)| Fault { place, message })?;
                Ok(field.into())
            }
        }
    }

    fn texture(&self, view: &View) -> Result<SurfaceField, Fault> {
        let file = view.text("file").unwrap_or_default();
        // Cheaper than reading the image, and the better message.
        if !self.shape.is_textured() {
            let (name, advice) = (self.shape.name(), advice(self.shape));
            return Err(
                view.fault("file", format!("an image needs texture coordinates, and this {name} has none: {advice}"))
            );
        }
        let mut texture = read_texture(&self.folder.join(file)).map_err(|error| view.fault("file", error))?;
        let ImagePlacing { wrap, tiles } = ImagePlacing::read(view);
        (texture.wrap, texture.tiles) = (wrap, tiles);
        texture.validate().map_err(|error| view.own_fault(error))?;
        Ok(SurfaceField::Texture(texture))
    }

    fn per_vertex(&self, view: &View) -> Result<SurfaceField, Fault> {
        let Shape::Mesh(mesh) = self.shape else {
            let name = self.shape.name();
            return Err(view.fault("field", format!("a per_vertex field needs a mesh, and this is a {name}")));
        };
        let data = mesh.data();
        let directions: Vec<DVec3> =
            view.list("directions").iter().filter_map(|node| node.numbers::<3>()).map(DVec3::from_array).collect();
        let triangles: Vec<[u32; 3]> = match view.has("triangles") {
            true => {
                let corners = |node: &Node| {
                    let all: Option<Vec<u32>> = node.list()?.iter().map(|n| whole(n)?.try_into().ok()).collect();
                    <[u32; 3]>::try_from(all?).ok()
                };
                view.list("triangles").iter().filter_map(corners).collect()
            }
            false => data.triangles.clone(),
        };
        let own = !view.has("triangles");
        if own && directions.len() != data.vertices.len() {
            let (given, vertices) = (directions.len(), data.vertices.len());
            return Err(view.fault("directions", format!("a list of {given}, and the mesh has {vertices} vertices")));
        }
        if triangles.len() != data.triangles.len() {
            let (given, count) = (triangles.len(), data.triangles.len());
            return Err(view.fault("triangles", format!("a list of {given}, and the mesh has {count} triangles")));
        }
        let field = Field::PerVertex(PerVertex { directions, triangles });
        field.validate().map_err(|error| view.own_fault(error))?;
        Ok(field.into())
    }
}

fn formula(view: &View, key: &str, text: &str) -> Result<SurfaceField, Fault> {
    let formula = Formula::parse(text).map_err(|error| view.fault(key, error))?;
    Ok(SurfaceField::Formula(Arc::new(formula)))
}

fn advice(shape: &Shape) -> &'static str {
    match shape {
        Shape::Hull(_) => "use a mesh with vt lines instead of a hull",
        _ => "an OBJ file has them as vt lines",
    }
}
