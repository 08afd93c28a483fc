//! How lagged friction changes with the places that it was lagged at, and with the velocities.
//!
//! The force of a collision on its vertex i is F_i = w_i B φ(τ) λ, φ the force of the law by the slip τ = Bᵀ Σ w_j v_j for a load of 1. While a
//! potential is minimised w, B and λ are fixed. Whoever differentiates through whole steps (for sensitivities, or for a Newton's
//! method that does not lag) needs what they change by:
//!
//! ∂F_i/∂v_j = w_i w_j λ B φ' Bᵀ,
//! δF_i = δ(w_i λ) B φ + w_i λ [δB φ + B φ' (δBᵀ Σ w_j v_j + Bᵀ Σ δw_j v_j)],
//!
//! δw = Σ_k u_k δβ_k with δβ_k = −Σ_i (d u_ki n + w_i e_k)·δx_i, from e_k·r = 0 at the nearest points ([`Nearest`] has w, u_k, e_k and n),
//! and δλ = λ'(d) n·Σ w_i δx_i. Bases are differentiated vector by vector. Coefficients that depend on the direction of the slip stay those
//! that were lagged, as in the IPC Toolkit.

use glam::{DMat2, DVec2, DVec3};

use super::collision::{Collision, Plane, StencilKind};
use super::nearest::Nearest;
use super::tangent::{Arrow, Lagged, basis};

/// A friction law at one slip, for a load of 1: the force and its derivative by the slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipForce {
    /// φ.
    pub force: DVec2,
    /// ∂φ/∂τ.
    pub slope: DMat2,
}

/// Where a collision is lagged, and how its points move.
#[derive(Clone, Copy, Debug)]
pub struct LaggedAt<'a> {
    /// Which elements.
    pub collision: &'a Collision,
    /// Its points.
    pub points: &'a [DVec3; 4],
    /// The planes that collisions with planes speak of.
    pub planes: &'a [Plane],
    /// Velocities of the points.
    pub velocities: &'a [DVec3; 4],
    /// Velocity of A's point relative to B's, in the world.
    pub slip: DVec3,
    /// Change of the load with the distance, N/m.
    pub load_slope: f64,
}

/// A 12 × 12 matrix: row 3 i + k is component k of the force on vertex i.
pub type Jacobian = [[f64; 12]; 12];

/// A vector, and its change.
#[derive(Clone, Copy, Debug)]
struct Moving {
    at: DVec3,
    by: DVec3,
}

impl Arrow for Moving {
    fn fixed(at: DVec3) -> Self {
        Self { at, by: DVec3::ZERO }
    }

    fn at(self) -> DVec3 {
        self.at
    }

    fn minus(self, other: Self) -> Self {
        Self { at: self.at - other.at, by: self.by - other.by }
    }

    fn cross(self, other: Self) -> Self {
        Self { at: self.at.cross(other.at), by: self.by.cross(other.at) + self.at.cross(other.by) }
    }

    /// δ(v/|v|) = (δv − v̂ v̂·δv)/|v|.
    fn unit_or(self, other: Self) -> Self {
        let length = self.at.length();
        let Some(at) = self.at.try_normalize() else { return other };
        Self { at, by: (self.by - at * at.dot(self.by)) / length }
    }
}

/// What changes of friction depend on beside the law.
#[derive(Clone, Copy)]
struct Sliding<'a> {
    nearest: &'a Nearest,
    /// Change of the load with the distance, N/m.
    slope: f64,
    velocities: &'a [DVec3; 4],
    /// Velocity of A's point relative to B's.
    slip: DVec3,
}

/// Changes of the weights of the nearest points as one of the points moves.
fn weights(nearest: &Nearest, point: usize, by: DVec3) -> [f64; 4] {
    let Nearest { weights, normal, distance, across, rates, free } = nearest;
    let mut out = [0.0; 4];
    for k in 0..*free {
        let along = -(*normal * (distance * rates[k][point]) + across[k] * weights[point]).dot(by);
        (0..4).for_each(|i| out[i] += rates[k][i] * along);
    }
    out
}

impl Lagged {
    /// ∂F/∂v: how friction changes with the velocities of the vertices, N s/m.
    pub fn by_velocities(&self, law: &SlipForce) -> Jacobian {
        let world = |column: DVec2| self.world(law.slope * column) * self.load();
        let mut out = [[0.0; 12]; 12];
        for j in 0..self.kind.count() {
            for k in 0..3 {
                let mut axis = DVec3::ZERO;
                axis[k] = self.weights[j];
                let force = world(self.plane(axis));
                for i in 0..self.kind.count() {
                    (0..3).for_each(|row| out[3 * i + row][3 * j + k] = force[row] * self.weights[i]);
                }
            }
        }
        out
    }

    /// ∂F/∂x: how friction changes with the places that it is lagged at, N/m, with the axes of the stencil's own basis. Edges that are nearly
    /// parallel, whose barrier is mollified, have no such derivative here.
    pub fn by_places(&self, at: &LaggedAt, law: &SlipForce) -> Jacobian {
        let LaggedAt { collision, points, planes, .. } = *at;
        let nearest = collision.nearest(points, planes);
        let own = Sliding { nearest: &nearest, slope: at.load_slope, velocities: at.velocities, slip: at.slip };
        self.changes(own, law, |point, by| {
            let moving =
                std::array::from_fn(|i| Moving { at: points[i], by: if i == point { by } else { DVec3::ZERO } });
            basis::<Moving>(self.kind, moving, self.normal).map(|axis| axis.by)
        })
    }

    /// The same for a law whose axes do not come from the basis of the stencil: where the normal turns, the basis turns with it and not around it,
    /// δb = −n (b·δn). Edges that are nearly parallel keep their share of the barrier and their nearest points. The two sides may have been swapped
    /// (normal and weights turned round).
    pub fn by_places_turning(&self, at: &LaggedAt, law: &SlipForce) -> Jacobian {
        let LaggedAt { collision, points, planes, .. } = *at;
        let mut nearest = collision.nearest(points, planes);
        if collision.mollified(points).is_some() {
            nearest.free = 0;
        }
        let fixed = collision.kind == StencilKind::PlaneVertex;
        let sign = self.normal.dot(nearest.normal).signum();
        let own = Sliding { nearest: &nearest, slope: at.load_slope, velocities: at.velocities, slip: at.slip };
        self.changes(own, law, |point, by| {
            let of_weights = weights(&nearest, point, by);
            let way: DVec3 = by * nearest.weights[point] + (0..4).map(|i| points[i] * of_weights[i]).sum::<DVec3>();
            let across = way - nearest.normal * nearest.normal.dot(way);
            let turned = if fixed { DVec3::ZERO } else { across * (sign / nearest.distance) };
            self.basis.map(|axis| self.normal * -axis.dot(turned))
        })
    }

    /// `of_basis`: change of the basis as a point moves.
    fn changes(&self, own: Sliding, law: &SlipForce, of_basis: impl Fn(usize, DVec3) -> [DVec3; 2]) -> Jacobian {
        let Sliding { nearest, slope, velocities, slip } = own;
        let sign = self.normal.dot(nearest.normal).signum();
        let force = self.world(law.force);
        let mut out = [[0.0; 12]; 12];
        for j in 0..self.kind.count() {
            for k in 0..3 {
                let mut by = DVec3::ZERO;
                by[k] = 1.0;
                let of_weights = weights(nearest, j, by).map(|w| w * sign);
                let of_load = slope * self.weights[j] * self.normal.dot(by);
                let of_basis = of_basis(j, by);
                let carried: DVec3 = (0..4).map(|i| velocities[i] * of_weights[i]).sum();
                let turned = DVec2::new(of_basis[0].dot(slip), of_basis[1].dot(slip));
                let of_force = self.world(law.slope * (turned + self.plane(carried)))
                    + of_basis[0] * law.force.x
                    + of_basis[1] * law.force.y;
                for i in 0..self.kind.count() {
                    let load = of_weights[i] * self.load() + self.weights[i] * of_load;
                    let change = force * load + of_force * (self.weights[i] * self.load());
                    (0..3).for_each(|row| out[3 * i + row][3 * j + k] = change[row]);
                }
            }
        }
        out
    }
}
