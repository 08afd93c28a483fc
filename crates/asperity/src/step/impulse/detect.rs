//! The contacts of a step: all places where two bodies touch or can touch before it ends.
//!
//! A point of a body moves at most h (|v| + |ω| ρ) + h² |g| in a step, ρ the distance of its farthest point from the centre. Boxes
//! around bodies are enlarged by that, and contacts with a gap up to the sum for both bodies are kept. So nothing touches that
//! has no contact, unless other contacts make a body faster within the step.

use asperity_friction::ContactFrame;
use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Body, Motion};
use crate::geometry::{self, Aabb, BroadPhase, ContactPoint, Feature, Pose, Proxy};
use crate::joint;
use crate::world::Model;

/// Pairs from which they are worth sharing among threads, and how many a thread takes at a time.
const MANY: usize = 64;
const CHUNK: usize = 16;

/// A body as it is at the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) pose: Pose,
    pub(super) centre: DVec3,
    pub(super) velocity: DVec3,
    pub(super) angular_velocity: DVec3,
}

impl Placed {
    /// Velocity of the point at this arm from the centre.
    fn velocity_at(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(arm)
    }
}

/// A contact of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// A and B.
    pub(super) pair: [u32; 2],
    pub(super) feature: Feature,
    pub(super) point: DVec3,
    /// From the centres of A and B to the point.
    pub(super) arms: [DVec3; 2],
    pub(super) gap: f64,
    pub(super) frame: ContactFrame,
    /// v_A − v_B at the start of the step: along the normal and the tangents.
    pub(super) before: DVec3,
    /// A bound for the normal velocity in place of the one that the gap gives.
    pub(super) bound: Option<f64>,
    /// What velocities at the end of the step are more than those of these rows, row by row ([`super::midway`]).
    pub(super) shift: [f64; 6],
    /// Whether the step is solved with it ([`super::acting`]).
    pub(super) acting: bool,
}

/// Finds contacts; keeps its storage.
#[derive(Debug, Default)]
pub(super) struct Detector {
    broad: BroadPhase,
    proxies: Vec<Proxy>,
    travel: Vec<f64>,
    /// For what the last contacts were found, and they.
    placed: Vec<Placed>,
    h: f64,
    touches: Vec<Touch>,
}

impl Detector {
    /// What was found last, sorted by pair and feature.
    pub(super) fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Finds the contacts within a step of length h from here. Asked again for the same, it has them ready.
    pub(super) fn find(&mut self, model: &Model, placed: &[Placed], h: f64) {
        if self.h != h || self.placed != placed {
            let mut touches = std::mem::take(&mut self.touches);
            touches.clear();
            self.detect(model, placed, h, &mut touches);
            self.touches = touches;
            self.placed.clear();
            self.placed.extend_from_slice(placed);
            self.h = h;
        }
    }

    fn detect(&mut self, model: &Model, placed: &[Placed], h: f64, out: &mut Vec<Touch>) {
        self.travel.clear();
        self.proxies.clear();
        for (body, at) in model.bodies.iter().zip(placed) {
            let travel = travel(body, at, model.gravity, h);
            self.travel.push(travel);
            let Aabb { min, max } = body.shape.aabb(&at.pose);
            let aabb = Aabb { min: min - DVec3::splat(travel), max: max + DVec3::splat(travel) };
            self.proxies.push(Proxy { aabb, fixed: !body.is_dynamic() });
        }
        let apart = joint::apart(&model.joints);
        let (travel, pairs) = (&self.travel, self.broad.pairs(&self.proxies, 0.0));
        let one = |&(i, j): &(u32, u32), points: &mut Vec<ContactPoint>, out: &mut Vec<Touch>| {
            let (a, b) = (i as usize, j as usize);
            if apart.binary_search(&[i, j]).is_ok() {
                return;
            }
            points.clear();
            let margin = travel[a] + travel[b];
            let (body, other) = (&model.bodies[a], &model.bodies[b]);
            geometry::contacts(&body.shape, &placed[a].pose, &other.shape, &placed[b].pose, margin, points);
            points.sort_by_key(|point| point.feature);
            out.extend(points.iter().filter_map(|point| touch([i, j], point, &placed[a], &placed[b])));
        };
        if pairs.len() < MANY || rayon::current_num_threads() == 1 {
            let mut points = Vec::new();
            pairs.iter().for_each(|pair| one(pair, &mut points, out));
        } else {
            let chunks: Vec<Vec<Touch>> = pairs
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
pub(super) fn blind(model: &Model) -> Option<[&Body; 2]> {
    let mesh = |body: &Body| body.shape.has_surface();
    let moving = model.bodies.iter().enumerate().filter(|(_, body)| body.is_dynamic() && mesh(body));
    moving.into_iter().find_map(|(i, own)| {
        // Bodies of a joint may be kept from touching.
        let apart = joint::apart(&model.joints);
        let meets = |j: usize| i != j && apart.binary_search(&[i.min(j) as u32, i.max(j) as u32]).is_err();
        let other = model.bodies.iter().enumerate().find(|(j, body)| meets(*j) && mesh(body))?;
        Some([own, other.1])
    })
}

/// How far a point of the body can get in a time h.
fn travel(body: &Body, at: &Placed, gravity: DVec3, h: f64) -> f64 {
    let reach = body.shape.reach() + body.centre().length();
    let turning = if at.angular_velocity == DVec3::ZERO { 0.0 } else { at.angular_velocity.length() * reach };
    match body.motion {
        Motion::Static => 0.0,
        Motion::Scripted(_) => h * (at.velocity.length() + turning),
        Motion::Dynamic(_) => h * (at.velocity.length() + turning) + h * h * gravity.length(),
    }
}

/// The contact with its frame and the velocity at it; none if its normal is no direction.
fn touch(pair: [u32; 2], point: &ContactPoint, a: &Placed, b: &Placed) -> Option<Touch> {
    let frame = ContactFrame::from_normal(point.normal).ok()?;
    let middle = 0.5 * (point.a + point.b);
    let (feature, gap) = (point.feature, point.gap);
    let arms = [middle - a.centre, middle - b.centre];
    let (before, shift) = (DVec3::ZERO, [0.0; 6]);
    let touch = Touch { pair, feature, point: middle, arms, gap, frame, before, bound: None, shift, acting: false };
    Some(Touch { before: touch.velocity(a, b), ..touch })
}

impl Touch {
    /// The normal part of v_A − v_B, for bodies that move like this.
    pub(super) fn approach(&self, a: &Placed, b: &Placed) -> f64 {
        (a.velocity_at(self.arms[0]) - b.velocity_at(self.arms[1])).dot(self.frame.normal())
    }

    /// v_A − v_B along the normal and the tangents, for bodies that move like this.
    pub(super) fn velocity(&self, a: &Placed, b: &Placed) -> DVec3 {
        let slip = a.velocity_at(self.arms[0]) - b.velocity_at(self.arms[1]);
        DVec3::new(slip.dot(self.frame.normal()), slip.dot(self.frame.t()), slip.dot(self.frame.b()))
    }
}
