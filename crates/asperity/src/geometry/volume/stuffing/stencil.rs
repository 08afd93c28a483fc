//! The pieces of lattice tetrahedra that lie inside.
//!
//! By the signs of its corners a tetrahedron is kept, dropped, or cut: with one corner inside a tetrahedron is left,
//! with two or three a pyramid or a prism, whose four-sided faces are cut along a diagonal. On faces of the lattice
//! both neighbours must choose the same one. A four-sided piece of a face has two corners inside and one outside, n;
//! its diagonal starts at the corner that has a short edge to n if only one has, so that it ends on the long edge;
//! otherwise at the one whose coordinates have an even sum (the parity rule). A face on the surface belongs to one
//! piece alone and is cut along its shorter diagonal.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Cuts;
use super::lattice::Lattice;
use crate::geometry::volume::mesh::{TetMesh, determinant};

/// A vertex of the mesh: a lattice point, or the cut point of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Point(u32),
    Cut([u32; 2]),
}

/// The mesh while it is made.
pub(super) struct Stencils<'a> {
    lattice: &'a Lattice,
    values: &'a [f64],
    cuts: &'a Cuts,
    ids: BTreeMap<Name, u32>,
    mesh: TetMesh,
}

/// A prism: edges lead from each corner of the first triangle to that of the second. Diagonals of two sides start at
/// corner 0 of the first.
struct Prism {
    first: [u32; 3],
    second: [u32; 3],
    /// Whether the diagonal of the third side starts at corner 1 of the first triangle; at corner 2 otherwise.
    third_from_one: bool,
}

impl<'a> Stencils<'a> {
    pub(super) fn new(lattice: &'a Lattice, values: &'a [f64], cuts: &'a Cuts) -> Self {
        Self { lattice, values, cuts, ids: BTreeMap::new(), mesh: TetMesh::default() }
    }

    pub(super) fn finish(self) -> TetMesh {
        self.mesh
    }

    /// Adds what lies inside a tetrahedron of the lattice.
    pub(super) fn add(&mut self, tet: [u32; 4]) {
        let values = self.values;
        let with = |sign: fn(f64) -> bool| tet.into_iter().filter(move |id| sign(values[*id as usize]));
        let mut corners = [0; 4];
        let (inside, outside) = (with(|v| v > 0.0).count(), with(|v| v < 0.0).count());
        let sorted = with(|v| v > 0.0).chain(with(|v| v == 0.0)).chain(with(|v| v < 0.0));
        corners.iter_mut().zip(sorted).for_each(|(corner, id)| *corner = id);
        match (inside, outside) {
            (0, _) => {}
            (_, 0) => {
                let whole = tet.map(|id| self.vertex(Name::Point(id)));
                self.push(whole);
            }
            (1, _) => self.add_tip(corners),
            (2, 1) => self.add_pyramid(corners),
            (2, _) => self.add_wedge(corners),
            _ => self.add_trunk(corners),
        }
    }

    /// One corner inside: the others are on the surface, or replaced by the cut points.
    fn add_tip(&mut self, [p, rest @ ..]: [u32; 4]) {
        let ends = rest.map(|other| {
            if self.values[other as usize] == 0.0 { self.vertex(Name::Point(other)) } else { self.cut(p, other) }
        });
        let tip = self.vertex(Name::Point(p));
        self.push([tip, ends[0], ends[1], ends[2]]);
    }

    /// Two inside, one on the surface, one outside.
    fn add_pyramid(&mut self, [p, q, z, n]: [u32; 4]) {
        let [start, other] = if self.starts(p, q, n) { [p, q] } else { [q, p] };
        let top = self.vertex(Name::Point(z));
        let [a, b] = [start, other].map(|id| self.vertex(Name::Point(id)));
        let (own, end) = (self.cut(start, n), self.cut(other, n));
        self.push([top, a, b, end]);
        self.push([top, a, end, own]);
    }

    /// Three inside, one outside.
    fn add_trunk(&mut self, [a, b, c, n]: [u32; 4]) {
        // The corner at which two diagonals start; the rule has no circles.
        let first = if self.starts(a, b, n) && self.starts(a, c, n) {
            [a, b, c]
        } else if self.starts(b, a, n) && self.starts(b, c, n) {
            [b, a, c]
        } else {
            [c, a, b]
        };
        let third_from_one = self.starts(first[1], first[2], n);
        let second = first.map(|id| self.cut(id, n));
        let first = first.map(|id| self.vertex(Name::Point(id)));
        self.push_prism(Prism { first, second, third_from_one });
    }

    /// Two inside, two outside.
    fn add_wedge(&mut self, [p, q, m, n]: [u32; 4]) {
        // Exchanged so that the diagonal on the side of m starts at p.
        let [p, q] = if self.starts(p, q, m) { [p, q] } else { [q, p] };
        let [vp, vq] = [p, q].map(|id| self.vertex(Name::Point(id)));
        let [pm, pn, qm, qn] = [[p, m], [p, n], [q, m], [q, n]].map(|[a, b]| self.cut(a, b));
        if self.starts(p, q, n) {
            let third_from_one = self.distance(pm, qn) < self.distance(pn, qm);
            self.push_prism(Prism { first: [vp, pm, pn], second: [vq, qm, qn], third_from_one });
        } else {
            // Diagonals from p to qm and from q to pn: the third joins their ends, or they would form a circle.
            self.push_prism(Prism { first: [qm, vq, qn], second: [pm, vp, pn], third_from_one: true });
        }
    }

    /// Whether the diagonal of the piece of the face (p, q, n) starts at p rather than at q.
    fn starts(&self, p: u32, q: u32, n: u32) -> bool {
        let kind = |id: u32| self.lattice.is_centre(id);
        if kind(p) == kind(q) {
            let even = |id: u32| (self.lattice.coordinates(id).element_sum() >> 1) & 1 == 0;
            even(p) && !even(q)
        } else {
            kind(p) != kind(n)
        }
    }

    fn push_prism(&mut self, Prism { first: [a, b, c], second: [d, e, f], third_from_one }: Prism) {
        self.push([a, d, e, f]);
        if third_from_one {
            self.push([a, b, c, f]);
            self.push([a, b, f, e]);
        } else {
            self.push([a, b, c, e]);
            self.push([a, c, f, e]);
        }
    }

    /// Adds a tetrahedron, its corners in the right order.
    fn push(&mut self, tet: [u32; 4]) {
        let [a, b, c, d] = tet;
        let positive = determinant(tet.map(|vertex| self.mesh.vertices[vertex as usize])) > 0.0;
        self.mesh.tets.push(if positive { tet } else { [a, c, b, d] });
    }

    fn distance(&self, a: u32, b: u32) -> f64 {
        self.mesh.vertices[a as usize].distance(self.mesh.vertices[b as usize])
    }

    fn cut(&mut self, a: u32, b: u32) -> u32 {
        self.vertex(Name::Cut([a.min(b), a.max(b)]))
    }

    fn vertex(&mut self, name: Name) -> u32 {
        let Self { lattice, cuts, ids, mesh, .. } = self;
        *ids.entry(name).or_insert_with(|| {
            let place: DVec3 = match name {
                Name::Point(id) => lattice.place(id),
                Name::Cut(edge) => cuts[&edge].place,
            };
            mesh.vertices.push(place);
            mesh.vertices.len() as u32 - 1
        })
    }
}
