//! Bodies that stick to each other move as one: stick means no slip over the whole span, not only at its end.
//!
//! A velocity rule moves each body by itself, and on what turns two bodies with one angular velocity drift apart by a
//! term of third order in every step, which adds up. So two bodies that stick to each other at three contacts or more
//! which are not on one line keep their relative pose exactly: then nothing drifts, however long it lasts. A carrier
//! ([`super::carriers`]) takes along all that sticks to it, and what sticks to that. Of bodies that are all moved by
//! forces, the one with a joint or the heaviest one leads, and all are shifted so that their common centre of mass is
//! where the position rule has it; velocities stay as they were solved for.
//!
//! Contacts on a line can roll, and a single one can roll and spin: those pairs move by their velocities.

use asperity_solve::problem::Groups;
use glam::DVec3;

use super::carriers::{Carrier, Carriers};
use super::groups::Grouping;
use super::setup::Setup;
use super::solved::Solved;
use crate::body::{Body, BodyState, Twist};
use crate::contact::Contact;
use crate::geometry::Pose;
use crate::world::State;

/// A contact sticks if it is slower at the end than this fraction of |g| h and of the velocity that its pair gains in the
/// span: what solvers leave over.
const STICK: f64 = 3e-6;
/// It has stuck for the whole span if it was slower at the start than this fraction of the same: more than rows that
/// turn are off by, less than a contact that stops within the span begins with.
const STUCK: f64 = 1e-3;
/// Contacts are on one line if they are nearer to it than this fraction of its length.
const LINE: f64 = 1e-2;
/// Turns of less than this in a span (rad) part no bodies that forces move.
const TURN: f64 = 1e-4;

/// Puts the bodies that stick to each other where they move to as one. `state` has the bodies where the position rule
/// puts them. Answers with those that turn together, no carrier among them, and move by the trapezoid: their contacts turn.
pub(super) fn carry(
    setup: &Setup,
    solved: &Solved,
    grouping: &Grouping,
    carriers: &Carriers,
    state: &mut State,
) -> Vec<u32> {
    let mut turned = Vec::new();
    let turning = |(i, at): (usize, &BodyState)| {
        setup.free.number(i as u32).is_some() && at.frame().angular_velocity.length() * setup.span.length() > TURN
    };
    if carriers.is_empty() && !state.bodies.iter().enumerate().any(turning) {
        return turned;
    }
    let clusters = Clusters::new(setup, solved, carriers);
    let slides = sliding(setup, solved, grouping);
    for members in &clusters.list {
        let carrier = members.iter().find_map(|body| carriers.get(*body));
        let calm =
            |body: &u32| setup.free.number(*body).is_some_and(|k| grouping.group(k).fixed && !slides[grouping.of[k]]);
        match carrier {
            Some(carrier) => {
                for body in members {
                    place(setup, *body, |pose| carrier.carried(pose), state);
                    follow(setup, grouping, carrier, *body, state);
                }
            }
            None if members.iter().all(calm) && lead(setup, members, state) => turned.extend(members),
            None => {}
        }
    }
    turned.retain(|body| setup.free.number(*body).is_some_and(|k| grouping.group(k).trapezoid()));
    turned
}

/// Bodies that stick to each other.
struct Clusters {
    /// The members of each, in the order of the model; at least two.
    list: Vec<Vec<u32>>,
}

impl Clusters {
    fn new(setup: &Setup, solved: &Solved, carriers: &Carriers) -> Self {
        let count = setup.model.bodies.len();
        let moves = |body: u32| setup.free.number(body).is_some() || carriers.get(body).is_some();
        let mut joined = Groups::new(count);
        let mut any = false;
        let pressed: Vec<usize> = solved.pressed().collect();
        for run in pressed.chunk_by(|i, j| solved.contacts[*i].pair == solved.contacts[*j].pair) {
            let pair = solved.contacts[run[0]].pair;
            if pair.into_iter().all(moves) && spread(solved, run) && run.iter().all(|i| sticks(setup, solved, *i)) {
                joined.join(pair[0] as usize, pair[1] as usize);
                any = true;
            }
        }
        let mut list = vec![Vec::new(); if any { count } else { 0 }];
        for body in (0..list.len()).filter(|body| moves(*body as u32)) {
            list[joined.of(body)].push(body as u32);
        }
        list.retain(|members| members.len() > 1);
        Self { list }
    }
}

/// In which groups a contact slides: there friction changes velocities faster than turning does, and bodies that forces
/// move are not led.
fn sliding(setup: &Setup, solved: &Solved, grouping: &Grouping) -> Vec<bool> {
    let mut slides = vec![false; grouping.groups.len()];
    for i in solved.pressed().filter(|i| !sticks(setup, solved, *i)) {
        for k in solved.contacts[i].pair.iter().filter_map(|body| setup.free.number(*body)) {
            slides[grouping.of[k]] = true;
        }
    }
    slides
}

/// Whether a contact sticks, and did so when the span began.
fn sticks(setup: &Setup, solved: &Solved, i: usize) -> bool {
    let (contact, after) = (&solved.contacts[i], solved.after(i));
    let gained = setup.span.gained(setup.model.gravity.length()) + gained(setup, contact);
    let slip = |t: f64, b: f64| t.hypot(b);
    contact.bound.is_none()
        && setup.model.interaction(contact.pair).spring.is_none()
        && solved.impulse(i).len() >= 3
        && slip(after[1], after[2]) <= STICK * gained
        && slip(contact.before.y, contact.before.z) <= STUCK * gained
}

/// What the velocity of a carrier changes by at a contact; zero for other bodies.
fn gained(setup: &Setup, contact: &Contact) -> f64 {
    let driven = contact.pair.iter().any(|body| setup.model.bodies[*body as usize].is_driven());
    if driven { DVec3::from_slice(&contact.shift[..3]).length() } else { 0.0 }
}

/// Whether contacts are not on one line.
fn spread(solved: &Solved, run: &[usize]) -> bool {
    if run.len() < 3 {
        return false;
    }
    let point = |i: &usize| solved.contacts[*i].point;
    let first = point(&run[0]);
    let far = run.iter().map(|i| point(i) - first).max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    let Some(line) = far.filter(|line| line.length_squared() > 0.0) else { return false };
    run.iter().any(|i| (point(i) - first).cross(line).length() > LINE * line.length_squared())
}

/// Whether a joint holds a body: then its place is that of the joint.
fn is_jointed(setup: &Setup, body: u32) -> bool {
    setup.model.joints.iter().any(|joint| joint.bodies().contains(&Some(body)))
}

/// Puts a body that forces move where its pose at the start is taken to.
fn place(setup: &Setup, number: u32, moved: impl Fn(&Pose) -> Pose, state: &mut State) {
    let body: &Body = &setup.model.bodies[number as usize];
    let (Some(inertia), BodyState::Rigid(at)) = (body.inertia(), &mut state.bodies[number as usize]) else { return };
    if is_jointed(setup, number) {
        return;
    }
    let momentum = inertia.momentum(at.rotation, at.angular_velocity);
    let pose = moved(&setup.placed[number as usize].pose);
    (at.centre, at.rotation) = (pose.apply(body.centre()), pose.rotation);
    at.angular_velocity = inertia.angular_velocity(at.rotation, momentum);
}

/// Gives a body that sticks to a carrier and moves by the trapezoid the velocity that the carrier has there at the end:
/// what it was solved for, but for what the springs of contacts give way.
fn follow(setup: &Setup, grouping: &Grouping, carrier: &Carrier, number: u32, state: &mut State) {
    let trapezoid = setup.free.number(number).is_some_and(|k| grouping.group(k).trapezoid());
    if let (true, BodyState::Rigid(at)) = (trapezoid && !is_jointed(setup, number), &mut state.bodies[number as usize])
    {
        let Twist { velocity, angular_velocity } = carrier.end_twist(at.centre);
        (at.velocity, at.angular_velocity) = (velocity, angular_velocity);
    }
}

/// Moves bodies that forces move as one; whether they turn.
fn lead(setup: &Setup, members: &[u32], state: &mut State) -> bool {
    let mass = |body: u32| setup.model.bodies[body as usize].inertia().map_or(0.0, |inertia| inertia.mass());
    let held = members.iter().copied().find(|body| is_jointed(setup, *body));
    let heaviest = members.iter().copied().max_by(|a, b| mass(*a).total_cmp(&mass(*b)));
    let Some(leader) = held.or(heaviest) else { return false };
    let frame = |state: &State, body: u32| *state.bodies[body as usize].frame();
    if frame(state, leader).angular_velocity.length() * setup.span.length() <= TURN {
        return false;
    }
    let centre = |state: &State| members.iter().map(|body| frame(state, *body).centre * mass(*body)).sum::<DVec3>();
    let before = centre(state);
    let [from, to] =
        [setup.placed[leader as usize].pose, frame(state, leader).pose(&setup.model.bodies[leader as usize])];
    for body in members.iter().filter(|body| **body != leader) {
        let turned = to.rotation * from.rotation.conjugate();
        let moved = |pose: &Pose| Pose {
            position: to.position + turned * (pose.position - from.position),
            rotation: (turned * pose.rotation).normalize(),
        };
        place(setup, *body, moved, state);
    }
    if held.is_none() {
        let total: f64 = members.iter().map(|body| mass(*body)).sum();
        let shift = (before - centre(state)) / total;
        for body in members {
            if let BodyState::Rigid(at) = &mut state.bodies[*body as usize] {
                at.centre += shift;
            }
        }
    }
    true
}
