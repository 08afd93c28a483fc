//! Normals that part two convex bodies: what separation, cylinders and pairs all answer with.

use glam::DVec3;

/// A normal, how far it parts the bodies without their radii, and the closest points, if they are known.
#[derive(Clone, Copy)]
pub(super) struct Parting {
    pub(super) normal: DVec3,
    pub(super) distance: f64,
    pub(super) closest: Option<[DVec3; 2]>,
}

impl Parting {
    /// The same with A and B exchanged.
    pub(super) fn swapped(self) -> Self {
        Self { normal: -self.normal, closest: self.closest.map(|[p, q]| [q, p]), ..self }
    }
}

/// A normal and how far it parts the bodies.
pub(super) type Best = (DVec3, f64);

pub(super) fn improve(best: &mut Best, n: DVec3, s: f64) {
    if s > best.1 {
        *best = (n, s);
    }
}
