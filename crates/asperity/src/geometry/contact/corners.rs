//! The corners of a shape that can press into a face between its vertices: those of boxes, hulls and compounds of them; and, as corners with a radius, the
//! centres of spheres and the ends of capsules.

use glam::DVec3;

use super::Element;
use crate::geometry::shape::{ContactBody, Polytope};
use crate::geometry::{Pose, Shape};

/// A corner in the world, and all points within a radius of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShapeCorner {
    pub(crate) at: DVec3,
    pub(crate) radius: f64,
    pub(crate) name: Element,
}

/// Adds the corners of a shape at a pose. Cylinders, half-spaces and meshes have none.
pub(crate) fn corners(shape: &Shape, pose: &Pose, out: &mut Vec<ShapeCorner>) {
    match shape.contact_body() {
        ContactBody::Rounded { core, radius } => {
            let mut add = |i: usize, at: DVec3| {
                out.push(ShapeCorner { at: pose.apply(at), radius, name: Element::corner(i as u32) });
            };
            match core {
                Polytope::Point => add(0, DVec3::ZERO),
                Polytope::Segment(half) => {
                    [DVec3::Y * half, DVec3::Y * -half].into_iter().enumerate().for_each(|(i, at)| add(i, at))
                }
                Polytope::Box(half) => (0..8).for_each(|i: usize| {
                    let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
                    add(i, half * DVec3::new(sign(0), sign(1), sign(2)));
                }),
                Polytope::Hull(hull) => hull.points.iter().enumerate().for_each(|(i, at)| add(i, *at)),
                Polytope::Triangle(..) => (),
            }
        }
        ContactBody::Union(parts) => {
            for (number, part) in parts.iter().enumerate() {
                let first = out.len();
                corners(&part.shape, &pose.then(&part.pose), out);
                out[first..].iter_mut().for_each(|corner| corner.name = corner.name.of_part(number));
            }
        }
        ContactBody::Cylinder { .. } | ContactBody::HalfSpace { .. } | ContactBody::Surface(_) => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_a_box_are_its_vertices_and_of_a_capsule_its_ends() {
        let mut found = Vec::new();
        let pose = Pose { position: DVec3::X, ..Pose::IDENTITY };
        corners(&Shape::cuboid(DVec3::new(1.0, 2.0, 3.0)).unwrap(), &pose, &mut found);
        assert_eq!(found.len(), 8);
        assert!(found.iter().all(|c| (c.at - DVec3::X).abs() == DVec3::new(1.0, 2.0, 3.0) && c.radius == 0.0));
        found.clear();
        corners(&Shape::capsule(0.5, 0.1).unwrap(), &pose, &mut found);
        let ends: Vec<f64> = found.iter().map(|corner| corner.at.y).collect();
        assert_eq!((ends, found[0].radius), (vec![0.5, -0.5], 0.1));
    }
}
