//! Surfaces without a thickness, for cloth: grid, disc, tube and half-pipe ([`MeshData`] has the makers).

use std::path::Path;

use super::{SceneShape, Shape};
use crate::geometry::error::ShapeError;
use crate::geometry::{MeshData, TriangleMesh};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View, whole};

const LENGTH: ValueKind = ValueKind::Number(Range::Positive);
const CELLS: ValueKind = ValueKind::Several(&ValueKind::Whole(1, 1024), 2);

/// A recipe for a mesh.
pub(super) struct Grid;

/// A recipe for a mesh.
pub(super) struct Disc;

/// A recipe for a mesh.
pub(super) struct Tube;

/// A recipe for a mesh.
pub(super) struct HalfPipe;

/// The two numbers of cells.
fn cells(view: &View) -> Result<[u32; 2], Fault> {
    let counts: Vec<u32> = view.list("cells").iter().filter_map(|node| whole(node)?.try_into().ok()).collect();
    let [n, m] = counts[..] else { return Err(view.fault("cells", "expected 2 whole numbers")) };
    Ok([n, m])
}

fn shape(view: &View, data: Result<MeshData, ShapeError>) -> Result<Shape, Fault> {
    data.and_then(TriangleMesh::new).map(Shape::Mesh).map_err(|error| view.own_fault(error))
}

impl SceneShape for Grid {
    const TABLE: Variant = Variant {
        name: "grid",
        doc: "A mesh: a flat rectangle of triangles around the origin, looking along y, with texture coordinates, u along x and v along -z. For cloth.",
        keys: &[
            Key::new("size", ValueKind::Numbers(2, Range::Positive), "Lengths along x and z.").unit("m").required(),
            Key::new("cells", CELLS, "Squares along x and z, of two triangles each.").required(),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let size = view.node("size").and_then(|node| node.numbers::<2>()).unwrap_or([1.0; 2]);
        shape(view, MeshData::grid(size, cells(view)?))
    }
}

impl SceneShape for Disc {
    const TABLE: Variant = Variant {
        name: "disc",
        doc: "A mesh: a flat disc of triangles around the origin, looking along y, with texture coordinates, u along x and v along -z. For cloth.",
        keys: &[
            Key::new("radius", LENGTH, "Its radius.").unit("m").required(),
            Key::new("rings", ValueKind::Whole(1, 1024), "Rings of triangles around its centre.").required(),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let rings = view.whole("rings").map_or(1, |n| n as u32);
        shape(view, MeshData::disc(view.number("radius").unwrap_or(1.0), rings))
    }
}

impl SceneShape for Tube {
    const TABLE: Variant = Variant {
        name: "tube",
        doc: "A mesh: a tube around the y axis without ends and without a thickness, u along y and v around it. For cloth.",
        keys: &[
            Key::new("radius", LENGTH, "Its radius.").unit("m").required(),
            Key::new("length", LENGTH, "Its length.").unit("m").required(),
            Key::new("cells", CELLS, "Squares along it and around it.").required(),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let number = |key: &str| view.number(key).unwrap_or(1.0);
        shape(view, MeshData::tube(number("radius"), number("length"), cells(view)?))
    }
}

impl SceneShape for HalfPipe {
    const TABLE: Variant = Variant {
        name: "half_pipe",
        doc: "A mesh: half of a tube around the z axis that is open above, u around it and v along -z.",
        keys: &[
            Key::new("radius", LENGTH, "Its radius.").unit("m").required(),
            Key::new("length", LENGTH, "Its length.").unit("m").required(),
            Key::new("cells", CELLS, "Squares around it and along it.").required(),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let number = |key: &str| view.number(key).unwrap_or(1.0);
        shape(view, MeshData::half_pipe(number("radius"), number("length"), cells(view)?))
    }
}
