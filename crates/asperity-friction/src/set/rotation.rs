//! Components in a frame of the contact plane: what all oriented sets share.
//!
//! A set that has a direction of its own, the unit vector a, is described along (a, a⊥), a⊥ = a turned by 90°. A vector
//! with components (x, y) there is x a + y a⊥ in the contact plane.

use glam::DVec2;

/// The vector of the contact plane that has the components `local` along (axis, axis⊥).
#[inline]
pub(crate) fn rotate(axis: DVec2, local: DVec2) -> DVec2 {
    DVec2::new(axis.x * local.x - axis.y * local.y, axis.y * local.x + axis.x * local.y)
}

/// Components of `plane` along (axis, axis⊥).
#[inline]
pub(super) fn unrotate(axis: DVec2, plane: DVec2) -> DVec2 {
    DVec2::new(axis.dot(plane), axis.x * plane.y - axis.y * plane.x)
}
