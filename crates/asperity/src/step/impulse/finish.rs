//! The end of a span: velocities, positions by the rule of each group, what is remembered, and the energy error.

use std::sync::Arc;

use glam::DVec3;

use super::carriers::Carriers;
use super::carry;
use super::free::FreeBody;
use super::groups::{Group, Grouping, joints_at_end};
use super::midway::{Again, Balance, EnergyError};
use super::setup::Setup;
use super::solved::Solved;
use crate::body::{BodyState, Inertia, RigidState, Twist, mean_velocities};
use crate::contact::ContactImpulse;
use crate::step::rotation::turned;
use crate::world::State;

/// Speeds below this fraction of |g| h are what solvers leave over: a group in contact that is no faster is at rest,
/// and stays where it is.
const REST: f64 = 3e-6;

/// How a span was finished.
pub(super) struct Finished {
    /// Which joints moved by the rule "end".
    pub(super) joints_at_end: Vec<bool>,
    /// Energy that groups gained or lost besides the work of contacts, J.
    pub(super) energy_error: f64,
    /// Momentum that was taken from a body besides the impulses of its contacts, relative to what passes through it.
    pub(super) splitting: f64,
    /// For each body of the model how to solve again so that this error gets smaller; `None` for bodies without an
    /// error.
    pub(super) again: Vec<Option<Again>>,
    /// Which bodies of the model are in a group whose energy has grown.
    pub(super) gains: Vec<bool>,
    /// For each body of the model the energy error that is let pass, J; infinite for those that do not move by the trapezoid, or whose balance says nothing.
    pub(super) allowed: Vec<f64>,
    /// Whether there are bodies that are carried, by a carrier or by each other, and move by the trapezoid.
    pub(super) carried: bool,
    /// Which bodies of the model are on a carrier and move by the rule "end"; empty if there are no carriers.
    pub(super) ends: Vec<bool>,
}

impl Finished {
    /// Takes in the groups on carriers.
    fn add_carried(&mut self, setup: &Setup, grouping: &Grouping) {
        self.ends.resize(setup.model.bodies.len(), false);
        for (own, group) in setup.free.list().iter().zip(&grouping.of) {
            let (body, group) = (own.body as usize, &grouping.groups[*group]);
            if group.carried && group.trapezoid() {
                (self.again[body], self.carried) = (Some(Again::Between), true);
            }
            self.ends[body] = group.carried && !group.trapezoid();
        }
    }
}

/// Puts velocities and positions at the end of the span into `state`, and remembers the forces. `after` are the
/// velocities of the free bodies, `impulses` what the contacts did.
pub(super) fn finish(
    setup: &Setup,
    solved: &Solved,
    after: &[Twist],
    impulses: &[ContactImpulse],
    carriers: &Carriers,
    state: &mut State,
) -> Finished {
    let h = setup.span.length();
    let grouping = Grouping::new(setup, solved, carriers);
    let balances = move_bodies(setup, &grouping, after, state);
    let splitting = brake(setup, &grouping, &balances, state);
    let errors = energy_errors(setup, &grouping, &balances);
    let mut turned = Vec::new();
    if h > 0.0 {
        move_driven(setup, state);
        turned = carry::carry(setup, solved, &grouping, carriers, state);
        state.time += h;
        state.contacts.clear();
        state.contacts.extend(impulses.iter().map(|own| own.memory(h)));
        state.joints.clear();
        state.joints.extend(solved.joint_impulses().iter().map(|r| r / h));
    }
    let count = setup.model.bodies.len();
    let (mut again, mut gains, mut allowed) = (vec![None; count], vec![false; count], vec![f64::INFINITY; count]);
    for (own, group) in setup.free.list().iter().zip(&grouping.of) {
        let body = own.body as usize;
        again[body] = errors[*group].map(|error| error.again);
        let (balance, group) = (&balances[*group], &grouping.groups[*group]);
        if !is_balanced(setup, group) {
            continue;
        }
        gains[body] = !group.rolls && balance.gains(group.idle_work());
        if group.trapezoid() {
            allowed[body] = balance.allowed(Some(group.work), group.idle_work());
        }
    }
    let energy_error = errors.iter().flatten().map(|error| error.joules).sum();
    let mut finished = Finished {
        joints_at_end: joints_at_end(setup, &grouping),
        energy_error,
        splitting,
        again,
        gains,
        allowed,
        carried: false,
        ends: Vec::new(),
    };
    if h > 0.0 && !carriers.is_empty() {
        finished.add_carried(setup, &grouping);
    }
    for body in turned {
        (finished.again[body as usize], finished.carried) = (Some(Again::Between), true);
    }
    finished
}

/// Moves the free bodies; what the energy of each group changes by.
fn move_bodies(setup: &Setup, grouping: &Grouping, after: &[Twist], state: &mut State) -> Vec<Balance> {
    let (model, h) = (setup.model, setup.span.length());
    let fastest = fastest(setup, grouping, after, state);
    let still = REST * model.gravity.length() * h;
    let mut balances = vec![Balance::default(); grouping.groups.len()];
    for (k, (own, twist)) in setup.free.list().iter().zip(after).enumerate() {
        let body = &model.bodies[own.body as usize];
        let (Some(inertia), BodyState::Rigid(at)) = (body.inertia(), &mut state.bodies[own.body as usize]) else {
            continue;
        };
        let group = grouping.group(k);
        if h > 0.0 && group.fixed && fastest[grouping.of[k]] <= still {
            (at.velocity, at.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
            continue;
        }
        let began = *at;
        move_body(setup, group, own, inertia, *twist, at);
        balances[grouping.of[k]].add(model, inertia, [&began, at]);
    }
    balances
}

/// The fastest point of each group, at the start or at the end.
fn fastest(setup: &Setup, grouping: &Grouping, after: &[Twist], state: &State) -> Vec<f64> {
    let mut fastest = vec![0.0f64; grouping.groups.len()];
    for ((own, twist), group) in setup.free.list().iter().zip(after).zip(&grouping.of) {
        let at = state.bodies[own.body as usize].frame();
        let reach = setup.model.bodies[own.body as usize].reach();
        let speed = |v: DVec3, w: DVec3| v.length() + w.length() * reach;
        let (end, start) = (speed(twist.velocity, twist.angular_velocity), speed(at.velocity, at.angular_velocity));
        fastest[*group] = fastest[*group].max(end).max(start);
    }
    fastest
}

/// Moves a body by the rule of its group.
fn move_body(setup: &Setup, group: &Group, own: &FreeBody, inertia: &Inertia, twist: Twist, at: &mut RigidState) {
    let (gravity, h) = (setup.model.gravity, setup.span.length());
    let before = inertia.momentum(at.rotation, at.angular_velocity);
    let momentum = inertia.momentum(own.end, twist.angular_velocity);
    if h > 0.0 {
        let (shift, mean) = if group.trapezoid() {
            ((at.velocity + twist.velocity) * (0.5 * h), (before + momentum) * 0.5)
        } else if group.fixed {
            (twist.velocity * h, momentum)
        } else {
            (twist.velocity * h - gravity * (0.5 * h * h), momentum)
        };
        at.centre += shift;
        at.rotation = turned(inertia, at.rotation, mean, h);
    }
    at.velocity = twist.velocity;
    at.angular_velocity = inertia.angular_velocity(at.rotation, momentum);
}

/// Slows groups down that have gained energy while a rim rolls ([`super::midway`]); the largest momentum that this
/// takes from a body, relative to what passes through it in the span: m (2 |v⁺| + |g| h).
fn brake(setup: &Setup, grouping: &Grouping, balances: &[Balance], state: &mut State) -> f64 {
    let fall = setup.span.gained(setup.model.gravity.length());
    let mut most: f64 = 0.0;
    for (own, k) in setup.free.list().iter().zip(&grouping.of) {
        let group = &grouping.groups[*k];
        if !group.rolls || !group.fixed || !is_balanced(setup, group) {
            continue;
        }
        let factor = balances[*k].braked(group.idle_work());
        if let BodyState::Rigid(at) = &mut state.bodies[own.body as usize] {
            let speed = at.velocity.length();
            most = most.max((1.0 - factor) * speed / (2.0 * speed + fall).max(f64::MIN_POSITIVE));
            (at.velocity, at.angular_velocity) = (at.velocity * factor, at.angular_velocity * factor);
        }
    }
    most
}

/// The energy error of each group; `None` where it is below its tolerance, or where the balance says nothing because
/// damping, joints or scripts do work.
fn energy_errors(setup: &Setup, grouping: &Grouping, balances: &[Balance]) -> Vec<Option<EnergyError>> {
    let error = |(group, balance): (&Group, &Balance)| {
        let work = group.trapezoid().then_some(group.work);
        balance.error(work, group.idle_work()).filter(|_| is_balanced(setup, group))
    };
    grouping.groups.iter().zip(balances).map(error).collect()
}

/// Whether the energy of a group changes by nothing but gravity and its contacts with dynamic and static bodies.
fn is_balanced(setup: &Setup, group: &Group) -> bool {
    let damped = setup.model.damping > 0.0 || setup.model.angular_damping > 0.0;
    setup.span.length() > 0.0 && !damped && group.touched && group.plain
}

/// Puts bodies whose motion is given where it is at the end of the span.
fn move_driven(setup: &Setup, state: &mut State) {
    let h = setup.span.length();
    let time = state.time + h;
    for (body, at) in setup.model.bodies.iter().zip(&mut state.bodies) {
        if let (Some(animated), BodyState::Mesh(at)) = (body.animated(), &mut *at) {
            let positions = animated.positions(time);
            let velocities = mean_velocities(&at.positions, &positions, h);
            *at = Arc::new(animated.state_of(positions, velocities));
        }
        if let (Some(script), BodyState::Rigid(at)) = (body.script(), at) {
            let pose = script.pose(time);
            let Twist { velocity, angular_velocity } = script.velocity(state.time, h);
            (at.velocity, at.angular_velocity) = (velocity, angular_velocity);
            (at.centre, at.rotation) = (pose.position, pose.rotation);
        }
    }
}
