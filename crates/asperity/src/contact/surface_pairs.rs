//! Contacts between elastic surfaces within a step that is solved by Newton's method: the same two elements, seen where
//! the surfaces are at a guess, and on the side where they began.
//!
//! Cloth has a thickness: the gap of two elements is their distance d less the offsets of both surfaces, and the normal
//! the direction of their nearest points. Where the elements have passed through each other since the start of the step,
//! which continuous detection tells, d counts as negative, and the normal is turned round. They are on the other side
//! then: that of m, the normal of the triangle or the common perpendicular of the edges.
//!
//! Solids have no thickness, so that nearest points say nothing where they touch; but they have an outside. The gap is
//! n·Σ w_i x_i, with n the outward normal: that of the triangle, the common perpendicular of two edges that cross between
//! their ends, or the mean of both surfaces where a vertex or an edge is at an edge or a corner. There the weights w_i are
//! kept; otherwise they are those of the foot of the vertex, or of the nearest points of the lines, so that the impulses
//! on both bodies have one line of action. Both surfaces have to face each other.

use asperity_friction::ContactFrame;
use glam::DVec3;

use super::{Anchor, Contact, ContactName, ElasticSurfaces, PlacedBody, PlacedMesh};
use crate::body::ElasticKind;
use crate::geometry::ccd::{self, Motion};
use crate::geometry::proximity::PairKind;
use crate::geometry::surface::spacing;
use crate::world::Model;

/// A weight below this counts as zero: the point is on an edge, or at an end of one.
const AT_EDGE: f64 = 1e-6;

/// Distance, relative to the thickness, of elements that pass through each other.
const THROUGH: f64 = 1e-3;

/// How far beside each other elements of solids may be that are no farther apart, as a fraction of the body's size.
const BESIDE: f64 = 1e-7;

/// Cosine of the angle between the outward normals of two solids that face each other: below this.
const FACING: f64 = -0.2;

/// One side of a contact of surfaces.
struct Side<'a> {
    mesh: &'a PlacedMesh,
    anchor: Anchor,
}

impl Side<'_> {
    /// The point of the contact.
    fn point(&self) -> DVec3 {
        let at = |vertex: u32| self.mesh.positions()[vertex as usize];
        match self.anchor {
            Anchor::Vertex { vertex } => at(vertex),
            Anchor::Edge { vertices, weights } => at(vertices[0]) * weights[0] + at(vertices[1]) * weights[1],
            Anchor::Triangle { triangle, weights } => {
                self.mesh.corners(triangle).into_iter().zip(weights).map(|(corner, w)| corner * w).sum()
            }
            Anchor::Rigid { .. } => DVec3::ZERO,
        }
    }

    /// Mean normal of the surface there, outward for a solid.
    fn normal(&self) -> DVec3 {
        let of = |triangle: u32| {
            let [a, b, c] = self.mesh.corners(triangle);
            (b - a).cross(c - a)
        };
        let around = |ends: [u32; 2]| self.mesh.triangles_between(ends).map(of).sum::<DVec3>();
        let sum = match self.anchor {
            Anchor::Triangle { triangle, .. } => of(triangle),
            Anchor::Vertex { vertex } => around([vertex; 2]),
            Anchor::Edge { vertices, .. } => around(vertices),
            Anchor::Rigid { .. } => DVec3::ZERO,
        };
        sum.normalize_or_zero()
    }
}

/// The elements of a contact where they are: four points, as [`PairKind`] orders them.
struct Elements {
    kind: PairKind,
    points: [DVec3; 4],
    /// Whether B of the contact is the first of them.
    swapped: bool,
}

impl Elements {
    /// At these places of the vertices of A and B.
    fn new(contact: &Contact, at: [&dyn Fn(u32) -> DVec3; 2], corners: [&dyn Fn(u32) -> [u32; 3]; 2]) -> Option<Self> {
        let vertex_on = |vertex: u32, triangle: u32, first: usize| {
            let [i, j, k] = corners[1 - first](triangle).map(at[1 - first]);
            Self { kind: PairKind::VertexTriangle, points: [at[first](vertex), i, j, k], swapped: first == 1 }
        };
        match contact.anchors {
            [Anchor::Vertex { vertex }, Anchor::Triangle { triangle, .. }] => Some(vertex_on(vertex, triangle, 0)),
            [Anchor::Triangle { triangle, .. }, Anchor::Vertex { vertex }] => Some(vertex_on(vertex, triangle, 1)),
            [Anchor::Edge { vertices: a, .. }, Anchor::Edge { vertices: b, .. }] => {
                let ([i, j], [k, l]) = (a.map(at[0]), b.map(at[1]));
                Some(Self { kind: PairKind::EdgeEdge, points: [i, j, k, l], swapped: false })
            }
            _ => None,
        }
    }

    /// At a guess.
    fn now(contact: &Contact, sides: &[Side; 2]) -> Option<Self> {
        let at = |side: usize| move |vertex: u32| sides[side].mesh.positions()[vertex as usize];
        let corners = |side: usize| move |triangle: u32| sides[side].mesh.triangles()[triangle as usize];
        Self::new(contact, [&at(0), &at(1)], [&corners(0), &corners(1)])
    }

    /// Whether they have passed through each other on the straight way from where they began: they came nearer than
    /// `separation`, and are on the other side.
    fn have_passed(&self, began: &Self, separation: f64) -> bool {
        let side = |at: &Self| at.kind.closest(&at.points).way.dot(at.kind.across(&at.points));
        let motion = Motion { from: began.points, to: self.points };
        side(self) * side(began) < 0.0 && ccd::impact(self.kind, &motion, separation).is_some()
    }

    /// Signed weights of the foot of the vertex on the plane of the triangle, or of the nearest points of the lines of the
    /// edges; they may be outside of the elements. `None` for a triangle without an area, and parallel lines.
    fn feet(&self) -> Option<[f64; 4]> {
        let [a, b, c, d] = self.points;
        match self.kind {
            PairKind::VertexTriangle => {
                let (one, two, way) = (c - b, d - b, a - b);
                let normal = one.cross(two);
                let square = normal.length_squared();
                let [j, k] = [normal.dot(way.cross(two)) / square, normal.dot(one.cross(way)) / square];
                (square > 0.0).then_some([1.0, j + k - 1.0, -j, -k])
            }
            PairKind::EdgeEdge => {
                let (one, two, way) = (b - a, d - c, c - a);
                let normal = one.cross(two);
                let square = normal.length_squared();
                let [s, t] = [way.cross(two).dot(normal) / square, way.cross(one).dot(normal) / square];
                (square > 0.0).then_some([1.0 - s, s, t - 1.0, -t])
            }
        }
    }

    /// The anchors of A and B with the weights of the nearest points.
    fn anchors(&self, anchors: [Anchor; 2], [_, j, k, l]: [f64; 4]) -> [Anchor; 2] {
        match anchors {
            [vertex @ Anchor::Vertex { .. }, Anchor::Triangle { triangle, .. }] => {
                [vertex, Anchor::Triangle { triangle, weights: [-j, -k, -l] }]
            }
            [Anchor::Triangle { triangle, .. }, vertex @ Anchor::Vertex { .. }] => {
                [Anchor::Triangle { triangle, weights: [-j, -k, -l] }, vertex]
            }
            [Anchor::Edge { vertices: a, .. }, Anchor::Edge { vertices: b, .. }] => {
                [Anchor::Edge { vertices: a, weights: [1.0 - j, j] }, Anchor::Edge { vertices: b, weights: [-k, -l] }]
            }
            other => other,
        }
    }
}

/// What is near enough to be a contact.
#[derive(Clone, Copy)]
pub(crate) struct Near {
    /// Largest gap, m.
    pub(crate) margin: f64,
    /// Length of the step, s.
    pub(crate) h: f64,
}

/// A step of the surfaces.
#[derive(Clone, Copy)]
pub(crate) struct SurfaceStep<'a> {
    pub(crate) model: &'a Model,
    /// Where the bodies begin and end.
    pub(crate) from: &'a [PlacedBody],
    pub(crate) to: &'a [PlacedBody],
    /// Overlap at the end that is let pass, m.
    pub(crate) slack: f64,
}

impl ElasticSurfaces {
    /// Adds the contacts that can close in a step of length h, on the side where solids are outside of each other: those
    /// whose gap is below `margin` and below what twice their speed and the fall of both bodies make of it.
    pub(crate) fn find_sided(&mut self, model: &Model, placed: &[PlacedBody], near: Near, out: &mut Vec<Contact>) {
        let Near { margin, h } = near;
        let first = out.len();
        self.find(placed, margin, out);
        let found: Vec<Contact> = out.drain(first..).collect();
        let fall = 2.0 * model.gravity.length() * h * h;
        let closes = |contact: &Contact| contact.gap <= fall + 2.0 * h * (-contact.before.x).max(0.0);
        out.extend(found.iter().filter_map(|contact| turned_outward(model, placed, contact)).filter(closes));
    }

    /// Adds the contacts that are not known by name and overlap at the end of a step: elements that have passed through
    /// each other on their way, and those that have come too near.
    pub(crate) fn find_missed(
        &mut self,
        step: SurfaceStep,
        known: impl Fn(ContactName) -> bool,
        out: &mut Vec<Contact>,
    ) {
        let SurfaceStep { model, from, to, slack } = step;
        let ends = self.gather(to).to_vec();
        self.gather(from);
        self.set.update(&self.positions);
        let swept: Vec<_> = self.set.sweep(&ends, slack.max(f64::MIN_POSITIVE)).to_vec();
        let first = out.len();
        for own in &swept {
            // Seen at the start, with the elements and weights of the impact.
            let Some(contact) = self.contact(&own.pair, from) else { continue };
            let sided = if thickness(model, &contact) > 0.0 {
                started(model, from, &contact)
            } else {
                turned_outward(model, from, &contact)
            };
            let Some(now) = sided.and_then(|contact| follow_surfaces(model, from, to, &contact)) else { continue };
            if now.gap < -slack && !known(now.name()) {
                out.push(now);
            }
        }
        self.set.update(&ends);
        self.set.pairs(0.0);
        for pair in self.set.found() {
            let Some(contact) = self.contact(pair, to) else { continue };
            let is_new = !known(contact.name()) && !out[first..].iter().any(|own| own.name() == contact.name());
            if contact.gap < -slack && is_new {
                out.push(contact);
            }
        }
    }
}

/// A contact of cloth as it is at the start of a step.
fn started(model: &Model, from: &[PlacedBody], contact: &Contact) -> Option<Contact> {
    let sides = sides(model, from, contact)?;
    let elements = Elements::now(contact, &sides)?;
    let closest = elements.kind.closest(&elements.points);
    let way = if elements.swapped { -closest.way } else { closest.way };
    let frame = ContactFrame::from_normal(way.try_normalize()?).ok()?;
    Some(Contact { frame, ..*contact })
}

/// The two sides of a contact of surfaces that deform; `None` for a contact of another kind.
fn sides<'a>(model: &Model, placed: &'a [PlacedBody], contact: &Contact) -> Option<[Side<'a>; 2]> {
    let side = |k: usize| {
        let body = contact.pair[k] as usize;
        model.bodies[body].elastic()?;
        Some(Side { mesh: placed[body].mesh.as_ref()?, anchor: contact.anchors[k] })
    };
    Some([side(0)?, side(1)?])
}

/// A contact of two elastic surfaces where they are now: the same elements, which were at `from` when the step began.
/// `None` for contacts of other kinds.
pub(super) fn follow_surfaces(
    model: &Model,
    from: &[PlacedBody],
    placed: &[PlacedBody],
    contact: &Contact,
) -> Option<Contact> {
    let now = sides(model, placed, contact)?;
    let thickness = thickness(model, contact);
    if thickness == 0.0 {
        return outward(contact, &now, contact.frame.normal());
    }
    let (began, elements) = (Elements::now(contact, &sides(model, from, contact)?)?, Elements::now(contact, &now)?);
    let closest = elements.kind.closest(&elements.points);
    let way = if elements.swapped { -closest.way } else { closest.way };
    let distance = if elements.have_passed(&began, THROUGH * thickness) { -way.length() } else { way.length() };
    let normal = if distance == 0.0 { contact.frame.normal() } else { way / distance };
    let anchors = elements.anchors(contact.anchors, closest.weights);
    let now = [0, 1].map(|k| Side { mesh: now[k].mesh, anchor: anchors[k] });
    placed_at(&Contact { anchors, ..*contact }, &now, normal, distance - thickness)
}

/// A contact that was just found, on the side where solids are outside of each other. `None` where that is on neither
/// side, for edges that are parallel, and for elements that are beside each other.
fn turned_outward(model: &Model, placed: &[PlacedBody], contact: &Contact) -> Option<Contact> {
    let sides = sides(model, placed, contact)?;
    let elements = Elements::now(contact, &sides)?;
    if elements.kind == PairKind::EdgeEdge && elements.kind.across(&elements.points) == DVec3::ZERO {
        return None;
    }
    if thickness(model, contact) > 0.0 {
        return Some(*contact);
    }
    // Cloth without a thickness has no sides.
    let solid = |body: &u32| model.bodies[*body as usize].elastic().is_some_and(|own| own.kind() == ElasticKind::Solid);
    let [a, b] = [sides[0].normal(), sides[1].normal()];
    if !contact.pair.iter().all(solid) || a.dot(b) > FACING {
        return None;
    }
    let found = outward(contact, &sides, b - a)?;
    let beside = (sides[0].point() - sides[1].point() - found.frame.normal() * found.gap).length();
    (beside <= 0.5 * found.gap.abs() + BESIDE * model.bodies[contact.pair[0] as usize].reach()).then_some(found)
}

/// A contact of solids with its weights as they are, and the outward normal on the side of a direction.
fn outward(contact: &Contact, sides: &[Side; 2], direction: DVec3) -> Option<Contact> {
    let inside = |anchor: &Anchor| match anchor {
        Anchor::Triangle { weights, .. } => weights.iter().all(|weight| *weight > AT_EDGE),
        Anchor::Edge { weights, .. } => weights.iter().all(|weight| *weight > AT_EDGE),
        Anchor::Vertex { .. } | Anchor::Rigid { .. } => true,
    };
    let elements = Elements::now(contact, sides)?;
    let across = elements.kind.across(&elements.points);
    let feet = elements.feet().filter(|_| contact.anchors.iter().all(inside) && across != DVec3::ZERO);
    let normal = match feet {
        Some(_) => across,
        None => (sides[1].normal() - sides[0].normal()).normalize_or(contact.frame.normal()),
    };
    let normal = if normal.dot(direction) < 0.0 { -normal } else { normal };
    let anchors = feet.map_or(contact.anchors, |weights| elements.anchors(contact.anchors, weights));
    let sides = [0, 1].map(|k| Side { mesh: sides[k].mesh, anchor: anchors[k] });
    let gap = normal.dot(sides[0].point() - sides[1].point());
    placed_at(&Contact { anchors, ..*contact }, &sides, normal, gap)
}

/// The contact with this normal and gap, halfway between its two points.
fn placed_at(contact: &Contact, sides: &[Side; 2], normal: DVec3, gap: f64) -> Option<Contact> {
    let frame = ContactFrame::from_normal(normal).ok()?;
    let point = 0.5 * (sides[0].point() + sides[1].point());
    Some(Contact { frame: frame.with_tangent_near(contact.frame.t()), gap, point, ..*contact })
}

/// The distance that two elements keep: the offsets of their surfaces, or less between elements of one surface that are
/// nearer to each other at rest.
fn thickness(model: &Model, contact: &Contact) -> f64 {
    let [a, b] = contact.pair.map(|body| model.bodies[body as usize].elastic());
    let (Some(a), Some(b)) = (a, b) else { return 0.0 };
    let offsets = a.offset() + b.offset();
    if contact.pair[0] != contact.pair[1] || offsets == 0.0 {
        return offsets;
    }
    let data = a.mesh().data();
    let at = |vertex: u32| data.vertices[vertex as usize];
    let corners = |triangle: u32| data.triangles[triangle as usize];
    let rest = Elements::new(contact, [&at, &at], [&corners, &corners]);
    rest.map_or(offsets, |rest| spacing(offsets, rest.kind, &rest.points))
}
