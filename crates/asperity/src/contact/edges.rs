//! Contacts of the edges of cloth and solids with the sharp edges of boxes and convex polyhedra.
//!
//! A coarse cloth that hangs over a sharp edge has vertices on both sides of it, none of which touches: its own edges do. With d₁ along the
//! edge of the elastic surface and d₂ along the sharp one, and both nearest points between the ends, the normal is n = ±(d₁ × d₂)/|d₁ × d₂|,
//! to the outer side of the faces beside the sharp edge, whose normals are f₁ and f₂. It is a contact of edges if n lies between them:
//! n = α f₁ + β f₂ with α, β ≥ 0; otherwise vertices and corners touch first. The gap is n·(x_A − x_B) less the offset of the surface, and
//! negative where the edge has sunk in, by no more than half of its length. It has sunk in over this edge if its nearest point is inside
//! of all faces and not much nearer to one of them than to the edge: a far edge of a thin board is no way out.

use glam::DVec3;

use super::detect::{anchored, travel};
use super::{Anchor, Contact, ElasticSurfaces, PlacedBody};
use crate::geometry::proximity::{Closest, PairKind};
use crate::geometry::{Aabb, ContactPoint, Element, Feature, ShapeEdge, sharp_edges};
use crate::world::Model;

/// Weights this near to 0 or 1 are the ends of an edge.
const END: f64 = 1e-9;

/// Room for rounding of n between two faces.
const BETWEEN: f64 = 1e-9;

/// How much farther the edge may be than the nearest face: 2 where faces meet at 60°.
const NO_WAY_OUT: f64 = 3.0;

/// Adds the contacts of edges with gaps up to what the bodies can travel in a step of length h.
pub(crate) fn find_edges(
    model: &Model,
    placed: &[PlacedBody],
    surfaces: &ElasticSurfaces,
    h: f64,
    out: &mut Vec<Contact>,
) {
    let mut sharp = Vec::new();
    for (j, against) in model.bodies.iter().enumerate() {
        let Some(other) = placed[j].shape(against) else { continue };
        sharp.clear();
        sharp_edges(other.shape, &other.pose, &mut sharp);
        if sharp.is_empty() {
            continue;
        }
        for (surface, i) in surfaces.bodies().iter().enumerate() {
            let own = *i as usize;
            let (Some(elastic), Some(mesh)) = (model.bodies[own].elastic(), &placed[own].mesh) else { continue };
            let ways = [own, j].map(|k| travel(&model.bodies[k], &placed[k], model.gravity, h));
            let margin = ways[0] + ways[1];
            let length = |[a, b]: &[u32; 2]| mesh.positions()[*a as usize].distance(mesh.positions()[*b as usize]);
            let longest = surfaces.edges(surface).iter().map(length).fold(0.0, f64::max);
            let room = margin + elastic.offset() + 0.5 * longest;
            let around = Aabb::of(mesh.positions().iter().copied()).enlarged(room);
            for edge in &sharp {
                if !around.meets(&Aabb::of(edge.ends.into_iter())) {
                    continue;
                }
                let meeting =
                    Meeting { numbers: [*i, j as u32], placed, sharp: &sharp, edge, offset: elastic.offset(), margin };
                let own = surfaces.edges(surface);
                out.extend(own.iter().filter_map(|ends| meeting.contact(*ends, mesh.positions())));
            }
        }
    }
}

/// An elastic body, and a sharp edge of another one.
struct Meeting<'a> {
    /// Numbers of the bodies, that of the elastic one first.
    numbers: [u32; 2],
    placed: &'a [PlacedBody],
    /// All sharp edges of the other body: their faces are all that it has.
    sharp: &'a [ShapeEdge],
    edge: &'a ShapeEdge,
    offset: f64,
    margin: f64,
}

impl Meeting<'_> {
    /// How far a point is from the nearest face, inside of all of them; negative outside.
    fn depth(&self, point: DVec3) -> f64 {
        let of_edge = |edge: &ShapeEdge| edge.normals.map(|normal| normal.dot(edge.ends[0] - point));
        self.sharp.iter().flat_map(of_edge).fold(f64::INFINITY, f64::min)
    }

    /// The contact with the edge between two vertices.
    fn contact(&self, vertices: [u32; 2], positions: &[DVec3]) -> Option<Contact> {
        let [a, b] = vertices.map(|i| positions[i as usize]);
        let [c, d] = self.edge.ends;
        let room = self.margin + self.offset + 0.5 * a.distance(b);
        if !Aabb::of([a, b].into_iter()).enlarged(room).meets(&Aabb::of([c, d].into_iter())) {
            return None;
        }
        let Closest { weights, way } = PairKind::EdgeEdge.closest(&[a, b, c, d]);
        if weights.iter().any(|weight| weight.abs() < END) {
            return None;
        }
        let [f1, f2] = self.edge.normals;
        let across = (b - a).cross(d - c).try_normalize()?;
        let normal = if across.dot(f1 + f2) < 0.0 { -across } else { across };
        // Both shares times 1 − (f₁·f₂)², which is positive.
        let (on_1, on_2, mixed) = (normal.dot(f1), normal.dot(f2), f1.dot(f2));
        if on_1 - mixed * on_2 < -BETWEEN || on_2 - mixed * on_1 < -BETWEEN {
            return None;
        }
        let height = way.dot(normal);
        let gap = height - self.offset;
        if gap > self.margin || height < -0.5 * a.distance(b) {
            return None;
        }
        if height < 0.0 && -height > NO_WAY_OUT * self.depth(a * weights[0] + b * weights[1]) {
            return None;
        }
        let on_edge = c * -weights[2] + d * -weights[3];
        let feature = Feature { a: Element::edge(vertices[0], vertices[1]), b: self.edge.name };
        let at = on_edge + normal * (height - self.offset);
        let point = ContactPoint { a: at, b: on_edge, normal, gap, feature };
        let [i, j] = self.numbers;
        let [own, other] = self.numbers.map(|number| &self.placed[number as usize]);
        let anchors = [
            Anchor::Edge { vertices, weights: [weights[0], weights[1]] },
            Anchor::at(other, 0.5 * (point.a + point.b)),
        ];
        if i < j {
            anchored([i, j], &point, anchors, [own, other])
        } else {
            anchored([j, i], &point.swapped(), [anchors[1], anchors[0]], [other, own])
        }
    }
}
