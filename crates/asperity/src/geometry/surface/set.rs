//! The surfaces of several bodies, and which of their elements are near.
//!
//! Vertices of all surfaces are numbered one surface after the other ([`Topology`] has what does not change).

use glam::DVec3;

use super::pair::{Pair, SweptPair};
use super::search::{Reach, Scratch};
use super::topology::{Candidate, SurfaceParts, Topology};
use super::watch::Watch;
use crate::geometry::ccd::{self, Motion};

/// Surfaces of several bodies, where they are now.
#[derive(Debug)]
pub struct SurfaceSet {
    topology: Topology,
    positions: Vec<DVec3>,
    reach: Reach,
    watch: Watch,
    near: Vec<Pair>,
    swept: Scratch<SweptPair>,
    fractions: Scratch<f64>,
}

/// Room around boxes of a way, in units of the skin: more than rounding, less than what costs time.
const ROOM: f64 = 1e-6;

impl SurfaceSet {
    /// Of these surfaces; they are at rest until the first update.
    pub fn new(surfaces: &[SurfaceParts]) -> Self {
        let topology = Topology::new(surfaces);
        let positions = topology.rest.clone();
        Self {
            topology,
            positions,
            reach: Reach::default(),
            watch: Watch::default(),
            near: Vec::new(),
            swept: Scratch::default(),
            fractions: Scratch::default(),
        }
    }

    /// Number of the first vertex of a surface in the set.
    pub fn first(&self, surface: usize) -> usize {
        self.topology.first[surface] as usize
    }

    /// The surface that a vertex of the set is on.
    pub fn surface(&self, vertex: u32) -> usize {
        self.topology.surface[vertex as usize] as usize
    }

    /// Number of the first triangle of a surface in the set.
    pub fn first_triangle(&self, surface: usize) -> usize {
        self.topology.first_triangle[surface] as usize
    }

    /// A fraction of the mean edge, m: what moves by less in a step is found without another search.
    pub fn skin(&self) -> f64 {
        self.topology.skin()
    }

    /// Distance that two vertices of different surfaces keep: the offsets of both, m.
    pub fn thickness(&self, a: u32, b: u32) -> f64 {
        self.topology.offset(a) + self.topology.offset(b)
    }

    /// The triangles of all surfaces, in the numbers of the set.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.topology.triangles
    }

    /// Where the vertices are.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Moves the vertices of all surfaces, one surface after the other.
    pub fn update(&mut self, positions: &[DVec3]) {
        self.positions.clear();
        self.positions.extend_from_slice(positions);
    }

    /// The places where surfaces are not farther apart than `margin`, sorted by kind and vertices. Each place is there once: a vertex above an
    /// edge is one pair, however many triangles have that edge. Elements that share a vertex are no pair.
    pub fn pairs(&mut self, margin: f64) -> &[Pair] {
        let Self { topology, positions, reach, watch, near, .. } = self;
        let distance = margin + topology.thickest();
        if !watch.covers(positions, distance) {
            watch.renew(topology, reach, positions, distance + topology.skin());
        }
        near.clear();
        near.extend(watch.candidates().iter().filter_map(|candidate| topology.pair(candidate, positions, margin)));
        // Equal places: the pair with the least name stays.
        near.sort_unstable_by_key(|pair| (pair.touching(), pair.name()));
        near.dedup_by_key(|pair| pair.touching());
        near.sort_unstable_by_key(Pair::name);
        near
    }

    /// Pairs of elements among which are all that are not farther apart than `distance`, sorted by kind and vertices; offsets do not count.
    pub fn near(&mut self, distance: f64) -> &[Candidate] {
        let Self { topology, positions, reach, watch, .. } = self;
        if !watch.covers(positions, distance) {
            watch.renew(topology, reach, positions, distance + topology.skin());
        }
        watch.candidates()
    }

    /// What `test` makes of pairs of elements among which are all that are not farther apart than `distance`, by one search that keeps nothing:
    /// for those who look once. The order is that of the search, the same on any number of threads.
    pub fn search<T: Send>(&mut self, distance: f64, test: impl Fn(&Candidate) -> Option<T> + Sync) -> Vec<T> {
        let Self { topology, positions, reach, .. } = self;
        let mut found = Scratch::default();
        reach.fit(topology, positions, positions, DVec3::ZERO, 0.5 * distance);
        found.search(topology, reach, test);
        found.found
    }

    /// The largest fraction of the straight way from the positions of the last update to these on which no two elements come nearer than
    /// their least distance plus the fraction `share` of what they have above it at the start ([`crate::geometry::ccd::free_fraction`]).
    /// `least` gives that distance, no more than `largest`; `None` for elements that may meet.
    pub fn free_fraction(
        &mut self,
        to: &[DVec3],
        largest: f64,
        share: f64,
        least: impl Fn(&Candidate) -> Option<f64> + Sync,
    ) -> f64 {
        let Self { topology, positions, reach, fractions, .. } = self;
        let mean = mean_motion(positions, to);
        let test = |candidate: &Candidate| {
            let motion = relative_motion(candidate, positions, to, mean);
            let fraction = ccd::free_fraction(candidate.kind, &motion, least(candidate)?, share);
            (fraction < 1.0).then_some(fraction)
        };
        // Always a search: a list that was kept would leave out pairs that come near from afar, and so make the answer depend on the past.
        reach.fit(topology, positions, to, mean, 0.5 * largest + ROOM * topology.skin());
        fractions.search(topology, reach, test);
        fractions.found.iter().copied().fold(1.0, f64::min)
    }

    /// What the last call of [`Self::pairs`] has found.
    pub fn found(&self) -> &[Pair] {
        &self.near
    }

    /// The pairs that come nearer than `separation` on the straight way from the positions of the last update to these, sorted by kind and
    /// vertices; see [`crate::geometry::ccd`]. Offsets do not count here.
    pub fn sweep(&mut self, to: &[DVec3], separation: f64) -> &[SweptPair] {
        let Self { topology, positions, reach, watch, swept, .. } = self;
        // Boxes around what moves together would meet all along its way: the sweep is seen by an observer who moves with the mean.
        let mean = mean_motion(positions, to);
        let test = |candidate: &Candidate| {
            let motion = relative_motion(candidate, positions, to, mean);
            topology.impact(candidate, &motion, separation)
        };
        if watch.covers(positions, separation) && watch.covers(to, separation) {
            swept.found.clear();
            swept.found.extend(watch.candidates().iter().filter_map(test));
        } else {
            reach.fit(topology, positions, to, mean, 0.5 * separation);
            swept.search(topology, reach, test);
            swept.found.sort_unstable_by_key(|own| own.pair.name());
        }
        &swept.found
    }
}

/// The mean of how far vertices move.
fn mean_motion(from: &[DVec3], to: &[DVec3]) -> DVec3 {
    to.iter().zip(from).map(|(to, from)| *to - *from).sum::<DVec3>() / from.len().max(1) as f64
}

/// How the vertices of a candidate move, seen by an observer who moves with the mean.
fn relative_motion(candidate: &Candidate, from: &[DVec3], to: &[DVec3], mean: DVec3) -> Motion {
    Motion { from: candidate.vertices.map(|i| from[i as usize]), to: candidate.vertices.map(|i| to[i as usize] - mean) }
}
