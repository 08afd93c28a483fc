//! Contacts of cloth and solids with rigid bodies and with meshes whose motion is given.
//!
//! Two kinds, both exact for the shapes that they are about:
//! - a *vertex* of the elastic body against the other body's shape: its signed distance and normal are those of the
//!   shape itself, so a cylinder is round and
//!   a plane flat, however coarse the mesh;
//! - a *corner* of the other body against a face of the elastic one, where it comes to lie between the vertices: the
//!   normal is that of the triangle.
//!
//! A cloth has a thickness: it touches where a surface is half of that away from it. Edges that cross edges have no
//! contact.

use glam::DVec3;
use rayon::prelude::*;

use super::detect::{anchored, travel};
use super::placed::PlacedShape;
use super::surface_pairs::follow_surfaces;
use super::{Anchor, Contact, PlacedBody};
use crate::body::{Body, Elastic, ElasticKind};
use crate::geometry::{self, Aabb, ContactPoint, Element, Feature, MeshPoint, PlacedBall, Pose, Shape, ShapeCorner};
use crate::world::Model;

/// Radius of the ball that stands for a vertex without a thickness, m. Its contacts are moved back by it. A vertex may be as deep
/// below a triangle of a mesh, and what it came deeper in a step; walls must be thicker than this.
const PROBE: f64 = 1e-4;

/// Vertices from which they are worth sharing among threads, and how many a thread takes at a time.
const MANY: usize = 2048;
const CHUNK: usize = 256;

/// A corner that is deeper in a body than this fraction of the body's size has come through from its other side.
const DEEPEST: f64 = 0.1;

/// A point of a face with a weight this near to 1 is a vertex; with one this near to 0 it is on an edge.
const CORNER: f64 = 1e-9;

/// Two bodies that may touch, the first of them elastic.
struct Meeting<'a> {
    numbers: [u32; 2],
    elastic: &'a Elastic,
    placed: [&'a PlacedBody; 2],
    other: PlacedShape<'a>,
    margin: f64,
    /// Length of the step, s.
    h: f64,
}

/// Adds the contacts of elastic bodies with all others, with gaps up to what the bodies can travel in a step of
/// length h, sorted by name.
pub(crate) fn find_elastic(model: &Model, placed: &[PlacedBody], h: f64, out: &mut Vec<Contact>) {
    find_elastic_where(model, placed, h, |_| true, out);
}

/// The same with those of the other bodies that are wanted.
pub(crate) fn find_elastic_where(
    model: &Model,
    placed: &[PlacedBody],
    h: f64,
    wanted: impl Fn(&Body) -> bool,
    out: &mut Vec<Contact>,
) {
    let first = out.len();
    for (i, body) in model.bodies.iter().enumerate() {
        let Some(elastic) = body.elastic() else { continue };
        for (j, against) in model.bodies.iter().enumerate().filter(|(_, against)| wanted(against)) {
            let Some(other) = placed[j].shape(against) else { continue };
            let ways = [i, j].map(|k| travel(&model.bodies[k], &placed[k], model.gravity, h));
            let margin = ways[0] + ways[1];
            let numbers = [i as u32, j as u32];
            let meeting = Meeting { numbers, elastic, placed: [&placed[i], &placed[j]], other, margin, h };
            meeting.find(out);
        }
    }
    if out.len() > first {
        out.sort_by_key(Contact::name);
    }
}

/// A contact where the bodies are now: the same elements of two elastic surfaces, or the same corner and the same point
/// of an elastic body's face. The bodies were at `from` when the step began. `None` for contacts of other kinds, and
/// where the face has lost its form.
pub(crate) fn follow(model: &Model, from: &[PlacedBody], placed: &[PlacedBody], contact: &Contact) -> Option<Contact> {
    follow_surfaces(model, from, placed, contact).or_else(|| follow_corner(model, placed, contact))
}

fn follow_corner(model: &Model, placed: &[PlacedBody], contact: &Contact) -> Option<Contact> {
    let elastic_at = |side: usize| model.bodies[contact.pair[side] as usize].elastic();
    let side =
        (0..2).find(|side| matches!(contact.anchors[*side], Anchor::Triangle { .. }) && elastic_at(*side).is_some())?;
    let Anchor::Triangle { triangle, weights } = contact.anchors[side] else { return None };
    let numbers = if side == 0 { contact.pair } else { [contact.pair[1], contact.pair[0]] };
    let [own, other] = numbers.map(|i| i as usize);
    let shape = placed[other].shape(&model.bodies[other])?;
    let mut corners = Vec::new();
    geometry::corners(shape.shape, &shape.pose, &mut corners);
    let name = if side == 0 { contact.feature.b } else { contact.feature.a };
    let corner = corners.iter().find(|corner| corner.name == name)?;
    let placed = [&placed[own], &placed[other]];
    let elastic = elastic_at(side)?;
    let meeting = Meeting { numbers, elastic, placed, other: shape, margin: f64::INFINITY, h: 0.0 };
    meeting.corner_on(corner, MeshPoint { triangle, weights })
}

impl Meeting<'_> {
    fn find(&self, out: &mut Vec<Contact>) {
        let Some(mesh) = &self.placed[0].mesh else { return };
        let reach = self.margin + self.elastic.offset();
        let region = grown(self.other.shape.aabb(&self.other.pose), reach);
        let own = grown(Aabb::of(mesh.positions().iter().copied()), reach);
        if !overlap(&region, &own) {
            return;
        }
        self.find_vertices(mesh.positions(), &region, out);
        let mut corners = Vec::new();
        geometry::corners(self.other.shape, &self.other.pose, &mut corners);
        for corner in corners.iter().filter(|corner| contains(&grown(own, corner.radius), corner.at)) {
            out.extend(self.corner(corner));
        }
    }

    /// Contacts of the vertices with the other body's shape.
    fn find_vertices(&self, positions: &[DVec3], region: &Aabb, out: &mut Vec<Contact>) {
        let near = |range: std::ops::Range<usize>, out: &mut Vec<Contact>| {
            let radius = if self.elastic.offset() > 0.0 { self.elastic.offset() } else { PROBE };
            let Ok(ball) = Shape::sphere(radius) else { return };
            let mut points = Vec::new();
            for vertex in range {
                let on_surface = !self.elastic.incidence().of(vertex).is_empty();
                if on_surface && contains(region, positions[vertex]) {
                    points.clear();
                    self.vertex(&ball, radius, vertex as u32, positions[vertex], &mut points, out);
                }
            }
        };
        if positions.len() < MANY || rayon::current_num_threads() == 1 {
            return near(0..positions.len(), out);
        }
        let chunks = positions.len().div_ceil(CHUNK);
        let found: Vec<Vec<Contact>> = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                let mut found = Vec::new();
                near(chunk * CHUNK..((chunk + 1) * CHUNK).min(positions.len()), &mut found);
                found
            })
            .collect();
        found.iter().for_each(|found| out.extend_from_slice(found));
    }

    /// The contacts of one vertex. A convex body has one at most; it keeps its name while the vertex slides from
    /// face to face.
    fn vertex(
        &self,
        ball: &Shape,
        radius: f64,
        vertex: u32,
        at: DVec3,
        points: &mut Vec<ContactPoint>,
        out: &mut Vec<Contact>,
    ) {
        let pose = Pose { position: at, ..Pose::IDENTITY };
        let back = radius - self.elastic.offset();
        // A ball is stopped as long as its centre is above a triangle: enough for a cloth with a thickness.
        let deepest = if back > 0.0 { PROBE + self.margin } else { 0.0 };
        let probe = PlacedBall { shape: ball, pose: &pose, margin: self.margin - back, deepest };
        geometry::point_contacts(probe, self.other.shape, &self.other.pose, points);
        let surface = self.other.shape.has_surface();
        let convex = points.len() == 1 && !surface;
        for point in points.iter() {
            let element = if convex { Element::face(0) } else { point.feature.b };
            let own = ContactPoint {
                a: point.a + point.normal * back,
                gap: point.gap + back,
                feature: Feature { a: Element::corner(vertex), b: element },
                ..*point
            };
            let contact = self.contact(&own, Anchor::Vertex { vertex });
            out.extend(contact.filter(|own| !surface || self.came_from_outside(own)));
        }
    }

    /// Whether a vertex that is below a triangle was above it a step ago, up to the size of its ball: triangles do not stop what comes
    /// from their back.
    fn came_from_outside(&self, contact: &Contact) -> bool {
        let approach = -contact.before.dot(contact.frame.normal());
        -contact.gap <= PROBE.max(self.elastic.offset()) + self.h * approach.max(0.0)
    }

    /// The contact of a corner of the other body with the face that is nearest to it, if it is near, and nearer to
    /// the face than to its vertices.
    fn corner(&self, corner: &ShapeCorner) -> Option<Contact> {
        let near = self.placed[0].mesh.as_ref()?.nearest(corner.at)?;
        if near.weights.iter().any(|weight| *weight >= 1.0 - CORNER) {
            return None;
        }
        self.corner_on(corner, near).filter(|contact| contact.gap <= self.margin)
    }

    /// The contact of a corner with a point of a face.
    fn corner_on(&self, corner: &ShapeCorner, MeshPoint { triangle, weights }: MeshPoint) -> Option<Contact> {
        let mesh = self.placed[0].mesh.as_ref()?;
        let corners = mesh.corners(triangle);
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).try_normalize()?;
        let on_face = a * weights[0] + b * weights[1] + c * weights[2];
        let way = corner.at - on_face;
        // A cloth is touched from the side that the body is on; a solid from outside.
        let outward = match self.elastic.kind() {
            ElasticKind::Solid => normal,
            ElasticKind::Cloth if (self.placed[1].centre - on_face).dot(normal) < 0.0 => -normal,
            ElasticKind::Cloth => normal,
        };
        let mut height = way.dot(outward);
        if height < 0.0 && way.length() > DEEPEST * self.elastic.mesh().reach() {
            return None;
        }
        let mut direction = outward;
        if corner.radius > 0.0 && height > 0.0 {
            // The point of the face against the ball: the normal of the face would turn it about a centre that is
            // far away.
            height = way.length();
            direction = way / height;
        } else if let Some(k) = weights.iter().position(|weight| *weight <= CORNER).filter(|_| height > 0.0) {
            // Outside, over an edge, the way to the corner square to the edge is the normal.
            let along = (corners[(k + 2) % 3] - corners[(k + 1) % 3]).normalize_or_zero();
            let square = way - along * way.dot(along);
            direction = square.normalize_or(outward);
            height = square.dot(direction);
        }
        let offset = self.elastic.offset();
        // The normal goes from the other body, B here, to the elastic one.
        let point = ContactPoint {
            a: on_face + direction * offset,
            b: corner.at - direction * corner.radius,
            normal: -direction,
            gap: height - corner.radius - offset,
            feature: Feature { a: Element::face(triangle), b: corner.name },
        };
        self.contact(&point, Anchor::Triangle { triangle, weights })
    }

    /// The contact at a point, A the elastic body, as one of the pair in its order.
    fn contact(&self, point: &ContactPoint, anchor: Anchor) -> Option<Contact> {
        let [own, other] = self.placed;
        let [i, j] = self.numbers;
        let opposite = Anchor::at(other, 0.5 * (point.a + point.b));
        if i < j {
            anchored([i, j], point, [anchor, opposite], [own, other])
        } else {
            anchored([j, i], &point.swapped(), [opposite, anchor], [other, own])
        }
    }
}

fn grown(Aabb { min, max }: Aabb, by: f64) -> Aabb {
    Aabb { min: min - DVec3::splat(by), max: max + DVec3::splat(by) }
}

fn overlap(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

fn contains(around: &Aabb, point: DVec3) -> bool {
    around.min.cmple(point).all() && point.cmple(around.max).all()
}
