//! Sheets: thin slabs with many vertices, as a mesh, for flags, belts and waves that formulas move.
//!
//! Two grids of cells, at y = thickness/2 and y = -thickness/2, x from -size/2 to size/2, joined at the rim: a closed surface. On the upper side u runs along x and v
//! along -z, as on the upper face of a box; on the lower one u runs along -x and v along -z, so that an image is upright and readable on both sides.

use std::path::Path;

use glam::{DVec2, DVec3};

use super::{SceneShape, Shape};
use crate::geometry::{MeshData, TriangleMesh};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View, whole};

/// A recipe for a mesh.
pub(super) struct Sheet;

impl SceneShape for Sheet {
    const TABLE: Variant = Variant {
        name: "sheet",
        doc: "A mesh: a thin slab around the origin with many vertices and texture coordinates, for `motion = { vertices = … }`.",
        keys: &[
            Key::new("size", ValueKind::Numbers(2, Range::Positive), "Lengths along x and z.").unit("m").required(),
            Key::new("cells", ValueKind::Several(&ValueKind::Whole(1, 1024), 2), "Squares along x and z.").required(),
            Key::new("thickness", ValueKind::Number(Range::Positive), "Length along y.").unit("m").required(),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let [length, width] = view.node("size").and_then(|node| node.numbers::<2>()).unwrap_or([1.0; 2]);
        let counts: Vec<u32> = view.list("cells").iter().filter_map(|node| whole(node)?.try_into().ok()).collect();
        let [n, m] = counts[..] else { return Err(view.fault("cells", "expected 2 whole numbers")) };
        let thickness = view.number("thickness").unwrap_or(1.0);
        let data = slab(DVec3::new(length, thickness, width), [n, m]);
        TriangleMesh::new(data).map(Shape::Mesh).map_err(|error| view.own_fault(error))
    }
}

/// A slab of this size with n × m cells on its upper and on its lower side.
fn slab(size: DVec3, [n, m]: [u32; 2]) -> MeshData {
    let mut data = MeshData::default();
    for side in [0.5, -0.5] {
        for j in 0..=m {
            for i in 0..=n {
                let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(m));
                data.vertices.push(size * DVec3::new(u - 0.5, side, 0.5 - v));
                data.uvs.push(DVec2::new(if side > 0.0 { u } else { 1.0 - u }, v));
            }
        }
    }
    // The vertex below vertex k of the upper side.
    let below = |k: u32| k + (n + 1) * (m + 1);
    let at = |i: u32, j: u32| j * (n + 1) + i;
    for j in 0..m {
        for i in 0..n {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            data.triangles.extend([[a, b, c], [a, c, d]]);
            data.triangles.extend([[a, c, b], [a, d, c]].map(|triangle| triangle.map(below)));
        }
    }
    // The edges of the rim, anticlockwise seen from above.
    let along_x = (0..n).flat_map(|i| [[at(i, 0), at(i + 1, 0)], [at(i + 1, m), at(i, m)]]);
    let along_z = (0..m).flat_map(|j| [[at(n, j), at(n, j + 1)], [at(0, j + 1), at(0, j)]]);
    for [p, q] in along_x.chain(along_z) {
        data.triangles.extend([[q, p, below(p)], [q, below(p), below(q)]]);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_closed_and_has_the_volume_of_a_slab() {
        for cells in [[1, 1], [3, 2], [40, 7]] {
            let size = DVec3::new(1.6, 0.02, 0.9);
            let mesh = TriangleMesh::new(slab(size, cells)).unwrap();
            assert!(mesh.closed().is_ok(), "{cells:?}");
            let skin = Shape::Mesh(mesh).skin(8);
            assert!((skin.volume() - size.element_product()).abs() < 1e-15, "{cells:?}: {}", skin.volume());
            // Normals lie against no triangle, and tangents along ±x on both sides.
            for (triangle, side) in skin.triangles.iter().zip([1.0, 1.0, -1.0, -1.0].into_iter().cycle()).take(4) {
                let corner = triangle[0] as usize;
                assert!((skin.normals[corner] - DVec3::Y * side).length() < 1e-12);
                assert!((skin.tangents[corner] - DVec3::X * side).length() < 1e-12);
            }
        }
    }
}
