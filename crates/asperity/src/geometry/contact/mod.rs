//! Where two shapes touch, or are about to.
//!
//! The signed distance of convex bodies A and B is max over unit n of s(n), s(n) = min_{x∈A} n·x − max_{x∈B} n·x, if one
//! counts overlap as negative: then it is the shortest translation that parts them. Contacts are found in two moves: the normal n
//! that attains the maximum ([`separation`], [`cylinder`], [`cylinder_pair`]), from B to A; and the points where the flat parts that face each other
//! overlap, seen along n ([`outline`]). Each point has its own gap, (a − b)·n; the least is the signed distance.
//!
//! Spheres and capsules are a point and a segment with a radius; cylinders are true cylinders. Nothing is sampled and no iteration is
//! cut short, except for the rims of cylinders against edges and rims, where a maximum in one or two variables is searched to rounding.
//! All of it looks the same from both sides: exchanging A and B exchanges a and b, turns the normal and changes nothing else.

mod compound;
mod core;
mod corners;
mod cylinder;
mod cylinder_pair;
mod feature;
mod half_space;
mod mesh;
mod outline;
mod pair;
mod parting;
mod reduce;
mod rim;
mod root;
mod segment;
mod separation;
mod sharp_edges;
#[cfg(test)]
mod tests;
mod union;
mod witness;

use glam::DVec3;

pub(crate) use self::corners::{ShapeCorner, corners};
pub use self::feature::{Element, Feature};
use self::mesh::Wanted;
use self::pair::Solid;
pub(crate) use self::sharp_edges::{ShapeEdge, sharp_edges};
use super::shape::ContactBody;
use super::{EndPressure, Part, Pose, Shape};

/// One point of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// The point on A, in the world.
    pub a: DVec3,
    /// The point on B, in the world.
    pub b: DVec3,
    /// Unit, from B to A.
    pub normal: DVec3,
    /// (a − b)·normal: negative if they overlap.
    pub gap: f64,
    /// Which corners, edges or faces touch: the same from step to step while the same ones touch, and different for each point of a pair.
    pub feature: Feature,
}

impl ContactPoint {
    /// Points on A and B, and the name of what they lie on.
    #[inline]
    fn new(a: DVec3, b: DVec3, normal: DVec3, feature: Feature) -> Self {
        Self { a, b, normal, gap: (a - b).dot(normal), feature }
    }

    /// The same contact with A and B exchanged.
    #[inline]
    pub fn swapped(&self) -> Self {
        Self { a: self.b, b: self.a, normal: -self.normal, gap: self.gap, feature: self.feature.swapped() }
    }
}

/// Adds to `out` the contacts of two bodies with gaps up to `margin`.
///
/// A flat contact has its corners, and no more than eight: box on box needs that many, and any choice of four would jump from step to
/// step. Meshes stop convex shapes and compounds of them from outside; two meshes or two half-spaces never meet. Coincident
/// centres have no normal; they are parted along y.
pub fn contacts(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: f64, out: &mut Vec<ContactPoint>) {
    let first = out.len();
    match (a.contact_body(), b.contact_body()) {
        (ContactBody::Union(_), _) | (_, ContactBody::Union(_)) => {
            compound::contacts(a, pose_a, b, pose_b, margin, out);
        }
        (ContactBody::HalfSpace { .. }, ContactBody::HalfSpace { .. })
        | (ContactBody::Surface(_), ContactBody::Surface(_)) => (),
        (_, ContactBody::HalfSpace { normal }) => half_space::contacts(a, pose_a, normal, pose_b, margin, out),
        (ContactBody::HalfSpace { .. } | ContactBody::Surface(_), _) => {
            mirrored(a, pose_a, b, pose_b, margin, out, first);
        }
        (_, ContactBody::Surface(mesh)) => {
            mesh::contacts(a, pose_a, mesh, pose_b, Wanted { margin, deeper: 0.0 }, out);
        }
        _ => {
            if let (Some(a), Some(b)) = (Solid::new(a, pose_a), Solid::new(b, pose_b)) {
                pair::contacts(&a, &b, margin, out);
            }
        }
    }
}

/// Adds to `out` the contacts of a point, which a small ball A stands for, with gaps up to `margin`. Below a face of a mesh it is found down to
/// the depth `deepest`: as it has no width, rounding alone would otherwise bring it to the other side.
pub(crate) fn point_contacts(ball: PlacedBall, b: &Shape, pose_b: &Pose, out: &mut Vec<ContactPoint>) {
    let PlacedBall { shape, pose, margin, deepest } = ball;
    match b.contact_body() {
        ContactBody::Surface(mesh) => {
            mesh::contacts(shape, pose, mesh, pose_b, Wanted { margin, deeper: deepest }, out);
        }
        _ => contacts(shape, pose, b, pose_b, margin, out),
    }
}

/// A small ball that stands for a point, and which of its contacts are wanted.
#[derive(Clone, Copy)]
pub(crate) struct PlacedBall<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) pose: &'a Pose,
    /// Widest gap of the ball, m.
    pub(crate) margin: f64,
    /// How deep below a face of a mesh its centre may be, m.
    pub(crate) deepest: f64,
}

/// Adds to `out` the contacts of a body with the first of several convex bodies that rest beside each other: faces that they share are no surface.
pub(crate) fn contacts_beside(a: &Shape, pose_a: &Pose, beside: &[Part], margin: f64, out: &mut Vec<ContactPoint>) {
    match (a.contact_body(), beside) {
        // A mesh or a half-space has no seam to be stopped by.
        (ContactBody::HalfSpace { .. } | ContactBody::Surface(_), [first, ..]) => {
            contacts(a, pose_a, &first.shape, &first.pose, margin, out);
        }
        _ => compound::contacts_beside(a, pose_a, beside, margin, out),
    }
}

/// Whether a shape has a rim, round which a contact can move.
pub(crate) fn has_rim(shape: &Shape) -> bool {
    matches!(shape.contact_body(), ContactBody::Cylinder { .. })
}

/// Whether a shape has ends that press evenly, all over their discs.
pub(crate) fn presses_evenly(shape: &Shape) -> bool {
    matches!(shape.contact_body(), ContactBody::Cylinder { pressure: EndPressure::Even, .. })
}

/// Whether a shape is convex and bounded.
pub(crate) fn is_convex(shape: &Shape) -> bool {
    matches!(shape.contact_body(), ContactBody::Rounded { .. } | ContactBody::Cylinder { .. })
}

fn mirrored(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f64,
    out: &mut Vec<ContactPoint>,
    first: usize,
) {
    contacts(b, pose_b, a, pose_a, margin, out);
    out[first..].iter_mut().for_each(|contact| *contact = contact.swapped());
}
