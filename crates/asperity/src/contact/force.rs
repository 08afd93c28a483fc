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
    /// Unit normal from B to A.
    pub normal: DVec3,
    /// Tangential part of v_A − v_B at the end of the step, m/s.
    pub slip: DVec3,
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// It presses, and does not slide.
    Stick,
    /// It presses and slides.
    Slide,
    /// It does not press.
    Open,
}

/// Speed from which on a contact slides, m/s: far above what solvers leave of a contact that sticks, far below what is seen in a picture.
const SLIDING: f64 = 1e-4;

impl Grip {
    /// Of a contact that is pressed with this normal force or impulse and slips with this speed, m/s.
    pub(super) fn of(normal: f64, speed: f64) -> Self {
        match normal > 0.0 {
            false => Self::Open,
            true if speed > SLIDING => Self::Slide,
            true => Self::Stick,
        }
    }

    /// "stick", "slide" or "open".
    pub fn name(self) -> &'static str {
        match self {
            Self::Stick => "stick",
            Self::Slide => "slide",
            Self::Open => "open",
        }
    }
}

/// The parts of a force at a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceParts {
    /// Along the normal.
    pub normal: DVec3,
    /// What is left: friction.
    pub friction: DVec3,
}

impl ContactForce {
    /// Whether it sticks, slides or is open.
    pub fn grip(&self) -> Grip {
        Grip::of(self.force.dot(self.normal), self.slip.length())
    }

    /// The force along the normal and across it.
    pub fn parts(&self) -> ForceParts {
        let normal = self.normal * self.force.dot(self.normal);
        ForceParts { normal, friction: self.force - normal }
    }

    /// The forces to draw, as fractions of the one on A: on the body that moves, and half of it on each if both do. `moves` is about A and B; if neither
    /// moves, A counts.
    pub(crate) fn shares(moves: [bool; 2]) -> impl Iterator<Item = f64> {
        let sides = match moves {
            [true, true] => [Some(0.5), Some(-0.5)],
            [false, true] => [None, Some(-1.0)],
            [_, false] => [Some(1.0), None],
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
    /// Unit normal from B to A; normal velocity and slip at the end of the span, as they were solved for, m/s.
    pub(crate) normal: DVec3,
    pub(crate) normal_velocity: f64,
    pub(crate) slip: DVec3,
    /// Angular impulse on A about the point (spin and rolling), N m s.
    pub(crate) angular_impulse: DVec3,
    /// Σ r_k u_k over the friction rows, J: the impulse times the slip at the end of the span. Friction that brakes has a negative one.
    pub(crate) friction: f64,
}

impl ContactImpulse {
    /// Of the impulses `r` at a contact, with relative velocities `u` at the end, row by row.
    pub(crate) fn new(contact: &Contact, r: &[f64], u: &[f64]) -> Self {
        let slip = (1..u.len().min(3)).map(|k| contact.axis(k) * u[k]).sum();
        let sum = |rows: Range<usize>| rows.map(|k| contact.axis(k) * r[k]).sum();
        Self {
            pair: contact.pair,
            feature: contact.feature,
            point: contact.point,
            normal: contact.frame.normal(),
            normal_velocity: u.first().copied().unwrap_or(0.0),
            slip,
            impulse: sum(0..r.len().min(3)),
            angular_impulse: sum(3..r.len().max(3)),
            friction: r.iter().zip(u).skip(1).map(|(r, u)| r * u).sum(),
        }
    }

    /// What is remembered of it after a span of length h: its mean force and torque.
    pub(crate) fn memory(&self, h: f64) -> ContactMemory {
        let (force, torque) = (self.impulse / h, self.angular_impulse / h);
        ContactMemory { pair: self.pair, feature: self.feature, normal: self.normal, force, torque }
    }
}

/// What is added up over the spans of a step, contact by contact.
pub(crate) trait SpanSum: Copy {
    /// Pair and feature.
    fn name(&self) -> ContactName;

    /// The sum of this, of a later span, and the one before.
    fn after(self, earlier: &Self) -> Self;
}

/// Adds up what has the same name; the list is sorted by name then.
pub(crate) fn merge<T: SpanSum>(list: &mut Vec<T>) {
    list.sort_by_key(T::name);
    list.dedup_by(|later, earlier| {
        let same = later.name() == earlier.name();
        if same {
            *earlier = later.after(earlier);
        }
        same
    });
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
        ContactImpulse {
            pair,
            feature,
            point: DVec3::splat(size),
            impulse: DVec3::X * size,
            angular_impulse: DVec3::Y * size,
            normal: DVec3::X,
            normal_velocity: 0.0,
            slip: DVec3::Y,
            friction: -size,
        }
    }

    #[test]
    fn a_contact_sticks_slides_or_is_open() {
        let force = |force: DVec3, slip: f64| ContactForce {
            pair: [0, 1],
            point: DVec3::ZERO,
            force,
            normal: DVec3::Y,
            slip: slip * DVec3::X,
        };
        assert_eq!(force(DVec3::new(-3.0, 4.0, 0.0), 0.2).grip(), Grip::Slide);
        assert_eq!(force(DVec3::new(-3.0, 4.0, 0.0), 1e-9).grip(), Grip::Stick);
        assert_eq!(force(DVec3::ZERO, 0.2).grip(), Grip::Open);
        let parts = force(DVec3::new(-3.0, 4.0, 0.0), 0.2).parts();
        assert_eq!(parts, ForceParts { normal: 4.0 * DVec3::Y, friction: -3.0 * DVec3::X });
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
