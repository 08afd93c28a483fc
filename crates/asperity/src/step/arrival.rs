//! The bodies at the end of a step.

use super::StepError;
use crate::body::BodyState;
use crate::world::Model;

/// The bodies that a step from time t leads to, with the rigid motion nearest to that of each elastic body, which is found once a
/// step. An error names the first body with a number that is not finite.
pub(super) fn arrived(model: &Model, t: f64, mut bodies: Vec<BodyState>) -> Result<Vec<BodyState>, StepError> {
    for (body, at) in model.bodies.iter().zip(&mut bodies) {
        if !at.is_finite() {
            return Err(StepError::NotFinite { t, body: body.name.clone() });
        }
        if let (Some(elastic), BodyState::Mesh(at)) = (body.elastic(), at) {
            *at = elastic.state_of(at.positions.clone(), at.velocities.clone()).into();
        }
    }
    Ok(bodies)
}
