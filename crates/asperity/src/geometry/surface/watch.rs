//! A list of elements that are near, kept for as long as nothing else can have come near.
//!
//! Elements that were farther apart than the skin s when the list was made, with vertices that have moved by no more than δ since (beside what
//! all have moved by in common), are farther apart than s − 2δ. So a search for pairs within a distance d need look no farther than the list
//! while d + 2δ ≤ s: a cloth that slides in one piece is searched once.

use glam::DVec3;

use super::search::{Reach, Scratch};
use super::topology::{Candidate, Topology};

/// Pairs of elements that were near.
#[derive(Debug, Default)]
pub(super) struct Watch {
    near: Scratch<Candidate>,
    /// Where the vertices were.
    positions: Vec<DVec3>,
    skin: f64,
}

impl Watch {
    /// The elements that may have come within `distance` of each other at these places, if the list can tell.
    pub(super) fn covers(&self, at: &[DVec3], distance: f64) -> bool {
        self.positions.len() == at.len() && distance + 2.0 * self.moved(at) <= self.skin
    }

    /// The list.
    pub(super) fn candidates(&self) -> &[Candidate] {
        &self.near.found
    }

    /// Makes the list anew, of elements within `skin` of each other.
    pub(super) fn renew(&mut self, topology: &Topology, reach: &mut Reach, at: &[DVec3], skin: f64) {
        self.positions.clear();
        self.positions.extend_from_slice(at);
        self.skin = skin;
        reach.fit(topology, at, at, DVec3::ZERO, 0.5 * skin);
        self.near.search(topology, reach, |candidate| {
            let points = candidate.vertices.map(|i| at[i as usize]);
            (candidate.kind.closest(&points).distance() <= skin).then_some(*candidate)
        });
        self.near.found.sort_unstable_by_key(Candidate::order);
    }

    /// How far a vertex has moved, beside the mean of all.
    fn moved(&self, at: &[DVec3]) -> f64 {
        let way = || at.iter().zip(&self.positions).map(|(to, from)| *to - *from);
        let mean = way().sum::<DVec3>() / at.len().max(1) as f64;
        way().map(|own| (own - mean).length_squared()).fold(0.0, f64::max).sqrt()
    }
}
