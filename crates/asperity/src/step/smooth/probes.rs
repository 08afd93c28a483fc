//! Points of bodies that are kept out of sampled potentials: which they are, and where they touch.
//!
//! The gap of a point is Ψ/|∇Ψ|, less the radius of the corner or the offset of the cloth, and the normal ∇Ψ/|∇Ψ|. A vertex of
//! a solid sees the potential of the solid itself without the samples that are near to it at rest, within [`APART`] times
//! their radius, or face the same way.

use glam::DVec3;

use super::contacts::{Blend, Contacts, SmoothContact};
use super::fields::Field;
use crate::body::{Body, ElasticKind};
use crate::contact::{Anchor, MOST_ROWS, PlacedBody, anchored, travel};
use crate::geometry::potential::Influence;
use crate::geometry::{self, Aabb, ContactPoint, Element, Feature, ShapeCorner, TriangleMesh};
use crate::world::Model;

/// Samples of a solid that touch its own vertices are farther away at rest than this, relative to their radius of influence.
/// What is nearer is the surface that the vertex is part of, or the other face of a thin wall.
const APART: f64 = 2.0;

/// Cosine between the normals of a vertex and of a sample of its own body that it touches: below this.
const FACING: f64 = -0.3;

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

impl Contacts {
    /// Adds the contacts with a sampled potential.
    pub(super) fn find_in(&self, model: &Model, field: &Field, h: f64, out: &mut Vec<SmoothContact>) {
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
    // Samples that count have an area.
    let most = influences.iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
    let [a, b, c] = body.mesh.as_ref()?.corners(most.sample);
    let (one, two, way) = (b - a, c - a, point - a);
    let normal = one.cross(two);
    let square = normal.length_squared().max(f64::MIN_POSITIVE);
    let [v, w] = [normal.dot(way.cross(two)) / square, normal.dot(one.cross(way)) / square];
    let inside = [1.0 - v - w, v, w].map(|weight| weight.max(0.0));
    let sum: f64 = inside.iter().sum();
    Some(Anchor::Triangle { triangle: most.sample, weights: inside.map(|weight| weight / sum) })
}
