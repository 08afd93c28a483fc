//! One contact at a time: the impulse r of a contact with u = W r + q, everything else held fixed.
//!
//! Planar sets are solved exactly. Taking off (q_N ≥ 0) and sticking (r = −W⁻¹q within the cone) are tried first. Sliding is
//! Newton's method on the equations of Alart and Curnier,
//!
//!   r_N = (r_N − ρ_N u_N)⁺,   r_T = P(load, r_T − ρ_T u_T),   load = (r_N − ρ_N u_N)⁺,
//!
//! P the projection onto load·F, whose derivatives the set knows. Where Newton's method does not settle, and for all other
//! laws, the equations are iterated as they stand (PROX).

use asperity_friction::set::{ConvexSet, FrictionSet};
use asperity_friction::{ContactLaw, Tangential};
use glam::{DMat3, DVec2, DVec3};

/// The operator of one contact with three rows, ready for repeated solves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact3 {
    w: DMat3,
    inverse: DMat3,
    rho: DVec2,
}

impl Contact3 {
    /// From the diagonal block, row by row.
    pub(super) fn new(block: &[f64]) -> Self {
        let w = DMat3::from_cols_slice(block).transpose();
        let (a, b, c, d) = (w.y_axis.y, w.z_axis.y, w.y_axis.z, w.z_axis.z);
        let mean = 0.5 * (a + d);
        let largest = mean + (0.25 * (a - d) * (a - d) + 0.25 * (b + c) * (b + c)).sqrt();
        let rho = DVec2::new(1.0 / w.x_axis.x.max(f64::MIN_POSITIVE), 1.0 / largest.max(f64::MIN_POSITIVE));
        Self { w, inverse: w.inverse(), rho }
    }

    /// The impulse that solves the contact, from the guess `r`; with the planar set of its law.
    pub(super) fn solve(&self, q: DVec3, set: &FrictionSet, r: DVec3) -> DVec3 {
        if q.x >= 0.0 {
            return DVec3::ZERO;
        }
        let stick = -(self.inverse * q);
        if stick.is_finite() && stick.x >= 0.0 {
            let t = Tangential::planar(stick.yz());
            if set.project(stick.x, t) == t {
                return stick;
            }
        }
        let start = if r.x > 0.0 { r } else { DVec3::new(-q.x * self.rho.x, 0.0, 0.0) };
        self.slide(q, set, start).unwrap_or_else(|| self.prox(q, set, start, 100))
    }

    /// Newton's method for a sliding contact; `None` if it does not settle on a solution.
    fn slide(&self, q: DVec3, set: &FrictionSet, start: DVec3) -> Option<DVec3> {
        let planar = set.planar()?;
        let mut r = start;
        let size = q.length() * self.rho.x;
        let mut last = f64::INFINITY;
        for _ in 0..25 {
            let u = self.w * r + q;
            let load = r.x - self.rho.x * u.x;
            if load <= 0.0 {
                return None;
            }
            let trial = r.yz() - u.yz() * self.rho.y;
            let p = set.project(load, Tangential::planar(trial)).plane;
            let f = DVec3::new(r.x - load, r.y - p.x, r.z - p.y);
            let error = f.length();
            if error <= 1e-14 * (size + r.length()) {
                return Some(r);
            }
            if error > 10.0 * last {
                return None;
            }
            last = error.min(last);
            let d = planar.project_derivative(load, trial);
            // Row of dload = dr_N − ρ_N W_N dr; rows of dtrial = dr_T − ρ_T W_T dr.
            let wt = self.w.transpose();
            let load_row = DVec3::X - wt.x_axis * self.rho.x;
            let trial_rows = [DVec3::Y - wt.y_axis * self.rho.y, DVec3::Z - wt.z_axis * self.rho.y];
            let row = |k: usize, unit: DVec3| {
                let by_force = DVec2::new(d.by_force.x_axis[k], d.by_force.y_axis[k]);
                unit - trial_rows[0] * by_force.x - trial_rows[1] * by_force.y - load_row * d.by_load[k]
            };
            let jacobian = DMat3::from_cols(DVec3::X - load_row, row(0, DVec3::Y), row(1, DVec3::Z)).transpose();
            let step = jacobian.inverse() * f;
            if !step.is_finite() {
                return None;
            }
            r -= step;
        }
        None
    }

    /// The equations iterated as they stand.
    fn prox(&self, q: DVec3, set: &FrictionSet, start: DVec3, iterations: usize) -> DVec3 {
        let mut r = start;
        for _ in 0..iterations {
            let u = self.w * r + q;
            let load = (r.x - self.rho.x * u.x).max(0.0);
            let p = set.project(load, Tangential::planar(r.yz() - u.yz() * self.rho.y)).plane;
            let next = DVec3::new(load, p.x, p.y);
            let moved = (next - r).length();
            r = next;
            if moved <= 1e-15 * r.length() {
                break;
            }
        }
        r
    }
}

/// One PROX step of any law: the tangential impulse for the load and the trial impulse r_T − ρ u_T.
#[inline]
pub(super) fn respond(law: &ContactLaw, load: f64, trial: Tangential, slip: Tangential) -> Tangential {
    match law {
        ContactLaw::Set(set) => set.project(load, trial),
        ContactLaw::Slip(rule) => Tangential::planar(rule.resolve(load, trial.plane)),
        ContactLaw::TwoSet(two) => {
            if two.reaches(load, trial.plane, 0.0) {
                trial
            } else {
                Tangential::planar(two.force(load, slip.plane))
            }
        }
    }
}

trait YZ {
    fn yz(self) -> DVec2;
}

impl YZ for DVec3 {
    #[inline]
    fn yz(self) -> DVec2 {
        DVec2::new(self.y, self.z)
    }
}
