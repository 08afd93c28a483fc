//! The rule that a step is made by: backward Euler, or backward differences of the second order (BDF2).
//!
//! Both have the form of a step of backward Euler with the length β from (x̂, v̂), which ends where the real step does:
//!
//! v⁺ = (x⁺ − x̂)/β,   M (v⁺ − v̂)/β = f(x⁺, v⁺).
//!
//! | rule | x̂ | v̂ | β |
//! | --- | --- | --- | --- |
//! | backward Euler | x | v | h |
//! | BDF2 | x + (x − x₋)/3 | v + (v − v₋)/3 | 2h/3 |
//!
//! x₋ and v₋ are those of the step before; a first step is one of backward Euler. Orientations are continued by rotation vectors,
//! R̂ = exp(log(R R₋ᵀ)/3) R, and angular velocities by the angular momentum, which free rotation keeps: both are of second order.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::body::{Body, BodyState, MeshState, RigidState};
use crate::step::implicit::Span;
use crate::step::rotation::turn;

/// How a step of the barrier stepper is taken in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeRule {
    /// Backward Euler: first order, dissipates where the potential is convex.
    #[default]
    Euler,
    /// Backward differences of the second order.
    Bdf2,
}

impl TimeRule {
    /// By the names that scenes have for them.
    pub const NAMES: [&'static str; 2] = ["euler", "bdf2"];

    /// The rule of a name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Euler, Self::Bdf2].into_iter().zip(Self::NAMES).find(|(_, own)| *own == name).map(|(rule, _)| rule)
    }
}

/// Where a step of backward Euler of the length β would begin.
pub(super) struct Base {
    /// x̂ and v̂, in the order of the model.
    pub(super) bodies: Vec<BodyState>,
    /// β, s.
    pub(super) h: f64,
}

impl Base {
    /// For a step with a rule. What is known of the step before counts if that had the same length.
    pub(super) fn new(Span { model, state, h }: Span, rule: TimeRule) -> Self {
        let before = state.barrier.as_ref().filter(|own| own.h == h && own.bodies.len() == state.bodies.len());
        match (rule, before) {
            (TimeRule::Bdf2, Some(before)) => {
                let all = model.bodies.iter().zip(state.bodies.iter().zip(&before.bodies));
                Self { bodies: all.map(|(body, (now, old))| continued(body, now, old)).collect(), h: 2.0 / 3.0 * h }
            }
            _ => Self { bodies: state.bodies.clone(), h },
        }
    }
}

/// x + (x − x₋)/3.
fn third(now: DVec3, old: DVec3) -> DVec3 {
    now + (now - old) / 3.0
}

fn continued(body: &Body, now: &BodyState, old: &BodyState) -> BodyState {
    match (now, old) {
        (BodyState::Rigid(now), BodyState::Rigid(old)) => BodyState::Rigid(continued_rigid(body, now, old)),
        (BodyState::Mesh(now), BodyState::Mesh(old)) => {
            let thirds = |now: &[DVec3], old: &[DVec3]| now.iter().zip(old).map(|(a, b)| third(*a, *b)).collect();
            BodyState::Mesh(Arc::new(MeshState {
                frame: now.frame,
                positions: thirds(&now.positions, &old.positions),
                velocities: thirds(&now.velocities, &old.velocities),
            }))
        }
        _ => now.clone(),
    }
}

fn continued_rigid(body: &Body, now: &RigidState, old: &RigidState) -> RigidState {
    let turned = turn(old.rotation, now.rotation);
    let rotation = match turned == DVec3::ZERO {
        true => now.rotation,
        false => (DQuat::from_scaled_axis(turned / 3.0) * now.rotation).normalize(),
    };
    let angular_velocity = match body.inertia() {
        Some(inertia) => {
            let momentum = |own: &RigidState| inertia.momentum(own.rotation, own.angular_velocity);
            inertia.angular_velocity(rotation, third(momentum(now), momentum(old)))
        }
        None => third(now.angular_velocity, old.angular_velocity),
    };
    RigidState {
        centre: third(now.centre, old.centre),
        rotation,
        velocity: third(now.velocity, old.velocity),
        angular_velocity,
    }
}
