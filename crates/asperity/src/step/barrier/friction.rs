//! Lagged friction: for every collision that presses, its place, plane, load and law, held fixed while a step is minimised.
//!
//! The law is any set F of the contact plane ([`crate::contact::LawSite`]): grain from the surface, facets, pairs of materials,
//! coefficients that depend on slip or load at the last lag. Friction is the potential h D(u), D the smoothed dissipation λ h_F(−u)
//! ([`asperity_friction::dissipation`]), u = Bᵀ (Σ w_i (x_i − x_i(t)))/h the mean slip of the step. Rolling resistance, where the law has it, is
//! the same with the turn of the bodies in the place of the way.

use asperity_friction::dissipation::Dissipated;
use asperity_friction::set::FrictionSet;
use asperity_friction::{ContactLaw, FrictionError};
use glam::{DMat2, DVec2, DVec3};

use super::iterate::{BodyAt, Iterate};
use super::place::Here;
use super::slip::{NOTHING, SlipPotential, ToolkitSlip, of_set};
use super::surfaces::Surfaces;
use crate::barrier::{Collision, Jacobian, Lagged, LaggedAt, ParallelEdges, SlipForce, StencilKind};
use crate::contact::{Anchor, Contact, PlacedBody, anchored};
use crate::geometry::{ContactPoint, Element, Feature};
use crate::step::rotation::turn;

/// A collision with friction.
#[derive(Clone, Debug)]
pub(super) struct Rubbing {
    pub(super) collision: Collision,
    /// From the second body to the first, with the tangents of the contact.
    pub(super) lagged: Lagged,
    pub(super) contact: Contact,
    pub(super) law: ContactLaw,
    /// The axes of the stencil in the frame of the contact.
    pub(super) axes: DMat2,
    /// The potential of the IPC Toolkit, if that is asked for.
    pub(super) toolkit: Option<ToolkitSlip>,
    /// Change of the load with the distance, N/m.
    pub(super) load_slope: f64,
    /// How far the points of the contact move against each other in the step without slip, m.
    carried: DVec3,
}

/// Where bodies are at both ends of a step.
#[derive(Clone, Copy)]
pub(super) struct Ends<'a> {
    /// Where the step begins.
    pub(super) start: &'a Here,
    /// What velocities are taken from, v = (x − x̂)/β: where the step begins, for backward Euler.
    pub(super) base: &'a Iterate,
    /// Vertices there.
    pub(super) from: &'a [DVec3],
    pub(super) goal: &'a Iterate,
    /// β, s: the length of the step, for backward Euler.
    pub(super) h: f64,
    /// β over the length of the step.
    pub(super) share: f64,
    /// Slip speed from which on friction is fully developed, m/s.
    pub(super) eps_v: f64,
    /// Whose potential of the slip friction has.
    pub(super) friction: SlipPotential,
}

/// Collisions that press, as contacts with names: sorted, and the law still to come.
pub(super) fn lag(surfaces: &Surfaces, at: &Here, end: &Here, placed: &[PlacedBody], ends: Ends) -> Vec<Rubbing> {
    let Here { positions, planes, collisions, .. } = at;
    let mut list: Vec<Rubbing> = collisions
        .iter()
        .filter_map(|own| {
            let potential = surfaces.potential_of(own);
            let lagged = Lagged::new(own, &own.points(positions), planes, &potential, ParallelEdges::Rub)?;
            let nearest = own.nearest(&own.points(positions), planes);
            let mut rubbing =
                rubbing(surfaces, own, lagged, nearest.distance - potential.dmin, positions, placed, ends)?;
            // The share of the barrier that edges that are nearly parallel have is held fixed.
            let share = lagged.load() / potential.force(nearest.distance);
            rubbing.load_slope = share * potential.force_slope(nearest.distance);
            rubbing.carried += turned_together(own, &rubbing, at, end, ends) * (nearest.distance * ends.share);
            (rubbing.lagged.load() > 0.0).then_some(rubbing)
        })
        .collect();
    list.sort_by_key(|own| own.contact.name());
    list
}

/// How far the normal of a contact turns in the step, n⁺ − n. The two points of a contact are a distance d apart; as the surfaces turn together they
/// move by d (n⁺ − n) against each other, which is no slip.
///
/// Rigid bodies turn it by half of what each of them turns: what slides is then told in the middle of the gap, and it does not matter whether a
/// vertex is seen before a face, its edge or its corner, all of which come and go where faces touch that end together. Between other bodies the normal is that of a
/// face, or across two edges. (Where an end of an edge touches, it turns as that slides.)
fn turned_together(own: &Collision, rubbing: &Rubbing, at: &Here, end: &Here, ends: Ends) -> DVec3 {
    let normal = rubbing.lagged.normal;
    let rotation = |here: &Here, body: u32| match &here.at.bodies[body as usize] {
        BodyAt::Rigid { rotation, .. } => Some(*rotation),
        BodyAt::Mesh(_) => None,
    };
    let by = rubbing.contact.pair.map(|body| {
        let by = rotation(end, body)? * rotation(ends.start, body)?.conjugate();
        Some((by * normal - by.conjugate() * normal) * 0.5)
    });
    if let [Some(a), Some(b)] = by {
        return (a + b) * 0.5;
    }
    let nearest = own.nearest(&own.points(&at.positions), &at.planes);
    if nearest.free != 2 || own.mollified(&own.points(&at.positions)).is_some() {
        return DVec3::ZERO;
    }
    let before = own.nearest(&own.points(&ends.start.positions), &ends.start.planes);
    let after = own.nearest(&own.points(&end.positions), &end.planes);
    (after.normal - before.normal) * normal.dot(nearest.normal).signum()
}

/// One side of a collision.
struct Side {
    body: u32,
    element: Element,
    anchor: Anchor,
}

fn rubbing(
    surfaces: &Surfaces,
    collision: &Collision,
    lagged: Lagged,
    gap: f64,
    positions: &[DVec3],
    placed: &[PlacedBody],
    ends: Ends,
) -> Option<Rubbing> {
    let split = match collision.kind {
        StencilKind::EdgeEdge => 2,
        _ => 1,
    };
    let list = collision.list();
    let on = |range: std::ops::Range<usize>| -> DVec3 {
        range.map(|k| positions[list[k] as usize] * lagged.weights[k].abs()).sum()
    };
    let a = on(0..split);
    let is_plane = collision.kind == StencilKind::PlaneVertex;
    let b = if is_plane { a - lagged.normal * gap } else { on(split..list.len()) };
    let first = side(surfaces, &list[..split], &lagged.weights[..split], a, placed);
    let second = if is_plane {
        let body = surfaces.plane_body(collision.plane);
        let arm = b - placed[body as usize].centre;
        Side { body, element: Element::face(0), anchor: Anchor::Rigid { arm } }
    } else {
        side(surfaces, &list[split..], &lagged.weights[split..list.len()], b, placed)
    };
    let feature = Feature { a: first.element, b: second.element };
    let point = ContactPoint { a, b, normal: lagged.normal, gap, feature };
    let bodies = [&placed[first.body as usize], &placed[second.body as usize]];
    let swapped = first.body > second.body;
    let contact = if swapped {
        let pair = [second.body, first.body];
        anchored(pair, &point.swapped(), [second.anchor, first.anchor], [bodies[1], bodies[0]])?
    } else {
        anchored([first.body, second.body], &point, [first.anchor, second.anchor], bodies)?
    };
    let sign = if swapped { -1.0 } else { 1.0 };
    let stencil = lagged.basis;
    let lagged = Lagged {
        weights: lagged.weights.map(|w| sign * w),
        normal: contact.frame.normal(),
        basis: [contact.frame.t(), contact.frame.b()],
        ..lagged
    };
    let carried = if is_plane { plane_way(second.body, b, ends) * sign } else { DVec3::ZERO };
    let [x, y] = stencil.map(|axis| lagged.plane(axis));
    let axes = DMat2::from_cols(x, y);
    Some(Rubbing {
        collision: *collision,
        lagged,
        contact,
        law: ContactLaw::default(),
        axes,
        toolkit: None,
        load_slope: 0.0,
        carried,
    })
}

/// How far a point that moves with a rigid body whose motion is given gets in the step; the point is at its end.
fn plane_way(body: u32, point: DVec3, ends: Ends) -> DVec3 {
    let at = |iterate: &Iterate| match &iterate.bodies[body as usize] {
        BodyAt::Rigid { centre, rotation } => (*centre, *rotation),
        BodyAt::Mesh(_) => Default::default(),
    };
    let ((from, turned_from), (to, turned_to)) = (at(ends.base), at(ends.goal));
    let local = turned_to.conjugate() * (point - to);
    to + turned_to * local - (from + turned_from * local)
}

fn side(surfaces: &Surfaces, list: &[u32], weights: &[f64], at: DVec3, placed: &[PlacedBody]) -> Side {
    let own = surfaces.vertices[list[0] as usize];
    let index = |k: usize| surfaces.vertices[list[k] as usize].index;
    let deforms =
        matches!(own.moves, super::surfaces::Coordinates::Free(_)) || placed[own.body as usize].mesh.is_some();
    let (element, anchor) = match list.len() {
        1 => (Element::corner(index(0)), Anchor::Vertex { vertex: index(0) }),
        2 => {
            let vertices = [index(0), index(1)];
            let weights = [weights[0].abs(), weights[1].abs()];
            (Element::edge(vertices[0], vertices[1]), Anchor::Edge { vertices, weights })
        }
        _ => {
            let number = surfaces.triangle(own.body, [list[0], list[1], list[2]]);
            let weights = [weights[0].abs(), weights[1].abs(), weights[2].abs()];
            (Element::face(number), Anchor::Triangle { triangle: number, weights })
        }
    };
    let body = &placed[own.body as usize];
    let elastic = body.mesh.as_ref().is_some_and(|mesh| mesh.is_elastic());
    let anchor = match (deforms, elastic, list.len()) {
        (false, ..) => Anchor::Rigid { arm: at - body.centre },
        // A mesh whose motion is given touches by its triangles.
        (true, false, 1 | 2) => Anchor::at(body, at),
        _ => anchor,
    };
    Side { body: own.body, element, anchor }
}

/// A set of the contact plane, and one of rolling torques.
struct Parts<'a> {
    sliding: &'a FrictionSet,
    rolling: Option<FrictionSet>,
}

fn parts(law: &ContactLaw) -> Result<Parts<'_>, FrictionError> {
    match law {
        ContactLaw::Set(FrictionSet::Rolling(own)) => {
            Ok(Parts { sliding: own.sliding(), rolling: Some((*own.rolling()).into()) })
        }
        ContactLaw::Set(set) => Ok(Parts { sliding: set, rolling: None }),
        ContactLaw::TwoSet(_) | ContactLaw::Slip(_) => Err(FrictionError::Unsupported {
            name: "barrier",
            reason: "a law that is no set has no potential: use the stepper `implicit`",
        }),
    }
}

impl Rubbing {
    /// Mean slip of a step that ends with the vertices here, in the plane of the contact, m/s.
    pub(super) fn slip(&self, positions: &[DVec3], ends: Ends) -> DVec2 {
        let way = self.lagged.blend(|i| positions[i as usize] - ends.from[i as usize]) - self.carried;
        self.lagged.plane(way) / ends.h
    }

    /// How the gradient of friction changes with the places that it is lagged at, N/m.
    pub(super) fn by_places(&self, here: &Here, ends: Ends) -> Result<Jacobian, FrictionError> {
        let dissipated = self.sliding(self.slip(&here.positions, ends), ends.eps_v)?;
        let by_load = 1.0 / self.lagged.load();
        let law = SlipForce { force: dissipated.gradient * by_load, slope: dissipated.hessian * by_load };
        let mut velocities = [DVec3::ZERO; 4];
        for (own, vertex) in velocities.iter_mut().zip(self.lagged.list()) {
            *own = (here.positions[*vertex as usize] - ends.from[*vertex as usize]) / ends.h;
        }
        let slip = (0..4).map(|k| velocities[k] * self.lagged.weights[k]).sum::<DVec3>() - self.carried / ends.h;
        let points = self.collision.points(&here.positions);
        let at = LaggedAt {
            collision: &self.collision,
            points: &points,
            planes: &here.planes,
            velocities: &velocities,
            slip,
            load_slope: self.load_slope,
        };
        Ok(self.lagged.by_places_turning(&at, &law))
    }

    /// The dissipation of sliding at this slip, and the friction force (minus the gradient).
    pub(super) fn sliding(&self, slip: DVec2, eps_v: f64) -> Result<Dissipated, FrictionError> {
        let set = parts(&self.law)?.sliding;
        match &self.toolkit {
            None => of_set(set, eps_v, self.lagged.load(), slip),
            Some(own) => own.of(set, eps_v, self.lagged.load(), slip),
        }
    }

    /// Whether the law resists rolling.
    pub(super) fn rolls(&self) -> bool {
        matches!(&self.law, ContactLaw::Set(FrictionSet::Rolling(_)))
    }

    /// The relative turn of the step, as a rotation vector.
    pub(super) fn turned(&self, at: &Iterate, ends: Ends) -> DVec3 {
        let of = |body: u32| match (&ends.base.bodies[body as usize], &at.bodies[body as usize]) {
            (BodyAt::Rigid { rotation: from, .. }, BodyAt::Rigid { rotation: to, .. }) => turn(*from, *to),
            _ => DVec3::ZERO,
        };
        let [a, b] = self.contact.pair.map(of);
        a - b
    }

    /// The dissipation of rolling at this angular velocity across the normal.
    pub(super) fn rolling(&self, speed: DVec2, eps: f64) -> Result<Dissipated, FrictionError> {
        match parts(&self.law)?.rolling {
            Some(set) => of_set(&set, eps, self.lagged.load(), speed),
            None => Ok(NOTHING),
        }
    }
}
