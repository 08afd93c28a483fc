//! A place on the way of a step, and what collides there.

use glam::DVec3;

use super::iterate::Iterate;
use super::surfaces::Surfaces;
use crate::barrier::{Collision, Plane};

/// A place, and what collides there.
#[derive(Clone)]
pub(super) struct Here {
    pub(super) at: Iterate,
    pub(super) positions: Vec<DVec3>,
    pub(super) planes: Vec<Plane>,
    pub(super) collisions: Vec<Collision>,
}

impl Here {
    pub(super) fn new(at: Iterate, surfaces: &mut Surfaces) -> Self {
        let (positions, planes) = (surfaces.positions(&at), surfaces.planes(&at));
        let collisions = surfaces.collisions(&positions, &planes);
        Self { at, positions, planes, collisions }
    }

    /// The potential of each collision, J; infinite where it is not allowed.
    pub(super) fn barriers<'a>(&'a self, surfaces: &'a Surfaces) -> impl Iterator<Item = f64> + 'a {
        let of = |own: &Collision| surfaces.potential_of(own).value(own, &own.points(&self.positions), &self.planes);
        self.collisions.iter().map(of)
    }
}
