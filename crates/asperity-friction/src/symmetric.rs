//! Symmetric 2 × 2 matrices: eigenvalues, logarithm and exponential in closed form.

use std::ops::{Add, Mul};

use glam::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

/// [[xx, xy], [xy, yy]].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Symmetric2 {
    /// First diagonal entry.
    pub xx: f64,
    /// Off-diagonal entry.
    pub xy: f64,
    /// Second diagonal entry.
    pub yy: f64,
}

/// Eigenvalues and eigenvectors of a symmetric matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigen2 {
    /// The eigenvalues, the smaller first.
    pub values: [f64; 2],
    /// The unit eigenvector of the first; that of the second is across it.
    pub axis: DVec2,
}

impl Symmetric2 {
    /// The zero matrix.
    pub const ZERO: Self = Self { xx: 0.0, xy: 0.0, yy: 0.0 };

    /// The symmetric part of a matrix.
    pub fn part_of(m: DMat2) -> Self {
        Self { xx: m.x_axis.x, xy: 0.5 * (m.x_axis.y + m.y_axis.x), yy: m.y_axis.y }
    }

    /// Σ value_i u_i u_iᵀ with u_0 = `axis` (a unit vector) and u_1 across it.
    pub fn from_eigen(values: [f64; 2], axis: DVec2) -> Self {
        let [a, b] = values;
        Self {
            xx: a * axis.x * axis.x + b * axis.y * axis.y,
            xy: (a - b) * axis.x * axis.y,
            yy: a * axis.y * axis.y + b * axis.x * axis.x,
        }
    }

    /// Eigenvalues and eigenvectors.
    pub fn eigen(&self) -> Eigen2 {
        let mean = 0.5 * (self.xx + self.yy);
        let half = 0.5 * (self.xx - self.yy);
        let radius = half.hypot(self.xy);
        if radius == 0.0 {
            return Eigen2 { values: [mean, mean], axis: DVec2::X };
        }
        // Eigenvector of the larger value at half the angle of (half, xy); the smaller one's is across it.
        let angle = 0.5 * self.xy.atan2(half);
        // The smaller eigenvalue by the determinant, when the difference would cancel.
        let large = if mean >= 0.0 { mean + radius } else { mean - radius };
        let other = if large == 0.0 { 0.0 } else { self.determinant() / large };
        let values = if mean >= 0.0 { [other, large] } else { [large, other] };
        Eigen2 { values, axis: DVec2::from_angle(angle).perp() }
    }

    /// xx yy − xy².
    #[inline]
    pub fn determinant(&self) -> f64 {
        self.xx * self.yy - self.xy * self.xy
    }

    /// The matrix times a vector.
    #[inline]
    pub fn apply(&self, v: DVec2) -> DVec2 {
        DVec2::new(self.xx * v.x + self.xy * v.y, self.xy * v.x + self.yy * v.y)
    }

    /// E M Eᵀ.
    pub fn congruent(&self, e: DMat2) -> Self {
        Self::part_of(e * self.to_matrix() * e.transpose())
    }

    /// As a general matrix.
    pub fn to_matrix(self) -> DMat2 {
        DMat2::from_cols(DVec2::new(self.xx, self.xy), DVec2::new(self.xy, self.yy))
    }

    /// The function of the matrix: `f` applied to the eigenvalues.
    pub fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        let Eigen2 { values, axis } = self.eigen();
        Self::from_eigen(values.map(f), axis)
    }
}

impl Add for Symmetric2 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { xx: self.xx + o.xx, xy: self.xy + o.xy, yy: self.yy + o.yy }
    }
}

impl Mul<f64> for Symmetric2 {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Self { xx: self.xx * k, xy: self.xy * k, yy: self.yy * k }
    }
}
