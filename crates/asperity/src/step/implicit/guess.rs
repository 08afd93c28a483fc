//! A guess of how a step ends: velocities of the degrees of freedom, and where they lead.
//!
//! Positions are x⁺ = x + h v⁺ for centres of mass and vertices. A rigid body turns as a free one does with the angular
//! momentum that it has at the end. Bodies and pinned vertices whose motion is given are where they are at the end of
//! the step.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::dofs::{BodyDofs, Setting};
use crate::body::{Body, BodyState, Elastic, Matter, MeshState, RigidState, Twist, mean_velocities};
use crate::contact::{PlacedBody, PlacedMesh, place};
use crate::step::rotation::turned;

/// How a step may end.
#[derive(Clone)]
pub(super) struct Guess {
    /// Velocities of the degrees of freedom.
    pub(super) v: Vec<f64>,
    /// The bodies at the end.
    pub(super) bodies: Vec<BodyState>,
    /// The bodies as contacts see them. Before the first solve they are where the step begins: contacts are linear
    /// there, and v is zero.
    pub(super) placed: Vec<PlacedBody>,
    /// Whether contacts are seen where the step begins.
    pub(super) at_start: bool,
}

impl Guess {
    /// The guess that a step begins with: nothing moves but what is given.
    pub(super) fn first(setting: Setting) -> Self {
        let Setting { model, state, dofs, h } = setting;
        let mut placed = Vec::new();
        place(model, state, h, &mut placed);
        Self { v: vec![0.0; dofs.count], bodies: first_bodies(setting), placed, at_start: true }
    }

    /// Where these velocities lead; `last` are the bodies of the guess whose inertias they were found with.
    pub(super) fn after(setting: Setting, last: &[BodyState], v: Vec<f64>) -> Self {
        let Setting { model, state, h, .. } = setting;
        let bodies = bodies_after(setting, last, &v);
        let ends = model.bodies.iter().zip(&state.bodies).zip(&bodies);
        let placed = ends.map(|((body, start), end)| placed_end(body, start, end, state.time, h)).collect();
        Self { v, bodies, placed, at_start: false }
    }

    /// Of bodies that contacts do not look at.
    pub(super) fn unplaced(bodies: Vec<BodyState>, v: Vec<f64>) -> Self {
        Self { v, bodies, placed: Vec::new(), at_start: false }
    }
}

/// The bodies where nothing moves but what is given.
pub(super) fn first_bodies(Setting { model, state, h, .. }: Setting) -> Vec<BodyState> {
    let mut bodies = state.bodies.clone();
    for (body, (at, start)) in model.bodies.iter().zip(bodies.iter_mut().zip(&state.bodies)) {
        match (&body.matter, start) {
            // Pins are where they will be, so that what they pull at feels it in the first solve already.
            (Matter::Elastic(elastic), BodyState::Mesh(start)) => {
                let still = |_| DVec3::ZERO;
                *at = BodyState::Mesh(Arc::new(elastic_end(elastic, start, state.time, h, still)));
            }
            // The inertia is that of the orientation which the free body would end with.
            (_, BodyState::Rigid(start)) if let Some(inertia) = body.inertia() => {
                let momentum = inertia.momentum(start.rotation, start.angular_velocity);
                at.frame_mut().rotation = turned(inertia, start.rotation, momentum, h);
            }
            _ => (),
        }
    }
    bodies
}

/// The bodies where these velocities lead; `last` are those whose inertias they were found with.
pub(super) fn bodies_after(
    Setting { model, state, dofs, h }: Setting,
    last: &[BodyState],
    v: &[f64],
) -> Vec<BodyState> {
    let end = |(i, (body, start)): (usize, (&Body, &BodyState))| match (&dofs.bodies[i], start) {
        (BodyDofs::Rigid(first), BodyState::Rigid(start)) => {
            BodyState::Rigid(rigid_end(body, start, last[i].frame().rotation, h, &v[*first..*first + 6]))
        }
        (BodyDofs::Elastic(own), BodyState::Mesh(start)) if let Some(elastic) = body.elastic() => {
            let velocity = |i: usize| own[i].map_or(DVec3::ZERO, |dof| DVec3::from_slice(&v[dof as usize..]));
            BodyState::Mesh(Arc::new(elastic_end(elastic, start, state.time, h, velocity)))
        }
        _ => given_end(body, start, state.time, h),
    };
    model.bodies.iter().zip(&state.bodies).enumerate().map(end).collect()
}

impl Guess {
    /// The bodies as joints see them: where they end. At the first guess those that forces move are where they begin.
    pub(super) fn joint_bodies(&self, Setting { model, state, h, .. }: Setting) -> Vec<BodyState> {
        if !self.at_start {
            return self.bodies.clone();
        }
        let at = |(body, start): (&Body, &BodyState)| given_end(body, start, state.time, h);
        model.bodies.iter().zip(&state.bodies).map(at).collect()
    }
}

/// A rigid body with these velocities at the end; its inertia in the solve was that of the orientation `at`.
fn rigid_end(body: &Body, start: &RigidState, at: DQuat, h: f64, v: &[f64]) -> RigidState {
    let (velocity, spin) = (DVec3::from_slice(v), DVec3::from_slice(&v[3..]));
    let Some(inertia) = body.inertia() else { return *start };
    let momentum = inertia.momentum(at, spin);
    let rotation = turned(inertia, start.rotation, momentum, h);
    let angular_velocity = inertia.angular_velocity(rotation, momentum);
    RigidState { centre: start.centre + velocity * h, rotation, velocity, angular_velocity }
}

/// The vertices of an elastic body at the end of a step, with these velocities of the free ones.
fn elastic_end(
    elastic: &Elastic,
    start: &MeshState,
    time: f64,
    h: f64,
    velocity: impl Fn(usize) -> DVec3,
) -> MeshState {
    let count = start.positions.len();
    let (mut positions, mut velocities) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (i, x) in start.positions.iter().enumerate() {
        let pinned = elastic.pinned_position(i, time + h);
        positions.push(pinned.unwrap_or(*x + velocity(i) * h));
        velocities.push(pinned.map_or_else(|| velocity(i), |end| (end - *x) / h));
    }
    MeshState { frame: start.frame, positions, velocities }
}

/// A body whose motion is given, at the end of a step.
fn given_end(body: &Body, start: &BodyState, time: f64, h: f64) -> BodyState {
    match (&body.matter, start) {
        (Matter::Animated(animated), BodyState::Mesh(start)) => {
            let positions = animated.positions(time + h);
            let velocities = mean_velocities(&start.positions, &positions, h);
            BodyState::Mesh(Arc::new(animated.state_of(positions, velocities)))
        }
        (Matter::Rigid(_), BodyState::Rigid(start)) if let Some(script) = body.script() => {
            let (pose, Twist { velocity, angular_velocity }) = (script.pose(time + h), script.velocity(time, h));
            BodyState::Rigid(RigidState { centre: pose.position, rotation: pose.rotation, velocity, angular_velocity })
        }
        _ => start.clone(),
    }
}

/// A body at the end of a step as contacts see it. What is given moves with its mean velocity over the step.
fn placed_end(body: &Body, start: &BodyState, end: &BodyState, time: f64, h: f64) -> PlacedBody {
    let at = end.frame();
    let still = body.is_static();
    let (velocity, angular_velocity) =
        if still { (DVec3::ZERO, DVec3::ZERO) } else { (at.velocity, at.angular_velocity) };
    let mesh = end.mesh().and_then(|end| match &body.matter {
        Matter::Rigid(_) => None,
        Matter::Animated(animated) => Some(Arc::new(PlacedMesh::animated(animated, end, time + h, 0.0))),
        Matter::Elastic(elastic) => Some(Arc::new(PlacedMesh::elastic(elastic, end, time + h, 0.0))),
    });
    debug_assert_eq!(start.mesh().is_some(), end.mesh().is_some());
    PlacedBody { pose: at.pose(body), centre: at.centre, velocity, angular_velocity, mesh }
}
