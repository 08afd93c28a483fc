//! Before and after the solve: free velocities, and the move of the bodies with the rule that is safe for each group.

use asperity_solve::problem::{ContactProblem, Dynamics, Groups};
use asperity_solve::solver::Solution;
use glam::{DQuat, DVec3};

use super::detect::{Placed, Touch};
use super::joints::{JointRow, Role};
use super::midway::{Again, Balance};
use super::rotation::turned;
use super::rows::{Free, Parts, axis};
use crate::body::{Body, Motion};
use crate::joint::Joint;
use crate::record::ContactForce;
use crate::step::StepReport;
use crate::world::{ContactMemory, Model, State};

/// A contact began the step too fast for the trapezoid if it overlaps by more than this part of its slip; rounding alone gives less.
const FAST: f64 = 1e-6;
/// The same, in m/s, for contacts that do not slip.
const SLOW: f64 = 1e-9;
/// Speeds below this part of |g| h are what solvers leave over: a group in contact that is no faster is at rest, and stays where it is.
const REST: f64 = 3e-6;
/// Work of contacts below this part of Σ r_n |g| h is left over by the solver.
const IDLE: f64 = 1e-8;

/// The dynamic bodies with the velocities that they would have after h without contacts, and the number of each body among them.
/// `last` are orientations at the end that are known better, of some bodies.
pub(super) fn free(model: &Model, state: &State, h: f64, last: &[Option<DQuat>]) -> (Vec<Free>, Vec<u32>) {
    let mut free = Vec::new();
    let mut number = vec![u32::MAX; model.bodies.len()];
    for (i, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
        let Motion::Dynamic(inertia) = &body.motion else { continue };
        number[i] = free.len() as u32;
        let inverse_mass = 1.0 / inertia.mass();
        let momentum = inertia.momentum(at.rotation, at.angular_velocity);
        let known = last.get(i).copied().flatten();
        let end = known.unwrap_or_else(|| turned(inertia, at.rotation, momentum, h));
        let inverse_inertia = inertia.inverse_in_world(end);
        // Damping is implicit, so that it never turns a motion around: the torque −c ω as a part of L.
        let spin = at.angular_velocity.dot(momentum);
        let slowing =
            if spin > 0.0 { model.angular_damping * at.angular_velocity.length_squared() / spin } else { 0.0 };
        free.push(Free {
            body: i as u32,
            end,
            inverse_mass,
            inverse_inertia,
            turning: inverse_inertia * momentum,
            velocity: (at.velocity + model.gravity * h) / (1.0 + h * model.damping * inverse_mass),
            angular_velocity: inverse_inertia * (momentum / (1.0 + h * slowing)),
        });
    }
    (free, number)
}

/// A solved problem.
pub(super) struct Solved<'a> {
    pub(super) problem: &'a ContactProblem,
    pub(super) touches: &'a [Touch],
    /// β and c of each contact.
    pub(super) bounds: &'a [(f64, f64)],
    /// The rows of joints, after those of the contacts.
    pub(super) joints: &'a [JointRow],
    /// Which joints must move by the rule "end".
    pub(super) ends: &'a [bool],
    pub(super) solution: &'a Solution,
}

impl Solved<'_> {
    fn impulse(&self, i: usize) -> &[f64] {
        &self.solution.r[self.problem.range(i)]
    }

    /// Impulses of the rows of joints.
    pub(super) fn joint_impulses(&self) -> &[f64] {
        &self.solution.r[self.solution.r.len() - self.joints.len()..]
    }

    /// Velocities at the end, the normal one without β and compliance.
    fn after(&self, i: usize) -> [f64; 6] {
        let range = self.problem.range(i);
        let mut u = [0.0; 6];
        u[..range.len()].copy_from_slice(&self.solution.u[range.clone()]);
        u[0] += self.bounds[i].0 - self.bounds[i].1 * self.solution.r[range.start];
        u
    }

    /// Velocities and angular velocities of the free bodies at the end.
    pub(super) fn velocities(&self, free: &[Free]) -> Vec<(DVec3, DVec3)> {
        let response = match self.problem.dynamics() {
            Dynamics::Bodies(bodies) => bodies.response(&self.solution.r),
            // The problems of this stepper are made of bodies.
            Dynamics::Delassus(_) | Dynamics::Factor(_) => vec![0.0; 6 * free.len()],
        };
        let changed = |(own, change): (&Free, &[f64])| {
            let (v, w) = (DVec3::from_slice(&change[..3]), DVec3::from_slice(&change[3..]));
            (own.velocity + v, own.angular_velocity + w)
        };
        free.iter().zip(response.chunks_exact(6)).map(changed).collect()
    }

    /// Friction power and forces.
    pub(super) fn report(&self, bodies: &[Body], h: f64, report: &mut StepReport) {
        report.forces.clear();
        for (i, touch) in self.touches.iter().enumerate() {
            let (r, u) = (self.impulse(i), self.after(i));
            if r[0] > 0.0 {
                let power = r.iter().zip(u).skip(1).map(|(r, u)| r * u).sum::<f64>() / h;
                report.friction_power += power;
                report.largest_friction_power = report.largest_friction_power.max(power);
                let [force, _] = force(touch, r, h);
                let moves = touch.pair.map(|i| bodies[i as usize].is_dynamic());
                report.forces.extend(ContactForce::on_moving(touch.point, force, moves));
            }
        }
    }
}

/// Bodies that act on each other by contacts and joints.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Whether there is a contact at all, or a stop or brake that acts.
    touched: bool,
    /// Whether it touches a body that is not dynamic, or is tied to one.
    fixed: bool,
    /// Whether its joints were solved for the rule "end".
    ends: bool,
    /// Whether nothing but contacts with dynamic and static bodies acts on it.
    plain: bool,
    /// Whether no contact began too fast.
    smooth: bool,
    /// Work of the contacts if positions move by the trapezoid.
    work: f64,
    /// Sum of the normal impulses.
    load: f64,
    /// What the springs of the contacts can give back: Σ ½ c r_n².
    sprung: f64,
}

impl Group {
    /// Whether its positions move by the trapezoid; `idle` times the load is work that the solver leaves over.
    fn trapezoid(&self, idle: f64) -> bool {
        !self.ends && (!self.touched || self.fixed && self.smooth && self.work <= self.sprung + idle * self.load)
    }
}

/// How a step was finished.
pub(super) struct Finished {
    /// Which joints moved by the rule "end".
    pub(super) ends: Vec<bool>,
    /// Energy that groups gained or lost besides the work of contacts, J, and how to solve again for their bodies ([`super::midway`]).
    pub(super) error: f64,
    pub(super) again: Vec<Option<Again>>,
}

/// Puts velocities and positions at the end of the step, and remembers the contacts.
pub(super) fn finish(parts: &Parts, solved: &Solved, after: &[(DVec3, DVec3)], h: f64, state: &mut State) -> Finished {
    let Parts { model, placed, free, number, .. } = *parts;
    let (groups, of) = groups(model, placed, number, free, solved, h);
    let idle = IDLE * model.gravity.length() * h;
    let mut fastest = vec![0.0f64; groups.len()];
    for ((own, (v, w)), group) in free.iter().zip(after).zip(&of) {
        let at = &state.bodies[own.body as usize];
        let reach = model.bodies[own.body as usize].shape.reach();
        let speed = |v: DVec3, w: DVec3| v.length() + w.length() * reach;
        fastest[*group] = fastest[*group].max(speed(*v, *w)).max(speed(at.velocity, at.angular_velocity));
    }
    let still = REST * model.gravity.length() * h;
    let mut balances = vec![Balance::default(); groups.len()];
    for (k, (own, &(velocity, spin))) in free.iter().zip(after).enumerate() {
        let (body, at) = (&model.bodies[own.body as usize], &mut state.bodies[own.body as usize]);
        let Motion::Dynamic(inertia) = &body.motion else { continue };
        let group = &groups[of[k]];
        if h > 0.0 && group.fixed && fastest[of[k]] <= still {
            (at.velocity, at.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
            continue;
        }
        let began = *at;
        let before = inertia.momentum(at.rotation, at.angular_velocity);
        let momentum = inertia.momentum(own.end, spin);
        if h > 0.0 {
            let (shift, mean) = if group.trapezoid(idle) {
                ((at.velocity + velocity) * (0.5 * h), (before + momentum) * 0.5)
            } else if group.fixed {
                (velocity * h, momentum)
            } else {
                (velocity * h - model.gravity * (0.5 * h * h), momentum)
            };
            at.centre += shift;
            at.rotation = turned(inertia, at.rotation, mean, h);
        }
        at.velocity = velocity;
        at.angular_velocity = inertia.angular_velocity(at.rotation, momentum);
        balances[of[k]].add(model, inertia, [&began, at]);
    }
    let damped = model.damping > 0.0 || model.angular_damping > 0.0;
    let error = |(group, balance): (&Group, &Balance)| {
        let asked = h > 0.0 && !damped && group.touched && group.fixed && group.plain;
        balance.error(group.trapezoid(idle).then_some(group.work), idle * group.load).filter(|_| asked)
    };
    let errors: Vec<Option<(f64, Again)>> = groups.iter().zip(&balances).map(error).collect();
    let mut again = vec![None; model.bodies.len()];
    for (own, group) in free.iter().zip(&of) {
        again[own.body as usize] = errors[*group].map(|(_, again)| again);
    }
    if h > 0.0 {
        let time = state.time + h;
        for (body, at) in model.bodies.iter().zip(&mut state.bodies) {
            if let Motion::Scripted(script) = &body.motion {
                let pose = script.pose(time);
                (at.velocity, at.angular_velocity) = script.velocity(state.time, h);
                (at.centre, at.rotation) = (pose.position, pose.rotation);
            }
        }
        state.time = time;
        remember(solved, h, &mut state.contacts);
        state.joints.clear();
        state.joints.extend(solved.joint_impulses().iter().map(|r| r / h));
    }
    let end = |joint: &Joint| {
        let own = joint.bodies().into_iter().flatten().map(|i| number[i as usize] as usize).find(|k| *k < free.len());
        own.is_some_and(|k| !groups[of[k]].trapezoid(idle))
    };
    let ends = model.joints.iter().map(end).collect();
    Finished { ends, error: errors.iter().flatten().map(|(error, _)| error).sum(), again }
}

/// The groups, and the group of each free body.
fn groups(
    model: &Model,
    placed: &[Placed],
    number: &[u32],
    free: &[Free],
    solved: &Solved,
    h: f64,
) -> (Vec<Group>, Vec<usize>) {
    let bodies = free.len();
    let mut joined = Groups::new(bodies);
    let acting = |i: &usize| solved.impulse(*i)[0] > 0.0;
    let of_joint = |joint: &Joint| joint.bodies().map(|body| body.map_or(usize::MAX, |i| number[i as usize] as usize));
    for i in (0..solved.touches.len()).filter(acting) {
        let [a, b] = solved.touches[i].pair.map(|body| number[body as usize] as usize);
        if a < bodies && b < bodies {
            joined.join(a, b);
        }
    }
    for [a, b] in model.joints.iter().map(of_joint) {
        if a < bodies && b < bodies {
            joined.join(a, b);
        }
    }
    let of: Vec<usize> = (0..bodies).map(|k| joined.of(k)).collect();
    let none = Group {
        touched: false,
        fixed: false,
        ends: false,
        plain: true,
        smooth: true,
        work: 0.0,
        load: 0.0,
        sprung: 0.0,
    };
    let mut groups = vec![none; bodies];
    for i in (0..solved.touches.len()).filter(acting) {
        let touch = &solved.touches[i];
        let [a, b] = touch.pair.map(|body| number[body as usize] as usize);
        let Some(first) = [a, b].into_iter().find(|k| *k < bodies) else { continue };
        let group = &mut groups[of[first]];
        group.touched = true;
        group.fixed |= a >= bodies || b >= bodies;
        group.plain &= !touch.pair.iter().any(|i| matches!(model.bodies[*i as usize].motion, Motion::Scripted(_)));
        let (r, after) = (solved.impulse(i), solved.after(i));
        // What the spring of the contact gives way to is no impact.
        let slack = SLOW + FAST * touch.before.length() + solved.bounds[i].1 * r[0];
        group.smooth &= touch.bound.is_none() && touch.before.x >= -touch.gap.max(0.0) / h - slack;
        let [w_a, w_b] = touch.pair.map(|body| placed[body as usize].angular_velocity);
        group.load += r[0];
        group.sprung += 0.5 * solved.bounds[i].1 * r[0] * r[0];
        for (k, r) in r.iter().enumerate() {
            let before = if k < 3 { touch.before[k] } else { axis(touch, k).dot(w_a - w_b) };
            group.work += 0.5 * r * (before + after[k]);
        }
    }
    for (i, joint) in model.joints.iter().enumerate() {
        let [a, b] = of_joint(joint);
        let Some(first) = [a, b].into_iter().find(|k| *k < bodies) else { continue };
        let group = &mut groups[of[first]];
        group.fixed |= a >= bodies || b >= bodies;
        group.plain = false;
        group.ends |= solved.ends[i];
    }
    let rows = solved.joints.iter().zip(solved.joint_impulses());
    for ((row, r), u) in rows.zip(&solved.solution.u[solved.solution.u.len() - solved.joints.len()..]) {
        let Some(first) = of_joint(&model.joints[row.joint]).into_iter().find(|k| *k < bodies) else { continue };
        let (group, after) = (&mut groups[of[first]], u + row.beta - row.compliance * r);
        match row.role {
            Role::Stop(gap) if *r > 0.0 => {
                group.smooth &= row.before >= -gap.max(0.0) / h - SLOW - row.compliance * r;
                group.load += r;
                group.sprung += 0.5 * row.compliance * r * r;
            }
            Role::Brake if *r != 0.0 => group.load += r.abs(),
            _ => continue,
        }
        group.touched = true;
        group.work += 0.5 * r * (row.before + after);
    }
    (groups, of)
}

/// Mean force and torque over h of an impulse.
fn force(touch: &Touch, r: &[f64], h: f64) -> [DVec3; 2] {
    let sum = |rows: std::ops::Range<usize>| rows.map(|k| axis(touch, k) * r[k]).sum::<DVec3>() / h;
    [sum(0..r.len().min(3)), sum(3..r.len().max(3))]
}

/// Keeps the forces of the contacts that act.
pub(super) fn remember(solved: &Solved, h: f64, memory: &mut Vec<ContactMemory>) {
    memory.clear();
    for (i, touch) in solved.touches.iter().enumerate() {
        let r = solved.impulse(i);
        if r[0] > 0.0 {
            let [force, torque] = force(touch, r, h);
            memory.push(ContactMemory { pair: touch.pair, feature: touch.feature, force, torque });
        }
    }
}
