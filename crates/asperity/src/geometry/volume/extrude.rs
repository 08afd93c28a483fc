//! Flat triangles pulled along an axis: layers of prisms, each cut into three tetrahedra.
//!
//! The square sides of a prism are cut along the diagonal from the corner with the lowest number at the bottom, which
//! both neighbours agree on.

use glam::{DVec2, DVec3};

use super::mesh::TetMesh;

/// A flat mesh, anticlockwise seen from above.
#[derive(Clone, Debug, Default)]
pub(in crate::geometry) struct Flat {
    pub(in crate::geometry) vertices: Vec<DVec2>,
    pub(in crate::geometry) triangles: Vec<[u32; 3]>,
}

/// Layers of prisms along y, from −height/2 to height/2; the flat mesh lies in the z-x plane, so that its normal is y.
pub(super) fn extrude(flat: &Flat, height: f64, layers: u32) -> TetMesh {
    let count = flat.vertices.len() as u32;
    let mut mesh = TetMesh::default();
    for layer in 0..=layers {
        let y = height * (f64::from(layer) / f64::from(layers) - 0.5);
        mesh.vertices.extend(flat.vertices.iter().map(|p| DVec3::new(p.y, y, p.x)));
    }
    for layer in 0..layers {
        for triangle in &flat.triangles {
            // The lowest number first, in the same order around.
            let first = (0..3).min_by_key(|k| triangle[*k]).unwrap_or(0);
            let [a, b, c] = std::array::from_fn(|k| triangle[(first + k) % 3] + layer * count);
            let [d, e, f] = [a, b, c].map(|vertex| vertex + count);
            // From a, the lowest, diagonals go to e and f; that of the third side starts at the lower of b and c.
            mesh.tets.push([a, d, e, f]);
            if b < c {
                mesh.tets.extend([[a, b, c, f], [a, b, f, e]]);
            } else {
                mesh.tets.extend([[a, b, c, e], [a, c, f, e]]);
            }
        }
    }
    mesh
}
