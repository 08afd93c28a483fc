//! A mesh of linear tetrahedra: checks, volume, boundary.

use glam::DVec3;

use super::error::VolumeError;

/// Corners and tetrahedra.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetMesh {
    /// Corners, in m.
    pub vertices: Vec<DVec3>,
    /// Four corners of each tetrahedron; its volume is positive.
    pub tets: Vec<[u32; 4]>,
}

/// Corners of the faces of a tetrahedron, anticlockwise seen from outside; face k is opposite corner 3 − k.
pub(super) const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// Six times the signed volume.
pub(super) fn determinant(corners: [DVec3; 4]) -> f64 {
    let [a, b, c, d] = corners;
    (b - a).dot((c - a).cross(d - a))
}

/// A face of one tetrahedron.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Its corners, sorted.
    key: [u32; 3],
    /// The tetrahedron.
    pub(super) tet: usize,
    /// Which of its faces.
    pub(super) face: usize,
}

impl TetMesh {
    /// The places of the corners of a tetrahedron.
    pub fn corners(&self, tet: usize) -> [DVec3; 4] {
        self.tets[tet].map(|vertex| self.vertices[vertex as usize])
    }

    /// Finite places, corners that are there, positive volumes.
    pub fn check(&self) -> Result<(), VolumeError> {
        if self.tets.is_empty() {
            return Err(VolumeError::Empty);
        }
        if let Some(vertex) = self.vertices.iter().position(|place| !place.is_finite()) {
            return Err(VolumeError::NotFinite { vertex });
        }
        let count = self.vertices.len();
        for (tet, corners) in self.tets.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|vertex| **vertex as usize >= count) {
                return Err(VolumeError::VertexOutOfRange { tet, vertex, count });
            }
            let volume = determinant(self.corners(tet)) / 6.0;
            let solid = volume > 0.0;
            if !solid {
                return Err(VolumeError::Inverted { tet, corners: *corners, volume });
            }
        }
        Ok(())
    }

    /// The volume in m³.
    pub fn volume(&self) -> f64 {
        (0..self.tets.len()).map(|tet| determinant(self.corners(tet)) / 6.0).sum()
    }

    /// The triangles of the boundary, anticlockwise seen from outside, in the order of their tetrahedra.
    pub fn boundary(&self) -> Result<Vec<[u32; 3]>, VolumeError> {
        let faces = boundary_faces(&self.tets)?;
        Ok(faces.iter().map(|face| FACES[face.face].map(|corner| self.tets[face.tet][corner])).collect())
    }
}

/// The faces that one tetrahedron has alone, in the order of the tetrahedra.
pub(super) fn boundary_faces(tets: &[[u32; 4]]) -> Result<Vec<Face>, VolumeError> {
    let mut faces: Vec<Face> = Vec::with_capacity(4 * tets.len());
    for (tet, corners) in tets.iter().enumerate() {
        for (face, &ids) in FACES.iter().enumerate() {
            let mut key = ids.map(|corner| corners[corner]);
            key.sort_unstable();
            faces.push(Face { key, tet, face });
        }
    }
    faces.sort_unstable_by_key(|face| (face.key, face.tet));
    let mut boundary = Vec::new();
    for same in faces.chunk_by(|a, b| a.key == b.key) {
        let opposed = |a: &Face, b: &Face| odd(tets, a) != odd(tets, b);
        match same {
            [alone] => boundary.push(*alone),
            [first, second] if opposed(first, second) => {}
            [first, second, ..] => {
                // Of three or more, two are on the same side.
                let second = same[1..].iter().find(|other| !opposed(first, other)).unwrap_or(second);
                return Err(VolumeError::Overlap { first: first.tet, second: second.tet, face: first.key });
            }
            [] => {}
        }
    }
    boundary.sort_unstable_by_key(|face| (face.tet, face.face));
    Ok(boundary)
}

/// Whether the outward order of the corners of a face is an odd permutation of its sorted corners.
fn odd(tets: &[[u32; 4]], face: &Face) -> bool {
    let [a, b, c] = FACES[face.face].map(|corner| tets[face.tet][corner]);
    (a > b) ^ (b > c) ^ (a > c)
}
