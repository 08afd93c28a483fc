//! Impact zones: what still meets moves as one rigid piece (Bridson et al. 2002; Harmon et al. 2008 let them slide,
//! here they do not).
//!
//! A zone is a set of vertices. It gets the rigid motion with its momentum and angular momentum, v_i = v_c + ω × (x_i −
//! c), ω = I⁻¹ L. The map x ↦ x + t h (v_c + ω × (x − c)) is affine, and moves no two points nearer to each other,
//! since its linear part 1 + t h [ω] has |y + t h ω × y|² = |y|² + |t h ω × y|²: within a zone nothing meets. Zones
//! that meet each other or other vertices become one, so that there is an end: at the latest when all that moves is one
//! zone. A zone with vertices whose motion is given moves with them. A zone that would be taken into a body whose
//! motion is given is pushed out of it as a whole.

use glam::{DMat3, DVec3};

use super::Trial;
use super::contacts::FilterContact;
use super::masses::{ends, velocity};
use crate::contact::{Anchor, ElasticSurfaces, PlacedBody};
use crate::step::StepError;
use crate::step::implicit::{FreeStep, Freedom, Span};
use crate::step::rotation::point_inertia;

/// Vertices of all elastic surfaces, and the zone that each is in.
struct Zones {
    /// A vertex nearer to the first one of its zone, or itself.
    parents: Vec<u32>,
    vertices: Vec<Vertex>,
}

/// A vertex of an elastic surface.
#[derive(Clone, Copy)]
struct Vertex {
    /// `None` for one whose motion is given.
    dof: Option<u32>,
    mass: f64,
    at: DVec3,
    /// Velocity before there are zones.
    velocity: DVec3,
}

/// How often zones are pushed out of bodies that they are taken into.
const PUSHES: usize = 50;

/// A bound on the velocity of a vertex: it touches a body whose motion is given.
pub(super) struct Wall {
    vertex: u32,
    /// Unit vector away from the body.
    away: DVec3,
    /// Least velocity along it, m/s.
    least: f64,
}

/// The walls among the contacts.
pub(super) fn walls(
    free: &FreeStep,
    surfaces: &ElasticSurfaces,
    placed: &[PlacedBody],
    contacts: &[FilterContact],
) -> Vec<Wall> {
    let wall = |FilterContact { contact, bound, .. }: &FilterContact| {
        let [a, b] = contact.pair.map(|body| matches!(free.freedom(body as usize), Freedom::Given));
        let (side, sign) = match [a, b] {
            [false, true] => (0, 1.0),
            [true, false] => (1, -1.0),
            _ => return None,
        };
        let Anchor::Vertex { vertex } = contact.anchors[side] else { return None };
        let first = surfaces.first(contact.pair[side])?;
        let given = contact.rate(1 - side, 0, &placed[contact.pair[1 - side] as usize]);
        Some(Wall { vertex: first + vertex, away: contact.frame.normal() * sign, least: bound + sign * given })
    };
    contacts.iter().filter_map(wall).collect()
}

/// Makes zones of what meets, until nothing does.
pub(super) fn freeze(
    free: &FreeStep,
    trial: &mut Trial,
    surfaces: &mut ElasticSurfaces,
    walls: &[Wall],
    separation: f64,
) -> Result<(), StepError> {
    let span = trial.span;
    let mut zones = Zones::new(free, span, surfaces.bodies(), &trial.v);
    loop {
        let to = ends(free, span, surfaces.bodies(), &trial.v);
        let mut grown = false;
        let found = surfaces.set().sweep(&to, separation);
        let Some(first) = found.first().map(|own| own.pair.vertices) else { return Ok(()) };
        for own in found {
            let [a, rest @ ..] = own.pair.vertices;
            rest.into_iter().for_each(|b| grown |= zones.join(a, b));
        }
        if !grown {
            let body = |vertex: u32| surfaces.bodies()[surfaces.surface(vertex)] as usize;
            let [a, b] = [first[0], first[3]].map(|vertex| span.model.bodies[body(vertex)].name.clone());
            return Err(StepError::Apart { t: span.state.time, a, b });
        }
        zones.apply(walls, &mut trial.v);
    }
}

impl Zones {
    fn new(free: &FreeStep, Span { model, state, h }: Span, bodies: &[u32], v: &[f64]) -> Self {
        let mut vertices = Vec::new();
        for number in bodies.iter().map(|body| *body as usize) {
            let (Some(elastic), Some(at), Freedom::Vertices(own)) =
                (model.bodies[number].elastic(), state.bodies[number].mesh(), free.freedom(number))
            else {
                continue;
            };
            for (i, dof) in own.iter().enumerate() {
                let x = at.positions[i];
                let given = || elastic.pinned_position(i, state.time + h).map_or(DVec3::ZERO, |end| (end - x) / h);
                let velocity = dof.map_or_else(given, |dof| velocity(v, dof));
                vertices.push(Vertex { dof: *dof, mass: elastic.masses()[i], at: x, velocity });
            }
        }
        Self { parents: (0..vertices.len() as u32).collect(), vertices }
    }

    fn root(&mut self, vertex: u32) -> u32 {
        let mut at = vertex;
        while self.parents[at as usize] != at {
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at
    }

    /// Makes one zone of two; whether they were two.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let [a, b] = [self.root(a), self.root(b)];
        // The smaller number stays, whatever the order of joining.
        self.parents[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Writes the velocities of the vertices of zones.
    fn apply(&mut self, walls: &[Wall], v: &mut [f64]) {
        let mut order: Vec<(u32, u32)> = (0..self.vertices.len() as u32).map(|i| (self.root(i), i)).collect();
        order.sort_unstable();
        order.iter().for_each(|(root, i)| self.parents[*i as usize] = *root);
        for zone in order.chunk_by(|a, b| a.0 == b.0).filter(|zone| zone.len() > 1) {
            let members: Vec<Vertex> = zone.iter().map(|(_, i)| self.vertices[*i as usize]).collect();
            let mut motion = Rigid::of(&members);
            let root = zone[0].0;
            let own: Vec<&Wall> = walls.iter().filter(|wall| self.parents[wall.vertex as usize] == root).collect();
            motion.push_out(&own, |vertex| self.vertices[vertex as usize].at);
            for own in &members {
                if let Some(dof) = own.dof {
                    motion.at(own.at).write_to_slice(&mut v[dof as usize..]);
                }
            }
        }
    }
}

/// The motion of a zone.
struct Rigid {
    centre: DVec3,
    velocity: DVec3,
    spin: DVec3,
    /// Zero if its motion is given.
    inverse_mass: f64,
    inverse_inertia: DMat3,
}

impl Rigid {
    fn of(members: &[Vertex]) -> Self {
        let given: Vec<&Vertex> = members.iter().filter(|own| own.dof.is_none()).collect();
        if !given.is_empty() {
            let velocity = given.iter().map(|own| own.velocity).sum::<DVec3>() / given.len() as f64;
            let (spin, inverse_inertia) = (DVec3::ZERO, DMat3::ZERO);
            return Self { centre: DVec3::ZERO, velocity, spin, inverse_mass: 0.0, inverse_inertia };
        }
        let mass: f64 = members.iter().map(|own| own.mass).sum();
        let centre = members.iter().map(|own| own.at * own.mass).sum::<DVec3>() / mass;
        let velocity = members.iter().map(|own| own.velocity * own.mass).sum::<DVec3>() / mass;
        let (mut inertia, mut momentum) = (DMat3::ZERO, DVec3::ZERO);
        for own in members {
            let arm = own.at - centre;
            inertia += point_inertia(own.mass, arm);
            momentum += arm.cross(own.velocity) * own.mass;
        }
        // Points on a line do not spin.
        let inverse_inertia = if inertia.determinant() > 0.0 { inertia.inverse() } else { DMat3::ZERO };
        Self { centre, velocity, spin: inverse_inertia * momentum, inverse_mass: 1.0 / mass, inverse_inertia }
    }

    /// Stops it at the walls, one after the other, by impulses at the vertices that touch them.
    fn push_out(&mut self, walls: &[&Wall], at: impl Fn(u32) -> DVec3) {
        for _ in 0..PUSHES {
            let mut inside = false;
            for wall in walls {
                let x = at(wall.vertex);
                let lack = wall.least - wall.away.dot(self.at(x));
                let arm = (x - self.centre).cross(wall.away);
                let answer = self.inverse_mass + arm.dot(self.inverse_inertia * arm);
                if lack > 0.0 && answer > 0.0 {
                    let impulse = lack / answer;
                    self.velocity += wall.away * (impulse * self.inverse_mass);
                    self.spin += self.inverse_inertia * arm * impulse;
                    inside = true;
                }
            }
            if !inside {
                return;
            }
        }
    }

    fn at(&self, x: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(x - self.centre)
    }
}
