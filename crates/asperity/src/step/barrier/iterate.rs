//! Where bodies are on the way to the end of a step.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::rule::Base;
use crate::body::{Body, BodyState, Matter, MeshState, RigidState, mean_velocities};
use crate::step::implicit::{FreeStep, Freedom, Span};
use crate::step::rotation::{turn, turned};

/// Where a body is.
#[derive(Clone, Debug)]
pub(super) enum BodyAt {
    /// A rigid body: its centre of mass, and its orientation.
    Rigid {
        /// Centre of mass.
        centre: DVec3,
        /// Orientation.
        rotation: DQuat,
    },
    /// The vertices of one that deforms.
    Mesh(Vec<DVec3>),
}

/// Where all bodies are.
#[derive(Clone, Debug)]
pub(super) struct Iterate {
    pub(super) bodies: Vec<BodyAt>,
}

impl Iterate {
    /// Of these bodies.
    pub(super) fn of(bodies: &[BodyState]) -> Self {
        let own = |at: &BodyState| match at {
            BodyState::Rigid(at) => BodyAt::Rigid { centre: at.centre, rotation: at.rotation },
            BodyState::Mesh(at) => BodyAt::Mesh(at.positions.clone()),
        };
        Self { bodies: bodies.iter().map(own).collect() }
    }

    /// Where bodies and pinned vertices whose motion is given end, and where all others would be without forces but gravity.
    pub(super) fn predicted(Span { model, state, h }: Span, base: &Base) -> Self {
        let end = state.time + h;
        let h = base.h;
        let own = |(body, at): (&Body, &BodyState)| match (&body.matter, at) {
            (Matter::Animated(animated), _) => BodyAt::Mesh(animated.positions(end)),
            (Matter::Rigid(_), BodyState::Rigid(at)) => match (body.script(), body.inertia()) {
                (Some(script), _) => {
                    let pose = script.pose(end);
                    BodyAt::Rigid { centre: pose.position, rotation: pose.rotation }
                }
                (None, Some(inertia)) => {
                    let momentum = inertia.momentum(at.rotation, at.angular_velocity);
                    BodyAt::Rigid {
                        centre: at.centre + at.velocity * h + model.gravity * (h * h),
                        rotation: turned(inertia, at.rotation, momentum, h),
                    }
                }
                (None, None) => BodyAt::Rigid { centre: at.centre, rotation: at.rotation },
            },
            (Matter::Elastic(elastic), BodyState::Mesh(at)) => {
                let free = |i: usize| at.positions[i] + at.velocities[i] * h + model.gravity * (h * h);
                let place = |i: usize| elastic.pinned_position(i, end).unwrap_or_else(|| free(i));
                BodyAt::Mesh((0..at.positions.len()).map(place).collect())
            }
            (_, BodyState::Mesh(at)) => BodyAt::Mesh(at.positions.clone()),
            (_, BodyState::Rigid(at)) => BodyAt::Rigid { centre: at.centre, rotation: at.rotation },
        };
        Self { bodies: model.bodies.iter().zip(&base.bodies).map(own).collect() }
    }

    /// The degrees of freedom that lead from here to another place: displacements, and turns as rotation vectors.
    pub(super) fn way_to(&self, other: &Self, free: &FreeStep) -> Vec<f64> {
        let mut p = vec![0.0; free.dofs()];
        for (number, (from, to)) in self.bodies.iter().zip(&other.bodies).enumerate() {
            match (free.freedom(number), from, to) {
                (Freedom::Rigid(dof), BodyAt::Rigid { centre, rotation }, BodyAt::Rigid { centre: c, rotation: r }) => {
                    (*c - *centre).write_to_slice(&mut p[dof..]);
                    turn(*rotation, *r).write_to_slice(&mut p[dof + 3..]);
                }
                (Freedom::Vertices(dofs), BodyAt::Mesh(from), BodyAt::Mesh(to)) => {
                    for (i, dof) in dofs.iter().enumerate().filter_map(|(i, dof)| Some((i, (*dof)? as usize))) {
                        (to[i] - from[i]).write_to_slice(&mut p[dof..]);
                    }
                }
                _ => (),
            }
        }
        p
    }

    /// Farther by `fraction` of the displacements p, and of the way to the goal for what is given.
    pub(super) fn moved(&self, free: &FreeStep, p: &[f64], goal: &Self, fraction: f64) -> Self {
        let by = |dof: usize| DVec3::from_slice(&p[dof..]) * fraction;
        let own = |(number, (at, goal)): (usize, (&BodyAt, &BodyAt))| match (free.freedom(number), at, goal) {
            (Freedom::Rigid(dof), BodyAt::Rigid { centre, rotation }, _) => BodyAt::Rigid {
                centre: *centre + by(dof),
                rotation: (DQuat::from_scaled_axis(by(dof + 3)) * *rotation).normalize(),
            },
            (Freedom::Vertices(dofs), BodyAt::Mesh(at), BodyAt::Mesh(goal)) => {
                let vertex = |(i, dof): (usize, &Option<u32>)| match dof {
                    Some(dof) => at[i] + by(*dof as usize),
                    None => towards(at[i], goal[i], fraction),
                };
                BodyAt::Mesh(dofs.iter().enumerate().map(vertex).collect())
            }
            (_, BodyAt::Mesh(at), BodyAt::Mesh(goal)) => {
                BodyAt::Mesh(at.iter().zip(goal).map(|(at, goal)| towards(*at, *goal, fraction)).collect())
            }
            (_, BodyAt::Rigid { centre, rotation }, BodyAt::Rigid { centre: c, rotation: r }) => BodyAt::Rigid {
                centre: towards(*centre, *c, fraction),
                rotation: if fraction == 1.0 {
                    *r
                } else {
                    (DQuat::from_scaled_axis(turn(*rotation, *r) * fraction) * *rotation).normalize()
                },
            },
            (_, at, _) => at.clone(),
        };
        Self { bodies: self.bodies.iter().zip(&goal.bodies).enumerate().map(own).collect() }
    }

    /// The bodies at the end of the step.
    pub(super) fn arrive(&self, Span { model, .. }: Span, predicted: &Self, base: &Base) -> Vec<BodyState> {
        let h = base.h;
        let own = |(number, (body, before)): (usize, (&Body, &BodyState))| match (
            &self.bodies[number],
            &predicted.bodies[number],
            before,
        ) {
            (BodyAt::Mesh(positions), _, BodyState::Mesh(before)) => {
                let velocities = mean_velocities(&before.positions, positions, h);
                match &body.matter {
                    Matter::Animated(own) => own.state_of(positions.clone(), velocities).into(),
                    _ => MeshState { frame: before.frame, positions: positions.clone(), velocities }.into(),
                }
            }
            (BodyAt::Rigid { centre, rotation }, BodyAt::Rigid { rotation: free, .. }, BodyState::Rigid(before)) => {
                BodyState::Rigid(rigid_end(
                    body,
                    before,
                    RigidEnd { centre: *centre, rotation: *rotation, free: *free, h },
                ))
            }
            _ => before.clone(),
        };
        model.bodies.iter().zip(&base.bodies).enumerate().map(own).collect()
    }
}

/// Where a rigid body ends.
struct RigidEnd {
    centre: DVec3,
    rotation: DQuat,
    /// Where it would have turned to without forces.
    free: DQuat,
    h: f64,
}

/// v⁺ = (c⁺ − c)/h; ω⁺ is that of free rotation, and what was turned beside it over h.
fn rigid_end(body: &Body, before: &RigidState, RigidEnd { centre, rotation, free, h }: RigidEnd) -> RigidState {
    let velocity = (centre - before.centre) / h;
    let angular_velocity = match body.inertia() {
        Some(inertia) => {
            let momentum = inertia.momentum(before.rotation, before.angular_velocity);
            inertia.angular_velocity(free, momentum) + turn(free, rotation) / h
        }
        None => turn(before.rotation, rotation) / h,
    };
    RigidState { centre, rotation, velocity, angular_velocity }
}

fn towards(from: DVec3, to: DVec3, fraction: f64) -> DVec3 {
    if fraction == 1.0 { to } else { from + (to - from) * fraction }
}

impl From<MeshState> for BodyState {
    fn from(at: MeshState) -> Self {
        Self::Mesh(Arc::new(at))
    }
}
