//! What a search finds: the same collision again and again, once for every pair of elements that has it. Equal ones are
//! merged.
//!
//! A vertex near an edge is found with both triangles of the edge and with other edges of the vertex, so that several
//! are found for each that is left: they are kept small, and what follows from their vertices is worked out for those
//! that are left.

use super::collision::{Collision, Edges, StencilKind};
use super::mesh::CollisionMesh;
use super::region::EdgesRegion;

/// A collision as it is found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    weight: f64,
    vertices: [u32; 4],
    kind: StencilKind,
    /// For two edges: which parts of them are nearest.
    region: EdgesRegion,
}

/// What is no pair of edges has no parts of them.
const NO_REGION: EdgesRegion = EdgesRegion { a: None, b: None };

impl Found {
    /// Two vertices.
    #[inline]
    pub(super) fn vertices(a: u32, b: u32, weight: f64) -> Self {
        let vertices = [a.min(b), a.max(b), u32::MAX, u32::MAX];
        Self { weight, vertices, kind: StencilKind::VertexVertex, region: NO_REGION }
    }

    /// A vertex and an edge.
    #[inline]
    pub(super) fn edge(vertex: u32, [a, b]: [u32; 2], weight: f64) -> Self {
        Self { weight, vertices: [vertex, a, b, u32::MAX], kind: StencilKind::EdgeVertex, region: NO_REGION }
    }

    /// A vertex and a triangle.
    #[inline]
    pub(super) fn face(vertices: [u32; 4], weight: f64) -> Self {
        Self { weight, vertices, kind: StencilKind::FaceVertex, region: NO_REGION }
    }

    /// Two edges, the one with the smaller number first.
    #[inline]
    pub(super) fn edges(vertices: [u32; 4], region: EdgesRegion, weight: f64) -> Self {
        Self { weight, vertices, kind: StencilKind::EdgeEdge, region }
    }

    /// What comes after kind and first vertex in the order of collisions: the other vertices, and the parts of edges.
    #[inline]
    fn rest(&self) -> u128 {
        let part = |end: Option<u8>| end.map_or(0, |end| u128::from(end) + 1);
        let vertices = self.vertices[1..].iter().fold(0, |sum, vertex| sum << 32 | u128::from(*vertex));
        (vertices << 8) | (3 * part(self.region.a) + part(self.region.b))
    }

    fn collision(&self, mesh: &CollisionMesh) -> Collision {
        let Self { weight, vertices, kind, region } = *self;
        let edges = (kind == StencilKind::EdgeEdge).then(|| Edges { region, eps: mesh.threshold(&vertices) });
        Collision { kind, vertices, plane: u32::MAX, weight, edges }
    }
}

/// The collisions sorted by kind and vertices, each once with the sum of its weights; those whose weights cancel are
/// left out. Equal ones are added in their order, so that sums are those of any run.
pub(super) fn merged(list: &[Found], mesh: &CollisionMesh) -> Vec<Collision> {
    let Grouped { mut sorted, ends } = by_first_vertex(list);
    let mut merged: Vec<Found> = Vec::with_capacity(list.len() / 2);
    let mut begin = 0;
    for end in ends {
        // What has the same kind and first vertex stands together, and is little.
        let group = &mut sorted[begin..end as usize];
        group.sort_by_key(Found::rest);
        let mut last = None;
        for own in &*group {
            let rest = own.rest();
            match merged.last_mut().filter(|_| last == Some(rest)) {
                Some(first) => first.weight += own.weight,
                None => merged.push(*own),
            }
            last = Some(rest);
        }
        begin = end as usize;
    }
    merged.iter().filter(|own| own.weight != 0.0).map(|own| own.collision(mesh)).collect()
}

/// What was found, sorted by kind and first vertex, and where those with the same ones end.
struct Grouped {
    sorted: Vec<Found>,
    ends: Vec<u32>,
}

/// Sorts by kind and first vertex, by counting; equal ones stay in their order.
fn by_first_vertex(list: &[Found]) -> Grouped {
    let vertices = list.iter().map(|own| own.vertices[0] as usize + 1).max().unwrap_or(0);
    let bucket = |own: &Found| own.kind as usize * vertices + own.vertices[0] as usize;
    let mut ends = vec![0u32; list.iter().map(|own| bucket(own) + 2).max().unwrap_or(0)];
    list.iter().for_each(|own| ends[bucket(own) + 1] += 1);
    (1..ends.len()).for_each(|k| ends[k] += ends[k - 1]);
    let mut sorted = list.to_vec();
    // What is the beginning of a group at first is its end when all have their place.
    for own in list {
        let place = &mut ends[bucket(own)];
        sorted[*place as usize] = *own;
        *place += 1;
    }
    Grouped { sorted, ends }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    /// Equal ones are added, and other parts of the same two edges are another collision.
    #[test]
    fn what_is_found_twice_is_merged_by_all_that_it_is() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ONE];
        let mesh = CollisionMesh::new(points.to_vec(), vec![[0, 1], [2, 3]], Vec::new()).unwrap();
        let ends = [None, Some(0), Some(1)];
        let regions = || ends.into_iter().flat_map(|a| ends.map(|b| EdgesRegion { a, b }));
        let once: Vec<Found> = regions().map(|region| Found::edges([0, 1, 2, 3], region, 1.5)).collect();
        let vertices = [Found::vertices(3, 1, 1.0), Found::vertices(1, 3, -1.0), Found::vertices(2, 3, 0.25)];
        let all: Vec<Found> = once.iter().chain(&vertices).chain(once.iter().rev()).copied().collect();
        let merged = merged(&all, &mesh);
        // The two of vertices 1 and 3 cancel.
        assert_eq!(
            (merged[0].kind, merged[0].list(), merged[0].weight),
            (StencilKind::VertexVertex, &[2, 3][..], 0.25)
        );
        let found: Vec<EdgesRegion> = merged[1..].iter().filter_map(|own| Some(own.edges?.region)).collect();
        assert_eq!(found, regions().collect::<Vec<_>>());
        assert!(merged[1..].iter().all(|own| own.weight == 3.0 && own.kind == StencilKind::EdgeEdge));
    }
}
