//! Flat faces of rigid bodies, which are cut into triangles.
//!
//! What touches a flat face touches the face: how it is cut must not matter. So a vertex counts once for each face, by the triangle of it that
//! is nearest: its potential is that of the distance to the whole face, and has no jump where the vertex passes over a cut or around a
//! corner of a triangle. Edges inside a face, and vertices inside it, touch nothing themselves ([`Surfaces::is_flat`]).

use glam::DVec3;

use super::surfaces::Surfaces;
use crate::barrier::{face_region, face_square};
use crate::geometry::proximity::PairKind;
use crate::geometry::surface::Candidate;

/// A vertex with a face, by the triangle of it that is nearest so far.
struct Nearest {
    face: u32,
    square: f64,
    candidate: Candidate,
}

impl Surfaces {
    /// Of the candidates of a vertex with the triangles of one face, the nearest alone. They are sorted by kind and vertices.
    pub(super) fn once_a_face(&self, near: &[Candidate], positions: &[DVec3]) -> Vec<Candidate> {
        let mut out = Vec::with_capacity(near.len());
        let mut of_vertex: Vec<Nearest> = Vec::new();
        let mut vertex = u32::MAX;
        for candidate in near {
            let cut =
                candidate.kind == PairKind::VertexTriangle && self.rigid[self.body(candidate.vertices[1]) as usize];
            let triangle = candidate.triangle.filter(|_| cut);
            let Some(triangle) = triangle else {
                out.push(*candidate);
                continue;
            };
            if candidate.vertices[0] != vertex {
                vertex = candidate.vertices[0];
                out.extend(of_vertex.drain(..).map(|own| own.candidate));
            }
            let face = self.face[triangle as usize];
            let points = candidate.vertices.map(|i| positions[i as usize]);
            let square = face_square(&points, face_region(points[0], [points[1], points[2], points[3]]));
            match of_vertex.iter_mut().find(|own| own.face == face) {
                Some(own) if square < own.square => (own.square, own.candidate) = (square, *candidate),
                Some(_) => (),
                None => of_vertex.push(Nearest { face, square, candidate: *candidate }),
            }
        }
        out.extend(of_vertex.iter().map(|own| own.candidate));
        out
    }
}
