//! The barrier potential of collisions: P = Σ w κ m b(d² − d_min²), with gradient, Hessian and the positive semidefinite part of it.
//!
//! The barrier ends at (2 d_min + d̂) d̂, that is, where the distance is d_min + d̂. m is the mollifier of edges, 1 for all others.
//! Where m = 1 the Hessian and its positive semidefinite part are those of a function of one squared distance
//! ([`super::Nearest::composed`], [`super::spectrum`]); the few collisions with m < 1 are projected as 12 × 12 matrices.

use glam::DVec3;
use rayon::prelude::*;

use super::collision::{Collision, Plane};
use super::function::{Barrier, BarrierValue};
use super::local::Local;
use super::mollifier::{self, Smooth};
use super::nearest::Nearest;
use super::spectrum::composed_positive;
use crate::elastic::eigen::clamp;

/// Whether a Hessian is taken as it is, or its positive semidefinite part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projection {
    /// As it is.
    Whole,
    /// Negative eigenvalues of every collision become zero.
    Positive,
}

/// The potential of collisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarrierPotential {
    /// Which function of the squared distance.
    pub barrier: Barrier,
    /// Distance d̂ above the least one at which it begins to act, m.
    pub dhat: f64,
    /// Least distance d_min, m.
    pub dmin: f64,
    /// Factor κ.
    pub stiffness: f64,
}

/// Collisions from which threads are worth waking.
const MANY: usize = 512;

impl BarrierPotential {
    /// b and its derivatives by the squared distance, with κ.
    #[inline(always)]
    pub fn of_square(&self, square: f64) -> BarrierValue {
        let Self { barrier, dhat, dmin, stiffness } = self;
        let own = barrier.at(square - dmin * dmin, (2.0 * dmin + dhat) * dhat);
        BarrierValue { value: stiffness * own.value, slope: stiffness * own.slope, bend: stiffness * own.bend }
    }

    /// Size of the force between the elements of a collision at this distance: −2 d κ b'.
    #[inline]
    pub fn force(&self, distance: f64) -> f64 {
        -2.0 * distance * self.of_square(distance * distance).slope
    }

    /// Change of that force with the distance: −2 κ b' − 4 d² κ b''.
    #[inline]
    pub fn force_slope(&self, distance: f64) -> f64 {
        let BarrierValue { slope, bend, .. } = self.of_square(distance * distance);
        -2.0 * slope - 4.0 * distance * distance * bend
    }

    /// Potential of a collision, J.
    pub fn value(&self, collision: &Collision, points: &[DVec3; 4], planes: &[Plane]) -> f64 {
        let feet = collision.feet(points, planes);
        let molly = collision.mollified(points).map_or(1.0, |eps| mollifier::value(points, eps));
        let value = self.of_square(feet.square).value;
        // Also where the barrier is finite at the least distance.
        if feet.square > self.dmin * self.dmin { collision.weight * molly * value } else { f64::INFINITY }
    }

    /// Derivative of the potential of a collision by its points, N.
    #[inline(always)]
    pub fn gradient(&self, collision: &Collision, points: &[DVec3; 4], planes: &[Plane]) -> [DVec3; 4] {
        let feet = collision.feet(points, planes);
        let BarrierValue { value, slope, .. } = self.of_square(feet.square);
        let weight = collision.weight;
        match collision.mollified(points) {
            None => {
                let way = feet.way * (2.0 * weight * slope);
                feet.weights.map(|w| way * w)
            }
            Some(eps) => {
                let Smooth { value: m, gradient: of_m, .. } = mollifier::smooth(points, eps);
                let of_d = feet.gradient();
                std::array::from_fn(|i| (of_m[i] * value + of_d[i] * (m * slope)) * weight)
            }
        }
    }

    /// Second derivatives of the potential of a collision, N/m.
    pub fn hessian(
        &self,
        collision: &Collision,
        points: &[DVec3; 4],
        planes: &[Plane],
        projection: Projection,
    ) -> Local {
        let nearest = collision.nearest(points, planes);
        let own = self.of_square(nearest.square());
        let weight = collision.weight;
        match (collision.mollified(points), projection) {
            (None, Projection::Whole) => nearest.composed(weight * own.slope, weight * own.bend),
            (None, Projection::Positive) => composed_positive(&nearest, weight * own.slope, weight * own.bend),
            (Some(eps), projection) => {
                let whole = mollified(&nearest, own, &mollifier::smooth(points, eps), weight);
                match projection {
                    Projection::Whole => whole,
                    Projection::Positive => Local::from_dense(&clamp(whole.dense())),
                }
            }
        }
    }

    /// Potential of all collisions, J; infinite where a distance is not above the least one.
    pub fn total(&self, collisions: &[Collision], positions: &[DVec3], planes: &[Plane]) -> f64 {
        collisions.iter().map(|own| self.value(own, &own.points(positions), planes)).sum()
    }

    /// out += derivative of the potential of all collisions by the vertices, N.
    pub fn add_gradient(&self, collisions: &[Collision], positions: &[DVec3], planes: &[Plane], out: &mut [DVec3]) {
        for own in collisions {
            let at = |k: usize| positions[own.vertices[k] as usize];
            if own.mollified_at(at).is_some() {
                let gradient = self.gradient(own, &own.points(positions), planes);
                own.list().iter().zip(gradient).for_each(|(vertex, g)| out[*vertex as usize] += g);
                continue;
            }
            // The points go straight from their list into the formulas: an array of them in between costs more than the
            // formulas.
            let feet = own.feet_at(at, planes);
            let way = feet.way * (2.0 * own.weight * self.of_square(feet.square).slope);
            own.list().iter().zip(feet.weights).for_each(|(vertex, w)| out[*vertex as usize] += way * w);
        }
    }

    /// The Hessians of all collisions, in their order.
    pub fn hessians(
        &self,
        collisions: &[Collision],
        positions: &[DVec3],
        planes: &[Plane],
        projection: Projection,
        out: &mut Vec<Local>,
    ) {
        let make = |own: &Collision| self.hessian(own, &own.points(positions), planes, projection);
        if collisions.len() < MANY || rayon::current_num_threads() == 1 {
            out.clear();
            out.extend(collisions.iter().map(make));
        } else {
            collisions.par_iter().map(make).collect_into_vec(out);
        }
    }
}

/// Second derivatives of w m b(D).
fn mollified(nearest: &Nearest, own: BarrierValue, molly: &Smooth, weight: f64) -> Local {
    let BarrierValue { value, slope, bend } = own;
    let of_d = nearest.composed(molly.value * slope, molly.value * bend);
    let mut sum = of_d.plus(value, &molly.hessian);
    sum.add_mixed(slope, &molly.gradient, &nearest.gradient());
    Local::ZERO.plus(weight, &sum)
}
