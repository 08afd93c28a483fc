//! What contacts did in a step: impulses, and the forces that they are on average.

use std::ops::Range;

use glam::DVec3;

use super::{Contact, ContactName};
use crate::geometry::Feature;
use crate::world::ContactMemory;

/// A mean force at a contact over a step, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// The numbers of A and B.
    pub pair: [u32; 2],
    /// Where, m.
    pub point: DVec3,
    /// On A, N. The force on B is its negative.
    pub force: DVec3,
}

impl ContactForce {
    /// The forces to draw: on the body that moves, and half of it on each if both do. `moves` is about A and B; if neither moves, A counts.
    pub(crate) fn on_moving(&self, moves: [bool; 2]) -> impl Iterator<Item = DVec3> {
        let sides = match moves {
            [true, true] => [Some(0.5 * self.force), Some(-0.5 * self.force)],
            [false, true] => [None, Some(-self.force)],
            [_, false] => [Some(self.force), None],
        };
        sides.into_iter().flatten()
    }
}

/// What a contact did in a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactImpulse {
    pub(crate) pair: [u32; 2],
    pub(crate) feature: Feature,
    pub(crate) point: DVec3,
    /// Linear impulse on A, N s.
    pub(crate) impulse: DVec3,
    /// Angular impulse on A about the point (spin and rolling), N m s.
    pub(crate) angular_impulse: DVec3,
    /// Σ r_k u_k over the friction rows, J: the impulse times the slip at the end of the span. Friction that brakes has a negative one.
    pub(crate) friction: f64,
}

impl ContactImpulse {
    /// Of the impulses `r` at a contact, with relative velocities `u` at the end, row by row.
    pub(crate) fn new(contact: &Contact, r: &[f64], u: &[f64]) -> Self {
        let sum = |rows: Range<usize>| rows.map(|k| contact.axis(k) * r[k]).sum();
        Self {
            pair: contact.pair,
            feature: contact.feature,
            point: contact.point,
            impulse: sum(0..r.len().min(3)),
            angular_impulse: sum(3..r.len().max(3)),
            friction: r.iter().zip(u).skip(1).map(|(r, u)| r * u).sum(),
        }
    }

    /// What is remembered of it after a span of length h: its mean force and torque.
    pub(crate) fn memory(&self, h: f64) -> ContactMemory {
        let (force, torque) = (self.impulse / h, self.angular_impulse / h);
        ContactMemory { pair: self.pair, feature: self.feature, force, torque }
    }
}

/// What is added up over the spans of a step, contact by contact.
pub(crate) trait SpanSum: Copy {
    /// Pair and feature.
    fn name(&self) -> ContactName;

    /// The sum of this, of a later span, and the one before.
    fn after(self, earlier: &Self) -> Self;
}

impl SpanSum for ContactImpulse {
    fn name(&self) -> ContactName {
        ContactName { pair: self.pair, feature: self.feature }
    }

    /// The point is the later one.
    fn after(self, earlier: &Self) -> Self {
        Self {
            impulse: earlier.impulse + self.impulse,
            angular_impulse: earlier.angular_impulse + self.angular_impulse,
            friction: earlier.friction + self.friction,
            ..self
        }
    }
}

/// Adds what contacts did in a later span of the same step to `sums`. Both are sorted by name.
pub(crate) fn add_all<T: SpanSum>(sums: &mut Vec<T>, later: Vec<T>) {
    if sums.is_empty() {
        *sums = later;
        return;
    }
    let known = sums.len();
    for own in later {
        match sums[..known].binary_search_by_key(&own.name(), T::name) {
            Ok(i) => sums[i] = own.after(&sums[i]),
            Err(_) => sums.push(own),
        }
    }
    sums.sort_by_key(T::name);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Element;

    fn impulse(pair: [u32; 2], corner: u32, size: f64) -> ContactImpulse {
        let feature = Feature { a: Element::corner(corner), b: Element::face(0) };
        let (impulse, angular_impulse) = (DVec3::X * size, DVec3::Y * size);
        ContactImpulse { pair, feature, point: DVec3::splat(size), impulse, angular_impulse, friction: -size }
    }

    #[test]
    fn impulses_of_one_contact_add_up_and_others_stay_apart() {
        let mut sums = Vec::new();
        add_all(&mut sums, vec![impulse([0, 1], 1, 1.0), impulse([0, 1], 5, 2.0)]);
        add_all(&mut sums, vec![impulse([0, 1], 3, 4.0), impulse([0, 1], 5, 8.0), impulse([0, 2], 1, 16.0)]);
        let sizes: Vec<f64> = sums.iter().map(|sum| sum.impulse.x).collect();
        assert_eq!(sizes, [1.0, 4.0, 10.0, 16.0]);
        assert_eq!((sums[2].angular_impulse, sums[2].friction), (DVec3::Y * 10.0, -10.0));
        assert_eq!(sums[2].point, DVec3::splat(8.0));
    }
}
