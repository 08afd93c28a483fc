//! The contacts of a step: all places where two bodies touch or can touch before it ends.
//!
//! A point of a body moves at most h (|v| + |ω| ρ) + h² |g| in a step, ρ the distance of its farthest point from the centre. Boxes
//! around bodies are enlarged by that, and contacts with a gap up to the sum for both bodies are kept. So nothing touches that
//! has no contact, unless other contacts make a body faster within the step.

use asperity_friction::ContactFrame;
use glam::DVec3;
use rayon::prelude::*;

use super::beside::Beside;
use super::share::share;
use super::{Anchor, Contact, MOST_ROWS, PlacedBody};
use crate::body::Body;
use crate::geometry::{self, Aabb, BroadPhase, ContactPoint, Proxy, Shape, has_rim};
use crate::joint;
use crate::world::Model;

/// Pairs from which they are worth sharing among threads, and how many a thread takes at a time.
const MANY: usize = 64;
const CHUNK: usize = 16;

/// Finds contacts; keeps its storage.
#[derive(Debug, Default)]
pub(crate) struct Detector {
    broad: BroadPhase,
    proxies: Vec<Proxy>,
    travel: Vec<f64>,
    beside: Beside,
    /// What was asked last: the bodies and the length of the step; and the contacts that were found for it.
    placed: Vec<PlacedBody>,
    h: f64,
    contacts: Vec<Contact>,
}

impl Detector {
    /// What was found last, sorted by pair and feature.
    pub(crate) fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Finds the contacts within a step of length h from here. Asked again for the same, it has them ready.
    pub(crate) fn find(&mut self, model: &Model, placed: &[PlacedBody], h: f64) {
        if self.h != h || self.placed != placed {
            let mut contacts = std::mem::take(&mut self.contacts);
            contacts.clear();
            self.detect(model, placed, h, &mut contacts);
            self.contacts = contacts;
            self.placed.clear();
            self.placed.extend_from_slice(placed);
            self.h = h;
        }
    }

    fn detect(&mut self, model: &Model, placed: &[PlacedBody], h: f64, out: &mut Vec<Contact>) {
        self.travel.clear();
        self.proxies.clear();
        for (body, at) in model.bodies.iter().zip(placed) {
            let travel = travel(body, at, model.gravity, h);
            self.travel.push(travel);
            let Aabb { min, max } = at.shape(body).map_or(Aabb::EMPTY, |placed| placed.shape.aabb(&placed.pose));
            let aabb = Aabb { min: min - DVec3::splat(travel), max: max + DVec3::splat(travel) };
            self.proxies.push(Proxy { aabb, fixed: !body.is_dynamic() });
        }
        self.beside.update(model, placed);
        let beside = &self.beside;
        let apart = joint::apart(&model.joints);
        // What falls by this much in a step touches at its end.
        let open = model.gravity.length() * h * h;
        let (travel, pairs) = (&self.travel, self.broad.pairs(&self.proxies, 0.0));
        let one = |&(i, j): &(u32, u32), points: &mut Vec<ContactPoint>, out: &mut Vec<Contact>| {
            let (a, b) = (i as usize, j as usize);
            if apart.binary_search(&[i, j]).is_ok() {
                return;
            }
            points.clear();
            let margin = travel[a] + travel[b];
            let [Some(own), Some(other)] = [a, b].map(|k| placed[k].shape(&model.bodies[k])) else { return };
            match [beside.of(a), beside.of(b)] {
                [[], []] => geometry::contacts(own.shape, &own.pose, other.shape, &other.pose, margin, points),
                [[], parts] => geometry::contacts_beside(own.shape, &own.pose, parts, margin, points),
                [parts, _] => {
                    geometry::contacts_beside(other.shape, &other.pose, parts, margin, points);
                    points.iter_mut().for_each(|point| *point = point.swapped());
                }
            }
            points.sort_by_key(|point| point.feature);
            let first = out.len();
            out.extend(points.iter().filter_map(|point| contact([i, j], point, &placed[a], &placed[b])));
            if has_rim(own.shape) || has_rim(other.shape) {
                for contact in &mut out[first..] {
                    contact.rim = true;
                    contact.speed += contact.turning_speed([&placed[a], &placed[b]]);
                }
            }
            share(model, &mut out[first..], open);
        };
        if pairs.len() < MANY || rayon::current_num_threads() == 1 {
            let mut points = Vec::new();
            pairs.iter().for_each(|pair| one(pair, &mut points, out));
        } else {
            let chunks: Vec<Vec<Contact>> = pairs
                .par_chunks(CHUNK)
                .map(|chunk| {
                    let (mut points, mut found) = (Vec::new(), Vec::new());
                    chunk.iter().for_each(|pair| one(pair, &mut points, &mut found));
                    found
                })
                .collect();
            chunks.iter().for_each(|found| out.extend_from_slice(found));
        }
    }
}

/// Two bodies that may meet and would not stop each other: a mesh that forces move, and another mesh.
pub(crate) fn unstoppable(model: &Model) -> Option<[&Body; 2]> {
    let mesh = |body: &Body| body.animated().is_some() || body.shape().is_some_and(Shape::has_surface);
    let moving = model.bodies.iter().enumerate().filter(|(_, body)| body.inertia().is_some() && mesh(body));
    moving.into_iter().find_map(|(i, own)| {
        // Bodies of a joint may be kept from touching.
        let apart = joint::apart(&model.joints);
        let meets = |j: usize| i != j && apart.binary_search(&[i.min(j) as u32, i.max(j) as u32]).is_err();
        let other = model.bodies.iter().enumerate().find(|(j, body)| meets(*j) && mesh(body))?;
        Some([own, other.1])
    })
}

/// How far a point of the body can get in a time h.
pub(crate) fn travel(body: &Body, at: &PlacedBody, gravity: DVec3, h: f64) -> f64 {
    if body.is_static() {
        return 0.0;
    }
    if let Some(mesh) = &at.mesh {
        let fallen = if body.is_dynamic() { h * h * gravity.length() } else { 0.0 };
        return h * mesh.fastest() + fallen;
    }
    let reach = body.reach() + body.centre().length();
    let turning = if at.angular_velocity == DVec3::ZERO { 0.0 } else { at.angular_velocity.length() * reach };
    let carried = h * (at.velocity.length() + turning);
    if body.is_dynamic() { carried + h * h * gravity.length() } else { carried }
}

/// The contact with its frame and the velocity at it; `None` if its normal is no direction.
fn contact(pair: [u32; 2], point: &ContactPoint, a: &PlacedBody, b: &PlacedBody) -> Option<Contact> {
    let middle = 0.5 * (point.a + point.b);
    anchored(pair, point, [Anchor::at(a, middle), Anchor::at(b, middle)], [a, b])
}

/// The same with anchors that are known.
pub(crate) fn anchored(
    pair: [u32; 2],
    point: &ContactPoint,
    anchors: [Anchor; 2],
    bodies: [&PlacedBody; 2],
) -> Option<Contact> {
    let frame = ContactFrame::from_normal(point.normal).ok()?;
    let contact = Contact {
        pair,
        feature: point.feature,
        point: 0.5 * (point.a + point.b),
        anchors,
        gap: point.gap,
        frame,
        before: DVec3::ZERO,
        speed: 0.0,
        rim: false,
        bound: None,
        shift: [0.0; MOST_ROWS],
        closing: 1.0,
        defect: 0.0,
        load: 0.0,
        recoil: f64::INFINITY,
        spring_rate: None,
        share: None,
        in_problem: false,
    };
    let before = contact.velocity(bodies);
    Some(Contact { before, speed: before.length(), ..contact })
}
