//! Which elements of the surfaces collide, and how far they can go before they meet.

use glam::DVec3;

use super::iterate::Iterate;
use super::surfaces::Surfaces;
use crate::barrier::{Builder, Candidates, Collision, Plane, Weighting};
use crate::geometry::surface::Candidate;

/// The fraction of a distance that a step keeps.
const SHARE: f64 = 0.2;

impl Surfaces {
    /// The collisions where vertices are like this.
    pub(super) fn collisions(&mut self, positions: &[DVec3], planes: &[Plane]) -> Vec<Collision> {
        let reach = self.potential.dhat + self.largest_offset();
        self.set.update(positions);
        let near: Vec<Candidate> = self.set.near(reach).to_vec();
        let touches = |own: &Candidate| self.least_of(own).is_some() && !self.is_flat(own);
        let near: Vec<Candidate> = near.into_iter().filter(touches).collect();
        let near = self.once_a_face(&near, positions);
        let builder = Builder { mesh: &self.mesh, positions, reach, weighting: Weighting::default() };
        let mut found = builder.build(&Candidates::of(near));
        if self.largest_offset() > 0.0 {
            // Thin bodies beside thick ones: each pair has its own range.
            found.retain(|own| {
                let potential = self.potential_of(own);
                own.nearest(&own.points(positions), planes).distance < potential.dmin + potential.dhat
            });
        }
        for (number, plane) in planes.iter().enumerate() {
            let body = self.plane_body(number as u32);
            for vertex in &self.mobile {
                let gap = plane.height(positions[*vertex as usize]);
                if gap < self.potential.dhat + self.least(body, self.body(*vertex)) {
                    found.push(Collision::above(number as u32, *vertex, 1.0));
                }
            }
        }
        found
    }

    /// Elements of bodies that deform that are nearer to each other at rest than the barrier reaches, each body by itself.
    pub(super) fn collisions_at_rest(&mut self, rest: &[DVec3]) -> Vec<Collision> {
        let reach = self.potential.dhat + self.largest_offset();
        self.set.update(rest);
        let near: Vec<Candidate> = self.set.near(reach).to_vec();
        let same = |own: &Candidate| {
            let [a, b] = [own.vertices[0], own.vertices[own.kind.first_of_b()]].map(|i| self.body(i));
            a == b && !self.rigid[a as usize]
        };
        let near = near.into_iter().filter(same).collect();
        let builder = Builder { mesh: &self.mesh, positions: rest, reach, weighting: Weighting::default() };
        builder.build(&Candidates::of(near))
    }

    /// The largest fraction of the straight ways between two places on which nothing meets.
    pub(super) fn free_fraction(&mut self, from: &Iterate, to: &Iterate) -> f64 {
        let [start, end] = [from, to].map(|at| self.positions(at));
        let [before, after] = [from, to].map(|at| self.planes(at));
        self.set.update(&start);
        let Self { set, vertices, offsets, rigid, .. } = self;
        let largest = 2.0 * offsets.iter().copied().fold(0.0, f64::max);
        let least = |candidate: &Candidate| {
            let side = |i: u32| vertices[i as usize].body as usize;
            let [a, b] = [side(candidate.vertices[0]), side(candidate.vertices[candidate.kind.first_of_b()])];
            (a != b || !rigid[a]).then(|| offsets[a] + offsets[b])
        };
        let mut bound = set.free_fraction(&end, largest, SHARE, least);
        for (number, (old, new)) in before.iter().zip(&after).enumerate() {
            let body = self.plane_body(number as u32);
            for vertex in &self.mobile {
                let least = self.least(body, self.body(*vertex));
                let height = |plane: &Plane, at: &[DVec3]| plane.height(at[*vertex as usize]) - least;
                let [gap, left] = [height(old, &start), height(new, &end)];
                if left < SHARE * gap {
                    bound = bound.min((1.0 - SHARE) * gap / (gap - left));
                }
            }
        }
        bound
    }
}
