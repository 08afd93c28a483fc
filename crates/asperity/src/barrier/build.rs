//! From candidates to collisions: which pairs are nearer than d_min + d̂, by which of their parts, and with which weight.
//!
//! Every pair of a vertex and a triangle and every pair of edges that is near counts, reduced to the parts that are nearest; where
//! several reduce to the same vertex and vertex, or vertex and edge, weights add up ("IPC"). With areas ([`Weighting::area`]) a pair of
//! a vertex and a triangle has a quarter of the area of the vertex, a pair of edges a quarter of both of theirs. A vertex above an edge of
//! two triangles is then counted twice; the improved approximation of the maximum (Li et al. 2023) takes that off again with
//! collisions of negative weight.

use glam::DVec3;

use super::candidates::Candidates;
use super::collision::{Collision, Plane};
use super::found::{Found, merged};
use super::mesh::CollisionMesh;
use super::mollifier;
use super::region::{EdgesRegion, FaceRegion, edge_region, edges_region, edges_square, face_region, face_square};
use crate::geometry::proximity::PairKind;
use crate::geometry::surface::{Candidate, SurfaceSet};

/// By how much squared distances of the same edges in another order can differ, more than enough.
const ROUNDING: f64 = 1e-6;

/// How collisions are weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weighting {
    /// By the areas of vertices and edges, m²; otherwise each counts as 1.
    pub area: bool,
    /// Whether what is counted more than once is taken off.
    pub improved_max: bool,
}

/// Finds the collisions of a mesh.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    /// The surface.
    pub mesh: &'a CollisionMesh,
    /// Where its vertices are.
    pub positions: &'a [DVec3],
    /// Distance from which on pairs do not count: d_min + d̂, m.
    pub reach: f64,
    /// Weights.
    pub weighting: Weighting,
}

impl Builder<'_> {
    /// The collisions among candidates, sorted by kind and vertices, each once. Those whose weights cancel are left out.
    pub fn build(&self, candidates: &Candidates) -> Vec<Collision> {
        let mut found = Vec::new();
        self.collect(candidates, &mut found);
        if self.weighting.improved_max {
            self.take_off(candidates, &mut found);
        }
        merged(&found, self.mesh)
    }

    /// The same from the surfaces themselves, by one search; their vertices are where those of the mesh are.
    pub fn search(&self, set: &mut SurfaceSet) -> Vec<Collision> {
        if self.weighting.improved_max {
            return self.build(&Candidates::of(set.search(self.reach, |own| Some(*own))));
        }
        merged(&set.search(self.reach, |own| self.collision(own)), self.mesh)
    }

    /// Vertices that are near half-spaces, by planes and then by vertices; with areas, each with the whole area of its vertex.
    pub fn above(&self, planes: &[Plane]) -> Vec<Collision> {
        let mut found = Vec::new();
        for (number, plane) in planes.iter().enumerate() {
            let vertices = 0..self.positions.len() as u32;
            found.extend(vertices.filter(|vertex| plane.height(self.at(*vertex)) < self.reach).map(|vertex| {
                let weight = self.area(|| self.mesh.vertex_area(vertex));
                Collision::above(number as u32, vertex, weight)
            }));
        }
        found
    }

    fn collision(&self, own: &Candidate) -> Option<Found> {
        match own.kind {
            PairKind::VertexTriangle => self.face_vertex(own.vertices),
            PairKind::EdgeEdge => self.edge_edge(own.vertices),
        }
    }

    fn collect(&self, candidates: &Candidates, found: &mut Vec<Found>) {
        found.extend(candidates.elements.iter().filter_map(|own| self.collision(own)));
        for [vertex, edge] in &candidates.edge_vertex {
            let weight = self.area(|| 0.5 * self.mesh.vertex_area(*vertex));
            if self.near_edge(*vertex, *edge) {
                found.push(self.edge_vertex(*vertex, *edge, weight));
            }
        }
    }

    fn at(&self, vertex: u32) -> DVec3 {
        self.positions[vertex as usize]
    }

    fn near_square(&self, square: f64) -> bool {
        square < self.reach * self.reach
    }

    fn near(&self, distance: f64) -> bool {
        distance < self.reach
    }

    /// An area, or 1.
    fn area(&self, area: impl Fn() -> f64) -> f64 {
        if self.weighting.area { area() } else { 1.0 }
    }

    fn face_vertex(&self, vertices: [u32; 4]) -> Option<Found> {
        let points = vertices.map(|vertex| self.at(vertex));
        let region = face_region(points[0], [points[1], points[2], points[3]]);
        if !self.near_square(face_square(&points, region)) {
            return None;
        }
        let vertex = vertices[0];
        let weight = self.area(|| 0.25 * self.mesh.vertex_area(vertex));
        match region {
            FaceRegion::Corner(k) => Some(Found::vertices(vertex, vertices[k + 1], weight)),
            FaceRegion::Edge(k) => {
                let ends = self.mesh.listed_edge([vertices[k + 1], vertices[(k + 1) % 3 + 1]]);
                ends.map(|ends| Found::edge(vertex, ends, weight))
            }
            FaceRegion::Inside => Some(Found::face(vertices, weight)),
        }
    }

    fn edge_edge(&self, given: [u32; 4]) -> Option<Found> {
        // Most candidates are too far apart, which is quick to see; the answer that counts is that of the edges as they
        // are listed.
        let points = given.map(|vertex| self.at(vertex));
        let region = edges_region(&points);
        let square = edges_square(&points, region);
        if square >= (1.0 + ROUNDING) * self.reach * self.reach {
            return None;
        }
        let vertices = self.mesh.listed_edges(given)?;
        let (region, square) = if vertices == given { (region, square) } else { self.other_order(&vertices) };
        if !self.near_square(square) {
            return None;
        }
        let [a, b, c, d] = vertices;
        let area = |a: u32, b: u32| self.mesh.edge(a, b).map_or(0.0, |edge| self.mesh.edge_area(edge));
        let weight = self.area(|| 0.25 * (area(a, b) + area(c, d)));
        // Nearly parallel edges stay edges, whichever of their parts are nearest: the mollifier needs all four vertices.
        let end = |i: u8| vertices[usize::from(i)];
        Some(match (region.a, region.b) {
            (None, None) => Found::edges(vertices, region, weight),
            _ if self.parallel(&vertices) => Found::edges(vertices, region, weight),
            (Some(i), None) => Found::edge(end(i), [c, d], weight),
            (None, Some(j)) => Found::edge(end(2 + j), [a, b], weight),
            (Some(i), Some(j)) => Found::vertices(end(i), end(2 + j), weight),
        })
    }

    /// Nearest parts and squared distance of edges that a search has found in another order: rare, and kept out of its
    /// loop.
    #[cold]
    fn other_order(&self, vertices: &[u32; 4]) -> (EdgesRegion, f64) {
        let points = vertices.map(|vertex| self.at(vertex));
        let region = edges_region(&points);
        (region, edges_square(&points, region))
    }

    /// Whether edges are so nearly parallel that the mollifier is below 1.
    #[inline]
    fn parallel(&self, vertices: &[u32; 4]) -> bool {
        mollifier::cross_square(&vertices.map(|vertex| self.at(vertex))) < self.mesh.threshold(vertices)
    }

    fn with_edge(&self, vertex: u32, edge: u32, weight: f64) -> Found {
        Found::edge(vertex, self.mesh.edges()[edge as usize], weight)
    }

    fn ends(&self, edge: u32) -> [DVec3; 2] {
        self.mesh.edges()[edge as usize].map(|end| self.at(end))
    }

    fn near_edge(&self, vertex: u32, edge: u32) -> bool {
        let ([a, b], p) = (self.ends(edge), self.at(vertex));
        let nearest = match edge_region(p, [a, b]) {
            Some(end) => [a, b][end],
            None => a + (b - a) * ((p - a).dot(b - a) / (b - a).length_squared()),
        };
        self.near(p.distance(nearest))
    }

    /// A vertex with an edge, reduced to the part of the edge that is nearest.
    fn edge_vertex(&self, vertex: u32, edge: u32, weight: f64) -> Found {
        match edge_region(self.at(vertex), self.ends(edge)) {
            Some(end) => Found::vertices(vertex, self.mesh.edges()[edge as usize][end], weight),
            None => self.with_edge(vertex, edge, weight),
        }
    }

    /// The collisions of negative weight of the improved approximation of the maximum.
    fn take_off(&self, candidates: &Candidates, found: &mut Vec<Found>) {
        let (mut of_edges, mut of_faces) = (Vec::new(), Vec::new());
        let (mut corners, mut ends) = (Vec::new(), Vec::new());
        for own in &candidates.elements {
            let [a, b, c, d] = own.vertices;
            match own.kind {
                PairKind::VertexTriangle => {
                    let sides = [[b, c], [c, d], [d, b]].map(|[p, q]| self.mesh.edge(p, q));
                    of_faces.extend(sides.into_iter().flatten().map(|edge| [edge, a]));
                    corners.extend([b, c, d].map(|corner| [a.min(corner), a.max(corner)]));
                }
                PairKind::EdgeEdge => {
                    let [Some(p), Some(q)] = [self.mesh.edge(a, b), self.mesh.edge(c, d)] else { continue };
                    of_edges.extend([[q, a], [q, b], [p, c], [p, d]]);
                }
            }
        }
        for [vertex, edge] in &candidates.edge_vertex {
            ends.extend(self.mesh.edges()[*edge as usize].map(|end| [end.min(*vertex), end.max(*vertex)]));
        }
        for list in [&mut of_edges, &mut of_faces] {
            list.sort_unstable();
            list.dedup();
            list.retain(|[edge, vertex]| self.near_edge(*vertex, *edge));
        }
        for list in [&mut corners, &mut ends] {
            list.sort_unstable();
            list.dedup();
            list.retain(|[a, b]| self.near(self.at(*a).distance(self.at(*b))));
        }
        of_edges.iter().for_each(|[edge, vertex]| self.edge_beside_edges(*edge, *vertex, found));
        of_faces.iter().for_each(|[edge, vertex]| self.edge_beside_faces(*edge, *vertex, found));
        corners.iter().for_each(|pair| self.corner_of_faces(*pair, found));
        ends.iter().for_each(|pair| self.end_of_edges(*pair, found));
    }

    /// A vertex is near an edge of several triangles: counted once for each, so all but one are taken off.
    fn edge_beside_faces(&self, edge: u32, vertex: u32, found: &mut Vec<Found>) {
        let triangles = self.mesh.opposite(edge).iter().filter(|corner| **corner != vertex).count();
        if triangles > 1 {
            let weight = (1.0 - triangles as f64) * self.area(|| 0.25 * self.mesh.vertex_area(vertex));
            found.push(self.edge_vertex(vertex, edge, weight));
        }
    }

    /// What was taken off twice around a corner inside of the surface is added again.
    fn corner_of_faces(&self, [a, b]: [u32; 2], found: &mut Vec<Found>) {
        let inside = |of: u32, corner: u32| {
            let adjacent = self.mesh.incident(corner).iter().any(|own| own.vertex == of);
            !(self.mesh.on_boundary(corner) || adjacent)
        };
        let one = |of: u32| self.area(|| 0.25 * self.mesh.vertex_area(of));
        let sum = [[a, b], [b, a]].iter().filter(|[of, corner]| inside(*of, *corner)).map(|[of, _]| one(*of)).sum();
        if sum != 0.0 {
            found.push(Found::vertices(a, b, sum));
        }
    }

    /// In the plane: a vertex is near the end of several edges.
    fn end_of_edges(&self, [a, b]: [u32; 2], found: &mut Vec<Found>) {
        let own = |of: u32, end: u32| {
            let edges = self.mesh.incident(end).iter().filter(|own| own.vertex != of).count();
            if edges > 1 { (1.0 - edges as f64) * self.area(|| 0.5 * self.mesh.vertex_area(of)) } else { 0.0 }
        };
        let sum = own(a, b) + own(b, a);
        if sum != 0.0 {
            found.push(Found::vertices(a, b, sum));
        }
    }

    /// A vertex is near an edge, with all edges that end in it.
    fn edge_beside_edges(&self, edge: u32, vertex: u32, found: &mut Vec<Found>) {
        let ends = self.mesh.edges()[edge as usize];
        let weight = -self.area(|| 0.25 * self.mesh.edge_area(edge));
        let end = edge_region(self.at(vertex), self.ends(edge)).map(|end| end as u8);
        let mut whole = 0;
        for incident in self.mesh.incident(vertex).iter().filter(|own| !ends.contains(&own.vertex)) {
            let other = self.mesh.edges()[incident.edge as usize];
            let swapped = incident.edge < edge;
            let [[a, b], [c, d]] = if swapped { [other, ends] } else { [ends, other] };
            let vertices = [a, b, c, d];
            if !self.parallel(&vertices) {
                whole += 1;
                continue;
            }
            let at = Some(u8::from(other[1] == vertex));
            let region = if swapped { EdgesRegion { a: at, b: end } } else { EdgesRegion { a: end, b: at } };
            found.push(Found::edges(vertices, region, weight));
        }
        if whole != 1 {
            found.push(self.edge_vertex(vertex, edge, f64::from(whole - 1) * weight));
        }
    }
}
