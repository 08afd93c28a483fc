//! Terrain: a height over a rectangle, as a mesh.
//!
//! Vertices (x, h(x, z), z) on a grid of cells, x along u from −size/2 to size/2 and −z along v, so that both are as on the upper face of
//! a box. Triangles look up.

use std::path::Path;

use glam::{DVec2, DVec3};

use super::{SceneShape, Shape};
use crate::expression::Expression;
use crate::geometry::{MeshData, TriangleMesh};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View, whole};

/// A recipe for a mesh.
pub(super) struct Terrain;

impl SceneShape for Terrain {
    const TABLE: Variant = Variant {
        name: "terrain",
        doc: "A mesh: a height over a rectangle around the origin, with texture coordinates, u along x and v along -z.",
        keys: &[
            Key::new("size", ValueKind::Numbers(2, Range::Positive), "Lengths along x and z.").unit("m").required(),
            Key::new("cells", ValueKind::Several(&ValueKind::Whole(1, 1024), 2), "Squares along x and z.").required(),
            Key::new("height", ValueKind::Formula(&["x", "z"]), "Height y: a formula of x and z.").unit("m").required(),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let [length, width] = view.node("size").and_then(|node| node.numbers::<2>()).unwrap_or([1.0; 2]);
        let counts: Vec<u32> = view.list("cells").iter().filter_map(|node| whole(node)?.try_into().ok()).collect();
        let [n, m] = counts[..] else { return Err(view.fault("cells", "expected 2 whole numbers")) };
        let text = view.text("height").unwrap_or("0");
        let height = Expression::parse(text, &["x", "z"]).map_err(|error| view.fault("height", error))?;
        let mut data = MeshData::default();
        for j in 0..=m {
            for i in 0..=n {
                let uv = DVec2::new(f64::from(i) / f64::from(n), f64::from(j) / f64::from(m));
                let (x, z) = (length * (uv.x - 0.5), width * (0.5 - uv.y));
                let y = height.value(&[x, z]);
                if !y.is_finite() {
                    return Err(view.fault("height", format!("\"{text}\" has no value at x = {x}, z = {z}")));
                }
                data.vertices.push(DVec3::new(x, y, z));
                data.uvs.push(uv);
            }
        }
        for j in 0..m {
            for i in 0..n {
                let a = j * (n + 1) + i;
                data.triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
            }
        }
        TriangleMesh::new(data).map(Shape::Mesh).map_err(|error| view.own_fault(error))
    }
}
