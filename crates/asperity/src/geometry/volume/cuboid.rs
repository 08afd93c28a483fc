//! Boxes of cells that are cut into five tetrahedra each.
//!
//! One tetrahedron lies in the middle, with the other four on its faces; neighbours are mirror images of each other, so
//! that diagonals meet. With an even number of cells along an axis the mesh is its own mirror image there: a symmetric
//! load has a symmetric answer, which the cut into six along one diagonal does not give. In cubes all dihedral angles
//! lie between 54.7 and 90 degrees.

use glam::DVec3;

use super::error::{VolumeError, at_least, not_too_many, positive};
use super::mesh::TetMesh;

/// The five tetrahedra of an even cell; bit 0 of a corner is x, bit 1 y, bit 2 z.
const EVEN: [[usize; 4]; 5] = [[0, 5, 3, 6], [0, 1, 3, 5], [0, 3, 2, 6], [0, 6, 4, 5], [3, 6, 5, 7]];

impl TetMesh {
    /// A box of this size about the origin, with this many cells along each axis: five tetrahedra a cell.
    pub fn cuboid(size: DVec3, cells: [u32; 3]) -> Result<Self, VolumeError> {
        for (name, value) in [("size.x", size.x), ("size.y", size.y), ("size.z", size.z)] {
            positive(name, value)?;
        }
        for (name, value) in ["cells.x", "cells.y", "cells.z"].into_iter().zip(cells) {
            at_least(name, value, 1)?;
        }
        let [nx, ny, nz] = cells;
        not_too_many(&[nx, ny, nz, 5])?;
        let mut mesh = Self::default();
        let at = |k: u32, n: u32| f64::from(k) / f64::from(n) - 0.5;
        for k in 0..=nz {
            for j in 0..=ny {
                for i in 0..=nx {
                    mesh.vertices.push(size * DVec3::new(at(i, nx), at(j, ny), at(k, nz)));
                }
            }
        }
        let vertex = |i: u32, j: u32, k: u32| (k * (ny + 1) + j) * (nx + 1) + i;
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    let flip = usize::from((i + j + k) % 2 == 1);
                    for tet in EVEN {
                        // The mirror image in x has its corners in the opposite order.
                        let [a, b, c, d] = tet.map(|corner| corner ^ flip);
                        let tet = if flip == 1 { [a, c, b, d] } else { [a, b, c, d] };
                        let bit = |corner: usize, axis: usize| (corner >> axis & 1) as u32;
                        mesh.tets.push(tet.map(|c| vertex(i + bit(c, 0), j + bit(c, 1), k + bit(c, 2))));
                    }
                }
            }
        }
        Ok(mesh)
    }
}
