//! Compounds: the contacts of their parts, of those that are near the other body.
//!
//! Each part has a box along its own axes, and so has the other body. If A's box is farther than the margin from B's along one of the six axes of
//! both, so are the bodies.

use glam::{DMat3, DVec3};

use super::outline::Points;
use super::union::{self, UnionSide};
use super::{ContactBody, ContactPoint, Feature};
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
        match shape.contact_body() {
            ContactBody::HalfSpace { normal } => Self::Below((pose.rotation * normal).normalize(), pose.position),
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

/// Adds the contacts of two bodies of which one is a compound, or both are.
pub(super) fn contacts(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: f64, out: &mut Vec<ContactPoint>) {
    let parts = |shape: &Shape| match shape.contact_body() {
        ContactBody::Union(parts) => Some(parts.len()),
        _ => None,
    };
    let (parts_a, parts_b) = (parts(a), parts(b));
    let region = Region::new(b, pose_b);
    let mut points = Points::new();
    for i in 0..parts_a.unwrap_or(1) {
        let own = UnionSide::new(a, pose_a, i);
        if parts_a.is_some() && region.is_far(&Oriented::new(&own.shape.bounds(), &own.pose), margin) {
            continue;
        }
        let region = Region::new(own.shape, &own.pose);
        for j in 0..parts_b.unwrap_or(1) {
            let other = UnionSide::new(b, pose_b, j);
            if parts_b.is_some() && region.is_far(&Oriented::new(&other.shape.bounds(), &other.pose), margin) {
                continue;
            }
            let from = out.len();
            super::contacts(own.shape, &own.pose, other.shape, &other.pose, margin, out);
            points.clear();
            points.extend(out.drain(from..));
            union::of_unions([&own, &other], margin, &mut points);
            out.extend(points.iter().map(|point| {
                let Feature { a, b } = point.feature;
                let a = parts_a.map_or(a, |_| a.of_part(i));
                let b = parts_b.map_or(b, |_| b.of_part(j));
                ContactPoint { feature: Feature { a, b }, ..*point }
            }));
        }
    }
}

/// Adds the contacts of a body with the first of several convex bodies that rest beside each other, as they are for the union of these.
pub(super) fn contacts_beside(a: &Shape, pose_a: &Pose, beside: &[Part], margin: f64, out: &mut Vec<ContactPoint>) {
    let Some(Part { pose, shape }) = beside.first() else { return };
    let parts_a = if let ContactBody::Union(parts) = a.contact_body() { Some(parts.len()) } else { None };
    let other = UnionSide { parts: beside, own: 0, whole: &Pose::IDENTITY, shape, pose: *pose };
    let mut points = Points::new();
    for i in 0..parts_a.unwrap_or(1) {
        let own = UnionSide::new(a, pose_a, i);
        let from = out.len();
        super::contacts(own.shape, &own.pose, shape, pose, margin, out);
        points.clear();
        points.extend(out.drain(from..));
        union::of_unions([&own, &other], margin, &mut points);
        out.extend(points.iter().map(|point| {
            let Feature { a, b } = point.feature;
            ContactPoint { feature: Feature { a: parts_a.map_or(a, |_| a.of_part(i)), b }, ..*point }
        }));
    }
}
