//! From candidates to collisions: which pairs are nearer than d_min + d̂, by which of their parts, and with which weight.
//!
//! Every pair of a vertex and a triangle and every pair of edges that is near counts, reduced to the parts that are nearest; where
//! several reduce to the same vertex and vertex, or vertex and edge, weights add up ("IPC"). With areas ([`Weighting::area`]) a pair of
//! a vertex and a triangle has a quarter of the area of the vertex, a pair of edges a quarter of both of theirs. A vertex above an edge of
//! two triangles is then counted twice; the improved approximation of the maximum (Li et al. 2023) takes that off again with
//! collisions of negative weight.

use glam::DVec3;

use super::candidates::Candidates;
use super::collision::{Collision, Edges, Plane, StencilKind};
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
        merge(&mut found);
        found
    }

    /// The same from the surfaces themselves, by one search; their vertices are where those of the mesh are.
    pub fn search(&self, set: &mut SurfaceSet) -> Vec<Collision> {
        if self.weighting.improved_max {
            return self.build(&Candidates::of(set.search(self.reach, |own| Some(*own))));
        }
        let mut found = set.search(self.reach, |own| self.collision(own));
        merge(&mut found);
        found
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

    fn collision(&self, own: &Candidate) -> Option<Collision> {
        match own.kind {
            PairKind::VertexTriangle => self.face_vertex(own.vertices),
            PairKind::EdgeEdge => self.edge_edge(own.vertices),
        }
    }

    fn collect(&self, candidates: &Candidates, found: &mut Vec<Collision>) {
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

    fn face_vertex(&self, vertices: [u32; 4]) -> Option<Collision> {
        let points = vertices.map(|vertex| self.at(vertex));
        let region = face_region(points[0], [points[1], points[2], points[3]]);
        if !self.near_square(face_square(&points, region)) {
            return None;
        }
        let vertex = vertices[0];
        let weight = self.area(|| 0.25 * self.mesh.vertex_area(vertex));
        match region {
            FaceRegion::Corner(k) => Some(vertex_vertex(vertex, vertices[k + 1], weight)),
            FaceRegion::Edge(k) => {
                let edge = self.mesh.edge(vertices[k + 1], vertices[(k + 1) % 3 + 1]);
                edge.map(|edge| self.with_edge(vertex, edge, weight))
            }
            FaceRegion::Inside => Some(Collision::of_vertices(StencilKind::FaceVertex, &vertices, weight)),
        }
    }

    fn edge_edge(&self, [a, b, c, d]: [u32; 4]) -> Option<Collision> {
        // Most candidates are too far apart, which is quick to see; the answer that counts is that of the edges in their order.
        let given = [a, b, c, d];
        let mut points = given.map(|vertex| self.at(vertex));
        let mut region = edges_region(&points);
        let mut square = edges_square(&points, region);
        if square >= (1.0 + ROUNDING) * self.reach * self.reach {
            return None;
        }
        let [first, second] = [self.mesh.edge(a, b)?, self.mesh.edge(c, d)?];
        // The edge with the smaller number is A, with its ends in the order of the mesh.
        let [first, second] = [first.min(second), first.max(second)];
        let [[a, b], [c, d]] = [first, second].map(|edge| self.mesh.edges()[edge as usize]);
        let vertices = [a, b, c, d];
        if vertices != given {
            points = vertices.map(|vertex| self.at(vertex));
            (region, square) = other_order(&points);
        }
        if !self.near_square(square) {
            return None;
        }
        let weight = self.area(|| 0.25 * (self.mesh.edge_area(first) + self.mesh.edge_area(second)));
        let eps = mollifier::threshold(&vertices.map(|vertex| self.mesh.rest()[vertex as usize]));
        let edges = Collision { edges: Some(Edges { region, eps }), ..vertex_vertex(a, c, weight) };
        let edges = Collision { kind: StencilKind::EdgeEdge, vertices, ..edges };
        // Nearly parallel edges stay edges, whichever of their parts are nearest: the mollifier needs all four vertices.
        let end = |i: u8| vertices[usize::from(i)];
        Some(match (region.a, region.b) {
            _ if edges.mollified(&points).is_some() => edges,
            (None, None) => edges,
            (Some(i), None) => self.with_edge(end(i), second, weight),
            (None, Some(j)) => self.with_edge(end(2 + j), first, weight),
            (Some(i), Some(j)) => vertex_vertex(end(i), end(2 + j), weight),
        })
    }

    fn with_edge(&self, vertex: u32, edge: u32, weight: f64) -> Collision {
        let [a, b] = self.mesh.edges()[edge as usize];
        Collision::of_vertices(StencilKind::EdgeVertex, &[vertex, a, b], weight)
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
    fn edge_vertex(&self, vertex: u32, edge: u32, weight: f64) -> Collision {
        match edge_region(self.at(vertex), self.ends(edge)) {
            Some(end) => vertex_vertex(vertex, self.mesh.edges()[edge as usize][end], weight),
            None => self.with_edge(vertex, edge, weight),
        }
    }

    /// The collisions of negative weight of the improved approximation of the maximum.
    fn take_off(&self, candidates: &Candidates, found: &mut Vec<Collision>) {
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
    fn edge_beside_faces(&self, edge: u32, vertex: u32, found: &mut Vec<Collision>) {
        let triangles = self.mesh.opposite(edge).iter().filter(|corner| **corner != vertex).count();
        if triangles > 1 {
            let weight = (1.0 - triangles as f64) * self.area(|| 0.25 * self.mesh.vertex_area(vertex));
            found.push(self.edge_vertex(vertex, edge, weight));
        }
    }

    /// What was taken off twice around a corner inside of the surface is added again.
    fn corner_of_faces(&self, [a, b]: [u32; 2], found: &mut Vec<Collision>) {
        let inside = |of: u32, corner: u32| {
            let adjacent = self.mesh.incident(corner).iter().any(|own| own.vertex == of);
            !(self.mesh.on_boundary(corner) || adjacent)
        };
        let one = |of: u32| self.area(|| 0.25 * self.mesh.vertex_area(of));
        let sum = [[a, b], [b, a]].iter().filter(|[of, corner]| inside(*of, *corner)).map(|[of, _]| one(*of)).sum();
        if sum != 0.0 {
            found.push(vertex_vertex(a, b, sum));
        }
    }

    /// In the plane: a vertex is near the end of several edges.
    fn end_of_edges(&self, [a, b]: [u32; 2], found: &mut Vec<Collision>) {
        let own = |of: u32, end: u32| {
            let edges = self.mesh.incident(end).iter().filter(|own| own.vertex != of).count();
            if edges > 1 { (1.0 - edges as f64) * self.area(|| 0.5 * self.mesh.vertex_area(of)) } else { 0.0 }
        };
        let sum = own(a, b) + own(b, a);
        if sum != 0.0 {
            found.push(vertex_vertex(a, b, sum));
        }
    }

    /// A vertex is near an edge, with all edges that end in it.
    fn edge_beside_edges(&self, edge: u32, vertex: u32, found: &mut Vec<Collision>) {
        let ends = self.mesh.edges()[edge as usize];
        let weight = -self.area(|| 0.25 * self.mesh.edge_area(edge));
        let end = edge_region(self.at(vertex), self.ends(edge)).map(|end| end as u8);
        let mut whole = 0;
        for incident in self.mesh.incident(vertex).iter().filter(|own| !ends.contains(&own.vertex)) {
            let other = self.mesh.edges()[incident.edge as usize];
            let swapped = incident.edge < edge;
            let [[a, b], [c, d]] = if swapped { [other, ends] } else { [ends, other] };
            let vertices = [a, b, c, d];
            let eps = mollifier::threshold(&vertices.map(|vertex| self.mesh.rest()[vertex as usize]));
            if mollifier::cross_square(&vertices.map(|vertex| self.at(vertex))) >= eps {
                whole += 1;
                continue;
            }
            let at = Some(u8::from(other[1] == vertex));
            let region = if swapped { EdgesRegion { a: at, b: end } } else { EdgesRegion { a: end, b: at } };
            let edges = Some(Edges { region, eps });
            found.push(Collision { kind: StencilKind::EdgeEdge, vertices, plane: u32::MAX, weight, edges });
        }
        if whole != 1 {
            found.push(self.edge_vertex(vertex, edge, f64::from(whole - 1) * weight));
        }
    }
}

/// Nearest parts and squared distance of edges that a search has found in another order: rare, and kept out of its loop.
#[cold]
fn other_order(points: &[DVec3; 4]) -> (EdgesRegion, f64) {
    let region = edges_region(points);
    (region, edges_square(points, region))
}

fn vertex_vertex(a: u32, b: u32, weight: f64) -> Collision {
    Collision::of_vertices(StencilKind::VertexVertex, &[a.min(b), a.max(b)], weight)
}

/// Adds the weights of equal collisions, and sorts them. Equal ones stay in their order, so that sums are those of any run.
fn merge(list: &mut Vec<Collision>) {
    let Grouped { mut order, ends } = by_first_vertex(list);
    let mut sorted: Vec<Collision> = Vec::with_capacity(list.len());
    let mut begin = 0;
    for end in ends {
        // What has the same kind and first vertex stands together, and is little: short keys are sorted in the place of collisions.
        let group = &mut order[begin..end as usize];
        group.sort_unstable();
        let mut last = None;
        for Entry { rest, at } in &*group {
            match sorted.last_mut().filter(|_| last == Some(rest)) {
                Some(first) => first.weight += list[*at as usize].weight,
                None => sorted.push(list[*at as usize]),
            }
            last = Some(rest);
        }
        begin = end as usize;
    }
    sorted.retain(|own| own.weight != 0.0);
    *list = sorted;
}

/// Collisions sorted by kind and first vertex, and where those with the same ones end.
struct Grouped {
    order: Vec<Entry>,
    ends: Vec<u32>,
}

/// A collision by its place in a list, with what comes after kind and first vertex in the order of collisions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// The other vertices, and the parts of edges.
    rest: u128,
    at: u32,
}

fn entry(own: &Collision, at: u32) -> Entry {
    let rest = own.vertices[1..].iter().fold(0, |sum, vertex| sum << 32 | u128::from(*vertex));
    let part = |end: Option<u8>| end.map_or(0, |end| u128::from(end) + 1);
    let region = own.edges.map_or(0, |edges| 1 + 3 * part(edges.region.a) + part(edges.region.b));
    Entry { rest: rest << 8 | region, at }
}

/// The collisions sorted by kind and first vertex, by counting.
fn by_first_vertex(list: &[Collision]) -> Grouped {
    let vertices = list.iter().map(|own| own.vertices[0] as usize + 1).max().unwrap_or(0);
    let bucket = |own: &Collision| own.kind as usize * vertices + own.vertices[0] as usize;
    let mut ends = vec![0u32; list.iter().map(|own| bucket(own) + 2).max().unwrap_or(0)];
    list.iter().for_each(|own| ends[bucket(own) + 1] += 1);
    (1..ends.len()).for_each(|k| ends[k] += ends[k - 1]);
    let mut order = vec![Entry { rest: 0, at: 0 }; list.len()];
    // What is the beginning of a group at first is its end when all have their place.
    for (own, at) in list.iter().zip(0..) {
        let place = &mut ends[bucket(own)];
        order[*place as usize] = entry(own, at);
        *place += 1;
    }
    Grouped { order, ends }
}
