//! The surface that collisions are looked for on: vertices, edges, triangles, and the areas that belong to them.
//!
//! Areas are those of the IPC Toolkit: a vertex or an edge has a third of each triangle that it belongs to; an edge without a
//! triangle has its length, a vertex without one half of the lengths of its edges, and a vertex alone has 1.

use glam::DVec3;

use super::mollifier;

/// A surface at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollisionMesh {
    rest: Vec<DVec3>,
    edges: Vec<[u32; 2]>,
    faces: Vec<[u32; 3]>,
    vertex_areas: Vec<f64>,
    edge_areas: Vec<f64>,
    /// Whether edges are listed by their ends, each with its smaller end first: their order is then known without a
    /// look at the list.
    by_ends: bool,
    /// Edges of vertex v with its other end and their number: entries `starts[v]..starts[v + 1]`.
    starts: Vec<u32>,
    around: Vec<Incident>,
    /// The corners opposite to each edge: entries `opposite_starts[e]..opposite_starts[e + 1]`.
    opposite_starts: Vec<u32>,
    opposite: Vec<u32>,
}

/// An edge seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incident {
    /// Its other end.
    pub vertex: u32,
    /// Its number.
    pub edge: u32,
}

/// Why a list of elements is no mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// An edge or triangle names a vertex that does not exist.
    #[error("{element} {number} has vertex {vertex}, and there are {count} vertices")]
    Vertex {
        /// "edge" or "face".
        element: &'static str,
        /// Its number.
        number: usize,
        /// The vertex.
        vertex: u32,
        /// How many there are.
        count: usize,
    },
    /// A side of a triangle is not in the list of edges.
    #[error("the side between vertices {a} and {b} of face {face} is not in the list of edges")]
    Side {
        /// The face.
        face: usize,
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
    },
}

impl CollisionMesh {
    /// From vertices at rest, edges and triangles; every side of a triangle is one of the edges.
    pub fn new(rest: Vec<DVec3>, edges: Vec<[u32; 2]>, faces: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        let count = rest.len();
        let missing = |element, number, vertices: &[u32]| {
            let vertex = *vertices.iter().find(|vertex| **vertex as usize >= count)?;
            Some(MeshError::Vertex { element, number, vertex, count })
        };
        let edge = edges.iter().enumerate().find_map(|(number, ends)| missing("edge", number, ends));
        let face = faces.iter().enumerate().find_map(|(number, corners)| missing("face", number, corners));
        if let Some(error) = edge.or(face) {
            return Err(error);
        }
        let mut own = Self { rest, edges, faces, ..Self::default() };
        own.by_ends = own.edges.iter().all(|[a, b]| a < b) && own.edges.is_sorted_by(|one, next| one < next);
        own.connect();
        let mut sides = Vec::with_capacity(3 * own.faces.len());
        for (face, corners) in own.faces.iter().enumerate() {
            for k in 0..3 {
                let [a, b] = [corners[k], corners[(k + 1) % 3]];
                let edge = own.edge(a, b).ok_or(MeshError::Side { face, a, b })?;
                sides.push([edge, corners[(k + 2) % 3]]);
            }
        }
        (own.opposite_starts, own.opposite) = grouped(own.edges.len(), &sides);
        own.measure();
        Ok(own)
    }

    /// From triangles alone: edges are their sides, each with its smaller end first, sorted.
    pub fn of_triangles(rest: Vec<DVec3>, faces: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        let sides = |[a, b, c]: &[u32; 3]| [[*a, *b], [*b, *c], [*c, *a]].map(|[a, b]| [a.min(b), a.max(b)]);
        let mut edges: Vec<[u32; 2]> = faces.iter().flat_map(sides).collect();
        edges.sort_unstable();
        edges.dedup();
        Self::new(rest, edges, faces)
    }

    fn connect(&mut self) {
        let ends = self.edges.iter().enumerate().flat_map(|(e, [a, b])| [[*a, *b, e as u32], [*b, *a, e as u32]]);
        let mut list: Vec<[u32; 3]> = ends.collect();
        list.sort_unstable();
        self.starts = starts(self.rest.len(), list.iter().map(|own| own[0]));
        self.around = list.iter().map(|[_, vertex, edge]| Incident { vertex: *vertex, edge: *edge }).collect();
    }

    fn measure(&mut self) {
        let at = |vertex: u32| self.rest[vertex as usize];
        let lengths: Vec<f64> = self.edges.iter().map(|[a, b]| at(*a).distance(at(*b))).collect();
        let mut vertices = vec![None; self.rest.len()];
        let mut edges = vec![None; self.edges.len()];
        let add = |slot: &mut Option<f64>, area: f64| *slot = Some(slot.unwrap_or(0.0) + area);
        for [a, b, c] in &self.faces {
            let third = (at(*b) - at(*a)).cross(at(*c) - at(*a)).length() / 6.0;
            for [from, to] in [[*a, *b], [*b, *c], [*c, *a]] {
                add(&mut vertices[from as usize], third);
                if let Some(edge) = self.edge(from, to) {
                    add(&mut edges[edge as usize], third);
                }
            }
        }
        let half = |vertex: usize| {
            let own = self.incident(vertex as u32);
            if own.is_empty() { 1.0 } else { own.iter().map(|own| 0.5 * lengths[own.edge as usize]).sum() }
        };
        self.vertex_areas = vertices.iter().enumerate().map(|(v, own)| own.unwrap_or_else(|| half(v))).collect();
        self.edge_areas = edges.iter().zip(&lengths).map(|(own, length)| own.unwrap_or(*length)).collect();
    }

    /// Vertices at rest.
    pub fn rest(&self) -> &[DVec3] {
        &self.rest
    }

    /// Ends of the edges.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Corners of the triangles.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// Area of a vertex.
    #[inline]
    pub fn vertex_area(&self, vertex: u32) -> f64 {
        self.vertex_areas[vertex as usize]
    }

    /// Area of an edge.
    #[inline]
    pub fn edge_area(&self, edge: u32) -> f64 {
        self.edge_areas[edge as usize]
    }

    /// The edges of a vertex.
    #[inline]
    pub fn incident(&self, vertex: u32) -> &[Incident] {
        &self.around[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }

    /// The edge between two vertices.
    #[inline]
    pub fn edge(&self, a: u32, b: u32) -> Option<u32> {
        self.incident(a).iter().find(|own| own.vertex == b).map(|own| own.edge)
    }

    /// The edge between two vertices with its ends as they are listed.
    #[inline]
    pub fn listed_edge(&self, [a, b]: [u32; 2]) -> Option<[u32; 2]> {
        if self.by_ends { Some([a.min(b), a.max(b)]) } else { Some(self.edges[self.edge(a, b)? as usize]) }
    }

    /// Two edges as they are listed: each with its ends in that order, the one with the smaller number first.
    #[inline]
    pub fn listed_edges(&self, [a, b, c, d]: [u32; 4]) -> Option<[u32; 4]> {
        let [first, second] = if self.by_ends {
            let ends = [[a, b], [c, d]].map(|[a, b]| [a.min(b), a.max(b)]);
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        } else {
            let [first, second] = [self.edge(a, b)?, self.edge(c, d)?];
            [first.min(second), first.max(second)].map(|edge| self.edges[edge as usize])
        };
        Some([first[0], first[1], second[0], second[1]])
    }

    /// ε of the mollifier of the edges between these vertices, m⁴.
    #[inline]
    pub fn threshold(&self, vertices: &[u32; 4]) -> f64 {
        mollifier::threshold(&vertices.map(|vertex| self.rest[vertex as usize]))
    }

    /// The corners opposite to an edge.
    #[inline]
    pub fn opposite(&self, edge: u32) -> &[u32] {
        let edge = edge as usize;
        &self.opposite[self.opposite_starts[edge] as usize..self.opposite_starts[edge + 1] as usize]
    }

    /// Whether none of the edges of a vertex has two triangles. (A vertex of the border with an inner edge is not on the boundary in this
    /// sense, which is that of the IPC Toolkit.)
    pub fn on_boundary(&self, vertex: u32) -> bool {
        self.incident(vertex).iter().all(|own| self.opposite(own.edge).len() < 2)
    }
}

/// First entry of each of `count` groups in a sorted list of group numbers.
fn starts(count: usize, groups: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; count + 1];
    groups.for_each(|group| starts[group as usize + 1] += 1);
    for k in 0..count {
        starts[k + 1] += starts[k];
    }
    starts
}

/// Values by group, from pairs of group and value.
fn grouped(count: usize, pairs: &[[u32; 2]]) -> (Vec<u32>, Vec<u32>) {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    (starts(count, pairs.iter().map(|own| own[0])), pairs.iter().map(|own| own[1]).collect())
}
