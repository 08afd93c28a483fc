//! A set made of ellipsoids, each in the coordinates in which it is a ball.
//!
//! Disks, ellipses, ellipsoids, and these with rolling torques, are products of ellipsoids Σ (f_i/μ_i)² ≤ 1 in axes of
//! their own. With x_i = f_i/μ_i and y_i = ρ μ_i u_i they are balls |x| ≤ load, the inner product keeps, x·y = ρ f·u,
//! and so the support is a length, ρ h(u) = |y|. No unit of length is left. An axis with μ_i = 0 has neither: its
//! equation is f_i = 0.

use asperity_friction::set::{ConvexSet, FrictionSet};
use glam::DVec2;

use super::{FormRows, Weights};

/// Most axes of one ellipsoid.
pub(super) const AXES: usize = 3;

/// One ellipsoid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ellipsoid {
    /// The contact's row of its first axis.
    first: usize,
    /// Its semi-axes; `axes` of them.
    mu: [f64; AXES],
    pub(super) axes: usize,
    /// Direction of the first axis.
    axis: DVec2,
}

impl Ellipsoid {
    fn new(first: usize, mu: &[f64], axis: DVec2) -> Self {
        let mut all = [0.0; AXES];
        all[..mu.len()].copy_from_slice(mu);
        Self { first, mu: all, axes: mu.len(), axis }
    }

    /// The contact's row in which the equation of axis i is written.
    pub(super) fn row(&self, i: usize) -> usize {
        self.first + i
    }

    /// Whether axis i has an extent.
    pub(super) fn extends(&self, i: usize) -> bool {
        i < self.axes && self.mu[i] > 0.0
    }

    /// Component of axis i along row `first + k`.
    fn turn(&self, i: usize, k: usize) -> f64 {
        match (i, k) {
            (0, 0) | (1, 1) => self.axis.x,
            (0, 1) => self.axis.y,
            (1, 0) => -self.axis.y,
            (2, 2) => 1.0,
            _ => 0.0,
        }
    }

    /// Components of rows of the contact along the axes.
    fn local(&self, rows: &[f64]) -> [f64; AXES] {
        let mut local = [0.0; AXES];
        for (i, component) in local.iter_mut().enumerate().take(self.axes) {
            *component = (0..self.axes).map(|k| self.turn(i, k) * rows[self.first + k]).sum();
        }
        local
    }

    /// x and y; zero along axes without extent.
    pub(super) fn coordinates(&self, rho: f64, r: &[f64], u: &[f64]) -> ([f64; AXES], [f64; AXES]) {
        let (mut x, mut y) = (self.local(r), self.local(u));
        for i in 0..AXES {
            if self.extends(i) {
                x[i] /= self.mu[i];
                y[i] *= rho * self.mu[i];
            } else {
                (x[i], y[i]) = (0.0, 0.0);
            }
        }
        (x, y)
    }

    /// Adds ∂F/∂x_j dx_j + ∂F/∂y_j dy_j of an equation to a row of A and B.
    pub(super) fn add(&self, rows: &mut FormRows, row: usize, j: usize, rho: f64, by_x: f64, by_y: f64) {
        for k in 0..self.axes {
            let turn = self.turn(j, k);
            rows.a[row][self.first + k] += by_x / self.mu[j] * turn;
            rows.b[row][self.first + k] += by_y * rho * self.mu[j] * turn;
        }
    }

    /// Writes f_i = 0, as a force, for the axes without extent.
    pub(super) fn write_flat(&self, weights: &Weights, r: &[f64], jacobian: bool, rows: &mut FormRows) {
        let f = self.local(r);
        for (i, f) in f.into_iter().enumerate().take(self.axes) {
            if self.extends(i) {
                continue;
            }
            let row = self.row(i);
            let unit = weights.unit(row);
            rows.f[row] = f * unit;
            if jacobian {
                for k in 0..self.axes {
                    rows.a[row][self.first + k] = self.turn(i, k) * unit;
                }
            }
        }
    }
}

/// The ellipsoids of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ellipsoids {
    pub(super) sliding: Ellipsoid,
    pub(super) rolling: Option<Ellipsoid>,
}

impl Ellipsoids {
    /// `None` if the set is not made of ellipsoids.
    pub(super) fn of(set: &FrictionSet) -> Option<Self> {
        let (sliding, rolling) = match set {
            FrictionSet::Rolling(both) => {
                let rolling = both.rolling();
                (both.sliding(), Some(Ellipsoid::new(4, &rolling.mu(), rolling.axis())))
            }
            other => (other, None),
        };
        let sliding = match sliding {
            FrictionSet::Disk(disk) => Ellipsoid::new(1, &[disk.mu(); 2], DVec2::X),
            FrictionSet::Ellipse(ellipse) => Ellipsoid::new(1, &ellipse.mu(), ellipse.axis()),
            FrictionSet::Ellipsoid(ellipsoid) => Ellipsoid::new(1, &ellipsoid.mu(), ellipsoid.axis()),
            _ => return None,
        };
        Some(Self { sliding, rolling })
    }

    /// Writes r_k = 0, as a force, for the rows of a contact that the set does not have.
    pub(super) fn write_absent(&self, weights: &Weights, r: &[f64], jacobian: bool, rows: &mut FormRows) {
        let first = self.sliding.row(self.sliding.axes);
        for (k, r) in r.iter().enumerate().skip(first) {
            if self.rolling.is_some_and(|part| k >= part.first) {
                continue;
            }
            let unit = weights.unit(k);
            rows.f[k] = r * unit;
            if jacobian {
                rows.a[k][k] = unit;
            }
        }
    }
}
