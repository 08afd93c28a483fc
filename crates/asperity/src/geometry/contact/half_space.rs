//! Half-spaces: every corner of the other body, and the lowest points of round ones.

use glam::DVec3;

use super::pair::Solid;
use super::{ContactBody, ContactPoint, Element, Feature, reduce};
use crate::geometry::{Pose, Shape};

/// Adds the contacts of a shape (A) with the half-space (B) below `normal`.
pub(super) fn contacts(
    shape: &Shape,
    pose: &Pose,
    normal: DVec3,
    plane: &Pose,
    margin: f64,
    out: &mut Vec<ContactPoint>,
) {
    let n = (plane.rotation * normal).normalize();
    let first = out.len();
    let mut add = |a: DVec3, on_a: Element| {
        let gap = (a - plane.position).dot(n);
        if gap <= margin {
            let feature = Feature { a: on_a, b: Element::face(0) };
            out.push(ContactPoint { a, b: a - n * gap, normal: n, gap, feature });
        }
    };
    let solid = Solid::new(shape, pose);
    let evenly = solid.as_ref().is_some_and(Solid::presses_evenly);
    match solid {
        Some(Solid::Core(core)) => {
            for i in 0..core.vertex_count() {
                add(core.vertex(i) - n * core.radius, Element::corner(i as u32));
            }
        }
        Some(Solid::Cylinder(cylinder)) => cylinder.low_points(n, |point| add(point.at, point.name)),
        None => {
            if let ContactBody::Surface(mesh) = shape.contact_body() {
                let vertices = &mesh.data().vertices;
                vertices.iter().enumerate().for_each(|(i, v)| add(pose.apply(*v), Element::corner(i as u32)));
            }
        }
    }
    if !evenly {
        reduce::reduce(out, first);
    }
}
