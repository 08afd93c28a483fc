//! What does not change of surfaces that deform: vertices, triangles, who owns an edge, how thick they are.
//!
//! A vertex touches with the surface's offset around it: a cloth of thickness d has the offset d/2, a solid has none. The gap of a pair is its
//! distance less both offsets. Elements of one surface that are nearer at rest than their offsets would fit touch at three quarters of that
//! distance instead, so that a thick cloth with small triangles does not push itself apart.
//!
//! Every vertex and every edge belongs to ONE of the triangles that share it (Curtis et al. 2008). Two triangles whose boxes meet are
//! looked at for their own vertices and edges alone, so that each pair of elements is found once.

use glam::DVec3;

use super::pair::{Pair, SweptPair};
use crate::geometry::ccd::{self, Motion};
use crate::geometry::proximity::PairKind;

/// The largest thickness between two elements of one surface, as a fraction of their distance at rest.
const REST_SHARE: f64 = 0.75;

/// How much farther than asked a list of near elements reaches, in units of the mean edge. Elements of a regular mesh that share no vertex are half
/// an edge apart or more.
const SKIN: f64 = 0.2;

/// The end of a chain of edges.
const NO_EDGE: u32 = u32::MAX;

/// An edge in the chain of those with the same smaller end.
struct Chained {
    /// Its larger end.
    end: u32,
    before: u32,
}

/// A surface of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceParts {
    /// The vertices at rest.
    pub rest: Vec<DVec3>,
    /// Corner numbers of its triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Distance from an element to where it touches, m.
    pub offset: f64,
    /// Vertices that nothing can push: pairs of such vertices alone are not looked for.
    pub held: Vec<bool>,
    /// Whether it keeps its form: its own elements are no pairs then.
    pub rigid: bool,
}

/// Two elements that may be near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// A vertex and a triangle, or two edges.
    pub kind: PairKind,
    /// The vertices, in the numbers of the set: those of A, then those of B.
    pub vertices: [u32; 4],
    /// Number of the triangle, for a vertex and a triangle.
    pub triangle: Option<u32>,
}

impl Candidate {
    /// Its kind, then its vertices, in a form that is quick to compare.
    pub(super) fn order(&self) -> (PairKind, u128) {
        (self.kind, self.vertices.iter().fold(0, |sum, vertex| sum << 32 | u128::from(*vertex)))
    }
}

/// What does not change.
#[derive(Debug)]
pub(super) struct Topology {
    /// First vertex of each surface, and the number of all.
    pub(super) first: Vec<u32>,
    /// First triangle of each surface.
    pub(super) first_triangle: Vec<u32>,
    /// Surface of each vertex.
    pub(super) surface: Vec<u32>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// The corners (bits 0 to 2) and edges (bits 3 to 5, from corner k to k + 1) that belong to each triangle.
    pub(super) owned: Vec<u8>,
    pub(super) rest: Vec<DVec3>,
    offsets: Vec<f64>,
    pub(super) held: Vec<bool>,
    rigid: Vec<bool>,
    skin: f64,
}

impl Topology {
    pub(super) fn new(surfaces: &[SurfaceParts]) -> Self {
        let mut own = Self {
            first: vec![0],
            first_triangle: Vec::new(),
            surface: Vec::new(),
            triangles: Vec::new(),
            owned: Vec::new(),
            rest: Vec::new(),
            offsets: surfaces.iter().map(|surface| surface.offset).collect(),
            held: Vec::new(),
            rigid: surfaces.iter().map(|surface| surface.rigid).collect(),
            skin: 0.0,
        };
        for (number, surface) in surfaces.iter().enumerate() {
            let first = own.rest.len() as u32;
            own.first_triangle.push(own.triangles.len() as u32);
            own.rest.extend_from_slice(&surface.rest);
            own.held.extend_from_slice(&surface.held);
            own.surface.resize(own.rest.len(), number as u32);
            own.triangles.extend(surface.triangles.iter().map(|corners| corners.map(|i| i + first)));
            own.first.push(own.rest.len() as u32);
        }
        own.owned = owners(&own.triangles, own.rest.len());
        own.skin = SKIN * own.mean_edge();
        own
    }

    /// Mean length of the edges at rest, m.
    fn mean_edge(&self) -> f64 {
        let at = |vertex: u32| self.rest[vertex as usize];
        let around = |[a, b, c]: &[u32; 3]| at(*a).distance(at(*b)) + at(*b).distance(at(*c)) + at(*c).distance(at(*a));
        self.triangles.iter().map(around).sum::<f64>() / (3 * self.triangles.len()).max(1) as f64
    }

    /// Whether a corner of each triangle can move.
    pub(super) fn mobile(&self) -> Vec<bool> {
        self.triangles.iter().map(|corners| corners.iter().any(|i| !self.held[*i as usize])).collect()
    }

    /// Whether two vertices are of one surface that keeps its form.
    pub(super) fn fast(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|vertex| self.surface[vertex as usize]);
        a == b && self.rigid[a as usize]
    }

    /// The largest thickness between two elements, m.
    pub(super) fn thickest(&self) -> f64 {
        2.0 * self.offsets.iter().copied().fold(0.0, f64::max)
    }

    /// How much farther than asked a list of near elements reaches, m.
    pub(super) fn skin(&self) -> f64 {
        self.skin
    }

    /// Distance from a vertex to where its surface touches, m.
    pub(super) fn offset(&self, vertex: u32) -> f64 {
        self.offsets[self.surface[vertex as usize] as usize]
    }

    /// The pair of a candidate, if its gap is not above the margin.
    pub(super) fn pair(&self, candidate: &Candidate, positions: &[DVec3], margin: f64) -> Option<Pair> {
        let Candidate { kind, vertices, triangle } = *candidate;
        let points = vertices.map(|i| positions[i as usize]);
        let closest = kind.closest(&points);
        let distance = closest.distance();
        let [a, b] = [vertices[0], vertices[kind.first_of_b()]];
        let mut thickness = self.offset(a) + self.offset(b);
        if distance - thickness > margin {
            return None;
        }
        if thickness > 0.0 && self.surface[a as usize] == self.surface[b as usize] {
            thickness = spacing(thickness, kind, &vertices.map(|i| self.rest[i as usize]));
        }
        let gap = distance - thickness;
        let normal = closest.way.try_normalize().unwrap_or_else(|| kind.across(&points));
        let pair = Pair { kind, vertices, weights: closest.weights, normal, distance, gap, triangle };
        (gap <= margin).then_some(pair)
    }

    /// The impact of a candidate, if there is one.
    pub(super) fn impact(&self, candidate: &Candidate, motion: &Motion, separation: f64) -> Option<SweptPair> {
        let Candidate { kind, vertices, triangle } = *candidate;
        let ccd::Impact { time, closest } = ccd::impact(kind, motion, separation)?;
        let distance = closest.distance();
        let normal = closest.way.try_normalize().unwrap_or_else(|| kind.across(&motion.at(time)));
        let pair = Pair { kind, vertices, weights: closest.weights, normal, distance, gap: distance, triangle };
        Some(SweptPair { time, pair })
    }
}

/// The distance that two elements of one surface keep: its thickness, or less for elements that are nearer at rest.
pub(crate) fn spacing(thickness: f64, kind: PairKind, rest: &[DVec3; 4]) -> f64 {
    thickness.min(REST_SHARE * kind.closest(rest).distance())
}

/// Gives every vertex and every edge to the first triangle that has it.
fn owners(triangles: &[[u32; 3]], vertices: usize) -> Vec<u8> {
    let mut owned = vec![0u8; triangles.len()];
    let mut taken = vec![false; vertices];
    // The edges with the same smaller end, as a chain: the last one found, and the one before each.
    let (mut last, mut edges) = (vec![NO_EDGE; vertices], Vec::with_capacity(2 * triangles.len()));
    for (own, corners) in owned.iter_mut().zip(triangles) {
        for k in 0..3 {
            let [from, to] = [corners[k], corners[(k + 1) % 3]];
            if !std::mem::replace(&mut taken[from as usize], true) {
                *own |= 1 << k;
            }
            let [low, high] = [from.min(to), from.max(to)];
            let mut at = last[low as usize];
            while let Some(edge) = edges.get(at as usize).filter(|edge: &&Chained| edge.end != high) {
                at = edge.before;
            }
            if at == NO_EDGE {
                edges.push(Chained { end: high, before: last[low as usize] });
                last[low as usize] = edges.len() as u32 - 1;
                *own |= 8 << k;
            }
        }
    }
    owned
}
