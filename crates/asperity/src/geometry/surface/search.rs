//! The search for pairs of elements whose boxes meet, on one thread or on several.
//!
//! The pairs of nodes near the root are shared out; what is found is put together in their order and sorted by the caller, so that the
//! number of threads changes nothing. Storage is kept from search to search.

use glam::DVec3;
use rayon::prelude::*;

use super::topology::{Candidate, Topology};
use super::tree::{NodeId, Tree};
use crate::geometry::Aabb;
use crate::geometry::proximity::PairKind;

/// Triangles from which a search is worth sharing among threads, and into how many parts.
const MANY: usize = 2048;
const PARTS: usize = 256;

/// Boxes around vertices and triangles, with room for what is looked for, and the tree over them.
#[derive(Debug, Default)]
pub(super) struct Reach {
    vertices: Vec<Aabb>,
    triangles: Vec<Aabb>,
    tree: Option<Tree>,
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
        let own = |(from, to): (&DVec3, &DVec3)| {
            let to = *to - mean;
            Aabb { min: from.min(to), max: from.max(to) }.enlarged(room)
        };
        self.vertices.clear();
        self.vertices.extend(from.iter().zip(to).map(own));
        self.refit(topology);
    }

    fn refit(&mut self, topology: &Topology) {
        let Self { vertices, triangles, tree } = self;
        let around = |[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|i| &vertices[*i as usize]);
            a.union(b).union(c)
        };
        triangles.clear();
        triangles.extend(topology.triangles.iter().map(around));
        tree.get_or_insert_with(|| Tree::new(triangles, &topology.mobile())).refit(triangles);
    }

    /// Visits the pairs of elements of two triangles that belong to them and whose boxes meet.
    fn elements(&self, topology: &Topology, [s, t]: [u32; 2], mut visit: impl FnMut(&Candidate)) {
        let corners = [s, t].map(|triangle| topology.triangles[triangle as usize]);
        let owned = [s, t].map(|triangle| topology.owned[triangle as usize]);
        let around = [s, t].map(|triangle| &self.triangles[triangle as usize]);
        if topology.fast(corners[0][0], corners[1][0]) || !around[0].meets(around[1]) {
            return;
        }
        let fixed = |vertices: &[u32; 4]| vertices.iter().all(|i| topology.held[*i as usize]);
        for (own, other) in [(0, 1), (1, 0)] {
            let [a, b, c] = corners[other];
            for k in (0..3).filter(|k| owned[own] & 1 << k != 0) {
                let vertex = corners[own][k];
                let vertices = [vertex, a, b, c];
                let apart = !vertices[1..].contains(&vertex);
                if apart && self.vertices[vertex as usize].meets(around[other]) && !fixed(&vertices) {
                    let triangle = Some([s, t][other]);
                    visit(&Candidate { kind: PairKind::VertexTriangle, vertices, triangle });
                }
            }
        }
        for k in (0..3).filter(|k| owned[0] & 8 << k != 0) {
            let first = [corners[0][k], corners[0][(k + 1) % 3]];
            let box_of = |[a, b]: [u32; 2]| self.vertices[a as usize].union(&self.vertices[b as usize]);
            let mine = box_of(first);
            for l in (0..3).filter(|l| owned[1] & 8 << l != 0) {
                let second = [corners[1][l], corners[1][(l + 1) % 3]];
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
        parts[..tasks.len()].iter_mut().for_each(|part| found.append(&mut part.found));
    }
}
