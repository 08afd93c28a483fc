//! Pairs of elements that may collide, before their distance is looked at.

use glam::DVec3;

use super::mesh::CollisionMesh;
use crate::geometry::proximity::PairKind;
use crate::geometry::surface::Candidate;

/// Pairs of elements that share no vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidates {
    /// Vertices with triangles, edges with edges.
    pub elements: Vec<Candidate>,
    /// Vertices with edges, in the plane: the vertex and the number of the edge.
    pub edge_vertex: Vec<[u32; 2]>,
}

impl Candidates {
    /// All pairs of a mesh: for small meshes, and to compare other searches with.
    pub fn all(mesh: &CollisionMesh) -> Self {
        let mut elements = Vec::new();
        for (number, corners) in mesh.faces().iter().enumerate() {
            let [a, b, c] = *corners;
            let apart = (0..mesh.rest().len() as u32).filter(|vertex| !corners.contains(vertex));
            elements.extend(apart.map(|vertex| Candidate {
                kind: PairKind::VertexTriangle,
                vertices: [vertex, a, b, c],
                triangle: Some(number as u32),
            }));
        }
        for (number, [a, b]) in mesh.edges().iter().enumerate() {
            let later = mesh.edges()[number + 1..].iter().filter(|ends| !ends.contains(a) && !ends.contains(b));
            elements.extend(later.map(|[c, d]| Candidate {
                kind: PairKind::EdgeEdge,
                vertices: [*a, *b, *c, *d],
                triangle: None,
            }));
        }
        Self { elements, edge_vertex: Vec::new() }
    }

    /// All pairs of a polyline in the plane: vertices with edges.
    pub fn all_planar(mesh: &CollisionMesh) -> Self {
        let vertices = 0..mesh.rest().len() as u32;
        let of_edge = |(edge, ends): (usize, &[u32; 2])| {
            let ends = *ends;
            vertices.clone().filter(move |vertex| !ends.contains(vertex)).map(move |vertex| [vertex, edge as u32])
        };
        let edge_vertex = mesh.edges().iter().enumerate().flat_map(of_edge).collect();
        Self { elements: Vec::new(), edge_vertex }
    }

    /// Those that were already found, as by [`crate::geometry::surface::SurfaceSet::near`].
    pub fn of(elements: Vec<Candidate>) -> Self {
        Self { elements, edge_vertex: Vec::new() }
    }
}

/// The largest fraction of straight ways on which no pair of candidates comes nearer than `dmin` plus the fraction `share` of what
/// they have above it where they start.
pub fn step_bound(candidates: &[Candidate], from: &[DVec3], to: &[DVec3], dmin: f64, share: f64) -> f64 {
    let bound = |own: &Candidate| {
        let motion = crate::geometry::ccd::Motion {
            from: own.vertices.map(|i| from[i as usize]),
            to: own.vertices.map(|i| to[i as usize]),
        };
        crate::geometry::ccd::free_fraction(own.kind, &motion, dmin, share)
    };
    candidates.iter().map(bound).fold(1.0, f64::min)
}
