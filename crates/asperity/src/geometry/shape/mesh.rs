//! Mesh: a triangle surface, from a file or from lists ([`TriangleMesh`] has the surface itself).

use std::path::Path;

use glam::DVec3;

use super::ContactBody;
use super::{SceneShape, Shape, ShapeKind, around};
use crate::geometry::error::ShapeError;
use crate::geometry::mass::Moments;
use crate::geometry::skin::{SkinDetail, SkinMesh, mesh};
use crate::geometry::{Aabb, MeshData, Pose, TriangleMesh};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View, whole};

/// A place.
pub(super) const POINT: ValueKind = ValueKind::Numbers(3, Range::Any);
/// The file of a mesh or of the points of a hull.
pub(super) const FILE: Key = Key::new(
    "file",
    ValueKind::Text,
    "A surface, beside the scene: OBJ, STL, PLY, glTF, legacy VTK or Gmsh (the last two as ASCII).",
);
/// How much larger it is than the file or the lists say.
pub(super) const SCALE: Key = Key::new(
    "scale",
    ValueKind::Either(&[ValueKind::Number(Range::Positive), ValueKind::Numbers(3, Range::Positive)]),
    "Factor of all lengths, or one for each axis.",
)
.or("1");

impl ShapeKind for TriangleMesh {
    fn aabb(&self, pose: &Pose) -> Aabb {
        around(&self.data().vertices, pose)
    }

    #[inline]
    fn bounds(&self) -> Aabb {
        TriangleMesh::bounds(self)
    }

    #[inline]
    fn reach(&self) -> f64 {
        TriangleMesh::reach(self)
    }

    fn moments(&self) -> Result<Moments, ShapeError> {
        self.closed()?;
        Moments::inside((0..self.data().triangles.len()).map(|i| self.corners(i)))
    }

    #[inline]
    fn contact_body(&self) -> ContactBody<'_> {
        ContactBody::Surface(self)
    }

    fn skin(&self, _detail: &SkinDetail) -> SkinMesh {
        mesh::mesh(self)
    }

    fn is_textured(&self) -> bool {
        !self.data().uvs.is_empty()
    }

    fn has_surface(&self) -> bool {
        true
    }

    fn least_width(&self) -> f64 {
        f64::INFINITY
    }
}

impl SceneShape for TriangleMesh {
    const TABLE: Variant = Variant {
        name: "mesh",
        doc: "A triangle surface. It stops bodies from outside.",
        keys: &[
            FILE,
            Key::new("vertices", ValueKind::List(&POINT, 3), "Corners.").unit("m"),
            Key::new(
                "triangles",
                ValueKind::List(&ValueKind::Several(&ValueKind::Whole(0, u32::MAX as u64), 3), 1),
                "Corner numbers, anticlockwise seen from outside.",
            ),
            SCALE,
        ],
    };

    fn read(view: &View, folder: &Path) -> Result<Shape, Fault> {
        one_source(view, &["vertices", "file"])?;
        view.at_most_one(&["triangles", "file"])?;
        let mesh = if view.has("file") { from_file(view, folder)? } else { from_lists(view)? };
        Ok(Shape::Mesh(mesh))
    }
}

fn from_file(view: &View, folder: &Path) -> Result<TriangleMesh, Fault> {
    let (read, scale) = (file(view, folder)?, scale(view));
    if scale == DVec3::ONE {
        return Ok(read);
    }
    let mut data = read.data().clone();
    data.vertices = scaled(data.vertices, scale);
    // Normals go with the inverse: across a surface that is stretched along it they stay across.
    data.normals.iter_mut().for_each(|normal| *normal = (*normal / scale).normalize_or(*normal));
    TriangleMesh::new(data).map_err(|error| view.fault("file", error))
}

fn from_lists(view: &View) -> Result<TriangleMesh, Fault> {
    if !view.has("triangles") {
        return Err(view.own_fault("`triangles` is missing"));
    }
    let mut triangles = Vec::new();
    for node in view.list("triangles") {
        let corners: Vec<u32> =
            node.list().unwrap_or_default().iter().filter_map(|n| whole(n)?.try_into().ok()).collect();
        triangles.extend(<[u32; 3]>::try_from(corners));
    }
    let vertices = scaled(points(view, "vertices"), scale(view));
    TriangleMesh::new(MeshData { vertices, triangles, ..MeshData::default() }).map_err(|error| view.own_fault(error))
}

/// Exactly one of the keys must be there.
pub(super) fn one_source(view: &View, keys: &[&str]) -> Result<(), Fault> {
    view.at_most_one(keys)?;
    match keys.iter().any(|key| view.has(key)) {
        true => Ok(()),
        false => Err(view.own_fault(format!("`{}` is missing", keys.join("` or `")))),
    }
}

/// The mesh of the key `file`.
pub(super) fn file(view: &View, folder: &Path) -> Result<TriangleMesh, Fault> {
    let path = folder.join(view.text("file").unwrap_or_default());
    TriangleMesh::read(&path).map_err(|error| view.fault("file", error))
}

/// The points of a list.
pub(super) fn points(view: &View, key: &str) -> Vec<DVec3> {
    view.list(key).iter().filter_map(|node| node.numbers::<3>()).map(DVec3::from_array).collect()
}

/// The factors of the key `scale`.
pub(super) fn scale(view: &View) -> DVec3 {
    view.vector("scale").unwrap_or_else(|| DVec3::splat(view.number("scale").unwrap_or(1.0)))
}

/// Points times factors.
pub(super) fn scaled(mut points: Vec<DVec3>, scale: DVec3) -> Vec<DVec3> {
    points.iter_mut().for_each(|point| *point *= scale);
    points
}
