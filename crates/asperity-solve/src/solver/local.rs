//! One contact at a time: the impulse r of a contact with u = W r + q, everything else held fixed. Three rows here,
//! spin and rolling in [`super::local_n`].
//!
//! Sets are solved exactly. Taking off (q_N ≥ 0) and sticking (r = −W⁻¹q within the cone) are tried first. Sliding is
//! Newton's method on the equations of Alart and Curnier,
//!
//!   r_N = (r_N − ρ_N u_N)⁺,   r_T = P(load, r_T − ρ_T u_T),   load = (r_N − ρ_N u_N)⁺,
//!
//! P the projection onto load·F, whose derivatives the set knows. An ellipse is solved as a disk, in tangents that are
//! stretched until it is one ([`Stretch`]): each of its projections would need a search. Where Newton's method does not settle, and for all
//! other laws, the equations are iterated as they stand (PROX): the normal row first, then the tangential ones at the
//! new load. The r-factors ρ of these steps may be multiplied by a factor: above one they are over-relaxed.

use asperity_friction::set::{ConvexSet, Disk, Ellipse, FrictionSet, PlanarProjection};
use asperity_friction::{ContactLaw, Tangential};
use glam::{DMat3, DVec2, DVec3};

use super::local_n::ContactN;
use super::prox::{LocalContact, ProxSteps, STILL, Settled, factor, respond, tangential_factor};

/// Newton's method for a contact ends with the step from where the error is this small, relative to the load.
const CLOSE: f64 = 1e-8;

/// The operator of one contact with three rows, ready for repeated solves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact3 {
    response: Response3,
    inverse: DMat3,
}

/// W of a contact with three rows, and the r-factors ρ_N and ρ_T that belong to it.
#[derive(Clone, Copy, Debug)]
struct Response3 {
    w: DMat3,
    rho: DVec2,
}

/// Tangents in which an ellipse with semi-axes m_t along a and m_b across it is the disk of radius m = √(m_t m_b).
///
/// With S = diag(1, m/m_t, m/m_b) in the axes of the ellipse, r′ = S r is in the cone over the disk exactly if r is in the cone over the ellipse.
/// u′ = S⁻¹ u keeps r·u and the support, h(−u_T) = m |u′_T|; so u = W r + q is u′ = S⁻¹ W S⁻¹ r′ + S⁻¹ q.
struct Stretch {
    axis: DVec2,
    /// m/m_t and m/m_b.
    factors: DVec2,
    disk: Disk,
}

/// Ellipses thinner than this, m_b/m_t or its inverse, are not stretched: digits would be lost.
const THINNEST: f64 = 1e-3;

impl Stretch {
    /// `None` for ellipses that are too thin.
    #[inline]
    fn of(ellipse: &Ellipse) -> Option<Self> {
        let mu = DVec2::from_array(ellipse.mu());
        if mu.min_element() <= THINNEST * mu.max_element() {
            return None;
        }
        let mean = (mu.x * mu.y).sqrt();
        Some(Self { axis: ellipse.axis(), factors: mean / mu, disk: Disk::new(mean).ok()? })
    }

    /// Components along the axis and across it.
    #[inline]
    fn local(&self, t: DVec2) -> DVec2 {
        DVec2::new(self.axis.dot(t), self.axis.perp_dot(t))
    }

    /// S r.
    #[inline]
    fn impulse(&self, r: DVec3) -> DVec3 {
        let t = self.local(r.yz()) * self.factors;
        DVec3::new(r.x, t.x, t.y)
    }

    /// S⁻¹ u.
    #[inline]
    fn velocity(&self, u: DVec3) -> DVec3 {
        let t = self.local(u.yz()) / self.factors;
        DVec3::new(u.x, t.x, t.y)
    }

    /// S⁻¹ r′.
    #[inline]
    fn undone(&self, r: DVec3) -> DVec3 {
        let t = self.axis.rotate(r.yz() / self.factors);
        DVec3::new(r.x, t.x, t.y)
    }

    /// S⁻¹ W S⁻¹ with its r-factors.
    #[inline]
    fn response(&self, response: &Response3) -> Response3 {
        let w = &response.w;
        let columns = [w.x_axis, w.y_axis, w.z_axis].map(|column| self.velocity(column));
        let rows = DMat3::from_cols_array_2d(&columns.map(|c| c.to_array())).transpose();
        let rows = [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| self.velocity(row));
        Response3::new(DMat3::from_cols_array_2d(&rows.map(|r| r.to_array())).transpose())
    }
}

impl Response3 {
    #[inline]
    fn new(w: DMat3) -> Self {
        let (a, b, c, d) = (w.y_axis.y, w.z_axis.y, w.y_axis.z, w.z_axis.z);
        let mean = 0.5 * (a + d);
        let largest = mean + (0.25 * (a - d) * (a - d) + 0.25 * (b + c) * (b + c)).sqrt();
        let normal = factor(w.x_axis.x);
        Self { w, rho: DVec2::new(normal, tangential_factor(largest, normal)) }
    }

    /// Newton's method for a sliding contact; `None` if it does not settle on a solution.
    #[inline]
    fn slide(&self, q: DVec3, set: &impl ConvexSet, start: DVec3) -> Option<DVec3> {
        let mut r = start;
        let size = q.length() * self.rho.x;
        let mut last = f64::INFINITY;
        // Rows of dload = dr_N − ρ_N W_N dr and of dtrial = dr_T − ρ_T W_T dr.
        let wt = self.w.transpose();
        let load_row = DVec3::X - wt.x_axis * self.rho.x;
        let trial_rows = [DVec3::Y - wt.y_axis * self.rho.y, DVec3::Z - wt.z_axis * self.rho.y];
        for _ in 0..25 {
            let u = self.w * r + q;
            let load = r.x - self.rho.x * u.x;
            if load <= 0.0 {
                return None;
            }
            let PlanarProjection { point: p, derivative: d } =
                set.planar_projection(load, r.yz() - u.yz() * self.rho.y);
            let f = DVec3::new(r.x - load, r.y - p.x, r.z - p.y);
            let error = f.length();
            let scale = size + r.length();
            if error <= 1e-14 * scale {
                return Some(r);
            }
            if error > 10.0 * last {
                return None;
            }
            last = error.min(last);
            let row = |k: usize, unit: DVec3| {
                let by_force = d.by_force.row(k);
                unit - trial_rows[0] * by_force.x - trial_rows[1] * by_force.y - load_row * d.by_load[k]
            };
            let jacobian = DMat3::from_cols(DVec3::X - load_row, row(0, DVec3::Y), row(1, DVec3::Z)).transpose();
            let step = jacobian.inverse() * f;
            if !step.is_finite() {
                return None;
            }
            r -= step;
            // What is left is of the order of the square: the next visit goes on from there.
            if error <= CLOSE * scale {
                return Some(r);
            }
        }
        None
    }
}

impl Contact3 {
    /// From the diagonal block, row by row.
    pub(super) fn new(block: &[f64]) -> Self {
        let w = DMat3::from_cols_slice(block).transpose();
        Self { response: Response3::new(w), inverse: w.inverse() }
    }

    /// A sliding contact by Newton's method; `None` if it does not settle on a solution.
    #[inline]
    fn slide(&self, q: DVec3, set: &FrictionSet, start: DVec3) -> Option<DVec3> {
        match set {
            FrictionSet::Disk(disk) => self.response.slide(q, disk, start),
            FrictionSet::Ellipse(ellipse) => match Stretch::of(ellipse) {
                Some(stretch) => stretch
                    .response(&self.response)
                    .slide(stretch.velocity(q), &stretch.disk, stretch.impulse(start))
                    .map(|r| stretch.undone(r)),
                None => self.response.slide(q, ellipse, start),
            },
            set => self.response.slide(q, set, start),
        }
    }

    /// The same by the solver that takes any number of rows, more slowly and from several starts.
    #[cold]
    fn slide_with_care(&self, q: DVec3, law: &ContactLaw, set: &FrictionSet, start: DVec3) -> DVec3 {
        let contact = ContactN::new(&self.response.w.transpose().to_cols_array(), 3);
        let wide = |v: DVec3| [v.x, v.y, v.z, 0.0, 0.0, 0.0];
        DVec3::from_slice(&contact.solve_at(law, set, &wide(start), &wide(q)))
    }
}

impl LocalContact for Contact3 {
    type Vector = DVec3;

    fn solve(&self, law: &ContactLaw, set: &FrictionSet, r: &DVec3, u: &DVec3) -> DVec3 {
        let q = *u - self.response.w * *r;
        if q.x >= 0.0 || self.response.rho.x == 0.0 {
            return DVec3::ZERO;
        }
        let stick = -(self.inverse * q);
        if stick.is_finite() && stick.x >= 0.0 && set.contains(stick.x, Tangential::planar(stick.yz()), 0.0) {
            return stick;
        }
        let start = if r.x > 0.0 { *r } else { DVec3::new(-q.x * self.response.rho.x, 0.0, 0.0) };
        self.slide(q, set, start).unwrap_or_else(|| self.slide_with_care(q, law, set, start))
    }

    #[inline]
    fn prox(&self, law: &ContactLaw, how: ProxSteps, r: &DVec3, u: &DVec3) -> Settled<DVec3> {
        let (mut r, mut u) = (*r, *u);
        let Response3 { w, rho } = self.response;
        let rho = rho * how.factor;
        let mut moved = 0.0;
        for step in 1..=how.steps {
            let load = (r.x - rho.x * u.x).max(0.0);
            u += w.x_axis * (load - r.x);
            let p = respond(law, load, Tangential::planar(r.yz() - u.yz() * rho.y)).plane;
            let change = DVec3::new(load - r.x, p.x - r.y, p.y - r.z);
            r = DVec3::new(load, p.x, p.y);
            moved = change.abs().max_element();
            if step == how.steps || moved <= STILL * load {
                break;
            }
            u += w.y_axis * change.y + w.z_axis * change.z;
        }
        Settled { r, moved }
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
