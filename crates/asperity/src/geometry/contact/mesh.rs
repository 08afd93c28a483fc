//! Convex bodies on triangle meshes.
//!
//! Each triangle near the body is a polytope of its own, but only normals that its surroundings allow are kept: at an edge or a corner,
//! the surface must fall away from the plane across the normal on all sides. Otherwise the body touches the triangle's neighbour, and
//! the edge between is one of the inside of the surface; the triangle then answers with its own normal for the points above it.
//! Triangles stop what comes from outside: a body deeper than half its own width below a face is on its way out on another side. A point has
//! no width, and says how deep it may be.

use glam::DVec3;

use super::core::Core;
use super::outline::Points;
use super::pair::{self, Solid};
use super::parting::Parting;
use super::{ContactPoint, reduce};
use crate::geometry::shape::TriangleNames;
use crate::geometry::{Pose, Shape, TriangleMesh};

/// Sine of the angle by which a normal may lean over its allowed range: rounding and coarse meshes.
const LEAN: f64 = 1e-6;

/// Which contacts of a body with a mesh are wanted.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Widest gap, m.
    pub(super) margin: f64,
    /// How much deeper than half its width the body may be below a face, m.
    pub(super) deeper: f64,
}

/// Adds the contacts of a convex shape (A) with a mesh (B).
pub(super) fn contacts(
    shape: &Shape,
    pose: &Pose,
    mesh: &TriangleMesh,
    base: &Pose,
    wanted: Wanted,
    out: &mut Vec<ContactPoint>,
) {
    let Some(body) = Solid::new(shape, pose) else { return };
    let inverse = base.rotation.conjugate();
    let relative = Pose { position: inverse * (pose.position - base.position), rotation: inverse * pose.rotation };
    let region = shape.aabb(&relative).enlarged(wanted.margin.max(wanted.deeper));
    let first = out.len();
    let mut points = Points::new();
    mesh.near(&region, |index| {
        points.clear();
        triangle(&body, mesh, base, index, wanted, &mut points);
        for point in &points {
            match out[first..].iter_mut().find(|known| known.feature == point.feature) {
                Some(known) if point.gap < known.gap => *known = *point,
                Some(_) => (),
                None => out.push(*point),
            }
        }
    });
    // The order of the tree is no order to rely on.
    out[first..].sort_unstable_by_key(|point| point.feature);
    reduce::reduce(out, first);
}

fn triangle(body: &Solid, mesh: &TriangleMesh, base: &Pose, index: usize, wanted: Wanted, out: &mut Points) {
    let Wanted { margin, deeper } = wanted;
    let facet = mesh.facet(index);
    let up = base.rotation * facet.normal;
    let corners = mesh.corners(index).map(|p| base.apply(p));
    let names = TriangleNames { corners: facet.places, face: index as u32 };
    let solid = Solid::Core(Core::triangle(corners, up, names));
    let limit = margin + body.radius();
    // Faces first: what lies above the triangle within the limit, or not far below.
    let height = body.low(up) - up.dot(corners[0]);
    if height > limit {
        return;
    }
    let allowed = |parting: &Parting| allowed(mesh, index, base.rotation.conjugate() * parting.normal);
    match pair::nearest(body, &solid, limit) {
        None => return,
        Some(parting) if parting.normal.dot(up) < 1.0 - 1e-12 && allowed(&parting) => {
            pair::gather(body, &solid, &parting, margin, out);
            return;
        }
        Some(_) => (),
    }
    let width = -body.low(-up) - body.low(up) + 2.0 * body.radius();
    if height - body.radius() >= -0.5 * width - deeper {
        let parting = Parting { normal: up, distance: height, closest: None };
        pair::overlap(body, &solid, &parting, margin, out);
    }
}

/// Does the surface around what the triangle turns towards `n` fall away from the plane across it?
fn allowed(mesh: &TriangleMesh, index: usize, n: DVec3) -> bool {
    let facet = mesh.facet(index);
    let corners = mesh.corners(index);
    let heights = corners.map(|p| p.dot(n));
    let top = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let size = corners[0].distance(corners[1]).max(corners[1].distance(corners[2]));
    let highest = heights.map(|h| h >= top - LEAN * size);
    let falls = |from: DVec3, place: u32| {
        let d = mesh.place(place) - from;
        d.dot(n) <= LEAN * d.length()
    };
    match highest.iter().filter(|h| **h).count() {
        1 => {
            let k = highest.iter().position(|h| *h).unwrap_or(0);
            mesh.spokes(facet.places[k]).iter().all(|&place| falls(corners[k], place))
        }
        2 => {
            // The edge starts at the corner whose successor is also among the highest.
            let k = (0..3).find(|&k| highest[k] && highest[(k + 1) % 3]).unwrap_or(0);
            match facet.apex[k] {
                Some(apex) => falls(corners[k], apex),
                None => n.dot(facet.normal) >= -LEAN,
            }
        }
        _ => n.dot(facet.normal) > 0.0,
    }
}
