//! Quadratic tetrahedra: a node in the middle of every edge.

use std::collections::BTreeMap;

use glam::DVec3;

use super::error::VolumeError;
use super::mesh::{FACES, TetMesh, boundary_faces};

/// Corners of the edges of a quadratic tetrahedron, in the order of its nodes 4 to 9: that of VTK.
pub const TET_EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];

/// Nodes and tetrahedra with ten nodes: four corners, then one on each edge in the order of [`TET_EDGES`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuadraticTetMesh {
    /// Nodes, in m.
    pub vertices: Vec<DVec3>,
    /// Ten nodes of each tetrahedron.
    pub tets: Vec<[u32; 10]>,
}

/// A mesh whose kind a file decides.
#[derive(Clone, Debug, PartialEq)]
pub enum VolumeMesh {
    /// Of linear tetrahedra.
    Linear(TetMesh),
    /// Of quadratic tetrahedra.
    Quadratic(QuadraticTetMesh),
}

impl TetMesh {
    /// The same mesh with a node in the middle of every edge; the vertices it had come first.
    pub fn quadratic(&self) -> QuadraticTetMesh {
        let mut vertices = self.vertices.clone();
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                vertices.push(0.5 * (self.vertices[a as usize] + self.vertices[b as usize]));
                vertices.len() as u32 - 1
            })
        };
        let mut tets = Vec::with_capacity(self.tets.len());
        for corners in &self.tets {
            let edges = TET_EDGES.map(|[a, b]| middle(corners[a], corners[b]));
            tets.push(std::array::from_fn(|node| if node < 4 { corners[node] } else { edges[node - 4] }));
        }
        QuadraticTetMesh { vertices, tets }
    }
}

impl QuadraticTetMesh {
    /// The corners of each tetrahedron, without the nodes on its edges.
    pub fn corner_tets(&self) -> Vec<[u32; 4]> {
        self.tets.iter().map(|[a, b, c, d, ..]| [*a, *b, *c, *d]).collect()
    }

    /// The faces of the boundary: three corners, anticlockwise seen from outside, then the nodes after the first, the
    /// second and the third.
    pub fn boundary(&self) -> Result<Vec<[u32; 6]>, VolumeError> {
        let faces = boundary_faces(&self.corner_tets())?;
        let nodes = |face: &super::mesh::Face| {
            let (tet, corners) = (&self.tets[face.tet], FACES[face.face]);
            std::array::from_fn(|k| match k {
                0..3 => tet[corners[k]],
                _ => tet[4 + edge(corners[k - 3], corners[(k - 2) % 3])],
            })
        };
        Ok(faces.iter().map(nodes).collect())
    }

    /// The boundary as triangles between nodes: four for each face.
    pub fn boundary_triangles(&self) -> Result<Vec<[u32; 3]>, VolumeError> {
        let split = |[a, b, c, ab, bc, ca]: [u32; 6]| [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
        Ok(self.boundary()?.into_iter().flat_map(split).collect())
    }
}

/// Which of the edges joins two corners.
fn edge(a: usize, b: usize) -> usize {
    TET_EDGES.iter().position(|edge| edge.contains(&a) && edge.contains(&b)).unwrap_or(0)
}
