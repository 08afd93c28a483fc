//! The search for pairs of elements whose boxes meet, on one thread or on several.
//!
//! The pairs of nodes near the root are shared out; what is found is put together in their order and sorted by the caller, so that the
//! number of threads changes nothing. Storage is kept from search to search.

use glam::DVec3;
use rayon::prelude::*;

use super::bounds::Bounds;
use super::topology::{Candidate, Topology};
use super::tree::{NodeId, Tree};
use crate::geometry::proximity::PairKind;

/// Triangles from which a search is worth sharing among threads, and into how many parts.
const MANY: usize = 2048;
const PARTS: usize = 256;

/// Boxes around vertices and triangles, with room for what is looked for, and the tree over them.
#[derive(Debug, Default)]
pub(super) struct Reach {
    vertices: Vec<Bounds>,
    tree: Option<Tree>,
    /// The triangles in the order of the leaves of the tree, and their boxes.
    places: Vec<Place>,
    triangles: Vec<Bounds>,
}

/// A triangle: its corners, its number, and which of its elements belong to it.
#[derive(Clone, Copy, Debug)]
struct Place {
    corners: [u32; 3],
    number: u32,
    owned: u8,
}

/// Results of a search, and its storage.
#[derive(Debug)]
pub(super) struct Scratch<T> {
    pub(super) found: Vec<T>,
    tasks: Vec<[NodeId; 2]>,
    room: Vec<[NodeId; 2]>,
    parts: Vec<Part<T>>,
}

#[derive(Debug)]
struct Part<T> {
    found: Vec<T>,
    stack: Vec<[NodeId; 2]>,
}

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self { found: Vec::new(), tasks: Vec::new(), room: Vec::new(), parts: Vec::new() }
    }
}

impl<T> Default for Part<T> {
    fn default() -> Self {
        Self { found: Vec::new(), stack: Vec::new() }
    }
}

impl Reach {
    /// Around vertices that move from one place to another, seen by an observer who moves by `mean` in that time, with this room on all sides.
    pub(super) fn fit(&mut self, topology: &Topology, from: &[DVec3], to: &[DVec3], mean: DVec3, room: f64) {
        // Seen from one of the vertices: single precision is finer there.
        let origin = from.first().copied().unwrap_or_default();
        let own = |(from, to): (&DVec3, &DVec3)| {
            let (from, to) = (*from - origin, *to - mean - origin);
            Bounds::new(from.min(to) - room, from.max(to) + room)
        };
        self.vertices.clear();
        self.vertices.extend(from.iter().zip(to).map(own));
        self.refit(topology);
    }

    fn refit(&mut self, topology: &Topology) {
        let Self { vertices, triangles, tree, places } = self;
        let around = |[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|i| &vertices[*i as usize]);
            a.union(b).union(c)
        };
        let tree = tree.get_or_insert_with(|| {
            let boxes: Vec<Bounds> = topology.triangles.iter().map(around).collect();
            let (tree, order) = Tree::new(&boxes, &topology.mobile());
            let place = |number: &u32| {
                let i = *number as usize;
                Place { corners: topology.triangles[i], number: *number, owned: topology.owned[i] }
            };
            *places = order.iter().map(place).collect();
            tree
        });
        triangles.clear();
        triangles.extend(places.iter().map(|place| around(&place.corners)));
        tree.refit(triangles);
    }

    /// Visits the pairs of elements of two triangles, by their places, that belong to them and whose boxes meet.
    #[inline]
    fn elements(&self, topology: &Topology, [s, t]: [usize; 2], mut visit: impl FnMut(&Candidate)) {
        let around = [&self.triangles[s], &self.triangles[t]];
        if !around[0].meets(around[1]) {
            return;
        }
        let places = [&self.places[s], &self.places[t]];
        let corners = places.map(|place| &place.corners);
        let owned = places.map(|place| place.owned);
        if topology.fast(corners[0][0], corners[1][0]) {
            return;
        }
        let fixed = |vertices: &[u32; 4]| vertices.iter().all(|i| topology.held[*i as usize]);
        for (own, other) in [(0, 1), (1, 0)] {
            let [a, b, c] = *corners[other];
            for k in (0..3).filter(|k| owned[own] & 1 << k != 0) {
                let vertex = corners[own][k];
                let vertices = [vertex, a, b, c];
                let apart = !vertices[1..].contains(&vertex);
                if apart && self.vertices[vertex as usize].meets(around[other]) && !fixed(&vertices) {
                    let triangle = Some(places[other].number);
                    visit(&Candidate { kind: PairKind::VertexTriangle, vertices, triangle });
                }
            }
        }
        let box_of = |[a, b]: [u32; 2]| self.vertices[a as usize].union(&self.vertices[b as usize]);
        let edge = |own: usize, k: usize| [corners[own][k], corners[own][(k + 1) % 3]];
        // The edges of a triangle that belong to it and meet the box of the other.
        let mut near = owned;
        for own in 0..2 {
            for k in (0..3).filter(|k| owned[own] & 8 << k != 0) {
                if !box_of(edge(own, k)).meets(around[1 - own]) {
                    near[own] &= !(8 << k);
                }
            }
        }
        for k in (0..3).filter(|k| near[0] & 8 << k != 0) {
            let first = edge(0, k);
            let mine = box_of(first);
            for l in (0..3).filter(|l| near[1] & 8 << l != 0) {
                let second = edge(1, l);
                let apart = !first.iter().any(|vertex| second.contains(vertex));
                if apart && mine.meets(&box_of(second)) {
                    // The edge with the smaller number is A, whatever triangle it was found with.
                    let [[a, b], [c, d]] = ordered([first, second]);
                    if !fixed(&[a, b, c, d]) {
                        visit(&Candidate { kind: PairKind::EdgeEdge, vertices: [a, b, c, d], triangle: None });
                    }
                }
            }
        }
    }
}

/// Two edges, each with its smaller end first, the one with the smaller ends first.
fn ordered(edges: [[u32; 2]; 2]) -> [[u32; 2]; 2] {
    let [first, second] = edges.map(|[a, b]| [a.min(b), a.max(b)]);
    if first < second { [first, second] } else { [second, first] }
}

impl<T: Send> Scratch<T> {
    /// Finds what `test` makes of the candidates.
    pub(super) fn search(&mut self, topology: &Topology, reach: &Reach, test: impl Fn(&Candidate) -> Option<T> + Sync) {
        let Self { found, tasks, room, parts } = self;
        found.clear();
        let Some(tree) = &reach.tree else { return };
        let shared = topology.triangles.len() >= MANY && rayon::current_num_threads() > 1;
        tree.spread(if shared { PARTS } else { 1 }, tasks, room);
        parts.resize_with(tasks.len().max(parts.len()), Part::default);
        let look = |(task, part): (&[NodeId; 2], &mut Part<T>)| {
            let Part { found, stack } = part;
            found.clear();
            tree.descend(*task, stack, |triangles| {
                reach.elements(topology, triangles, |candidate| found.extend(test(candidate)));
            });
        };
        if shared {
            tasks.par_iter().zip(&mut *parts).for_each(look);
        } else {
            tasks.iter().zip(&mut *parts).for_each(look);
        }
        match &mut parts[..tasks.len()] {
            [only] => std::mem::swap(found, &mut only.found),
            several => several.iter_mut().for_each(|part| found.append(&mut part.found)),
        }
    }
}
