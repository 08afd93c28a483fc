//! Bodies as they are at the start of a step.

use glam::DVec3;

use crate::body::surface::SurfaceSite;
use crate::body::{Body, BodyState};
use crate::geometry::Pose;
use crate::world::{Model, State};

/// A body as it is at the start of a step, or as it moves at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlacedBody {
    pub(crate) pose: Pose,
    pub(crate) centre: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) angular_velocity: DVec3,
}

impl PlacedBody {
    /// The place of its surface at a point of the world, with an outward normal there.
    #[inline]
    pub(crate) fn site(&self, point: DVec3, outward: DVec3) -> SurfaceSite {
        SurfaceSite::on_rigid(&self.pose, point, outward)
    }
}

/// Where all bodies are at the start of a step of length h, and how fast. Scripted bodies have their mean velocity over the step.
pub(crate) fn place(model: &Model, state: &State, h: f64, out: &mut Vec<PlacedBody>) {
    out.clear();
    out.extend(model.bodies.iter().zip(&state.bodies).map(|(body, at)| placed(body, at, state.time, h)));
}

fn placed(body: &Body, at: &BodyState, time: f64, h: f64) -> PlacedBody {
    let at = at.frame();
    let (velocity, angular_velocity) = match body.script() {
        _ if body.is_static() => (DVec3::ZERO, DVec3::ZERO),
        Some(script) if h > 0.0 => script.velocity(time, h),
        _ => (at.velocity, at.angular_velocity),
    };
    PlacedBody { pose: at.pose(body), centre: at.centre, velocity, angular_velocity }
}
