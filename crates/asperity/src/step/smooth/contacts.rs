//! The contacts of a step.
//!
//! - Vertices of cloth and solids against analytic shapes: their exact signed distance.
//! - Vertices of cloth and solids, and corners of rigid shapes, against the sampled potential of another body: the gap is
//!   Ψ/|∇Ψ|, less the radius of the corner or the offset of the cloth, and the normal ∇Ψ/|∇Ψ|. Of two solids each is kept out
//!   of the other's potential, unless only one of them has a `potential` of its own.
//! - Vertices of a solid against the potential of the solid itself, without the samples that are near to the vertex at rest,
//!   within [`APART`] times their radius, or face the same way.
//! - Rigid bodies against rigid bodies as in the other steppers.

use glam::DVec3;

use super::fields::{Field, Fields, sampled};
use crate::body::{Body, ElasticKind};
use crate::contact::{
    Anchor, Contact, ContactName, Detector, MOST_ROWS, PlacedBody, anchored, carried, find_elastic_where, place,
    recall, travel,
};
use crate::geometry::potential::Influence;
use crate::geometry::{self, Aabb, ContactPoint, Element, Feature, ShapeCorner, TriangleMesh};
use crate::step::implicit::Span;
use crate::step::overlap::least_gap;
use crate::world::{ContactMemory, Model};

/// Samples of a solid that touch its own vertices are farther away at rest than this, relative to their radius of influence.
/// What is nearer is the surface that the vertex is part of, or the other face of a thin wall.
const APART: f64 = 2.0;

/// Cosine between the normals of a vertex and of a sample of its own body that it touches: below this.
const FACING: f64 = -0.3;

/// A contact of a step.
#[derive(Clone, Debug)]
pub(super) struct SmoothContact {
    pub(super) contact: Contact,
    /// Least normal velocity at the end of the step, m/s; where contacts are seen at velocities v, what it is above theirs.
    pub(super) bound: f64,
    /// Least gap at the end of the step: zero, or for an overlap what is left of it, m.
    pub(super) floor: f64,
    /// The potential that it is a contact with, if that is sampled on a surface that deforms.
    pub(super) blend: Option<Blend>,
    /// Impulses, row by row: those of the last step, and what they came to.
    pub(super) r: [f64; MOST_ROWS],
}

/// What the samples of a surface that deforms do to a contact.
#[derive(Clone, Debug)]
pub(super) struct Blend {
    /// Which side of the contact has the potential: 0 for A, 1 for B.
    pub(super) side: usize,
    /// 1/|∇Ψ|, and the direction of ∇Ψ.
    pub(super) scale: f64,
    pub(super) outward: DVec3,
    pub(super) influences: Vec<Influence>,
}

/// A point that is kept out of a potential.
struct Probe {
    body: u32,
    at: DVec3,
    /// How far from the point the surface is that touches, m.
    radius: f64,
    name: Element,
    anchor: Anchor,
}

/// The point that is deepest inside of a potential.
pub(super) struct Deep {
    pub(super) body: u32,
    pub(super) name: Element,
    pub(super) gap: f64,
}

/// A vertex of a solid, seen by the samples of its own surface.
struct OwnSide<'a> {
    mesh: &'a TriangleMesh,
    field: &'a Field,
    /// Where it is at rest, and its normal now.
    rest: DVec3,
    normal: DVec3,
}

impl OwnSide<'_> {
    /// Whether a sample is far away at rest, and faces the vertex.
    fn meets(&self, sample: u32) -> bool {
        let samples = self.field.potential.samples();
        let [a, b, c] = self.mesh.corners(sample as usize);
        let apart = self.rest.distance((a + b + c) / 3.0) > APART * samples.radii[sample as usize];
        apart && self.normal.dot(samples.normals[sample as usize]) < FACING
    }
}

/// Finds contacts, and keeps its storage.
#[derive(Default)]
pub(super) struct Contacts {
    rigid: Detector,
    found: Vec<Contact>,
    /// The bodies at the start of the step; those whose motion is given move with their mean velocity over it.
    pub(super) placed: Vec<PlacedBody>,
}

impl Contacts {
    /// Puts the bodies where a step begins.
    pub(super) fn place(&mut self, Span { model, state, h }: Span) {
        place(model, state, h, &mut self.placed);
    }

    /// All contacts that can close in the step, sorted by name, with the impulses of the step before. Overlaps are undone
    /// gently, no faster than a fall of h² |g| in the step.
    pub(super) fn find(&mut self, Span { model, state, h }: Span, fields: &Fields) -> Vec<SmoothContact> {
        self.rigid.find(model, &self.placed, h);
        self.found.clear();
        self.found.extend_from_slice(self.rigid.contacts());
        let analytic = |other: &Body| sampled(other).is_none();
        find_elastic_where(model, &self.placed, h, analytic, &mut self.found);
        let corner = |contact: &Contact| {
            let on = |side: usize| {
                let elastic = model.bodies[contact.pair[side] as usize].elastic();
                let face = matches!(contact.anchors[side], Anchor::Triangle { .. });
                face && elastic.is_some_and(|own| own.kind() == ElasticKind::Solid)
            };
            on(0) || on(1)
        };
        let plain = |contact: &Contact| SmoothContact {
            contact: *contact,
            bound: 0.0,
            floor: 0.0,
            blend: None,
            r: [0.0; MOST_ROWS],
        };
        // Corners of shapes are kept out of the potentials of solids instead.
        let mut list: Vec<SmoothContact> = self.found.iter().filter(|own| !corner(own)).map(plain).collect();
        for field in &fields.list {
            self.find_in(model, field, h, &mut list);
        }
        list.sort_by_key(|own| own.contact.name());
        bound(&mut list, model.gravity.length() * h * h, h);
        warm_start(&mut list, &state.contacts, h);
        list
    }

    /// Adds the contacts with a sampled potential.
    fn find_in(&self, model: &Model, field: &Field, h: f64, out: &mut Vec<SmoothContact>) {
        let Aabb { min, max } = Aabb::of(field.potential.samples().points.iter().copied());
        let way = |i: usize| travel(&model.bodies[i], &self.placed[i], model.gravity, h);
        let mut influences = Vec::new();
        for number in (0..model.bodies.len()).filter(|i| meets(model, *i, field.body as usize)) {
            let margin = 2.0 * (way(number) + way(field.body as usize));
            let mut probes = Vec::new();
            probes_of(model, &self.placed, number as u32, &mut probes);
            for probe in &probes {
                let reach = DVec3::splat(field.potential.reach());
                if probe.at.cmplt(min - reach).any() || probe.at.cmpgt(max + reach).any() {
                    continue;
                }
                out.extend(self.touch(model, field, probe, margin, &mut influences));
            }
        }
    }

    /// A vertex as part of the surface that the potential is of; `None` if it is of another body.
    fn own_side<'a>(&'a self, model: &'a Model, field: &'a Field, probe: &Probe) -> Option<OwnSide<'a>> {
        let Anchor::Vertex { vertex } = probe.anchor else { return None };
        if probe.body != field.body {
            return None;
        }
        let (mesh, placed) =
            (model.bodies[probe.body as usize].mesh()?, self.placed[probe.body as usize].mesh.as_ref()?);
        let around = placed.triangles_between([vertex; 2]).map(|triangle| {
            let [a, b, c] = placed.corners(triangle);
            (b - a).cross(c - a)
        });
        let normal = around.sum::<DVec3>().normalize_or_zero();
        Some(OwnSide { mesh, field, rest: mesh.data().vertices[vertex as usize], normal })
    }

    /// The point of other bodies that is deepest inside of a potential; `None` if none is near.
    pub(super) fn deepest(&self, model: &Model, field: &Field) -> Option<Deep> {
        let (mut probes, mut influences) = (Vec::new(), Vec::new());
        let others = (0..model.bodies.len()).filter(|i| *i != field.body as usize);
        for number in others.filter(|i| meets(model, *i, field.body as usize)) {
            probes_of(model, &self.placed, number as u32, &mut probes);
        }
        let deep = |probe: &Probe| {
            let found = field.potential.blend(probe.at, &mut influences)?;
            let steepness = found.gradient.length();
            // Where Ψ is flat there is no direction to the surface.
            let gap = (steepness > 0.0).then(|| found.value / steepness - probe.radius)?;
            Some(Deep { body: probe.body, name: probe.name, gap })
        };
        probes.iter().filter_map(deep).min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    /// The contact of a point with a potential, if it can close in the step.
    fn touch(
        &self,
        model: &Model,
        field: &Field,
        probe: &Probe,
        margin: f64,
        influences: &mut Vec<Influence>,
    ) -> Option<SmoothContact> {
        let found = match self.own_side(model, field, probe) {
            Some(own) => field.potential.blend_where(probe.at, |sample| own.meets(sample), influences)?,
            None => field.potential.blend(probe.at, influences)?,
        };
        let size = found.gradient.length();
        let (outward, gap) = (found.gradient.try_normalize()?, found.value / size - probe.radius);
        if gap > margin {
            return None;
        }
        let side = if field.body < probe.body { 0 } else { 1 };
        let point = probe.at - outward * (probe.radius + 0.5 * gap);
        let own = &self.placed[field.body as usize];
        let surface = Element::face(0);
        let deforms = own.mesh.is_some();
        let anchor = if deforms { on_triangle(own, influences, point)? } else { Anchor::at(own, point) };
        let (pair, anchors, feature, normal) = match side {
            0 => {
                let feature = Feature { a: surface, b: probe.name };
                ([field.body, probe.body], [anchor, probe.anchor], feature, -outward)
            }
            _ => {
                let feature = Feature { a: probe.name, b: surface };
                ([probe.body, field.body], [probe.anchor, anchor], feature, outward)
            }
        };
        let half = normal * (0.5 * gap);
        let place = ContactPoint { a: point + half, b: point - half, normal, gap, feature };
        let contact = anchored(pair, &place, anchors, pair.map(|i| &self.placed[i as usize]))?;
        let blend = deforms.then(|| Blend { side, scale: 1.0 / size, outward, influences: influences.clone() });
        Some(SmoothContact { contact, bound: 0.0, floor: 0.0, blend, r: [0.0; MOST_ROWS] })
    }
}

/// Whether a body's points are kept out of the potential of another one.
fn meets(model: &Model, number: usize, field: usize) -> bool {
    let [body, other] = [number, field].map(|i| &model.bodies[i]);
    let solid = |body: &Body| body.elastic().is_some_and(|own| own.kind() == ElasticKind::Solid);
    if number == field {
        return solid(body);
    }
    match (body.elastic().is_some(), other.elastic().is_some()) {
        (true, true) if solid(body) && solid(other) => {
            other.surface.potential.is_some() || body.surface.potential.is_none()
        }
        (true, _) => true,
        // Rigid bodies touch rigid ones, and meshes that are given, by their shapes.
        (false, elastic) => elastic,
    }
}

/// The points of a body that are kept out of potentials.
fn probes_of(model: &Model, placed: &[PlacedBody], number: u32, out: &mut Vec<Probe>) {
    let (body, at) = (&model.bodies[number as usize], &placed[number as usize]);
    if let (Some(elastic), Some(mesh)) = (body.elastic(), &at.mesh) {
        let on_surface = |vertex: &usize| !elastic.incidence().of(*vertex).is_empty();
        for vertex in (0..mesh.positions().len()).filter(on_surface) {
            let name = Element::corner(vertex as u32);
            let anchor = Anchor::Vertex { vertex: vertex as u32 };
            out.push(Probe { body: number, at: mesh.positions()[vertex], radius: elastic.offset(), name, anchor });
        }
    } else if let Some(shape) = at.shape(body) {
        let mut corners: Vec<ShapeCorner> = Vec::new();
        geometry::corners(shape.shape, &shape.pose, &mut corners);
        let probe = |corner: &ShapeCorner| {
            let anchor = Anchor::at(at, corner.at);
            Probe { body: number, at: corner.at, radius: corner.radius, name: corner.name, anchor }
        };
        out.extend(corners.iter().map(probe));
    }
}

/// The place of the surface that laws look at: the foot of the point on the triangle of the sample that counts most.
fn on_triangle(body: &PlacedBody, influences: &[Influence], point: DVec3) -> Option<Anchor> {
    let most = influences.iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
    let [a, b, c] = body.mesh.as_ref()?.corners(most.sample);
    let (one, two, way) = (b - a, c - a, point - a);
    let normal = one.cross(two);
    let square = normal.length_squared();
    if square == 0.0 {
        return None;
    }
    let [v, w] = [normal.dot(way.cross(two)) / square, normal.dot(one.cross(way)) / square];
    let inside = [1.0 - v - w, v, w].map(|weight| weight.max(0.0));
    let sum: f64 = inside.iter().sum();
    Some(Anchor::Triangle { triangle: most.sample, weights: inside.map(|weight| weight / sum) })
}

/// Gaps stay open; what overlaps comes out by a fall of the step at most.
fn bound(list: &mut [SmoothContact], fall: f64, h: f64) {
    for own in list {
        let gap = own.contact.gap;
        own.floor = least_gap(gap, fall);
        own.bound = -(gap - own.floor) / h;
    }
}

/// What is left at the end of a step of an overlap that it began with.
pub(super) struct Floor {
    name: ContactName,
    gap: f64,
}

impl Floor {
    pub(super) fn of(own: &SmoothContact) -> Self {
        Self { name: own.contact.name(), gap: own.floor }
    }
}

/// Contacts that are seen where a step ends have the floors of where it began; `floors` is sorted by name.
pub(super) fn lower(list: &mut [SmoothContact], floors: &[Floor], h: f64) {
    for own in list {
        let known = floors.binary_search_by_key(&own.contact.name(), |floor| floor.name);
        own.floor = known.map_or(0.0, |i| floors[i].gap);
        own.bound = -(own.contact.gap - own.floor) / h;
    }
}

/// The impulses that the forces of the last step are in this one.
fn warm_start(list: &mut [SmoothContact], memory: &[ContactMemory], h: f64) {
    let contacts: Vec<Contact> = list.iter().map(|own| own.contact).collect();
    for (own, known) in list.iter_mut().zip(recall(&contacts, memory)) {
        let Some(known) = known else { continue };
        own.r = carried(&own.contact, known, h);
        own.r[0] = own.r[0].max(0.0);
    }
}
