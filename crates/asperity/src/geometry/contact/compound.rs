//! Compounds: the contacts of their parts, of those that are near the other body.
//!
//! Each part has a box along its own axes, and so has the other body. If A's box is farther than the margin from B's along one of the six axes of
//! both, so are the bodies.

use glam::{DMat3, DVec3};

use super::{ContactPoint, contacts, feature};
use crate::geometry::{Aabb, Part, Pose, Shape};

/// A box in the world. Unbounded ones have infinite half lengths.
struct Oriented {
    centre: DVec3,
    axes: DMat3,
    half: DVec3,
}

impl Oriented {
    fn new(bounds: &Aabb, pose: &Pose) -> Self {
        let axes = DMat3::from_quat(pose.rotation);
        let middle = 0.5 * (bounds.min + bounds.max);
        Self { centre: axes * middle + pose.position, axes, half: 0.5 * (bounds.max - bounds.min) }
    }

    /// Is the other box farther than `room` along one of this box's axes?
    fn beyond(&self, other: &Self, room: f64) -> bool {
        let between = other.centre - self.centre;
        (0..3).any(|k| {
            let axis = self.axes.col(k);
            let reach = (other.axes.transpose() * axis).abs().dot(other.half);
            axis.dot(between).abs() > self.half[k] + reach + room
        })
    }
}

/// What parts are held against, before their contacts are looked for.
enum Region {
    /// The box around the other body.
    Box(Oriented),
    /// The unit normal of a half-space, and a point of its plane.
    Below(DVec3, DVec3),
}

impl Region {
    fn new(shape: &Shape, pose: &Pose) -> Self {
        match shape {
            Shape::HalfSpace { normal } => Self::Below((pose.rotation * *normal).normalize(), pose.position),
            _ => Self::Box(Oriented::new(&shape.bounds(), pose)),
        }
    }

    fn is_far(&self, part: &Oriented, margin: f64) -> bool {
        // Rounding must not part what the exact test finds at the margin itself.
        let room = |size: f64| margin + 1e-12 * size;
        match self {
            Self::Box(own) => {
                let room = room(own.half.length() + part.half.length() + own.centre.distance(part.centre));
                own.beyond(part, room) || part.beyond(own, room)
            }
            Self::Below(n, point) => {
                let height = (part.centre - *point).dot(*n);
                let reach = (part.axes.transpose() * *n).abs().dot(part.half);
                height - reach > room(part.half.length() + height.abs())
            }
        }
    }
}

/// Adds the contacts of a compound (A) with another body (B).
pub(super) fn compound_contacts(
    parts: &[Part],
    pose: &Pose,
    other: &Shape,
    other_pose: &Pose,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let region = Region::new(other, other_pose);
    for (i, part) in parts.iter().enumerate() {
        let own = pose.then(&part.pose);
        if region.is_far(&Oriented::new(&part.shape.bounds(), &own), margin) {
            continue;
        }
        let from = out.len();
        contacts(&part.shape, &own, other, other_pose, margin, out);
        for contact in &mut out[from..] {
            let on_a = feature::of_part((contact.feature >> 32) as u32, i);
            contact.feature = u64::from(on_a) << 32 | contact.feature & 0xffff_ffff;
        }
    }
}
