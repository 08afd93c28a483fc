//! Small matrices that several energies are made of.

use glam::{DMat3, DVec3};

/// The matrix [v]ₓ with [v]ₓ w = v × w.
#[inline]
pub(super) fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// a bᵀ.
#[inline]
pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
