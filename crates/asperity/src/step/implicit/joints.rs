//! The rows of joints at a guess: those of the impulse stepper ([`crate::step::joint_rows`]) with the rule "end",
//! x⁺ = x + h v⁺. And what their impulses pull at ([`super::pull`]).

use glam::DVec3;

use super::dynamics::Start;
use super::guess::Guess;
use super::pull::Pull;
use crate::body::Twist;
use crate::contact::PlacedBody;
use crate::joint::Coordinate;
use crate::step::StepError;
use crate::step::joint_rows::{JointRow, JointSite, Mobility, Role, Speeds};

/// The rows of all joints; `placed` are the bodies at the start of the step.
pub(super) fn rows(start: &Start, placed: &[PlacedBody], guess: &Guess) -> Result<Vec<JointRow>, StepError> {
    let model = start.model;
    if model.joints.is_empty() {
        return Ok(Vec::new());
    }
    let speeds = |body: Option<u32>| {
        let Some(body) = body.map(|body| body as usize) else { return Speeds::default() };
        let at = &placed[body];
        let before = Twist { velocity: at.velocity, angular_velocity: at.angular_velocity };
        // Before the first solve nothing has moved but what is given.
        let now = match (model.bodies[body].inertia(), guess.at_start) {
            (None, _) => before,
            (Some(_), true) => Twist::default(),
            (Some(_), false) => {
                let end = guess.bodies[body].frame();
                Twist { velocity: end.velocity, angular_velocity: end.angular_velocity }
            }
        };
        Speeds { before, guess: now }
    };
    let mobility = |body: u32| {
        let inertia = model.bodies[body as usize].inertia()?;
        let inverse_inertia = inertia.inverse_in_world(guess.bodies[body as usize].frame().rotation);
        Some(Mobility { inverse_mass: 1.0 / inertia.mass(), inverse_inertia })
    };
    let site = JointSite { model, placed, time: start.state.time, h: start.h, speeds: &speeds, mobility: &mobility };
    // Where the bodies are at the guess: at the first one where they start, but for what is given.
    let bodies = guess.joint_bodies(start.setting());
    site.rows(&bodies, &vec![true; model.joints.len()])
}

/// What joints give to the rigid bodies at their points, with these impulses of the rows; none if they are not known.
pub(super) fn pulls(start: &Start, guess: &Guess, rows: &[JointRow], impulses: &[f64]) -> Vec<Pull> {
    let mut all: Vec<Pull> = Vec::new();
    if rows.len() != impulses.len() {
        return all;
    }
    for (i, joint) in start.model.joints.iter().enumerate() {
        let of_points = |own: &&(&JointRow, &f64)| {
            let length = |coordinate: Coordinate| coordinate.is_length();
            own.0.joint == i && matches!(own.0.role, Role::Held(own) | Role::Spring(own) if length(own))
        };
        let pairs: Vec<(&JointRow, &f64)> = rows.iter().zip(impulses).collect();
        let impulse: DVec3 = pairs.iter().filter(of_points).map(|(row, r)| row.row.linear * **r).sum();
        let spots = joint.spots(&guess.bodies);
        let points = joint.points(spots);
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let Some(body) = joint.bodies()[side].map(|body| body as usize) else { continue };
            if start.model.bodies[body].inertia().is_some() {
                all.push(Pull { body, arm: points[side] - spots[side].centre, impulse: impulse * sign });
            }
        }
    }
    all
}
