//! Grid: a flat sheet of triangles without a thickness, for cloth.
//!
//! Vertices (x, 0, z) on a grid of cells, x along u from −size/2 to size/2 and −z along v, as on the upper face of a box; triangles look up. The
//! diagonals of neighbouring cells cross: a mesh whose diagonals all go one way is stiffer along them.

use std::path::Path;

use glam::{DVec2, DVec3};

use super::{SceneShape, Shape};
use crate::geometry::{MeshData, TriangleMesh};
use crate::table::{Fault, Key, Range, ValueKind, Variant, View, whole};

/// A recipe for a mesh.
pub(super) struct Grid;

impl SceneShape for Grid {
    const TABLE: Variant = Variant {
        name: "grid",
        doc: "A mesh: a flat rectangle of triangles around the origin, looking along y, with texture coordinates, u along x and v along -z. For cloth.",
        keys: &[
            Key::new("size", ValueKind::Numbers(2, Range::Positive), "Lengths along x and z.").unit("m").required(),
            Key::new(
                "cells",
                ValueKind::Several(&ValueKind::Whole(1, 1024), 2),
                "Squares along x and z, of two triangles each.",
            )
            .required(),
        ],
    };

    fn read(view: &View, _folder: &Path) -> Result<Shape, Fault> {
        let [length, width] = view.node("size").and_then(|node| node.numbers::<2>()).unwrap_or([1.0; 2]);
        let counts: Vec<u32> = view.list("cells").iter().filter_map(|node| whole(node)?.try_into().ok()).collect();
        let [n, m] = counts[..] else { return Err(view.fault("cells", "expected 2 whole numbers")) };
        TriangleMesh::new(grid([length, width], [n, m])).map(Shape::Mesh).map_err(|error| view.own_fault(error))
    }
}

/// A flat grid with n × m cells.
fn grid([length, width]: [f64; 2], [n, m]: [u32; 2]) -> MeshData {
    let mut data = MeshData::default();
    for j in 0..=m {
        for i in 0..=n {
            let uv = DVec2::new(f64::from(i) / f64::from(n), f64::from(j) / f64::from(m));
            data.vertices.push(DVec3::new(length * (uv.x - 0.5), 0.0, width * (0.5 - uv.y)));
            data.uvs.push(uv);
        }
    }
    for j in 0..m {
        for i in 0..n {
            let a = j * (n + 1) + i;
            let [b, c, d] = [a + 1, a + n + 2, a + n + 1];
            data.triangles.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_looks_up_and_has_the_area_of_its_rectangle() {
        let mesh = TriangleMesh::new(grid([2.0, 3.0], [4, 5])).unwrap();
        assert_eq!((mesh.data().vertices.len(), mesh.data().triangles.len()), (30, 40));
        let areas = (0..40).map(|i| mesh.corners(i)).map(|[a, b, c]| 0.5 * (b - a).cross(c - a));
        let area: DVec3 = areas.inspect(|area| assert!(area.y > 0.0)).sum();
        assert!((area - DVec3::Y * 6.0).length() < 1e-12);
    }
}
