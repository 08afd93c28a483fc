//! The sharp edges of a shape, each with the outward normals of the two faces that it is between.

use glam::DVec3;

use super::Element;
use crate::geometry::shape::{ContactBody, Polytope};
use crate::geometry::{Pose, Shape};

/// A sharp edge of a shape, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShapeEdge {
    pub(crate) ends: [DVec3; 2],
    /// Outward unit normals of the faces beside it.
    pub(crate) normals: [DVec3; 2],
    pub(crate) name: Element,
}

/// Adds the sharp edges of a shape at a pose: those of boxes, convex polyhedra and unions of them.
pub(crate) fn sharp_edges(shape: &Shape, pose: &Pose, out: &mut Vec<ShapeEdge>) {
    let mut add = |numbers: [u32; 2], ends: [DVec3; 2], normals: [DVec3; 2]| {
        let (ends, normals) = (ends.map(|end| pose.apply(end)), normals.map(|normal| pose.rotation * normal));
        out.push(ShapeEdge { ends, normals, name: Element::edge(numbers[0], numbers[1]) });
    };
    match shape.contact_body() {
        ContactBody::Rounded { core: Polytope::Box(half), radius: 0.0 } => {
            // Corners have the numbers that `corners` gives them: bit k is the sign along axis k.
            let sign = |corner: u32, axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
            let at = |corner: u32| half * DVec3::new(sign(corner, 0), sign(corner, 1), sign(corner, 2));
            for axis in 0..3 {
                for from in (0..8u32).filter(|corner| corner >> axis & 1 == 0) {
                    let to = from | 1 << axis;
                    let beside = [(axis + 1) % 3, (axis + 2) % 3];
                    add([from, to], [at(from), at(to)], beside.map(|k| DVec3::AXES[k] * sign(from, k)));
                }
            }
        }
        ContactBody::Rounded { core: Polytope::Hull(hull), radius: 0.0 } => {
            for edge in &hull.edges {
                let ends = edge.ends.map(|i| hull.points[i as usize]);
                add(edge.ends, ends, edge.faces.map(|i| hull.faces[i as usize].normal));
            }
        }
        ContactBody::Union(parts) => {
            for (number, part) in parts.iter().enumerate() {
                let first = out.len();
                sharp_edges(&part.shape, &pose.then(&part.pose), out);
                out[first..].iter_mut().for_each(|edge| edge.name = edge.name.of_part(number));
            }
        }
        _ => (),
    }
}
