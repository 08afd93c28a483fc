//! Holes: places of a surface that no sample reaches. There Ψ is not defined, and its edge lies inside of the body, so that
//! what touches it there would fall in.
//!
//! *Triangles.* A triangle is inside of a ball if its corners are. It is covered if some sample's ball holds it, or if its
//! four quarters are covered; a corner that no ball holds is a hole. This proves that there is none, down to quarters of
//! quarters of a size at which it is called one.
//!
//! *Point clouds* have no surface to be covered. There each sample must have neighbours within its radius all around: seen
//! along its normal, no two neighbours that follow each other may enclose more than a third of a turn. At the rim of a round
//! hole with the radius R they enclose that: π − 2 arcsin ½. A smaller hole is none, for the rim reaches its middle; at a
//! larger one, and at the border of an open surface, they enclose more.

use glam::DVec3;

use super::{LocalPotential, PotentialError, Samples};

/// How often a triangle is cut into quarters.
const MOST_CUTS: usize = 5;

/// Angle between neighbours of a sample from which on there is a hole between them.
const OPEN: f64 = std::f64::consts::TAU / 3.0;

/// Samples that are this near to each other, relative to the radius, are one.
const SAME: f64 = 1e-9;

impl LocalPotential {
    /// Refuses a surface of triangles with a place that no sample reaches.
    pub fn check_triangles(&self, vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), PotentialError> {
        for (triangle, corners) in triangles.iter().enumerate() {
            let corners = corners.map(|i| vertices[i as usize]);
            // Mostly a triangle is inside of the ball of its own sample.
            if corners.iter().all(|at| self.samples().reaches(triangle, *at)) {
                continue;
            }
            if let Some(at) = self.hole(corners, MOST_CUTS) {
                let radius = self.samples().radii.get(triangle).copied().unwrap_or(0.0);
                return Err(PotentialError::Hole { triangle, at, radius });
            }
        }
        Ok(())
    }

    /// A place of a triangle that no sample reaches.
    fn hole(&self, corners: [DVec3; 3], cuts: usize) -> Option<DVec3> {
        let inside = |sample: u32, at: DVec3| self.samples().reaches(sample as usize, at);
        // A corner that nothing reaches is found at once, however large the triangle is beside the radius.
        for corner in corners {
            let mut reached = false;
            self.visit_near(corner, 0.0, |sample| reached |= inside(sample, corner));
            if !reached {
                return Some(corner);
            }
        }
        let mut whole = false;
        self.visit_near(corners[0].midpoint(corners[1].midpoint(corners[2])), span(&corners), |sample| {
            whole |= corners.iter().all(|at| inside(sample, *at));
        });
        if whole {
            return None;
        }
        if cuts == 0 {
            return Some(corners[0]);
        }
        let [a, b, c] = corners;
        let [ab, bc, ca] = [a.midpoint(b), b.midpoint(c), c.midpoint(a)];
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            .into_iter()
            .find_map(|quarter| self.hole(quarter, cuts - 1))
    }

    /// Refuses a point cloud with a hole or a border.
    pub fn check_cloud(&self) -> Result<(), PotentialError> {
        let Samples { points, normals, radii } = self.samples();
        let mut angles = Vec::new();
        for (sample, (at, normal)) in points.iter().zip(normals).enumerate() {
            let (t, b) = normal.any_orthonormal_pair();
            let radius = radii[sample];
            angles.clear();
            self.visit_near(*at, radius, |other| {
                let way = points[other as usize] - *at;
                let length = way.length();
                if length > SAME * radius && length < radius {
                    angles.push(way.dot(b).atan2(way.dot(t)));
                }
            });
            angles.sort_unstable_by(f64::total_cmp);
            if widest(&angles) > OPEN {
                return Err(PotentialError::Border { sample, at: *at, radius, neighbours: angles.len() });
            }
        }
        Ok(())
    }
}

/// Distance from the middle of a triangle to its farthest corner, and a little more.
fn span(corners: &[DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    a.distance(*b).max(b.distance(*c)).max(c.distance(*a))
}

/// The widest angle between two directions that follow each other; a full turn where there are fewer than two.
fn widest(angles: &[f64]) -> f64 {
    let turn = std::f64::consts::TAU;
    let [Some(first), Some(last)] = [angles.first(), angles.last()] else { return turn };
    angles.windows(2).map(|pair| pair[1] - pair[0]).fold(first + turn - last, f64::max)
}
